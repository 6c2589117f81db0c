"""Outages of a run: members and judges that gave no answer at a stage (I5), and the effect on the run's answer.

If none answered, the run's answer is `unavailable`: it says nothing about the question (I10). Otherwise the answer
names the missing ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veritas.answers import extract
from veritas.answers.debate import Debate
from veritas.answers.decompose import Decomposition
from veritas.answers.extract import Extraction
from veritas.answers.gather import Research
from veritas.answers.synthesize import Synthesis
from veritas.answers.verify import Verification
from veritas.claims.graph import Event, StageName
from veritas.claims.judgment import ClaimJudgment, verdicts
from veritas.search.configured_providers import encyclopedias
from veritas.text.plural import plural

MOST_WORDS = 300
"""Limit in characters of a quoted refusal."""
_JUDGED = {
    "refutes": "refuted by their passages",
    "silent": "without support in their passages",
}


class Silence(NamedTuple):
    """A stage at which no model or service answered: what failed and why, and the first stage to repeat."""

    stage: StageName
    said: str


class Heard(NamedTuple):
    """The outputs of a run's stages, before its answer is final."""

    taken: Decomposition
    found: Research
    extracted: Extraction
    verified: Verification
    debated: Debate
    written: Synthesis
    models: frozenset[str] = frozenset()
    """Names of the members that are language models."""

    def settled(self) -> Synthesis:
        """Return the synthesis with its final answer: `unavailable` if a stage got no answer at all, otherwise with the
        names of the missing."""
        answer = self.written.answer
        silent = self._silence() if answer.status == "insufficient_evidence" else None
        update: dict[str, object] = {"missing": tuple(self._missing(silent))}
        if silent is not None:
            update |= {"status": "unavailable", "reason": silent.said, "unavailable_at": silent.stage}
        return self.written.model_copy(update={"answer": answer.model_copy(update=update)})

    # -- nobody -------------------------------------------------------------------------------------------------------

    def _silence(self) -> Silence | None:
        """Return the reason at the first stage that got no answer at all; None if each got one."""
        claims = self.extracted.claims
        if not claims:
            return self._nothing_found() or self._no_member()
        return unjudged(self.verified, self.debated) or self._no_writer()

    def _begin(self, stage: StageName) -> StageName:
        """Return the first stage to repeat. A failed decomposition is repeated too: nothing paid for is lost by it."""
        return "decompose" if _speechless(self.taken.events) else stage

    def _nothing_found(self) -> Silence | None:
        found = self.found
        answered = {s.provider for s in found.searches if s.unavailable is None}
        if not answered:
            said = f"No search was answered: {_words(self._unanswered()) or 'none was made'}"
            return Silence(self._begin("research"), said)
        if any(s.status == "read" for s in found.sources):
            return None
        if found.unanswered and answered <= encyclopedias():
            said = f"{found.unanswered} of {len(found.schedule)} searches were not answered, and the others asked " \
                "an encyclopedia, which is not cited"
            return Silence(self._begin("research"), f"{said}: {_words(self._unanswered())}")
        failed = [s for s in found.sources if s.status == "unavailable"]
        if failed:
            said = f"None of {plural(len(failed), 'source')} to be read could be read"
            return Silence("research", f"{said}: {_words(s.problem or '' for s in failed)}")
        return None

    def _unanswered(self) -> Iterator[str]:
        """Yield why searches were not answered, by provider. Several providers' refusals to one member are one row."""
        for search in self.found.searches:
            if search.unavailable:
                yield f"{search.provider}: {search.unavailable}"
        for event in _speechless(self.found.events):
            yield from _LED_BY.sub("", event.reason).split("; ")

    def _no_member(self) -> Silence | None:
        """Return the silence if all members with something to read, or all language models among them, gave no readable
        answer; else None."""
        asked = extract.units(self.found, self.taken.sub_queries)
        silent = _speechless(self.extracted.events)
        if asked and len(silent) >= len(asked):
            said = "No member of the council gave a readable answer"
        elif (
            (models := [unit for unit in asked if unit.member in self.models])
            and sum(e.member in self.models for e in silent) >= len(models)
        ):
            # Rules that find nothing are no answer of a council that was chosen for its models.
            said = "No language model of the council gave a readable answer, and the other members found nothing"
        else:
            return None
        return Silence(self._begin("extract"), f"{said}: {_words(e.reason for e in silent)}")

    def _no_writer(self) -> Silence | None:
        supported = {c.claim for c in self.debated.claims if c.verifier_judgment == "supports"}
        stand = f"The claim graph holds {plural(len(supported), 'supported claim')}"
        silent = _speechless(self.written.events)
        if silent:
            repairs = [e for e in silent if e.subject_id != e.member]
            lost = f"no sentence passed its check, and {len(repairs)} could not be repaired"
            said = lost if repairs else "no writer answered"
            return Silence("synthesize", f"{stand}, but {said}: {_words(e.reason for e in silent)}")
        checked = [j for j in self.written.judgments if j.purpose == "sentence"]
        if checked and all(j.label == "unavailable" for j in checked):
            said = f"{stand}, but the answer's sentences could not be checked"
            return Silence("synthesize", f"{said}: {_words(j.rationale for j in checked)}")
        return None

    # -- somebody -----------------------------------------------------------------------------------------------------

    def _missing(self, silent: Silence | None) -> Iterator[str]:
        """Yield a line for each missing member, judge or provider; the cause of a silence is not repeated."""
        at = silent.stage if silent is not None else None
        for event in _speechless(self.taken.events):
            if at != "decompose":
                yield f"{event.member} could not split the question: {_words([event.reason])}"
        if (lost := self.found.unanswered) and at not in ("decompose", "research"):
            said = f"{lost} of {len(self.found.schedule)} searches were not answered"
            yield f"{said}: {_words(self._unanswered())}"
        turns = {"the debate": self.debated.events}
        if at not in ("decompose", "extract"):
            turns = {"the claims": self.extracted.events} | turns
        yield from _absent(turns)
        yield from self._moved()
        labels = list(verdicts(self.debated.claims).values())
        unheard = _unheard(self.verified, self.debated)
        if unheard and at not in ("verify", "debate"):
            never, whose = labels.count("unavailable"), ""
            if not never:  # each is supported, or not, in the words of another member
                never = len({c.claim for c in self.debated.claims if c.verifier_judgment == "unavailable"})
                whose = " for every member that states them"
            yield f"{never} of {len(labels)} claims could not be checked{whose}: {_words(j.rationale for j in unheard)}"
        sentences = [j for j in self.written.judgments if j.purpose == "sentence" and j.label == "unavailable"]
        if sentences and at != "synthesize":
            many = plural(len({j.subject_id for j in sentences}), "sentence")
            yield f"{many} of the answer could not be checked: {_words(j.rationale for j in sentences)}"
        repairs = _speechless(self.written.events)
        if at != "synthesize":
            yield from (e.reason for e in repairs if e.subject_id == e.member)
        repairs = [e for e in repairs if e.subject_id != e.member]
        if repairs and at != "synthesize":
            said = f"{plural(len(repairs), 'sentence')} that failed the check could not be repaired"
            yield f"{said}: {_words(e.reason for e in repairs)}"


    def _moved(self) -> Iterator[str]:
        """Yield a line for each member or judge that others replaced: at which stages, and why."""
        parts = (self.taken, self.extracted, self.verified, self.debated, self.written)
        rows = [e for part in parts for e in part.events if e.kind == "turn-moved"]
        for member in dict.fromkeys(e.member for e in rows):
            mine = [e for e in rows if e.member == member]
            stages = " and ".join(dict.fromkeys(_TURNS[e.stage] for e in mine))
            yield f"{member} could not {stages}, and others did in its place: {_words(_why(e.reason) for e in mine)}"


_TURNS = {
    "decompose": "split the question",
    "extract": "state claims",
    "verify": "judge claims",
    "debate": "take part in the debate",
    "synthesize": "write or judge the answer",
}


def _why(reason: str) -> str:
    return reason.partition(" in its place: ")[2] or reason


def unjudged(verified: Verification, debated: Debate) -> Silence | None:
    """Return the silence if claims were never judged and none is supported; else None.

    Also None if all possible judges answered: claims without a judge of another family would get none in a repeated run
    either.
    """
    labels = list(verdicts(debated.claims).values())
    unheard = _unheard(verified, debated)
    if not unheard or "supports" in labels:
        return None
    never = labels.count("unavailable")
    said = f"None of {plural(never, 'claim')} could be checked"
    if never < len(labels):
        if all(j.lens == "none" for j in unheard):
            return None
        counted = [f"{labels.count(label)} {words}" for label, words in _JUDGED.items() if label in labels]
        said = ", ".join([f"No claim is supported: {never} of {len(labels)} could not be checked", *counted])
    stage: StageName = "verify" if any(j.purpose == "verify" for j in unheard) else "debate"
    return Silence(stage, f"{said}: {_words(j.rationale for j in unheard)}")


def _unheard(verified: Verification, debated: Debate) -> list[ClaimJudgment]:
    """Return the missing judgments of the claims that could not be checked."""
    never = {c.claim_id for c in debated.claims if c.verifier_judgment == "unavailable"}
    given = (*verified.judgments, *debated.judgments)
    return [j for j in given if j.subject_id in never and j.label == "unavailable"]


def _speechless(events: Iterable[Event]) -> list[Event]:
    return [e for e in events if e.kind == "member-unavailable"]


def _absent(turns: Mapping[str, Iterable[Event]]) -> Iterator[str]:
    """Yield a line for each member that gave no readable answer: at which turns, and why."""
    silent = [(turn, event) for turn, events in turns.items() for event in _speechless(events)]
    for member in dict.fromkeys(event.member for _, event in silent):
        mine = [(turn, event) for turn, event in silent if event.member == member]
        at = " and ".join(dict.fromkeys(turn for turn, _ in mine))
        yield f"{member} could not contribute to {at}: {_words(event.reason for _, event in mine)}"


_LED_BY = re.compile(
    r"\A(?:no claims|no answer was written|the question was not (?:split|taken apart)|no (?:part|answer) in R\d|"
    r"no research on “.*?”|the sentence was not repaired): "
)
"""Beginnings of the rows in which stages record a refusal."""


_STOOD_BACK = re.compile(
    r"\A(?P<who>\S+) is left out from here on: (?:\d+ calls in a row failed: )?"
)
"""Beginning of the words of a model that was not asked again; its own words follow."""
_TRIES = re.compile(r" \(\d+ tries\)\Z")


def _words(reasons: Iterable[str]) -> str:
    """Return the reasons of the refusals without repetition: at most three, one line each. One reason may combine
    several, if none of several candidates answered."""
    bare: dict[str, str] = {}
    for reason in reasons:
        for text in _LED_BY.sub("", " ".join(reason.split())).split("; "):
            stood_back = _STOOD_BACK.match(text)
            cause = text[stood_back.end() :] if stood_back else text
            shown = f"{stood_back['who']}: {cause}" if stood_back else text
            bare.setdefault(_TRIES.sub("", cause), shown if len(shown) <= MOST_WORDS else shown[: MOST_WORDS - 1] + "…")
    said: Sequence[str] = list(filter(None, bare.values()))
    more = f"; and {len(said) - 3} more" if len(said) > 3 else ""
    return "; ".join(said[:3]) + more
