"""A document's metadata from the owner of its corpus: in a JSON record, a sidecar file or front matter."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlsplit

import yaml

from veritas.errors import CorpusError
from veritas.text.dates import dates

SIDECAR_SUFFIXES = (".meta.json", ".meta.yaml", ".meta.yml")
MAX_BYTES = 256 * 1024
"""Largest sidecar or front matter, in bytes."""

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ].*)?)?)?")
_FOOTNOTE = re.compile(r"\s*(?:\^\[(?:[^\[\]]|\[[^\]]*\])*\]|\[\^[^\]\s]+\]|\\\w*(?:footnote|thanks)\{[^{}]*\})")
"""A note behind a name: Pandoc's `^[Corresponding author.]` and `[^1]`, LaTeX's `\\thanks{…}`."""
_NOTHING = frozenset({"", "null", "~", "none"})
_ALIASES = {"published_at": ("date",), "authors": ("author",)}


@dataclass(frozen=True, slots=True)
class Metadata:
    """A document's identity as its owner gives it (I2); None or empty where nothing is given."""

    url: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    note: str | None = None
    references: tuple[str, ...] = ()


def read_metadata(fields: Mapping[str, Any]) -> tuple[Metadata, tuple[str, ...]]:
    """Return metadata from a mapping, and remarks on unusable values; unknown keys are ignored.

    Raises `CorpusError` for an invalid `url`: without it the author is unknown, and treating the text as the corpus
    owner's would raise its tier.
    """
    remarks: list[str] = []
    url = _text(fields.get("url"))
    if (url is None and fields.get("url") not in (None, "", "null", "~")) or (url is not None and not is_web_url(url)):
        raise CorpusError(f"its url {str(fields['url'])[:200]!r} is no http or https URL")
    published_at = None
    said = _text(_either(fields, "published_at"))
    if said is not None:
        published_at = parse_date(said)
        if published_at is None:
            forms = "YYYY, YYYY-MM, YYYY-MM-DD and a date with its month in words"
            remarks.append(f"its date {said[:40]!r} is none of {forms}, so it counts as undated")
    return Metadata(
        url=url,
        title=_text(fields.get("title")),
        authors=tuple(name for each in _texts(_either(fields, "authors")) if (name := _FOOTNOTE.sub("", each).strip())),
        published_at=published_at,
        doi=_text(fields.get("doi")),
        arxiv_id=_text(fields.get("arxiv_id")),
        note=_text(fields.get("note")),
        references=tuple(r for r in _texts(fields.get("references")) if is_web_url(r)),
    ), tuple(remarks)


def sidecar_names(name: str) -> list[str]:
    """Return the possible names of the sidecar of a file with this name, in order of precedence."""
    return list(dict.fromkeys(base + suffix for base in (name, PurePath(name).stem) for suffix in SIDECAR_SUFFIXES))


def read_sidecar(path: Path) -> Mapping[str, Any] | None:
    """Return the mapping in the sidecar of `path` (`paper.pdf.meta.json`, else `paper.meta.json`; JSON or YAML), or
    None. Raises `CorpusError` if there is a sidecar and it cannot be read."""
    for sidecar in map(path.with_name, sidecar_names(path.name)):
        if not sidecar.is_file():
            continue
        try:
            with sidecar.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise CorpusError(f"its sidecar {sidecar.name} is larger than {MAX_BYTES // 1024} KB")
            text = data.decode("utf-8-sig")
            fields = json.loads(text) if sidecar.suffix == ".json" else _yaml(text)
        except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
            raise CorpusError(f"its sidecar {sidecar.name} cannot be read: {_first_line(error)}") from error
        if not isinstance(fields, Mapping):
            raise CorpusError(f"its sidecar {sidecar.name} holds no mapping of names to values")
        return fields
    return None


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """Return the YAML front matter (between `---` lines at the very top) and the text after it; `({}, text)` if none.
    Raises `CorpusError` if the block is not valid YAML. A block that is no mapping counts as prose."""
    match = _FRONT.match(text[: MAX_BYTES + 8])
    if match is None:
        return {}, text
    try:
        fields = _yaml(match.group(1))
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise CorpusError(f"its front matter is no YAML: {_first_line(error)}") from error
    if not isinstance(fields, Mapping):
        return {}, text
    return fields, text[match.end() :]


def _yaml(text: str) -> Any:
    # BaseLoader leaves every scalar a string: 10.10 does not become 10.1, nor `note: no` False.
    return yaml.load(text, Loader=yaml.BaseLoader)


def parse_date(text: str) -> date | None:
    """Parse `YYYY`, `YYYY-MM`, `YYYY-MM-DD` (a time is dropped) or a date with the month in words ("5 October 2020");
    missing parts count as 1. None if it is no date."""
    said = text.strip()
    match = _DATE.fullmatch(said)
    if match is not None:
        year, month, day = (int(part) if part else 1 for part in match.groups())
    else:
        named = dates(said)
        if len(named) != 1 or (named[0].start, named[0].end) != (0, len(said)):
            return None
        year, month, day = named[0].year, named[0].month, named[0].day or 1
    try:
        return date(year, month, day)
    except ValueError:
        return None


def is_web_url(url: str) -> bool:
    """Return whether `url` is an absolute http or https URL without spaces, control characters and backslashes (which
    some parsers read as slashes)."""
    if any(character.isspace() or character == "\\" or not character.isprintable() for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def _either(fields: Mapping[str, Any], name: str) -> Any:
    for key in (name, *_ALIASES.get(name, ())):
        if fields.get(key) not in (None, "", [], ()):
            return fields[key]
    return None


def _text(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    # Unprintable characters (controls, overrides of the writing direction, halves of surrogate pairs) have no place in
    # a title or a name; the text of a document keeps them.
    text = "".join(c for c in " ".join(str(value).split()) if c.isprintable())
    return None if text.lower() in _NOTHING else text


def _texts(value: Any) -> tuple[str, ...]:
    """Return the texts in a list of strings or of `{"name": …}` objects, or in one string separated by `;` or `and`."""
    if isinstance(value, str):
        value = re.split(r"\s*;\s*|\s+and\s+", value)
    if not isinstance(value, (list, tuple)):
        return ()
    found = (_text(item.get("name") if isinstance(item, Mapping) else item) for item in value)
    return tuple(item for item in found if item)


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
