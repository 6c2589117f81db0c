"""Find the paper that a person names: by a file, a URL, an arXiv id, a DOI, or words to search for."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence

from veritas.documents.paper_parts import Candidate, Match
from veritas.errors import InputError, Unavailable, Undecided
from veritas.papers.reading._paper_identity import HowFound
from veritas.papers.reading.paper_text import PaperText, paper_of, read_file
from veritas.reading.reader import Reader
from veritas.registries.all_registries import Answer, Registries, silence
from veritas.registries.file_names import is_file_name, path_of
from veritas.registries.scholarly_source import Found, Identifier, identifier_in, identifiers_of
from veritas.works.folding import words
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.title_comparison import title_words

SEARCHED = ("crossref", "openalex", "semantic_scholar", "arxiv")
DECISIVE = 0.9
"""Share of the words asked that the best candidate must answer to be taken without a question …"""
AHEAD = 0.2
"""… and its least lead over the next other work."""
SHOWN = 5

Confirm = Callable[[Match], bool]
"""Callback that tells whether the match is the paper that was meant."""


async def read_paper(
    asked: str,
    *,
    registries: Registries | None = None,
    reader: Reader | None = None,
    confirm: Confirm | None = None,
    yes: bool = False,
) -> PaperText:
    """Return the paper. `confirm` is asked about a match for words; `yes` takes the best one; with neither, one that is
    not decisive is refused.

    Raises `InputError` (`Undecided` with the candidates), `Unavailable` if a source or a page did not answer.
    """
    asked = asked.strip()
    if not asked:
        raise InputError("name a paper: a file, a URL, an arXiv id, a DOI, or words of its title")
    if is_file_name(asked):
        return await asyncio.to_thread(_file, asked)
    identifier = identifier_in(asked) if not re.search(r"\s", asked) or "pmid" in asked.lower() else None
    if identifier is not None:
        return await _identified(asked, identifier, registries, reader)
    if re.match(r"https?://", asked):
        if reader is None:
            raise InputError(f"{asked}: pages are read only where the web may be asked")
        return paper_of(await reader.read(asked), asked=asked, how="url")
    return await _searched(asked, registries, reader, confirm, yes)


def _file(asked: str) -> PaperText:
    path = path_of(asked)
    if not os.path.exists(path):  # False, too, for a name that is too long for any file
        if "/" in asked:
            raise InputError(f"{asked}: there is no such file. To have a paper fetched, give its id or address alone")
        else_ = "have the paper of that id fetched" if identifier_in(asked) is not None else "search for words"
        raise InputError(f"{asked}: there is no such file. To {else_}, leave out the file's ending")
    if path.is_dir():
        raise InputError(f"{asked} is a folder: name one paper in it, or watch it with the deployment paper-watch")
    return read_file(path, asked=asked)


async def _identified(
    asked: str, identifier: Identifier, registries: Registries | None, reader: Reader | None
) -> PaperText:
    if reader is None or registries is None:
        raise InputError(f"{asked}: papers are fetched only where the web may be asked")
    how: HowFound = "arxiv" if identifier.kind == "arxiv" else "doi"
    if identifier.kind == "arxiv":
        return paper_of(await reader.read(f"https://arxiv.org/abs/{identifier.value}"), asked=asked, how=how)
    answers = await registries.look_up(identifier)
    found = [each for answer in answers for each in answer.found]
    if not found:
        problems = [answer.problem for answer in answers if answer.problem]
        if problems:
            raise Unavailable(f"{asked}: nobody could say what it is: {problems[0]}")
        raise InputError(f"{asked}: no registry knows it")
    chosen = _candidate(found[0], answers[0].source, ())
    match = Match(query=asked, chosen=chosen, decisive=True, confirmed_by="exact")
    return await _fetched(asked, how, match, found, registries, reader)


async def _searched(
    asked: str, registries: Registries | None, reader: Reader | None, confirm: Confirm | None, yes: bool
) -> PaperText:
    if registries is None or reader is None:
        raise InputError(f"{asked!r} is no file: to search for words the web must be asked, which is switched off")
    candidates, found, problems = await search_papers(asked, registries)
    if not candidates:
        if problems:
            raise Unavailable(f"nothing was found for {asked!r}, and {silence(problems, len(SEARCHED))}")
        raise InputError(f"no paper was found for {asked!r}: give its DOI, its arXiv id, or a file")
    best, others = candidates[0], candidates[1:SHOWN]
    decisive = best.likeness >= DECISIVE and all(best.likeness - other.likeness >= AHEAD for other in others)
    match = Match(query=asked, chosen=best, others=tuple(others), decisive=decisive, confirmed_by="decisive")
    if yes:
        match = match.model_copy(update={"confirmed_by": "--yes"})
    elif confirm is not None:
        if not confirm(match):
            raise Undecided("not the paper that was meant: give its DOI or arXiv id", candidates[:SHOWN])
        match = match.model_copy(update={"confirmed_by": "person"})
    elif not decisive:
        raise Undecided(
            f"{asked!r} may mean several papers: give a DOI or arXiv id, or --yes to take the first", candidates[:SHOWN]
        )
    return await _fetched(asked, "search", match, found[best], registries, reader)


async def search_papers(
    asked: str, registries: Registries
) -> tuple[list[Candidate], dict[Candidate, list[Found]], list[str]]:
    """Return candidates for words, best first; the records behind each; and problems of sources without answer."""
    answers = await registries.search(asked, SEARCHED)
    problems = [answer.problem for answer in answers if answer.problem]
    records: dict[tuple[str, ...], list[tuple[Answer, Found]]] = {}
    for answer in answers:
        for each in answer.found:
            if each.record.title:
                records.setdefault(title_words(each.record.full_title or ""), []).append((answer, each))
    wanted = words(asked)
    made: dict[Candidate, list[Found]] = {}
    for group in records.values():
        answer, first = group[0]
        candidate = _candidate(first, answer.source, wanted)
        for _, each in group[1:]:
            candidate = candidate.model_copy(
                update={
                    "doi": candidate.doi or each.record.doi,
                    "arxiv_id": candidate.arxiv_id or each.record.arxiv_id,
                    "year": candidate.year or each.record.year,
                }
            )
        made[candidate] = [each for _, each in group]
    ordered = sorted(made, key=lambda c: (-c.likeness, c.doi is None and c.arxiv_id is None, c.title))
    return ordered, made, problems


def _candidate(found: Found, source: str, wanted: Sequence[str]) -> Candidate:
    record = found.record
    title = set(title_words(record.full_title or ""))
    people = {word for name in record.authors for word in words(str(name))}
    years = {str(year) for year in (record.year, *record.years) if year}
    asked = [word for word in wanted if word not in _SMALL]
    answered = sum(word in title or word in people or word in years for word in asked)
    said = set(asked) & title
    # Both ways: what was asked is in the record, and the record's title is mostly what was asked.
    recall = answered / len(asked) if asked else 1.0
    precision = len(said) / len(title - _SMALL) if title - _SMALL else 0.0
    likeness = recall * (0.6 + 0.4 * precision) if wanted else 1.0
    first = next(iter(identifiers_of(record)), None)
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    url = f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else f"https://doi.org/{record.doi}" if record.doi else None
    return Candidate(
        title=record.full_title or (str(first) if first else ""),
        authors=tuple(str(name) for name in record.authors),
        year=record.year,
        doi=record.doi,
        arxiv_id=arxiv_id,
        url=url or next(iter(found.links), None),
        source=source,
        likeness=round(min(1.0, likeness), 4),
    )


_SMALL = frozenset("a an and as at by for from in into is of on or the to via with paper".split())


async def _fetched(
    asked: str, how: HowFound, match: Match, found: Sequence[Found], registries: Registries, reader: Reader
) -> PaperText:
    """Return the text of the paper that all of `found` are records of, in the fullest available form."""
    from datetime import UTC, date, datetime

    from veritas.citations.citing.full_text import fetch_paper_text
    from veritas.documents.document import Document, document_id

    text = await fetch_paper_text(found, registries, reader)
    chosen = match.chosen
    if text is None:
        raise Unavailable(f"{chosen.title}: neither text nor abstract is to be had. Download it and name the file")
    document = Document(
        document_id=document_id(text.text),
        url=text.url or chosen.url or "",
        title=chosen.title,
        text=text.text,
        fetched_at=datetime.now(UTC).date(),
        published_at=date(chosen.year, 1, 1) if chosen.year else None,
        authors=chosen.authors,
        doi=chosen.doi,
        arxiv_id=chosen.arxiv_id,
        page_starts=text.page_starts,
        abstract_only=text.abstract_only,
    )
    return paper_of(document, asked=asked, how=how, match=match)
