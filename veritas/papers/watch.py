"""Audit the new papers of a folder or an arXiv listing, each once, whoever watches and however often.

Claims of auditors on papers: a file for each paper, so that two watchers never audit the same one.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from veritas.errors import Cancelled, InputError, Unavailable, VeritasError
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen
from veritas.papers import audit_runs
from veritas.papers.audit import PaperAudit
from veritas.papers.audit_request import make_paper_request
from veritas.papers.headline import headline_of
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import new_run_id
from veritas.store.paths import run_path

Outcome = Literal["auditing", "audited", "failed"]


class Claimed(Frozen):
    """A claim on a paper. `key` is the SHA-256 of a file's bytes, or an arXiv id with its version. `audit_id` is chosen
    before the audit begins, so that an interrupted one can be resumed."""

    key: str
    asked: str
    audit_id: str
    outcome: Outcome = "auditing"
    reason: str = ""
    score: float | None = None
    host: str = ""
    process: int = 0
    at: datetime


class Claims:
    """The claims of a folder: `<key>.json`, and `<key>.json.<n>` of the n-th that took a paper over. The highest number
    counts. A file is created once and never replaced by another claim's, so that of several at the same time exactly
    one gets the claim, whatever they read before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _newest(self, key: str) -> tuple[Path, Path | None]:
        """Return the path of the next claim on a paper, and the path of the one that counts."""
        first = self._folder / f"{''.join(c if c.isalnum() or c in '.-' else '_' for c in key)}.json"
        path, newest, number = first, None, 0
        while path.exists():
            newest, number = path, number + 1
            path = first.with_name(f"{first.name}.{number}")
        return path, newest

    def read(self, key: str) -> Claimed | None:
        """Return the claim on a paper; None if there is none, or it cannot be read."""
        return _read(self._newest(key)[1])

    def take(self, key: str, asked: str, audit_id: str) -> Claimed | None:
        """Claim a paper that nobody has claimed, or whose claimant died before the end; return the claim. Its audit,
        perhaps an earlier one, is the one to go on with. Return None for a paper that is done or being done.

        Raises `StoreUnavailable` if the folder cannot be written.
        """
        path, newest = self._newest(key)
        held = _read(newest)
        if held is not None and (held.outcome != "auditing" or _is_alive(held)):
            return None
        mine = Claimed(
            key=key,
            asked=asked,
            audit_id=audit_id if held is None else held.audit_id,
            host=socket.gethostname(),
            process=os.getpid(),
            at=datetime.now(UTC),
        )
        return mine if write_new(path, mine.model_dump_json()) else None

    def settle(self, claim: Claimed, outcome: Outcome, reason: str = "", score: float | None = None) -> None:
        """Record the outcome of a claim. Raises `StoreUnavailable`."""
        done = claim.model_copy(update={"outcome": outcome, "reason": reason, "score": score, "at": datetime.now(UTC)})
        following, newest = self._newest(claim.key)
        write_whole(newest or following, json.dumps(done.model_dump(mode="json")) + "\n")

    def release(self, claim: Claimed) -> None:
        """Give a paper back undecided, to be tried again."""
        newest = self._newest(claim.key)[1]
        if newest is not None and _read(newest) == claim:
            with suppress(OSError):
                newest.unlink(missing_ok=True)


def _read(path: Path | None) -> Claimed | None:
    if path is None:
        return None
    try:
        return Claimed.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _is_alive(claim: Claimed) -> bool:
    """Return whether a claim's process may still run. On another machine it counts as running for a day."""
    if claim.host != socket.gethostname():
        return (datetime.now(UTC) - claim.at).total_seconds() < 86_400
    try:
        os.kill(claim.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


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
    """The result of watching once. `known` were audited before or are being audited by another; `left` are new and
    beyond the number that is audited at a time."""

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
    `PaperRequest`. Raises `InputError` for a folder that is none, `Unavailable` if the listing cannot be had.
    """
    if (folder is None) == (listing is None):
        raise InputError("watch either a folder or an arXiv listing")
    make_paper_request("settings are checked before anything is done", **settings)
    place = home or default_home()
    found = _files(folder) if folder is not None else await _listed(listing or "", most)
    claims = Claims(place / "papers" / "watched")
    done: list[Watched] = []
    known = left = 0
    for key, asked in found:
        if len(done) >= most:
            left += claims.read(key) is None
            continue
        claim = claims.take(key, asked, new_run_id())
        if claim is None:
            known += 1
            continue
        try:
            made = await (audit or _audit(place))(asked, claim.audit_id, settings)
            if made.unheard is not None and not any(call.model and not call.error for call in made.calls):
                # It counts as none. One in which models answered counts: to repeat it would be to pay again.
                raise Unavailable(f"{made.unheard} (audit {made.audit_id})")
        except Unavailable as problem:
            claims.release(claim)
            done.append(Watched(asked=asked, outcome="unavailable", reason=str(problem)))
            continue
        except Cancelled:
            claims.release(claim)
            raise
        except VeritasError as problem:
            claims.settle(claim, "failed", str(problem))
            done.append(Watched(asked=asked, outcome="failed", audit_id=claim.audit_id, reason=str(problem)))
            continue
        except BaseException:
            claims.release(claim)
            raise
        score = headline_of(made).score
        claims.settle(claim, "audited", score=score)
        done.append(
            Watched(
                asked=asked, outcome="audited", audit_id=made.audit_id, title=made.paper.title, score=score,
                reason=made.unheard or "",
            )
        )  # fmt: skip
    return Looked(papers=tuple(done), known=known, left=left)


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
