"""Whether a passage says what a claim says: the one place that decides it.

Three layers. The exact layer refuses what differs in a term that must match (`exact.py`). The learned judge gives the
probability that the passage supports or refutes the claim (`learned.py`). The comparison of two sentences
(`veritas.meaning`) says that one entails or excludes the other, or that they differ, where it is sure, and else
nothing. What refuses vetoes, what entails rescues, else the probability decides. What is not sure is `silent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from veritas.judging import lexical
from veritas.judging.evidence import MAX_CLAIM, NEAREST, Evidence, find, stands_whole, stems
from veritas.judging.exact import Difference, differences
from veritas.judging.learned import CLAIM, WINDOW, Chances, learned
from veritas.meaning.compare import compare_passage
from veritas.meaning.relation import NOWHERE, Setting
from veritas.text.instructions import without_orders
from veritas.text.languages import plainly_foreign
from veritas.text.pointers import without_pointers
from veritas.text.quantities import quantities
from veritas.text.same_words import said
from veritas.text.sentences import split_sentences

Label = Literal["supports", "refutes", "silent", "unavailable"]

SUPPORT = 0.5
"""Least probability, 0 to 1, for `supports`; docs/judge.md has a table of what other values cost."""
STRICT = 0.76
"""The same where a false support costs more: strict mode, and stakes above a policy's threshold."""
REFUTE = 0.5
"""Least probability, 0 to 1, for `refutes`."""
CUT = 0.9
"""The same where a claim is a part of a sentence, word for word: what is cut off may be its condition."""
SAME = 0.97
"""Least probability of `supports` where a sentence has the claim's words in its order."""
SILENT = Chances(0.0, 0.0, 1.0)
ABOUT = 0.35
"""Share of the claim's weighted words, 0 to 1, from which a sentence speaks of it closely enough to refute it."""
READ = 2_000
"""Characters of a passage by which its language is told."""


class Question(NamedTuple):
    """A claim and the passage it is held to."""

    claim: str
    passage: str
    setting: Setting = NOWHERE


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a passage says of a claim. `probability` is that of the label, 0 to 1; `chances` those of all three, before
    a difference refused. `sentence` is the one that decides, `difference` what was found to differ, if anything.
    `same`: the sentence has the claim's words in its order; `entailed`: that, or the comparison finds it to say them in
    others; `cut`: neither, and the claim is a part of the sentence."""

    label: Label
    probability: float
    sentence: str = ""
    difference: Difference | None = None
    chances: Chances = SILENT
    same: bool = False
    entailed: bool = False
    cut: bool = False
    why: str = ""

    @property
    def reason(self) -> str:
        """One sentence for a reader: what decided, with the sentence that did."""
        quoted = f": {shown(self.sentence)}" if self.sentence else ""
        if self.why:
            return self.why + quoted
        if self.difference is not None:
            return f"{self.difference}{quoted}"
        if self.label == "supports":
            told = "the passage has it in the same words" if self.same else "the passage says this"
        elif self.label == "refutes":
            told = "the passage says otherwise"
        else:
            told = "the passage does not say this; the nearest sentence"
        return told + quoted


def shown(text: str) -> str:
    """Return a sentence as a reason quotes it: one line, cut at a word after at most 120 characters."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= 120 else f"“{line[:120].rsplit(' ', 1)[0]} …”"


def judge(claim: str, passage: str, *, context: Setting = NOWHERE, threshold: float = SUPPORT) -> Verdict:
    """Return what a passage says of a claim. Deterministic, without a network; never raises on any text.

    `context` tells what the passage's text is about: a title may name the subject of a sentence, and supports nothing
    itself. `threshold` is the least probability for `supports`.
    """
    return judge_all([Question(claim, passage, context)], threshold=threshold)[0]


def judge_all(questions: Sequence[Question], *, threshold: float = SUPPORT) -> list[Verdict]:
    """Return a verdict for each question, in their order; the model is asked in batches. Of a claim of several
    sentences each is judged, and the one that the passage says least of decides."""
    parted = [_sentences(each) for each in questions]
    prepared = [_prepared(each) for part in parted for each in part]
    open_ones = [each for each in prepared if isinstance(each, _Read)]
    weighed = iter(_weighed(open_ones))
    found = iter([_ruled(each, next(weighed), threshold) if isinstance(each, _Read) else each for each in prepared])
    return [_joined([next(found) for _ in part]) for part in parted]


def _sentences(question: Question) -> list[Question]:
    claim = question.claim
    spans = split_sentences(claim)
    if len(spans) < 2 or len(claim) > MAX_CLAIM or stands_whole(claim, question.passage):
        return [question]
    return [question._replace(claim=claim[start:end]) for start, end in spans]


def _joined(verdicts: Sequence[Verdict]) -> Verdict:
    order = ("refutes", "unavailable", "silent", "supports")
    return min(verdicts, key=lambda v: (order.index(v.label), v.chances.supports))


class _Read(NamedTuple):
    claim: str
    passage: str
    setting: Setting
    evidence: Evidence


def _prepared(question: Question) -> Verdict | _Read:
    claim = without_pointers(question.claim[:MAX_CLAIM])
    if not any(map(str.isalnum, claim)):
        return Verdict("silent", 1.0, why="the claim has no words to look for")
    passage = without_orders(question.passage)
    evidence = find(claim, passage)
    if not evidence.order:
        return Verdict("silent", 1.0, why="the passage is empty or has no readable words")
    if len(question.claim) > MAX_CLAIM:
        return Verdict(
            "silent", 1.0, why=f"the claim has {len(question.claim):,} characters, of which {MAX_CLAIM:,} are read"
        )
    language = plainly_foreign(claim) or plainly_foreign(passage[:READ])
    if language:
        if (at := _same(claim, evidence)) is not None:
            return Verdict("supports", SAME, evidence.sentence(at), same=True, entailed=True)
        why = f"the text is in {language}: without a language model English is judged, and of others only equal words"
        return Verdict("unavailable", 0.0, why=why)
    return _Read(claim, passage, question.setting, evidence)


def _weighed(read: Sequence[_Read]) -> list[Chances]:
    """Return the chances of each passage: of its windows that hold the nearest sentences, the one that says most."""
    model = learned()
    if model is None:
        return [lexical.chances(each.claim, each.passage) for each in read]
    pairs: list[tuple[str, str]] = []
    counts: list[int] = []
    for each in read:
        evidence = each.evidence
        sentences = [evidence.sentence(at) for at in range(len(evidence.spans))]
        claim_length, *lengths = model.lengths([each.claim, *sentences])
        room = WINDOW - 3 - min(claim_length, CLAIM)
        nearest = evidence.order[:NEAREST]
        windows = [w for w in evidence.windows(room, lengths) if any(w[0] <= at < w[1] for at in nearest)]
        cut = [each.passage[evidence.spans[first][0] : evidence.spans[last - 1][1]] for first, last in windows]
        pairs += [(each.claim, _headed(each, text)) for text in cut]
        counts.append(len(cut))
    chances = iter(model.chances(pairs))
    return [max((next(chances) for _ in range(count)), key=lambda c: c.supports + c.refutes) for count in counts]


def _headed(read: _Read, text: str) -> str:
    """Return a text with the subject before it where the claim names that and the text does not: "It weighs 40 kg"."""
    subject = _naming(read.setting).subject
    named = stems(read.claim) & stems(subject)
    return f"{subject}. {text}" if named and not named <= stems(text) else text


def _naming(setting: Setting) -> Setting:
    """Return a setting without a subject that has a value: a title names what a text is about, and supports nothing."""
    return replace(setting, subject="") if quantities(setting.subject) else setting


def _same(claim: str, evidence: Evidence) -> int | None:
    """Return the place of a sentence that has the claim's words in its order, or of the nearest one where all of the
    claim stands in the passage; None if there is none."""
    wanted = said(claim)
    for at in evidence.order[:NEAREST]:
        if wanted and said(evidence.sentence(at)) == wanted:
            return at
    return evidence.order[0] if stands_whole(claim, evidence.passage) else None


def _ruled(read: _Read, chances: Chances, threshold: float) -> Verdict:
    evidence, nearest = read.evidence, read.evidence.nearest
    told = next(differences(read.claim, read.passage, nearest=nearest, around=read.setting.subject), None)
    same = _same(read.claim, evidence)
    found = compare_passage(read.passage, read.claim, setting=_naming(read.setting))
    if told is None and found.decisive is not None and same is None:
        told = Difference(found.decisive.kind, found.decisive.first, found.decisive.second)
    supports, refutes = chances.supports, chances.refutes
    if told is None and (found.entailed or (same is not None and refutes < REFUTE)):
        supports, refutes = max(supports, SAME), min(refutes, 1 - SAME)
    chances = Chances(supports, refutes, max(0.0, 1 - supports - refutes))
    cut = same is None and not found.entailed and _is_cut(said(read.claim), said(nearest))
    threshold = max(threshold, CUT) if cut else threshold
    sentence = evidence.sentence(same) if same is not None else nearest
    if supports >= max(threshold, refutes):
        if told is not None:
            return Verdict("silent", 1 - min(supports, 0.5), nearest, told, chances)
        sure = same is not None or found.entailed
        return Verdict("supports", supports, sentence, None, chances, same is not None, sure)
    if refutes >= max(REFUTE, supports) and evidence.shares[evidence.order[0]] >= ABOUT:
        return Verdict("refutes", refutes, nearest, told, chances)
    why = "the sentence goes on where the claim ends" if cut and supports >= SUPPORT else ""
    return Verdict(
        "silent", max(chances.silent, 1 - max(supports, refutes)), nearest, told, chances, cut=cut, why=why
    )


def _is_cut(claim: Sequence[str], sentence: Sequence[str]) -> bool:
    """Return whether a claim's words stand in a row in a sentence that has more of them."""
    spare = len(sentence) - len(claim)
    return spare > 0 and any(sentence[at : at + len(claim)] == claim for at in range(spare + 1))
