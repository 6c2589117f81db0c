"""What a page says of a statement: the embedded judge. No model but the embedded lens; deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veritas.factcheck.arithmetic import calculations
from veritas.factcheck.guards import Stop, stops
from veritas.factcheck.outcome import Passage, Verdict
from veritas.factcheck.pages import ReadPage, Sentence, nearest, stems_of
from veritas.meaning.compare import compare_passage
from veritas.meaning.embedded import retraction
from veritas.meaning.embedded.claim_evidence import MAX_CLAIM, Alignment, Statement
from veritas.meaning.embedded.claim_evidence import Passage as Evidence
from veritas.meaning.embedded.entailment import EmbeddedLens, plain
from veritas.meaning.floor import Standing, held_to
from veritas.meaning.relation import Difference, DifferenceKind, Setting
from veritas.text.languages import plainly_foreign

SUPPORT = 0.5
"""Least probability of the lens, 0 to 1, for a support."""
PLACES = 3
"""Places of a page that are looked at closely, those that share most words with the statement."""
BESIDE = 2
"""Sentences before and behind the nearest one that are read with it."""
ABOUT = 3_000
"""Characters around a passage, and at the page's beginning, in which a name may stand that it means by a pronoun."""
NEARLY = 0.6
"""Least share of the statement's weight in a sentence for a contradiction in it to be one."""


@dataclass(frozen=True)
class Held:
    """What a page says of a statement or a part of it."""

    verdict: Verdict
    passage: Passage | None = None
    difference: str = ""
    calculation: str = ""
    coverage: float = 0.0


def judge(claim: str, page: ReadPage, lens: EmbeddedLens) -> Held:
    """Return what a page says of a claim: supported, contradicted, not in the source, or cannot tell."""
    claim = claim[:MAX_CLAIM].strip()
    if (place := _verbatim(claim, page)) is not None:
        return place
    language = plainly_foreign(claim)
    if language or page.language:
        return Held("cannot_tell", _closest(claim, page), _unread(language, page.language))
    stated = Statement(claim)
    if not stated.content:
        return Held("cannot_tell", None, "it has no words that can be compared")
    best: Held | None = None
    for at in nearest(page, stems_of(claim), PLACES):
        found = _at(claim, stated, page, at, lens)
        if found.verdict == "supported":
            return found
        if best is None or _rank(found) > _rank(best):
            best = found
    return best or Held("not_in_source", None, "the source says nothing about it")


def _rank(held: Held) -> tuple[bool, float]:
    return held.verdict == "contradicted", held.coverage


def _verbatim(claim: str, page: ReadPage) -> Held | None:
    """Return the verdict on a claim that stands in the page word for word."""
    wanted = " ".join(claim.split()).rstrip(".!… ")
    if len(wanted) < 12:
        return None
    text = page.text
    for sentence in page.sentences:
        said = " ".join(text[sentence.start : sentence.end].split())
        if wanted.casefold() not in said.casefold():
            continue
        window = _window(page, page.sentences.index(sentence), 1)
        how = retraction.standing(claim, text[window[0] : window[1]])
        if how == "stated":
            return Held("supported", _passage(page, sentence.start, sentence.end), coverage=1.0)
        if how == "retracted":
            return Held("contradicted", _passage(page, *window), "the source says it only to deny it", coverage=1.0)
    return None


def _at(claim: str, stated: Statement, page: ReadPage, at: int, lens: EmbeddedLens) -> Held:
    """Return what the page says of a claim at one of its sentences, with those beside it."""
    start, end = _window(page, at, BESIDE)
    window = _text_of(page, start, end)
    alignment = Alignment(stated, Evidence(window, stated))
    if not alignment.order:
        return Held("not_in_source")
    seen = plain(alignment)
    chances = lens.chances(alignment, seen)
    near = [alignment.passage.statements[i] for i in dict.fromkeys([alignment.order[0], *alignment.chain])]
    calculated = calculations(claim, " ".join(s.text for s in near))
    about = f"{page.title}\n{page.text[:ABOUT]}\n{page.text[max(0, start - ABOUT) : end + ABOUT]}"
    found = stops(alignment, near, calculated, about)
    held = _stopped(claim, window, page)
    passage = _shown(page, alignment, start, end, near)
    worked = "; ".join(each.shown for each in calculated if each.agrees)
    covered = alignment.coverage[alignment.order[0]]
    if chances["supports"] >= SUPPORT and not found and held is None:
        return Held("supported", passage, "", worked, covered)
    if (against := _contradicted(claim, window, covered, found, chances, page)) is not None:
        return Held("contradicted", passage, against, "", covered)
    why = found[0].difference if found else str(held) if held is not None else _missing(alignment)
    return Held("not_in_source", passage, why, "", covered)


STOPPING: frozenset[DifferenceKind] = frozenset((
    "number", "unit", "opposite", "polarity", "modality", "causality", "quantifier", "comparison", "attribution",
    "exception",
))  # fmt: skip
"""Kinds of doubts of the comparison that stop a support. Tense, role and addition are mostly another wording of a true
statement; what is wrong in them is found by the guards."""


def _stopped(claim: str, window: str, page: ReadPage) -> Difference | None:
    """Return the difference that the comparison finds to stop a support, if any."""
    ruled = held_to(claim, [Standing(window, Setting(document=page.title, subject=page.title))], ())
    why = ruled.difference
    if why is None or ruled.step == "pass":
        return None
    return why if ruled.step == "refuse" or (why.kind in STOPPING and why.first and why.second) else None


def _contradicted(
    claim: str, window: str, covered: float, found: Sequence[Stop], chances: dict[str, float], page: ReadPage
) -> str | None:
    """Return why the page contradicts the claim; None if it does not. All the claim's names must stand there."""
    if any(each.kind == "name" for each in found):
        return None
    compared = compare_passage(window, claim, setting=Setting(document=page.title or "page", subject=page.title))
    if compared.relation == "excludes" and compared.doubt is not None:
        return str(compared.doubt)
    conflict = next((each for each in found if each.conflict), None)
    if conflict is not None and covered >= NEARLY:
        return conflict.difference
    return None


def _missing(alignment: Alignment) -> str:
    row = [0.0] * len(alignment.words)
    for i in alignment.chain:
        row = list(map(max, row, alignment.per_sentence[i]))
    unmet = [t.text for t, m in zip(alignment.words, row, strict=True) if m < 0.5]
    if not unmet:
        return "its words stand in the source, but not as this statement"
    return f"the source does not say “{' … '.join(unmet[:6])}”"


def _unread(mine: str, theirs: str) -> str:
    if mine and theirs:
        which = f"statement and source are in {mine}" if mine == theirs else f"one is in {mine}, the other in {theirs}"
    else:
        which = f"the statement is in {mine}" if mine else f"the source is in {theirs}"
    return f"{which}, and this judge reads English; nothing is said for or against it"


def _window(page: ReadPage, at: int, beside: int) -> tuple[int, int]:
    """Return the offsets of a sentence with its neighbours, as far as they stand near it."""
    first, last = at, at
    for _ in range(beside):
        if first > 0 and page.sentences[first].start - page.sentences[first - 1].end < 200:
            first -= 1
        if last + 1 < len(page.sentences) and page.sentences[last + 1].start - page.sentences[last].end < 200:
            last += 1
    return page.sentences[first].start, page.sentences[last].end


def _text_of(page: ReadPage, start: int, end: int) -> str:
    """Return a part of the page without what is addressed to a judge; offsets stay the same."""
    kept = [" "] * (end - start)
    for sentence in page.sentences:
        if start <= sentence.start and sentence.end <= end:
            a, b = sentence.start - start, sentence.end - start
            kept[a:b] = page.text[sentence.start : sentence.end]
    between = page.text[start:end]
    return "".join(k if k != " " else ("\n" if c == "\n" else " ") for k, c in zip(kept, between, strict=True))


def _shown(page: ReadPage, alignment: Alignment, start: int, end: int, near: Sequence[Statement]) -> Passage | None:
    """Return the sentences that tell most of the claim: the best, and those of its chain that stand beside it."""
    inside = [s for s in page.sentences if start <= s.start and s.end <= end]
    told = [s for s in inside if any(_same(page, s, statement) for statement in near)]
    if not told:
        return _passage(page, start, end)
    best = next((s for s in told if _same(page, s, near[0])), told[0])
    chosen = [best]
    at = inside.index(best)
    for step in (-1, 1):
        if 0 <= at + step < len(inside) and inside[at + step] in told:
            chosen.append(inside[at + step])
    return _passage(page, min(s.start for s in chosen), max(s.end for s in chosen))


def _same(page: ReadPage, sentence: Sentence, statement: Statement) -> bool:
    return page.text[sentence.start : sentence.end].strip() == statement.text.strip()


def _closest(claim: str, page: ReadPage) -> Passage | None:
    places = nearest(page, stems_of(claim), 1)
    return _passage(page, page.sentences[places[0]].start, page.sentences[places[0]].end) if places else None


def _passage(page: ReadPage, start: int, end: int) -> Passage:
    return Passage(text=page.text[start:end], start=start, end=end)
