"""The text of an answer as readers see it: reference numbers, footnotes, dissent and contradictions.

The writer words the claims; code writes everything else from the record, here or in `gaps` (section VIII). Of the
debate, only positions are printed, because they were judged; reasons were not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from veritas.answers.admission import Group
from veritas.claims.answer import Reference, Sentence
from veritas.claims.contestation import Contestation
from veritas.claims.corroboration import lone_voice, voice
from veritas.claims.envelope import Citation
from veritas.claims.override import Override
from veritas.claims.sources import Source
from veritas.council.families import is_embedded, one_family
from veritas.council.turns import DraftSentence
from veritas.documents.verbatim import fold_whitespace
from veritas.frozen import content_id
from veritas.judging import Setting
from veritas.judging.sameness import contradictions, exclusion

NOT_PRINTED = (
    "not printed in the answer: nothing shows that the claim and the counter-claim speak of the same thing and cannot "
    "both be true"
)
_MARKUP = re.compile(r"[*_`\\]+")
_EDITION = re.compile(
    r"\b[vV]?(\d{1,2}(?:\.\d{1,3})+)\b|\b(?:[vV]|[vV]ersion |[A-Z]\w+ )(\d{1,2})\b|\b((?:19|20)\d\d)\b"
)
_EDITION_OF_URL = re.compile(r"/[vV]?(\d{1,2}(?:\.\d{1,3}){0,2})(?=/|$)")


class Prose:
    """Builds the printed sentences and the bibliography from the drafts.

    `groups` are by the id of the first claim, `sources` by document, `overrides` by claim; `writer` and `judges` are
    families; `texts` are the documents' texts. If the writer is no language model and the whole answer occurs verbatim
    in its sources, a sentence cites only the sources that contain it, and the frame says so. If the claims were made
    without a language model too, the answer is a `brief`, which needs no frame. `unprinted` are objections to the
    answer that only the record holds (I7).
    """

    def __init__(
        self,
        groups: Mapping[str, Group],
        contestations: Sequence[Contestation],
        sources: Mapping[str, Source],
        overrides: Mapping[str, Override],
        *,
        writer: str,
        judges: Sequence[str],
        texts: Mapping[str, str],
    ) -> None:
        self.groups, self.sources, self.overrides = groups, sources, overrides
        self.writer, self.judges, self.texts = writer, judges, texts
        self.extracted = self.brief = False
        self.standing: Mapping[DraftSentence, Set[str]] = {}
        """The documents that say a sentence; all that its claims cite, where it is not in it."""
        self.references: dict[str, Reference] = {}
        self._folded: dict[str, str] = {}
        self.unprinted: dict[str, Contestation] = {}
        self.of_claim: dict[str, list[Contestation]] = {}
        for contestation in contestations:
            self.of_claim.setdefault(contestation.claim_id, []).append(contestation)

    def sentences(
        self, drafts: Sequence[DraftSentence], gaps: Sequence[str] = (), unsure: Sequence[str] = (), far: str = ""
    ) -> tuple[Sentence, ...]:
        """Return the drafts as sentences with references and marked contradictions, followed by the gaps and the
        dissent.

        Code words the `gaps`. `unsure` are the additional gaps of an answer that is a brief, `far` is what the frame of
        any other says first.
        """
        cited = dict.fromkeys(i for d in drafts for i in d.claim_ids)
        self.extracted = is_embedded(self.writer) and self._all_stand(drafts, cited)
        self.brief = self.extracted and all(is_embedded(self.groups[i].first.provenance.family) for i in cited)
        sentences = self._contradicted(self._arranged(drafts, far))
        last = max(s.paragraph for s in sentences)
        if gaps := (*gaps, *(unsure if self.brief else ())):
            last += 1
            sentences += [Sentence(sentence_id=content_id("n", g), paragraph=last, kind="gap", text=g) for g in gaps]
        return (*sentences, *self._dissent(cited, frozenset(s.text for s in sentences), last + 1))

    def _all_stand(self, drafts: Sequence[DraftSentence], cited: Iterable[str]) -> bool:
        """Return whether each sentence, and each standing objection to one, stands in a source that is cited for it."""
        told = [(d.text, [c for i in d.claim_ids for c in self.groups[i].citations]) for d in drafts]
        standing = [x for i in cited for x in self.contestations(self.groups[i], "open")]
        told += [(x.counter_claim, [*x.counter_citations]) for x in standing]
        return all(any(self._stands(text, c) for c in citations) for text, citations in told)

    def _stands(self, text: str, citation: Citation) -> bool:
        """Return whether a sentence occurs in the cited document, apart from white space, case and markup."""
        key = citation.document_id
        if key not in self._folded:
            self._folded[key] = _plain(self.texts.get(key, ""))
        wanted, held = _plain(text), self._folded[key]
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", held) is not None

    def contestations(self, group: Group, resolution: str) -> list[Contestation]:
        """Return the group's contestations with this resolution whose claim and counter-claim exclude each other
        according to the judge. The others are in the record only."""
        found = []
        for claim in group.claims:
            for x in self.of_claim.get(claim.claim_id, ()):
                cited, counter = ([c.document_id for c in each] for each in (claim.citations, x.counter_citations))
                if x.resolution != resolution or cited == counter:
                    continue
                told = exclusion(
                    claim.claim, x.counter_claim, of_first=self._setting(cited), of_second=self._setting(counter)
                )
                if told is not None and self._one_edition(cited, counter):
                    found.append(x)
                else:
                    self.unprinted[x.contestation_id] = x
        return found

    def _setting(self, documents: Sequence[str]) -> Setting:
        source = self.sources.get(documents[0]) if documents else None
        return Setting(documents[0] if documents else "", (source.title or "") if source is not None else "")

    def _one_edition(self, ours: Iterable[str], theirs: Iterable[str]) -> bool:
        """Return whether no two of the documents name different versions or years in title or address."""
        named = [frozenset(e for d in each for e in self._editions(d)) for each in (ours, theirs)]
        return not all(named) or bool(named[0] & named[1])

    def _editions(self, document_id: str) -> Iterator[str]:
        source = self.sources.get(document_id)
        if source is not None:
            for match in _EDITION.finditer(source.title or ""):
                yield next(filter(None, match.groups()))
            for match in _EDITION_OF_URL.finditer(source.url):
                yield match[1]

    def _arranged(self, drafts: Sequence[DraftSentence], far: str) -> list[Sentence]:
        sentences: list[Sentence] = []
        paragraphs: dict[int, int] = {}
        if self.brief:
            paragraphs[-1] = 0  # kept for the brief's own line
        elif text := " ".join(filter(None, (far, frame_of(self.writer, self.judges, extracted=self.extracted)))):
            sentences.append(Sentence(sentence_id=content_id("n", text), paragraph=0, kind="frame", text=text))
            paragraphs[-1] = 0
        for draft in drafts:
            number = paragraphs.setdefault(draft.paragraph, len(paragraphs))
            sentences.append(self._sentence(draft, number))
        return sorted(sentences, key=lambda s: s.paragraph)

    def _numbers(self, text: str, citations: Sequence[Citation]) -> tuple[int, ...]:
        """Return the reference numbers of a sentence's citations, best tier first; new ones enter the bibliography."""
        numbers: list[int] = []
        if self.extracted:
            citations = [c for c in citations if self._stands(text, c)]
        for citation in sorted(citations, key=lambda c: (c.tier, c.paywalled)):
            source = self.sources.get(citation.document_id)
            if source is None or source.tier == "wikipedia":
                continue
            known = self.references.get(source.source_id)
            if known is None:
                known = self.references[source.source_id] = Reference(
                    number=len(self.references) + 1,
                    source_id=source.source_id,
                    url=citation.url,
                    title=source.title or citation.url,
                    tier=citation.tier,
                    authors=source.authors,
                    year=source.year,
                    doi=source.doi,
                    paywalled=citation.paywalled,
                )
            numbers.append(known.number)
        return tuple(dict.fromkeys(numbers))

    def _sentence(self, draft: DraftSentence, paragraph: int) -> Sentence:
        text = fold_whitespace(draft.text)
        groups = [self.groups[i] for i in dict.fromkeys(draft.claim_ids)]
        challenges: dict[tuple[str, str], dict[str, None]] = {}
        for group in groups:
            for x in self.contestations(group, "defended"):
                challenges.setdefault((fold_whitespace(x.counter_claim), _ruled(x)), {})[x.challenger] = None
        notes = [
            f"{'Other members' if len(who) > 1 else 'Another member'} of the council ({', '.join(who)}) asserted the "
            f"contrary: “{position}” Settled: {ruling}."
            for (position, ruling), who in challenges.items()
        ]
        notes += dict.fromkeys(
            f"Let in by {o.who}: {fold_whitespace(o.reason)}"
            for g in groups
            for o in (self.overrides.get(c.claim_id) for c in g.claims)
            if o is not None
        )
        notes += dict.fromkeys(
            f"The same source also says: “{fold_whitespace(x.counter_claim)}”"
            for c in (c for g in groups for c in g.claims)
            for x in self.of_claim.get(c.claim_id, ())
            if x.resolution == "open" and {one.document_id for one in c.citations} == {
                one.document_id for one in x.counter_citations
            }
        )
        citations = [c for g in groups for c in g.citations]
        if draft in self.standing:
            citations = [c for c in citations if c.document_id in self.standing[draft]]
        badges = [b for g in groups for b in g.badges]
        return Sentence(
            sentence_id=content_id("n", text),
            paragraph=paragraph,
            kind="claim",
            text=text,
            claim_ids=tuple(dict.fromkeys(c.claim_id for g in groups for c in g.claims)),
            references=self._numbers(text, citations),
            footnote=" ".join(notes) or None,
            badges=tuple(dict.fromkeys([*badges, "single-source"] if self._lone(citations) else badges)),
        )

    def _dissent(self, cited: Iterable[str], told: frozenset[str], paragraph: int) -> list[Sentence]:
        """Return the open objections to the answer, verbatim, as its last paragraph: one sentence per position, with
        all members that hold it. A position that the answer itself states is not repeated."""
        positions: dict[str, list[Contestation]] = {}
        for claim_id in cited:
            for x in self.contestations(self.groups[claim_id], "open"):
                position = fold_whitespace(x.counter_claim)
                if position not in told:
                    positions.setdefault(position, []).append(x)
        made: list[Sentence] = []
        for position, held in positions.items():
            who = ", ".join(dict.fromkeys(x.challenger for x in held))
            text = f"Dissent ({who}): “{position}”"
            citations = [c for x in held for c in x.counter_citations]
            made.append(
                Sentence(
                    sentence_id=content_id("n", text),
                    paragraph=paragraph,
                    kind="dissent",
                    text=text,
                    claim_ids=tuple(dict.fromkeys(x.claim_id for x in held)),
                    references=self._numbers(position, citations),
                    badges=("single-source",) if self._lone(citations) else (),
                )
            )
        return made

    def _lone(self, citations: Sequence[Citation]) -> bool:
        return lone_voice(citations, [voice(c, self.sources) for c in citations]) is not None

    def _contradicted(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences, with a mark on those that another sentence of the answer excludes. This finds
        contradictions that no debate reported or decided."""
        claims = [s for s in sentences if s.kind == "claim"]
        against: dict[str, dict[int, None]] = {}
        documents = {source.source_id: key for key, source in self.sources.items()}
        by_number = {r.number: documents[r.source_id] for r in self.references.values()}

        def comparable(i: int, j: int) -> bool:
            # As in the debate, a document does not contradict itself: most such pairs are two measurements in it.
            if set(claims[i].references) & set(claims[j].references):
                return False
            return self._one_edition(*([by_number[n] for n in claims[k].references] for k in (i, j)))

        settings = [self._setting([by_number[n] for n in s.references]) for s in claims]
        for i, j in contradictions([s.text for s in claims], settings, comparable):
            against.setdefault(claims[i].sentence_id, {}).update(dict.fromkeys(claims[j].references))
            against.setdefault(claims[j].sentence_id, {}).update(dict.fromkeys(claims[i].references))
        marked = []
        for sentence in sentences:
            numbers = against.get(sentence.sentence_id)
            if numbers is not None and sentence.kind == "claim":
                where = "".join(f"[{n}]" for n in numbers)
                note = " ".join(filter(None, (sentence.footnote, f"Contradicted by {where} in this answer.")))
                badges = (*sentence.badges, "contradicted")
                sentence = sentence.model_copy(update={"badges": badges, "footnote": note})
            marked.append(sentence)
        return marked


def _ruled(contestation: Contestation) -> str:
    """Return the part of a ruling that code worded; a judge's words follow the colon."""
    return contestation.ruling.partition(":")[0].rstrip(". ")


def _plain(text: str) -> str:
    return fold_whitespace(_MARKUP.sub("", text)).casefold()


def frame_of(writer: str, judges: Iterable[str], *, extracted: bool) -> str | None:
    """Return the answer's statement about itself, from the families of its writer and of the lenses; None if it needs
    none.

    It says that no language model wrote the answer (`extracted`: everything occurs in its sources), or that no model of
    another family could judge it. A brief has no such statement.
    """
    if is_embedded(writer) and extracted:
        return (
            "This answer was put together by extraction, without a language model: each sentence below stands "
            "word for word in the source it cites."
        )
    if is_embedded(writer):
        return (
            "This answer was put together without a language model, of claims in the words of those who made them: not "
            "each sentence below stands word for word in the source it cites."
        )
    if one_family(writer, judges):
        return (
            f"This answer was written by one family of language models ({writer}), and no other was there to judge it: "
            "what it asserts was judged by rules without a language model."
        )
    return None
