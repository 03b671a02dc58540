// SPDX-License-Identifier: GPL-2.0-or-later
// Draws the report from the data in #data. Whatever came from outside becomes a text node, never HTML.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const CHART_CONFIGS = 12, ROWS_SHOWN = 400, LEAST_PERCENT = 0.001;
// Okabe and Ito's colours, told apart also by those who see few; with point styles and dashes.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];
const POINTS = ["circle", "triangle", "rect", "rectRot", "star", "crossRot", "cross", "dash"];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
const charts = {};
const byId = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		if (value === true) node.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
	node.append(...children.filter((c) => c !== null && c !== undefined));
	return node;
}

function fill(id, ...children) { byId(id).replaceChildren(...children); }

function number(value, digits = 4) {
	if (value === null || value === undefined || !Number.isFinite(value)) return "\u2013";
	const size = Math.abs(value);
	if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(digits - 1);
	const after = size === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
	return value.toFixed(Math.min(after, 6));
}

function percent(value) {
	if (value === null) return "\u2013";
	return (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(2) + " %";
}

function duration(ns) {
	const size = Math.abs(ns);
	if (size < 1e3) return number(ns) + " ns";
	if (size < 1e6) return number(ns / 1e3) + " \u00b5s";
	if (size < 1e9) return number(ns / 1e6) + " ms";
	return number(ns / 1e9) + " s";
}

function table(caption, heads, rows, attributes) {
	const head = el("tr", {}, ...heads.map((h) => el("th", { scope: "col", class: h.text ? "text" : null }, h.name)));
	const body = rows.map((row) => el("tr", {}, ...row.map((cell, i) =>
		i === 0 ? el("th", { scope: "row" }, cell)
			: el("td", { class: heads[i].text ? "text" : null }, cell))));
	return el("table", attributes || {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body));
}

const head = (name, text) => ({ name, text });

function alternative(node, open) {
	return el("details", { open: Boolean(open) }, el("summary", {}, "The same as a table"),
		el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, node));
}

const colour = (i) => COLOURS[i % COLOURS.length];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const group = () => data.groups[Number(byId("group").value) || 0];

function chosen() {
	return [...byId("configs").selectedOptions].map((o) => Number(o.value));
}

function groupName(g) {
	const scaling = g.scaling === "all" || g.scaling === "none"
		? `, if ${g.scaling === "all" ? "all" : "no"} recorded run time scales with frequency` : "";
	return g.workload + (g.machine ? " on " + g.machine : "") + scaling;
}

function metricName(m) { return m.name + (m.unit ? ", " + m.unit : ""); }

// ---- overview ------------------------------------------------------------------------------

let sorting = { column: -1, down: false };

function valueCell(m, cell) {
	const [n, mean, deviation, change, verdict] = cell;
	const parts = [number(mean) + (n > 1 && deviation !== null ? " \u00b1 " + number(deviation, 2) : "")];
	if (verdict)
		parts.push(el("span", { class: "change verdict" }, (change === null ? "" : percent(change) + ", ") + "no verdict: " + data.verdicts[verdict]));
	else if (m.better && change !== null && change !== 0)
		parts.push(el("span", { class: "change " + (change > 0 ? "better" : "worse") }, percent(change)));
	const td = el("td", {});
	td.append(...parts);
	return td;
}

function drawOverview() {
	const g = group();
	const columns = g.metrics.map((m, i) => ({ m, i })).filter(({ m }) => m.section < 3);
	const order = g.configs.map((c, i) => i);
	if (sorting.column >= 0) {
		const value = (i) => g.configs[i].cells[sorting.column][1];
		order.sort((a, b) => (sorting.down ? -1 : 1) * ((value(a) ?? Infinity) - (value(b) ?? Infinity)));
	}
	const heads = [el("th", { scope: "col", class: "text" }, "Configuration"), el("th", { scope: "col" }, "Runs")];
	for (const { m, i } of columns) {
		const button = el("button", { type: "button" }, metricName(m));
		button.addEventListener("click", () => {
			sorting = { column: i, down: sorting.column === i && !sorting.down };
			drawOverview();
			document.querySelector(`[data-column="${i}"] button`).focus();
		});
		const sorted = sorting.column === i ? (sorting.down ? "descending" : "ascending") : null;
		const better = m.better < 0 ? "lower is better" : m.better > 0 ? "higher is better" : "";
		heads.push(el("th", { scope: "col", "data-column": i, "aria-sort": sorted, title: better }, button));
	}
	const rows = order.map((k) => el("tr", {}, el("th", { scope: "row" }, g.configs[k].name),
		el("td", {}, String(g.configs[k].runs.length)), ...columns.map(({ m, i }) => valueCell(m, g.configs[k].cells[i]))));
	const band = Math.max(...g.configs.map((c) => c.band));
	const energy = g.fixed_time ? "energy of a fixed time" : "energy of fixed work";
	fill("overview-table", el("table", { id: "overview-data" },
		el("caption", {}, groupName(g) + " (" + energy + (band > 0 ? `, power estimated within ${Math.round(100 * band)} %` : "") + ")"),
		el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
}

// ---- charts --------------------------------------------------------------------------------

// Arrow keys walk through the points of a chart; what they mean is said in its live region.
function walk(canvas, chart, status, describe) {
	let at = -1;
	canvas.addEventListener("keydown", (event) => {
		const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
		const points = chart.data.datasets.flatMap((d, datasetIndex) => d.label === "Pareto front" ? []
			: d.data.map((p, index) => ({ datasetIndex, index })));
		if (!step || !points.length) return;
		event.preventDefault();
		at = (at + step + points.length) % points.length;
		chart.setActiveElements([points[at]]);
		chart.tooltip.setActiveElements([points[at]], { x: 0, y: 0 });
		chart.update("none");
		status.textContent = describe(points[at]);
	});
}

function figure(id, name, caption, config, tableNode, describe, height) {
	if (charts[id]) charts[id].destroy();
	const open = byId(id + "-figure").querySelector("details")?.open;
	const canvas = el("canvas", { id: id + "-canvas", role: "img", tabindex: "0", "aria-label": name + ". Arrow keys go through the values." });
	const status = el("p", { class: "dim", role: "status", "aria-live": "polite" });
	const plot = el("div", { class: "plot" }, canvas);
	if (height) plot.style.height = height + "px";
	fill(id + "-figure", el("figure", {}, plot, el("figcaption", {}, caption)), status, alternative(tableNode, open));
	Chart.defaults.color = css("--fg");
	Chart.defaults.borderColor = css("--line");
	Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
	config.options = Object.assign({ animation: false, responsive: true, maintainAspectRatio: false }, config.options);
	charts[id] = new Chart(canvas, config);
	walk(canvas, charts[id], status, describe);
}

function nothing(id, text) {
	if (charts[id]) charts[id].destroy();
	delete charts[id];
	fill(id + "-figure", el("p", {}, text));
}

// On the front is who is beaten by nobody in both.
function paretoFront(points, betterX, betterY) {
	const beats = (a, b) => (a.x - b.x) * betterX >= 0 && (a.y - b.y) * betterY >= 0 && (a.x !== b.x || a.y !== b.y);
	return points.filter((p) => !points.some((q) => beats(q, p)));
}

function fillMetrics(id, choices) {
	const select = byId(id), before = select.value;
	select.replaceChildren(...choices.map((m) => el("option", { value: m.name }, metricName(m))));
	if (choices.some((m) => m.name === before)) select.value = before;
}

function drawPareto() {
	const g = group();
	const index = (name) => g.metrics.findIndex((m) => m.name === name);
	const xi = index(byId("energy-metric").value), yi = index(byId("perf-metric").value);
	if (xi < 0 || yi < 0) return nothing("pareto", "The runs have no metric of performance, or none of energy.");
	const mx = g.metrics[xi], my = g.metrics[yi];
	const points = g.configs.map((c, k) => ({ x: c.cells[xi][1], y: c.cells[yi][1], k })).filter((p) => p.x !== null && p.y !== null);
	const front = paretoFront(points, mx.better, my.better).sort((a, b) => a.x - b.x);
	const onFront = new Set(front.map((p) => p.k));
	const legend = points.length <= CHART_CONFIGS;
	const sets = points.map((p) => ({ label: g.configs[p.k].name, data: [{ x: p.x, y: p.y }], pointRadius: onFront.has(p.k) ? 7 : 5,
		pointStyle: POINTS[p.k % POINTS.length], backgroundColor: colour(p.k), borderColor: colour(p.k), borderWidth: 2 }));
	sets.push({ label: "Pareto front", type: "line", data: front.map((p) => ({ x: p.x, y: p.y })), borderColor: css("--fg"),
		borderDash: [4, 4], borderWidth: 1.5, pointRadius: 0, pointHitRadius: 0 });
	const text = (p) => `${p.x === undefined ? "" : metricName(mx) + " " + number(p.x)}; ${metricName(my)} ${number(p.y)}`;
	figure("pareto", `Scatter chart: ${my.name} against ${mx.name}`,
		`${groupName(g)}: each point is a configuration; on the dashed front is who is beaten by no other in both.`,
		{ type: "scatter", data: { datasets: sets }, options: {
			plugins: { legend: { display: legend, position: "right", labels: { usePointStyle: true } },
				tooltip: { callbacks: { label: (c) => c.dataset.label + ": " + text(c.parsed) } } },
			scales: { x: { title: { display: true, text: metricName(mx) + (mx.better < 0 ? " (lower is better)" : " (higher is better)") } },
				y: { title: { display: true, text: metricName(my) + (my.better < 0 ? " (lower is better)" : " (higher is better)") } } } } },
		table("Performance against energy", [head("Configuration", 1), head(metricName(my)), head(metricName(mx)), head("On the Pareto front", 1)],
			points.map((p) => [g.configs[p.k].name, number(p.y), number(p.x), onFront.has(p.k) ? "yes" : "no"])),
		({ datasetIndex }) => sets[datasetIndex].label + ": " + text(sets[datasetIndex].data[0]));
}

// Counts by upper bound, over all runs of a configuration.
function latencyOf(config) {
	const buckets = new Map(), wake = [0, 0, 0, 0, 0, 0];
	for (const r of config.runs.map((i) => data.runs[i])) {
		for (const [upper, count] of r.buckets) buckets.set(upper, (buckets.get(upper) || 0) + count);
		r.wake.forEach((v, i) => { wake[i] = i === 4 ? Math.max(wake[i], v) : wake[i] + v / (i === 5 ? 1 : config.runs.length); });
	}
	const sorted = [...buckets].sort((a, b) => a[0] - b[0]);
	const total = sorted.reduce((sum, [, count]) => sum + count, 0);
	// How many take longer than each bound; all take longer than the lower bound of the first bucket.
	let left = total;
	const points = sorted.map(([upper, count]) => ({ x: upper / 1000, y: Math.max(100 * (left -= count) / total, LEAST_PERCENT) }));
	if (sorted.length) points.unshift({ x: sorted[0][0] / 2000, y: 100 });
	return { wake, total, points };
}

function drawLatency() {
	const g = group();
	const shown = chosen().map((k) => ({ k, name: g.configs[k].name, ...latencyOf(g.configs[k]) })).filter((c) => c.total > 0);
	if (!shown.length) return nothing("latency", "The chosen runs woke nobody.");
	const sets = shown.map((c) => ({ label: c.name, data: c.points, borderColor: colour(c.k), backgroundColor: colour(c.k), stepped: "before",
		borderDash: DASHES[Math.floor(c.k / 2) % DASHES.length], borderWidth: 2, pointRadius: 2, pointStyle: POINTS[c.k % POINTS.length] }));
	const heads = ["p50", "p90", "p99", "p99.9", "Longest"];
	figure("latency", "Line chart: share of wake-ups that took longer",
		`${groupName(g)}: from the wake-up until the task runs. Bounds are powers of two; what is at the bottom is ${LEAST_PERCENT} % or less.`,
		{ type: "line", data: { datasets: sets }, options: {
			plugins: { legend: { position: "bottom" }, tooltip: { callbacks: { title: () => "", label: (c) => `${c.dataset.label}: ${number(c.parsed.y)} % longer than ${number(c.parsed.x)} \u00b5s` } } },
			scales: { x: { type: "logarithmic", title: { display: true, text: "latency, \u00b5s" } },
				y: { type: "logarithmic", min: LEAST_PERCENT, max: 100, title: { display: true, text: "wake-ups that took longer, %" } } } } },
		table("Wake-up latency, \u00b5s: means over the iterations, and the longest of all", [head("Configuration", 1), ...heads.map((h) => head(h)), head("Wake-ups")],
			shown.map((c) => [c.name, ...c.wake.slice(0, 5).map((v) => number(v / 1000)), String(c.wake[5])])),
		({ datasetIndex, index }) => { const p = sets[datasetIndex].data[index];
			return `${sets[datasetIndex].label}: ${number(p.y)} % of the wake-ups took longer than ${number(p.x)} \u00b5s`; });
}

function shade(i, n) {
	const hue = 215 - (n > 1 ? 190 * i / (n - 1) : 0);
	return `hsl(${hue} 62% ${i % 2 ? 58 : 46}%)`;
}

// parts: names; share(config): their shares in per cent.
function stack(id, name, caption, parts, shares, colours) {
	const g = group(), shown = chosen();
	const sets = parts.map((part, i) => ({ label: part, data: shown.map((k) => shares(g.configs[k])[i]), backgroundColor: colours(i, parts.length),
		borderColor: css("--bg"), borderWidth: 1 }));
	figure(id, name, caption, { type: "bar", data: { labels: shown.map((k) => g.configs[k].name), datasets: sets }, options: { indexAxis: "y",
		plugins: { legend: { position: "bottom", display: parts.length <= 16 }, tooltip: { callbacks: { label: (c) => `${c.dataset.label}: ${number(c.parsed.x)} %` } } },
		scales: { x: { stacked: true, min: 0, max: 100, title: { display: true, text: "%" } }, y: { stacked: true } } } },
	table(caption, [head("Configuration", 1), ...parts.map((p) => head(p + ", %"))],
		shown.map((k) => [g.configs[k].name, ...shares(g.configs[k]).map((v) => number(v))])),
	({ datasetIndex, index }) => `${g.configs[shown[index]].name}: ${sets[datasetIndex].label} ${number(sets[datasetIndex].data[index])} %`,
	110 + 44 * Math.max(shown.length, 2) + 18 * Math.ceil(Math.min(parts.length, 16) / 4));
}

function drawResidency() {
	const g = group(), runs = g.configs.flatMap((c) => c.runs.map((i) => data.runs[i]));
	const states = [...new Set(runs.flatMap((r) => r.idle.map((s) => s[0])))];
	const khz = [...new Set(runs.flatMap((r) => r.freq.map((f) => f[0])))].sort((a, b) => a - b);
	const sums = (config, names, pick) => { const sum = new Array(names.length).fill(0);
		for (const i of config.runs) for (const [name, ns] of pick(data.runs[i])) sum[names.indexOf(name)] += ns;
		const total = sum.reduce((a, b) => a + b, 0);
		return sum.map((v) => total ? 100 * v / total : 0); };
	const all = ["busy", ...states];
	stack("idle", "Stacked bars: share of all CPUs' time by idle state", "Time of all CPUs: busy, or in an idle state", all,
		(c) => sums(c, all, (r) => [["busy", r.busy], ...r.idle]), (i, n) => i ? shade(i - 1, n - 1) : css("--fg"));
	if (!khz.length) return nothing("freq", "The runs have no frequency.");
	stack("freq", "Stacked bars: share of run time by frequency", "Run time by frequency", khz.map((f) => number(f / 1000) + " MHz"),
		(c) => sums(c, khz, (r) => r.freq), shade);
}

// ---- notes and runs ------------------------------------------------------------------------

function drawNotes() {
	if (!data.notes.length) return fill("notes-list", el("p", {}, "No run carries a note."));
	const carriers = data.notes.map(() => 0);
	for (const r of data.runs) for (const n of r.notes) carriers[n]++;
	fill("notes-list", el("ol", { class: "notes" }, ...data.notes.map((text, i) => el("li", { id: "note-" + (i + 1) }, text + " ",
		el("span", { class: "dim" }, carriers[i] === data.runs.length ? "(all runs)" : `(${carriers[i]} of ${data.runs.length} runs)`)))));
}

function runRow(r, i) {
	const notes = r.notes.flatMap((n) => [el("a", { href: "#note-" + (n + 1) }, String(n + 1)), " "]);
	const cells = [r.machine, r.workload, r.policy, r.scaling, String(r.seed), String(r.iteration), r.version,
		r.hashes.map((h) => h.slice(0, 8)).join(" "), duration(r.elapsed), number(r.package_uj / 1e6)].map((text, k) =>
		el("td", { class: k < 8 ? "text" : null }, text));
	return el("tr", {}, el("th", { scope: "row" }, el("code", {}, r.id ? r.id.slice(0, 12) : String(i + 1))), ...cells,
		el("td", { class: "text" }, ...notes), el("td", { class: "text" }, el("code", {}, r.command)));
}

function drawRuns() {
	const wanted = byId("run-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
	const matches = data.runs.map((r, i) => ({ r, i })).filter(({ r }) => {
		const text = `${r.id} ${r.machine} ${r.workload} ${r.policy} ${r.seed} ${r.scaling} ${r.version}`.toLowerCase();
		return wanted.every((w) => text.includes(w));
	});
	const all = byId("runs").dataset.all === "yes", shown = all ? matches : matches.slice(0, ROWS_SHOWN);
	byId("run-count").textContent = `${matches.length} of ${data.runs.length} runs` + (shown.length < matches.length ? `, the first ${shown.length} are shown` : "");
	const names = ["Machine", "Workload", "Policy", "Scaling", "Seed", "Iteration", "Version", "Hashes", "Elapsed", "Package, J", "Notes", "Command that repeats it"];
	const node = el("table", { id: "runs-data" }, el("caption", {}, "Runs"),
		el("thead", {}, el("tr", {}, ...["Run", ...names].map((n, i) => el("th", { scope: "col", class: i === 9 || i === 10 ? null : "text" }, n)))),
		el("tbody", {}, ...shown.map(({ r, i }) => runRow(r, i))));
	const more = el("button", { type: "button" }, `Show all ${matches.length}`);
	more.addEventListener("click", () => { byId("runs").dataset.all = "yes"; drawRuns(); });
	fill("runs-table", node, shown.length < matches.length ? more : "");
}

function drawContents() {
	const seen = new Map();
	for (const r of data.runs) r.hashes.forEach((h, i) => { if (h) seen.set(data.hash_names[i] + "\n" + h, [data.hash_names[i], h, i === 1 ? r.machine : i === 2 ? r.workload : r.policy]); });
	if (!seen.size) return;
	fill("contents-table", el("details", {}, el("summary", {}, "Contents: the hashes in full"),
		el("div", { class: "scroll" }, table("SHA-256 of what runs are made of", [head("What", 1), head("Hash", 1), head("First used by", 1)],
			[...seen.values()].map(([what, hash, by]) => [what, el("code", {}, hash), what === "code" ? "" : by])))));
}

// ---- all of it -----------------------------------------------------------------------------

function drawCharts() { drawPareto(); drawLatency(); drawResidency(); if (window.drawTimeline) window.drawTimeline(); }

function chooseGroup() {
	const g = group();
	sorting = { column: -1, down: false };
	byId("configs").replaceChildren(...g.configs.map((c, i) => el("option", { value: i, selected: i < CHART_CONFIGS }, c.name)));
	fillMetrics("perf-metric", g.metrics.filter((m) => m.section === 0 && m.better));
	fillMetrics("energy-metric", g.metrics.filter((m) => m.section === 1 && m.better).sort((a, b) => (b.name === "package_j") - (a.name === "package_j")));
	if (g.fixed_time && g.metrics.some((m) => m.name === "package_w")) byId("energy-metric").value = "package_w";
	drawOverview();
	drawCharts();
}

function begin() {
	byId("about").textContent = `${data.runs.length} runs, corepace ${data.version}`;
	byId("group").replaceChildren(...data.groups.map((g, i) => el("option", { value: i }, groupName(g))));
	byId("group").addEventListener("change", chooseGroup);
	byId("configs").addEventListener("change", drawCharts);
	byId("perf-metric").addEventListener("change", drawPareto);
	byId("energy-metric").addEventListener("change", drawPareto);
	byId("run-filter").addEventListener("input", drawRuns);
	byId("theme").addEventListener("click", () => {
		const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark"
			: matchMedia("(prefers-color-scheme: dark)").matches;
		document.documentElement.dataset.theme = dark ? "light" : "dark";
		drawCharts();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
	// Paper shows everything, on white.
	addEventListener("beforeprint", () => {
		for (const d of document.querySelectorAll("details")) d.open = true;
		byId("runs").dataset.all = "yes";
		drawRuns();
		drawCharts();
		for (const d of document.querySelectorAll("details")) d.open = true;
	});
	addEventListener("afterprint", drawCharts);
	drawNotes();
	drawRuns();
	drawContents();
	chooseGroup();
}
begin();
