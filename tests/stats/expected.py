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


def root(f):
    """Square root of a fraction, also where the fraction itself is no float."""
    e = (f.numerator.bit_length() - f.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(f / Fraction(4) ** e), e)


def stddev(x):
    if len(x) < 2:
        return NAN
    m = sum(map(Fraction, x)) / len(x)
    return root(sum((Fraction(v) - m) ** 2 for v in x) / (len(x) - 1))


def hstddev(x):
    if len(x) < 2 or min(x) <= 0:
        return NAN
    h = len(x) / sum(1 / Fraction(v) for v in x)
    return root(h ** 4 * sum((1 / Fraction(v) - 1 / h) ** 2 for v in x) / len(x))


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
    a, b = (Fraction(stddev(x)) ** 2 / len(x) for x in (base, new))
    if a + b == 0:
        return NAN
    t = float(abs(Fraction(amean(base)) - Fraction(amean(new))) / Fraction(root(a + b)))
    df = float((a + b) ** 2 / (a * a / (len(base) - 1) + b * b / (len(new) - 1)))
    return t_two_sided(t, df)


def t_cdf_upper(t, df):
    """Upper tail of Student's t for t >= 0: half a regularized incomplete beta, by its continued
    fraction (Lentz)."""
    a, b, x = df / 2, 0.5, df / (df + t * t)
    if x >= 1:
        return 0.5
    swap = x > (a + 1) / (a + b + 2)
    if swap:
        a, b, x = b, a, 1 - x
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    f = d
    for m in range(1, 500):
        for k in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                  -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + k * d)
            c = 1 + k / c
            f *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return (1 - front * f if swap else front * f) / 2


def t_quantile(p, df):
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf_upper(middle, df) > 1 - p else (low, middle)
    return low


def needed(base, new, percent):
    """The smallest n of each that shows the difference, 80 % power at a level of 5 %."""
    a, b = stddev(base), stddev(new)
    a, b = b if math.isnan(a) else a, a if math.isnan(b) else b
    d = amean(base) * percent / 100
    if math.isnan(a) or d == 0:
        return NAN
    spread = (a / d) ** 2 + (b / d) ** 2
    if (1.959963984540054 + 0.8416212335729143) ** 2 * spread >= 1e6:
        return math.inf
    n = 2
    while n < (t_quantile(0.975, 2 * n - 2) + t_quantile(0.8, 2 * n - 2)) ** 2 * spread:
        # No faster way is as plain; large n go up in steps that the bound cannot skip.
        n = max(n + 1, math.ceil((1.959963984540054 + 0.8416212335729143) ** 2 * spread))
    return n


class Splitmix64:
    """The generator that src/base/rng.h names, from its published definition."""

    MASK = (1 << 64) - 1

    def __init__(self, seed, stream):
        self.state = seed
        self.state = self.next() ^ stream
        self.state = self.next()

    def next(self):
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & self.MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & self.MASK
        return z ^ (z >> 31)

    def draw(self, values):
        return [values[self.next() * len(values) >> 64] for _ in values]


def bootstrap(base, new, better):
    """2.5 and 97.5 percentile of the ratio of resampled means."""
    if len(base) < 2 or len(new) < 2 or min(base) <= 0 or (better == "higher" and min(new) <= 0):
        return NAN, NAN
    # The samples in the order in which summaries keep them: best first.
    base, new = (sorted(x, reverse=better == "higher") for x in (base, new))
    rng = Splitmix64(1, 0)

    def mean(x):
        return len(x) / math.fsum(1 / v for v in x) if better == "higher" else math.fsum(x) / len(x)

    ratios = []
    for _ in range(2000):
        from_mean = mean(rng.draw(base))
        ratios.append(mean(rng.draw(new)) / from_mean)
    ratios.sort()
    return ratios[50], ratios[1949]


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
    low, high = bootstrap(base, new, better)
    yield "ratio_low", low
    yield "ratio_high", high
    yield "needed_2", needed(base, new, 2)


def make_sets():
    """(name, better, base, new). Values have few digits, so that text holds them exactly."""
    rng = random.Random(20261130)
    sets = [
        ("one_sample", "lower", [4.25], [3.5]),
        ("one_against_many", "higher", [100.0], [90.0, 110.0, 105.0]),
        ("close_together", "higher", [1000000000.0002776, 1000000000.0001838],
         [2000000000.0003, 2000000000.0001]),
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
        ("beyond_squares", "lower", [1e300, -1e300], [1e300, 5e299, 2e300]),
        ("beyond_squares_rates", "higher", [1e300, 1.5e300, 2e300], [1.25e300, 2e300]),
        ("beyond_squares_small", "higher", [1e-300, 1.5e-300], [1.25e-300, 2e-300]),
        ("zero_mean", "lower", [-1.0, 1.0], [-2.0, 3.0]),
        ("one_base_of_rates", "higher", [7.0], [7.0]),
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
