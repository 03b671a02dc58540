// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that are there as a whole or not at all, and what they do not replace. */
#include "base/outfile.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/corepace-outfile-XXXXXX";

static const char *content(const char *path)
{
	static char text[32];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return n < 0 ? NULL : text;
}

static int write_file(const char *path, const char *text, bool keep, struct error *err)
{
	struct out_file file;
	int code = out_file_open(&file, path, err);

	if (code)
		return code;
	assert_int_equal(write(file.fd, text, strlen(text)), strlen(text));
	if (keep)
		return out_file_keep(&file, err);
	out_file_drop(&file);
	return 0;
}

static void whole_or_not(void **state)
{
	struct error err;

	assert_int_equal(write_file("new", "one", true, &err), 0);
	assert_string_equal(content("new"), "one");
	assert_int_equal(write_file("new", "two", false, &err), 0);
	assert_string_equal(content("new"), "one");
	assert_int_equal(write_file("new", "two", true, &err), 0);
	assert_string_equal(content("new"), "two");
	assert_int_equal(write_file("none/new", "one", true, &err), -ENOENT);
	assert_string_equal(err.text, "none/new: No such file or directory");
	assert_int_equal(unlink("new"), 0);
}

static void links_are_followed(void **state)
{
	struct error err;
	struct stat st;

	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(write_file("sub/real", "one", true, &err), 0);
	assert_int_equal(symlink("sub/real", "link"), 0);
	assert_int_equal(write_file("link", "two", true, &err), 0);
	assert_string_equal(content("sub/real"), "two");
	assert_true(!lstat("link", &st) && S_ISLNK(st.st_mode));
	assert_int_equal(unlink("link") | unlink("sub/real") | rmdir("sub"), 0);
}

static void others_are_not_replaced(void **state)
{
	struct error err;
	struct stat st;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(write_file("fifo", "one", true, &err), -EINVAL);
	assert_string_equal(err.text, "fifo: exists and is not a regular file");
	assert_true(!lstat("fifo", &st) && S_ISFIFO(st.st_mode));
	assert_int_equal(write_file("/dev/null", "one", true, &err), -EINVAL);
	assert_int_equal(write_file(folder, "one", true, &err), -EINVAL);
	assert_int_equal(unlink("fifo"), 0);
}

static void spellings_of_one_file(void **state)
{
	struct error err;

	assert_int_equal(write_file("a", "one", true, &err), 0);
	assert_int_equal(symlink("a", "link"), 0);
	assert_true(same_file("a", "./a"));
	assert_true(same_file("link", "a"));
	assert_true(same_file("not-there", "./not-there"));
	assert_false(same_file("not-there", "nor-this"));
	assert_false(same_file("a", "not-there"));
	assert_false(same_file("x/not-there", "not-there"));
	assert_int_equal(unlink("a") | unlink("link"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_or_not),
		cmocka_unit_test(links_are_followed),
		cmocka_unit_test(others_are_not_replaced),
		cmocka_unit_test(spellings_of_one_file),
	};
	int failed;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	/* Nothing is left in it. */
	return rmdir(folder) || failed;
}
