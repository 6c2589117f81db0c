"""The adversarial reviewer: checks every sentence of a draft against the corpus, and sees nothing but the two.

Four phases (spec, section 4.2): each sentence's support, its class, the logic of the whole, the writing.

Logic and writing: the reviewer's remarks on the draft as a text, in phases three and four. They are no verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.council.embedded.alignment import repeats
from veritas.council.families import one_family
from veritas.documents.verbatim import fold_whitespace, locate
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.gate import Attribution, Decision, Finding, Gate
from veritas.judging import judge
from veritas.judging.sameness import exclusion
from veritas.meaning.compare import compare_passage
from veritas.meaning.relation import Setting
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CorpusClaim, CorpusPaper, Filters
from veritas.reviews.reviewing.review_verdicts import Flag, FoundQuote, Line, SentenceVerdict, Verdict
from veritas.text.quantities import Quantity, quantities
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import tokenise

LONG = 45
"""Words above which a sentence is called long."""


def vague(text: str) -> str | None:
    """Return why a sentence states nothing that could be checked, or None."""
    content = {stem(t) for t in tokenise(text) if t not in STOP_WORDS and t not in GENERIC_WORDS}
    return "it says too little to be checked" if len(content) < 3 else None


def logic(lines: Sequence[Line]) -> dict[str, list[Flag]]:
    """Return flags for contradictions and repetitions."""
    found: dict[str, list[Flag]] = {}

    def say(line: Line, kind: str, why: str) -> None:
        found.setdefault(line.sentence_id, []).append(Flag.model_validate({"kind": kind, "why": why}))

    stated = [line for line in lines if line.kind != "gap"]
    for at, line in enumerate(stated):
        for earlier in stated[:at]:
            if repeats(line.text, earlier.text):
                say(line, "repetition", f"it repeats “{_short(earlier.text)}”")
                break
        for earlier in stated[:at]:
            if earlier.section == line.section and _exclude(earlier, line):
                say(line, "contradiction", f"it and “{_short(earlier.text)}” cannot both be true as they stand")
                break
    return found


def writing(lines: Sequence[Line]) -> dict[str, list[Flag]]:
    """Return flags for long sentences. Quotations, being their authors' words, are left alone."""
    counts = {line.sentence_id: len(line.text.split()) for line in lines if line.kind == "claim"}
    return {n: [Flag(kind="style", why=f"it has {count} words")] for n, count in counts.items() if count > LONG}


def _exclude(one: Line, other: Line) -> bool:
    """Return whether two sentences cannot both be true. Those that cite the same papers speak of the same thing."""
    settings = [Setting(document=" ".join(sorted(line.keys))) for line in (one, other)]
    return exclusion(one.text, other.text, of_first=settings[0], of_second=settings[1]) is not None


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"


QUOTES = 3
"""Quotes of each cited paper that are compared with a sentence."""
DOUBT = 0.2
"""Least probability, 0 to 1, that the quotes support a sentence which a panel let in and the judge is not sure of."""
COPIED = 12
"""Words in a row of a quote that prose may have."""
_WIDER = frozenset({"quantifier", "population", "modality"})
"""Differences that make a sentence say more than its quotes."""
IDLE = 0.2
"""Share of a sentence's words below which a cited paper contributes nothing to it."""


class Report(Frozen):
    """A verdict for every sentence except gaps, in the order of the text."""

    reviewer: tuple[str, ...]
    """Names of the lenses that judged."""
    verdicts: tuple[SentenceVerdict, ...]

    def of(self, sentence_id: str) -> SentenceVerdict | None:
        """Return the verdict on a sentence; None for a gap."""
        return next((v for v in self.verdicts if v.sentence_id == sentence_id), None)


async def review(lines: Sequence[Line], corpus: Corpus, gate: Gate, family: str) -> Report:
    """Review a draft of a writer of `family`. A sentence that nobody could judge is `UNAVAILABLE`."""
    return await _Reviewing(corpus, gate, family).run(lines)


class _Reviewing:
    def __init__(self, corpus: Corpus, gate: Gate, family: str) -> None:
        self._corpus, self._gate, self._family = corpus, gate, family
        self._papers: dict[str, CorpusPaper] = {paper.paper_key: paper for paper in corpus.papers()}

    async def run(self, lines: Sequence[Line]) -> Report:
        stated = [line for line in lines if line.kind != "gap"]
        early: dict[str, SentenceVerdict] = {}
        asked: list[tuple[Line, tuple[FoundQuote, ...]]] = []
        for line in stated:
            quotes = await self._quotes(line)
            verdict = self._at_once(line, quotes)
            if verdict is not None:
                early[line.sentence_id] = verdict
            else:
                asked.append((line, quotes))
        decisions = await self._gate.decide_all([self._finding(line, quotes) for line, quotes in asked])
        for (line, quotes), decision in zip(asked, decisions, strict=True):
            early[line.sentence_id] = self._judged(line, quotes, decision)
        verdicts = {line.sentence_id: early[line.sentence_id] for line in stated}
        flags = logic(lines)
        for sentence, remarks in writing(lines).items():
            flags.setdefault(sentence, []).extend(remarks)
        lenses = dict.fromkeys(j.lens for d in decisions for j in d.judgments)
        return Report(
            reviewer=tuple(lenses),
            verdicts=tuple(
                v.model_copy(update={"flags": (*v.flags, *flags.get(v.sentence_id, ()))}) for v in verdicts.values()
            ),
        )

    async def _quotes(self, line: Line) -> tuple[FoundQuote, ...]:
        """Return the quotes that the reviewer's own search finds for a sentence in each paper it cites."""
        found: list[FoundQuote] = []
        for key in line.keys:
            if key not in self._papers:
                continue
            if line.kind == "quotation":
                found += self._standing(line.text, key)
                continue
            only = Filters(papers=frozenset({key}))
            try:
                hits = await self._corpus.search(line.text, only, QUOTES)
            except Unavailable:  # the embedder does not answer; the words still find claims
                hits = await self._corpus.search(line.text, only, QUOTES, lexical_only=True)
            found += [_quote(hit.claim) for hit in hits]
        return tuple(found)

    def _standing(self, text: str, key: str) -> list[FoundQuote]:
        """Return the claim that has these words, or their place in the paper's text."""
        claims = self._corpus.claims(Filters(papers=frozenset({key})))
        wanted = fold_whitespace(text)
        same = next((c for c in claims if wanted in c.verbatim), None)
        if same is not None:
            return [_quote(same)]
        stored = self._corpus.document_text(self._papers[key].document_id)
        if locate(text, stored) is None:
            return []
        return [FoundQuote(claim_id=None, paper_key=key, verbatim=wanted)]

    def _at_once(self, line: Line, quotes: tuple[FoundQuote, ...]) -> SentenceVerdict | None:
        """Return the verdict if code alone can give one, before any lens is asked."""

        def said(verdict: str, reason: str) -> SentenceVerdict:
            return SentenceVerdict.model_validate(
                {"sentence_id": line.sentence_id, "verdict": verdict, "reason": reason, "quotes": quotes}
            )

        if not line.keys:
            return said("UNGROUNDED", "it cites nothing")
        invented = [key for key in line.keys if key not in self._papers]
        if invented:
            return said("UNGROUNDED", f"the corpus has no paper {', '.join(invented)}")
        if line.kind == "quotation":
            if quotes:
                return said("VERIFIED", f"these words stand in {quotes[0].paper_key}")
            return said("UNVERIFIED", f"these words do not stand in {', '.join(line.keys)}")
        nothing = vague(line.text)
        if nothing:
            return said("VAGUE", nothing)
        if not quotes:
            return said("UNVERIFIED", f"nothing in {', '.join(line.keys)} speaks of it")
        fault = _quantity_fault(line.text, quotes)
        return said("UNVERIFIED", fault) if fault else None

    def _finding(self, line: Line, quotes: Sequence[FoundQuote]) -> Finding:
        return Finding(
            finding_id=line.sentence_id,
            kind="review-sentence",
            claim=line.text,
            passages=tuple(dict.fromkeys(quote.verbatim for quote in quotes)),
            sources=tuple(_source(self._papers[key]) for key in dict.fromkeys(q.paper_key for q in quotes)),
            family=self._family,
        )

    def _judged(self, line: Line, quotes: tuple[FoundQuote, ...], decision: Decision) -> SentenceVerdict:
        """Return the verdict after the lenses."""
        verdict: Verdict = "UNVERIFIED"
        reason = decision.reason
        if decision.action == "halted":
            verdict = "UNAVAILABLE"
        elif decision.admitted:
            verdict = "VERIFIED"
            idle = [key for key in line.keys if _lends(line.text, [q for q in quotes if q.paper_key == key]) < IDLE]
            if idle:
                verdict = "UNVERIFIED"
                reason = f"{', '.join(idle)} lends it nothing"
            else:
                alone = one_family(self._family, [j.family for j in decision.judgments])
                verdict, reason = _held(line.text, quotes, alone, reason)
        else:
            verdict, reason = _refused(line.text, quotes, reason)
        return SentenceVerdict(
            sentence_id=line.sentence_id, verdict=verdict, reason=reason, quotes=quotes, decision=decision,
            flags=_copied(line.text, quotes),
        )  # fmt: skip


def _held(text: str, quotes: Sequence[FoundQuote], alone: bool, reason: str) -> tuple[Verdict, str]:
    """Return the verdict on a sentence that the panel let in: the judge holds back what it finds to differ and what the
    quotes hardly say, and, where no language model of another family judged (`alone`), all that they do not say."""
    passage = "\n\n".join(q.verbatim for q in quotes)
    held = judge(text, passage)
    if held.label == "supports" or (held.label == "unavailable" and not alone):
        return "VERIFIED", reason
    if not alone and held.label == "silent" and held.difference is None and held.chances.supports >= DOUBT:
        return "VERIFIED", reason
    return _refused(text, quotes, f"no language model judged it, and {held.reason}" if alone else held.reason)


def _refused(text: str, quotes: Sequence[FoundQuote], reason: str) -> tuple[Verdict, str]:
    """Return the verdict on a sentence that is not supported: a wider statement than its quotes has its own."""
    found = compare_passage("\n\n".join(q.verbatim for q in quotes), text)
    wider = next((each for each in found.differences if each.kind in _WIDER), None)
    if wider is not None and found.relation not in ("excludes", "unrelated"):
        return "OVERGENERALISED", f"it says more than its quotes: {wider}"
    return "UNVERIFIED", reason


def _copied(text: str, quotes: Sequence[FoundQuote]) -> tuple[Flag, ...]:
    """Return a flag for prose that has more than `COPIED` words in a row from a quote, without quotation marks."""
    words = [tokenise(said) for said in (text, *(q.verbatim for q in quotes))]
    mine, *theirs = ({tuple(said[n : n + COPIED + 1]) for n in range(len(said) - COPIED)} for said in words)
    if not any(mine & other for other in theirs):
        return ()
    why = f"more than {COPIED} words in a row are a quote's: quote them, or word them anew"
    return (Flag(kind="verbatim", why=why),)


def _quote(claim: CorpusClaim) -> FoundQuote:
    return FoundQuote(claim_id=claim.claim_id, paper_key=claim.paper_key, page=claim.page, verbatim=claim.verbatim)


def _source(paper: CorpusPaper) -> Attribution:
    return Attribution(
        document_id=paper.document_id, title=paper.title, authors=paper.authors, year=paper.year, doi=paper.doi
    )


def _exact(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are the same: no rounding is allowed (spec, section 4.2), a bound stays a bound."""
    near = 1e-9 * max(1.0, abs(one.low), abs(one.high))
    same = (one.unit, one.bound) == (other.unit, other.bound)
    return same and abs(one.low - other.low) <= near and abs(one.high - other.high) <= near


def _quantity_fault(text: str, quotes: Sequence[FoundQuote]) -> str | None:
    """Return a fault for the first quantity of a sentence that no quote states exactly, or None."""
    theirs = [q for quote in quotes for q in quantities(quote.verbatim)]
    for mine in quantities(text):
        if not any(_exact(mine, other) for other in theirs):
            kin = next((q for quote in quotes for q in quantities(quote.verbatim) if q.unit == mine.unit), None)
            shown = text[mine.start : mine.end]
            if kin is None:
                return f"its “{shown}” is in none of the quotes"
            return f"its “{shown}” is in none of the quotes; the nearest they state is {_number(kin)}"
    return None


def _number(quantity: Quantity) -> str:
    span = f"{quantity.low:g}" if quantity.low == quantity.high else f"{quantity.low:g} to {quantity.high:g}"
    return f"{span} {quantity.unit}".strip()


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(t) for t in tokenise(text) if t not in STOP_WORDS)


def _lends(text: str, quotes: Sequence[FoundQuote]) -> float:
    """Return the share of a sentence's words that stand in some quotes."""
    words = _words(text)
    there = frozenset().union(*(_words(q.verbatim) for q in quotes)) if quotes else frozenset()
    return len(words & there) / len(words) if words else 0.0
