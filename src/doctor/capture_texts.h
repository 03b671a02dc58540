/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of capture.h: what becomes a text beside root/. */
#pragma once

#include "doctor/capture.h"

/* Takes text over. 0 or -ENOMEM. */
int capture_add(struct capture *capture, const char *path, char *text, size_t len, bool link);

/* dmesg.txt, msr.txt and acpi.txt, as far as there is something to tell. */
int capture_add_texts(struct tree *tree, struct capture *capture);

/* What is no plain file on the live machine, as text. -ENOSYS: it is one. */
int capture_read_special(struct tree *tree, const char *path, char **ret, size_t *ret_len);
