"""The macros of man, and the requests of roff that are seen in the text."""

from __future__ import annotations

from collections.abc import Callable

from veritas.reading.formats.manual._blocks import Blocks
from veritas.reading.formats.manual._requests import Call, Roff
from veritas.text.wordlist import words

# Requests that set the type, the page or the hyphenation: nobody reads them.
UNSEEN = words(
    """
    ad af an as bd bp brp c2 cc ce cs cu da di do ec ein em eo ev ex fam fc ft fp hc hla hlm hpf hw hy hym ie in it kern
    lc lg ll ls lt mk na ne nh nm nn ns nx os pc pi pl pm pn po ps psbb rd rj rr rs rt schar shc shift so ss sv ta tc ti
    tm tr trf uf ul unf vpt vs warn wh write writem IX PD DT AT UC PM mso hcode lf blm lsm cflags char EQ EN
    """
)
_ALTERNATING = frozenset("BI BR IB IR RB RI".split())
_JOINING = frozenset("B I R SM SB CW nop".split())


class ManMacros:
    """Carries out the macros of man on the blocks of a page."""

    def __init__(self, roff: Roff, blocks: Blocks) -> None:
        self._roff, self._blocks = roff, blocks
        self._link = ""
        self.name = self.section = self.day = ""
        self._calls: dict[str, Callable[[list[str]], None]] = {
            "TH": self._title, "SH": lambda said: blocks.heading(" ".join(said), 1),
            "SS": lambda said: blocks.heading(" ".join(said), 2),
            **dict.fromkeys("sp Sp in ti".split(), lambda said: blocks.paragraph()),
            **dict.fromkeys("PP P LP HP".split(), lambda said: blocks.close()),
            "RS": lambda said: blocks.indent(explains=True), "RE": lambda said: blocks.outdent(),
            "br": lambda said: blocks.line(),
            **dict.fromkeys(("nf", "EX", "Vb", "CS", "DS"), lambda said: blocks.keep(True)),
            **dict.fromkeys(("fi", "EE", "Ve", "CE", "DE"), lambda said: blocks.keep(False)),
            "TP": lambda said: blocks.term(), "TQ": lambda said: blocks.term(further=True), "IP": self._indented,
            "UR": self._opened, "MT": self._opened, "UE": self._closed, "ME": self._closed,
            "SY": self._synopsis, "YS": lambda said: blocks.paragraph(), "OP": self._option, "MR": self._page,
        }  # fmt: skip

    def carry_out(self, call: Call) -> bool:
        """Carry out a call; return False for one that is not of man."""
        said = [self._roff.plain(argument) for argument in call.arguments]
        if call.name in self._calls:
            self._calls[call.name](said)
        elif call.name in _ALTERNATING:
            self._say("".join(said))
        elif call.name in _JOINING:
            self._say(" ".join(said))
        else:
            return call.name in UNSEEN
        return True

    def _say(self, text: str) -> None:
        if text:
            self._blocks.say(text)

    def _title(self, said: list[str]) -> None:
        self.name, self.section, self.day, *_ = [*said, "", "", ""]

    def _indented(self, said: list[str]) -> None:
        mark = said[0].strip() if said else ""
        if not mark:
            self._blocks.paragraph()
        elif not any(sign.isalnum() for sign in mark) and len(mark) <= 2 and mark != "--":
            self._blocks.item("- ")
        elif mark.rstrip(".)").isdecimal():
            self._blocks.item(f"{mark} " if mark.endswith((".", ")")) else f"{mark}. ")
        else:
            self._blocks.term()
            self._blocks.say(mark)

    def _opened(self, said: list[str]) -> None:
        self._link = said[0] if said else ""

    def _closed(self, said: list[str]) -> None:
        self._say(f"<{self._link}>{''.join(said)}" if self._link else "".join(said))
        self._link = ""

    def _synopsis(self, said: list[str]) -> None:
        self._blocks.paragraph()
        self._say(" ".join(said))

    def _option(self, said: list[str]) -> None:
        self._say(f"[{' '.join(said)}]")

    def _page(self, said: list[str]) -> None:
        name, section, *rest = [*said, "", ""]
        self._say(f"{name}({section}){''.join(rest)}")
