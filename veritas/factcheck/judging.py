"""What a page says of a statement: the embedded judge. No model but the embedded lens; deterministic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.factcheck.accusing import (
    elsewhere_than,
    in_condition,
    in_other_words,
    lacking,
    of_another_row,
    of_something_else,
    unjoined,
)
from veritas.factcheck.denials import denies
from veritas.factcheck.likeness import TURNING, Best, best_of, crossed
from veritas.factcheck.naming import of_another_option, unnamed
from veritas.factcheck.outcome import Passage, Verdict
from veritas.factcheck.pages import ReadPage, Sentence, giving, nearest
from veritas.factcheck.roles import astray
from veritas.factcheck.rows import is_row
from veritas.factcheck.signals import Signals, signals
from veritas.factcheck.tables import Row, misnamed, misplaced, row_at
from veritas.factcheck.tables import told as told_by_row
from veritas.factcheck.weighing import weighed
from veritas.meaning.beside import as_told, first_difference
from veritas.meaning.compare import compare_passage
from veritas.meaning.deletions import is_deletion, telling
from veritas.meaning.embedded import retraction
from veritas.meaning.embedded.claim_evidence import MAX_CLAIM, Alignment, Statement
from veritas.meaning.floor import Standing, held_to
from veritas.meaning.pretence import pretended
from veritas.meaning.relation import Difference, DifferenceKind, Setting
from veritas.text.languages import language_named, plainly_foreign

SUPPORT = 0.65
"""Least probability, 0 to 1, for `supported`."""
CONTRADICT = 0.58
"""Least probability, 0 to 1, for `contradicted`, where a conflict is named."""
ABSENT = 0.3
"""Share of the statement's weight below which a place says nothing of it."""
PLACES = 3
"""Places of a page that are looked at closely, those that share most words with the statement."""
BESIDE = 2
"""Sentences before and behind the nearest one that are read with it."""
ABOUT = 3_000
"""Characters around a passage, and at the page's beginning, in which a name may stand that it means by a pronoun."""


_SAID_THERE = re.compile(
    r"(?i)\A(?:(?:as|according to)\s+(?:its|the|their)\s+(?:own\s+|official\s+)?"
    r"(?:readme|faq|documentation|docs|manual)(?:\s+(?:says?|states?|puts? it|notes?|explains?))?"
    r"|in (?:its|the) (?:readme|faq)(?:['’]s \w+(?: \w+)?)?),\s+"
)
"""Words that name the kind of page that a statement leans on; the page does not name itself."""
_KIND_OF_WORD = re.compile(
    r"(?i)(?:\bthe\s+)?(?:(?<![\w-])(--[\w-]+)\s+(?:option|flag|switch|parameter)(?![\w-])"
    r"|\b(?:option|flag|switch|parameter)\s+(--[\w-]+))"
)
"""An option of a command with the word for its kind, which its sign tells already."""


@dataclass(frozen=True)
class Held:
    """What a page says of a statement or a part of it. `coverage` is the share of its weight that is met there, `near`
    how near the place is to it."""

    verdict: Verdict
    passage: Passage | None = None
    difference: str = ""
    calculation: str = ""
    coverage: float = 0.0
    near: float = 0.0


@lru_cache(maxsize=4096)
def judge(claim: str, page: ReadPage, language: str = "") -> Held:
    """Return what a page says of a claim: supported, contradicted, not in the source, or cannot tell. Each pair is
    judged once. `language` is the name of the language of the text that the claim stands in, empty for English: a short
    sentence does not tell its own."""
    claim = claim[:MAX_CLAIM].strip()
    if (place := _verbatim(claim, page)) is not None:
        return place
    language = plainly_foreign(claim) or ("" if language_named(claim) == "English" else language)
    if language or page.language:
        return Held("cannot_tell", _closest(claim, page), _unread(language, page.language))
    claim = _KIND_OF_WORD.sub(lambda found: found[1] or found[2], _SAID_THERE.sub("", claim))
    stated = Statement(claim)
    if not stated.content:
        return Held("cannot_tell", None, "it has no words that can be compared")
    best: Held | None = None
    for at in nearest(page, claim, PLACES):
        found = _at(claim, stated, page, at)
        if found.verdict == "supported":
            return found
        if best is None or _rank(found) > _rank(best):
            best = found
    if best is not None and best.verdict == "not_in_source" and (held := _tabled(stated, page)) is not None:
        return held
    return best or Held("not_in_source", None, "the source says nothing about it")


def _tabled(stated: Statement, page: ReadPage) -> Held | None:
    """Return that it cannot be told where a row of a table has a figure and a word of a claim: the rest may stand in
    the table's heading."""
    figures = {q.text.split()[0] for q in stated.quantities if q.kind != "year" and any(c.isdecimal() for c in q.text)}
    words = frozenset(token.stem for token in stated.content if not token.is_number)
    for sentence in page.sentences:
        text = page.text[sentence.start : sentence.end]
        cells = [cell.strip(" *_`") for cell in re.split(r"[\t|\n]", text)]
        if len(cells) > 1 and not figures.isdisjoint(cells) and words & sentence.stems and is_row(text):
            why = "a table has the figure; what it is of stands outside its row"
            return Held("cannot_tell", _passage(page, sentence.start, sentence.end), why)
    return None


def _rank(held: Held) -> float:
    return held.near + (0.1 if held.verdict == "contradicted" else 0.0)


_CELL_SIGNS = re.compile(r"[|\t]|:(?=\s)")


def _verbatim(claim: str, page: ReadPage) -> Held | None:
    """Return the verdict on a claim that stands in the page word for word."""
    wanted = " ".join(claim.split()).rstrip(".!… ")
    celled = " ".join(_CELL_SIGNS.sub(" ", wanted).split())
    if len(wanted) < 12:
        return None
    text = page.text
    doubted: Held | None = None
    for sentence in page.sentences:
        said = " ".join(text[sentence.start : sentence.end].split())
        if wanted.casefold() not in said.casefold():
            row = "\t" in text[sentence.start : sentence.end]
            said = " ".join(_CELL_SIGNS.sub(" ", said).split())
            if row and said.casefold().rstrip(".!… ") == celled.casefold() and not pretended(said, said, text):
                return Held("supported", _passage(page, sentence.start, sentence.end), coverage=1.0)
            continue
        if retraction.qualified(said, wanted):
            continue
        window = _window(page, page.sentences.index(sentence), 1)
        how = retraction.standing(claim, text[window[0] : window[1]])
        if how == "stated" and (less := _less(claim, text, sentence, window, page)) is not None:
            doubted = doubted or Held("cannot_tell", _passage(page, sentence.start, sentence.end), str(less))
        elif how == "stated":
            return Held("supported", _passage(page, sentence.start, sentence.end), coverage=1.0)
        if how == "retracted":
            return Held("contradicted", _passage(page, *window), "the source says it only to deny it", coverage=1.0)
    return doubted


ASIDE = 300
"""Characters around a passage in which a quiz has its answer, and a search its heading."""


def _less(claim: str, text: str, sentence: Sentence, window: tuple[int, int], page: ReadPage) -> Difference | None:
    """Return what keeps a sentence that has a claim word for word from saying it, if anything."""
    around = text[max(0, window[0] - ASIDE) : window[1] + ASIDE]
    less = pretended(around, claim, text) or _stopped(claim, text[sentence.start : sentence.end], page)
    # Who says it is told beside it; what one side says was looked at before.
    return less if less is None or less.kind != "attribution" else None


def signals_at(claim: str, page: ReadPage, at: int, stated: Statement | None = None) -> Signals | None:
    """Return the signals of a claim at a sentence of a page, with those beside it; None for a place without words."""
    start, end = _window(page, at, BESIDE)
    about = f"{page.title}\n{page.text[:ABOUT]}\n{page.text[max(0, start - ABOUT) : end + ABOUT]}"
    return signals(stated or Statement(claim), _text_of(page, start, end), about)


def _at(claim: str, stated: Statement, page: ReadPage, at: int) -> Held:
    """Return what the page says of a claim at one of its sentences, with those beside it."""
    start, end = _window(page, at, BESIDE)
    window = _text_of(page, start, end)
    seen = signals_at(claim, page, at, stated)
    if seen is None:
        return Held("not_in_source")
    passage = _shown(page, seen.alignment, start, end, seen.near)
    chances = weighed(seen.values)
    near = seen.near_by
    worked = "; ".join(each.shown for each in seen.calculated if each.agrees and not each.given)
    hard = [each for each in seen.stops if each.kind in HARD]
    told = best_of(stated, seen.alignment.passage.statements)
    against = "" if any(each.kind == "name" for each in hard) or told is None else _against(told)
    likely = not seen.values["strong_claim_alone"] and chances["supported"] >= SUPPORT
    row = row_at(page.text, page.sentences[at].start)
    if row is not None and told_by_row(stated, row):
        whole = _passage(page, page.sentences[at].start, page.sentences[at].end)
        return Held("supported", whole, "", "", 1.0, near)
    if not hard and not against and (likely or _entailed(claim, window)):
        held = _stopped(claim, window, page)
        doubt = str(held) if held is not None else astray(stated, seen.near, page.text, page.title)
        doubt = doubt or _shown_difference(first_difference(seen.near[0].text, claim))
        if claim.rstrip(".") in seen.near[0].text and retraction.qualified(seen.near[0].text, claim.rstrip(".")):
            doubt = doubt or "the source says it under a condition, and the statement without"
        rows = list(_rows(page, seen.near, start, end))
        doubt = doubt or misnamed(stated, rows) or next(filter(None, (misplaced(stated, row) for row in rows)), "")
        doubt = doubt or unjoined(stated, seen.near) or unnamed(stated, seen.near, page.text, page.title, (start, end))
        if not doubt:
            return Held("supported", passage, "", worked, seen.covered, near)
        return Held("cannot_tell", passage, doubt, "", seen.covered, near)
    if _UNSTUDIED.search(seen.near[0].text) and not _UNSTUDIED.search(claim):
        return Held("not_in_source", passage, "the source says that it did not study it", "", 0.0, near)
    elsewhere = _of_another(claim, page, seen, told)
    if against and told is not None and not elsewhere:
        elsewhere = of_something_else(stated, told.statement, told.turned)
    if against and told is not None and not elsewhere and not of_another_row(stated, row):
        shown = _shown(page, seen.alignment, start, end, [told.statement])
        return Held("contradicted", shown, against, "", told.framed, near)
    conflict = next((each for each in hard if each.conflict), None)
    named = any(each.kind == "name" for each in hard) or (told is not None and crossed(stated, told.statement))
    if conflict is not None and not elsewhere:
        elsewhere = elsewhere_than(conflict, stated, seen.near[0], row)
    if conflict is not None and not named and not elsewhere and chances["contradicted"] >= CONTRADICT:
        return Held("contradicted", passage, conflict.difference, "", seen.covered, near)
    if not named and not elsewhere and seen.values["excluded"] and not of_another_row(stated, row):
        objection = compare_passage(window, claim, setting=Setting(document="the page")).doubt
        denied = objection is not None and objection.kind in ("polarity", "opposite")
        elsewhere = in_other_words(stated, seen.near[0], str(objection)) if denied else ""
        if not elsewhere:
            return Held("contradicted", passage, str(objection or "it is excluded"), "", seen.covered, near)
    missing = lacking(hard, claim)
    if missing is not None and missing.kind == "number" and (found := giving(page, missing.words)) is not None:
        why = f"the source gives “{missing.words}” in another place, and not as this statement"
        return Held("cannot_tell", _passage(page, found.start, found.end), why, "", seen.covered, near)
    if missing is not None or (seen.covered < ABSENT and not denies(claim)):
        why = missing.difference if missing is not None else _missing(seen.alignment)
        return Held("not_in_source", passage, why, "", seen.covered, near)
    aside = _shown_difference(as_told(seen.near[0].text, claim))
    why = elsewhere or (hard[0].difference if hard else aside or _missing(seen.alignment))
    return Held("cannot_tell", passage, why, "", seen.covered, near)


def _of_another(claim: str, page: ReadPage, seen: Signals, told: Best | None) -> str:
    """Return why nothing at a place contradicts a claim: it is of another option, or all denials are conditions."""
    said = [seen.near[0], *([told.statement] if told is not None else [])]
    at = max(page.text.find(said[0].text.strip()), 0)
    if option := of_another_option(claim, " ".join(one.text for one in said), at, page.text, page.title):
        return option
    other = any(each.conflict and each.kind in ("number", "owner") for each in seen.stops)
    if not other and in_condition(claim, said[0].text):
        return "statement and source both deny it in a condition"
    return ""


def _against(told: Best) -> str:
    """Return what the best sentence says against a statement of which it says the rest, in words; else nothing."""
    if not told.turned.flips or not told.numbers:
        return ""
    grammar = told.turned.flips[0][0].lower() in TURNING
    return told.turned.said if told.framed >= (SURELY_TURNED if grammar else TURNED) else ""


_UNSTUDIED = re.compile(
    r"(?i)\b(?:not|never|neither|nor|n['’]t)\s+(?:\w+\s+){0,2}?(?:stud(?:y|ied)|test(?:ed)?|measured?|investigated?|"
    r"examined?|survey(?:ed)?|register(?:ed)?|record(?:ed)?|count(?:ed)?|analysed?|analyzed?|known?|tried|asked?|"
    r"looked (?:at|into)|collect(?:ed)?)\b|\bno (?:study|data|figures|forecast|information|record)\b|"
    r"\b(?:is|are|was|were|remains?) (?:unknown|unclear)\b"
)
"""Words by which a source says that it did not study or does not know something."""
TURNED = 0.75
"""Least share of a statement in one sentence for an opposite or a denial there to contradict it."""
SURELY_TURNED = 0.88
"""The same for a word of grammar that turns a statement over: "more", "all", "still"."""
HARD = frozenset(("number", "name", "opposite", "negation", "strength", "owner"))
"""Kinds of stops that no likeness outweighs."""
STOPPING: frozenset[DifferenceKind] = frozenset((
    "number", "opposite", "polarity", "causality", "quantifier", "attribution", "exception",
))  # fmt: skip
"""Kinds of doubts of the comparison that stop a support. Tense, role, unit and addition are mostly another wording of a
true statement; what is wrong in them is found by the guards."""


_WOULD = re.compile(r"(?i)\b(?:could|would|might)\b")
"""Words of what was possible and did not come about."""


def _stopped(claim: str, window: str, page: ReadPage) -> Difference | None:
    """Return the difference that the comparison finds to stop a support, if any."""
    if (framed := pretended(window, claim, page.text)) is not None:
        return framed
    ruled = held_to(claim, [Standing(window, Setting(document=page.title, subject=page.title))], ())
    why = ruled.difference
    if why is None or ruled.step == "pass":
        return None
    if why.kind == "modality" and _WOULD.search(why.first) and not _WOULD.search(why.second):
        return why
    if ruled.step == "refuse" or (why.kind in STOPPING and why.first and why.second):
        return why
    return why if is_deletion(claim, window) and telling(why, window) else None


def _shown_difference(difference: Difference | None) -> str:
    return "" if difference is None else str(difference)


def _rows(page: ReadPage, near: Sequence[Statement], start: int, end: int) -> Iterator[Row]:
    """Yield the rows of tables among the sentences that tell most of a claim."""
    for sentence in page.sentences:
        if start <= sentence.start and sentence.end <= end and any(_same(page, sentence, each) for each in near):
            row = row_at(page.text, sentence.start)
            if row is not None:
                yield row


def _entailed(claim: str, window: str) -> bool:
    """Return whether the comparison of sentences finds that a place says a claim, in its own or other words."""
    return compare_passage(window, claim, setting=Setting(document="the page")).entailed


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
    shown = "".join(k if k != " " else ("\n" if c == "\n" else " ") for k, c in zip(kept, between, strict=True))
    for cut in re.finditer(r";\s", between):
        if kept[cut.start()] == " ":  # clauses of a list stand as sentences of their own
            shown = f"{shown[: cut.start()]}\n\n{shown[cut.end() :]}"
    return shown


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
    places = nearest(page, claim, 1)
    return _passage(page, page.sentences[places[0]].start, page.sentences[places[0]].end) if places else None


def _passage(page: ReadPage, start: int, end: int) -> Passage:
    return Passage(text=page.text[start:end], start=start, end=end)
