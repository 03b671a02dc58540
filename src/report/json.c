// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/json.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

json_t *json_schema(void)
{
	return json_pack("{s:i}", "schema", 1);
}

json_t *json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

bool json_text(const char *text)
{
	json_t *json = json_string(text);

	json_decref(json);
	return json != NULL;
}

json_t *json_count(unsigned long long value)
{
	return json_integer(value > LLONG_MAX ? LLONG_MAX : (json_int_t)value);
}

int json_write(json_t *json, FILE *out, struct error *err)
{
	int rc = json_dumpf(json, out, JSON_INDENT(2) | JSON_REAL_PRECISION(JSON_DIGITS));

	json_decref(json);
	if (rc || fputc('\n', out) == EOF || fflush(out))
		return error_set(err, EIO, "writing JSON: %s", strerror(errno ? errno : EIO));
	return 0;
}
