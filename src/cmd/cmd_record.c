// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "host/environ.h"
#include "host/session.h"
#include "host/tempfile.h"
#include "host/tracefs_source.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char record_help[] =
	"Usage: corepace record [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"       corepace record [OPTION]... -d SECONDS\n"
	"Record what the scheduler, timers, interrupts and disks do while COMMAND runs.\n"
	"Needs root. COMMAND's input and output are left alone.\n"
	"\n"
	"      --raw FILE       write a trace.dat, which trace-cmd report reads\n"
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

struct record {
	struct session_options session;
	struct instance_options instance;
	const char *raw_path;
	bool calibrate, anonymous;
	regex_t ops_from;
	bool has_ops_from;

	struct session_signals signals;
	struct workload_env env;
	struct session_result untraced, traced;
	struct tracefs_losses losses;
};

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "corepace record: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* ---- options --------------------------------------------------------------------------- */

enum { OPT_RAW = 256, OPT_CALIBRATE, OPT_OPS, OPT_OPS_FROM, OPT_ANONYMOUS };

static const struct option long_options[] = {
	{ "raw", required_argument, NULL, OPT_RAW },
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

static int take_option(struct record *r, int opt)
{
	switch (opt) {
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
	while ((opt = getopt_long(argc, argv, "+d:b:", long_options, NULL)) >= 0) {
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
	if (!r->raw_path)
		return usage("record", "--raw FILE is needed");
	return 0;
}

/* ---- output ---------------------------------------------------------------------------- */

/* Known before the command runs, not after an hour of it. */
static int check_writable(const char *path, struct error *err)
{
	char dir[PATH_MAX];
	struct stat st;

	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return error_set(err, EISDIR, "%s: is a directory", path);
		if (!S_ISREG(st.st_mode))
			return error_set(err, EINVAL, "%s: is not a regular file", path);
	}
	temp_dir_of(path, dir, sizeof(dir));
	if (access(dir, W_OK | X_OK))
		return error_set(err, errno, "%s: cannot be written: %s", path, strerror(errno));
	return 0;
}

/* Under a name beside the final one, so that the file is there whole or not at all. */
static int write_raw(struct record *r, struct tracefs_source *source, struct error *err)
{
	char temp[PATH_MAX];
	int fd, code;

	if (snprintf(temp, sizeof(temp), "%s.%d.tmp", r->raw_path, (int)getpid()) >=
		(int)sizeof(temp))
		return error_set(err, ENAMETOOLONG, "%s: name too long", r->raw_path);
	fd = open(temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return error_set(err, errno, "%s: %s", temp, strerror(errno));
	code = tracefs_source_write(source, fd, &r->losses, err);
	if (close(fd) && !code)
		code = error_set(err, errno, "%s: %s", temp, strerror(errno));
	if (!code && rename(temp, r->raw_path))
		code = error_set(err, errno, "%s: %s", r->raw_path, strerror(errno));
	if (code)
		unlink(temp);
	return code;
}

/* ---- what happened --------------------------------------------------------------------- */

static int report_command(const struct session_result *res, const char *name)
{
	if (res->signal) {
		say("ended early by signal %d (%s)", res->signal, strsignal(res->signal));
		return EXIT_FAILED;
	}
	if (res->timed_out)
		return EXIT_DONE;
	if (WIFSIGNALED(res->status)) {
		say("%s was ended by signal %d (%s)", name, WTERMSIG(res->status),
			strsignal(WTERMSIG(res->status)));
		return EXIT_FAILED;
	}
	if (WEXITSTATUS(res->status)) {
		say("%s failed with status %d", name, WEXITSTATUS(res->status));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static void report_missing(const struct instance *in)
{
	char list[1024] = "";
	size_t len = 0;

	if (in->nr_stale)
		say("removed %d tracing instance(s) that a killed recorder had left", in->nr_stale);
	for (int i = 0; i < in->nr_missing && len < sizeof(list); i++)
		len += snprintf(list + len, sizeof(list) - len, " %s:%s", in->missing[i]->system,
			in->missing[i]->name);
	if (in->nr_missing)
		say("this kernel lacks events, what depends on them stays unknown:%s", list);
}

static void report_losses(const struct record *r)
{
	const struct tracefs_losses *l = &r->losses;

	if (l->lost)
		say("buffers overran: %llu of %llu events lost, most on CPU %d; try -b %llu",
			(unsigned long long)l->lost, (unsigned long long)(l->lost + l->recorded),
			l->worst_cpu, (unsigned long long)l->enough_kb);
}

/* Per operation when both runs told how many they did, else by elapsed time. */
static void report_cost(const struct record *r)
{
	double untraced = r->untraced.elapsed_ns, traced = r->traced.elapsed_ns, percent;
	uint64_t ops_before = r->untraced.truth.operations, ops = r->traced.truth.operations;

	if (!r->calibrate || untraced <= 0)
		return;
	if (r->has_ops_from && ops_before && ops) {
		untraced /= ops_before;
		traced /= ops;
	}
	percent = (traced / untraced - 1) * 100;
	say("tracing cost %.1f %% (%.3f s untraced, %.3f s traced)%s", percent,
		r->untraced.elapsed_ns / 1e9, r->traced.elapsed_ns / 1e9,
		percent > 10 ? ": above 10 %, the workload is not fit for it" : "");
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

static int record_traced(struct record *r, struct error *err)
{
	struct tracefs_source source;
	char spool_dir[PATH_MAX];
	int code;

	temp_dir_of(r->raw_path, spool_dir, sizeof(spool_dir));
	code = tracefs_source_open(&source, &r->instance, spool_dir, err);
	if (code)
		return code;
	report_missing(&source.instance);
	code = session_run(&r->session, &r->signals, &source.source, &r->traced, err);
	if (!code)
		code = write_raw(r, &source, err);
	tracefs_source_close(&source);
	return code;
}

static int record(struct record *r)
{
	const char *name = r->session.argv ? r->session.argv[0] : "";
	struct error err;
	int code, status;

	code = check_writable(r->raw_path, &err);
	if (code)
		return fail("record", &err);
	read_environment(r);
	r->session.env = &r->env;
	if (r->calibrate) {
		code = session_run(&r->session, &r->signals, NULL, &r->untraced, &err);
		if (code)
			return fail("record", &err);
		status = report_command(&r->untraced, name);
		if (status)
			return status;
	}
	code = record_traced(r, &err);
	if (code)
		return fail("record", &err);
	report_losses(r);
	report_cost(r);
	status = report_command(&r->traced, name);
	say("%s: %llu events in %.3f s%s", r->raw_path, (unsigned long long)r->losses.recorded,
		r->traced.elapsed_ns / 1e9, status ? ", kept all the same" : "");
	return status;
}

static int run(int argc, char **argv)
{
	struct record r = { .instance.clock = "mono" };
	struct error err;
	int status = take_arguments(&r, argc, argv);

	if (!status) {
		if (session_block_signals(&r.signals, &err)) {
			status = fail("record", &err);
		} else {
			status = record(&r);
			session_restore_signals(&r.signals);
		}
	}
	if (r.has_ops_from)
		regfree(&r.ops_from);
	return status;
}

const struct verb verb_record = {
	.name = "record",
	.summary = "record a workload on this machine",
	.help = record_help,
	.run = run,
};
