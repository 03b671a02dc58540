// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What libcyaml says on its way out: first the finding, then where it was, innermost first. Only
 * this callback tells the line.
 */
struct findings {
	char text[200];
	char field[96];
	int line;
};

static void note_place(struct findings *f, const char *text)
{
	char key[64], whole[sizeof(f->field) + 80];
	const char *line = strstr(text, "(line: ");
	unsigned entry;

	if (!f->line && line)
		f->line = atoi(line + strlen("(line: "));
	if (sscanf(text, " in mapping field '%63[^']'", key) == 1)
		snprintf(whole, sizeof(whole), "%s%s%s", key, *f->field ? "." : "", f->field);
	else if (sscanf(text, " in sequence entry '%u'", &entry) == 1)
		snprintf(whole, sizeof(whole), "%u%s%s", entry, *f->field ? "." : "", f->field);
	else
		return;
	snprintf(f->field, sizeof(f->field), "%s", whole);
}

static void collect(cyaml_log_t level, void *ctx, const char *fmt, va_list args)
{
	struct findings *f = ctx;
	char text[256], *body = text;

	if (level < CYAML_LOG_ERROR)
		return;
	vsnprintf(text, sizeof(text), fmt, args);
	text[strcspn(text, "\n")] = 0;
	if (!strncmp(body, "Load: ", 6))
		body += 6;
	if (strstr(body, " in mapping") == body + 1 || strstr(body, " in sequence") == body + 1)
		note_place(f, body);
	else if (!*f->text && strcmp(body, "Backtrace:"))
		snprintf(f->text, sizeof(f->text), "%s", body);
}

/* libcyaml names the C type it tried; a reader wants to know what to write. */
static const char *expectation(cyaml_err_t code, const char *finding)
{
	switch (code) {
	case CYAML_ERR_INVALID_KEY:
		return "expected a field of this section";
	case CYAML_ERR_INVALID_VALUE:
		if (strstr(finding, "ENUM"))
			return "expected true or false";
		if (strstr(finding, "INT"))
			return "expected a whole number that fits";
		return "expected another value";
	case CYAML_ERR_UNEXPECTED_EVENT:
		return "expected another kind of value here";
	case CYAML_ERR_MAPPING_FIELD_MISSING:
		return "expected it in this section";
	case CYAML_ERR_SEQUENCE_ENTRIES_MIN:
	case CYAML_ERR_SEQUENCE_ENTRIES_MAX:
		return "expected another number of entries";
	case CYAML_ERR_STRING_LENGTH_MIN:
	case CYAML_ERR_STRING_LENGTH_MAX:
		return "expected another length";
	case CYAML_ERR_ALIAS:
	case CYAML_ERR_INVALID_ALIAS:
		return "expected no anchors and aliases";
	default:
		return "expected well-formed YAML";
	}
}

static int refuse(
	const struct yaml *y, cyaml_err_t code, const struct findings *f, struct error *err)
{
	const char *text = *f->text ? f->text : cyaml_strerror(code);

	if (code == CYAML_ERR_OOM)
		return error_set(err, ENOMEM, "%s: out of memory", y->path);
	return error_set(err, EINVAL, "%s:%d: %s%s%s, %s", y->path, f->line ? f->line : 1, f->field,
		*f->field ? ": " : "", text, expectation(code, text));
}

static cyaml_config_t config(struct findings *f)
{
	return (cyaml_config_t){
		.log_fn = collect,
		.log_ctx = f,
		.mem_fn = cyaml_mem,
		.log_level = CYAML_LOG_ERROR,
		.flags = CYAML_CFG_NO_ALIAS,
	};
}

int yaml_parse(struct yaml *ret, const char *path, const char *text, size_t size,
	const cyaml_schema_value_t *schema, struct error *err)
{
	struct findings f = { 0 };
	cyaml_config_t cfg = config(&f);
	struct yaml y = { .schema = schema, .size = size };
	cyaml_err_t code;

	snprintf(y.path, sizeof(y.path), "%s", path);
	if (memchr(text, 0, size))
		return error_set(err, EINVAL, "%s: a NUL byte, expected YAML text", path);
	y.text = malloc(size + 1);
	if (!y.text)
		return error_set(err, ENOMEM, "%s: out of memory", path);
	memcpy(y.text, text, size);
	y.text[size] = 0;
	code = cyaml_load_data((const uint8_t *)y.text, size, &cfg, schema, &y.doc, NULL);
	if (code != CYAML_OK || !y.doc) {
		free(y.text);
		return refuse(&y, code, &f, err);
	}
	*ret = y;
	return 0;
}

static int slurp(const char *path, char **ret, size_t *ret_size, struct error *err)
{
	FILE *file = fopen(path, "r");
	char *text;
	size_t n;
	int code;

	if (!file)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	text = malloc(YAML_FILE_MAX + 1);
	if (!text) {
		fclose(file);
		return error_set(err, ENOMEM, "%s: out of memory", path);
	}
	n = fread(text, 1, YAML_FILE_MAX + 1, file);
	code = ferror(file) ? (errno ? errno : EIO) : 0;
	fclose(file);
	if (!code && n > YAML_FILE_MAX)
		code = EFBIG;
	if (code) {
		free(text);
		return error_set(err, code, "%s: %s", path, strerror(code));
	}
	*ret = text;
	*ret_size = n;
	return 0;
}

int yaml_read(
	struct yaml *ret, const char *path, const cyaml_schema_value_t *schema, struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	int r;

	r = slurp(path, &text, &size, err);
	if (r)
		return r;
	r = yaml_parse(ret, path, text, size, schema, err);
	free(text);
	return r;
}

void yaml_release(struct yaml *y)
{
	struct findings f = { 0 };
	cyaml_config_t cfg = config(&f);

	cyaml_free(&cfg, y->schema, y->doc, 0);
	free(y->text);
	memset(y, 0, sizeof(*y));
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Where word stands as a whole word in [from, end), or NULL. */
static const char *find_word(const char *from, const char *end, const char *word, size_t len)
{
	for (const char *p = from; (p = strstr(p, word)) && p + len <= end; p++)
		if ((p == from || !is_word_char(p[-1])) && !is_word_char(p[len]))
			return p;
	return NULL;
}

/* Where the section that begins at p ends: at the next line that begins with a letter. */
static const char *section_end(const char *p)
{
	while ((p = strchr(p, '\n')))
		if (isalpha((unsigned char)*++p))
			return p;
	return NULL;
}

int yaml_line(const struct yaml *y, const char *dotted)
{
	const char *at = y->text, *end = y->text + y->size;
	int line = 1;

	for (bool first = true; *dotted; first = false) {
		char word[64];
		size_t len = strcspn(dotted, ".");
		const char *found;

		if (len >= sizeof(word))
			break;
		memcpy(word, dotted, len);
		word[len] = 0;
		found = len ? find_word(at, end, word, len) : NULL;
		while (first && found && found != y->text && found[-1] != '\n')
			found = find_word(found + 1, end, word, len);
		if (found) {
			at = found;
			if (first && section_end(at))
				end = section_end(at);
		} else if (first) {
			break;
		}
		dotted += len + (dotted[len] == '.');
	}
	for (const char *p = y->text; p < at; p++)
		line += *p == '\n';
	return line;
}

int yaml_error(const struct yaml *y, const char *dotted, struct error *err, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_set(err, EINVAL, "%s:%d: %s: %s", y->path, yaml_line(y, dotted), dotted, text);
}
