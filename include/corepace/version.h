/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#define COREPACE_VERSION "0.1.0"
