// SPDX-License-Identifier: GPL-2.0-or-later
#include "play.h"

#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int enable(struct side *side, const struct tunable *tunables, int cpu)
{
	struct idle_cpu *c = &side->cpu[cpu];
	int r = 0;

	c->device = (struct idle_device){ 0 };
	if (side->governor->init)
		r = side->governor->init(c, NULL);
	for (; tunables && tunables->key && !r; tunables++)
		r = side->governor->tune ? side->governor->tune(c, tunables->key, tunables->value)
					 : -ENOENT;
	return r;
}

int pair_init(struct pair *pair, const struct idle_governor *ours,
	const struct idle_governor *reference, const struct idle_driver *driver,
	const struct tunable *tunables, struct error *err)
{
	const struct idle_governor *governors[2] = { ours, reference };

	memset(pair, 0, sizeof(*pair));
	pair->driver = driver;
	pair->tunables = tunables;
	for (int i = 0; i < 2; i++) {
		struct side *side = &pair->side[i];

		side->governor = governors[i];
		for (int cpu = 0; cpu < DIFF_CPUS; cpu++) {
			side->cpu[cpu].governor = governors[i];
			side->cpu[cpu].driver = driver;
			side->cpu[cpu].state = calloc(1, governors[i]->state_size + 1);
			if (!side->cpu[cpu].state || enable(side, tunables, cpu)) {
				pair_release(pair);
				return error_set(err, EINVAL,
					"%s does not take this table or a tunable",
					governors[i]->name);
			}
		}
	}
	return 0;
}

void pair_release(struct pair *pair)
{
	for (int i = 0; i < 2 * DIFF_CPUS; i++) {
		free(pair->side[i / DIFF_CPUS].cpu[i % DIFF_CPUS].state);
		pair->side[i / DIFF_CPUS].cpu[i % DIFF_CPUS].state = NULL;
	}
}

void pair_begin(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		struct side *side = &pair->side[i];

		for (int cpu = 0; cpu < DIFF_CPUS; cpu++) {
			memset(side->cpu[cpu].state, 0, side->governor->state_size);
			(void)enable(side, pair->tunables, cpu);
		}
	}
}

/* selected: which state ENTER_SELECTED means, the same for both sides. */
static void reflect(
	struct side *side, const struct diff_event *event, int selected, struct decision *d)
{
	struct idle_cpu *cpu = &side->cpu[event->cpu];
	struct idle_outcome outcome = {
		.now_ns = event->reflect_now_ns,
		.entered = event->entered == ENTER_OTHER ? event->other : selected,
		.got_tick = event->got_tick,
	};

	d->entered = event->entered == ENTER_REJECTED ? -1 : outcome.entered;
	d->residency_ns = (uint64_t)event->residency_ns;
	if (event->add_latency && d->entered >= 0)
		d->residency_ns += (uint64_t)cpu->driver->states[d->entered].exit_latency_ns;
	cpu->device.last_residency_ns = d->entered < 0 ? 0 : (int64_t)d->residency_ns;
	if (event->set_poll_limit)
		cpu->device.poll_limit_ns = event->poll_limit_ns;
	if (event->poll_flag == POLL_FLAG_FORCED ||
		(d->entered >= 0 && cpu->driver->states[d->entered].polling))
		cpu->device.poll_time_limit = event->timed_out;
	d->poll_limit_pre_ns = cpu->device.poll_limit_ns;
	d->poll_time_limit_pre = cpu->device.poll_time_limit;
	if (d->entered >= 0 && side->governor->reflect)
		side->governor->reflect(cpu, &outcome);
	d->last_state = cpu->device.last_state;
	d->poll_limit_ns = cpu->device.poll_limit_ns;
	d->poll_time_limit = cpu->device.poll_time_limit;
}

static void select_state(
	struct pair *pair, struct side *side, const struct diff_event *event, struct decision *d)
{
	struct idle_cpu *cpu = &side->cpu[event->cpu];
	struct idle_choice choice = { .stop_tick = true };

	if (event->enable)
		(void)enable(side, pair->tunables, event->cpu);
	side->governor->select(cpu, &event->snapshot, &choice);
	d->state = choice.state;
	d->stop_tick = choice.stop_tick;
	d->timer_read = choice.timer_read;
	d->last_state_selected = cpu->device.last_state;
}

bool pair_play(struct pair *pair, const struct diff_event *event, struct decision ret[2])
{
	int selected;

	memset(ret, 0, 2 * sizeof(*ret));
	for (int i = 0; i < 2; i++)
		select_state(pair, &pair->side[i], event, &ret[i]);
	selected = ret[1].state;
	if (selected < 0 || selected >= pair->driver->nr_states)
		selected = 0;
	for (int i = 0; i < 2; i++)
		reflect(&pair->side[i], event, selected, &ret[i]);
	return !decision_difference(&ret[0], &ret[1]);
}

const char *decision_difference(const struct decision *a, const struct decision *b)
{
	if (a->state != b->state)
		return "sel_state";
	if (a->stop_tick != b->stop_tick)
		return "stop_tick";
	if (a->timer_read != b->timer_read)
		return "timer_read";
	if (a->last_state_selected != b->last_state_selected)
		return "last_state after select";
	if (a->last_state != b->last_state)
		return "last_state after reflect";
	if (a->poll_limit_ns != b->poll_limit_ns)
		return "poll_limit_ns";
	if (a->poll_time_limit != b->poll_time_limit)
		return "poll_time_limit_after";
	return NULL;
}

int pair_play_all(struct pair *pair, const struct diff_event *events, int nr)
{
	struct decision decisions[2];

	pair_begin(pair);
	for (int i = 0; i < nr; i++)
		if (!pair_play(pair, &events[i], decisions))
			return i;
	return -1;
}

static void print_row(
	int number, const struct diff_event *e, bool enabled, const struct decision *d, FILE *out)
{
	const struct idle_snapshot *s = &e->snapshot;

	fprintf(out, "%d,diff,%d,%d,%" PRIu64 ",%" PRId64 ",%" PRId64 ",%u,%" PRId64 ",%d,%u,",
		number, enabled, e->cpu, (uint64_t)s->now_ns, s->sleep_length_ns, s->delta_tick_ns,
		s->nr_iowait, s->latency_req_ns, s->tick_stopped, s->disable_mask);
	fprintf(out, "%d,%d,%d,%" PRIu64 ",%d,%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%d\n",
		d->state, d->stop_tick, d->entered, d->residency_ns, d->poll_time_limit_pre,
		(uint64_t)e->reflect_now_ns, e->got_tick, d->poll_limit_pre_ns, d->poll_limit_ns,
		d->poll_time_limit);
}

void pair_print(struct pair *pair, const struct diff_event *events, int nr, FILE *out)
{
	bool enabled[DIFF_CPUS] = { false };
	struct decision d[2];
	const char *difference = NULL;

	fprintf(out, "# governor=%s tick_ns=%" PRId64 " states=", pair->side[1].governor->name,
		pair->driver->tick_ns);
	for (int i = 0; i < pair->driver->nr_states; i++) {
		const struct idle_state *state = &pair->driver->states[i];

		fprintf(out, "%s%s:%" PRId64 ":%" PRId64 ":%d", i ? ";" : "", state->name,
			state->exit_latency_ns / NSEC_PER_USEC,
			state->target_residency_ns / NSEC_PER_USEC, state->polling);
	}
	fprintf(out, "\nrow,gen,enable,cpu,now_ns,sleep_length_ns,delta_tick_ns,nr_iowait,"
		     "latency_req_ns,tick_stopped,disable_mask,sel_state,stop_tick,entered,"
		     "residency_ns,poll_time_limit,reflect_now_ns,got_tick,poll_limit_pre_ns,"
		     "poll_limit_ns,poll_time_limit_after\n");
	pair_begin(pair);
	for (int i = 0; i < nr && !difference; i++) {
		(void)pair_play(pair, &events[i], d);
		print_row(i, &events[i], events[i].enable || !enabled[events[i].cpu], &d[1], out);
		enabled[events[i].cpu] = true;
		difference = decision_difference(&d[0], &d[1]);
	}
	if (!difference)
		return;
	fprintf(out,
		"# %s differs: ours %s state %d stop_tick %d timer_read %d last_state %d,%d "
		"poll_limit %" PRIu64 " timed_out %d\n",
		difference, pair->side[0].governor->name, d[0].state, d[0].stop_tick,
		d[0].timer_read, d[0].last_state_selected, d[0].last_state, d[0].poll_limit_ns,
		d[0].poll_time_limit);
	fprintf(out,
		"#   reference %s state %d stop_tick %d timer_read %d last_state %d,%d "
		"poll_limit %" PRIu64 " timed_out %d\n",
		pair->side[1].governor->name, d[1].state, d[1].stop_tick, d[1].timer_read,
		d[1].last_state_selected, d[1].last_state, d[1].poll_limit_ns,
		d[1].poll_time_limit);
}
