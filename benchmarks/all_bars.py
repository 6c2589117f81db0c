"""The referee of a removal: every accuracy figure that VERITAS claims, on frozen samples, in one table.

    python benchmarks/all_bars.py [--save FILE] [--before FILE] [--only judge,factcheck] [--docs FOLDER]

Each bar is a count of a number of cases, read from the output of another script of this folder, which is run as it
stands. `--before` names a file that `--save` wrote, by default that of the last landing, `all_bars.json`: a bar that is
worse than it was by more than its noise (two standard errors of the share, and at least one case) is marked, and the
exit status is then 1. A rule of the library may go if no bar is marked. FOLDER of `--docs` holds the documentation
that `questions/unseen.jsonl` is about, that of `--shared` the labelled sets; what needs an absent one is left out and
named. Takes eight minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Bar(NamedTuple):
    """A share of `of` cases, 0 to 1, which is better the higher it is, or the lower."""

    name: str
    share: float
    of: int
    higher: bool = True

    @property
    def noise(self) -> float:
        """Two standard errors of the share; near 0 and 1 that of one case more than were seen."""
        near = min(max(self.share, 1 / (self.of + 2)), 1 - 1 / (self.of + 2))
        return max(2 * math.sqrt(near * (1 - near) / self.of), 1 / self.of)

    def worse(self, before: float) -> bool:
        lost = before - self.share if self.higher else self.share - before
        return lost > self.noise


class Source(NamedTuple):
    """A script with its arguments, and what reads its output."""

    name: str
    command: tuple[str, ...]
    bars: Callable[[str], Iterator[Bar]]


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of all Markdown tables in a text by their first cell, without marks of emphasis."""
    found = {}
    for line in text.splitlines():
        if line.startswith("|") and not set(line) <= set("|-: "):
            first, *others = (cell.strip().strip("*") for cell in line.strip().strip("|").split("|"))
            found.setdefault(first, others)
    return found


def percent(cell: str) -> float:
    return float(re.findall(r"[\d.]+", cell)[-1 if "%" not in cell else 0]) / 100


def triangulation(text: str) -> Iterator[Bar]:
    table = rows(text)
    for row, name in (
        ("same work, all", "same work accepted"),
        ("error in a decisive field, all", "wrong twins rejected"),
    ):
        n, _, aware = table[row]
        yield Bar(name, percent(aware), int(n))


def factcheck(text: str) -> Iterator[Bar]:
    halves = list(json.loads(text).values())

    def both(name: str, key: str, higher: bool = True) -> Bar:
        found = [half["verdicts"][key] for half in halves]
        return Bar(
            name, sum(f["right"] for f in found) / sum(f["of"] for f in found), sum(f["of"] for f in found), higher
        )

    for side in ("precision", "recall", "scopes"):
        marks = [(half["marks"][side], half["marks"]["marks"]) for half in halves]
        total = sum(n for _, n in marks)
        yield Bar(f"marks of reports: {side}", sum(share * n for share, n in marks) / 100 / total, total)
    yield both("statements of reports judged rightly", "verdicts right")
    yield both("contradicted statements called supported", "contradicted, called supported", False)
    yield both("others called contradicted", "not contradicted, called contradicted", False)
    yield both("altered statements found", "altered, found")


def bibliographies(text: str) -> Iterator[Bar]:
    kinds = json.loads(text)
    real = kinds.pop("**real, the record agrees**")
    yield Bar("right references accused", real["accused"] / real["n"], real["n"], False)
    yield Bar("right references refused by --strict", real["refused"] / real["n"], real["n"], False)
    innocent = ("initials", "first author and others", "volume and pages of the record")
    fair = [kinds.pop(name) for name in innocent]
    n = sum(kind["n"] for kind in fair)
    yield Bar("right references in other forms accused", sum(kind["accused"] for kind in fair) / n, n, False)
    n = sum(kind["n"] for kind in kinds.values())
    for word in ("accused", "refused"):
        yield Bar(f"wrong references {word}", sum(kind[word] for kind in kinds.values()) / n, n)


def by_hand(text: str) -> Iterator[Bar]:
    every = json.loads(text)["**all sources**"]
    yield Bar("hand-written right references accused", every["accused"] / every["n"], every["n"], False)
    yield Bar("hand-written right references verified", every["verified"] / every["n"], every["n"])


def twins(text: str) -> Iterator[Bar]:
    table = rows(text)
    n, _, _, wrong, invented, *_ = map(int, table["error in a decisive field, all"])
    yield Bar("entries with a decisive error accused", (wrong + invented) / n, n)
    n, verified, *_ = map(int, table["valid"])
    yield Bar("valid entries verified", verified / n, n)


def references(text: str) -> Iterator[Bar]:
    every = json.loads(text)["all"]
    n = every["references"]
    for field in ("split", "authors", "title", "year"):
        yield Bar(f"printed references: {field} right", every[field] / n, n)
    yield Bar("printed references cut wrongly that could accuse", every["accused"] / n, n, False)


def guard(text: str) -> Iterator[Bar]:
    for line in text.splitlines():
        if line.startswith(("| all |", "| real |")):
            cache, kind, n, stopped, _, passed = (cell.strip() for cell in line.strip().strip("|").split("|"))
            right = kind in ("real", "quoted rightly")
            name = f"guard, cache of {cache} references: {kind}, {'passed' if right else 'stopped'}"
            yield Bar(name, int(passed if right else stopped) / int(n), int(n))


def roles(text: str) -> Iterator[Bar]:
    sentences = int(re.findall(r"(\d+) sentences", text)[0])
    abstracts = int(re.findall(r"(\d+) abstracts", text)[0])
    table = rows(text)
    yield Bar("sentences in a role their authors gave", percent(table["the extractor"][0]), sentences)
    yield Bar("hypotheses from an aim", int(table["hypothesis from"][1]) / abstracts, abstracts)
    yield Bar("conclusions from a conclusion", int(table["conclusion from"][4]) / abstracts, abstracts)


def review(text: str) -> Iterator[Bar]:
    kinds = json.loads(text)
    clean = kinds.pop("clean")
    yield Bar("sound sentences of reviews stopped", clean["stopped"], clean["sentences"], False)
    n = sum(kind["sentences"] for kind in kinds.values())
    yield Bar("planted errors of reviews stopped", sum(k["stopped"] * k["sentences"] for k in kinds.values()) / n, n)


def judge(text: str) -> Iterator[Bar]:
    alike = re.search(r"(\d+) of (\d+) supported", text)
    assert alike is not None
    yield Bar("look-alikes called supported", int(alike[1]) / int(alike[2]), int(alike[2]), False)
    alone = rows(text)["supported, judge alone"]
    yield Bar("lies called supported", percent(alone[0]), 100, False)
    yield Bar("restatements supported", percent(alone[1]), 100)
    yield Bar("restatements refuted", percent(rows(text)["refuted"][1]), 100, False)
    several = rows(text)["cited, where several families of lenses support everything"]
    yield Bar("lies cited behind judges that grant all", percent(several[0]), 100, False)
    yield Bar("restatements cited behind judges that grant all", percent(several[1]), 100)
    for words, n, higher in (("altered supported", 1271, False), ("paraphrases kept", 875, True),
                             ("paraphrases refuted", 875, False)):  # fmt: skip
        found = re.search(words + r" ([\d.]+) %", text)
        assert found is not None
        yield Bar(f"pairs kept apart: {words}", float(found[1]) / 100, n, higher)


def scifact(text: str) -> Iterator[Bar]:
    n, gold, read, *_ = rows(text)["quick"]
    yield Bar("questions whose expert's abstract is cited", percent(gold), int(n))
    yield Bar("questions whose expert's abstract is read", percent(read), int(n))


def ranking(text: str) -> Iterator[Bar]:
    first, _, five, *_, n = map(int, rows(text)["fused"])
    yield Bar("questions answered by the first passage", first / n, n)
    yield Bar("questions answered by one of five", five / n, n)


SOURCES = (
    Source("judge", ("judge.py",), judge),
    Source("factcheck", ("factcheck.py", "--json"), factcheck),
    Source("triangulation", ("triangulation.py", "{shared}"), triangulation),
    Source("bib", ("bib_adversarial.py", "{shared}", "--each", "20", "--json"), bibliographies),
    Source("by_hand", ("bib_by_hand.py", "{shared}", "--each", "30", "--json"), by_hand),
    Source("twins", ("bib_twins.py", "{shared}"), twins),
    Source("references", ("references.py", "--lists", "200", "--json"), references),
    Source("guard", ("guard.py", "{shared}", "--number", "200"), guard),
    Source("roles", ("roles.py", "--half", "unseen", "--documents", "{shared}/claims/scifact_documents.jsonl"), roles),
    Source("review", ("review_errors.py", "--data", "{shared}/claims", "--sentences", "60", "--json"), review),
    Source(
        "scifact", ("research_scifact.py", "--data", "{shared}/claims", "--claims", "30", "--tiers", "quick"), scifact
    ),
    Source("ranking", ("ranking.py", str(HERE / "questions/unseen.jsonl"), "--docs", "{docs}"), ranking),
)


def main() -> int:
    """Print the table; return 1 if a bar is worse than before by more than its noise, or a script failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--before", type=Path, default=HERE / "all_bars.json")
    parser.add_argument("--only", default=",".join(source.name for source in SOURCES))
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    asked = parser.parse_args()
    before = json.loads(asked.before.read_text("utf-8")) if asked.before.is_file() else {}
    found: dict[str, float] = {}
    bad = False
    print("| bar | | share | of | before | |\n| --- | --- | ---: | ---: | ---: | --- |", flush=True)
    for source in SOURCES:
        if source.name not in asked.only.split(","):
            continue
        needed = {"{shared}": asked.shared, "{docs}": asked.docs}
        if any(
            mark in part and (folder is None or not folder.is_dir())
            for part in source.command
            for mark, folder in needed.items()
        ):
            print(f"{source.name}: left out, its data are absent", file=sys.stderr)
            continue
        filled = [
            part.replace("{shared}", str(asked.shared)).replace("{docs}", str(asked.docs)) for part in source.command
        ]
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, str(HERE / filled[0]), *filled[1:]], capture_output=True, text=True, cwd=ROOT
        )
        if done.returncode:
            bad = True
            print(f"{source.name} failed:\n{done.stderr[-2000:]}", file=sys.stderr)
            continue
        for bar in source.bars(done.stdout):
            key = f"{source.name}: {bar.name}"
            found[key] = bar.share
            old = before.get(key)
            worse = old is not None and bar.worse(old)
            bad = bad or worse
            told = "" if old is None else f"{old:.1%}"
            print(f"| {bar.name} | {'+' if bar.higher else '-'} | {bar.share:.1%} | {bar.of:,} | {told} | "
                  f"{'**worse**' if worse else ''} |", flush=True)  # fmt: skip
        print(f"{source.name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    if asked.save:
        asked.save.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
