// SPDX-License-Identifier: GPL-2.0-or-later
#include "expect.h"

#include <cyaml/cyaml.h>
#include <stdio.h>

static const cyaml_schema_field_t finding_fields[] = {
	CYAML_FIELD_STRING_PTR("id", CYAML_FLAG_POINTER, struct expect_finding, id, 1, 80),
	CYAML_FIELD_STRING_PTR(
		"severity", CYAML_FLAG_POINTER, struct expect_finding, severity, 1, 16),
	CYAML_FIELD_STRING_PTR("about", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
		struct expect_finding, about, 0, 1000),
	CYAML_FIELD_BOOL("optional", CYAML_FLAG_OPTIONAL, struct expect_finding, optional),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t finding_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct expect_finding, finding_fields),
};

static const cyaml_schema_field_t advice_fields[] = {
	CYAML_FIELD_STRING_PTR(
		"setting", CYAML_FLAG_POINTER, struct expect_advice, setting, 0, 200),
	CYAML_FIELD_STRING_PTR("where", CYAML_FLAG_POINTER, struct expect_advice, where, 0, 16),
	CYAML_FIELD_STRING_PTR("value", CYAML_FLAG_POINTER, struct expect_advice, value, 0, 400),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t advice_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct expect_advice, advice_fields),
};

static const cyaml_schema_value_t text_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, 1000),
};

#define TEXT(key)                                                                                  \
	CYAML_FIELD_STRING_PTR(                                                                    \
		#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct expect, key, 0, 4000)

static const cyaml_schema_field_t fields[] = {
	TEXT(driver),
	TEXT(mode),
	TEXT(hwp),
	TEXT(kind),
	TEXT(source),
	TEXT(confidence),
	TEXT(note),
	CYAML_FIELD_SEQUENCE("findings", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct expect,
		findings, &finding_schema, 0, 32),
	CYAML_FIELD_SEQUENCE("advice", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct expect,
		advice, &advice_schema, 0, 16),
	CYAML_FIELD_SEQUENCE("must_not", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct expect,
		must_not, &text_schema, 0, 32),
	CYAML_FIELD_SEQUENCE("implied", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct expect,
		implied, &text_schema, 0, 32),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct expect, fields),
};

static const cyaml_config_t config = {
	.log_fn = cyaml_log,
	.log_level = CYAML_LOG_ERROR,
	.mem_fn = cyaml_mem,
};

struct expect *expect_load(const char *path)
{
	struct expect *e = NULL;
	cyaml_err_t r = cyaml_load_file(path, &config, &schema, (cyaml_data_t **)&e, NULL);

	if (r != CYAML_OK) {
		fprintf(stderr, "%s: %s\n", path, cyaml_strerror(r));
		return NULL;
	}
	return e;
}

void expect_free(struct expect *e)
{
	cyaml_free(&config, &schema, e, 0);
}
