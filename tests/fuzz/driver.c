// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeds each file of the folders given as arguments to a fuzzer, so that a corpus is an ordinary
 * test. The fuzzer aborts on a finding; the name printed before it says which file. An empty
 * corpus tests nothing and is a failure.
 */
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t got;

	if (!f || fstat(fileno(f), &st)) {
		perror(path);
		return 1;
	}
	/* At least one byte: a fuzzer may be handed an empty input, but not NULL. */
	data = malloc(st.st_size ? (size_t)st.st_size : 1);
	if (!data)
		abort();
	got = fread(data, 1, (size_t)st.st_size, f);
	fclose(f);
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, got);
	free(data);
	return 0;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int run_folder(const char *folder, int *files)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, not_hidden, alphasort);
	int failed = 0;

	if (nr < 0) {
		perror(folder);
		return 1;
	}
	for (int i = 0; i < nr; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		failed |= run_file(path);
		free(entries[i]);
	}
	free(entries);
	*files += nr;
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0, files = 0;

	for (int i = 1; i < argc; i++)
		failed |= run_folder(argv[i], &files);
	if (!files)
		fprintf(stderr, "no input file\n");
	return failed || !files;
}
