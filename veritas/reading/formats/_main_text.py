"""The main text of a parsed web page: headings, paragraphs, lists and tables; no navigation, nothing hidden.

Only white space is added: a blank line between paragraphs, headings and list items, a newline between rows of a table
and a tab between cells. There are two exceptions, both of them seen by a reader: an item of a list has its bullet or
its number, and a raised number becomes a raised character (10⁶), since 106 is another number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lxml import etree  # type: ignore[import-untyped]

from veritas.reading.formats._colours import Painted
from veritas.reading.formats._hidden import Hidden
from veritas.reading.formats._outline import Outline
from veritas.text.structure import Structure
from veritas.text.wordlist import words

_NEVER = words(
    """
    script style template noscript head iframe object embed applet canvas audio video map svg button select datalist
    textarea input progress meter dialog nav frameset noframes rp footer del s strike
    """
)
"""Elements whose text is not what a page says: furniture, and what is struck out."""
_BLOCKS = words(
    """
    address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure form h1 h2 h3 h4
    h5 h6 header hgroup hr html legend li main menu ol p pre section summary table ul caption
    """
)
_ROLES = words("navigation banner contentinfo search complementary menu menubar toolbar dialog alertdialog")
_WORD = r"(?:^|[\s_-]){}(?:$|[\s_-])"
_FURNITURE = re.compile(
    _WORD.format(
        "(?:nav|navbar|navigation|navbox|menu|breadcrumbs?|cookies?|consent|gdpr|sidebar|sphinxsidebar|toc|footer|masthead|"
        "skip(?:-?link|-to-content)|mw-editsection|noprint|pagination|pager|prevnext|advertisement|newsletter)"
    ),
    re.IGNORECASE,
)
_MAYBE_FURNITURE = re.compile(
    _WORD.format("(?:ads?|promo|share|sharing|social|related|comments?|subscribe|banner|popup|modal|widget)"),
    re.IGNORECASE,
)
_PERMALINKS = frozenset({"headerlink", "anchorjs-link", "anchor", "permalink", "hash-link"})
_MAINS = ("//main", "//*[@role='main']", "//article", "//*[@id='mw-content-text' or @id='content' or @id='main']")
_MIN_MAIN = 200
"""Least characters of a main part for it to stand for the page."""
_LINK_SHARE = 0.8
_MIN_LINKS = 5
"""A list or box with at least this many links is navigation if links make up `_LINK_SHARE` of its text."""

_MOST_GUESSED = 0.2
"""Limit of the share of a page's text left out for having the colour of a ground that is only likely."""
_MOST_UNSEEN = 0.5
"""Limit of the share left out for any colour or for being folded away; above it the styles were misread."""

_PAINTED = (
    "boolean(//*[@bgcolor or @color or @text or contains(translate(@style, 'COLR', 'colr'), 'color') "
    "or contains(translate(@style, 'BACKGROUND', 'background'), 'background') or contains(@style, '\\')])"
)
_SPACE = re.compile(r"[ \t\r\f\v\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_SPACES = re.compile(r"\s+")
_RAISED = str.maketrans("0123456789+-−–()=n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿ")
_CAN_RISE = re.compile(r"\s*[-0-9+−–()=n]{1,8}\s*")


Read = tuple[str, Structure]
"""A text, and its blocks."""


def page_text(root: Any, *, whole: bool = False) -> Read:
    """Return the main text of the page under `root` (see `Page.text`)."""
    return Page(root).text(whole=whole)


class Page:
    """A parsed page. `root` is an lxml element."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._hidden = Hidden((style.text or "" for style in root.iter("style")), root=root, linked=_links_sheets(root))
        self._hidden.paints = self._hidden.paints or bool(root.xpath(_PAINTED))

    def text(self, *, whole: bool = False) -> Read:
        """Return the main text with its blocks; with `whole`, all visible text. Without a marked main part it is all
        but navigation."""
        body = self._root.find("body")
        body = self._root if body is None else body
        if whole:
            return _Text(self._hidden, body, furniture=False).text()
        for path in _MAINS:
            parts = [part for part in self._root.xpath(path) if not self._is_hidden(part)]
            if len(parts) == 1:
                read = _Text(self._hidden, parts[0]).text()
                if len(read[0]) >= _MIN_MAIN:
                    return read
        read = _Text(self._hidden, body).text()
        # Some navigation is better than losing a page whose author gave the main text an unlucky name.
        return read if len(read[0]) >= _MIN_MAIN else _Text(self._hidden, body, furniture=False).text()

    def _is_hidden(self, element: Any) -> bool:
        return any(up in self._hidden for up in (element, *element.iterancestors()))


class _Text:
    """A walk over one part of a page."""

    def __init__(self, hidden: Hidden, part: Any, *, furniture: bool = True) -> None:
        self._hidden, self._part, self._drop_furniture = hidden, part, furniture
        self._size = max(1, len(part.text_content())) if furniture else 1
        self._out: list[str] = []  # finished blocks and the white space between them
        self._length = 0  # of what is in it
        self._outline = Outline()
        self._line: list[str] = []  # the block being collected
        self._row: list[str] | None = None
        self._cells = 0
        self._pre = self._raised = 0
        self._painted: list[Painted] = []  # the colours of each open element
        self._guess, self._guessed = True, 0
        self._strict, self._unseen = True, 0
        self._tables: list[bool] = []  # for each open table: does it hold data (or is it there for the layout)?
        self._lists: list[int | None] = []  # for each open list: the number of its last item, None without numbers
        self._bullet = ""  # of the list item whose first block is being collected

    def text(self) -> Read:
        """Return the text without any in the colour of its background, and its blocks.

        If the background is a guess and much would be lost, the guess is ignored: losing a page is worse than reading
        an invisible sentence.
        """
        whole = self._walked()
        found = whole.strip()
        if self._guess and self._guessed > _MOST_GUESSED * (len(found) + self._guessed):
            self._guess = False
            return self._again()
        if self._strict and self._unseen > _MOST_UNSEEN * (len(found) + self._unseen):
            self._guess = self._strict = False
            return self._again()
        return found, self._outline.structure(found, len(whole) - len(whole.lstrip()))

    def _again(self) -> Read:
        self._out, self._line, self._lists, self._bullet = [], [], [], ""
        self._length, self._outline = 0, Outline()
        self._unseen = 0
        return self.text()

    def _walked(self) -> str:
        painted = self._hidden.painted
        for element in reversed(list(self._part.iterancestors())):
            painted = painted.within(self._hidden.paint(element))
        self._painted = [painted]
        walk = etree.iterwalk(self._part, events=("start", "end"))
        left_out = None
        for event, element in walk:
            if event == "start":
                formula = _formula(element) if element.tag == "math" else ""
                if formula or (element is not self._part and self._left_out(element)):
                    self._line.append(formula)
                    walk.skip_subtree()  # its end event still comes
                    left_out = element
                else:
                    self._open(element)
                continue
            if element is not left_out:
                self._close(element)
                if self._hidden.paints:
                    self._painted.pop()
            if element is not self._part and element.tail:
                self._say(element.tail)
        self._end_block()
        return "".join(self._out)

    def _left_out(self, element: Any) -> bool:
        tag = element.tag
        if not isinstance(tag, str) or tag in _NEVER or element in self._hidden:
            return True
        if self._strict and self._hidden.folded(element):
            self._unseen += len(element.text_content())
            return True
        names = f"{element.get('class') or ''} {element.get('id') or ''}".strip()
        if tag == "sup" and "reference" in names.split():
            return True
        if tag == "a" and (_PERMALINKS & set(names.split()) or (element.text or "").strip() in ("¶", "#")):
            return True
        if not self._drop_furniture or self._pre:
            return False
        if (element.get("role") or "").lower() in _ROLES:
            return True
        if tag == "header" and element.getparent() is not None and element.getparent().tag == "body":
            return True
        if tag == "aside" and not re.search(r"footnote|admonition|note|example", names):
            return True
        if names and _FURNITURE.search(names):
            return len(element.text_content()) < 0.4 * self._size
        if names and _MAYBE_FURNITURE.search(names):
            length = len(element.text_content())
            return length < 150 or (length < 0.4 * self._size and _link_share(element) >= 0.5)
        if tag in ("ul", "ol", "table") or (tag == "div" and len(element.findall("a")) >= _MIN_LINKS):
            return len(self._tables) < 4 and _is_link_list(element)
        return False

    def _open(self, element: Any) -> None:
        tag = element.tag
        if self._hidden.paints:
            self._painted.append(self._painted[-1].within(self._hidden.paint(element)))
        if tag == "table":
            self._tables.append(_holds_data(element))
        if tag == "br":
            self._line.append("\n")
        elif tag == "tr" and self._in_data():
            self._row = []
        elif tag in ("td", "th") and self._in_data():
            self._cells += 1
            self._line = []
        elif tag in _BLOCKS or tag in ("tr", "td", "th"):
            self._end_block()
        self._outline.open(element)
        if tag == "pre":
            self._pre += 1
        elif tag == "sup":
            self._raised += 1
        elif tag in ("ul", "ol"):
            self._lists.append(_start(element) - 1 if tag == "ol" else None)
        elif tag == "li" and not self._cells:
            self._bullet = self._next_bullet()
        if element.text:
            self._say(element.text)

    def _close(self, element: Any) -> None:
        tag = element.tag
        if tag == "sup":
            self._raised = max(0, self._raised - 1)
        if tag == "pre":
            self._end_block(pre=True)
            self._pre = max(0, self._pre - 1)
        elif tag == "code" and self._pre:
            # Two samples in one box, which a script would show one at a time.
            if element.getnext() is not None and element.getnext().tag == "code" and not element.tail:
                self._line.append("\n\n")
        elif tag in ("td", "th") and self._in_data() and self._row is not None:
            self._row.append(_SPACES.sub(" ", "".join(self._line)).strip())
            self._line = []
            self._cells = max(0, self._cells - 1)
        elif tag == "tr" and self._in_data() and self._row is not None:
            if any(self._row):
                row = "\t".join(self._row).rstrip("\t")
                self._outline.write_row(self._length, self._length + len(row), element)
                self._put(row, "\n")
            self._row = None
        elif tag == "table":
            self._end_block()
            self._put("\n")
            self._tables.pop()
        elif tag in _BLOCKS or tag in ("tr", "td", "th"):
            self._end_block()
            if tag == "li":
                self._bullet = ""
            elif tag in ("ul", "ol"):
                del self._lists[-1:]
        self._outline.close(element)

    def _put(self, *parts: str) -> None:
        self._out += parts
        self._length += sum(map(len, parts))

    def _next_bullet(self) -> str:
        last = self._lists[-1] if self._lists else None
        if last is None:
            return "- "
        self._lists[-1] = last + 1
        return f"{last + 1}. "

    def _in_data(self) -> bool:
        return bool(self._tables) and self._tables[-1]

    def _say(self, text: str) -> None:
        if self._hidden.paints and self._painted[-1].unseen and not text.isspace():
            if self._painted[-1].sure and self._strict:
                self._unseen += len(text)
                return
            if self._guess:
                self._guessed += len(text)
                return
        if self._raised and _CAN_RISE.fullmatch(text):
            text = text.translate(_RAISED)
        self._line.append(text if self._pre else _SPACES.sub(" ", text))

    def _end_block(self, *, pre: bool = False) -> None:
        if self._cells:  # within a cell of a table, a paragraph's end is a space
            self._line.append(" ")
            return
        text = "".join(self._line)
        self._line = []
        if pre:
            text = text.strip("\n").rstrip()
        else:
            text = "\n".join(_SPACE.sub(" ", line).strip() for line in text.split("\n")).strip()
            text = re.sub(r"\n{3,}", "\n\n", text)
        if text:
            end = self._length + len(self._bullet) + len(text)
            self._outline.write(self._length, end, bullet=len(self._bullet))
            self._put(self._bullet, text, "\n\n")
            self._bullet = ""


def _start(numbered: Any) -> int:
    """Return the number of a list's first item."""
    start = numbered.get("start") or ""
    return int(start) if re.fullmatch(r"[0-9]{1,3}", start) else 1


def _links_sheets(root: Any) -> bool:
    return any("stylesheet" in (link.get("rel") or "").lower().split() for link in root.iter("link")) or any(
        "@import" in (style.text or "") for style in root.iter("style")
    )


def _formula(math: Any) -> str:
    """Return a formula's source if the markup has it; otherwise the formula is read like any other text."""
    source = math.xpath("string((.//annotation[contains(@encoding, 'tex') or contains(@encoding, 'TeX')])[1])")
    return str(math.get("alttext") or source or "").strip()


def _holds_data(table: Any) -> bool:
    """Return whether a table holds data: no table within it, no headings, and no cell with several paragraphs."""
    if (table.get("role") or "") in ("presentation", "none"):
        return False
    seen = 0
    for inner in table.iterdescendants("table", "h1", "h2", "h3", "ul", "ol", "pre", "p", "td"):
        if inner.tag in ("td", "p"):
            seen += (inner.tag == "p") - (inner.tag == "td")
            if seen > 2:
                return False
        elif inner.tag == "table" or inner.tag.startswith("h"):
            return False
    return True


def _link_share(element: Any) -> float:
    total = len("".join(element.text_content().split()))
    return sum(len("".join(a.text_content().split())) for a in element.iter("a")) / total if total else 1.0


def _is_link_list(element: Any) -> bool:
    links: Sequence[Any] = element.findall(".//a[@href]")
    return len(links) >= _MIN_LINKS and _link_share(element) >= _LINK_SHARE
