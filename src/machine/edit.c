// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/edit.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { CHANGES_MAX = 128, PART_MAX = 64, LINE_WIDTH = 100 };

/* Bytes begin..end of the text become others. */
struct change {
	size_t begin, end;
	char *text;
};

struct editing {
	const char *name, *text;
	const struct edit *edit;
	struct error *err;
	yaml_document_t doc;
	int nr;
	struct change changes[CHANGES_MAX];
};

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_scalar(const yaml_node_t *n, const char *text, size_t len)
{
	return n && n->type == YAML_SCALAR_NODE && n->data.scalar.length == len &&
	       !memcmp(n->data.scalar.value, text, len);
}

static yaml_node_t *in_mapping(struct editing *e, yaml_node_t *map, const char *key, size_t len)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
		p++)
		if (is_scalar(yaml_document_get_node(&e->doc, p->key), key, len))
			return yaml_document_get_node(&e->doc, p->value);
	return NULL;
}

/* The entry of a list whose field has this value. */
static yaml_node_t *in_list(
	struct editing *e, yaml_node_t *list, const char *field, const char *value, size_t len)
{
	for (yaml_node_item_t *i = list->data.sequence.items.start;
		i < list->data.sequence.items.top; i++) {
		yaml_node_t *entry = yaml_document_get_node(&e->doc, *i);

		if (is_scalar(in_mapping(e, entry, field, strlen(field)), value, len))
			return entry;
	}
	return NULL;
}

static yaml_node_t *find(struct editing *e, const char *path)
{
	yaml_node_t *n = yaml_document_get_root_node(&e->doc);

	while (n && *path) {
		size_t len = strcspn(path, ".");
		yaml_node_t *list = n->type == YAML_SEQUENCE_NODE ? n : NULL;

		n = list ? in_list(e, list, "name", path, len) : in_mapping(e, n, path, len);
		if (list && !n)
			n = in_list(e, list, "state", path, len);
		path += len + (path[len] == '.');
	}
	return n;
}

/* ---- places in the text ---------------------------------------------------------------------- */

/* libyaml counts characters, not bytes. */
static size_t byte_at(const struct editing *e, size_t characters)
{
	size_t i = 0;

	while (e->text[i] && (characters || ((unsigned char)e->text[i] & 0xc0) == 0x80)) {
		characters -= ((unsigned char)e->text[i] & 0xc0) != 0x80;
		i++;
	}
	return i;
}

static size_t line_begin(const struct editing *e, size_t at)
{
	while (at && e->text[at - 1] != '\n')
		at--;
	return at;
}

static size_t next_line(const struct editing *e, size_t at)
{
	at += strcspn(e->text + at, "\n");
	return at + (e->text[at] == '\n');
}

static size_t indent(const struct editing *e, size_t line)
{
	return strspn(e->text + line, " ");
}

static bool blank(const struct editing *e, size_t line)
{
	return strchr("\n", e->text[line + indent(e, line)]) != NULL;
}

/* Behind the lines after this one that are indented deeper than by column. */
static size_t block_end(const struct editing *e, size_t line, size_t column)
{
	size_t end = next_line(e, line);

	for (size_t i = end; e->text[i]; i = next_line(e, i)) {
		if (blank(e, i))
			continue;
		if (indent(e, i) <= column)
			break;
		end = next_line(e, i);
	}
	return end;
}

/* ---- changing -------------------------------------------------------------------------------- */

static int unknown(struct editing *e, const char *what)
{
	return error_set(e->err, EINVAL, "%s: %s: %s", e->name, e->edit->path, what);
}

static int change(struct editing *e, size_t begin, size_t end, const char *text)
{
	struct change *c = &e->changes[e->nr];

	if (e->nr == CHANGES_MAX)
		return unknown(e, "too many numbers");
	*c = (struct change){ begin, end, strdup(text) };
	if (!c->text)
		return error_set(e->err, ENOMEM, "out of memory");
	e->nr++;
	return 0;
}

static int change_number(struct editing *e, yaml_node_t *n, double factor)
{
	char text[32];

	if (!n || n->type != YAML_SCALAR_NODE)
		return unknown(e, "expected a number there");
	if (factor > 0)
		snprintf(text, sizeof(text), "%lld",
			llround(factor * strtod((const char *)n->data.scalar.value, NULL)));
	else
		snprintf(text, sizeof(text), "%s", e->edit->value);
	return change(e, byte_at(e, n->start_mark.index), byte_at(e, n->end_mark.index), text);
}

static yaml_node_t *second_of(struct editing *e, const yaml_node_t *pair)
{
	const yaml_node_item_t *first = pair->data.sequence.items.start;

	return pair->data.sequence.items.top - first > 1 ? yaml_document_get_node(&e->doc, first[1])
							 : NULL;
}

/* Of a list each number, of a curve the second of each pair. */
static int change_value(struct editing *e, yaml_node_t *n)
{
	double factor = *e->edit->value == 'x' ? strtod(e->edit->value + 1, NULL) : 0;
	int r = 0;

	if (n->type != YAML_SEQUENCE_NODE)
		return change_number(e, n, 0);
	if (!(factor > 0))
		return unknown(e, "expected a factor, for it is a curve or list");
	for (yaml_node_item_t *i = n->data.sequence.items.start;
		i < n->data.sequence.items.top && !r; i++) {
		yaml_node_t *entry = yaml_document_get_node(&e->doc, *i);

		if (entry->type == YAML_SEQUENCE_NODE)
			entry = second_of(e, entry);
		r = change_number(e, entry, factor);
	}
	return r;
}

/* The source as folded lines, each behind as many blanks. */
static void print_folded(FILE *f, const char *text, int blanks)
{
	while (*text) {
		size_t n = strlen(text), room = (size_t)(LINE_WIDTH - blanks);

		if (n > room) {
			for (n = room; n && text[n] != ' '; n--)
				;
			n = n ? n : strcspn(text, " ");
		}
		fprintf(f, "%*s%.*s\n", blanks, "", (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
}

static char *format_fact(const struct editing *e, int blanks)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "%*s- field: %s\n", blanks, "", strchr(e->edit->path, '.') + 1);
	fprintf(f, "%*s  source: >-\n", blanks, "");
	print_folded(f, e->edit->source, blanks + 4);
	fprintf(f, "%*s  confidence: %s\n", blanks, "", e->edit->confidence);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static int put_fact(struct editing *e, size_t begin, size_t end, int blanks, bool first)
{
	char *fact = format_fact(e, blanks), *all = NULL;
	int r;

	if (!fact || asprintf(&all, "%s%s", first ? "  facts:\n" : "", fact) < 0) {
		free(fact);
		return error_set(e->err, ENOMEM, "out of memory");
	}
	r = change(e, begin, end, all);
	free(fact);
	free(all);
	return r;
}

/* In place of the fact of this very field, else behind the last one, which outweighs the others. */
static int change_fact(struct editing *e, yaml_node_t *section)
{
	const char *field = strchr(e->edit->path, '.') + 1;
	yaml_node_t *facts = in_mapping(e, section, "facts", 5), *fact;
	size_t line, column, end;
	bool replace;

	if (!facts) {
		line = line_begin(e, byte_at(e, section->start_mark.index));
		return put_fact(e, block_end(e, line, 0), block_end(e, line, 0), 4, true);
	}
	if (facts->type != YAML_SEQUENCE_NODE ||
		facts->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE ||
		facts->data.sequence.items.top == facts->data.sequence.items.start)
		return unknown(e, "expected facts of its section with a line for each");
	fact = in_list(e, facts, "field", field, strlen(field));
	replace = fact;
	if (!fact)
		fact = yaml_document_get_node(&e->doc, facts->data.sequence.items.top[-1]);
	line = line_begin(e, byte_at(e, fact->start_mark.index));
	column = indent(e, line);
	if (e->text[line + column] != '-')
		return unknown(e, "expected its fact to begin in a line of its own");
	end = block_end(e, line, column);
	return put_fact(e, replace ? line : end, end, (int)column, false);
}

static int by_place(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static int apply(struct editing *e, char **ret)
{
	char *text = NULL;
	size_t size, at = 0;
	FILE *f;

	qsort(e->changes, (size_t)e->nr, sizeof(e->changes[0]), by_place);
	for (int i = 0; i < e->nr; i++) {
		if (e->changes[i].begin < at || e->changes[i].end < e->changes[i].begin)
			return error_set(e->err, EINVAL,
				"%s: %s: expected the value and its fact apart", e->name,
				e->edit->path);
		at = e->changes[i].end;
	}
	at = 0;
	f = open_memstream(&text, &size);
	if (!f)
		return error_set(e->err, ENOMEM, "out of memory");
	for (int i = 0; i < e->nr; i++) {
		fwrite(e->text + at, 1, e->changes[i].begin - at, f);
		fputs(e->changes[i].text, f);
		at = e->changes[i].end;
	}
	fputs(e->text + at, f);
	if (fclose(f)) {
		free(text);
		return error_set(e->err, ENOMEM, "out of memory");
	}
	*ret = text;
	return 0;
}

static int edit_document(struct editing *e, char **ret)
{
	char section[PART_MAX];
	yaml_node_t *n = find(e, e->edit->path);
	int r;

	snprintf(section, sizeof(section), "%.*s", (int)strcspn(e->edit->path, "."), e->edit->path);
	if (!n || !strchr(e->edit->path, '.'))
		return error_set(e->err, ENOENT, "%s: %s: no such value", e->name, e->edit->path);
	r = change_value(e, n);
	r = r ? r : change_fact(e, find(e, section));
	return r ? r : apply(e, ret);
}

static int parse(struct editing *e)
{
	yaml_parser_t parser;
	int r = 0;

	if (!yaml_parser_initialize(&parser))
		return error_set(e->err, ENOMEM, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)e->text, strlen(e->text));
	if (!yaml_parser_load(&parser, &e->doc))
		r = error_set(e->err, EINVAL, "%s:%zu: %s", e->name, parser.problem_mark.line + 1,
			parser.problem ? parser.problem : "no YAML");
	yaml_parser_delete(&parser);
	return r;
}

int edit_text(
	const char *name, const char *text, const struct edit *edit, char **ret, struct error *err)
{
	struct editing *e = calloc(1, sizeof(*e));
	int r;

	if (!e)
		return error_set(err, ENOMEM, "out of memory");
	e->name = name;
	e->text = text;
	e->edit = edit;
	e->err = err;
	r = parse(e);
	if (!r) {
		r = edit_document(e, ret);
		yaml_document_delete(&e->doc);
	}
	for (int i = 0; i < e->nr; i++)
		free(e->changes[i].text);
	free(e);
	return r;
}
