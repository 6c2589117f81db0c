"""XML of strangers as a tree with the place of every element. Entities are refused, so none can expand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from veritas.errors import InputError

MAX_DEPTH = 100
_TAG = re.compile(rb"<[^\s/>]+(?:\s+[^=\s/>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>")


@dataclass(slots=True)
class Node:
    """An element: its name without a prefix, its line, and its place in the UTF-8 bytes of the text.

    `inner` is the place of what stands between its tags; None for `<name/>`.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    start: int
    end: int = 0
    inner: tuple[int, int] | None = None
    parts: list[str | Node] = field(default_factory=list)

    def find(self, *path: str) -> Node | None:
        """Return the first element at the end of a path of names."""
        return next(self.every(*path), None)

    def every(self, *path: str) -> Iterator[Node]:
        """Yield the elements at the end of a path of names, in order."""
        for child in self.parts:
            if isinstance(child, Node) and child.tag == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.every(*path[1:])

    def iterate(self, tag: str) -> Iterator[Node]:
        """Yield this element and those below it of a name, in order."""
        if self.tag == tag:
            yield self
        for child in self.parts:
            if isinstance(child, Node):
                yield from child.iterate(tag)

    def said(self, *path: str) -> str | None:
        """Return the text of the first element at the end of a path that has any, spaces folded; else None."""
        return next((text for node in self.every(*path) if (text := node.text)), None)

    @property
    def text(self) -> str:
        """The text in the element, spaces folded."""
        return " ".join(self._whole().split())

    def _whole(self) -> str:
        return "".join(part if isinstance(part, str) else part._whole() for part in self.parts)


def walk(
    data: bytes,
    name: str,
    start: Callable[[str, dict[str, str], int, int], None],
    end: Callable[[str, int], None],
    text: Callable[[str], None],
) -> None:
    """Parse UTF-8 XML; call `start` with the name without prefix, the attributes, the line and the byte of each
    element, `end` with the name and the byte of its end tag, `text` with each run of text.

    Raises `InputError` with the line for XML that is not well-formed, declares an entity or nests deeper than
    `MAX_DEPTH`.
    """
    parser = expat.ParserCreate("utf-8")  # whatever the declaration says: it is about the file before it was decoded
    parser.buffer_text = True
    depth = 0

    def refuse(*_: object) -> None:
        line = parser.CurrentLineNumber
        raise InputError(f"{name}, line {line}: the XML declares an entity, and no bibliography needs one: not read")

    def began(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise InputError(f"{name}, line {parser.CurrentLineNumber}: the XML is nested too deeply")
        start(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber, parser.CurrentByteIndex)

    def ended(tag: str) -> None:
        nonlocal depth
        depth -= 1
        end(tag.rpartition(":")[2], parser.CurrentByteIndex)

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = began
    parser.EndElementHandler = ended
    parser.CharacterDataHandler = text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(f"{name}, line {error.lineno}: the XML is broken ({expat.ErrorString(error.code)})") from error


def parse_xml(data: bytes, name: str) -> Node:
    """Return the root element of UTF-8 XML. Raises `InputError` as `walk` does."""
    top = Node("", {}, 1, 0)
    opened = [top]

    def start(tag: str, attributes: dict[str, str], line: int, at: int) -> None:
        node = Node(tag, attributes, line, at)
        opened[-1].parts.append(node)
        opened.append(node)

    def end(_: str, at: int) -> None:
        node = opened.pop()
        head = _TAG.match(data, node.start)
        begin = head.end() if head else node.start
        if at == node.start or (head and head.group().endswith(b"/>")):
            node.end = begin
        else:
            node.inner = (begin, at)
            node.end = data.index(b">", at) + 1

    walk(data, name, start, end, lambda text: opened[-1].parts.append(text))
    return next(each for each in top.parts if isinstance(each, Node))
