// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_filter.h"
#include "base/spec.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { ID_DIGITS_MIN = 4 };

int run_filter_option(struct store_filter *filter, int c, const char *value, struct error *err)
{
	static const struct {
		int option;
		enum store_field field;
	} options[] = { { 'm', STORE_MACHINE }, { 'w', STORE_WORKLOAD }, { 'p', STORE_POLICY },
		{ FILTER_SCALING, STORE_SCALING }, { FILTER_SEED, STORE_SEED },
		{ FILTER_VERSION, STORE_VERSION } };
	unsigned long long seed;
	int rc = 0;

	if (c == FILTER_SEED)
		rc = parse_u64(value, 0, LLONG_MAX, "--seed", &seed, err);
	for (size_t i = 0; !rc && i < sizeof(options) / sizeof(options[0]); i++) {
		if (c != options[i].option)
			continue;
		rc = store_filter_add(filter, options[i].field, value, err);
		return rc ? rc : 1;
	}
	return rc;
}

int run_filter_id(struct store_filter *filter, const char *text, struct error *err)
{
	size_t digits = strspn(text, "0123456789abcdef");

	if (text[digits] || digits < ID_DIGITS_MIN)
		return error_set(err, EINVAL,
			"'%s': expected the first digits of a run's id, at least %d", text,
			ID_DIGITS_MIN);
	return store_filter_add(filter, STORE_ID, text, err);
}
