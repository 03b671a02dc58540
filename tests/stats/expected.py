#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures that src/stats must give, from MMTests' definitions and from nothing else.

`expected.py` writes sets.txt (made-up samples) and expected.txt beside itself; `expected.py --check`
says whether the files there are what it would write. Python's own fractions and integers keep the
arithmetic independent of the C code's.
"""
import math
import pathlib
import random
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).parent
NAN = math.nan


def amean(x):
    return float(sum(map(Fraction, x)) / len(x))


def hmean(x):
    if min(x) <= 0:
        return NAN
    return float(len(x) / sum(1 / Fraction(v) for v in x))


def gmean(x):
    if min(x) <= 0:
        return NAN
    return math.prod(v ** (1 / len(x)) for v in x)


def stddev(x):
    if len(x) < 2:
        return NAN
    m = sum(map(Fraction, x)) / len(x)
    return math.sqrt(sum((Fraction(v) - m) ** 2 for v in x) / (len(x) - 1))


def hstddev(x):
    if len(x) < 2 or min(x) <= 0:
        return NAN
    h = len(x) / sum(1 / Fraction(v) for v in x)
    return math.sqrt(h ** 4 * sum((1 / Fraction(v) - 1 / h) ** 2 for v in x) / len(x))


def coeffvar(x):
    sd, m = stddev(x), amean(x)
    return 0.0 if math.isnan(sd) or m == 0 else 100 * sd / m


def best(x, percent, better):
    ordered = sorted(x, reverse=better == "higher")
    return ordered[: max(1, int(len(x) * percent / 100))]


def bmean(x, percent, better):
    chosen = best(x, percent, better)
    return hmean(chosen) if better == "higher" else amean(chosen)


def percent(base, new, better):
    if math.isnan(base) or math.isnan(new):
        return NAN
    if base == new:
        return 0.0
    if base == 0:
        return NAN
    return 100 * new / base - 100 if better == "higher" else 100 - 100 * new / base


def t_two_sided(t, df):
    """2 * the upper tail of Student's t, by Simpson's rule over the density."""
    norm = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    # x = tan(u) maps the tail to a bounded interval.
    def f(u):
        c = math.cos(u)
        if c <= 0:
            return 0.0
        x = math.tan(u)
        return norm * (1 + x * x / df) ** (-(df + 1) / 2) / (c * c)

    a, b, n = math.atan(t), math.pi / 2 - 1e-12, 20000
    h = (b - a) / n
    total = f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n))
    return 2 * total * h / 3


def welch(base, new):
    if len(base) < 2 or len(new) < 2:
        return NAN
    a, b = stddev(base) ** 2 / len(base), stddev(new) ** 2 / len(new)
    if a + b == 0:
        return NAN
    t = abs(amean(base) - amean(new)) / math.sqrt(a + b)
    df = (a + b) ** 2 / (a * a / (len(base) - 1) + b * b / (len(new) - 1))
    return t_two_sided(t, df)


def figures(base, new, better):
    higher = better == "higher"
    mean, sd = (hmean, hstddev) if higher else (amean, stddev)
    difference = abs(mean(base) - mean(new))
    yield "n", len(new)
    yield "min", min(new)
    yield "max", max(new)
    yield "amean", amean(new)
    yield "hmean", hmean(new)
    yield "stddev", stddev(new)
    yield "hstddev", hstddev(new)
    yield "coeffvar", coeffvar(new)
    for p in 50, 75, 90, 95, 99:
        yield f"bmean_{p}", bmean(new, p, better)
    for p in 50, 90, 95, 99:
        yield f"pctile_{p}", best(new, p, better)[-1]
    yield "percent", percent(mean(base), mean(new), better)
    yield "percent_stddev", percent(stddev(base), stddev(new), "lower")
    yield "significant", int(difference > 1.96 * (sd(base) + sd(new)))
    yield "gmean_ratio", gmean(new) / gmean(base)
    yield "welch_p", welch(base, new)


def make_sets():
    """(name, better, base, new). Values have few digits, so that text holds them exactly."""
    rng = random.Random(20261130)
    sets = [
        ("one_sample", "lower", [4.25], [3.5]),
        ("one_against_many", "higher", [100.0], [90.0, 110.0, 105.0]),
        ("equal", "lower", [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]),
        ("constant", "higher", [5.0] * 4, [6.0] * 4),
        ("constant_equal", "lower", [5.0] * 4, [5.0] * 4),
        ("zero_base", "lower", [0.0, 0.0], [1.0, 2.0]),
        ("zero_new", "lower", [1.0, 2.0], [0.0, 0.0]),
        ("zero_among_rates", "higher", [1.0, 2.0, 3.0], [0.0, 2.0, 3.0]),
        ("negative", "lower", [-1.0, -2.0, 4.0], [-3.0, 1.0, 5.0]),
        ("two_samples", "higher", [10.0, 12.0], [15.0, 13.0]),
        ("outlier", "lower", [1.0] * 19 + [100.0], [1.0] * 20 + [2.0]),
        ("huge", "higher", [1.5e15, 1.25e15], [3.5e15, 2.5e15, 3e15]),
        ("tiny", "lower", [1.5e-9, 1.25e-9], [3.5e-9, 2.5e-9, 3e-9]),
        ("large_offset", "lower", [1e9 + i for i in range(7)], [1e9 + 2 * i for i in range(9)]),
    ]
    shapes = {
        "normal": lambda s: rng.gauss(100 * s, 5),
        "skewed": lambda s: rng.expovariate(1 / (20 * s)) + 1,
        "wide": lambda s: rng.lognormvariate(2, 1.5) * s + 0.001,
    }
    for shape, draw in shapes.items():
        for better in "lower", "higher":
            for n in 3, 5, 10, 30, 101:
                scale = rng.choice([0.7, 0.95, 1.0, 1.1, 1.8])
                base = [round(draw(1.0), 4) for _ in range(n)]
                new = [round(draw(scale), 4) for _ in range(n + rng.choice([0, 0, 1]))]
                sets.append((f"{shape}_{better}_{n}", better, base, new))
    return sets


def write_all():
    samples = ["# SPDX-License-Identifier: GPL-2.0-or-later", "# Written by expected.py."]
    wanted = list(samples)
    for name, better, base, new in make_sets():
        for which, values in ("base", base), ("new", new):
            samples.append(f"{name} {better} {which} " + " ".join(repr(v) for v in values))
        wanted += [f"{name} {key} {value:.12g}" for key, value in figures(base, new, better)]
    return "\n".join(samples) + "\n", "\n".join(wanted) + "\n"


def main():
    texts = dict(zip(("sets.txt", "expected.txt"), write_all()))
    if sys.argv[1:] == ["--check"]:
        stale = [n for n, text in texts.items() if (HERE / n).read_text() != text]
        sys.exit(f"not what expected.py writes: {' '.join(stale)}" if stale else 0)
    for name, text in texts.items():
        (HERE / name).write_text(text)


main()
