// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/hash.h"

#include <errno.h>
#include <sha2.h>
#include <stdint.h>
#include <string.h>

int hash_file(const char *path, char ret[HASH_SIZE], struct error *err)
{
	char hash[HASH_SIZE];

	errno = 0;
	if (!SHA256File(path, hash))
		return error_set(
			err, errno ? errno : EIO, "%s: %s", path, strerror(errno ? errno : EIO));
	memcpy(ret, hash, HASH_SIZE);
	return 0;
}

void hash_texts(const char *const *texts, int nr, char ret[HASH_SIZE])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	for (int i = 0; i < nr; i++)
		SHA256Update(&ctx, (const uint8_t *)texts[i], strlen(texts[i]) + 1);
	SHA256End(&ctx, ret);
}
