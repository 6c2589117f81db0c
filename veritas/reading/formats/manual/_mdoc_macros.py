"""The macros of mdoc that make blocks: sections, lists, displays, prototypes of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veritas.reading.formats.manual._blocks import Blocks
from veritas.reading.formats.manual._characters import JOINED
from veritas.reading.formats.manual._mdoc_line import CALLABLE, CLOSED, MdocLine
from veritas.reading.formats.manual._requests import Call, Roff

_UNSEEN = frozenset("Os Bk Ek Db Bf Ef Rs Hf Tg".split())


@dataclass
class _List:
    kind: str
    count: int = 0


class MdocMacros:
    """Carries out the macros of mdoc on the blocks of a page."""

    def __init__(self, roff: Roff, blocks: Blocks) -> None:
        self._roff, self._blocks = roff, blocks
        self._line = MdocLine(roff)
        self._lists: list[_List] = []
        self._displays: list[bool] = []
        self._function: list[str] | None = None
        self._authority: list[str] = []
        self._prototypes = False
        self._before = ""
        self.name = self.section = self.day = ""
        self._calls: dict[str, Callable[[Call], None]] = {
            "Dd": self._dated, "Dt": self._titled, "Sh": self._section, "Ss": self._section, "Nd": self._described,
            "Pp": lambda call: blocks.paragraph(), "Lp": lambda call: blocks.paragraph(),
            "Bl": self._begin_list, "It": self._item, "El": self._end_list,
            "Bd": self._begin_display, "Ed": self._end_display, "Dl": self._one_line, "D1": self._one_line,
            "Fo": self._begin_function, "Fc": self._end_function, "Fa": self._argument, "In": self._included,
            "Sm": self._spaced, "Ex": self._exits, "Rv": self._returns, "Re": self._cited,
        }  # fmt: skip

    def carry_out(self, call: Call) -> bool:
        """Carry out a call; return False for one that is not of mdoc."""
        if call.name in self._calls:
            self._calls[call.name](call)
        elif call.name in CALLABLE:
            self._words_of(call)
        elif len(call.name) == 2 and call.name.startswith("%"):
            self._authority.append(self._words(call))
        else:
            return call.name in _UNSEEN
        return True

    def _words_of(self, call: Call) -> None:
        """Add the words of a line that begins with a macro."""
        if self._prototypes and call.name in ("Ft", "Nm", "Fn", "Fd", "Vt") and self._before != "Ft":
            self._blocks.line()
        self._before = call.name
        if call.name == "Xc":
            self._blocks.end_term()
        text = self._line.written((call.name, *call.arguments), frozenset(at + 1 for at in call.quoted))
        if call.name in ("Ns", "Ap") or call.name in CLOSED:
            self._blocks.glue()
        if text:
            self._blocks.say(text + (JOINED if self._line.glued else ""))

    def _spaced(self, call: Call) -> None:
        self._line.apart = call.arguments[:1] != ("off",)
        if self._line.apart:
            self._blocks.unglue()

    def _words(self, call: Call) -> str:
        return self._line.written(call.arguments, call.quoted)

    def _dated(self, call: Call) -> None:
        self.day = " ".join(map(self._roff.plain, call.arguments))

    def _titled(self, call: Call) -> None:
        self.name, self.section, *_ = [*map(self._roff.plain, call.arguments), "", ""]

    def _section(self, call: Call) -> None:
        title = self._words(call)
        self._blocks.heading(title, 1 if call.name == "Sh" else 2)
        if call.name == "Sh":
            self._prototypes = title.upper() == "SYNOPSIS"

    def _described(self, call: Call) -> None:
        self._blocks.say(f"– {self._words(call)}")

    def _begin_list(self, call: Call) -> None:
        self._blocks.indent()
        kind = next((each.removeprefix("-") for each in call.arguments if each.startswith("-")), "item")
        self._lists.append(_List(kind))

    def _item(self, call: Call) -> None:
        current = self._lists[-1] if self._lists else _List("item")
        current.count += 1
        words = self._words(call)
        if current.kind in ("bullet", "dash", "hyphen"):
            self._blocks.item("- ")
        elif current.kind == "enum":
            self._blocks.item(f"{current.count}. ")
        elif current.kind == "column":
            cells = [self._line.written(each) for each in _cells(call.arguments)]
            self._blocks.block(["\t".join(cells)], "row")
            return
        elif current.kind != "item":
            self._blocks.term(held=call.arguments[-1:] == ("Xo",))
            self._blocks.say(words + (JOINED if words and self._line.glued else ""))
            return
        else:
            self._blocks.paragraph()
        if words:
            self._blocks.say(words)

    def _end_list(self, call: Call) -> None:
        if self._lists:
            self._blocks.outdent()
            self._lists.pop()

    def _begin_display(self, call: Call) -> None:
        self._blocks.paragraph()
        self._displays.append("-literal" in call.arguments or "-unfilled" in call.arguments)
        self._blocks.keep(any(self._displays))

    def _end_display(self, call: Call) -> None:
        if self._displays:
            self._displays.pop()
        self._blocks.keep(any(self._displays))
        self._blocks.paragraph()

    def _one_line(self, call: Call) -> None:
        self._blocks.block([self._words(call)], "code")

    def _begin_function(self, call: Call) -> None:
        if self._prototypes and self._before != "Ft":
            self._blocks.line()
        self._before = "Fo"
        self._function = [self._words(call)]

    def _argument(self, call: Call) -> None:
        if self._function is not None:
            self._function += map(self._roff.plain, call.arguments)
        else:
            self._blocks.say(self._line.written(("Fa", *call.arguments)))

    def _end_function(self, call: Call) -> None:
        name, *arguments = self._function or [""]
        self._function = None
        self._blocks.say(f"{name}({', '.join(arguments)}){self._words(call)}")

    def _included(self, call: Call) -> None:
        if self._prototypes:
            self._blocks.line()
        self._blocks.say(f"#include {self._line.written(('In', *call.arguments))}")
        if self._prototypes:
            self._blocks.line()

    def _exits(self, call: Call) -> None:
        named = " ".join(map(self._roff.plain, call.arguments[1:])) or self._line.name
        self._blocks.say(f"The {named} utility exits 0 on success, and >0 if an error occurs.")

    def _returns(self, call: Call) -> None:
        named = "(), ".join(map(self._roff.plain, call.arguments[1:])) or self._line.name
        self._blocks.say(
            f"The {named}() function returns the value 0 if successful; otherwise the value -1 is returned and the "
            "global variable errno is set to indicate the error."
        )

    def _cited(self, call: Call) -> None:
        self._blocks.say(f"{', '.join(self._authority)}.")
        self._authority = []


def _cells(arguments: tuple[str, ...]) -> list[list[str]]:
    """Return the words of each cell of a row, which `Ta` or a tab parts."""
    cells: list[list[str]] = [[]]
    for argument in arguments:
        if argument == "Ta":
            cells.append([])
        else:
            first, *others = argument.split("\t")
            cells[-1] += [first] if first else []
            cells += [[each] if each else [] for each in others]
    return cells
