// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Policies: the input is tried as a preset file and, when it is text, as a specification. What
 * loads must load again to the same bytes; what does not must say why in one line.
 */
#include "machine/preset.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_file(const char *text, size_t size)
{
	struct policy a, b;
	struct error err = { "" };

	policy_defaults(&a);
	policy_defaults(&b);
	if (preset_apply_text("fuzz", text, size, &a, &err)) {
		assert(*err.text && !strchr(err.text, '\n'));
		return;
	}
	assert(!preset_apply_text("fuzz", text, size, &b, &err));
	assert(!memcmp(&a, &b, sizeof(a)));
}

static void try_specification(const char *text)
{
	struct policy a = { "" }, b = { "" };
	struct error err = { "" };

	if (policy_load(text, "/nonexistent", NULL, &a, &err)) {
		assert(*err.text && !strchr(err.text, '\n'));
		return;
	}
	assert(!policy_load(a.text, "/nonexistent", NULL, &b, &err));
	assert(a.idle == b.idle && a.governor == b.governor && a.tick == b.tick);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[1024];

	try_file((const char *)data, size);
	/* A name with a slash is a file of the machine that fuzzes. */
	if (size >= sizeof(text) || memchr(data, '/', size))
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	try_specification(text);
	return 0;
}
