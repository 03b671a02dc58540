// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/capture.h"
#include "base/array.h"
#include "doctor/capture_texts.h"
#include "doctor/filter.h"
#include "doctor/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct collecting {
	struct tree *tree;
	struct capture *capture;
	const char *roots[64]; /* folders that were walked through */
	int nr_roots;
	FILE *errors; /* errors.txt */
};

/* Takes text over. 0 or -ENOMEM. */
int capture_add(struct capture *capture, const char *path, char *text, size_t len, bool link)
{
	struct capture_file *files = array_grow(capture->files, capture->nr, sizeof(*files));
	char *copy = strdup(path);

	if (files)
		capture->files = files;
	if (!files || !copy || !text) {
		free(copy);
		free(text);
		return -ENOMEM;
	}
	files[capture->nr++] = (struct capture_file){
		.path = copy,
		.text = text,
		.len = len,
		.link = link,
	};
	return 0;
}

/* What could not be read is an empty file and a line of errors.txt. name: "root/sys/..." */
static int take_failure(struct collecting *c, const char *name, int code)
{
	const char *what = strerrorname_np(-code);

	if (code == -ENOENT || code == -ENOTDIR || !what)
		return 0;
	fprintf(c->errors, "%s %s\n", what, name + strlen("root/"));
	return capture_add(c->capture, name, strdup(""), 0, false);
}

static int take_file(struct collecting *c, const char *path, const struct path_rule *rule)
{
	char name[PATH_LEN_MAX + 8], *text, *kept;
	size_t len, kept_len;
	int code;

	if (rule->filter == FILTER_TABLES)
		return 0; /* acpi.txt tells what matters of them */
	code = capture_read_special(c->tree, path, &text, &len);
	if (code == -ENOSYS)
		code = tree_read_all(c->tree, path, &text, &len);
	if (code == -ENOMEM)
		return code;
	snprintf(name, sizeof(name), "root%s", path);
	if (code)
		return take_failure(c, name, code);
	kept = filter_text(rule->filter, text, len, &kept_len);
	free(text);
	/* Nothing in it that matters is not the same as an empty file. */
	if (kept && len && !kept_len) {
		free(kept);
		return 0;
	}
	return capture_add(c->capture, name, kept, kept_len, false);
}

/* A CPU's cpufreq folder is a link to its policy's: then it is kept as one. */
static int take_link(struct collecting *c, const char *path, bool *ret_taken)
{
	char target[PATH_LEN_MAX], name[PATH_LEN_MAX + 8];
	int len = tree_read_link(c->tree, target, sizeof(target), "%s", path);

	*ret_taken =
		len > 0 && !strncmp(target, "../cpufreq/policy", 17) && !strchr(target + 17, '/');
	if (!*ret_taken)
		return 0;
	snprintf(name, sizeof(name), "root%s", path);
	return capture_add(c->capture, name, strdup(target), (size_t)len, true);
}

static int walk(struct collecting *c, const char *folder)
{
	struct tree_names names;
	int code = tree_list(c->tree, &names, "%s", folder);

	if (code)
		return code == -ENOMEM ? code : 0;
	for (size_t i = 0; i < names.nr && !code; i++) {
		const struct path_rule *rule;
		char path[PATH_LEN_MAX];
		bool taken = false;

		if (snprintf(path, sizeof(path), "%s/%s", folder, names.name[i]) >=
			(int)sizeof(path))
			continue;
		rule = path_rule_of(path);
		if (rule && strpbrk(rule->pattern, "#*"))
			code = take_file(c, path, rule);
		else if (!rule && path_is_folder(path))
			code = take_link(c, path, &taken);
		if (!code && !rule && !taken && path_is_folder(path))
			code = walk(c, path);
	}
	tree_names_release(&names);
	return code;
}

/* Walks through the folder below which a rule's names vary, unless it was walked through. */
static int walk_for(struct collecting *c, const struct path_rule *rule)
{
	char folder[PATH_LEN_MAX];
	int len = (int)strcspn(rule->pattern, "#*");

	while (rule->pattern[len] != '/')
		len--;
	for (int i = 0; i < c->nr_roots; i++) {
		size_t have = strlen(c->roots[i]);

		if (have <= (size_t)len && !strncmp(c->roots[i], rule->pattern, have) &&
			rule->pattern[have] == '/')
			return 0;
	}
	snprintf(folder, sizeof(folder), "%.*s", len, rule->pattern);
	if (c->nr_roots < (int)(sizeof(c->roots) / sizeof(c->roots[0]))) {
		char *root = strdup(folder);

		if (!root)
			return -ENOMEM;
		c->roots[c->nr_roots++] = root;
	}
	return walk(c, folder);
}

static int collect_files(struct collecting *c)
{
	const struct path_rule *rules;
	size_t nr;
	int code = 0;

	rules = path_rules(&nr);
	for (size_t i = 0; i < nr && !code; i++) {
		if (strpbrk(rules[i].pattern, "#*"))
			code = walk_for(c, &rules[i]);
		else
			code = take_file(c, rules[i].pattern, &rules[i]);
	}
	for (int i = 0; i < c->nr_roots; i++)
		free((char *)c->roots[i]);
	return code;
}

static int compare_files(const void *a, const void *b)
{
	const struct capture_file *x = a, *y = b;

	return strverscmp(x->path, y->path);
}

/* The files, and the failures among them. */
static int collect(struct collecting *c)
{
	char *text = NULL;
	size_t len = 0;
	int code;

	c->errors = open_memstream(&text, &len);
	if (!c->errors)
		return -ENOMEM;
	code = collect_files(c);
	if (fclose(c->errors))
		code = -ENOMEM;
	if (!code && len)
		return capture_add(c->capture, "errors.txt", text, len, false);
	free(text);
	return code;
}

int capture_collect(struct tree *tree, struct capture *ret, struct error *err)
{
	struct capture capture = { NULL };
	struct collecting c = { .tree = tree, .capture = &capture };
	int code = collect(&c);

	if (!code && !capture.nr)
		code = error_set(err, ENODATA,
			"%s: nothing there that tells about power management", tree_name(tree));
	else if (!code)
		code = capture_add_texts(tree, &capture);
	if (code == -ENOMEM)
		error_set(err, ENOMEM, "out of memory");
	if (code) {
		capture_release(&capture);
		return code;
	}
	qsort(capture.files, capture.nr, sizeof(*capture.files), compare_files);
	*ret = capture;
	return 0;
}

void capture_release(struct capture *capture)
{
	for (size_t i = 0; i < capture->nr; i++) {
		free(capture->files[i].path);
		free(capture->files[i].text);
	}
	free(capture->files);
	*capture = (struct capture){ NULL };
}
