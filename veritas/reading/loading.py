"""Loading of a corpus from paths: what is read, under which URL, and which problems are reported."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote

from veritas.documents.document import Document, document_id
from veritas.documents.metadata import Metadata, read_metadata, read_sidecar
from veritas.errors import CorpusError
from veritas.reading._jsonl_corpus import read_records
from veritas.reading.converter_pool import WORKERS, Workshop
from veritas.reading.corpus import Corpus, CorpusProblem
from veritas.reading.formats import Converted, convert, is_quick, kind_of, media_type_of, suffixes
from veritas.reading.formats.converted import without_keys, without_tags
from veritas.reading.walking import read_bytes, walk, written_here
from veritas.settings import home

QUICK_BYTES = 256 * 1024
"""Limit in bytes of a file converted in this process, if its kind is quick; others go to the pool."""

_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060]")


def load_corpus(
    paths: Sequence[Path | str],
    *,
    name: str | None = None,
    on_problem: Callable[[CorpusProblem], None] | None = None,
    today: date | None = None,
) -> Corpus:
    """Load everything readable below `paths`: folders, documents and `.jsonl` files (DESIGN, "Commands").

    A document's URL is the `url` that its owner gives it in a record, a sidecar or front matter, else
    `corpus://<name>/<relative path or id>`; `name` is by default that of the path. `today` is its day of fetching.
    `on_problem` is called with each problem as it occurs; all are in `Corpus.problems`.

    Raises `CorpusError` for a path that cannot be used at all, a `.jsonl` with a broken line, and a corpus without a
    single usable document.
    """
    if not paths:
        raise CorpusError("no corpus was named: give a folder, a document or a .jsonl file")
    taken: set[str] = set()
    with Workshop(home() / "cache" / "converted") as workshop, ThreadPoolExecutor(WORKERS) as threads:
        loading = _Loading(workshop, threads, on_problem or (lambda problem: None), today or datetime.now(UTC).date())
        try:
            for path in map(Path, paths):
                base = name if name is not None else (path.resolve().name if path.is_dir() else path.stem)
                slug = _slug(base)
                unique, count = slug, 1
                while name is None and unique in taken:
                    count += 1
                    unique = f"{slug}-{count}"
                taken.add(unique)
                loading.path(path, unique)
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    if not loading.documents:
        said = "; ".join(str(problem) for problem in loading.problems[:5])
        more = f"; and {len(loading.problems) - 5} more problems" if len(loading.problems) > 5 else ""
        named = ", ".join(map(str, paths))
        raise CorpusError(f"no usable document in {named}: {said or 'there is nothing in it'}{more}")
    return Corpus(loading.documents.values(), loading.problems)


class _Loading:
    def __init__(
        self, workshop: Workshop, threads: Executor, on_problem: Callable[[CorpusProblem], None], today: date
    ) -> None:
        self._workshop, self._threads = workshop, threads
        self.documents: dict[str, Document] = {}
        self.problems: list[CorpusProblem] = []
        self._on_problem, self._today = on_problem, today
        self._unnamed: dict[str, str] = {}  # document_id -> URL, of files without a URL of their own

    def path(self, path: Path, corpus: str) -> None:
        if not os.path.lexists(path):
            raise CorpusError(f"{path} does not exist")
        if path.is_dir():
            files = list(walk(path, lambda reason: self._report(str(path), reason)))
            # All slow conversions are started before the first is waited for; the order of the files stays.
            begun = [self._begin(file, follow=False) for file in files]
            for file, conversion in zip(files, begun, strict=True):
                try:
                    self._file(file, corpus, file.relative_to(path), conversion())
                except CorpusError as error:
                    self._report(str(file), str(error))
        elif path.suffix.lower() == ".jsonl":
            self._records(path, corpus)
        else:
            try:
                self._file(path, corpus, Path(path.name), self._begin(path, follow=True)())
            except CorpusError as error:
                raise CorpusError(f"{path} {error}") from error

    def _begin(self, path: Path, *, follow: bool) -> Callable[[], Converted]:
        """Start to convert a file; the function returned gives the conversion, or raises the `CorpusError`."""
        kind = kind_of(path)
        if kind is None:
            raise CorpusError(f"is of no kind that is read ({', '.join(suffixes())}, .jsonl)")
        try:
            quick = is_quick(kind) and path.stat().st_size <= QUICK_BYTES
        except OSError:
            quick = True  # and the reading of it will say what is the matter
        if quick:
            return lambda: convert(_foreign(path, follow=follow), kind)
        # With the context of whoever loads: a reader that takes long is said there.
        future = self._threads.submit(
            copy_context().run, lambda: self._workshop.convert(_foreign(path, follow=follow), kind)
        )
        return future.result

    def _file(self, path: Path, corpus: str, relative: Path, converted: Converted) -> None:
        sidecar = read_sidecar(path)
        owner, remarks = read_metadata({**converted.front_matter, **(sidecar or {})})
        self._add(
            where=str(path),
            url=owner.url or f"corpus://{corpus}/{_in_url(os.fsencode(relative.as_posix()))}",
            converted=converted,
            owner=owner,
            fallback_title=re.sub(r"[_\s]+", " ", os.fsencode(path.stem).decode("utf-8", "replace")).strip(),
            media_type=media_type_of(kind_of(path) or ""),
            remarks=(*converted.remarks, *remarks),
        )

    def _records(self, path: Path, corpus: str) -> None:
        for record in read_records(path):
            where = f"{path}:{record.line}"
            try:
                owner, remarks = read_metadata(record.fields)
                converted = without_keys(without_tags(Converted(record.text)))
                self._add(
                    where=where,
                    url=owner.url or f"corpus://{corpus}/{_in_url(record.id.encode('utf-8', 'surrogatepass'))}",
                    converted=converted,
                    owner=owner,
                    fallback_title=record.id,
                    media_type="text/plain",
                    remarks=(*converted.remarks, *remarks),
                    record=True,
                )
            except CorpusError as error:
                self._report(where, str(error))

    def _add(
        self,
        *,
        where: str,
        url: str,
        converted: Converted,
        owner: Metadata,
        fallback_title: str,
        media_type: str,
        remarks: tuple[str, ...],
        record: bool = False,
    ) -> None:
        text = converted.text
        _check(text)
        identity = document_id(text)
        if url in self.documents:
            raise CorpusError(f"has the URL of a document read before it, {url}")
        if owner.url is None and not record:
            # Two copies of one file are one source, not two.
            twin = self._unnamed.setdefault(identity, url)
            if twin != url:
                raise CorpusError(f"is word for word the same as {twin}")
        self.documents[url] = Document(
            document_id=identity,
            url=url,
            title=owner.title or converted.title or fallback_title,
            text=text,
            media_type=media_type,
            fetched_at=self._today,
            published_at=owner.published_at or converted.published_at,
            authors=owner.authors or converted.authors,
            doi=owner.doi or converted.doi,
            arxiv_id=owner.arxiv_id,
            page_starts=converted.page_starts,
            references=owner.references,
            note=owner.note,
        )
        for remark in remarks:
            self._report(where, remark, kept=True)
        unseen = len(_INVISIBLE.findall(text))
        if unseen:
            self._report(
                where,
                f"holds {unseen} × character that is not seen or turns the writing direction; the text keeps them",
                kept=True,
            )

    def _report(self, path: str, reason: str, *, kept: bool = False) -> None:
        # A file's name need not be valid text; a report must be.
        problem = CorpusProblem(path.encode("utf-8", "replace").decode("utf-8"), reason, kept)
        self.problems.append(problem)
        self._on_problem(problem)


def _foreign(path: Path, *, follow: bool) -> bytes:
    """Return the content of a file. Raises `CorpusError` for one that VERITAS wrote, which is no source."""
    data = read_bytes(path, follow=follow)
    if written_here(data):
        raise CorpusError("is a report that VERITAS wrote, no source of its own")
    return data


def _check(text: str) -> None:
    """Raise `CorpusError` for a text that can hold no verbatim passage."""
    if not text.strip():
        raise CorpusError("has no text in it")
    if "\x00" in text:
        raise CorpusError("holds NUL characters, so it is no text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(f"holds half of a surrogate pair at character {error.start}, which is no text") from error


def _in_url(identity: bytes) -> str:
    """Return `identity` as the path of a URL; segments of dots alone are escaped, as they would mean another place."""
    quoted = quote(identity, safe="/-._~")
    return "/".join(part.replace(".", "%2E") if part in (".", "..") else part for part in quoted.split("/"))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.") or "corpus"


