"""Undisplayed text of a page, meant for its scripts or for readers without scripts, read if the displayed text lacks
it.

The places are `articleBody` of JSON-LD, the data of Next.js (`__NEXT_DATA__`), and `<noscript>`. A page whose scripts
would display its text has it there; a page that displays its text often repeats it there, with other data. On a page
that displays prose of its own, undisplayed text counts only if it continues that prose: otherwise no reader sees it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

MAX_DATA = 5_000_000
"""Limit in characters of one script's data."""
MAX_DEPTH = 60
MAX_PARAGRAPHS = 5_000
_LACKING = 0.5
"""Least share of data's words that are not displayed, for the data to be read."""
_OWN = 400
"""Characters of displayed prose from which a page counts as having its own; a shell has a notice or two."""
_GOES_ON = 0.5
"""Least share of the displayed prose that data must hold to be read on such a page."""
_WORDS = 8
"""Words of the shortest paragraph that counts as prose."""

_FEW = 5
"""Words of the shortest text in `<noscript>` that counts as text."""
_NEEDS_SCRIPTS = re.compile(
    r"java ?script|\bcookies\b|\b(?:enable|disable|block|support)\w*\b[^.]{0,40}\bscripts?\b|your browser",
    re.IGNORECASE,
)
_NOTICE = 60
"""A paragraph that mentions scripts and has fewer words than this is about the reader's browser."""
_NOT_THE_TEXT = re.compile(
    r"(?:^|_|-)(?:url|uri|href|src|slug|id|css|styles?|script|class|svg|path|query|seo|meta|og|alt|cookies?|consent|legal|"
    r"terms|nav|menu|footer|header|related|recommend\w*|comments?|teasers?|ads?|config|env|i18n|locales?|messages|"
    r"translations|labels|props?Types|hash|token|error\w*)(?:$|_|-)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARAGRAPH = re.compile(r"paragraph|heading|^h[1-6]$|^p$|list-?item|quote|^block$|^text$", re.IGNORECASE)
_OTHERS = frozenset({"Comment", "Answer", "Review"})
"""Types of texts that readers wrote below the page's own."""
_LEAVES = ("text", "value")
_INNER = ("content", "children", "nodes")
_SIGNS = re.compile(r"[\W_]+")
_PROSE = re.compile(r"[.!?…。！？][\"'”’)\]]*(?:\s|$)")


def lacking(root: Any, displayed: str, *, read: Callable[[str], str], shown: Callable[[Any], str]) -> str:
    """Return the text that the page under `root` (lxml) contains and does not display, a blank line between paragraphs;
    "" if none. `read` converts HTML to text, `shown` returns an element's visible text."""
    seen = ""
    parts: list[str] = []
    own = [_folded(paragraph) for paragraph in displayed.split("\n\n") if _is_prose(paragraph)]
    if sum(map(len, own)) < _OWN:
        own = []
    for paragraphs in _bodies(root, len(displayed), read, shown):
        if own and not _goes_on(own, paragraphs):
            continue
        seen = seen or _folded(displayed)
        new = [paragraph for paragraph in dict.fromkeys(paragraphs) if _folded(paragraph) not in seen]
        if sum(map(len, new)) >= _LACKING * max(1, sum(map(len, paragraphs))):
            parts += new
            seen += "".join(_folded(paragraph) for paragraph in new)
    return "\n\n".join(parts)


def _goes_on(own: list[str], paragraphs: list[str]) -> bool:
    body = "".join(map(_folded, paragraphs))
    return sum(len(each) for each in own if each in body) >= _GOES_ON * sum(map(len, own))


def _bodies(
    root: Any, displayed: int, read: Callable[[str], str], shown: Callable[[Any], str]
) -> Iterator[list[str]]:
    """Yield the paragraphs of each place that may hold the page's text, the most reliable first."""
    for script in root.iter("script"):
        kind = (script.get("type") or "").partition(";")[0].strip().lower()
        if kind == "application/ld+json":
            for body in _article_bodies(_data(script.text), 0):
                yield _paragraphs(body, read)
    for script in root.xpath("//script[@id='__NEXT_DATA__']"):
        data = _data(script.text)
        props = data.get("props", data) if isinstance(data, dict) else data
        found = [p for text in _texts(props, "", 0) for p in _paragraphs(text, read) if _is_prose(p)]
        if sum(map(len, found)) > displayed:  # else the page displays its text, and this is what stands around it
            yield found[:MAX_PARAGRAPHS]
    for element in root.iter("noscript"):
        said = _paragraphs(shown(element), read) if element.getparent().tag != "head" else []
        said = [p for p in said if not (_NEEDS_SCRIPTS.search(p) and len(p.split()) < _NOTICE)]
        yield said if len(" ".join(said).split()) >= _FEW else []


def _data(text: str | None) -> Any:
    if not text or len(text) > MAX_DATA:
        return None
    try:
        return json.loads(text.strip().removeprefix("<!--").removesuffix("-->"))
    except (ValueError, RecursionError):
        return None


def _article_bodies(node: Any, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(node, dict):
        body = node.get("articleBody")
        kinds = node.get("@type")
        if isinstance(body, str) and not _OTHERS & set(map(str, kinds if isinstance(kinds, list) else [kinds])):
            yield body
        for key, value in node.items():
            if key not in ("articleBody", "comment", "review"):
                yield from _article_bodies(value, depth + 1)
    elif isinstance(node, list):
        for value in node:
            yield from _article_bodies(value, depth + 1)


def _texts(node: Any, key: str, depth: int) -> Iterator[str]:
    """Yield the strings of data that may be text, a paragraph of several marked pieces as one."""
    if depth > MAX_DEPTH or (key and _NOT_THE_TEXT.search(_CAMEL.sub("_", key))):
        return
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for value in node:
            yield from _texts(value, key, depth + 1)
    elif isinstance(node, dict):
        if _is_paragraph(node):
            yield "".join(_leaves(node, 0))
            return
        for name, value in node.items():
            yield from _texts(value, str(name), depth + 1)


def _is_paragraph(node: dict[str, Any]) -> bool:
    """Return whether a node of rich text is a paragraph, whose pieces are one text."""
    kinds = (node.get(name) for name in ("nodeType", "type", "_type", "tag", "name"))
    kind = next((kind for kind in kinds if isinstance(kind, str)), "")
    if not _PARAGRAPH.search(kind):
        return False
    inner = next((node[name] for name in _INNER if isinstance(node.get(name), list)), None)
    return inner is not None and any(isinstance(each, dict) and _is_leaf(each) for each in inner)


def _is_leaf(node: dict[str, Any]) -> bool:
    return any(isinstance(node.get(name), str) for name in _LEAVES)


def _leaves(node: Any, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(node, list):
        for value in node:
            yield from _leaves(value, depth + 1)
    elif isinstance(node, dict):
        said = next((node[name] for name in _LEAVES if isinstance(node.get(name), str)), None)
        if said is not None:
            yield said
        for name in _INNER:
            yield from _leaves(node.get(name), depth + 1)


def _paragraphs(text: str, read: Callable[[str], str]) -> list[str]:
    text = read(text) if re.search(r"<[a-zA-Z/!]", text) else html.unescape(text)
    parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n|\r\n|\n", text))
    return [part for part in parts if part]


def _is_prose(text: str) -> bool:
    words = text.split()
    return len(words) >= _WORDS and bool(_PROSE.search(text)) and "{" not in text and "://" not in words[0]


def _folded(text: str) -> str:
    return _SIGNS.sub("", text.lower())

