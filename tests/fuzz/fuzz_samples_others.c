// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What other tools wrote, after one byte that says which. What was read can be compared and printed
 * in each form; a refusal begins with the name of the input.
 */
#include "report/comparison.h"
#include "report/mmtests.h"
#include "report/others.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const struct samples *samples)
{
	struct comparisons c;
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f || compare_samples(samples, &c, &err))
		abort();
	if (comparisons_print(&c, NULL, true, f, &err))
		abort();
	if (comparisons_print_plain(&c, NULL, f, &err))
		abort();
	if (json_write(comparisons_to_json(&c, NULL), f, &err))
		abort();
	fclose(f);
	free(text);
	comparisons_release(&c);
}

static int parse_mmtests(int format, struct samples *samples, struct log *log)
{
	const struct mmtests_format *f = mmtests_formats;
	struct mmtests_values values = { 0 };
	int rc;

	while (format-- > 0 && f[1].bench)
		f++;
	rc = f->parse(log, f->workload, &values);
	for (size_t i = 0; i < values.nr && !rc; i++)
		rc = samples_measured(samples, values.list[i].workload, "c", values.list[i].metric,
			values.list[i].unit, values.list[i].better, values.list[i].value);
	mmtests_values_release(&values);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct samples samples = { 0 };
	struct error err = { "" };
	struct log log;
	int rc;

	if (!size)
		return 0;
	if (log_of("input", data + 1, size - 1, &log, &err))
		abort();
	switch (*data) {
	case 'f':
		rc = fio_parse(&samples, &log, "c");
		break;
	case 'h':
		rc = hyperfine_parse(&samples, &log, size % 2 ? "c" : NULL);
		break;
	case 't':
		rc = turbostat_parse(&samples, &log, "", "c");
		break;
	default:
		rc = parse_mmtests(*data - 'A', &samples, &log);
	}
	if (!rc)
		print(&samples);
	else if (strncmp(err.text, "input:", 6) || strchr(err.text, '\n'))
		abort();
	log_release(&log);
	samples_release(&samples);
	return 0;
}
