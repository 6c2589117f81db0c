"""Audit the new papers of a folder or an arXiv listing, each once, however often they are watched."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict

from veritas.errors import Cancelled, InputError, Unavailable, VeritasError
from veritas.files import write_whole
from veritas.frozen import Frozen
from veritas.papers import audit_runs
from veritas.papers.audit import PaperAudit
from veritas.papers.audit_request import make_paper_request
from veritas.papers.headline import headline_of
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import new_run_id
from veritas.store._process_lock import ProcessLock
from veritas.store.paths import run_path

Outcome = Literal["auditing", "audited", "failed"]


class Kept(Frozen):
    """What is kept of a paper in `<key>.json`. `key` is the SHA-256 of a file's bytes, or an arXiv id with its version.
    `audit_id` is chosen before the audit begins, so that an interrupted one can be resumed."""

    model_config = ConfigDict(extra="ignore")  # earlier versions kept the process as well

    key: str
    asked: str
    audit_id: str
    outcome: Outcome = "auditing"
    reason: str = ""
    score: float | None = None
    at: datetime


def _read(path: Path) -> Kept | None:
    try:
        return Kept.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


class Watched(Frozen):
    """A paper that was examined in this watch. `outcome`: audited, failed (not tried again unless it changes), or
    unavailable (tried again). `score` is the headline's."""

    asked: str
    outcome: str
    audit_id: str | None = None
    title: str = ""
    score: float | None = None
    reason: str = ""


class Looked(Frozen):
    """The result of watching once. `known` were audited before; `left` are new and beyond the number that is
    audited at a time."""

    papers: tuple[Watched, ...] = ()
    known: int = 0
    left: int = 0


Audit = Callable[[str, str, dict[str, Any]], Awaitable[PaperAudit]]
"""Callback that audits a paper, given its name, an audit id and settings, or resumes that audit."""


async def watch_once(
    *,
    folder: Path | None = None,
    listing: str | None = None,
    most: int = 5,
    home: Path | None = None,
    audit: Audit | None = None,
    **settings: Any,
) -> Looked:
    """Audit new papers, `most` at a time; a paper that cannot be audited does not stop the others.

    `folder` holds papers as files; `listing` is a query in arXiv's language (`cat:cs.CL`). `settings` are those of
    `PaperRequest`. Raises `InputError` for a folder that is none, `Unavailable` if the listing cannot be had or another
    process is watching.
    """
    if (folder is None) == (listing is None):
        raise InputError("watch either a folder or an arXiv listing")
    make_paper_request("settings are checked before anything is done", **settings)
    place = home or default_home()
    found = _files(folder) if folder is not None else await _listed(listing or "", most)
    kept = place / "papers" / "watched"
    kept.mkdir(parents=True, exist_ok=True)
    lock = ProcessLock.take(kept / "lock")
    if lock is None:
        raise Unavailable("another process is watching for papers now")
    with lock:
        return await _audited(found, kept, most, audit or _audit(place), settings)


async def _audited(
    found: Sequence[tuple[str, str]], folder: Path, most: int, audit: Audit, settings: dict[str, Any]
) -> Looked:
    done: list[Watched] = []
    known = left = 0
    for key, asked in found:
        path = folder / f"{''.join(c if c.isalnum() or c in '.-' else '_' for c in key)}.json"
        before = _read(path)
        if before is not None and before.outcome != "auditing":
            known += 1
            continue
        if len(done) >= most:
            left += 1
            continue
        paper = Kept(
            key=key, asked=asked, audit_id=before.audit_id if before else new_run_id(), at=datetime.now(UTC)
        )  # fmt: skip
        write_whole(path, paper.model_dump_json())
        try:
            made = await audit(asked, paper.audit_id, settings)
            if made.unheard is not None and not any(call.model and not call.error for call in made.calls):
                # It counts as none. One in which models answered counts: to repeat it would be to pay again.
                raise Unavailable(f"{made.unheard} (audit {made.audit_id})")
        except Unavailable as problem:
            path.unlink(missing_ok=True)  # it is tried again
            done.append(Watched(asked=asked, outcome="unavailable", reason=str(problem)))
            continue
        except Cancelled:
            path.unlink(missing_ok=True)
            raise
        except VeritasError as problem:
            _settle(path, paper, outcome="failed", reason=str(problem))
            done.append(Watched(asked=asked, outcome="failed", audit_id=paper.audit_id, reason=str(problem)))
            continue
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        score = headline_of(made).score
        _settle(path, paper, outcome="audited", score=score)
        done.append(
            Watched(
                asked=asked, outcome="audited", audit_id=made.audit_id, title=made.paper.title, score=score,
                reason=made.unheard or "",
            )
        )  # fmt: skip
    return Looked(papers=tuple(done), known=known, left=left)


def _settle(path: Path, paper: Kept, **outcome: Any) -> None:
    write_whole(path, paper.model_copy(update={**outcome, "at": datetime.now(UTC)}).model_dump_json())


def _audit(place: Path, corpus: Corpus | None = None) -> Audit:
    async def audit(asked: str, audit_id: str, settings: dict[str, Any]) -> PaperAudit:
        if run_path(audit_runs.papers_home(place), audit_id).exists():
            return await audit_runs.resume(audit_id, home=place, corpus=corpus)
        request = make_paper_request(asked, **settings)
        return await audit_runs.start(request, home=place, audit_id=audit_id, corpus=corpus, yes=True)

    return audit


def _files(folder: Path) -> Sequence[tuple[str, str]]:
    """Return the papers of a folder by SHA-256, so that a renamed one is not new but a changed one is."""
    from veritas.errors import CorpusError
    from veritas.reading.walking import read_bytes, walk

    if not folder.is_dir():
        raise InputError(f"{folder} is no folder")
    found: dict[str, str] = {}
    for path in (folder / each.relative for each in walk(folder, lambda reason: None)):
        try:
            digest = hashlib.sha256(read_bytes(path, follow=False)).hexdigest()
        except CorpusError:
            digest = hashlib.sha256(str(path).encode()).hexdigest()  # the audit of it reports what is wrong
        found.setdefault(digest, str(path))
    return list(found.items())


async def _listed(query: str, most: int) -> Sequence[tuple[str, str]]:
    """Return the newest papers of an arXiv listing, oldest of them first."""
    from veritas.registries.all_registries import Registries
    from veritas.registries.arxiv import ArXiv

    source = Registries(cached=False).named("arxiv")
    if not isinstance(source, ArXiv):
        raise InputError("arXiv is switched off in policies/citations.yaml: enable it to watch a listing")
    found = await source.newest(query, limit=max(20, 4 * most))
    ids = [each.record.arxiv_id for each in found if each.record.arxiv_id]
    return [(f"arxiv-{arxiv_id}", f"arXiv:{arxiv_id}") for arxiv_id in reversed(list(dict.fromkeys(ids)))]
