// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcc-cpufreq against a scripted mailbox: every access on set-up, limit change, CPU offline and
 * online is compared word for word with what the protocol says, written down by hand.
 */
#include "policy/registry.h"

#include "policy/driver/pcc.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BASE = 0x1000, INPUT = 64, OUTPUT = 128, STRIDE = 8, CPU = 1, LOG_MAX = 16384 };

struct mailbox {
	uint32_t minimum_mhz;
	int late;	 /* reads of the status before it says that the command is done */
	uint32_t answer; /* the status then */
	uint32_t output; /* of a get */
	int until_done;
	uint32_t status;
	uint64_t doorbell;
	int owner;
	char log[LOG_MAX];
};

static void say(struct mailbox *m, const char *fmt, ...)
{
	size_t len = strlen(m->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->log + len, sizeof(m->log) - len, fmt, ap);
	va_end(ap);
}

static uint64_t word(struct mailbox *m, uint64_t offset)
{
	switch (offset) {
	case PCC_NOMINAL:
		return 2800;
	case PCC_MINIMUM:
		return m->minimum_mhz;
	case PCC_STATUS:
		if (m->until_done && !--m->until_done)
			m->status = m->answer;
		return m->status;
	case OUTPUT + CPU *STRIDE:
		return m->output;
	default:
		fail_msg("offset %d read", (int)offset);
		return 0;
	}
}

static int mem_read(void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t *value)
{
	struct mailbox *m = ctx;

	assert_int_equal(cpu, CPU);
	*now_ns += 1;
	*value = word(m, addr - BASE);
	say(m, "r%d %d\n", width, (int)(addr - BASE));
	return 0;
}

static int mem_write(void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t value)
{
	struct mailbox *m = ctx;

	*now_ns += 1;
	if (addr - BASE == PCC_STATUS)
		m->status = (uint32_t)value;
	say(m, "w%d %d=%x\n", width, (int)(addr - BASE), (unsigned)value);
	return 0;
}

static int port_read(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t *value)
{
	struct mailbox *m = ctx;

	say(m, "in%d %x\n", width, port);
	*value = (uint32_t)m->doorbell;
	return 0;
}

static int port_write(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t value)
{
	struct mailbox *m = ctx;

	say(m, "out%d %x=%x\n", width, port, value);
	m->until_done = m->late + 1;
	return 0;
}

static void lock(void *ctx, int64_t *now_ns, int cpu, int n)
{
	struct mailbox *m = ctx;

	assert_int_equal(m->owner, -1);
	m->owner = cpu;
	say(m, "lock\n");
}

static void unlock(void *ctx, int64_t *now_ns, int cpu, int n)
{
	struct mailbox *m = ctx;

	assert_int_equal(m->owner, cpu);
	m->owner = -1;
	say(m, "unlock\n");
}

struct rig {
	struct mailbox m;
	struct platform platform;
	struct hardware hw;
	struct driver_unit u;
	struct driver_offer offer;
	int64_t now;
	uint64_t shared[64], state[8];
	int cpu;
};

static void rig_init(struct rig *r)
{
	struct policy policy;

	policy_defaults(&policy);
	assert_int_equal(policy_set(&policy, "driver", "pcc-cpufreq", NULL), 0);
	memset(r, 0, sizeof(*r));
	r->m = (struct mailbox){
		.minimum_mhz = 1200, .answer = 1, .owner = -1, .doorbell = 0xf0, .output = 0xff36
	};
	r->platform.pcc = (struct acpi_pcc){ .base = BASE,
		.size = 4096,
		.doorbell_in_ports = true,
		.doorbell = 0xb2,
		.doorbell_width = 8,
		.preserve = 0xf0,
		.write = 0x05,
		.input = INPUT,
		.output = OUTPUT,
		.stride = STRIDE };
	r->platform.nr_present = 4;
	r->hw = (struct hardware){ .ctx = &r->m,
		.platform = &r->platform,
		.mem_read = mem_read,
		.mem_write = mem_write,
		.port_read = port_read,
		.port_write = port_write,
		.lock = lock,
		.unlock = unlock };
	r->cpu = CPU;
	r->u = (struct driver_unit){ .driver = policy.driver,
		.hw = &r->hw,
		.shared = r->shared,
		.state = r->state,
		.nr_cpus = 1,
		.cpus = &r->cpu };
	assert_true(policy.driver->shared_size <= sizeof(r->shared));
	assert_true(policy.driver->state_size <= sizeof(r->state));
}

static int bring_up(struct rig *r)
{
	int err = r->u.driver->load(r->shared, &r->hw, &r->now, CPU);

	return err ? err : r->u.driver->init(&r->u, &r->now, &r->offer);
}

static int ask(struct rig *r, uint32_t khz)
{
	const struct freq_limits limits = { 1200000, 2800000 };
	uint32_t got = 0;

	r->m.log[0] = 0;
	return r->u.driver->target(&r->u, &r->now, khz, FREQ_AT_LEAST, &limits, &got);
}

/* Both buffers are cleared, then what the CPU runs at is asked for: 54 % of 2800 MHz. */
#define COMES_UP                                                                                   \
	"w32 72=0\nw32 136=0\nr32 28\nr32 36\n"                                                    \
	"lock\nw32 72=1\nw16 12=0\nin8 b2\nout8 b2=f5\nr16 14\nr32 136\nw32 72=0\nr16 14\n"        \
	"w16 14=0\nr32 28\nunlock\n"

/* percent in bits 15:8, one read of the status until it is done */
#define SETS(percent)                                                                              \
	"lock\nr32 28\nw32 72=" percent "01\nw16 12=1\nin8 b2\nout8 b2=f5\nr16 14\nw32 72=0\n"     \
	"r16 14\nw16 14=0\nunlock\n"

static void test_set_up(void **state)
{
	struct rig r;

	rig_init(&r);
	assert_int_equal(bring_up(&r), 0);
	assert_string_equal(r.m.log, "r32 36\nr32 28\n" COMES_UP);
	assert_int_equal(r.offer.range.min_khz, 1200000);
	assert_int_equal(r.offer.range.max_khz, 2800000);
	assert_int_equal(r.offer.cur_khz, 1512000);
	assert_false(r.offer.no_dynamic);
	assert_int_equal(r.offer.info.nr_khz, 0);
}

static void test_limits(void **state)
{
	static const struct {
		uint32_t khz;
		const char *log;
	} rows[] = {
		{ 2800000, SETS("64") }, { 2800000, "" }, /* no change, no call */
		{ 2000000, SETS("47") },		  /* 71.4 % */
		{ 1200000, SETS("2a") }, /* 42.9 %: 1176 MHz, below the lowest frequency */
		{ 600000, "" },		 /* the limit */
		{ 1228000, SETS("2b") },
		{ 1216000, SETS("2b") }, /* the same percentage, a call nevertheless */
	};
	struct rig r;

	rig_init(&r);
	assert_int_equal(bring_up(&r), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(ask(&r, rows[i].khz), 0);
		assert_string_equal(r.m.log, rows[i].log);
	}
}

/* Offline needs no access; the CPU that comes back is set up anew. */
static void test_hotplug(void **state)
{
	struct rig r;

	rig_init(&r);
	assert_int_equal(bring_up(&r), 0);
	r.m.log[0] = 0;
	if (r.u.driver->offline)
		assert_int_equal(r.u.driver->offline(&r.u, &r.now), 0);
	if (r.u.driver->exit)
		r.u.driver->exit(&r.u, &r.now);
	assert_string_equal(r.m.log, "");
	assert_null(r.u.driver->online);
	assert_int_equal(r.u.driver->init(&r.u, &r.now, &r.offer), 0);
	assert_string_equal(r.m.log, COMES_UP);
}

static void test_failures(void **state)
{
	struct rig r;

	rig_init(&r);
	assert_int_equal(bring_up(&r), 0);
	r.m.answer = 3; /* done, with an error */
	assert_int_equal(ask(&r, 2800000), -EINVAL);
	assert_string_equal(r.m.log, SETS("64"));
	r.m.answer = 1; /* the old frequency stayed on record: the same is asked for again */
	assert_int_equal(ask(&r, 2800000), 0);
	assert_string_equal(r.m.log, SETS("64"));
	r.m.late = 299; /* done at the last read */
	assert_int_equal(ask(&r, 1500000), 0);
	r.m.late = 1000000;
	assert_int_equal(ask(&r, 2500000), -EINVAL);
	int reads = 0;
	for (const char *p = r.m.log; (p = strstr(p, "r16 14")); p++)
		reads++;
	assert_int_equal(reads, PCC_POLLS_MAX + 1);
	assert_int_equal(r.u.driver->init(&r.u, &r.now, &r.offer), -EIO);
	r.platform.pcc.size = 0;
	assert_int_equal(bring_up(&r), -ENODEV);
}

static void test_many_cpus(void **state)
{
	struct rig r;

	rig_init(&r);
	r.platform.nr_present = 5;
	assert_int_equal(bring_up(&r), 0);
	assert_true(r.offer.no_dynamic);
	assert_non_null(strstr(r.offer.note, "Too many CPUs"));
	rig_init(&r);
	r.platform.nr_present = 120;
	assert_int_equal(r.u.driver->tune(r.shared, "force-dynamic", "1"), 0);
	assert_int_equal(bring_up(&r), 0);
	assert_false(r.offer.no_dynamic);
}

static void test_variants(void **state)
{
	struct rig r;

	rig_init(&r);
	assert_int_equal(r.u.driver->tune(r.shared, "freqtable", "4"), 0);
	assert_int_equal(r.u.driver->tune(r.shared, "freqtable", "1"), -EINVAL);
	assert_int_equal(r.u.driver->tune(r.shared, "deadband", "2"), -EINVAL);
	assert_int_equal(r.u.driver->tune(r.shared, "no-such", "1"), -ENOENT);
	assert_int_equal(bring_up(&r), 0);
	assert_int_equal(r.offer.info.nr_khz, 4);
	assert_int_equal(r.offer.info.khz[0], 1200000);
	assert_int_equal(r.offer.info.khz[1], 1733333);
	assert_int_equal(r.offer.info.khz[3], 2800000);
	assert_int_equal(ask(&r, 1300000), 0); /* at least that: the second entry */
	assert_string_equal(r.m.log, SETS("3d"));
	assert_int_equal(ask(&r, 1700000), 0);
	assert_string_equal(r.m.log, "");

	rig_init(&r);
	assert_int_equal(r.u.driver->tune(r.shared, "deadband", "1"), 0);
	assert_int_equal(bring_up(&r), 0);
	assert_int_equal(ask(&r, 1200000), 0);
	assert_int_equal(ask(&r, 1872000), 0); /* load 42: in the band */
	assert_string_equal(r.m.log, "");
	assert_int_equal(ask(&r, 1888000), 0); /* load 43: 1204 MHz, 43 % */
	assert_string_equal(r.m.log, SETS("2b"));
	assert_int_equal(ask(&r, 2800000), 0);
	assert_string_equal(r.m.log, SETS("64"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_up),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_many_cpus),
		cmocka_unit_test(test_variants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
