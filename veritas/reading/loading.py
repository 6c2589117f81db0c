"""Loading a corpus from paths: what is read, under which URL, and which problems are reported.

The result is stored (`_shelf`): a corpus with unchanged content is opened, and of a changed one only the new files are
read.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from veritas.errors import CorpusError
from veritas.long_waits import Counting
from veritas.reading._listing import Root, content_key, list_root
from veritas.reading._making import Item, Made, Maker, will_pass
from veritas.reading._shelf import VECTORS, KeptCorpus, KeptProblem, Place, Shelf, sign_of
from veritas.reading.converter_pool import WORKERS, Workshop
from veritas.reading.corpus import Corpus, CorpusProblem, fingerprint_of
from veritas.reading.formats import version_of
from veritas.reading.formats.docstrings import DOCUMENTS_NOTHING
from veritas.reading.git_repository import git_named
from veritas.reading.packages import package_named
from veritas.search.local.segment import FULL_WINDOWS, Segment, Stamped, StoredDocuments, StoredSegmentWriter
from veritas.settings import home

_AHEAD = 64
"""Files whose conversion is begun before the first of them is waited for."""
_SMALL, _FEW = FULL_WINDOWS // 8, 8
"""Windows of a segment that counts as small, and the most of such that are left beside each other."""


def load_corpus(
    paths: Sequence[Path | str],
    *,
    name: str | None = None,
    on_problem: Callable[[CorpusProblem], None] | None = None,
    today: date | None = None,
) -> Corpus:
    """Load everything readable below `paths`: folders, documents, `.jsonl` files and zips (DESIGN, "Commands"), and
    docstrings of an installed package (`package:NAME`), and the documentation of a Git repository (`git+https://…`).

    A document's URL is the `url` that its owner gives it in a record, a sidecar or front matter, else
    `corpus://<name>/<relative path or id>`; `name` is by default that of the path. `today` is its day of fetching.
    `on_problem` is called with each problem as it occurs; all are in `Corpus.problems`.

    Raises `CorpusError` for a path that cannot be used at all, a `.jsonl` with a broken line, and a corpus without a
    single usable document; `Unavailable` for a repository that cannot be fetched.
    """
    if not paths:
        raise CorpusError("no corpus was named: give a folder, a document, a .jsonl file or a .zip")
    problems: list[CorpusProblem] = []

    def report(path: str, reason: str, kept: bool = False) -> None:
        # A file's name need not be valid text; a report must be.
        problem = CorpusProblem(path.encode("utf-8", "replace").decode("utf-8"), reason, kept)
        problems.append(problem)
        if on_problem is not None:
            on_problem(problem)

    day = today or datetime.now(UTC).date()
    named = list(_named(paths, name))
    shelf = Shelf(
        home() / "cache" / "corpora", day, lambda path, reason: report(path, reason, kept=True),
        [sign_of(path) for path, _ in named],
    )  # fmt: skip
    place = hashlib.sha256(json.dumps([(str(path.absolute()), slug) for path, slug in named]).encode()).hexdigest()
    hashes = shelf.hashes(place)
    archives = home() / "cache" / "unpacked"
    with ExitStack() as open_roots:
        roots = []
        for path, slug in named:
            counting = Counting(f"looking through {path}", "files")
            roots.append(open_roots.enter_context(closing(list_root(path, slug, hashes, counting, archives))))
        shelf.keep_hashes(place, hashes)
        key = content_key(roots, engine())
        kept = shelf.corpus(key)
        if kept is None:
            kept = _read(roots, shelf, place, key, day, report)
            if not kept.order:
                said = "; ".join(str(problem) for problem in problems[:5])
                more = f"; and {len(problems) - 5} more problems" if len(problems) > 5 else ""
                raise CorpusError(
                    f"no usable document in {', '.join(map(str, paths))}: {said or 'there is nothing in it'}{more}"
                )
        else:
            _repeat(roots, kept.problems, report)
            if shelf.place(place).corpus != key:
                shelf.keep_place(place, _place_of(kept, {}, key))
    return Corpus.kept(kept.segments, kept.order, kept.fingerprint, kept.notes, problems, shelf.folder / VECTORS)


@cache
def engine() -> str:
    """Return the version of everything that makes documents and their index: a hash of the code, and the versions of
    other packages' readers."""
    from veritas import plugins
    from veritas.reading.formats import SEAM

    digest = hashlib.sha256()
    library = Path(__file__).resolve().parents[1]
    for room in ("documents", "reading", "search", "text"):
        for file in sorted((library / room).rglob("*.py")):
            digest.update(file.relative_to(library).as_posix().encode() + b"\0" + file.read_bytes())
    for kind in sorted(plugins.installed(SEAM)):
        if not plugins.is_built_in(SEAM, kind):
            digest.update(f"\0{kind} {version_of(kind)}".encode())
    return digest.hexdigest()


def _named(paths: Sequence[Path | str], name: str | None) -> Iterator[tuple[Path, str]]:
    """Yield each path with the name of its documents in URLs."""
    taken: set[str] = set()
    for path in map(Path, paths):
        own = path.resolve().name if os.path.isdir(path) else path.stem
        repository = git_named(path)
        base = name if name is not None else package_named(path) or (repository.short if repository else own)
        slug = re.sub(r"[^a-z0-9._-]+", "-", base.lower()).strip("-.") or "corpus"
        unique, count = slug, 1
        while name is None and unique in taken:
            count += 1
            unique = f"{slug}-{count}"
        taken.add(unique)
        yield path, unique


def _repeat(roots: Sequence[Root], problems: Iterable[KeptProblem], report: Callable[[str, str, bool], None]) -> None:
    """Report the skipped files and the problems of a stored corpus, in the order of a first reading."""
    for number, root in enumerate(roots):
        for reason in root.passed_over:
            report(root.shown, reason, False)
        for problem in problems:
            if problem.root == number:
                report(f"{root.shown}{problem.where}", problem.reason, problem.kept)


def _read(
    roots: Sequence[Root], shelf: Shelf, place: str, key: str, day: date, report: Callable[[str, str, bool], None]
) -> KeptCorpus:
    """Read what is new, and store it."""
    reading = _Reading(shelf, place, day, report)
    with Workshop(home() / "cache" / "converted") as workshop, ThreadPoolExecutor(WORKERS) as threads:
        maker = Maker(workshop, threads, day)
        try:
            for number, root in enumerate(roots):
                for reason in root.passed_over:
                    report(root.shown, reason, False)
                reading.root(number, root, maker)
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    kept = reading.corpus()
    if kept.order:
        shelf.keep_place(place, _place_of(kept, reading.failed, "" if reading.passing else key))
        if not reading.passing:
            shelf.keep_corpus(key, kept)
        shelf.tidy()
    return kept


def _place_of(kept: KeptCorpus, failed: Mapping[str, str], key: str) -> Place:
    live = [0] * len(kept.segments)
    for part, _ in kept.order:
        live[part] += 1
    stamps = zip(kept.stamps, live, strict=True)
    return Place({each[0]: (each[1], count) for each, count in stamps if each is not None}, dict(failed), key)


class _Known(NamedTuple):
    part: int
    row: int
    stays: bool  # else the document is written anew, together with others


class _Reading:
    """The reading of a corpus, some of whose documents may be stored already."""

    def __init__(self, shelf: Shelf, place: str, day: date, report: Callable[[str, str, bool], None]) -> None:
        self._shelf, self._place, self._day, self._report = shelf, place, day, report
        before = shelf.place(place)
        self._failed_before = before.failed
        self.failed: dict[str, str] = {}
        self.passing = False
        """Whether something could not be read that may be another time."""
        self._parts: list[tuple[Segment, Stamped | None]] = []
        self._known: dict[bytes, _Known] = {}
        opened = [(name, live, found) for name, (stamp, live) in before.segments.items()
                  if (found := shelf.segment(name, stamp)) is not None]  # fmt: skip
        small = sum(_is_small(found[0]) for _, _, found in opened) > _FEW
        for name, live, (segment, stamp) in opened:
            stays = live * 2 > len(segment.documents) and not (small and _is_small(segment))
            for row, key in enumerate(_stored(segment).keys()):
                self._known.setdefault(key, _Known(len(self._parts), row, stays))
            self._parts.append((segment, (name, stamp)))
        self._writer = StoredSegmentWriter()
        self._order: list[tuple[int, int]] = []
        self._urls: dict[str, tuple[int, int]] = {}
        self._unnamed: dict[str, str] = {}  # document_id -> URL, of files without a URL of their own
        self._notes: dict[str, str] = {}
        self._problems: list[KeptProblem] = []

    def root(self, number: int, root: Root, maker: Maker) -> None:
        """Read the files of a root. Raises `CorpusError` for a file, named by itself, that cannot be read."""
        total = len(root.files) if root.folder else None
        counting = Counting(f"reading {root.shown}", "documents")
        for item, made in counting.through(self._ahead(root, maker), total):
            try:
                self._item(number, root, item, made)
            except CorpusError as error:
                if root.folder is None and not item.where:
                    raise CorpusError(f"{root.path} {error}") from error
                nothing = str(error) == DOCUMENTS_NOTHING  # which modules often do
                self._problem(number, root, item.where, str(error), kept=nothing)
            if self._writer.full:
                self._close()

    def _ahead(self, root: Root, maker: Maker) -> Iterator[tuple[Item, Callable[[], Made] | None]]:
        """Yield the items in order, and how to create the new ones; some slow conversions are started in advance."""
        waiting: deque[tuple[Item, Callable[[], Made] | None]] = deque()
        for item in maker.items(root, engine()):
            known = item.key in self._known or item.key.hex() in self._failed_before
            waiting.append((item, None if known else _begun(maker, root, item)))
            if len(waiting) > _AHEAD:
                yield waiting.popleft()
        yield from waiting

    def _item(self, number: int, root: Root, item: Item, make: Callable[[], Made] | None) -> None:
        """Put one document in its place, from its segment or newly created. Raises `CorpusError`."""
        known = self._known.get(item.key)
        if known is not None and known.stays:
            held = _stored(self._parts[known.part][0])
            fields, beside = json.loads(held.row(known.row)), held.beside(known.row)
            place = (known.part, known.row)
            said = (fields["url"], fields["document_id"], fields["note"], beside["named"], beside["remarks"])
        else:
            if known is not None:
                held = _stored(self._parts[known.part][0])
                document, beside = held[known.row], held.beside(known.row)
            else:
                made = self._made(root, item, make)
                document, beside = made.document, {"named": made.named, "remarks": list(made.remarks)}
            self._writer.add(document, item.key, beside)
            place = (len(self._parts), len(self._writer) - 1)
            said = (document.url, document.document_id, document.note, beside["named"], beside["remarks"])
        url, identity, note, named, remarks = said
        if url in self._urls:
            raise CorpusError(f"has the URL of a document read before it, {url}")
        if not named:
            # Two copies of one file are one source, not two.
            twin = self._unnamed.setdefault(identity, url)
            if twin != url:
                raise CorpusError(f"is word for word the same as {twin}")
        self._urls[url] = place
        self._order.append(place)
        if note:
            self._notes[url] = note
        for remark in remarks:
            self._problem(number, root, item.where, remark, kept=True)

    def _made(self, root: Root, item: Item, make: Callable[[], Made] | None) -> Made:
        key = item.key.hex()
        if make is None:
            self.failed[key] = self._failed_before[key]
            raise CorpusError(self.failed[key])
        try:
            return make()
        except CorpusError as error:
            if will_pass(error, root, item):
                self.passing = True
            else:
                self.failed[key] = str(error)
            raise

    def _problem(self, number: int, root: Root, where: str, reason: str, *, kept: bool = False) -> None:
        self._problems.append(KeptProblem(number, where.encode("utf-8", "replace").decode(), reason, kept))
        self._report(f"{root.shown}{where}", reason, kept)

    def _close(self) -> None:
        """Close the current segment, and record it, so that an interrupted reading can continue there."""
        self._parts.append(self._writer.close(self._shelf.folder, self._day))
        self._writer = StoredSegmentWriter()
        held = {stamped[0]: (stamped[1], len(segment.documents)) for segment, stamped in self._parts if stamped}
        self._shelf.keep_place(self._place, Place(held, {**self._failed_before, **self.failed}))

    def corpus(self) -> KeptCorpus:
        """Return the corpus that was read."""
        if len(self._writer):
            self._close()
        used = sorted({part for part, _ in self._order})
        moved = {part: place for place, part in enumerate(used)}
        return KeptCorpus(
            segments=[self._parts[part][0] for part in used],
            stamps=[self._parts[part][1] for part in used],
            order=[(moved[part], row) for part, row in self._order],
            problems=self._problems,
            notes=self._notes,
            fingerprint=fingerprint_of(
                _stored(self._parts[part][0]).row(row) for _, (part, row) in sorted(self._urls.items())
            ),
        )


def _begun(maker: Maker, root: Root, item: Item) -> Callable[[], Made]:
    try:
        return maker.begin(root, item)
    except CorpusError as error:
        problem = error

    def fail() -> Made:
        raise problem

    return fail


def _is_small(segment: Segment) -> bool:
    return len(segment.windows.lengths) < _SMALL


def _stored(segment: Segment) -> StoredDocuments:
    assert isinstance(segment.documents, StoredDocuments)  # segments of the shelf are
    return segment.documents
