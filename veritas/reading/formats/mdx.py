"""MDX: Markdown with imports and components; the components' tags are taken off and their children are read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.documents.metadata import split_front_matter
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.markdown import convert_body

_MODULE = re.compile(
    r"""^(?:import\s(?:[\w*{}\s,$]*\sfrom\s+|\s*)['"]|export\s+(?:const|let|var|default|function|async|class)\s+[\w({<]"""
    r"|export\s*[{*])"
)
_CODE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,}).*?(?:^[ \t]*(?P=marks)[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_TEXT_OF_TAG = re.compile(
    r"""\b(?:label|title|value|summary)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`]*)["'`]\s*\})"""
)
_COMPONENT = re.compile(
    r"""</?(?:[A-Z][\w.]*)?(?:\s+(?:[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}))?"""
    r"""|\{\.\.\.[^{}]*\}))*\s*/?>"""
)
"""A component, which begins with a capital, or a fragment; tags in small letters are HTML."""
_STYLE = re.compile(r"\bstyle\s*=\s*\{\{([^{}\"]*)\}\}")
_CAPITAL = re.compile("[A-Z]")
_MARKS = re.compile("`+")
_EXPRESSION = re.compile(r"""\{\s*(?:"([^"{}]*)"|'([^'{}]*)'|`([^`{}$]*)`)\s*\}""")


def convert_mdx(text: str) -> Converted:
    """Return the text of a page: no imports, exports or comments; of a component, its label or title and its children.
    Code stays as it is. The title is the front matter's, else the first heading of the first level."""
    front, text = split_front_matter(text)
    return convert_body("\n".join(_prose_and_code(text)), front)


def _prose_and_code(text: str) -> Iterator[str]:
    at = 0
    for code in _CODE.finditer(text):
        yield _prose(text[at : code.start()])
        indent = len(code["indent"])
        yield "\n".join(line[min(indent, len(line) - len(line.lstrip())) :] for line in code[0].split("\n"))
        at = code.end()
    yield _prose(text[at:])


def _prose(text: str) -> str:
    text = _without_comments(text)
    blocks = re.split(r"(\n[ \t]*\n)", text)
    text = "".join("" if _MODULE.match(block.lstrip("\n")) else block for block in blocks)
    text, held = _without_spans(text)
    text = _STYLE.sub(_as_html, text)
    text = _COMPONENT.sub(_shown, text)
    text = _EXPRESSION.sub(lambda match: match[1] or match[2] or match[3] or "", text)
    # The children of a component are indented for those who write them, and are no code.
    text = re.sub(r"^[ \t]{2,}(?![-*+] |\d+[.)] )", "", text, flags=re.MULTILINE)
    return re.sub("\x00(\\d+)\x00", lambda match: held[int(match[1])], text)


def _as_html(style: re.Match[str]) -> str:
    """Return the style of an element as HTML writes it: what a style hides is hidden here too."""
    said = _CAPITAL.sub(lambda letter: f"-{letter[0].lower()}", style[1]).replace(",", ";").replace("'", "")
    return f'style="{said}"'


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("{/*", at)) >= 0 and (end := text.find("*/}", start + 3)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join((*parts, text[at:]))


def _without_spans(text: str) -> tuple[str, list[str]]:
    """Return the text with a mark in place of each span of code, and the spans. A span ends at the next run of as many
    backticks as it begins with."""
    runs = [match.span() for match in _MARKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[number][1] - runs[number][0], []).append(number)
    parts: list[str] = []
    held: list[str] = []
    at = closed = 0
    for number, (start, end) in enumerate(runs):
        same = later[end - start]
        same.pop()
        if number < closed or not same:
            continue
        closed = same[-1] + 1
        held.append(text[start : runs[same[-1]][1]])
        parts += [text[at:start], f"\x00{len(held) - 1}\x00"]
        at = runs[same[-1]][1]
    return "".join((*parts, text[at:])), held


def _shown(tag: re.Match[str]) -> str:
    if tag[0].startswith("</"):
        return "\n" if tag.string[: tag.start()].rpartition("\n")[2].strip() == "" else ""
    said = _TEXT_OF_TAG.search(tag[0])
    if said:
        return f"\n\n{said[1] or said[2] or said[3] or ''}\n\n"
    return ""
