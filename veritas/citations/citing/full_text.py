"""The text of a paper in its fullest available form: one's own copy, arXiv's, an open one, the abstract."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.documents.document import Document
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.reading.corpus import Corpus
from veritas.reading.reader import Reader
from veritas.registries.all_registries import Registries
from veritas.registries.scholarly_source import Found
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord
from veritas.works.title_comparison import TitleDifference, compare_titles, title_words

MIN_TEXT = 1500
"""Characters below which a text is no paper."""
_SAME = (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SUBTITLE, TitleDifference.SPELLING)


class PaperText(Frozen):
    """A text and its source. `abstract_only` is True if it is no more than the abstract."""

    text: str
    url: str | None = None
    page_starts: tuple[int, ...] = ()
    abstract_only: bool = False
    problems: tuple[str, ...] = ()


async def fetch_paper_text(
    found: Sequence[Found], registries: Registries, reader: Reader | None, corpus: Corpus | None = None
) -> PaperText | None:
    """Return the text of the paper that all of `found` are records of (section 4.1); None if not even an abstract is
    known.

    A copy counts only if the paper's title stands at its beginning: a link may lead to another paper.
    """
    records = [each.record for each in found]
    if corpus is not None and (own := _own_copy(records, corpus)) is not None:
        return PaperText(text=own.text, url=own.url, page_starts=own.page_starts, abstract_only=own.abstract_only)
    problems: list[str] = []
    if reader is not None:
        for url in await _copies(found, registries):
            try:
                document = await reader.read(url)
            except Unavailable as error:
                problems.append(str(error))
                continue
            if document.abstract_only or len(document.text) < MIN_TEXT:
                problems.append(f"{url} gives no more than a part of the paper")
            elif not _is_copy(document, records):
                problems.append(f"{url} is not a copy of this paper: its title is not in it")
            else:
                return PaperText(text=document.text, url=document.url, page_starts=document.page_starts)
    abstract = next((each.abstract for each in found if each.abstract), None)
    if abstract is None:
        return None
    return PaperText(text=abstract, abstract_only=True, problems=tuple(problems[:5]))


async def _copies(found: Sequence[Found], registries: Registries) -> list[str]:
    """Return URLs to try, best first: arXiv (its HTML, else its PDF), open copies, the sources' links, the DOI."""
    urls: dict[str, None] = {}
    for each in found:
        arxiv_id = each.record.arxiv_id or arxiv_of_doi(each.record.doi)
        if arxiv_id:
            urls[f"https://arxiv.org/abs/{arxiv_id}"] = None
    dois = [each.record.doi for each in found if each.record.doi and arxiv_of_doi(each.record.doi) is None]
    for doi in dict.fromkeys(dois):
        urls |= dict.fromkeys(await registries.open_copies(doi))
    for each in found:
        urls |= dict.fromkeys(link for link in each.links if "arxiv.org" not in link)
    urls |= {f"https://doi.org/{doi}": None for doi in dois}
    return list(urls)[:6]


def _own_copy(records: Sequence[BibRecord], corpus: Corpus) -> Document | None:
    """Find the paper among one's own documents, by DOI, arXiv id or title."""
    dois = {record.doi for record in records if record.doi}
    arxiv_ids = {record.arxiv_id for record in records if record.arxiv_id}
    for document in corpus.documents:
        if (document.doi and document.doi.lower() in dois) or (document.arxiv_id and document.arxiv_id in arxiv_ids):
            return document
    for document in corpus.documents:
        for record in records:
            if record.title and compare_titles(record.full_title or "", document.title).difference in _SAME:
                return document
    return None


def _is_copy(document: Document, records: Sequence[BibRecord]) -> bool:
    start = set(title_words(f"{document.title} {document.text[:4000]}"))
    wanted = [set(title_words(record.title or "")) for record in records]
    return any(words and len(words & start) >= 0.7 * len(words) for words in wanted)
