"""LaTeX's counters: floats, sections and equations, and the numbers that labels stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from veritas.reading.formats.latex import _commands as commands
from veritas.reading.formats.latex._tex_source import COMMENT, split_outside_braces

_WITHIN = {
    "section": "chapter", "subsection": "section", "subsubsection": "subsection", "figure": "chapter",
    "table": "chapter", "equation": "chapter",
}  # fmt: skip
"""Counters that restart with another one, whose number is printed before theirs if it has one."""
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_FORM = re.compile(
    r"\\(arabic|Alph|alph|Roman|roman|the(?=[a-z]))\s*(?:\{\s*)?([A-Za-z]+)(?:\s*\})?|\\[A-Za-z@]+|[{}\s]"
)
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_MAX_OPEN = 100
"""Limit of nested environments that are followed; a source of nothing but beginnings opens no more."""
_MAX_FORMS = 5
"""Limit of nested counters in the number of a counter."""


class Numbered(NamedTuple):
    """The referent of a label: the kind of thing (`Table`) and its number as printed (`S1`)."""

    kind: str
    number: str


@dataclass(slots=True)
class _Open:
    name: str
    before: Numbered | None
    counter: str | None
    captioned: bool = False


class Numbering:
    """The counters of one document, stepped in the order in which it prints.

    `labels` are those known so far, `early` the keys asked for before they were known; `counted` is True once a number
    of these was printed. `floats` are the author's float environments, with their counter.
    """

    def __init__(
        self, labels: Mapping[str, Numbered] | None = None, floats: Mapping[str, str] | None = None
    ) -> None:
        self._floats = {**commands.FLOATS, **(floats or {})}
        self.labels: dict[str, Numbered] = dict(labels or {})
        self.counted = False
        self.early: set[str] = set()
        self._counts: dict[str, int] = {}
        self._within = dict(_WITHIN)
        self._forms: dict[str, str] = {}
        self._here: Numbered | None = None
        self._open: list[_Open] = []

    def begin(self) -> None:
        """Start the document: keep the numbering styles, reset all counters."""
        self.counted = False
        self._here = None
        self._counts.clear()
        self._open.clear()

    def enter(self, name: str) -> None:
        """Enter an environment. A label in it stands for nothing until something is counted there."""
        if len(self._open) < _MAX_OPEN:
            plain = name.rstrip("*")
            self._open.append(_Open(name, self._here, self._floats.get(plain)))
            if plain not in commands.UNCOUNTED:
                self._here = None

    def leave(self, name: str) -> None:
        """Leave an environment; a name that none has begun with is ignored."""
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at].name == name:
                self._here = self._open[at].before
                del self._open[at:]
                return

    def heading(self, command: str, *, starred: bool) -> None:
        """Count a heading, if it is numbered."""
        if starred:
            self._here = None
        elif command in ("chapter", "section", "subsection", "subsubsection"):
            self._step(command)

    def caption(self, *, starred: bool, of: str | None = None) -> str:
        """Return the text before a caption (`Table 1: `); "" if it has no number or belongs to no known float."""
        float_ = next((each for each in reversed(self._open) if each.counter), None)
        counter = of.strip() if of else float_.counter if float_ else None
        if starred or counter is None or counter not in commands.FLOATS.values():
            return ""
        self.counted = True
        if counter == "part":
            return self._part()
        if float_:
            float_.captioned = True
        number = self._step(counter)
        self._counts["part"] = 0
        return f"{counter.capitalize()} {number}: "

    def label(self, key: str) -> None:
        """Bind a label to the thing last counted here."""
        if self._here is not None:
            self.labels[" ".join(key.split())] = self._here

    def formula(self, name: str, content: str) -> None:
        """Count the numbers and labels of a displayed formula's lines."""
        plain = name.rstrip("*")
        if name != plain or plain in ("displaymath", "math"):
            return
        content = COMMENT.sub("", content)
        before = self._here
        if plain in ("equation", "multline", "dmath"):
            rows = [content]
        elif plain == "subequations":
            rows = [content.partition("\\begin")[0]]
        else:
            rows = split_outside_braces(content, "\\\\")
        for row in rows:
            tag = _TAG.search(row)
            if tag:
                self._here = Numbered("Equation", tag[1].strip())
            elif "\\nonumber" in row or "\\notag" in row:
                continue
            else:
                self._step("equation")
            for key in _LABEL.findall(row):
                self.label(key)
        if content.strip():  # else it was begun by a command of the author's, and its labels are still to come
            self._here = before

    def reference(self, command: str, key: str) -> str:
        """Return the printed form of a reference to `key`: its number, or the key if that is not known. The number
        of a page is never known; it is printed as LaTeX prints one that it does not know."""
        if command == "pageref":
            return "??"
        if command == "nameref":
            return key
        to = self.labels.get(key)
        if to is None:
            self.early.add(key)
            return key
        self.counted = True
        if command == "eqref":
            return f"({to.number})"
        return f"{to.kind} {to.number}" if command in ("autoref", "cref", "Cref") else to.number

    def set_count(self, counter: str, number: str, *, add: bool = False) -> None:
        """Carry out `\\setcounter` and `\\addtocounter` if they give a number."""
        with suppress(ValueError):
            self._counts[counter.strip()] = (self._counts.get(counter.strip(), 0) if add else 0) + int(number[:9])

    def set_form(self, counter: str, form: str) -> None:
        """Set how a counter's number is written: the body of `\\thetable`."""
        self._forms[counter] = form

    def set_within(self, counter: str, within: str) -> None:
        """Carry out `\\counterwithin` and `\\numberwithin`: a counter that restarts with another."""
        self._within[counter.strip()] = within.strip()

    def appendix(self) -> None:
        """Number the highest headings by letters from here on."""
        highest = "chapter" if self._counts.get("chapter") else "section"
        self._counts[highest] = 0
        self._forms[highest] = f"\\Alph{{{highest}}}"

    def _step(self, counter: str) -> str:
        self._counts[counter] = self._counts.get(counter, 0) + 1
        renewed, seen = [counter], {counter}
        while renewed:
            above = renewed.pop()
            below = [c for c, over in self._within.items() if over == above and c not in seen]
            seen.update(below)
            renewed += below
            self._counts.update(dict.fromkeys(below, 0))
        number = self._number(counter)
        kind = "Section" if counter.endswith("section") else counter.capitalize()
        self._here = Numbered(kind, number)
        return number

    def _part(self) -> str:
        """Count a part of a float, `(a) `; the float's own caption may stand before its parts or after them."""
        self._counts["part"] = self._counts.get("part", 0) + 1
        letter = _written("alph", self._counts["part"])
        whole = next((each for each in reversed(self._open) if each.counter not in (None, "part")), None)
        if whole is None or whole.counter is None:
            self._here = None
        else:
            count = self._counts.get(whole.counter, 0)
            self._counts[whole.counter] = count + (not whole.captioned)
            self._here = Numbered(whole.counter.capitalize(), self._number(whole.counter) + letter)
            self._counts[whole.counter] = count
        return f"({letter}) "

    def _number(self, counter: str, depth: int = 0) -> str:
        if depth > _MAX_FORMS:
            return ""
        form = self._forms.get(counter)
        if form is not None:
            return _FORM.sub(lambda m: self._formed(m, depth), form)
        above = self._within.get(counter)
        before = self._number(above, depth + 1) + "." if above and self._counts.get(above) else ""
        return f"{before}{self._counts.get(counter, 0)}"

    def _formed(self, match: re.Match[str], depth: int) -> str:
        style, counter = match[1], match[2]
        if not style:
            return ""
        return self._number(counter, depth + 1) if style == "the" else _written(style, self._counts.get(counter, 0))


def _written(style: str, number: int) -> str:
    if style == "arabic" or not 0 < number <= 300:
        return str(number)
    if style.lower() == "alph":
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    else:
        letter = ""
        for value, sign in _ROMAN:
            letter += sign * (number // value)
            number %= value
    return letter.upper() if style[0].isupper() else letter
