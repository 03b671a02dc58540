// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs of bench_programs.c for SimGrid with its energy plug-in: a CPU is a host of one
 * core, a task an actor, a channel of tokens a semaphore or (ping-pong-mail) a mailbox over a link.
 * An event is the end of a piece of work or of a wait, as there.
 *
 * Usage: bench_simgrid ping-pong|ping-pong-mail|fork-join|idle CPUS TASKS ROUNDS
 * Prints: seconds, events, simulated seconds, joules, peak memory in kB.
 */
#include "bench/programs.h"

#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace sg = simgrid::s4u;

static unsigned long long nr_events;
static std::vector<sg::SemaphorePtr> channels;

static void work()
{
	sg::this_actor::execute(PIECE_CYCLES);
	nr_events++;
}

static void wait_for(int channel)
{
	channels[channel]->acquire();
	nr_events++;
}

static void ping_pong(int task, long rounds)
{
	for (long i = 0; i < rounds; i++) {
		if (task)
			wait_for(task);
		work();
		channels[!task]->release();
		if (!task)
			wait_for(task);
	}
}

/* The sender's wait for its message is no event: the program does not wait there. */
static void ping_pong_mail(int task, long rounds)
{
	static char token;
	sg::Mailbox *mine = sg::Mailbox::by_name(task ? "1" : "0");
	sg::Mailbox *other = sg::Mailbox::by_name(task ? "0" : "1");

	for (long i = 0; i < rounds; i++) {
		if (task) {
			mine->get<char>();
			nr_events++;
		}
		work();
		other->put(&token, 1);
		if (!task) {
			mine->get<char>();
			nr_events++;
		}
	}
}

static void fork_join(int task, int tasks, long rounds)
{
	for (long i = 0; i < rounds; i++) {
		if (task) {
			wait_for(task);
			work();
			channels[0]->release();
			continue;
		}
		for (int t = 1; t < tasks; t++)
			channels[t]->release();
		for (int t = 1; t < tasks; t++)
			wait_for(0);
	}
}

static void idle()
{
	sg::this_actor::sleep_for(1);
	nr_events++;
}

/* Watts of an i7-2600K's core: idle, lowest load, busy, at two of its frequencies. */
static std::vector<sg::Host *> make_machine(int cpus, bool links)
{
	auto *zone = sg::create_full_zone("machine");
	std::vector<sg::Host *> hosts;

	for (int i = 0; i < cpus; i++) {
		auto *host = zone->create_host(
			"cpu" + std::to_string(i), std::vector<double>{ 3.4e9, 1.6e9 });
		host->set_core_count(1);
		host->set_property("wattage_per_state", "1.0:3.0:16.0, 1.0:2.0:5.0");
		host->set_property("wattage_off", "0");
		host->seal();
		hosts.push_back(host);
	}
	if (links && cpus > 1) {
		auto *link = zone->create_link("wakeup", 1e10)->set_latency(1e-6)->seal();
		zone->add_route(hosts[0]->get_netpoint(), hosts[1]->get_netpoint(), nullptr,
			nullptr, { sg::LinkInRoute(link) }, true);
	}
	zone->seal();
	return hosts;
}

int main(int argc, char **argv)
{
	sg_host_energy_plugin_init();
	sg::Engine engine(&argc, argv);

	if (argc != 5) {
		fprintf(stderr, "usage: %s PROGRAM CPUS TASKS ROUNDS\n", argv[0]);
		return 2;
	}
	std::string name = argv[1];
	int cpus = std::stoi(argv[2]), tasks = std::stoi(argv[3]);
	long rounds = std::stol(argv[4]);
	auto hosts = make_machine(cpus, name == "ping-pong-mail");

	for (int i = 0; i < tasks; i++) {
		auto *host = hosts[i % cpus];
		channels.push_back(sg::Semaphore::create(0));
		if (name == "ping-pong")
			sg::Actor::create("task", host, ping_pong, i, rounds);
		else if (name == "ping-pong-mail")
			sg::Actor::create("task", host, ping_pong_mail, i, rounds);
		else if (name == "fork-join")
			sg::Actor::create("task", host, fork_join, i, tasks, rounds);
		else
			sg::Actor::create("task", host, idle);
	}

	auto begin = std::chrono::steady_clock::now();
	engine.run();
	std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
	double joules = 0;
	for (auto *host : hosts)
		joules += sg_host_get_consumed_energy(host);
	printf("%.6f %llu %.6f %.3f %ld\n", took.count(), nr_events, sg::Engine::get_clock(),
		joules, peak_kb());
	return 0;
}
