"""Convert the files of a library's papers, under limits, with the identity that the library gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, date, datetime
from pathlib import Path

from veritas.documents.document import Document, document_id
from veritas.errors import CorpusError, Unavailable
from veritas.reading.converter_pool import WORKERS, Workshop
from veritas.reading.formats import Kind, kind_of, media_type_of, suffixes
from veritas.reading.walking import read_bytes
from veritas.reviews.drafts import Candidate, Offer, Problem, identified
from veritas.settings import home
from veritas.works.records import BibRecord


class Library:
    """Papers of a root as a library lists them, each with the first of its files that can be read."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._wanted: list[_Paper] = []

    def paper(
        self,
        source: str,
        record: BibRecord,
        files: list[Path | Attached],
        *,
        given_key: str | None = None,
        item_type: str = "",
        tags: tuple[str, ...] = (),
        url: str | None = None,
    ) -> None:
        """Add a paper; `files` in order of preference."""
        self._wanted.append(_Paper(source, record, files, given_key, item_type, tags, url))

    def offer(self, problems: tuple[Problem, ...] = (), *, partial: bool = False) -> Offer:
        """Read the files. A paper without a readable one is a problem of the offer."""
        day = datetime.now(UTC).date()
        found: list[Candidate] = []
        met = list(problems)
        with Workshop(home() / "cache" / "converted") as workshop, ThreadPoolExecutor(WORKERS) as threads:
            # Each with the context of whoever reads: a reader that takes long is said there.
            read = [threads.submit(copy_context().run, paper.read, workshop, day) for paper in self._wanted]
            for paper, reading in zip(self._wanted, read, strict=True):
                candidate, said, waiting = reading.result()
                met += [
                    Problem(source=paper.source, reason=reason, kept=candidate is not None, waiting=waiting)
                    for reason in said
                ]
                if candidate is not None:
                    found.append(candidate)
        return Offer(root=self._root, candidates=tuple(found), problems=tuple(met), partial=partial)


class Attached:
    """A file that may not be on this disk: its name, a way to get its bytes, and what is to be said of it."""

    def __init__(self, name: str, *, remark: str = "") -> None:
        self.name, self.remark = name, remark

    def data(self) -> bytes:
        """Return the bytes. Raises `CorpusError` if they cannot be had, `Unavailable` if they cannot be had now."""
        raise NotImplementedError


class _Paper:
    def __init__(
        self,
        source: str,
        record: BibRecord,
        files: list[Path | Attached],
        given_key: str | None,
        item_type: str,
        tags: tuple[str, ...],
        url: str | None,
    ) -> None:
        self.source, self._record, self._files = source, record, files
        self._given_key, self._item_type, self._tags, self._url = given_key, item_type, tags, url

    def read(self, workshop: Workshop, day: date) -> tuple[Candidate | None, list[str], bool]:
        """Return the candidate or None, remarks on its files, and whether a file may be had another time."""
        said: list[str] = []
        waiting = False
        if not self._files:
            return None, ["has no file"], False
        for file in self._files:
            kind = kind_of(file if isinstance(file, Path) else Path(file.name))
            if kind is None:
                said.append(f"has a file {file.name} of no kind that is read ({', '.join(suffixes())})")
                continue
            try:
                data = read_bytes(file, follow=True) if isinstance(file, Path) else file.data()
                candidate, remarks = self._candidate(workshop, data, kind, day, file.name)
            except CorpusError as error:
                said.append(f"has a file {file.name} that {error}")
                continue
            except Unavailable as error:
                said.append(f"has a file {file.name} that could not be obtained: {error}")
                waiting = True
                continue
            told = file.remark if isinstance(file, Attached) else ""
            return candidate, [*said, *remarks, *([told] if told else [])], False
        return None, said, waiting

    def _candidate(
        self, workshop: Workshop, data: bytes, kind: Kind, day: date, name: str
    ) -> tuple[Candidate, tuple[str, ...]]:
        converted = workshop.convert(data, kind)
        text = converted.text
        if not text.strip() or "\x00" in text:
            raise CorpusError("has no text in it")
        document = Document(
            document_id=document_id(text),
            url=self._url or f"corpus://library/{self.source}",
            title=self._record.full_title or converted.title or name,
            text=text,
            media_type=media_type_of(kind),
            fetched_at=day,
            published_at=converted.published_at,
            authors=converted.authors,
            doi=self._record.doi,
            page_starts=converted.page_starts,
            blocks=converted.blocks,
        )
        candidate = Candidate(
            source=self.source,
            document=identified(document, self._record),
            record=self._record,
            given_key=self._given_key,
            item_type=self._item_type,
            tags=self._tags,
        )
        return candidate, converted.remarks
