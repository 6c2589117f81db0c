"""A local snapshot of registries in DuckDB, made from metadata dumps and asked like a source."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.errors import InputError, StoreUnavailable, Unavailable
from veritas.registries.records import normalise
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord, Source
from veritas.works.title_comparison import title_words

BATCH = 5_000
MAX_LINE = 20_000_000
SCHEMA = """
create table works (work bigint, source varchar, doi varchar, arxiv_id varchar, pmid varchar, record varchar);
create table words (word varchar, work bigint);
create table meta (version integer, works bigint);
"""
VERSION = 1
_SMALL = frozenset("the a an of and for in on to with by from at is are using via towards toward as into".split())


def build_snapshot(dumps: Sequence[tuple[Source, Path]], target: Path) -> int:
    """Read dumps into a new snapshot and return how many works it holds. An existing file is replaced only on success.

    A dump is JSON lines (or one JSON document with a list), plain or gzipped, of records as the source's API shapes
    them. Raises `InputError` for a dump that cannot be read or holds none, `StoreUnavailable` for a full disk.
    """
    import duckdb

    aside = target.with_name(f".{target.name}.part")
    aside.unlink(missing_ok=True)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(str(aside)) as con:
            con.execute(SCHEMA)
            count = 0
            for source, path in dumps:
                before = count
                for batch in _batches(_records(source, path)):
                    _insert(con, batch, count)
                    count += len(batch)
                if count == before:
                    raise InputError(f"{path}: no record of {source} in it that has a title")
            con.execute("create table looked as select * from words order by word")
            con.execute("drop table words")
            con.execute("alter table looked rename to words")
            con.execute("create index by_doi on works(doi)")
            con.execute("create index by_arxiv on works(arxiv_id)")
            con.execute("insert into meta values (?, ?)", [VERSION, count])
        aside.replace(target)
    except (duckdb.Error, OSError) as error:
        raise StoreUnavailable(f"{target} cannot be written: {error}") from error
    finally:
        aside.unlink(missing_ok=True)
    return count


def _insert(con: Any, batch: Sequence[BibRecord], start: int) -> None:
    numbers = list(range(start, start + len(batch)))
    columns = [
        [record.source for record in batch],
        [record.doi for record in batch],
        [record.arxiv_id or arxiv_of_doi(record.doi) for record in batch],
        [record.pmid for record in batch],
        [record.model_dump_json(exclude_defaults=True) for record in batch],
    ]
    texts = ", ".join(["unnest(?::varchar[])"] * len(columns))
    con.execute(f"insert into works select unnest(?::bigint[]), {texts}", [numbers, *columns])
    pairs = [
        (word, start + at)
        for at, record in enumerate(batch)
        for word in sorted(set(title_words(record.full_title or "")) - _SMALL)
    ]
    words = [[word for word, _ in pairs], [work for _, work in pairs]]
    con.execute("insert into words select unnest(?::varchar[]), unnest(?::bigint[])", words)


def _batches(records: Iterable[BibRecord]) -> Iterator[list[BibRecord]]:
    batch: list[BibRecord] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _records(source: Source, path: Path) -> Iterator[BibRecord]:
    for raw in _objects(path):
        record = normalise(source, raw)
        if record.title is not None:
            yield record


def _objects(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a dump: one a line, or the list in one document (`items`, `results`, `data`)."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                text = line.strip().rstrip(",")
                if not text or text in ("[", "]"):
                    continue
                if len(text) > MAX_LINE:
                    raise InputError(f"{path}:{number}: a line of more than {MAX_LINE:,} characters")
                try:
                    data = json.loads(text)
                except (ValueError, RecursionError) as error:
                    if number == 1 and text[0] in "[{":
                        yield from _document(path, text + file.read(500_000_000))
                        return
                    raise InputError(f"{path}:{number}: not JSON ({error})") from error
                yield from _unwrapped(data)
    except (OSError, EOFError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _document(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    try:
        yield from _unwrapped(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from error


def _unwrapped(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, list):
        yield from (item for item in data if isinstance(item, dict))
    elif isinstance(data, dict):
        inner = next((data[key] for key in ("items", "results") if isinstance(data.get(key), list)), None)
        if inner is not None:
            yield from _unwrapped(inner)
        else:
            yield data


class Snapshot:
    """An open snapshot; `sources` has a `ScholarlySource` for each registry whose dump is in it."""

    def __init__(self, path: Path) -> None:
        """Open a snapshot. Raises `InputError` if the file is missing or no snapshot."""
        import duckdb

        if not path.is_file():
            raise InputError(f"{path}: there is no such snapshot; veritas bib snapshot makes one")
        try:
            self._con = duckdb.connect(str(path), read_only=True)
            row = self._con.execute("select version, works from meta").fetchone()
            names = self._con.execute("select distinct source from works order by source").fetchall()
        except duckdb.Error as error:
            raise InputError(f"{path} is no snapshot: {str(error).splitlines()[0]}") from error
        if row is None or row[0] != VERSION:
            raise InputError(f"{path}: a snapshot of another version; make it anew with veritas bib snapshot")
        self.works = int(row[1])
        self.sources = tuple(SnapshotSource(self, name) for (name,) in names)

    def ask(self, query: str, values: list[Any]) -> list[Found]:
        """Return the records that a query selects. Raises `Unavailable`."""
        import duckdb

        try:
            rows = self._con.execute(query, values).fetchall()
        except duckdb.Error as error:
            raise Unavailable(f"the snapshot cannot be read: {str(error).splitlines()[0]}") from error
        return [Found(record=BibRecord.model_validate_json(row[0])) for row in rows]


class SnapshotSource:
    """A registry as its dump had it. The dump may be partial, so a paper's absence means nothing."""

    knows: frozenset[IdentifierKind] = frozenset({"doi", "arxiv", "pmid"})
    searches = False

    def __init__(self, snapshot: Snapshot, name: Source) -> None:
        self._snapshot = snapshot
        self.name: Source = name

    async def look_up(self, identifier: Identifier) -> Found | None:
        column = {"doi": "doi", "arxiv": "arxiv_id", "pmid": "pmid"}[identifier.kind]
        query = f"select record from works where source = ? and {column} = ? order by work limit 1"
        return next(iter(self._snapshot.ask(query, [self.name, identifier.value])), None)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        wanted = sorted(set(title_words(words)) - _SMALL)[:40]
        least = min(len(wanted), max(2, (len(wanted) + 1) // 2))
        return self._snapshot.ask(_SEARCH, [wanted, self.name, least, limit]) if wanted else []


_SEARCH = """
with hits as (
    select work, count(*) as shared from words join works using (work)
    where word in (select unnest(?)) and source = ? group by work having count(*) >= ?
    order by shared desc, work limit ?
)
select record from hits join works using (work) order by shared desc, work
"""
