"""MDX: Markdown with imports and components; the components' tags are taken off and their children are read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.documents.metadata import split_front_matter
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.markdown import convert_body

_MODULE = re.compile(
    r"""^(?:import\s+(?:[\w*{}\s,$]+?\s+from\s+)?['"]|export\s+(?:const|let|var|default|function|async|class)\s+[\w({<]"""
    r"|export\s*[{*])"
)
_COMMENT = re.compile(r"\{/\*.*?\*/\}", re.DOTALL)
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
_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
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
    text = _COMMENT.sub("", text)
    blocks = re.split(r"(\n[ \t]*\n)", text)
    text = "".join("" if _MODULE.match(block.lstrip("\n")) else block for block in blocks)
    held: list[str] = []

    def hold(span: re.Match[str]) -> str:
        held.append(span[0])
        return f"\x00{len(held) - 1}\x00"

    text = _SPAN.sub(hold, text)
    text = _COMPONENT.sub(_shown, text)
    text = _EXPRESSION.sub(lambda match: match[1] or match[2] or match[3] or "", text)
    # The children of a component are indented for those who write them, and are no code.
    text = re.sub(r"^[ \t]{2,}(?![-*+] |\d+[.)] )", "", text, flags=re.MULTILINE)
    return re.sub("\x00(\\d+)\x00", lambda match: held[int(match[1])], text)


def _shown(tag: re.Match[str]) -> str:
    if tag[0].startswith("</"):
        return "\n" if tag.string[: tag.start()].rpartition("\n")[2].strip() == "" else ""
    said = _TEXT_OF_TAG.search(tag[0])
    if said:
        return f"\n\n{said[1] or said[2] or said[3] or ''}\n\n"
    return ""
