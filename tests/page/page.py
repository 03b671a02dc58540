#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The report in a real Chromium: nothing on the console, every chart drawn in light and dark, tables
complete, all of it reached by keyboard and named for screen readers, names from outside inert.
Usage: page.py PROGRAM [FOLDER for screenshots]. 77: no Chromium here."""
import json
import os
import subprocess
import sys
import tempfile

import chromium

HOSTILE = "<script>window.hacked=1<img src=x onerror=hacked=1>&amp;"
NOTE = "</script><script>window.hacked=1</script><!-- \u2028 \" ' note"
CANVASES = ["pareto-canvas", "latency-canvas", "idle-canvas", "freq-canvas", "timeline-canvas"]
POLICIES = ["idle=menu@6.1", "idle=poll", "idle=state:1"]
ITERATIONS = 2


def make_runs(program, folder):
    """Results of two workloads, one of whose names is hostile, as a report; the runs."""
    recording = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../workloads/recorded/pipe.cpw")
    documents = []
    for workload in "pipe-test:loops=500", None:
        arguments = ["run", "-m", "i7-2600k", "-n", str(ITERATIONS), "--json"]
        for p in POLICIES:
            arguments += ["-p", p]
        if workload is None:
            workload = "./" + HOSTILE + ".cpw"
            os.symlink(os.path.realpath(recording), os.path.join(folder, workload))
            arguments += ["--scaling", "all"]
        done = subprocess.run([program, *arguments, "-w", workload], cwd=folder, check=True, capture_output=True)
        documents.append(json.loads(done.stdout))
    for d in documents:
        for r in d["runs"]:
            r["notes"].append(NOTE)
    for i, d in enumerate(documents):
        with open(os.path.join(folder, f"{i}.json"), "w", encoding="utf-8") as out:
            json.dump(d, out)
    subprocess.run([program, "report", "-o", "report.html", "--timelines", "4", "0.json", "1.json"],
                   cwd=folder, check=True)
    return [r for d in documents for r in d["runs"]]


PIXELS = """(() => { const c = document.getElementById(%r); c.scrollIntoView();
 const d = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);
 const seen = new Map(); for (const p of d) seen.set(p, (seen.get(p) || 0) + 1);
 return [d.length - Math.max(...seen.values()), seen.size, c.width * c.height]; })()"""


def check_drawn(page):
    for canvas in CANVASES:
        different, colours, size = page.run(PIXELS % canvas)
        assert size > 10000 and different > 500 and colours > 4, (canvas, different, colours, size)


def check_inert(page):
    assert page.run("window.hacked") is None, "something from outside was executed"
    assert page.run("document.scripts.length") == 4, "scripts that are not the page's"
    assert page.run("document.images.length") == 0
    text = page.run("document.getElementById('runs').textContent")
    assert HOSTILE + ".cpw" in text, "the name does not stand as text"
    assert NOTE in page.run("document.getElementById('notes').textContent")


def choose(page, select, value):
    page.run(f"(() => {{ const s = document.getElementById('{select}'); s.value = '{value}';"
             " s.dispatchEvent(new Event('change')); })()")


def mean(runs, policy, metric):
    values = [r["metrics"][metric]["value"] for r in runs if r["policy"] == policy]
    higher = runs[0]["metrics"][metric]["better"] == "higher"
    return len(values) / sum(1 / v for v in values) if higher else sum(values) / len(values)


def check_tables(page, runs):
    assert page.run("document.querySelectorAll('#runs-data tbody tr').length") == len(runs)
    for group, workload in enumerate(["pipe-test:loops=500", "./" + HOSTILE + ".cpw"]):
        choose(page, "group", group)
        heads = page.run("[...document.querySelectorAll('#overview-data thead th')].map((t) => t.textContent)")
        rows = page.run("[...document.querySelectorAll('#overview-data tbody tr')].map((r) =>"
                        " [...r.cells].map((c) => c.firstChild ? c.firstChild.textContent : ''))")
        mine = [r for r in runs if r["workload"] == workload]
        assert [r[0] for r in rows] == POLICIES, rows
        for name in mine[0]["metrics"]:
            if name.startswith("idle_s:"):  # as shares in the figure of idle states
                continue
            column = next(i for i, h in enumerate(heads) if h.split(",")[0] == name)
            for row in rows:
                shown, want = float(row[column].split(" ")[0]), mean(mine, row[0], name)
                assert abs(shown - want) <= 6e-4 * abs(want) + 5e-7, (name, row[0], shown, want)
        for figure in "pareto", "latency", "idle", "freq":
            count = page.run(f"document.querySelectorAll('#{figure}-figure tbody tr').length")
            assert count == len(POLICIES), (figure, count)
        # Busy and idle are all the time there is.
        for cells in page.run("[...document.querySelectorAll('#idle-figure tbody tr')].map((r) =>"
                              " [...r.cells].slice(1).map((c) => Number(c.textContent)))"):
            assert abs(sum(cells) - 100) < 0.1, cells
    choose(page, "group", 0)


FOCUSABLE = """(() => { window.stops = [...document.querySelectorAll(
 'a[href], button, select, input, summary, canvas, [tabindex="0"]')].filter((e) => e.checkVisibility() && e.tabIndex >= 0);
 window.seen = new Set(); document.addEventListener('focusin', (e) => seen.add(e.target)); document.body.focus();
 return stops.length; })()"""


def check_keyboard(page):
    count = page.run(FOCUSABLE)
    assert count > 30, count
    for _ in range(count + 5):
        page.key("Tab")
    missed = page.run("stops.filter((e) => !seen.has(e)).map((e) => e.outerHTML.slice(0, 100))")
    assert not missed, missed
    for canvas in CANVASES:
        status = (f"document.getElementById('{canvas}').closest('section, .pair > div').querySelector('[role=status]').textContent"
                  if canvas == "timeline-canvas" else
                  f"document.getElementById('{canvas}'.replace('canvas', 'figure')).querySelector('[role=status]').textContent")
        page.run(f"document.getElementById('{canvas}').focus()")
        before = page.run(status)
        page.key("+" if canvas == "timeline-canvas" else "ArrowRight")
        assert page.run(status) != before, f"{canvas} does not take keys"
    page.run("document.querySelector('#overview-data th button').focus()")
    page.key("Enter")
    assert page.run("document.querySelectorAll('#overview-data th[aria-sort]').length") == 1
    page.run("document.getElementById('theme').focus()")
    theme = page.run("getComputedStyle(document.body).backgroundColor")
    page.key("Enter")
    assert page.run("getComputedStyle(document.body).backgroundColor") != theme
    page.key("Enter")


def check_names(page):
    named = {"button", "combobox", "listbox", "searchbox", "textbox", "link", "img", "image", "region", "heading",
             "navigation", "table", "DisclosureTriangle"}
    for node in page.ask("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in named:
            assert node.get("name", {}).get("value", "").strip(), (role, node.get("backendDOMNodeId"))
    assert page.run("document.documentElement.lang") == "en" and page.run("document.title")


def look(page, scheme):
    page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.run("new Promise((r) => setTimeout(r, 300))")
    check_drawn(page)
    channels = page.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(channels) < 150) == (scheme == "dark"), (scheme, channels)


def main():
    if not chromium.find():
        print("no chromium here")
        return 77
    program = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        runs = make_runs(program, folder)
        with chromium.Browser() as page:
            page.open(os.path.join(folder, "report.html"))
            check_inert(page)
            for scheme in "light", "dark":
                look(page, scheme)
                if len(sys.argv) > 2:
                    page.screenshot(os.path.join(sys.argv[2], scheme + ".png"))
            check_tables(page, runs)
            check_names(page)
            check_keyboard(page)
            page.ask("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
            wide = page.run("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1] + 1, f"a narrow window scrolls sideways: {wide}"
            page.ask("Emulation.clearDeviceMetricsOverride")
            paper = page.ask("Page.printToPDF")["data"]
            assert len(paper) > 50000, "nothing on paper"
            problems = page.problems()
            assert not problems, problems
    return 0


sys.exit(main())
