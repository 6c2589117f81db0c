"""The frontmatter of an artifact: written in one canonical form, which is read without a YAML parser.

Standard library alone at import: `veritas check` reads hundreds of artifacts in well under a second.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from veritas.errors import InputError

MAX_BYTES = 2_000_000
"""Limit in bytes of an artifact."""

SEAL = "content_hash"
_SEAL_LINE = re.compile(rf"^{SEAL}:.*\n?", re.MULTILINE)
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?:[ ]+(\S.*?))?[ ]*\Z")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\Z")
# What YAML 1.1 or 1.2 reads as something else than the word that stands there.
_NOT_WORDS = frozenset("null true false yes no on off y n nan inf".split())
_CONSTANTS = {"null": None, "true": True, "false": False}
# Signs that YAML wants escaped although JSON does not, and those that a reader would not see.
_ESCAPED = re.compile(
    r"[\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff]"
)


class NotFrontmatter(InputError):
    """The text has no readable frontmatter; the message is the reason."""


def split_artifact(text: str) -> tuple[str, str]:
    """Split an artifact into its frontmatter (without its fences) and its body. Raises `NotFrontmatter`."""
    text = text.removeprefix("\ufeff")
    first, _, rest = text.partition("\n")
    if first.rstrip() != "---":
        raise NotFrontmatter("it does not begin with a line ---, so it has no frontmatter")
    closing = re.search(r"^(?:---|\.\.\.)[ \t]*\r?$", rest, re.MULTILINE)
    if closing is None:
        raise NotFrontmatter("its frontmatter has no closing line ---")
    return rest[: closing.start()], rest[closing.end() :].lstrip("\r\n")


def scalar(value: Any) -> str:
    """Return a value on one line, as both JSON and YAML read it."""
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _NOT_WORDS and not value.endswith("."):
        return value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(scalar(item) if isinstance(item, str) else json.dumps(item) for item in value) + "]"
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(value, ensure_ascii=False))
    return json.dumps(value)


def dump(fields: Mapping[str, Any]) -> str:
    """Write the canonical form: strings, numbers, null, lists of them, and one level of mappings.

    Key order is kept. `load` and any YAML parser read the same from it.
    """
    lines: list[str] = []
    for key, value in fields.items():
        if isinstance(value, Mapping):
            lines.append(f"{key}:" if value else f"{key}: {{}}")
            lines += [f"  {name}: {scalar(item)}" for name, item in value.items()]
        elif isinstance(value, list | tuple) and value:
            lines.append(f"{key}:")
            lines += [f"  - {scalar(item)}" for item in value]
        else:
            lines.append(f"{key}: {scalar(value)}")
    return "\n".join(lines) + "\n"


def load(text: str) -> dict[str, Any]:
    """Read the fields: the canonical form directly, anything else by the YAML parser.

    Raises `NotFrontmatter` for text that is no YAML, or no mapping of names.
    """
    try:
        return _canonical(text)
    except NotFrontmatter:
        return _yaml(text)


def _canonical(text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    opened: str | None = None
    for line in text.split("\n"):
        if line.startswith("#") and not line.isprintable():
            raise NotFrontmatter("not in the canonical form")  # YAML refuses some of these in comments as well
        if not line or line.startswith("#"):
            continue
        if line.startswith("  - ") and opened is not None:
            listed = fields[opened]
            if listed is None:
                listed = fields[opened] = []
            if not isinstance(listed, list):
                raise NotFrontmatter("a list item in a mapping")
            listed.append(_value(line[4:]))
            continue
        nested = line.startswith("  ") and not line.startswith("   ") and opened is not None
        found = _KEY.match(line[2:] if nested else line)
        if found is None or found[1].lower() in _NOT_WORDS:
            raise NotFrontmatter("not in the canonical form")
        if nested:
            assert opened is not None
            inner = fields[opened]
            if inner is None:
                inner = fields[opened] = {}
            if not isinstance(inner, dict) or found[1] in inner or found[2] is None:
                raise NotFrontmatter("not in the canonical form")
            inner[found[1]] = _value(found[2])
            continue
        if found[1] in fields:
            raise NotFrontmatter("a key twice")
        opened = found[1] if found[2] is None else None
        fields[found[1]] = None if found[2] is None else _value(found[2])
    return fields


def _value(text: str) -> Any:
    text = text.strip(" ")
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _PLAIN.match(text) and text.lower() not in _NOT_WORDS and not text.endswith("."):
        return text
    if _INTEGER.match(text):
        return int(text)
    if text == "{}":
        return {}
    if text[:1] == '"' and "\\/" not in text and "\\ud" not in text.lower():
        try:
            value = json.loads(text)
        except ValueError:
            raise NotFrontmatter("not in the canonical form") from None
        if isinstance(value, str):
            return value
    if text[:1] == "[" and text[-1:] == "]":
        inner = text[1:-1].strip()
        if not inner:
            return []
        if '"' not in inner and "[" not in inner and "{" not in inner:
            return [_value(item) for item in inner.split(",")]
        return _quoted_list(inner)
    raise NotFrontmatter("not in the canonical form")


_ITEM = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^",\[\]{}]+?)\s*(,|$)')


def _quoted_list(inner: str) -> list[Any]:
    found: list[Any] = []
    at = 0
    while at < len(inner):
        item = _ITEM.match(inner, at)
        if item is None or (not item[2] and item.end() < len(inner)):
            raise NotFrontmatter("not in the canonical form")
        found.append(_value(item[1]))
        at = item.end()
    return found


def _yaml(text: str) -> dict[str, Any]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=loader)):
            raise NotFrontmatter("its frontmatter has YAML aliases, which an artifact does not need")
        fields = yaml.load(text, Loader=loader)
    except NotFrontmatter:
        raise
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 2}: " if mark is not None else ""
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise NotFrontmatter(f"its frontmatter is no YAML ({where}{problem})") from None
    if not isinstance(fields, dict):
        raise NotFrontmatter("its frontmatter is no list of fields")
    return {str(key): value for key, value in fields.items()}


def seal_of(text: str) -> str:
    """Return the hash that seals an artifact: SHA-256 of its text without the hash's line, line ends as \\n."""
    bare = text.removeprefix("\ufeff").replace("\r\n", "\n")
    front, closing, body = bare[4:].partition("\n---") if bare.startswith("---\n") else (bare, "", "")
    sealed = _SEAL_LINE.sub("", front + "\n", count=1) + closing + body
    return "sha256:" + hashlib.sha256(sealed.encode("utf-8", "surrogatepass")).hexdigest()
