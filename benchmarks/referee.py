"""The arithmetic referee on real papers: what it flags as they are, and how many planted errors it finds.

    python benchmarks/referee.py --papers FOLDER [--limit N] [--seed 0] [--flags]

FOLDER holds papers of any kind that is read (JATS, LaTeX, PDF, Markdown …); none is part of this repository. Each paper
is read once and refereed as it is: its flags are printed with --flags, so that a person can read them. Then errors are
planted into its text in two ways. *In place*: a percentage, a test or an interval that the paper prints rightly is
changed. *Added*: a sentence in the wording of papers is put into the body, once with wrong numbers and once with right
ones; a flag on a right one is a false accusation. The kinds, wordings and numbers are drawn with the seed.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from scipy import stats

from veritas.errors import VeritasError
from veritas.papers.reading.paper_text import PaperText, read_file
from veritas.papers.referee.finding import Finding
from veritas.papers.referee.referee import referee, referee_of

Planted = tuple[str, str]
"""A sentence with right numbers, and the same with wrong ones."""
TODAY = date(2026, 1, 1)


def p_value(rng: random.Random) -> Planted:
    """A test statistic whose p-value is another one."""
    df = rng.randint(12, 240)
    kind = rng.choice("tFrcz")
    if kind == "t":
        value = rng.uniform(1.0, 4.0)
        p, said = 2 * stats.t.sf(value, df), f"t({df}) = {value:.2f}"
    elif kind == "F":
        one, value = rng.randint(1, 4), rng.uniform(1.0, 9.0)
        p, said = stats.f.sf(value, one, df), f"F({one}, {df}) = {value:.2f}"
    elif kind == "r":
        value = rng.uniform(0.1, 0.5)
        p, said = 2 * stats.t.sf(value * (df / (1 - value * value)) ** 0.5, df), f"r({df}) = .{value * 1000:03.0f}"
    elif kind == "c":
        one, value = rng.randint(1, 5), rng.uniform(2.0, 15.0)
        p, said = stats.chi2.sf(value, one), f"χ2({one}, N = {df}) = {value:.2f}"
    else:
        value = rng.uniform(1.0, 3.5)
        p, said = 2 * stats.norm.sf(value), f"z = {value:.2f}"
    said_p = "p < .001" if p < 0.001 else f"p = {p:.3f}"
    other = "p = .240" if p < 0.12 else "p = .012"
    words = rng.choice(("The groups differed, {}.", "There was an effect of condition ({}).", "This was tested: {}."))
    return words.format(f"{said}, {said_p}"), words.format(f"{said}, {other}")


def share(rng: random.Random) -> Planted:
    """A percentage that is not that of its count."""
    whole = rng.randint(40, 900)
    part = rng.randint(5, whole - 5)
    places = rng.choice((0, 1, 1, 2))
    right, wrong = 100 * part / whole, 100 * part / whole + rng.choice((-1, 1)) * rng.uniform(2, 4)
    words = rng.choice((
        "Of the patients, {k} of {n} ({p}%) recovered.", "Overall, {k}/{n} ({p}%) tested positive.",
        "{p}% ({k}/{n}) of the samples were positive.", "A total of {k} out of {n} respondents ({p}%) agreed.",
        "Relapse occurred in {k} of the {n} participants ({p}%).", "The response rate was {p}% ({k} of {n}).",
    ))  # fmt: skip
    return tuple(words.format(k=part, n=whole, p=f"{abs(p):.{places}f}") for p in (right, wrong))  # type: ignore[return-value]


def interval(rng: random.Random) -> Planted:
    """An estimate outside its interval, or an interval that decides otherwise than the p-value."""
    log, width = rng.uniform(0.25, 0.9), rng.uniform(0.1, 0.2)
    low, value, high = (2.718281828 ** (log + each) for each in (-width, 0.0, width))
    words = rng.choice((
        "The risk was higher (OR {v:.2f}, 95% CI {a:.2f} to {b:.2f}).",
        "We found HR = {v:.2f} (95% CI: {a:.2f}–{b:.2f}).",
        "Mortality rose (RR {v:.2f}; 95% CI {a:.2f}-{b:.2f}).", "The odds ratio was {v:.2f} (95% CI {a:.2f}, {b:.2f}).",
        "Exposure mattered (adjusted OR = {v:.2f}, 95% confidence interval [{a:.2f}, {b:.2f}]).",
    ))  # fmt: skip
    return words.format(v=value, a=low, b=high), words.format(v=high * rng.uniform(1.1, 1.4), a=low, b=high)


def mean(rng: random.Random) -> Planted:
    """A mean that no whole numbers of that many people have (GRIM)."""
    n = rng.randint(11, 60)
    total = rng.randint(2 * n, 6 * n)
    wrong = next(t / 100 for t in range(200 + rng.randint(0, 300), 700)
                 if all(abs(k / n - t / 100) > 0.00501 for k in range(n * 8)))  # fmt: skip
    words = rng.choice((
        "Participants rated their mood on a 7-point scale (M = {m:.2f}, n = {n}).",
        "On a scale from 1 to 7, satisfaction was high (n = {n}, M = {m:.2f}).",
        "The number of errors was low (mean = {m:.2f}, n = {n}).",
    ))  # fmt: skip
    return words.format(m=total / n, n=n), words.format(m=wrong, n=n)


def groups(rng: random.Random) -> Planted:
    """Groups that do not make up the total."""
    a, b = rng.randint(20, 90), rng.randint(20, 90)
    off = rng.choice((-3, -2, 2, 3, 5))
    words = rng.choice((
        "A total of {t} participants were randomly assigned to treatment (n = {a}) or the control group (n = {b}).",
        "The {t} patients were allocated to drug (n = {a}) and placebo (n = {b}).",
        "We randomized {t} adults to exercise (n = {a}) or usual care (n = {b}).",
    ))  # fmt: skip
    return words.format(t=a + b, a=a, b=b), words.format(t=a + b + off, a=a, b=b)


def when(rng: random.Random) -> Planted:
    """A day that no month has, or a period that ends before it begins."""
    year = rng.randint(2005, 2022)
    return rng.choice((
        (f"The survey began on 28 February {year}.", f"The survey began on 30 February {year}."),
        (f"Patients were recruited between March {year} and June {year + 1}.",
         f"Patients were recruited between March {year + 1} and June {year}."),
        (f"The study took place on November 30, {year}.", f"The study took place on November 31, {year}."),
    ))  # fmt: skip


def table(rng: random.Random) -> Planted:
    """A total that is not the sum of its column."""
    rows = [[rng.randint(3, 90) for _ in range(3)] for _ in range(rng.randint(2, 5))]
    totals = [sum(row[i] for row in rows) for i in range(3)]
    wrong = list(totals)
    wrong[rng.randrange(3)] += rng.choice((-2, -1, 1, 2, 10))

    def shown(sums: list[int]) -> str:
        lines = ["Site\tFirst\tSecond\tThird", *(f"Site {i}\t" + "\t".join(map(str, r)) for i, r in enumerate(rows))]
        return (
            "\n\nTable 91. Samples by site.\n\n" + "\n".join([*lines, "Total\t" + "\t".join(map(str, sums))]) + "\n\n"
        )

    return shown(totals), shown(wrong)


ADDED: dict[str, Callable[[random.Random], Planted]] = {
    "test": p_value, "percentage": share, "interval": interval, "mean": mean, "groups": groups,
    "date": when, "table total": table,
}  # fmt: skip

_SHARE = re.compile(r"(?<![\d.,/])(\d{1,4})(?: of | out of |/)(\d{1,4})\b[^.;()\d]{0,40}\((\d{1,2}(?:\.\d{1,2})?) ?%\)")
_TEST = re.compile(r"\b([tr] ?\((\d+(?:\.\d+)?)\) ?= ?-?)(\d*\.\d+)(,? ?p ?)([=<]) ?(0?\.\d+)")
_CI = re.compile(
    r"\b(?:OR|HR|RR)\b[^.;\d]{0,12}(\d\.\d+)[^.;\d]{0,6}95 ?% ?CI[^\d.;-]{0,4}(\d\.\d+)[^\d]{1,4}(\d\.\d+)"
)


def in_place(text: str, rng: random.Random) -> Iterator[tuple[str, int, int, str]]:
    """Yield (kind, start, end, new words) for numbers that the text prints rightly, made wrong."""
    for match in _SHARE.finditer(text):
        part, whole, percent = int(match[1]), int(match[2]), float(match[3])
        places = len(match[3].partition(".")[2])
        if 0 < part <= whole and abs(100 * part / whole - percent) <= 0.51 * 10**-places:
            yield "percentage", *match.span(3), f"{percent + rng.uniform(3, 6):.{places}f}"
    for match in _TEST.finditer(text):
        value, df, p = float(match[3]), float(match[2]), float(match[6])
        size = value if match[1][0] == "t" else value * (df / max(1e-9, 1 - value * value)) ** 0.5
        made = 2 * stats.t.sf(size, df)
        if abs(made - p) < 0.002 or (match[5] == "<" and made < p):
            yield "test", *match.span(6), ".014" if made > 0.08 else ".34"
    for match in _CI.finditer(text):
        value, low, high = (float(match[i]) for i in (1, 2, 3))
        if low < value < high:
            yield "interval", *match.span(1), f"{high * rng.uniform(1.1, 1.5):.2f}"


def right_kind(found: list[Finding], start: int, end: int) -> bool:
    """Return whether a finding, notes apart, overlaps `[start, end)`."""
    return any(f.location.start < end and f.location.end > start and f.severity != "note" for f in found)


def refereed(paper: PaperText, text: str) -> list[Finding]:
    """Return the findings of a paper's text as it was changed. Tables are found by their tabs, without captions."""
    return list(referee(text).findings)


def with_sentences(text: str, rng: random.Random) -> tuple[str, list[tuple[str, bool, int, int]]]:
    """Return a text with a right and a wrong sentence of every kind, each behind a paragraph of its own, and for each
    (kind, whether it is right, start, end)."""
    made = [(kind, words, i == 0) for kind, make in ADDED.items() for i, words in enumerate(make(rng))]
    rng.shuffle(made)
    ends = [m.end() for m in re.finditer(r"[a-z]\.\n", text)]
    ends = ends[: max(1, len(ends) * 2 // 3)] or [0]
    points = sorted(rng.sample(ends, len(made)) if len(ends) >= len(made) else rng.choices(ends, k=len(made)))
    parts, places, last, at = [], [], 0, 0
    for point, (kind, words, right) in zip(points, made, strict=True):
        for part in (text[last:point], "\n"):
            parts.append(part)
            at += len(part)
        parts.append(f"{words}\n\n")
        places.append((kind, right, at, at + len(words)))
        at += len(words) + 2
        last = point
    return "".join([*parts, text[last:]]), places


def main() -> int:
    """Referee, plant, referee again, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=Path, required=True, help="folder of papers")
    parser.add_argument("--limit", type=int, default=10_000, help="most papers")
    parser.add_argument("--added", type=int, default=2_000, help="number of sentences that are added, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--flags", action="store_true", help="print every flag on the papers as they are")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    papers, unread = [], 0
    for path in sorted(p for p in given.papers.iterdir() if p.is_file())[: given.limit]:
        try:
            papers.append((path.name, read_file(path)))
        except VeritasError as error:
            unread += 1
            print(f"{path.name}: {error}")
    flagged, made, slowest = 0, Counter[str](), 0.0
    clean: dict[str, set[str]] = {}
    for name, paper in papers:
        begun = time.perf_counter()
        found = referee_of(paper)
        slowest = max(slowest, time.perf_counter() - begun)
        made.update(found.recomputed)
        flagged += bool(found.accused)
        clean[name] = {f.quote for f in found.findings}
        for each in found.findings if given.flags else ():
            print(f"{name}: {each.severity} {each.check}: {each.quote!r}: {each.calculation}")
    print(f"{len(papers)} papers, {unread} unread; {flagged} with a flag as they are; the slowest took {slowest:.2f} s")
    print(f"recomputed: {dict(made)}")
    found_in, planted_in = Counter[str](), Counter[str]()
    for _, paper in papers:
        for kind, start, end, words in in_place(paper.text, rng):
            text = paper.text[:start] + words + paper.text[end:]
            planted_in[kind] += 1
            found_in[kind] += right_kind(refereed(paper, text), start - 60, start + 60)
    found_added, planted, false = Counter[str](), Counter[str](), Counter[str]()
    for _, paper in [each for each in papers for _ in range(-(-given.added // max(1, len(papers) * len(ADDED))))]:
        text, places = with_sentences(paper.text, rng)
        found_all = refereed(paper, text)
        for kind, right, start, end in places:
            told = right_kind(found_all, start, end)
            (false if right else found_added)[kind] += told
            planted[kind] += not right
            if right == told:
                print(f"  {'false' if right else 'missed'} ({kind}): {text[start:end].strip()!r}")
    for title, got, of in (("in place", found_in, planted_in), ("added", found_added, planted)):
        total = sum(of.values())
        print(f"{title}: {sum(got.values())} of {total} found ({sum(got.values()) / max(1, total):.1%})")
        for kind, count in of.items():
            more = f", flagged when right {false[kind]}" if title == "added" else ""
            print(f"  {kind}: {got[kind]} of {count}{more}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
