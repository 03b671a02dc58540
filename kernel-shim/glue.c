// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the governor that a kernel file registers an idle governor of policy.h. Compiled together
 * with that file into one plug-in; see shim/cpu.h for how the state is kept per CPU.
 *
 * Order: the file's initcall registers the governor when the plug-in is loaded; then per CPU init,
 * tune, select, reflect.
 */
#include <linux/cpuidle.h>

__thread struct shim_cpu *shim_this __attribute__((tls_model("initial-exec")));

/* Ends of the sections; the anchors make sure that they exist, and align the first. */
extern SHIM_HIDDEN char __start_shim_percpu[], __stop_shim_percpu[];
extern SHIM_HIDDEN struct shim_param __start_shim_params[], __stop_shim_params[];

enum { PERCPU_ALIGN = 64 };

static SHIM_PERCPU_SECTION char percpu_anchor[PERCPU_ALIGN]
	__attribute__((used, aligned(PERCPU_ALIGN)));
static struct shim_param param_anchor __attribute__((section("shim_params"), used, aligned(8)));

static struct cpuidle_governor *registered;

/* What is true of any CPU while nothing is known of it. */
static const struct idle_snapshot quiet = {
	.sleep_length_ns = KTIME_MAX,
	.delta_tick_ns = KTIME_MAX,
	.latency_req_ns = LATENCY_NO_LIMIT_NS,
};

static void device_in(struct shim_cpu *shim, const struct idle_device *from)
{
	shim->device.last_state_idx = from->last_state;
	shim->device.last_residency_ns = from->last_residency_ns;
	shim->device.poll_limit_ns = from->poll_limit_ns;
	shim->device.poll_time_limit = from->poll_time_limit;
}

/* The residency is the core's: governors only read it. */
static void device_out(const struct shim_cpu *shim, struct idle_device *to)
{
	to->last_state = shim->device.last_state_idx;
	to->poll_limit_ns = shim->device.poll_limit_ns;
	to->poll_time_limit = shim->device.poll_time_limit;
}

static noinline void set_disabled(struct shim_cpu *shim, uint32_t mask)
{
	for (int i = 0; i < CPUIDLE_STATE_MAX; i++)
		shim->device.states_usage[i].disable = mask >> i & 1;
	shim->disable_mask = mask;
}

static void driver_in(struct shim_cpu *shim, const struct idle_driver *from)
{
	shim->tick_ns = from->tick_ns;
	shim->driver.state_count = from->nr_states;
	for (int i = 0; i < from->nr_states; i++) {
		struct cpuidle_state *state = &shim->driver.states[i];

		state->exit_latency_ns = from->states[i].exit_latency_ns;
		state->target_residency_ns = from->states[i].target_residency_ns;
		state->flags = from->states[i].polling ? CPUIDLE_FLAG_POLLING : CPUIDLE_FLAG_NONE;
		memcpy(state->name, from->states[i].name, sizeof(state->name));
	}
}

/* The variables of this CPU begin as those in the loaded section; a second init keeps them. */
static void percpu_init(struct shim_cpu *shim)
{
	uintptr_t start = (uintptr_t)__start_shim_percpu;
	uintptr_t copy = ((uintptr_t)(shim + 1) + PERCPU_ALIGN - 1) & -(uintptr_t)PERCPU_ALIGN;

	if (shim->percpu_offset)
		return;
	shim->percpu_offset = (intptr_t)(copy - start);
	memcpy((void *)copy, __start_shim_percpu, __stop_shim_percpu - __start_shim_percpu);
}

static int shim_init(struct idle_cpu *cpu, const char *arg)
{
	struct shim_cpu *shim = cpu->state;
	int r = 0;

	if (arg || cpu->driver->nr_states < 1 || cpu->driver->nr_states > CPUIDLE_STATE_MAX)
		return -EINVAL;
	percpu_init(shim);
	driver_in(shim, cpu->driver);
	shim->quiet = quiet;
	shim->snapshot = &shim->quiet;
	shim_this = shim;
	device_in(shim, &cpu->device);
	if (registered->enable)
		r = registered->enable(&shim->driver, &shim->device);
	device_out(shim, &cpu->device);
	return r;
}

static void shim_select(
	struct idle_cpu *cpu, const struct idle_snapshot *snapshot, struct idle_choice *choice)
{
	struct shim_cpu *shim = cpu->state;

	shim_this = shim;
	shim->snapshot = snapshot;
	shim->timer_read = false;
	if (unlikely(shim->disable_mask != snapshot->disable_mask))
		set_disabled(shim, snapshot->disable_mask);
	device_in(shim, &cpu->device);
	choice->state = registered->select(&shim->driver, &shim->device, &choice->stop_tick);
	choice->timer_read = shim->timer_read;
	device_out(shim, &cpu->device);
}

/* Of the snapshot, a reflect hook sees the clock: the rest is not known at that time. */
static void shim_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	struct shim_cpu *shim = cpu->state;

	if (!registered->reflect)
		return;
	shim_this = shim;
	shim->quiet.now_ns = outcome->now_ns;
	shim->snapshot = &shim->quiet;
	shim->got_tick = outcome->got_tick;
	device_in(shim, &cpu->device);
	registered->reflect(&shim->device, outcome->entered);
	device_out(shim, &cpu->device);
}

static int param_store(const struct shim_param *param, unsigned long number, bool negative)
{
	long value = negative ? -(long)number : (long)number;

	if (number > LONG_MAX && (negative || param->type != shim_param_ulong))
		return -EINVAL;
	switch (param->type) {
	case shim_param_bool:
		if (value < 0 || value > 1)
			return -EINVAL;
		*(bool *)param->value = value;
		return 0;
	case shim_param_int:
		if (value < INT_MIN || value > INT_MAX)
			return -EINVAL;
		*(int *)param->value = value;
		return 0;
	case shim_param_uint:
		if (value < 0 || value > UINT_MAX)
			return -EINVAL;
		*(unsigned int *)param->value = value;
		return 0;
	case shim_param_long:
		*(long *)param->value = value;
		return 0;
	case shim_param_ulong:
		if (value < 0 && negative)
			return -EINVAL;
		*(unsigned long *)param->value = number;
		return 0;
	}
	return -EINVAL;
}

/* Decimal numbers; for bool also the letters that sysfs takes. */
static int param_set(const struct shim_param *param, const char *text)
{
	bool negative = text[0] == '-';
	unsigned long number = 0;

	if (param->type == shim_param_bool && text[0] && !text[1]) {
		if (text[0] == 'Y' || text[0] == 'y')
			return param_store(param, 1, false);
		if (text[0] == 'N' || text[0] == 'n')
			return param_store(param, 0, false);
	}
	text += negative;
	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > (ULONG_MAX - 9) / 10)
			return -EINVAL;
		number = number * 10 + (*text - '0');
	}
	return param_store(param, number, negative);
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* The parameters are of the image, whichever CPU asks: see linux/module.h. */
static int shim_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	for (const struct shim_param *p = __start_shim_params; p < __stop_shim_params; p++) {
		if (p->name && same(p->name, key))
			return param_set(p, value);
	}
	return -ENOENT;
}

static char name[CPUIDLE_NAME_LEN + sizeof("@source")];

static struct idle_governor governor = {
	.name = name,
	.summary = "a kernel's own governor file, compiled against kernel-shim",
	.init = shim_init,
	.select = shim_select,
	.reflect = shim_reflect,
	.tune = shim_tune,
};

__attribute__((visibility("default"))) struct corepace_plugin corepace_plugin = {
	.abi = COREPACE_ABI,
};

int cpuidle_register_governor(struct cpuidle_governor *kernel_governor)
{
	static const char suffix[] = "@source";
	size_t length = 0;

	if (!kernel_governor || !kernel_governor->select)
		return -EINVAL;
	if (registered)
		return -EEXIST;
	registered = kernel_governor;
	while (length < CPUIDLE_NAME_LEN && kernel_governor->name[length])
		length++;
	memcpy(name, kernel_governor->name, length);
	memcpy(name + length, suffix, sizeof(suffix));
	/* States of several CPUs may lie side by side: a multiple keeps each one aligned. */
	governor.state_size = sizeof(struct shim_cpu) + PERCPU_ALIGN +
			      (size_t)(__stop_shim_percpu - __start_shim_percpu);
	governor.state_size = (governor.state_size + PERCPU_ALIGN - 1) & -(size_t)PERCPU_ALIGN;
	corepace_plugin.idle = &governor;
	return 0;
}
