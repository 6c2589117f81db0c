"""Features of a unit as an answer to a question, all about 0 to 1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.answering.evidence import evidence
from veritas.answering.named import is_default_of_another, told_of_its_name
from veritas.answering.pool import Pool, heads, stems_of
from veritas.answering.units import Unit, units
from veritas.claims.sources import Passage
from veritas.text.languages import by_language, spoken
from veritas.text.tokens import index_terms, tokenise

NAMES = (
    "own", "near", "above", "around", "all", "headed", "head", "nearest", "unnamed", "pairs", "evidence", "answers",
    "short", "asks", "focus", "behind", "behind_around", "lacks",
)  # fmt: skip
"""The features, in the order of their weights."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A unit of a passage, its features in the order of `NAMES`, and what rules add to its score beside them."""

    passage: Passage
    unit: Unit
    features: tuple[float, ...]
    rules: float = 0.0


def seen(pool: Pool, passages: Sequence[Passage]) -> list[Seen]:
    """Return every unit of the passages with its features, in order."""
    rows: list[tuple[Passage, Unit, dict[str, float]]] = []
    for passage in passages:
        above = stems_of(heads(passage))
        everywhere = pool.covered(pool.met(stems_of(passage.text) | above))
        for unit in units(passage.text, passage.blocks):
            row = _of(pool, passage, unit, above, everywhere)
            row["matched"] = _matched(pool, passage, unit)
            rows.append((passage, unit, row))
    own = max((row["own"] for *_, row in rows), default=0.0)
    around = max((row["own"] + row["near"] + row["above"] for *_, row in rows), default=0.0)
    matched = max((row["matched"] for *_, row in rows), default=0.0) or 1.0
    made = []
    for passage, unit, row in rows:
        row["matched"] /= matched
        row["behind"] = own - row["own"]
        row["behind_around"] = around - row["own"] - row["near"] - row["above"]
        if row["told"]:
            # "Do a trial run" says what its heading, "--dry-run", names, without a word of it.
            row["behind"] = row["behind_around"] = 0.0
        made.append(Seen(passage, unit, tuple(row[name] for name in NAMES), _rules(pool, passage, unit, row)))
    return made


def _of(pool: Pool, passage: Passage, unit: Unit, title: frozenset[str], everywhere: float) -> dict[str, float]:
    asked, text = pool.asked, passage.text
    said = text[unit.start : unit.end]
    if unit.kind == "list" and unit.whole:
        # A list is about what its introduction says, not about each word of its items.
        said = text[unit.said_from : unit.start] or unit.heading or passage.heading
    stems = stems_of(text[unit.said_from : unit.end] if unit.said_from < unit.start and not unit.whole else said)
    mine = pool.met(stems)
    own = pool.covered(mine)
    shown = pool.met(stems | stems_of(text[unit.shown_start : unit.shown_end]))
    near = pool.covered(shown)
    heading = stems_of(_parted(unit.heading))
    under = pool.met(stems_of(text[unit.shown_start : unit.shown_end]) | heading | title)
    above = pool.covered(under)
    topical = stems_of(_parted(unit.heading or passage.heading))
    met_above = pool.met(topical)
    listed = unit.kind == "list" or unit.attached == "list"
    code = unit.kind == "code" or unit.attached == "code"
    kind = evidence(asked, said, listed=listed, code=code)
    names = [at for at, term in enumerate(asked.terms) if term.name]
    count = len(said.split())
    return {
        "own": own,
        "near": near - own,
        "above": above - near,
        "around": max(0.0, everywhere - above),
        "all": float(len(under) == len(asked.terms)),
        "headed": _share(topical, frozenset(asked.terms[at].stem for at in met_above)),
        "head": pool.covered(met_above),
        "nearest": _nearness(pool, said),
        "unnamed": sum(at not in under for at in names) / len(names) if names else 0.0,
        "pairs": _pairs(asked.pairs, mine),
        "evidence": kind,
        "answers": kind * above,
        "short": float(count < 6),
        "asks": float(said.rstrip().endswith("?")),
        "focus": float(bool(asked.focus) and asked.focus in stems),
        "told": float(told_of_its_name(asked, passage, unit)),
        "lacks": float(asked.kind in ("value", "when", "who") and not kind),
    }


def _parted(heading: str) -> str:
    """Return a heading with the long words that its identifiers are made of: "BwTimetable" is of a timetable."""
    return f"{heading} {' '.join(_INNER.findall(heading))}"


_INNER = re.compile(r"(?<=[a-z])[A-Z][a-z]{3,}")
TITLED, PROGRAM, SPELLED, MATCHED, ALONE, MISSING, DEFINED, DATED = 2.0, 0.8, 1.0, 5.0, 2.0, 1.0, 1.5, 1.0
"""What a heading in the question's own words adds to the score of what stands under it, a program to a way to do
something, an identifier of the question spelled out, and a sentence that defines what is asked for; what is lost by all
that is shown together being less about the question than the best of the pool, by a program, whose words are seldom
meant as the question means them, so that the text around it decides, and by notes of a release, which say what changed
and not how it is. Questions with such answers are in no data this is fitted on, so these are set by hand: a score of 1
more makes an answer some three times as likely."""
OF_ANOTHER = 5.0
"""What a sentence loses that tells the default of another option than the one that is asked about. Set by hand, too."""
UNDER_ITS_NAME = 5.0
"""What a unit gains that stands under the very name that a question asks about, and tells what is asked of it. Set by
hand: documentation has no surer answer."""
FEW = 2
WHOLE = 0.99
"""Share of a question, by weight, from which on all of it is met."""
SATURATED, LENGTH, USUAL, HEADED = 1.5, 0.75, 100, 3
"""The constants of BM25 over what is shown: saturation, weight of the length, the usual number of words, and how often
a word of the heading counts."""


def _rules(pool: Pool, passage: Passage, unit: Unit, row: dict[str, float]) -> float:
    """Return what a unit's form adds to its score: of documentation, which the fitted weights do not know."""
    asked = pool.asked
    shown = passage.text[unit.shown_start : unit.shown_end]
    both = row["head"] + row["headed"]
    titled = 2 * row["head"] * row["headed"] / both if both else 0.0
    program = asked.kind == "how-to" and (unit.kind == "code" or unit.attached == "code")
    spelled = sum(name in shown for name in asked.identifiers) / len(asked.identifiers) if asked.identifiers else 0.0
    alone = unit.kind == "code"
    behind = 1 - row["matched"]
    missing = len(asked.terms) <= FEW and not row["all"]
    # Of "the licence of X", a sentence that says what X is defines nothing.
    defined = asked.kind == "definition" and row["evidence"] == 1.0 and row["own"] > WHOLE
    dated = bool(_OF_A_RELEASE.search(passage.title)) and not _ASKS_OF_A_RELEASE.search(asked.text)
    gained = TITLED * titled + PROGRAM * program + SPELLED * spelled + DEFINED * defined
    gained += UNDER_ITS_NAME if row["told"] else _of_default(pool, passage, unit)
    return gained - ALONE * alone - MATCHED * behind - MISSING * missing - DATED * dated


def _of_default(pool: Pool, passage: Passage, unit: Unit) -> float:
    """Return what a sentence loses that tells another option's default than the one that is asked for."""
    another = pool.asked.kind == "value" and is_default_of_another(pool.asked, passage.text[unit.start : unit.end])
    return -OF_ANOTHER if another else 0.0


_OF_A_RELEASE = re.compile(
    r"(?i)\b(?:release notes?|change ?log|changes|what['’]s new|news|"
    r"(?:migrat(?:e|ing|ion)|upgrad(?:e|ing)) (?:to|from|guide|notes))\b"
)
_ASKS_OF_A_RELEASE = re.compile(
    r"(?i)\b(?:versions?|releas\w+|chang\w+|migrat\w+|upgrad\w+|updat\w+|new\w*|remov\w+|added|since|deprecat\w+|older?|"
    r"any ?more|no longer|v?\d+(?:\.\d+)*)\b"
)


def _matched(pool: Pool, passage: Passage, unit: Unit) -> float:
    """Return how much of all that is shown with a unit, and of its heading, is about the question: BM25 by the weights
    of the terms."""
    heading = _counted(_parted(unit.heading or passage.heading))
    shown = _counted(passage.text[unit.shown_start : unit.shown_end])
    length = 1 - LENGTH + LENGTH * (shown.total() + HEADED * heading.total()) / USUAL
    found = [0.0] * len(pool.weights)
    for counts, times in ((heading, HEADED), (shown, 1)):
        for key, count in counts.items():
            for at, strength in pool.met((key,)).items():
                found[at] += times * strength * count
    return sum(w * n * (SATURATED + 1) / (n + SATURATED * length) for w, n in zip(pool.weights, found, strict=True))


@by_language(maxsize=8192)
def _counted(text: str) -> Counter[str]:
    return Counter(index_terms(text))


def _share(topical: frozenset[str], met: frozenset[str]) -> float:
    """Return the share of a heading's words that the question has, 0 for no heading."""
    return len(topical & met) / len(topical) if topical else 0.0


def _pairs(pairs: Sequence[tuple[int, int]], met: dict[int, float]) -> float:
    return sum(a in met and b in met for a, b in pairs) / len(pairs) if pairs else 0.0


def _nearness(pool: Pool, said: str) -> float:
    """Return the share of neighbouring terms of the question that stand within four words of each other."""
    asked = pool.asked
    if not asked.pairs:
        return 0.0
    places: dict[str, list[int]] = {}
    for at, key in enumerate(_in_order(said)):
        places.setdefault(key, []).append(at)
    close = 0
    for a, b in asked.pairs:
        ours, theirs = places.get(asked.terms[a].stem, ()), places.get(asked.terms[b].stem, ())
        close += any(abs(i - j) <= 3 for i in ours for j in theirs)
    return close / len(asked.pairs)


@by_language(maxsize=8192)
def _in_order(said: str) -> tuple[str, ...]:
    return tuple(map(spoken().stem, tokenise(said)))

