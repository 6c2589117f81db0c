"""The passages that answer a question, best first, each with the chance that it does, and without repetition."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.answering.encoder import Encoder, encoder
from veritas.answering.features import NAMES, Seen, seen
from veritas.answering.model import Model, fitted
from veritas.answering.pool import Pool, heads, stems_of
from veritas.answering.question import Asked, read_question
from veritas.answering.subject import names_both, sides_of, silent_of, speaks_of, subject_of
from veritas.answering.told import may_tell
from veritas.answering.units import Unit, section_around
from veritas.claims.sources import Passage
from veritas.judging import STRICT, Question, judge_all
from veritas.text.languages import ENGLISH, read_in, speaking
from veritas.text.same_words import said
from veritas.text.sentences import sentences

BESIDE, ASIDE = 0.05, 0.4
"""Least chance of a passage beside the best one, as a share of the best one's: in the same document, which is on the
subject if the best one is, and in another."""
UNMENTIONED = 0.06
"""What is left of every chance for each name in the question that no passage mentions: what is asked about it cannot be
told by what does not know it."""
NOBODY = 0.25
"""What is left of the chance of a part without a person, a place or a number, where the question is for one, or
without the question's subject."""
ONE_SIDE, BOTH_SIDES = 0.6, 0.1
"""What is left of the chance of a part that does not name both of two things, where their difference is asked for, and
the share of the best chance from which on a part whose core names both goes first."""
READ = 16
"""Most parts that an encoder reads, the best by the rules."""
RUN, SAME = 4, 0.75
"""Words in a row that are looked for in another part, and the share of them from which on it is the same part."""
WAYS = ("how-to", "how")
"""Kinds of questions that a way answers, in several sentences or with a program."""
NEW = 0.35
"""Share of a sentence's words that another one lacks, from which on that one does not say it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a passage that may answer, `passage.text[start:end]`, in it the unit that does best, and the chance, 0
    to 1, that it answers the question. `around` are the offsets of the section of which the part is shown, if that is
    more than what is shown with the unit."""

    passage: Passage
    unit: Unit
    chance: float
    around: tuple[int, int] | None = None

    @property
    def start(self) -> int:
        """Offset in the passage at which what is shown begins."""
        return self.around[0] if self.around else self.unit.shown_start

    @property
    def end(self) -> int:
        """Offset in the passage at which it ends."""
        return self.around[1] if self.around else self.unit.shown_end

    @property
    def text(self) -> str:
        """The text that is shown, as it stands in its document."""
        return self.passage.text[self.start : self.end]

    @property
    def core(self) -> str:
        """The unit that answers, as it stands in its document."""
        return self.passage.text[self.unit.start : self.unit.end]


def ranked(
    question: str,
    passages: Sequence[Passage],
    prefer: Callable[[Asked, Seen], float] | None = None,
    *,
    reader: Encoder | None = None,
) -> list[Found]:
    """Return the parts of the passages by the chance that they answer the question, best first, each part once.

    `prefer` is added to the score of a unit before parts are ordered; it changes no chance. With a `reader`, which
    reads English, the best `READ` parts by the rules are returned, ordered by how closely they meet the question too.
    """
    asked = read_beside(question, passages)
    model = fitted(NAMES)
    doubt = UNMENTIONED ** len(unmentioned(question, passages))
    with speaking(asked.language):
        pool = Pool(asked, passages)
        rows = seen(pool, passages)
    best: dict[tuple[str, int, int], tuple[float, float, Seen]] = {}
    for row in rows:
        score = model.score(row.features) + row.rules
        worth = score + (prefer(asked, row) if prefer is not None else 0.0)
        place = (row.passage.passage_id, row.unit.shown_start, row.unit.shown_end)
        if place not in best or worth > best[place][0]:
            best[place] = (worth, score, row)
    order = sorted(best.values(), key=_by_worth)
    if reader is not None:
        order = _read(order[:READ], asked, reader, model)
    found = [Found(row.passage, row.unit, doubt * model.chance(score)) for _, score, row in order]
    told = [
        may_tell(asked, one.text, one.unit.heading or one.passage.heading, one.passage.text) for one in found
    ]
    subject = subject_of(asked)
    if subject is not None and silent_of(subject, pool, passages):
        told = [
            tells and speaks_of(subject, pool, one.passage, one.unit) for one, tells in zip(found, told, strict=True)
        ]
    known = [one for one, tells in zip(found, told, strict=True) if tells]
    if (sides := sides_of(asked)) is not None:
        known = _telling_apart(sides, known)
    return known + [
        replace(one, chance=NOBODY * one.chance) for one, tells in zip(found, told, strict=True) if not tells
    ]


def _telling_apart(sides: tuple[frozenset[str], frozenset[str]], found: list[Found]) -> list[Found]:
    """Return parts in the order of their chance to tell two things apart: what tells of one alone hardly does."""
    apart = [
        one if names_both(sides, one.core) else replace(one, chance=ONE_SIDE * one.chance) for one in found
    ]
    least = BOTH_SIDES * max((one.chance for one in apart), default=0.0)
    return sorted(apart, key=lambda one: not (one.chance >= least and names_both(sides, one.core)))


def _by_worth(one: tuple[float, float, Seen]) -> tuple[float, str, int]:
    worth, _, row = one
    return -worth, row.passage.passage_id, row.unit.shown_start


def _read(
    parts: Sequence[tuple[float, float, Seen]], asked: Asked, reader: Encoder, model: Model
) -> list[tuple[float, float, Seen]]:
    """Return the parts by their worth, less what each meets the question worse than another. The best one has the score
    that the best one had by the rules: an encoder tells which part answers, and not whether any does."""
    meets = [model.meets * reader.meets(asked.text, under_heading(row.passage, row.unit)) for *_, row in parts]
    read = [(worth + m, score + m, row) for (worth, score, row), m in zip(parts, meets, strict=True)]
    first, best = max((score for _, score, _ in read), default=0.0), max((s for _, s, _ in parts), default=0.0)
    return [
        (best + model.spread * (worth - first), best + model.spread * (score - first), row)
        for worth, score, row in sorted(read, key=_by_worth)
    ]


def under_heading(passage: Passage, unit: Unit) -> str:
    """Return what is shown with a unit, under the title of its document and its heading."""
    above = dict.fromkeys(filter(None, (passage.title, unit.heading or passage.heading)))
    said = " ".join(passage.text[unit.shown_start : unit.shown_end].split())
    return f"{' > '.join(above)}\n{said}"


def answering(
    question: str,
    passages: Sequence[Passage],
    limit: int,
    prefer: Callable[[Asked, Seen], float] | None = None,
) -> list[Found]:
    """Return at most `limit` parts that answer the question, best first, each with what stands around it in its
    section; none where nothing does.

    The first needs the model's least chance, and any other a share of it; it must not overlap one before it, and must
    say something new.
    """
    chosen: list[Found] = []
    asked = read_beside(question, passages)
    reader = encoder() if asked.language is ENGLISH else None
    for part in ranked(question, passages, prefer, reader=reader):
        if len(chosen) == limit:
            break
        if not chosen and part.chance < fitted(NAMES).least:
            continue
        if chosen and part.chance < _least(part, chosen[0]):
            continue
        around = section_around(part.passage.text, part.passage.blocks, part.unit, way=asked.kind in WAYS)
        one = replace(part, around=around)
        if any(_overlap(one, other) for other in chosen):
            continue
        if adds(one.text, [other.text for other in chosen]) and not any(repeats(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _least(one: Found, first: Found) -> float:
    """Return the least chance of a part behind the first."""
    return first.chance * beside((one.passage.document_id,), (first.passage.document_id,))


def beside(documents: Collection[str], best: Collection[str]) -> float:
    """Return the least chance of a passage behind the best one, as a share of that one's, by the ids of the documents
    that both stand in."""
    return BESIDE if set(documents) & set(best) else ASIDE


def read_beside(question: str, passages: Sequence[Passage]) -> Asked:
    """Return the question as it was read: by the rules of its language, or of the passages' if it does not tell it."""
    return read_question(question, read_in(question, (passage.text for passage in passages)))


def best(question: str, passages: Sequence[Passage], limit: int) -> list[Passage]:
    """Return at most `limit` of the passages, those most likely to answer, best first."""
    found = dict.fromkeys(one.passage for one in ranked(question, passages))
    return list(found)[: max(0, limit)]


def adds(text: str, before: Sequence[str]) -> bool:
    """Return whether a text says something that those before it do not: whether it has a sentence that none
    of theirs says. Only a sentence with most of its words in one of theirs is judged."""
    told = [sentence for each in before for sentence in _sentences(each)]
    known = {said(sentence) for sentence in told}
    return not before or any(not _told(sentence, told, known) for sentence in _sentences(text))


def repeats(one: Found, other: Found) -> bool:
    """Return whether a part is another one over again: the sentence that answers is told there, most of its runs of
    words stand there, and every number. Manual pages share options, and a page is often printed from another one."""
    runs, theirs = _runs(one.text), _runs(other.text)
    numbers = set(_NUMBERS.findall(one.text)) - set(_NUMBERS.findall(other.text))
    if numbers or len(runs & theirs) < SAME * len(runs):
        return False
    return one.unit.kind != "prose" or not adds(one.core, [other.text])


@lru_cache(maxsize=256)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of `RUN` words of a text, or all of a shorter one."""
    words = text.casefold().split()
    return frozenset(tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


def _told(sentence: str, told: Sequence[str], known: Collection[tuple[str, ...]]) -> bool:
    """Return whether one of the sentences that were told says a sentence. What has no words says nothing."""
    words = stems_of(sentence)
    if not words or said(sentence) in known:
        return True
    near = [Question(sentence, each) for each in told if len(words - stems_of(each)) < NEW * len(words)]
    return any(each.label == "supports" for each in judge_all(near, threshold=STRICT))


def _sentences(text: str) -> list[str]:
    return [text[each.start : each.end] for each in sentences(text)]


def _overlap(one: Found, other: Found) -> bool:
    if one.passage.document_id != other.passage.document_id:
        return False
    a, b = one.passage.start, other.passage.start
    return a + one.start < b + other.end and b + other.start < a + one.end


def unmentioned(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the names in a question, as spelled there, that no passage mentions, nor what stands above it.

    A name that stands in a longer word is mentioned ("Postgres" in "PostgreSQL", "webserver" in "web server"), and a
    short one if it begins it ("Mac" in "macOS").
    """
    asked = read_beside(question, passages)
    names = asked.names
    if not names:
        return ()
    texts = [f"{p.text}\n{heads(p)}" for p in passages]
    with speaking(asked.language):
        said = frozenset[str]().union(*map(stems_of, texts))
    lost = [term.word for term in names if not _begins(term.stem, said)]
    joined = _NO_LETTER.sub("", " ".join(texts).casefold()) if lost else ""
    return tuple(word for word in lost if len(word) < LONG or word.casefold() not in joined)


def _begins(name: str, said: frozenset[str]) -> bool:
    """Return whether a name is said, or begins a word that is."""
    return name in said or (len(name) >= SHORT and any(word.startswith(name) for word in said))


_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_NO_LETTER = re.compile(r"[\W_]+")
SHORT = 3
"""Letters from which on a name may begin a longer word."""
LONG = 5
"""Letters from which on a name may be part of a longer word."""
