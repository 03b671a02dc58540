// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/record.h"
#include "base/outfile.h"
#include "base/units.h"
#include "host/environ.h"
#include "host/selftest.h"
#include "host/tempfile.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PATH "corepace.cpw"

static const char record_help[] =
	"Usage: corepace record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       corepace record [OPTION]... -d SECONDS\n"
	"Record what the scheduler, timers, interrupts and disks do while COMMAND runs.\n"
	"Needs root. COMMAND's input and output are left alone.\n"
	"\n"
	"  -o, --output FILE    write a workload file for corepace run (default without\n"
	"                       --raw: corepace.cpw)\n"
	"      --raw FILE       write a trace.dat, which trace-cmd report and corepace\n"
	"                       import read\n"
	"      --source S       auto, tracefs or bpf; auto (the default) takes BPF where\n"
	"                       tracefs loses the idle task's events, as a test tells\n"
	"  -d, --seconds N      end after N seconds; without COMMAND the whole system is\n"
	"                       recorded, with it COMMAND is ended by SIGTERM\n"
	"  -b, --buffer KB      trace buffer per CPU (default: 65536, less when memory is\n"
	"                       short)\n"
	"      --calibrate      run COMMAND untraced first and tell what tracing costs\n"
	"      --ops N          COMMAND does N operations\n"
	"      --ops-from REGEX find the number of operations in COMMAND's output: the\n"
	"                       first group of the extended regular expression\n"
	"      --anonymous      keep the command lines out of the file\n"
	"      --help           show this\n"
	"\n"
	"Exit status: 0 done, 1 failed or COMMAND failed (what was recorded is kept),\n"
	"2 usage.\n";

/* ---- options --------------------------------------------------------------------------- */

enum { OPT_RAW = 256, OPT_CALIBRATE, OPT_OPS, OPT_OPS_FROM, OPT_ANONYMOUS, OPT_SOURCE };

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "raw", required_argument, NULL, OPT_RAW },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "seconds", required_argument, NULL, 'd' },
	{ "buffer", required_argument, NULL, 'b' },
	{ "calibrate", no_argument, NULL, OPT_CALIBRATE },
	{ "ops", required_argument, NULL, OPT_OPS },
	{ "ops-from", required_argument, NULL, OPT_OPS_FROM },
	{ "anonymous", no_argument, NULL, OPT_ANONYMOUS },
	{ NULL, 0, NULL, 0 },
};

static int take_number(const char *text, unsigned long long max, const char *what, uint64_t *ret)
{
	unsigned long long value;
	struct error err;

	if (parse_u64(text, 1, max, what, &value, &err))
		return usage("record", "%s", err.text);
	*ret = value;
	return 0;
}

static int take_regex(struct record *r, const char *text)
{
	char why[128];
	int code;

	if (r->has_ops_from)
		return usage("record", "--ops-from: given twice");
	code = regcomp(&r->ops_from, text, REG_EXTENDED | REG_NEWLINE);
	if (code) {
		regerror(code, &r->ops_from, why, sizeof(why));
		return usage("record", "--ops-from: '%s': %s", text, why);
	}
	r->has_ops_from = true;
	r->session.ops_from = &r->ops_from;
	return 0;
}

static int take_source(struct record *r, const char *text)
{
	static const char *const names[] = { "auto", "tracefs", "bpf" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		r->source = (enum record_source)i;
		return 0;
	}
	return usage("record", "--source: '%s', expected auto, tracefs or bpf", text);
}

static int take_option(struct record *r, int opt)
{
	switch (opt) {
	case 'o':
		r->out_path = optarg;
		return 0;
	case OPT_RAW:
		r->raw_path = optarg;
		return 0;
	case 'd':
		return take_number(optarg, 1000000, "-d", &r->session.seconds);
	case 'b':
		return take_number(optarg, 64 << 20, "-b", &r->instance.buffer_kb);
	case OPT_CALIBRATE:
		r->calibrate = true;
		return 0;
	case OPT_OPS:
		return take_number(optarg, UINT64_MAX, "--ops", &r->session.operations);
	case OPT_OPS_FROM:
		return take_regex(r, optarg);
	case OPT_SOURCE:
		return take_source(r, optarg);
	case OPT_ANONYMOUS:
		r->anonymous = true;
		return 0;
	default:
		return usage("record", "unknown option or missing argument");
	}
}

static int take_arguments(struct record *r, int argc, char **argv)
{
	int opt, status;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+o:d:b:", long_options, NULL)) >= 0) {
		status = take_option(r, opt);
		if (status)
			return status;
	}
	if (optind < argc)
		r->session.argv = argv + optind;
	if (!r->session.argv && !r->session.seconds)
		return usage("record", "a command or -d SECONDS is needed");
	if (!r->session.argv && (r->calibrate || r->has_ops_from))
		return usage("record", "--calibrate and --ops-from need a command");
	if (r->raw_path && r->source == SOURCE_BPF)
		return usage("record", "--raw: BPF gives no trace.dat, expected --source tracefs");
	if (r->out_path && r->raw_path && same_file(r->out_path, r->raw_path))
		return usage("record", "%s: expected two files for -o and --raw", r->raw_path);
	if (!r->out_path && !r->raw_path)
		r->out_path = DEFAULT_PATH;
	return 0;
}

/* ---- output ---------------------------------------------------------------------------- */

/* Known before the command runs, not after an hour of it. */
static int check_writable(const char *path, struct error *err)
{
	char dir[PATH_MAX];
	struct stat st;
	int fd;

	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return error_set(err, EISDIR, "%s: is a directory", path);
		if (!S_ISREG(st.st_mode))
			return error_set(err, EINVAL, "%s: is not a regular file", path);
	}
	temp_dir_of(path, dir, sizeof(dir));
	fd = temp_file(dir);
	if (fd < 0)
		return error_set(err, -fd, "%s: cannot be written: %s", path, strerror(-fd));
	close(fd);
	return 0;
}

static int check_outputs(const struct record *r)
{
	const char *paths[] = { r->out_path, r->raw_path };
	struct error err;

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (paths[i] && check_writable(paths[i], &err))
			return fail("record", &err);
	return EXIT_DONE;
}

/* ---- the recording --------------------------------------------------------------------- */

static void read_environment(struct record *r)
{
	struct host_counters counters;
	struct workload_env *env = &r->env;
	size_t len = 0;

	host_env_read("", env);
	host_env_measure(env);
	snprintf(env->clock, sizeof(env->clock), "%s", r->instance.clock);
	if (!host_counters_read("", &counters, NULL))
		host_counters_settings(&counters, env);
	if (r->anonymous)
		return;
	host_env_read_cmdline("", env);
	for (char *const *arg = r->session.argv; arg && *arg && len < sizeof(env->command); arg++)
		len += snprintf(env->command + len, sizeof(env->command) - len, "%s%s",
			len ? " " : "", *arg);
}

/* The command once without the recorder. Its failure ends the whole. */
static int run_untraced(struct record *r)
{
	struct error err;

	if (session_run(&r->session, &r->signals, NULL, &r->untraced, &err))
		return fail("record", &err);
	r->session.untraced = &r->untraced;
	return record_report_command(r, &r->untraced);
}

/* Sets r->source to what will record. A test that cannot be made leaves it to tracefs to say why.
 */
static int choose_source(struct record *r, struct error *err)
{
	struct selftest test;
	int code;

	if (r->source != SOURCE_AUTO)
		return 0;
	code = selftest_tracefs(&test, err);
	if (code)
		return code;
	record_report_stale(test.nr_stale);
	r->source = SOURCE_TRACEFS;
	if (test.verdict == SELFTEST_COMPLETE)
		return 0;
	if (test.verdict == SELFTEST_LOSES)
		record_say("tracefs loses the idle task's events on CPU %d", test.cpu);
	if (r->raw_path)
		return 0;
	r->source = SOURCE_BPF;
	code = record_bpf_open(r, err);
	if (!code)
		return 0;
	record_say("%s; tracefs it is, import infers what is missing", err->text);
	r->source = SOURCE_TRACEFS;
	return 0;
}

static int record_with_source(struct record *r, struct error *err)
{
	int code = choose_source(r, err);

	if (!code && r->source == SOURCE_BPF && !r->bpf)
		code = record_bpf_open(r, err);
	if (code)
		return code;
	record_say("recording with %s", r->bpf ? "BPF" : "tracefs");
	return r->bpf ? record_bpf(r, err) : record_tracefs(r, err);
}

static int import(struct record *r)
{
	struct build_options options = {
		.anonymous = r->anonymous,
		.env = r->env,
		.truth = r->traced.truth,
		.operations = r->traced.truth.operations,
	};
	struct import_result result;
	struct error err;
	int code;

	if (r->bpf)
		code = record_bpf_import(r, &options, &result, &err);
	else
		code = import_file("record", r->raw_path ? r->raw_path : r->dat_path, r->out_path,
			&options, &result, &err);
	if (code)
		return fail("record", &err);
	import_warn("record", r->out_path, &result);
	return EXIT_DONE;
}

static int record(struct record *r)
{
	struct error err;
	int status = EXIT_DONE;

	read_environment(r);
	r->session.env = &r->env;
	if (session_block_signals(&r->signals, &err))
		return fail("record", &err);
	if (r->calibrate)
		status = run_untraced(r);
	if (!status && record_with_source(r, &err))
		status = fail("record", &err);
	session_restore_signals(&r->signals);
	if (status)
		return status;
	status = record_report_command(r, &r->traced);
	if (r->out_path && import(r))
		return EXIT_FAILED;
	record_report_losses(r);
	record_report_operations(r);
	record_report_cost(r);
	record_say("%s: %llu events in %.3f s%s", r->out_path ? r->out_path : r->raw_path,
		(unsigned long long)r->losses.recorded, r->traced.elapsed_ns / 1e9,
		status ? ", kept all the same" : "");
	return status;
}

static int run(int argc, char **argv)
{
	struct record r = { .instance.clock = "mono", .dat_fd = -1 };
	int status = take_arguments(&r, argc, argv);

	if (!status)
		status = check_outputs(&r);
	if (!status)
		status = record(&r);
	if (r.has_ops_from)
		regfree(&r.ops_from);
	if (r.dat_fd >= 0)
		close(r.dat_fd);
	bpf_source_free(r.bpf);
	return status;
}

const struct verb verb_record = {
	.name = "record",
	.summary = "record a workload on this machine",
	.help = record_help,
	.run = run,
};
