"""A line of mdoc: macros that call each other, and punctuation that stays outside of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veritas.reading.formats.manual._requests import Roff

_OPENING, _CLOSING = frozenset("(["), frozenset(".,:;)]?!")
_AROUND = {
    "Aq": "<>", "Bq": "[]", "Brq": "{}", "Dq": "“”", "Sq": "‘’", "Ql": "‘’", "Pq": "()", "Qq": '""', "Op": "[]",
}  # fmt: skip
_OPENED = {"Ao": "<", "Bo": "[", "Bro": "{", "Do": "“", "So": "‘", "Po": "(", "Qo": '"', "Oo": "["}
CLOSED = {"Ac": ">", "Bc": "]", "Brc": "}", "Dc": "”", "Sc": "’", "Pc": ")", "Qc": '"', "Oc": "]"}
_PLAIN = frozenset(
    "Ad An Ar Cd Cm Dv Em Er Ev Fa Fd Ft Hf Ic Lb Li Ms Mt No Ot Pa Sy Tn Va Vt Xo Xc Ta Ec Es En Fr Sx".split()
)
_SYSTEMS = {"Bx": "BSD", "Bsx": "BSD/OS", "Dx": "DragonFly", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD"}
_EMPTY = {"Ar": "file ...", "Pa": "~", "Mt": "~", "Ux": "UNIX", "Fl": "-", "Ud": "currently under development",
          "Bt": "is currently in beta test"}  # fmt: skip
CALLABLE = frozenset(
    {*_AROUND, *_OPENED, *CLOSED, *_PLAIN, *_SYSTEMS, "Fl", "Nm", "Ns", "Pf", "Ap", "Xr", "Fn", "In", "St", "At", "Ux",
     "Lk", "Eo", "Ud", "Bt"}
)  # fmt: skip


class MdocLine:
    """Writes the text of calls."""

    def __init__(self, roff: Roff) -> None:
        self._roff = roff
        self.name = ""
        """What the page is about, as `.Nm` names it first."""
        self.apart = True
        """Whether words stand apart from each other (`.Sm`)."""
        self._out: list[str] = []
        self._glued = True

    @property
    def glued(self) -> bool:
        """Whether what follows the line that was written stands next to it, without a space."""
        return self._glued or not self.apart

    def written(self, tokens: Sequence[str], quoted: frozenset[int] = frozenset()) -> str:
        """Return the text of a line that begins with a macro or with words. Those `quoted` are no macros."""
        self._out, self._glued = [], True
        self._go(list(tokens), [at in quoted for at in range(len(tokens))])
        return "".join(self._out)

    def _put(self, word: str, *, glue: bool = False) -> None:
        if word:
            if self.apart and not (glue or self._glued):
                self._out.append(" ")
            self._out.append(word)
            self._glued = False

    def _word(self, token: str) -> None:
        said = self._roff.plain(token)
        if said in _CLOSING:
            self._put(said, glue=True)
        else:
            self._put(said)
            self._glued = said in _OPENING

    def _go(self, tokens: list[str], quoted: list[bool]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if quoted[at - 1] or token not in CALLABLE:
                self._word(token)
                continue
            if token in _AROUND:
                end = len(tokens)
                while end > at and tokens[end - 1] in _CLOSING and not quoted[end - 1]:
                    end -= 1
                self._put(_AROUND[token][0])
                self._glued = True
                self._go(tokens[at:end], quoted[at:end])
                self._put(_AROUND[token][1], glue=True)
                at = end
                continue
            end = at
            while end < len(tokens) and (quoted[end] or tokens[end] not in CALLABLE):
                end += 1
            self._call(token, tokens[at:end])
            at = end

    def _call(self, macro: str, given: list[str]) -> None:
        """Write one macro with its own words."""
        if macro in _OPENED:
            self._put(_OPENED[macro])
            self._glued = True
            self._words(given)
        elif macro in CLOSED:
            self._put(CLOSED[macro], glue=True)
            self._words(given)
        elif macro in ("Ns", "Pf", "Ap"):
            if macro == "Ap":
                self._put("'", glue=True)
            elif macro == "Pf" and given:
                self._word(given[0])
            self._glued = True
            self._words(given[1:] if macro == "Pf" else given)
        else:
            words = given
            leading = 0
            while leading < len(words) and words[leading] in _OPENING:
                self._word(words[leading])
                leading += 1
            words = words[leading:]
            said = next((i for i, word in enumerate(words) if word in _CLOSING), len(words))
            self._own(macro, words[:said])
            self._words(words[said:])

    def _own(self, macro: str, words: list[str]) -> None:
        writer: Callable[[list[str]], None] | None = {
            "Fl": self._flag, "Nm": self._nm, "Xr": self._reference, "Fn": self._function, "In": self._included,
            "Lk": self._link,
        }.get(macro)  # fmt: skip
        if writer is not None:
            writer(words)
        elif macro in _SYSTEMS:
            version = self._roff.plain(words[0]) if words else ""
            self._put(f"{version}{_SYSTEMS[macro]}" if macro == "Bx" else f"{_SYSTEMS[macro]} {version}".strip())
        elif macro in ("St", "At"):
            self._put(("AT&T UNIX " if macro == "At" else "") + " ".join(map(self._roff.plain, words)).lstrip("-"))
        elif not words:
            self._put(_EMPTY.get(macro, ""))
        else:
            self._words(words)

    def _words(self, words: list[str]) -> None:
        for word in words:
            self._word(word)

    def _flag(self, words: list[str]) -> None:
        for word in words or [""]:
            self._put("|" if word == "|" else f"-{self._roff.plain(word)}")

    def _nm(self, words: list[str]) -> None:
        if words and not self.name:
            self.name = self._roff.plain(words[0])
        self._put(" ".join(map(self._roff.plain, words)) or self.name)

    def _reference(self, words: list[str]) -> None:
        name, section, *rest = [*map(self._roff.plain, words), "", ""]
        self._put(f"{name}({section})" if section else name)
        self._words([word for word in rest if word])

    def _function(self, words: list[str]) -> None:
        name, *arguments = [*map(self._roff.plain, words), ""] if not words else map(self._roff.plain, words)
        self._put(f"{name}({', '.join(arguments)})")

    def _included(self, words: list[str]) -> None:
        self._put(f"<{' '.join(map(self._roff.plain, words))}>")

    def _link(self, words: list[str]) -> None:
        address, *label = [*map(self._roff.plain, words), ""] if not words else map(self._roff.plain, words)
        self._put(f"{' '.join(label)}: {address}" if label else address)
