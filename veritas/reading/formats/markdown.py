"""Markdown as its reader sees it: rendered, then read as a page.

Marks of documentation tools in Markdown, turned into what their reader sees.

- MkDocs: admonitions (`!!! note "Title"`), tabs (`=== "Title"`), blocks (`/// note | Title`), attributes
  (`{ #anchor }`)
- Docusaurus, VuePress and MyST: containers (`:::tip Title`), MyST directives and roles
- Hugo: shortcodes
- what would be another file's text (`--8<-- "file"`, `{! file !}`, `{* file *}`, `{% include … %}`) is left out and
  counted

A conversion as HTML with the structure that it has, for a page that holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from itertools import dropwhile, groupby
from threading import Lock
from typing import Any

from veritas.documents.metadata import split_front_matter
from veritas.reading.formats._rst_inline import place_named, shown_role
from veritas.reading.formats.converted import Converted
from veritas.reading.formats.html import convert_page
from veritas.reading.formats.rst import LANGUAGES, LITERAL, NOTHING, convert_rst, is_program
from veritas.text.formulas import FORMULA, plain_formula
from veritas.text.structure import TextBlock


def as_html(converted: Converted) -> Iterator[str]:
    """Yield the lines of the conversion's blocks as HTML. No line is blank outside of program text."""
    text = converted.text
    for in_table, blocks in groupby(converted.blocks, key=lambda block: block.kind in ("head", "row")):
        if in_table:
            yield f"<table>{''.join(_row(text, block) for block in blocks)}</table>"
        else:
            for block in blocks:
                yield from _block(text[block.start : block.end], block)


def _row(text: str, block: TextBlock) -> str:
    cell = "th" if block.kind == "head" else "td"
    cells = text[block.start : block.end].split("\t")
    return f"<tr>{''.join(f'<{cell}>{escape(each)}</{cell}>' for each in cells)}</tr>"


def _block(said: str, block: TextBlock) -> Iterator[str]:
    if block.kind == "code":
        yield from f'<pre class="language-{escape(block.language)}">{escape(said)}</pre>'.split("\n")
    elif block.kind == "heading":
        level = min(6, block.level)
        yield f"<h{level}>{escape(' '.join(said.split()))}</h{level}>"
    elif block.kind == "admonition":
        yield f'<div class="admonition-title">{escape(" ".join(said.split()))}</div>'
    else:
        yield f"<p>{'<br>'.join(escape(line) for line in said.split(chr(10)) if line.strip())}</p>"


_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_ADMONITION = re.compile(r'^(?P<indent> *)(?:!!!|\?\?\?\+?) *(?P<kind>[\w-]*)[\w -]*?(?: *"(?P<title>[^"]*)")? *$')
_TAB = re.compile(r'^(?P<indent> *)===[!+]* "(?P<title>[^"]+)" *$')
_BLOCK = re.compile(r"^ *(?P<marks>/{3,}) *(?P<kind>[\w-]*)(?: *\| *(?P<title>.*?))? *$")
_CONTAINER = re.compile(r"^ *:{3,} *\{?(?P<kind>[\w.:-]*)\}?(?: *\[(?P<label>[^\]]*)\])?(?: +(?P<title>\S.*?))? *$")
_COLONS = re.compile(r"^(?P<indent> *)(?P<marks>:{3,})(?P<info>\{[\w:+.-]+\}.*)$")
_OBJECT = re.compile(r"^ *::: +[\w:]+\.[\w.:]+ *$")
_INCLUDE = re.compile(
    r"""^\s*(?:-{1,}8<-{1,}\s*(?:["'].*)?|\{!.*!\}|\{\*.*\*\}|\{%-?\s*include(?:-markdown|_markdown)?\b.*%\}"""
    r"|<!--\s*include\b.*-->)\s*$"
)
_SHORTCODE = re.compile(r"\{\{[<%]\s*+(?:(?!\{\{[<%])[^\n])*?(?:\n\s*+)?[%>]\}\}")
_TARGET = re.compile(r"^\([^()\s]+\)=\s*$")
_DIRECTIVE = re.compile(r"\{(?P<name>[\w:+.-]+)\}\s*(?P<argument>.*)")
_OPTION = re.compile(r"^:[\w-]+:(?:\s|$)")
_NAME = r"[#.][A-Za-z][\w:.-]*"
_WORD = rf"""(?:{_NAME}|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s{{}}"']+))"""
_ATTRIBUTES = re.compile(rf"(?<![ \t])[ \t]*\{{(?::[ \t]*{_WORD}|[ \t]*{_NAME})(?:[ \t]+{_WORD})*[ \t]*\}}")
_OF_LINK = re.compile(rf"\A\{{[ \t]*{_WORD}(?:[ \t]+{_WORD})*[ \t]*\}}")
"""Attributes without a name, which follow a link or a picture at once; elsewhere braces may be words."""
_ROLE = re.compile(r"\{[\w:+.-]+\}\Z")
_MAX_DEPTH = 20


def without_marks(text: str) -> tuple[str, int]:
    """Return Markdown with its marks as paragraphs, lists and boxes a reader sees, and the number of texts of other
    files that are left out. Code is left as it is."""
    left_out: list[str] = []
    return "\n".join(_lines(text.split("\n"), left_out, 0)), len(left_out)


def _lines(lines: list[str], left_out: list[str], depth: int) -> Iterator[str]:
    at = boxes = 0
    while at < len(lines):
        line = lines[at]
        if fence := _FENCE.match(line):
            end = _fence_end(lines, at, fence["marks"])
            yield from _fenced(lines[at:end], fence["indent"], fence["info"], left_out, depth)
            at = end
        elif (indented := _ADMONITION.match(line) or _TAB.match(line)) and depth < _MAX_DEPTH and (
            end := _body_end(lines, at + 1, len(indented["indent"]) + 1)
        ) > at + 1:
            begin = at + 1
            yield from _box(indented["indent"], _title(indented["title"], indented.groupdict().get("kind")))
            yield from (indented["indent"] + body if body else body
                        for body in _lines(_dedented(lines[begin:end]), left_out, depth + 1))  # fmt: skip
            yield from ("", f"{indented['indent']}</div>", "")
            at = end
        elif _OBJECT.match(line):  # a place for the documentation of an object of a program
            at = _body_end(lines, at + 1, 1)
        elif (fence := _COLONS.match(line)) and _is_literal(fence["info"]):
            end = _fence_end(lines, at, fence["marks"])
            yield from _fenced(lines[at:end], fence["indent"], fence["info"], left_out, depth)
            at = end
        elif block := _BLOCK.match(line) or _CONTAINER.match(line):
            title = block["title"] or block.groupdict().get("label")
            at += 1
            while block["kind"] and at < len(lines) and _OPTION.match(lines[at].strip()):
                at += 1
            if block["kind"] or title:
                boxes += 1
                yield from _box("", _title(title, block["kind"]))
            else:
                yield from ("", *["</div>"] * (boxes > 0), "")
                boxes -= boxes > 0
        elif _INCLUDE.match(line):
            left_out.append(line)
            yield ""
            at += 1
        elif _TARGET.match(line):
            at += 1
        else:
            yield _SHORTCODE.sub("", line)
            at += 1
    yield from (end for _ in range(boxes) for end in ("", "</div>"))


def _title(title: str | None, kind: str | None) -> str:
    """Return what a reader sees above a box: its title, else its kind; an empty title is none."""
    return (kind or "").lstrip(".").replace("-", " ").capitalize() if title is None else title


def _box(indent: str, title: str) -> Iterator[str]:
    """Yield the beginning of a box as HTML, which holds Markdown; `</div>` ends it."""
    yield from ("", f'{indent}<div class="admonition">', "")
    if title:
        yield from (f'{indent}<div class="admonition-title">', "", f"{indent}{title}", "", f"{indent}</div>", "")


def _fenced(block: list[str], indent: str, info: str, left_out: list[str], depth: int) -> Iterator[str]:
    """Yield a block of code as it stands, but for lines that stand for another file, and a directive's body as text."""
    directive = _DIRECTIVE.fullmatch(info.strip())
    name = directive["name"].lower() if directive else ""
    if name in NOTHING:
        if "include" in name:
            left_out.append(block[0])
        return
    if directive is None or depth >= _MAX_DEPTH or _is_literal(info) or is_program(block[1:-1]):
        if directive is not None:
            body = _without_options(block[1:-1])
            marks = _longer_than_any(body)
            language = directive["argument"] if name in LITERAL or name.startswith("code-") else name
            block = [f"{indent}{marks}{LANGUAGES.get(name, language)}", *body, f"{indent}{marks}"]
        kept = [line for line in block if not _INCLUDE.match(line)]
        left_out.extend(line for line in block if _INCLUDE.match(line))
        if len(kept) > 2 or len(kept) == len(block):
            yield from kept
        return
    body = _without_options(_dedented(block[1:-1]))
    if name == "eval-rst":
        yield from ("", *(f"{indent}{line}" for line in as_html(convert_rst("\n".join(body)))), "")
        return
    yield from _box(indent, directive["argument"] or _title(None, name))
    yield from (f"{indent}{line}" for line in _lines(body, left_out, depth + 1))
    yield from ("", f"{indent}</div>", "")


def _is_literal(info: str) -> bool:
    """Return whether a directive holds program text, a formula, or nothing that is shown."""
    directive = _DIRECTIVE.fullmatch(info.strip())
    name = directive["name"].lower() if directive else ""
    return name in LITERAL or name in NOTHING or name.startswith(("code-", "."))


def _longer_than_any(lines: list[str]) -> str:
    """Return backticks that no line begins with."""
    return "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(lines))), 0)


def _without_options(body: list[str]) -> list[str]:
    """Return the lines of a directive behind its options."""
    return list(dropwhile(lambda line: bool(_OPTION.match(line.strip())), body))


def _fence_end(lines: list[str], at: int, marks: str) -> int:
    """Return the line behind a fenced block; one that is not closed goes to the end."""
    for end in range(at + 1, len(lines)):
        bare = lines[end].strip()
        if bare.startswith(marks) and not bare.strip(marks[0]):
            return end + 1
    return len(lines)


def _body_end(lines: list[str], at: int, indent: int) -> int:
    end = at
    for number in range(at, len(lines)):
        line = lines[number]
        if line.strip():
            if len(line) - len(line.lstrip(" ")) < indent and not line.startswith("\t"):
                break
            end = number + 1
    return end


def _dedented(block: list[str]) -> list[str]:
    block = [line.expandtabs(4) for line in block]
    indent = min((len(line) - len(line.lstrip(" ")) for line in block if line.strip()), default=0)
    return [line[indent:] for line in block]


def clear_inline(tokens: list[Any]) -> None:
    """Take attributes and roles out of the tokens of parsed Markdown; code between back-ticks stays."""
    for token in tokens:
        children = token.children or ()
        for number, child in enumerate(children):
            if child.type != "text":
                continue
            if child.content == "AUTOTITLE" and number and children[number - 1].type == "link_open":
                child.content = place_named(str(children[number - 1].attrGet("href") or ""))
                continue
            following = children[number + 1] if number + 1 < len(children) else None
            if following is not None and following.type == "code_inline" and _ROLE.search(child.content):
                place = _ROLE.search(child.content)
                named = place is not None and place[0].strip("{}: ") in ("ref", "numref", "doc")
                bare = named and "<" not in following.content
                child.content = _ROLE.sub("", child.content)
                following.content = (place_named if bare else shown_role)(following.content)
            if number:
                child.content = _OF_LINK.sub("", child.content)
            child.content = _ATTRIBUTES.sub("", child.content)


def convert_markdown(text: str) -> Converted:
    """Return the text without markup: links by their words, code as it is, tables as rows. Hidden HTML in it, such as a
    comment, is left out, and marks of documentation tools are what their reader sees. The title is the first heading of
    the first level."""
    front, text = split_front_matter(text)
    return convert_body(text, front)


def convert_body(text: str, front: Mapping[str, Any], remarks: tuple[str, ...] = ()) -> Converted:
    """Convert Markdown whose front matter was taken off (see `convert_markdown`)."""
    plain, left_out = without_marks(text)
    if left_out:
        remarks = (*remarks, f"{left_out} × text of another file, which it includes, is not read with it")
    with _MAKING:
        renderer = _renderer()
    tokens = renderer.parse(plain)
    clear_inline(tokens)
    page = convert_page(
        f"<html><body>{renderer.renderer.render(tokens, renderer.options, {})}</body></html>", whole=True
    )
    if not page.text and text.strip(" \n>#*-+`~_=") and "<" not in text:
        said = "is no readable Markdown; left as it stands"
        page = replace(page, text=text.strip(), blocks=(), remarks=(*page.remarks, said))
    return replace(page, front_matter=front, remarks=(*page.remarks, *remarks))


def _formula(state: Any, silent: bool) -> bool:
    """Read a formula between dollars as the signs that it prints; what is none, or not simple, stays."""
    found = FORMULA.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    said = plain_formula(found[1]) if found else None
    if found is None or said is None or found.end() > state.posMax:
        return False
    if not silent:
        state.pending += said
    state.pos = found.end()
    return True


_MAKING = Lock()


@cache
def _renderer() -> Any:
    from markdown_it import MarkdownIt

    # Its own limit on nesting, 20, silently drops deeper content.
    made = MarkdownIt("commonmark", {"maxNesting": 50}).enable(["table", "strikethrough"])
    made.inline.ruler.before("escape", "formula", _formula)
    made.normalizeLink("a")  # its tables of signs are filled on first use, which two threads must not do at once
    made.normalizeLinkText("a")
    return made
