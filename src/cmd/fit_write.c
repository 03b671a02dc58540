// SPDX-License-Identifier: GPL-2.0-or-later
/* Fitted values on their way into the files of machines. */
#include "cmd/fit.h"
#include "cmd/output.h"
#include "cmd/run_identity.h"
#include "host/readfile.h"
#include "machine/edit.h"
#include "machine/yaml.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file keeps its mode. */
static int replace_file(const char *path, const char *text, struct error *err)
{
	struct output out;
	struct stat st;
	int r = output_open(&out, path, err);

	if (r)
		return r;
	if (!stat(path, &st) && fchmod(fileno(out.file), st.st_mode & 0777))
		r = error_set(err, errno, "%s: %m", path);
	fputs(text, out.file);
	return output_close(&out, r, err);
}

/* The text must still be a machine, and say what it is meant to. */
static int check_text(const struct fit *f, const char *name, const char *path, const char *text,
	const char *confidence, struct error *err)
{
	struct machine *m;
	int r = machine_load_text(path, text, strlen(text), &m, err);

	if (r)
		return r;
	for (int k = 0; k < f->nr_parameters && !r; k++) {
		const struct fit_parameter *p = &f->parameters[k];
		bool right = false;

		if (!p->of_machine || strcmp(p->name, name))
			continue;
		for (int i = 0; i < m->nr_provenance; i++)
			right |= !strcmp(m->provenance[i].path, p->key) &&
				 !strcmp(m->provenance[i].confidence, confidence) &&
				 (p->factor || !strcmp(m->provenance[i].value, p->value));
		if (!right)
			r = error_set(err, EINVAL,
				"%s: %s: did not get into the file, expected another form of it",
				path, p->key);
	}
	machine_free(m);
	return r;
}

/* All parameters of one machine, in the text of its file. */
static int edit_all(const struct fit *f, const char *name, const char *path, const char *confidence,
	const char *source, char **text, struct error *err)
{
	int r = 0;

	for (int k = 0; k < f->nr_parameters && !r; k++) {
		const struct fit_parameter *p = &f->parameters[k];
		struct edit edit = { p->key, p->value, confidence, source };
		char *edited;

		if (!p->of_machine || strcmp(p->name, name))
			continue;
		r = edit_text(path, *text, &edit, &edited, err);
		if (r)
			break;
		free(*text);
		*text = edited;
	}
	return r;
}

static int write_machine(const struct fit *f, const char *name, const char *confidence,
	const char *source, struct error *err)
{
	char path[PATH_MAX], *text = NULL;
	size_t size;
	int r = machine_file(name, path, sizeof(path), err);

	if (r)
		return r;
	r = host_read_all("", path, YAML_FILE_MAX, &text, &size);
	if (r)
		return error_set(err, -r, "%s: %s", path, strerror(-r));
	r = edit_all(f, name, path, confidence, source, &text, err);
	r = r ? r : check_text(f, name, path, text, confidence, err);
	r = r ? r : replace_file(path, text, err);
	free(text);
	return r;
}

int fit_write(const struct fit *f, const char *tables, const char *source, struct error *err)
{
	char confidence[sizeof(((struct provenance *)0)->confidence)];
	int r = 0;

	if (strlen(source) >= PROVENANCE_SOURCE_MAX)
		return error_set(err, E2BIG,
			"nothing written: what a file's source would say has %zu characters, "
			"expected at most %d: %s",
			strlen(source), PROVENANCE_SOURCE_MAX - 1, source);
	if (snprintf(confidence, sizeof(confidence), "fitted(%s)", tables) >=
		(int)sizeof(confidence))
		return error_set(err, E2BIG, "nothing written: too many tables: %s", tables);
	for (int k = 0; k < f->nr_parameters && !r; k++) {
		const struct fit_parameter *p = &f->parameters[k];
		bool first = p->of_machine;

		for (int i = 0; i < k; i++)
			first &= !f->parameters[i].of_machine ||
				 strcmp(f->parameters[i].name, p->name) != 0;
		if (first)
			r = write_machine(f, p->name, confidence, source, err);
	}
	return r;
}
