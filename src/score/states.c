// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle states that a recording tells. */
#include "base/units.h"
#include "score/score.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int bad_state(const char *line, struct error *err)
{
	return error_set(err, EINVAL,
		"setting '%.*s': expected idle.stateN=NAME EXIT_LATENCY_US TARGET_RESIDENCY_US "
		"[disabled]",
		(int)strcspn(line, "\n"), line);
}

/* The kernel marks the states that poll by a flag that sysfs does not show; it has one, POLL. */
static int take_state(
	const char *line, struct idle_driver *driver, uint32_t *disabled, struct error *err)
{
	static const char word[] = " disabled";
	struct idle_state *state = &driver->states[driver->nr_states];
	unsigned int latency_us, residency_us;
	int number, end = 0;
	bool is_disabled;
	char name[16];

	if (sscanf(line, "idle.state%d=%15s %u %u%n", &number, name, &latency_us, &residency_us,
		    &end) != 4)
		return bad_state(line, err);
	is_disabled = !strncmp(line + end, word, strlen(word));
	if (is_disabled)
		end += (int)strlen(word);
	if (line[end] && line[end] != '\n')
		return bad_state(line, err);
	if (number != driver->nr_states || number >= IDLE_STATES_MAX)
		return error_set(err, EINVAL,
			"setting idle.state%d: expected state %d of at most %d", number,
			driver->nr_states, IDLE_STATES_MAX);
	*state = (struct idle_state){
		.exit_latency_ns = (int64_t)latency_us * NSEC_PER_USEC,
		.target_residency_ns = (int64_t)residency_us * NSEC_PER_USEC,
		.polling = !strcmp(name, "POLL"),
	};
	snprintf(state->name, sizeof(state->name), "%s", name);
	*disabled |= (uint32_t)is_disabled << number;
	driver->nr_states++;
	return 0;
}

int score_recorded_states(const struct workload_env *env, struct idle_driver *ret,
	uint32_t *ret_disabled, struct error *err)
{
	struct idle_driver driver = { 0 };
	uint32_t disabled = 0;

	for (const char *line = env->settings; *line; line += *line == '\n') {
		if (!strncmp(line, "idle.state", 10)) {
			int r = take_state(line, &driver, &disabled, err);

			if (r < 0)
				return r;
		}
		line += strcspn(line, "\n");
	}
	if (!driver.nr_states)
		return error_set(err, ENOENT,
			"idle states: the recording does not tell them, expected -m MACHINE");
	if (env->hz <= 0)
		return error_set(err, ENOENT,
			"tick rate: the recording does not tell it, expected -m MACHINE");
	driver.tick_ns = NSEC_PER_SEC / env->hz;
	*ret = driver;
	*ret_disabled = disabled;
	return 0;
}
