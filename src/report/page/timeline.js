// SPDX-License-Identifier: GPL-2.0-or-later
// The time line of CPUs: a lane for each with its state above and its frequency below, and the power of
// each package. The data hold changes: [time, state, name, ...] by CPU, [time, value, ...] else.
"use strict";
const STATES = ["off", "idle", "idle loop", "switch", "run", "irq"];
const [OFF, IDLE, LOOP, SWITCH, RUN, IRQ] = [0, 1, 2, 3, 4, 5];
const GUTTER = 92, LANE = 30, STATE_HEIGHT = 17, POWER = 52, AXIS = 26, ROWS_MAX = 300, ZOOM = 2;
let view = null;

function timelineName(t) {
	const r = data.runs[t.run];
	return `${r.policy}, ${r.workload} on ${r.machine}, seed ${r.seed}`;
}

// What lasts from when to when: [begin, end, state, name].
function segmentsOf(t, cpu) {
	const list = t.cpus[cpu], length = t.to - t.from, all = [];
	for (let i = 0; i < list.length; i += 3)
		all.push([list[i], i + 3 < list.length ? list[i + 3] : length, list[i + 1], t.names[list[i + 2]]]);
	return all;
}

function stepsOf(list, length) {
	const all = [];
	for (let i = 0; i < list.length; i += 2)
		all.push([list[i], i + 2 < list.length ? list[i + 2] : length, list[i + 1]]);
	return all;
}

function valueAt(steps, time) {
	let value = null;
	for (const [begin, , v] of steps) { if (begin > time) break; value = v; }
	return value;
}

function prepare(t) {
	const idle = [...new Set(t.cpus.flatMap((c, i) => segmentsOf(t, i)).filter((s) => s[2] === IDLE).map((s) => s[3]))].sort();
	const tasks = [...new Set(t.cpus.flatMap((c, i) => segmentsOf(t, i)).filter((s) => s[2] === RUN || s[2] === SWITCH).map((s) => s[3]))].sort();
	const length = t.to - t.from;
	return { t, length, from: 0, to: length, idle, tasks, segments: t.cpus.map((c, i) => segmentsOf(t, i)),
		khz: t.khz.map((k) => stepsOf(k, length)), power: t.power.map((p) => stepsOf(p, length)), cpu: 0 };
}

function stateColour(v, state, name) {
	switch (state) {
	case RUN: return colour(v.tasks.indexOf(name));
	case SWITCH: return css("--dim");
	case IRQ: return css("--worse");
	case IDLE: { const i = v.idle.indexOf(name), n = Math.max(v.idle.length - 1, 1); return `hsl(210 ${14 + 6 * i}% ${88 - 34 * i / n}%)`; }
	case LOOP: return "hsl(48 45% 62%)";
	default: return css("--panel");
	}
}

function drawLane(c, v, cpu, y, x) {
	const top = Math.max(1, ...v.khz.flat().map((s) => s[2]));
	for (const [begin, end, state, name] of v.segments[cpu]) {
		if (end <= v.from || begin >= v.to) continue;
		const a = x(Math.max(begin, v.from)), b = x(Math.min(end, v.to));
		c.fillStyle = stateColour(v, state, name);
		c.fillRect(a, y, Math.max(b - a, 0.5), STATE_HEIGHT);
		if (b - a > 46) {
			c.save();
			c.beginPath();
			c.rect(a, y, b - a, STATE_HEIGHT);
			c.clip();
			c.fillStyle = state === RUN || state === IRQ ? "#ffffff" : "#1b1f24";
			c.fillText(state === RUN ? name : state === IDLE ? name : STATES[state], a + 4, y + 12.5);
			c.restore();
		}
	}
	c.fillStyle = css("--link");
	for (const [begin, end, khz] of v.khz[cpu]) {
		if (end <= v.from || begin >= v.to) continue;
		const a = x(Math.max(begin, v.from)), height = (LANE - STATE_HEIGHT - 4) * khz / top;
		c.fillRect(a, y + LANE - 3 - height, Math.max(x(Math.min(end, v.to)) - a, 0.5), height);
	}
	c.fillStyle = css("--fg");
	c.fillText((cpu === v.cpu ? "\u25b6 " : "") + "CPU " + cpu, 4, y + 13);
}

function drawPowerLane(c, v, p, y, x) {
	const top = Math.max(1, ...v.power[p].map((s) => s[2]));
	c.fillStyle = css("--fg");
	c.fillText("package " + p, 4, y + 14);
	c.fillText(number(top / 1e6, 3) + " W", 4, y + 30);
	c.fillStyle = colour(1);
	for (const [begin, end, uw] of v.power[p]) {
		if (end <= v.from || begin >= v.to) continue;
		const a = x(Math.max(begin, v.from)), height = (POWER - 6) * uw / top;
		c.fillRect(a, y + POWER - 3 - height, Math.max(x(Math.min(end, v.to)) - a, 0.5), height);
	}
}

function drawAxis(c, v, y, x, width) {
	const span = v.to - v.from, raw = span / 6, power = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
	c.strokeStyle = css("--line");
	c.fillStyle = css("--fg");
	for (let time = Math.ceil((v.t.from + v.from) / step) * step; time <= v.t.from + v.to; time += step) {
		const at = x(time - v.t.from);
		c.beginPath();
		c.moveTo(at, 0);
		c.lineTo(at, y);
		c.stroke();
		if (at < width - 50) c.fillText(duration(time), at + 2, y + 15);
	}
}

function paint() {
	const v = view, canvas = byId("timeline-canvas"), scale = window.devicePixelRatio || 1;
	const width = canvas.parentElement.clientWidth - 16;
	const height = v.segments.length * LANE + v.power.length * POWER + AXIS;
	canvas.width = width * scale;
	canvas.height = height * scale;
	canvas.style.height = height + "px";
	const c = canvas.getContext("2d");
	c.scale(scale, scale);
	c.fillStyle = css("--bg");
	c.fillRect(0, 0, width, height);
	c.font = "12px " + getComputedStyle(document.body).fontFamily;
	const x = (time) => GUTTER + (width - GUTTER) * (time - v.from) / (v.to - v.from);
	drawAxis(c, v, height - AXIS, x, width);
	v.segments.forEach((s, cpu) => drawLane(c, v, cpu, cpu * LANE, x));
	v.power.forEach((p, i) => drawPowerLane(c, v, i, v.segments.length * LANE + i * POWER, x));
	describeView();
}

function describeView() {
	const v = view, inside = v.segments[v.cpu].filter((s) => s[1] > v.from && s[0] < v.to);
	const share = new Map();
	for (const [begin, end, state, name] of inside) {
		const what = state === RUN || state === IDLE ? name : STATES[state];
		share.set(what, (share.get(what) || 0) + Math.min(end, v.to) - Math.max(begin, v.from));
	}
	const parts = [...share].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([what, ns]) => `${what} ${number(100 * ns / (v.to - v.from), 3)} %`);
	byId("timeline-status").textContent = `${duration(v.t.from + v.from)} to ${duration(v.t.from + v.to)}; CPU ${v.cpu}: ${parts.join(", ")}`;
	if (byId("timeline-details").open) fillTimelineTable();
}

function fillTimelineTable() {
	const v = view, rows = [];
	let count = 0;
	v.segments.forEach((list, cpu) => {
		for (const [begin, end, state, name] of list) {
			if (end <= v.from || begin >= v.to) continue;
			if (count++ < ROWS_MAX)
				rows.push([String(cpu), duration(v.t.from + begin), duration(end - begin), STATES[state], name, number(valueAt(v.khz[cpu], begin) / 1000)]);
		}
	});
	fill("timeline-table", table(`Segments in the window${count > ROWS_MAX ? `: the first ${ROWS_MAX} of ${count}` : ""}`,
		[head("CPU"), head("From"), head("For"), head("State", 1), head("Task or idle state", 1), head("MHz")], rows));
}

function move(factor, shift) {
	const v = view, span = Math.min(v.length, Math.max(100, (v.to - v.from) * factor));
	const middle = (v.from + v.to) / 2 + shift * (v.to - v.from);
	v.from = Math.min(Math.max(0, middle - span / 2), v.length - span);
	v.to = v.from + span;
	paint();
}

const ACTIONS = { earlier: () => move(1, -0.5), later: () => move(1, 0.5), in: () => move(1 / ZOOM, 0), out: () => move(ZOOM, 0), whole: () => move(Infinity, 0) };
const KEYS = { ArrowLeft: "earlier", ArrowRight: "later", "+": "in", "=": "in", "-": "out", "0": "whole" };

function timelineKey(event) {
	const cpus = view.segments.length;
	if (event.key === "ArrowDown" || event.key === "ArrowUp")
		view.cpu = (view.cpu + (event.key === "ArrowDown" ? 1 : cpus - 1)) % cpus;
	else if (!KEYS[event.key])
		return;
	event.preventDefault();
	if (KEYS[event.key]) ACTIONS[KEYS[event.key]]();
	else paint();
}

function timelineLegend() {
	const items = [...view.tasks.slice(0, 12).map((n) => [RUN, n, n]), ...view.idle.map((n) => [IDLE, n, n]), [LOOP, "", "idle loop"], [SWITCH, "", "context switch"], [IRQ, "", "interrupt"]];
	return el("p", { class: "dim" }, ...items.flatMap(([state, name, label]) => {
		const key = el("span", { class: "key", "aria-hidden": "true" });
		key.style.backgroundColor = stateColour(view, state, name);
		return [key, label + "   "];
	}));
}

// The function that report.js calls whenever colours or sizes may have changed.
function drawTimeline() {
	if (!data.timelines.length)
		return fill("timeline-figure", el("p", {}, data.timeline_note || "No time line was asked for."));
	const before = byId("timeline-run") ? Number(byId("timeline-run").value) : 0;
	if (!view || view.t !== data.timelines[before]) view = prepare(data.timelines[before]);
	const select = el("select", { id: "timeline-run" }, ...data.timelines.map((t, i) => el("option", { value: i, selected: i === before }, timelineName(t))));
	select.addEventListener("change", () => { drawTimeline(); byId("timeline-run").focus(); });
	const buttons = Object.entries({ earlier: "Earlier", later: "Later", in: "Closer", out: "Farther", whole: "Whole window" }).map(([name, label]) => {
		const button = el("button", { type: "button" }, label);
		button.addEventListener("click", ACTIONS[name]);
		return button;
	});
	const canvas = el("canvas", { id: "timeline-canvas", role: "img", tabindex: "0",
		"aria-label": "Time line of CPUs. Left and right move, plus and minus zoom, up and down choose a CPU." });
	canvas.addEventListener("keydown", timelineKey);
	const open = byId("timeline-details")?.open;
	const details = el("details", { id: "timeline-details", open: Boolean(open) }, el("summary", {}, "The same as a table"),
		el("div", { id: "timeline-table", class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of segments" }));
	details.addEventListener("toggle", fillTimelineTable);
	const cut = view.t.cut ? " It ends where the report's limit of changes was reached." : "";
	fill("timeline-figure", el("div", { class: "controls" }, el("label", {}, "Run ", select), ...buttons),
		el("figure", {}, el("div", { class: "plot low" }, canvas), el("figcaption", {}, timelineLegend(),
			"Above what the CPU does, below in blue its frequency. " + (data.timeline_note || "") + cut)),
		el("p", { id: "timeline-status", class: "dim", role: "status", "aria-live": "polite" }), details);
	paint();
}
addEventListener("resize", () => { if (view && byId("timeline-canvas")) paint(); });
