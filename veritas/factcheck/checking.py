"""The check of a text: each page fetched once, each statement held against each page it cites, and the rates."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from veritas.factcheck.addresses import page_key, public_address
from veritas.factcheck.judging import Held, judge
from veritas.factcheck.outcome import (
    CheckedStatement,
    CitedSource,
    FactCheck,
    PartVerdict,
    Passage,
    ReadSource,
    SourceVerdict,
    Verdict,
    headline,
    rates,
)
from veritas.factcheck.pages import read_page
from veritas.factcheck.quoting import Quoted, is_quotation, quoted
from veritas.factcheck.resolving import NO_BIBLIOGRAPHY, is_named_only, list_is_lost
from veritas.factcheck.shapes import CheckedText, Citation, Statement
from veritas.factcheck.sources import Source, Sources, could_not_be_read
from veritas.text.languages import plainly_foreign
from veritas.text.plural import plural
from veritas.text.sentences import split_sentences

if TYPE_CHECKING:
    from veritas.factcheck.council_judging import CouncilJudges, Pair

PART = 3
"""Words of the shortest part of a statement that is judged apart."""
LOOKED = 5
"""Pages that are read for a statement without a citation."""
EXPORT_AGAIN = (
    "Marks without a source: text that is copied from a screen often loses its list of sources. Copy it again with its "
    "list (the assistant's own export or share link), give the list beside the text, or give the conversation's export "
    "in JSON."
)
NAMED_ONLY = (
    "Sources named without an address were not looked for: give their addresses in the list, or the documents "
    "themselves (--corpus), where a file name, a relative path or a title is enough."
)
BIBLIOGRAPHY_MISSING = (
    "Keys without a bibliography were not looked for: give the bibliography beside the text (--sources; BibTeX, RIS or "
    "CSL-JSON)."
)
JUDGE = "the embedded judge, without a language model"
_BEST: tuple[Verdict, ...] = ("supported", "partly", "contradicted", "cannot_tell", "not_in_source", "unreachable")
"""Which of several sources' verdicts is the statement's: one that says it is enough."""


class Told(Protocol):
    """Whoever hears of the progress of a check."""

    @property
    def begun(self) -> Callable[[int, int], None]:
        """Hears of the number of pages and of statements."""

    @property
    def read(self) -> Callable[[Source], None]:
        """Hears of each page, read or not."""

    @property
    def judged(self) -> Callable[[CheckedStatement], None]:
        """Hears of each statement with its verdict."""

    @property
    def forecast(self) -> Callable[[str], None]:
        """Hears, before a council is asked, what that takes."""


Look = Callable[[str], Awaitable[Sequence[str]]]
"""Looks for pages about a statement, and returns their addresses, best first."""


@dataclass(frozen=True)
class _Said:
    """What one source says of a statement and of its parts, and by which judge; empty for the embedded one."""

    source: Source
    held: Held
    parts: tuple[PartVerdict, ...] = ()
    by: str = ""


async def check(
    text: CheckedText, sources: Sources, *, name: str, told: Told, look: Look | None = None,
    judges: CouncilJudges | None = None,
) -> FactCheck:
    """Check a text that was read into statements. `look` looks for statements without a citation, `judges` judge what
    the embedded judge cannot tell.

    The policy of the sources stops nothing here: the tier stands beside the verdict. A page that could not be read is
    told with its reason, and never counts for or against a statement.
    """
    wanted = [each for each in text.statements if each.kind == "statement"]
    language = plainly_foreign(" ".join(each.statement for each in wanted))
    titles: dict[str, str | None] = {}
    labels: dict[str, list[str]] = {}
    for statement in wanted:
        for citation in statement.citations:
            if citation.url:
                key = page_key(citation.url)
                titles[citation.url] = citation.title or titles.get(citation.url)
                if citation.label not in labels.setdefault(key, []):
                    labels[key].append(citation.label)
    told.begun(len(labels), len(wanted))

    firsts = {page_key(url): url for url in reversed(titles)}
    pages: dict[str, Source] = {}
    for done in asyncio.as_completed([_keyed(key, sources.read(url, titles[url])) for key, url in firsts.items()]):
        key, source = await done
        pages[key] = source
        told.read(source)
    checked: list[CheckedStatement] = []
    open_: dict[int, list[_Said]] = {}
    for number, statement in enumerate(wanted):
        said = await asyncio.to_thread(_said, statement, pages, language)
        found = _checked(statement, pages, said)
        if judges is not None and found.verdict == "cannot_tell":
            open_[number] = said
        else:
            if found.verdict == "uncited" and look is not None:
                found = await _looked_for(found, look, sources)
            told.judged(found)
        checked.append(found)
    if judges is not None and open_:
        pairs = [_pair(wanted[n], each) for n, said in open_.items() for each in said if _is_open(each)]
        told.forecast(judges.forecast(pairs))
        asked = [_asked(n, wanted[n], said, judges) for n, said in open_.items()]
        for answer in asyncio.as_completed(asked):
            at, heard = await answer
            checked[at] = _checked(wanted[at], pages, heard)
            told.judged(checked[at])
    read = _sources_read({key: pages[key] for key in firsts}, labels)
    judge_name = JUDGE if judges is None else f"{JUDGE}, and what it cannot tell by {judges.who}"
    return FactCheck(
        name=name, text=text.text, format=text.format, statements=tuple(checked), set_aside=dict(text.set_aside),
        sources=read, rates=rates(checked, read), headline=headline(checked, read), judge=judge_name,
        notes=_notes(checked, read, judge_name),
    )  # fmt: skip


def _is_open(said: _Said) -> bool:
    return said.held.verdict == "cannot_tell" and said.source.document is not None


def _pair(statement: Statement, said: _Said) -> Pair:
    from veritas.factcheck.council_judging import Pair

    assert said.source.document is not None
    return Pair(statement.statement, read_page(said.source.document), said.held)


async def _asked(
    number: int, statement: Statement, said: Sequence[_Said], judges: CouncilJudges
) -> tuple[int, list[_Said]]:
    """Return what the sources of a statement say, after a council judged what the embedded judge could not tell."""

    async def one(each: _Said) -> _Said:
        if not _is_open(each):
            return each
        held, by = await judges.judge(_pair(statement, each))
        return _Said(each.source, held, each.parts, by)

    return number, list(await asyncio.gather(*map(one, said)))


async def _keyed(key: str, reading: Awaitable[Source]) -> tuple[str, Source]:
    return key, await reading


def _checked(statement: Statement, pages: dict[str, Source], said: Sequence[_Said]) -> CheckedStatement:
    """Return a statement with the verdict of its sources, by what each of them says."""
    cited = tuple(_cited(citation, pages) for citation in statement.citations)
    base: dict[str, Any] = {
        "statement": statement.statement, "start": statement.start, "end": statement.end, "kind": statement.kind,
        "citations": cited, "scope": statement.scope,
    }  # fmt: skip
    if not statement.citations:
        return CheckedStatement(**base, verdict="uncited", difference="the text names no source for it")
    if not said:
        why = "; ".join(dict.fromkeys(c.problem for c in cited if c.problem)) or "the mark names no source"
        named = any(is_named_only(each.problem) for each in cited)
        return CheckedStatement(**base, verdict="unreachable" if named else "mark_without_source", difference=why)
    return CheckedStatement(**base, **_verdict(said))


def _cited(citation: Citation, pages: dict[str, Source]) -> CitedSource:
    source = pages.get(page_key(citation.url)) if citation.url else None
    problem = citation.problem
    if source is not None and source.problem:
        problem = source.problem
    return CitedSource(
        label=citation.label, start=citation.start, end=citation.end, style=citation.style,
        url=public_address(citation.url) if citation.url else None, title=citation.title, problem=problem,
        tier=source.tier.tier if source is not None else None,
        tier_reason=source.tier.justification if source is not None else "",
    )  # fmt: skip


def _said(statement: Statement, pages: dict[str, Source], language: str) -> list[_Said]:
    """Return what each source that a statement cites says of it, by the embedded judge. `language` is the text's, empty
    for English."""
    told: list[_Said] = []
    seen: set[str] = set()
    for key in dict.fromkeys(page_key(c.url) for c in statement.citations if c.url):
        source = pages[key]
        if source.document is None:
            told.append(_Said(source, Held("unreachable", None, could_not_be_read(source.problem or ""))))
        elif source.document.document_id not in seen:  # one page under two addresses
            seen.add(source.document.document_id)
            told.append(_Said(source, *_held(statement, source, language)))
    return told


def _verdict(told: Sequence[_Said]) -> dict[str, Any]:
    """Return the fields of a verdict on a statement by what the sources that it cites say, at least one."""
    unread = [each.source for each in told if each.held.verdict == "unreachable"]
    best = min(told, key=lambda each: (_BEST.index(each.held.verdict), -each.held.coverage))
    source, held, parts = best.source, best.held, best.parts
    verdict, difference = held.verdict, held.difference
    joined = _together(told)
    if verdict not in ("supported", "contradicted") and joined is not None:
        verdict, parts = joined
        open_parts = [each.part for each in parts if each.verdict != "supported"]
        difference = f"not in the sources: “{'”; “'.join(open_parts)}”" if open_parts else ""
    if verdict in ("not_in_source", "partly") and unread:
        verdict = "unreachable"
        difference = f"what was read does not say all of it, and {could_not_be_read(unread[0].problem or '')}"
    return {
        "verdict": verdict, "difference": difference, "calculation": held.calculation, "parts": parts,
        "passage": held.passage.text if held.passage else None,
        "passage_start": held.passage.start if held.passage else None,
        "passage_end": held.passage.end if held.passage else None,
        "source": source.document.url if held.passage and source.document else None,
        "judged_by": best.by,
        "sources": tuple(
            SourceVerdict(
                url=each.source.url, verdict=each.held.verdict, passage=each.held.passage,
                difference=each.held.difference, calculation=each.held.calculation, judged_by=each.by,
            )
            for each in told
        ),
    }  # fmt: skip


def _held(statement: Statement, source: Source, language: str = "") -> tuple[Held, tuple[PartVerdict, ...]]:
    """Return what one source that was read says of a statement, and of its parts where they differ."""
    document = source.document
    assert document is not None
    page = read_page(document)
    words = [quoted(each.quoted, page) for each in statement.quotations if is_quotation(each.quoted)]
    if (wrong := next((each for each in words if not each.exact), None)) is not None:
        return _misquoted(wrong, page.text), ()
    found = judge(statement.statement, page, language)
    parts: tuple[PartVerdict, ...] = ()
    if found.verdict == "not_in_source":
        found, parts = _in_parts(statement.statement, found, source)
    if found.verdict == "not_in_source" and document.abstract_only:
        why = "only an abstract, or the part before a paywall, could be read, and it does not say so"
        return Held("unreachable", found.passage, why), ()
    return found, parts


def _misquoted(wrong: Quoted, text: str) -> Held:
    """Return the verdict on a statement whose quotation is not letter by letter in the source."""
    if not wrong.found:
        return Held("not_in_source", None, wrong.difference)
    passage = Passage(text=text[wrong.start : wrong.end], start=wrong.start, end=wrong.end)
    return Held("contradicted", passage, wrong.difference, coverage=1.0)


def _in_parts(statement: str, whole: Held, source: Source) -> tuple[Held, tuple[PartVerdict, ...]]:
    """Return the verdict on a statement that is not in the source as a whole, by its parts."""
    parts = _parts(statement)
    if len(parts) < 2 or source.document is None:
        return whole, ()
    page = read_page(source.document)
    held = [judge(part, page) for part in parts]
    told = tuple(
        PartVerdict(
            part=part, verdict=each.verdict, url=source.document.url,
            passage=each.passage.text if each.passage else None, difference=each.difference,
        )
        for part, each in zip(parts, held, strict=True)
    )
    best = next((each for each in held if each.verdict == "supported"), None)
    against = next((each for each in held if each.verdict == "contradicted"), None)
    if best is None or against is not None:
        return (against or whole), told
    if all(each.verdict == "supported" for each in held):
        return best, told
    open_parts = [each for each in told if each.verdict != "supported"]
    why = "; ".join(f"not in the source: “{each.part}” ({each.difference})" for each in open_parts)
    return Held("partly", best.passage, why, best.calculation, best.coverage), told


def _parts(statement: str) -> list[str]:
    """Return the sentences and the clauses between semicolons of a statement."""
    whole = (statement[start:end] for start, end in split_sentences(statement))
    return [part for sentence in whole for part in sentence.split("; ") if len(part.split()) >= PART]


def _together(told: Sequence[_Said]) -> tuple[Verdict, tuple[PartVerdict, ...]] | None:
    """Return what several sources say of the parts of a statement together; None where that is no more than one."""
    of_parts = [each.parts for each in told if each.parts]
    if len(of_parts) < 2:
        return None
    best = tuple(min(same, key=lambda each: _BEST.index(each.verdict)) for same in zip(*of_parts, strict=True))
    supported = sum(each.verdict == "supported" for each in best)
    if not supported or any(each.verdict == "contradicted" for each in best):
        return None
    return ("supported" if supported == len(best) else "partly"), best


def _sources_read(pages: dict[str, Source], labels: dict[str, list[str]]) -> tuple[ReadSource, ...]:
    return tuple(
        ReadSource(
            url=source.url, labels=tuple(labels[key]), title=source.document.title if source.document else "",
            final_url=source.document.url if source.document else None, problem=source.problem,
            tier=source.tier.tier, tier_reason=source.tier.justification,
            partial=bool(source.document and source.document.abstract_only), archived=source.archived,
            read_by=source.read_by, characters=len(source.document.text) if source.document else 0,
        )
        for key, source in pages.items()
    )  # fmt: skip


async def _looked_for(statement: CheckedStatement, look: Look, sources: Sources) -> CheckedStatement:
    """Return an uncited statement with the pages that a search found to say it. It stays uncited."""
    found, read = [], 0
    for url in (await look(statement.statement))[:LOOKED]:
        source = await sources.read(url)
        if source.document is None:
            continue
        read += 1
        held = await asyncio.to_thread(judge, statement.statement, read_page(source.document))
        if held.verdict == "supported":
            found.append(source.document.url)
    said = f"a search found {plural(len(found), 'page')} that say it" if found else (
        f"a search found no page that says it ({read} read)"
    )
    return statement.model_copy(
        update={"found": tuple(found), "difference": f"the text names no source for it; {said}"}
    )


def _notes(checked: Sequence[CheckedStatement], read: Sequence[ReadSource], judge_name: str) -> tuple[str, ...]:
    notes = []
    unsourced = [each for each in checked if each.verdict == "mark_without_source"]
    if any(list_is_lost(cited.problem) for each in unsourced for cited in each.citations):
        notes.append(EXPORT_AGAIN)
    named = [str(c.problem) for each in checked for c in each.citations if is_named_only(c.problem)]
    keys = [NO_BIBLIOGRAPHY in problem for problem in named]
    notes += [NAMED_ONLY] * (not all(keys)) + [BIBLIOGRAPHY_MISSING] * any(keys)
    if unread := [each for each in read if each.problem]:
        notes.append(
            f"{plural(len(unread), 'source')} of {len(read)} could not be read: what rests on them was not checked"
        )
    copies = [each for each in unread if each.archived]
    notes += [f"an archived copy of {each.url} is at {each.archived}; it was not read" for each in copies]
    if partial := [each for each in read if each.partial]:
        notes.append(f"of {plural(len(partial), 'source')} only an abstract or a beginning could be read")
    if unclear := [each for each in checked if each.verdict == "cannot_tell"]:
        notes.append(f"{plural(len(unclear), 'statement')} could not be decided by {judge_name}")
    return tuple(notes)
