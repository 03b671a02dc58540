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

/* "Expecting MAPPING, got event: SCALAR" and the like. */
static const char *expected_shape(const char *text)
{
	if (strstr(text, "MAPPING,"))
		return "expected fields with values";
	return strstr(text, "SEQUENCE") && strstr(text, ", got event: SCALAR")
		       ? "expected a list"
		       : "expected one value";
}

/* What libcyaml found, in the words of someone who edits the file. */
static void reword(cyaml_err_t code, struct findings *f, char *ret, size_t size)
{
	const char *word = strrchr(f->text, ':') ? strrchr(f->text, ':') + 1 : f->text;
	char *last = strrchr(f->field, '.');

	word += *word == ' ';
	switch (code) {
	case CYAML_OK:
		snprintf(ret, size, "nothing in it, expected fields with values");
		break;
	case CYAML_ERR_INVALID_KEY:
		snprintf(ret, size, "unknown field '%s', expected one of this section", word);
		break;
	case CYAML_ERR_MAPPING_FIELD_MISSING:
		/* The place is that of the mapping's last field. */
		*(last ? last : f->field) = 0;
		snprintf(ret, size, "no field '%s', expected it here", word);
		break;
	case CYAML_ERR_SEQUENCE_ENTRIES_MIN:
		snprintf(ret, size, "too few entries, expected more");
		break;
	case CYAML_ERR_SEQUENCE_ENTRIES_MAX:
		snprintf(ret, size, "too many entries, expected fewer");
		break;
	case CYAML_ERR_STRING_LENGTH_MIN:
		snprintf(ret, size, "nothing, expected a value");
		break;
	case CYAML_ERR_STRING_LENGTH_MAX:
		snprintf(ret, size, "too long, expected a shorter text");
		break;
	case CYAML_ERR_ALIAS:
		snprintf(ret, size, "an alias, expected the value itself");
		break;
	case CYAML_ERR_INVALID_VALUE:
	case CYAML_ERR_UNEXPECTED_EVENT:
		if (strstr(f->text, "already seen"))
			snprintf(ret, size, "given twice, expected once");
		else if (strstr(f->text, "Expecting "))
			snprintf(ret, size, "%s", expected_shape(f->text));
		else
			snprintf(ret, size, "'%s', expected true or false", word);
		break;
	default:
		snprintf(ret, size, "%s, expected well-formed YAML",
			*f->text ? f->text : cyaml_strerror(code));
	}
}

static int refuse(const struct yaml *y, cyaml_err_t code, struct findings *f, struct error *err)
{
	char text[sizeof(f->text) + 64];

	if (code == CYAML_ERR_OOM)
		return error_set(err, ENOMEM, "%s: out of memory", y->path);
	reword(code, f, text, sizeof(text));
	return error_set(err, EINVAL, "%s:%d: %s%s%s", y->path, f->line ? f->line : 1, f->field,
		*f->field ? ": " : "", text);
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

/* Whether a line "---" follows on content: libcyaml would read up to it and stop. */
static bool second_document(const char *text, size_t size)
{
	bool content = false;

	for (size_t i = 0; i < size;) {
		const char *end = memchr(text + i, '\n', size - i);
		size_t len = end ? (size_t)(end - text) - i : size - i;

		if (len >= 3 && !memcmp(text + i, "---", 3) && content)
			return true;
		content |= len && !strchr("#%-", text[i]) && !isspace((unsigned char)text[i]);
		i += len + 1;
	}
	return false;
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
	if (second_document(text, size))
		return error_set(err, EINVAL, "%s: a second document, expected one", path);
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
