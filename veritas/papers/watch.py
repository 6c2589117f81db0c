"""Audit the new papers of a folder or an arXiv listing, each once, whoever watches and however often."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from veritas.errors import Cancelled, InputError, Unavailable, VeritasError
from veritas.frozen import Frozen
from veritas.papers import audit_runs
from veritas.papers.audit import PaperAudit
from veritas.papers.audit_locks import Claims
from veritas.papers.audit_request import make_paper_request
from veritas.papers.headline import headline_of
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import new_run_id
from veritas.store.paths import run_path


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
