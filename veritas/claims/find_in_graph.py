"""Search of a claim graph by id, by [n] of the answer, by URL, or by a part of a text."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from veritas.claims.chain import ChainKind
from veritas.claims.graph import ClaimGraph
from veritas.frozen import Frozen

NEAR = 60.0
"""Least similarity, 0 to 100, of a suggestion."""
MOST = 8
"""Limit of suggestions."""


class Candidate(Frozen):
    """A possible match. `text` is its text for display."""

    kind: ChainKind
    id: str
    text: str


class Sought(Frozen):
    """The result of a search: one entry in `found` for a clear match, several for an ambiguous one, or none and
    suggestions in `near`."""

    found: tuple[Candidate, ...] = ()
    near: tuple[Candidate, ...] = ()


def seek(graph: ClaimGraph, asked: str) -> Sought:
    """Find what `asked` means in the graph.

    It is an id or the beginning of one (six characters and more), `[3]`, `3` or `reference 3` for a reference of the
    answer, `claim 3` for a claim by its number in the report, a URL with or without its scheme, or words of a sentence,
    a claim, a title, an objection or a line of the log, in any case and spacing. A sentence stands for the claims it
    cites, a claim for equal ones of other members.
    """
    asked = asked.strip()
    everything = list(_everything(graph))
    if claim := re.fullmatch(r"(?i)claim\s+(\d{1,4})", asked):
        wordings = list(dict.fromkeys(c.claim for c in graph.claims))  # numbered in this order by the reports
        if 1 <= int(claim[1]) <= len(wordings):
            one = next(c for c in graph.claims if c.claim == wordings[int(claim[1]) - 1])
            return Sought(found=(Candidate(kind="claim", id=one.claim_id, text=one.claim),))
    if number := re.fullmatch(r"(?i)(?:reference\s+)?\[?(\d{1,4})\]?", asked):
        wanted = int(number[1])
        entry = next((r for r in graph.answer.bibliography if r.number == wanted), None)
        if entry is not None:
            return Sought(found=(Candidate(kind="source", id=entry.source_id, text=entry.url),))
        top = len(graph.answer.bibliography)
        return Sought(near=tuple(
            Candidate(kind="source", id=r.source_id, text=f"[{r.number}] {r.url}")
            for r in graph.answer.bibliography[:MOST]
        )) if top else Sought()  # fmt: skip
    exact = [c for c in everything if c.id == asked]
    if not exact and re.fullmatch(r"[a-z]-[0-9a-f]{4,}", asked):
        exact = [c for c in everything if c.id.startswith(asked)]
    if exact:
        return Sought(found=tuple({c.id: c for c in exact}.values())[:MOST])
    if (address := _address(asked)) and (same := [s for s in graph.sources if _address(s.url) == address]):
        return Sought(found=tuple(Candidate(kind="source", id=s.source_id, text=s.url) for s in same))
    words = _folded(asked)
    if words:
        whole = [c for c in everything if _folded(c.text) == words]
        part = [c for c in everything if words in _folded(c.text)]
        for candidates in (whole, part):
            if settled := _settled(graph, candidates):
                return Sought(found=tuple(settled))
    return Sought(near=_near(everything, words or asked))


def _everything(graph: ClaimGraph) -> list[Candidate]:
    found = [Candidate(kind="sentence", id=s.sentence_id, text=s.text) for s in graph.answer.sentences]
    found += [Candidate(kind="claim", id=c.claim_id, text=c.claim) for c in graph.claims]
    found += [
        Candidate(kind="source", id=s.source_id, text=text)
        for s in graph.sources
        for text in dict.fromkeys((s.url, s.title))
        if text
    ]
    found += [
        Candidate(kind="objection", id=x.contestation_id, text=text)
        for x in graph.contestations
        for text in (x.objection, x.counter_claim)
        if text
    ]
    known = {c.id for c in found}
    return found + [
        Candidate(kind="event", id=e.subject_id, text=e.reason) for e in graph.events if e.subject_id not in known
    ]


def _settled(graph: ClaimGraph, candidates: list[Candidate]) -> list[Candidate]:
    """Drop the candidates that another one represents: a sentence represents its claims, a claim represents equal ones
    and the objections and sources that repeat it."""
    sentences = [c for c in candidates if c.kind == "sentence"]
    cited = {i for s in graph.answer.sentences if s.sentence_id in {c.id for c in sentences} for i in s.claim_ids}
    words = {c.claim_id: (c.claim, c.spans) for c in graph.claims}
    behind = {words[i] for i in cited if i in words}
    claims: dict[object, Candidate] = {}
    for each in candidates:
        if each.kind == "claim" and words[each.id] not in behind:
            claims.setdefault(words[each.id], each)
    others = [c for c in candidates if c.kind == "source"]
    if not sentences and not claims and not others:
        others = [c for c in candidates if c.kind in ("objection", "event")]
    return list({c.id: c for c in (*sentences, *claims.values(), *others)}.values())


def _near(everything: list[Candidate], asked: str) -> tuple[Candidate, ...]:
    texts = [_folded(c.text) for c in everything]
    ranked = process.extract(asked, texts, scorer=fuzz.WRatio, score_cutoff=NEAR, limit=4 * MOST)
    found: dict[str, Candidate] = {}
    for _, _, place in ranked:
        each = everything[place]
        found.setdefault(_folded(each.text), each)
    return tuple(found.values())[:MOST]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _address(text: str) -> str:
    """Return a URL without the parts that do not distinguish pages; "" if it is none."""
    if re.search(r"\s", text) or not re.match(r"[a-z][a-z0-9+.-]*://|[^/\s]+\.[a-z]{2,}", text, re.IGNORECASE):
        return ""
    bare = re.sub(r"^https?://(www\.)?", "", text.partition("#")[0], flags=re.IGNORECASE)
    host, slash, path = bare.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")
