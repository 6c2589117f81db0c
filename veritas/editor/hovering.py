"""What an editor shows of a citation: the work, its excerpts, its source's tier, its standing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from veritas.editor.open_document import OpenDocument
from veritas.text.visible import visible
from veritas.use_cases.writing import entry_at, said_of_entry

if TYPE_CHECKING:
    from veritas.use_cases.writing import Entry, Resolved

_LONGEST = 600
_MARKUP = re.compile(r"([\\`*_{}\[\]#|!~])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "://": "&#58;//"}
"""What could become markup of HTML, or an address that is made a link."""


def hover(document: OpenDocument, at: int) -> tuple[int, int, str] | None:
    """Return the place and the Markdown that is shown at a place of a document; None where nothing is known."""
    if document.is_bibliography:
        entry = entry_at(document.lines.text, document.path, document.project, at)
        return (at, at, _of_work(entry[0], entry[1])) if entry else None
    cited = document.citation_at(at)
    if cited is None:
        found = next(iter(document.found_between(at, at)), None)
        return (found.start, found.end, _plain(found.message)) if found and found.level != "unknown" else None
    shown = _of_artifact(cited) or _of_entry(cited, document)
    return (cited.place.start, cited.place.end, shown) if shown else None


def _of_artifact(cited: Resolved) -> str | None:
    artifact = cited.artifact
    if artifact is None or not artifact.fields:
        return None
    fields = artifact.fields
    authors = fields.get("authors")
    authors = authors if isinstance(authors, list) else []
    names = ", ".join(map(str, authors[:3])) + (" et al." if len(authors) > 3 else "")
    told = [f"**{_plain(fields.get('title'))}**", _plain(f"{names} ({fields.get('year') or 'no year'})")]
    told += [f"> {_plain(quote)}\n>\n> — {_plain(place) or 'text'}" for quote, place in artifact.excerpts[:3]]
    standing = "the check of its artifact fails: " if artifact.checked.problems else ""
    standing += "; ".join(message for _, message in artifact.checked.problems[:3]) or f"standing: {artifact.standing}"
    told.append(_plain(f"{standing}; verified {str(fields.get('verified_at') or 'at an unknown time')[:10]}"))
    if tier := _tier_of(fields.get("urls")):
        told.append(_plain(tier))
    return "\n\n".join(told)


def _of_entry(cited: Resolved, document: OpenDocument) -> str | None:
    entry = cited.entry
    return f"{_of_work(entry, said_of_entry(entry, document.project))}\n\nNo artifact." if entry else None


def _of_work(entry: Entry, said: str) -> str:
    """Return an entry's work and its verdict, in the bibliography as where it is cited."""
    work = entry.record
    names = [" ".join(filter(None, (each.given, each.family))) for each in work.authors]
    who = ", ".join(names[:3]) + (" et al." if len(names) > 3 or (names and not work.authors_complete) else "")
    title = work.title or entry.text or entry.key
    return "\n\n".join((f"**{_plain(title)}**", _plain(f"{who} ({work.year or 'no year'})".strip()), _plain(said)))


def _tier_of(urls: Any) -> str:
    """Return the tier of a work's source, in words."""
    if not isinstance(urls, dict):
        return ""
    url = next((url for url in urls.values() if isinstance(url, str) and url.startswith("http")), None)
    return _tier(url) if url else ""


@lru_cache(maxsize=512)
def _tier(url: str) -> str:
    from veritas.errors import VeritasError
    from veritas.use_cases.claims import tier

    try:
        verdict = tier(url)
    except VeritasError:
        return ""
    return f"source: tier {verdict.tier} ({verdict.justification})"


def _plain(value: Any) -> str:
    """Return a stranger's text as Markdown that shows it and does nothing else."""
    text = " ".join(visible(str(value or "")).split())
    text = _MARKUP.sub(r"\\\1", text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")
    return re.sub("[&<>]|://", lambda found: _ENTITIES[found.group()], text)
