"""The mechanical check of an artifact: schema, seal, age, excerpts (sections 6.2 to 6.4, 8). Standard library alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from veritas.citations._artifact_body import (
    ABSTRACT,
    BIBTEX,
    EXCERPTS,
    SECTIONS,
    bibtex_keys,
    excerpts,
    fenced,
    restored,
    sections,
)
from veritas.citations.file_stems import file_stem
from veritas.citations.frontmatter import MAX_BYTES, SEAL, NotFrontmatter, load, seal_of, split_artifact

MAX_AGE = timedelta(days=365)
TEXTS = "texts"
"""Folder below the artifacts' that holds the texts of papers, if they are kept."""
MIN_EXCERPT = 8
"""Least characters of an excerpt, whitespace folded; as for every quote (I1)."""

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+$")
_ARXIV = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Za-z]{2})?/\d{7})$")
_FILE_ARXIV = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+_\d{7})(?=-)")
_FILE_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*_")
_URL = re.compile(r"https?://[^\s/?#]+\S*$")
_SURE = ("retracted", "withdrawn")

_OTHERS = frozenset({"readme.md", "index.md"})

Problem = tuple[str, str]
"""A broken rule, and the sentence that says how."""


class Checked:
    """The result of checking one artifact: its problems, its BibTeX keys, its identifiers."""

    __slots__ = ("arxiv_id", "doi", "keys", "problems")

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.keys: tuple[str, ...] = ()
        self.doi: str | None = None
        self.arxiv_id: str | None = None


def is_artifact_name(name: str) -> bool:
    """Return whether a file of the artifacts' folder is an artifact by its name."""
    return name.endswith(".md") and name.lower() not in _OTHERS


def check_artifact(path: Path, *, now: datetime) -> Checked:
    """Check the artifact at `path`. Never raises for what stands in the file."""
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        found = Checked()
        found.problems.append(("unreadable", f"it cannot be read: {getattr(error, 'strerror', None) or error}"))
        return found
    return check_content(path, raw, now=now)


def check_content(path: Path, raw: bytes, *, now: datetime) -> Checked:
    """Check an artifact that is, or is to be, at `path`, by its bytes."""
    found = Checked()
    if len(raw) > MAX_BYTES:
        found.problems.append(("unreadable", f"it is larger than {MAX_BYTES:,} bytes"))
        return found
    try:
        text = raw.decode("utf-8").replace("\r\n", "\n")
        front, body = split_artifact(text)
        fields = load(front)
    except UnicodeDecodeError as error:
        found.problems.append(("unreadable", f"it is not UTF-8 text (byte {error.start})"))
        return found
    except NotFrontmatter as error:
        found.problems.append(("unreadable", str(error)))
        return found
    parts = sections(body)
    found.keys = tuple(bibtex_keys(fenced(parts.get(BIBTEX, ""))))
    found.doi = _lower(fields.get("doi"))
    found.arxiv_id = _lower(fields.get("arxiv_id"))
    found.problems += [("frontmatter", said) for said in _schema(fields)]
    found.problems += _verified(fields)
    found.problems += _named(path.name, found)
    found.problems += _sealed(fields, text)
    found.problems += _aged(fields.get("verified_at"), now)
    if not any(rule == "frontmatter" for rule, _ in found.problems):
        found.problems += _excerpts(path, fields, parts)
    return found


def _lower(value: Any) -> str | None:
    return value.lower() if isinstance(value, str) and value else None


def _schema(fields: Mapping[str, Any]) -> Iterator[str]:
    """Check the frontmatter field by field (section 6.2)."""

    def text(name: str) -> bool:
        value = fields.get(name)
        return isinstance(value, str) and bool(value.strip())

    for name in ("title", "claim_supported", "verified_by", "verification_version"):
        if not text(name):
            yield _wanted(fields, name, "text")
    authors = fields.get("authors")
    if not isinstance(authors, list) or not authors or not all(isinstance(a, str) and a.strip() for a in authors):
        yield _wanted(fields, "authors", "a list of names")
    year = fields.get("year")
    if not (isinstance(year, int) and not isinstance(year, bool) and 1000 <= year <= 2200):
        yield _wanted(fields, "year", "a year of four digits")
    doi, arxiv_id = fields.get("doi"), fields.get("arxiv_id")
    if doi is not None and not (isinstance(doi, str) and _DOI.match(doi)):
        yield _wanted(fields, "doi", "a DOI (10.…/…) or null")
    if arxiv_id is not None and not (isinstance(arxiv_id, str) and _ARXIV.match(arxiv_id)):
        yield _wanted(fields, "arxiv_id", "an arXiv id in quotation marks, without its version, or null")
    alone = fields.get("single_source_verified")
    if doi is None and arxiv_id is None and alone is not True and fields.get("human_overridden") is not True:
        yield "neither doi nor arxiv_id; without both it must be single_source_verified: true"
    urls = fields.get("urls")
    if not isinstance(urls, dict) or any(
        url is not None and not (isinstance(url, str) and _URL.match(url)) for url in urls.values()
    ):
        yield _wanted(fields, "urls", "names of web addresses (abs: https://…)")
    consulted = fields.get("sources_consulted")
    if not isinstance(consulted, list) or not consulted or not all(isinstance(name, str) for name in consulted):
        yield _wanted(fields, "sources_consulted", "a list of sources")
    for name in ("single_source_verified", "human_overridden"):
        if not isinstance(fields.get(name), bool):
            yield _wanted(fields, name, "true or false")
    for name in ("text_excerpts_unavailable",):
        if name in fields and not isinstance(fields[name], bool):
            yield _wanted(fields, name, "true or false")
    if fields.get("human_overridden") is True and not text("override_reason"):
        yield "human_overridden without an override_reason"
    triangulation = fields.get("triangulation")
    if not isinstance(triangulation, dict) or not isinstance(triangulation.get("primary_source"), str):
        yield _wanted(fields, "triangulation", "an object with primary_source")
    elif not isinstance(triangulation.get("decisive_fields_agreed"), bool):
        yield "triangulation.decisive_fields_agreed must be true or false"


def _wanted(fields: Mapping[str, Any], name: str, what: str) -> str:
    return f"{name} is missing; it must be {what}" if fields.get(name) is None else f"{name} must be {what}"


def _verified(fields: Mapping[str, Any]) -> Iterator[Problem]:
    """Check the recorded outcome of the gate: agreement, a single source without identifiers, or an override."""
    triangulation = fields.get("triangulation")
    if isinstance(triangulation, dict):
        agreed = triangulation.get("decisive_fields_agreed") is True
        passed = agreed or fields.get("single_source_verified") is True or fields.get("human_overridden") is True
        if not passed:
            yield "unverified", "its sources disagree on a decisive field and nobody overrode that"
    standing = fields.get("standing")
    if standing in _SURE and fields.get("human_overridden") is not True:
        yield "withdrawn", f"the paper was {standing}"


def _named(name: str, found: Checked) -> Iterator[Problem]:
    """Check that a file named by an identifier holds that paper (section 6.1)."""
    if claimed := _FILE_DOI.match(name):
        if found.doi is None or not name.lower().startswith(file_stem(found.doi)):
            yield "identity", f"its name is of a DOI {claimed.group()}…, its frontmatter has {found.doi or 'none'}"
    elif claimed := _FILE_ARXIV.match(name):
        arxiv_id = claimed[1].replace("_", "/")
        if found.arxiv_id != arxiv_id:
            yield "identity", f"its name is of arXiv {arxiv_id}, its frontmatter has {found.arxiv_id or 'none'}"


def _sealed(fields: Mapping[str, Any], text: str) -> Iterator[Problem]:
    """Check the seal; only artifacts of version 1, which people may have written by hand, go without."""
    seal = fields.get(SEAL)
    if seal is None:
        if str(fields.get("verification_version") or "").split(".")[0] in ("", "0", "1"):
            yield "unsealed", f"it has no {SEAL}, so a change would not be seen"
        else:
            yield "seal", f"its {SEAL} is missing; write it anew with veritas cite"
    elif seal != seal_of(text):
        yield "seal", f"it was changed by hand: its {SEAL} does not fit; write it anew with veritas cite"


def moment(value: Any) -> datetime | None:
    """Return a point in time given as YAML or ISO 8601, in UTC if it names no zone; None for anything else."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _aged(value: Any, now: datetime) -> Iterator[Problem]:
    verified = moment(value)
    if verified is None:
        yield "frontmatter", "verified_at must be a date and time such as 2026-05-23T17:42:00Z"
    elif verified > now + timedelta(days=1):
        yield "frontmatter", f"verified_at lies in the future: {verified.isoformat()}"
    elif now - verified > MAX_AGE:
        yield "stale", f"it was verified {(now - verified).days} days ago; verify it again (at most {MAX_AGE.days})"


def _excerpts(path: Path, fields: Mapping[str, Any], parts: Mapping[str, str]) -> Iterator[Problem]:
    """Check the excerpts (section 6.4) in the stored text, else in the abstract if they are from it."""
    for name in SECTIONS:
        if not parts.get(name):
            yield "frontmatter", f"the section “{name}” is missing or empty"
            return
    quotes = excerpts(parts[EXCERPTS])
    overridden = fields.get("human_overridden") is True
    if not quotes and not overridden:
        yield "excerpt", "it has no excerpt that supports the claim"
        return
    texts = [restored(parts[ABSTRACT])]
    digest = fields.get("text_sha256")
    if isinstance(digest, str) and not overridden:
        stored = path.parent / TEXTS / f"{path.stem}.txt"
        try:
            raw = stored.read_bytes()
        except OSError:
            return  # not kept here: the seal holds the excerpts
        if hashlib.sha256(raw).hexdigest() != digest:
            yield "text-changed", f"{TEXTS}/{stored.name} is not the text that was read when it was verified"
            return
        texts.append(" ".join(raw.decode("utf-8", "surrogatepass").split()))
    elif fields.get("text_excerpts_unavailable") is not True or overridden:
        return
    for quote, _ in quotes:
        if len(quote) < MIN_EXCERPT or not any(quote in text for text in texts):
            shown = quote if len(quote) < 80 else quote[:77] + "…"
            yield "excerpt", f"not verbatim in the text: “{shown}”"
