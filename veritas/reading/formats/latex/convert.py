"""LaTeX as it prints, near enough: commands taken off, formulas kept as their source, tables as rows."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from datetime import date, datetime

from veritas.reading.formats.converted import Converted
from veritas.reading.formats.latex import commands
from veritas.reading.formats.latex.source import Macro, Source, split_outside_braces
from veritas.reading.metadata import parse_date

MAX_EXPANSIONS = 100_000
"""How often the author's commands are expanded, all in all; commands that call each other may never end."""
_MAX_DEPTH = 40
_MAX_FORMULA = 10_000

_TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z@]+)\*?[ \t]*|\\(?P<symbol>.)|%[^\n]*\n?[ \t]*|(?P<formula>\$\$?)|(?P<break>\n[ \t]*\n\s*)"
    r"|(?P<brace>[{}])|(?P<active>~|---?|``|''|&)|[^\\%$\n{}~&`'-]+|.",
    re.DOTALL,
)
_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_INPUT = re.compile(r"^[^%\n]*\\(?:input|include|subfile)\s*\{", re.MULTILINE)
_MARK = re.compile(r"\$[^$]*\$|\\footnotemark\b(?:\[[^\]]*\])?")  # of a note, beside an author's name
_RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b")
_ACTIVE = {"~": " ", "---": "—", "--": "–", "``": "“", "''": "”", "&": " "}
_DAYS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%B %Y", "%b %Y")
_LINE = "\u2028"  # where a line was broken on purpose


def convert_latex(text: str) -> Converted:
    """The text that a LaTeX source prints, without its bibliography; title, authors and date from its own commands.

    Files that it draws in are not followed: they are files of the corpus in their own right.
    """
    whole = Source(text)
    known = whole.macros()
    match = _BODY.search(text)
    body = match.group(1) if match else text
    printer = _Printer(known)
    printed = printer.text(body)
    inputs = len(_INPUT.findall(body))
    return Converted(
        text=printed,
        title=_said(whole, "title", known) or None,
        authors=_authors(whole, known),
        published_at=_day(_said(whole, "date", known)),
        citations=tuple(printer.citations),
        remarks=(f"draws in {inputs} other files, which count only if they are in the corpus themselves",)
        if inputs
        else (),
    )


def _said(whole: Source, command: str, known: dict[str, Macro]) -> str:
    place = re.search(rf"^[^%\n]*?\\{command}\s*(?:\[[^\]]*\]\s*)?(?=\{{)", whole.text, re.MULTILINE)
    found = whole.group(place.end()) if place else None
    return " ".join(_Printer(known).text(found[0]).split()) if found else ""


def _day(said: str) -> date | None:
    """The day that a paper gives itself, in figures or in words; of what is no date the year in it, if there is one."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[.,]", " ", said).replace("Sept ", "Sep ")
    for form in _DAYS:
        with suppress(ValueError):
            return datetime.strptime(" ".join(plain.split()), form).date()
    years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", said)
    return parse_date(said) or (date(int(years[-1]), 1, 1) if years else None)


def _authors(whole: Source, known: dict[str, Macro]) -> tuple[str, ...]:
    place = re.search(r"^[^%\n]*?\\author\s*(?:\[[^\]]*\]\s*)?(?=\{)", whole.text, re.MULTILINE)
    found = whole.group(place.end()) if place else None
    if found is None:
        return ()
    names = []
    for part in re.split(r"\\(?:and|And|AND)\b", found[0]):
        first_line = re.split(r"\\\\|\n\s*\n", part.strip())[0]
        printed = _Printer(known).text(_MARK.sub("", first_line))
        names += [name.strip(" ,*†‡") for name in re.split(r",|\band\b", " ".join(printed.split()))]
    return tuple(name for name in names if " " in name and len(name) <= 60 and not any(map(str.isdigit, name)))


def _keys(said: str) -> list[str]:
    return [" ".join(key.split()) for key in _COMMENT.sub("", said).split(",")]


class _Printer:
    """Prints one piece of source; pieces within it are printed by printers of their own, a level deeper."""

    def __init__(self, known: dict[str, Macro], above: _Printer | None = None) -> None:
        self._known = known
        self._depth: int = above._depth + 1 if above else 0
        self._budget: list[int] = above._budget if above else [MAX_EXPANSIONS]
        self.citations: dict[str, None] = above.citations if above else {}
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._notes: list[str] = []

    def text(self, piece: str) -> str:
        """What `piece` prints, paragraphs parted by a blank line."""
        at = 0
        parsed = Source(piece)
        while at < len(piece):
            token = _TOKEN.match(piece, at)
            if token is None:
                break
            at = token.end()
            if token["command"]:
                at = self._command(token["command"], parsed, token.start(), at)
            elif token["symbol"]:
                at = self._symbol(token["symbol"], parsed, at)
            elif token["formula"]:
                at = self._formula(token["formula"], piece, at)
            elif token["break"]:
                self._end_paragraph()
            elif token["active"]:
                self._line.append(_ACTIVE[token["active"]])
            elif not token["brace"] and not token[0].startswith("%"):
                self._line.append(token[0])
        self._end_paragraph()
        return "\n\n".join(self._blocks)

    def _print(self, piece: str) -> str:
        if self._depth >= _MAX_DEPTH:
            return ""
        return _Printer(self._known, self).text(piece)

    def _inline(self, piece: str) -> str:
        return self._print(piece).replace("\n\n", " ").replace("\n", _LINE)

    def _end_paragraph(self) -> None:
        lines = (" ".join(line.split()) for line in "".join(self._line).split(_LINE))
        self._line = []
        text = "\n".join(line for line in lines if line)
        if text:
            self._blocks.append(text)
        notes, self._notes = self._notes, []
        self._blocks += [note for note in notes if note]

    def _command(self, name: str, piece: Source, begin: int, at: int) -> int:
        """Prints a command and what belongs to it; the place after it."""
        if name in ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def"):
            return max(at, piece.definition_end(begin))
        if name in self._known and self._budget[0] > 0:
            return self._expand(self._known[name], piece, at)
        if name == "begin":
            return self._environment(piece, at)
        if name == "end":
            self._end_paragraph()
            found = piece.group(at)
            return found[1] if found else at
        if name in ("par", "item", "newpage", "clearpage", "maketitle", "bigskip", "medskip", "smallskip"):
            self._end_paragraph()
            label = piece.bracket(at) if name == "item" else None
            if label:
                self._line.append(self._inline(label[0]) + " ")
            return label[1] if label else at
        if name in commands.SYMBOLS:
            self._line.append(commands.SYMBOLS[name])
            return at + 2 if piece.text.startswith("{}", at) else at
        if name in commands.ACCENTS:
            return self._accent(commands.ACCENTS[name], piece, at)
        if name in ("verb", "lstinline") and at < len(piece.text) and not piece.text[at].isspace():
            close = piece.text.find("}" if piece.text[at] == "{" else piece.text[at], at + 1)
            self._line.append(piece.text[at + 1 : close] if close > 0 else "")
            return close + 1 if close > 0 else at
        return self._with_arguments(name, piece, at)

    def _with_arguments(self, name: str, piece: Source, at: int) -> int:
        while (optional := piece.bracket(at)) is not None:
            at = optional[1]
        if name in commands.DROPPED:
            if name == "cmidrule" and piece.text.startswith("(", at):
                at = piece.text.find(")", at) + 1 or at
            for _ in range(commands.DROPPED[name]):
                found = piece.group(at)
                at = found[1] if found else at
        elif name in commands.HEADINGS:
            heading, at = piece.argument(at)
            self._end_paragraph()
            self._line.append(self._inline(heading))
            self._end_paragraph()
        elif name in commands.NOTES:
            note, at = piece.argument(at)
            self._notes.append(self._print(note))
        elif name in commands.CITATIONS or name in commands.MANY_CITATIONS:
            at = self._citation(piece, at, many=name in commands.MANY_CITATIONS)
        elif name in commands.REFERENCES:
            keys, at = piece.argument(at)
            self._line.append(", ".join(_keys(keys)))
        elif name in ("url", "path", "nolinkurl"):
            address, at = piece.argument(at)
            self._line.append(address)
        elif name in ("SI", "qty", "si", "unit", "num", "ang"):
            at = self._quantity(name, piece, at)
        elif name in commands.LAST:
            for _ in range(commands.LAST[name]):
                at = piece.argument(at)[1]
        # Of any other command the arguments print, which they do by themselves.
        return at

    def _citation(self, piece: Source, at: int, *, many: bool) -> int:
        said, at = piece.argument(at)
        keys = _keys(said)
        while many:
            after = at
            while (optional := piece.bracket(after)) is not None:
                after = optional[1]
            further = piece.group(after)
            if further is None:
                break
            keys, at = [*keys, *_keys(further[0])], further[1]
        printed = f"[{', '.join(keys)}]"
        self.citations[printed] = None
        self._line.append(printed)
        return at

    def _expand(self, macro: Macro, piece: Source, at: int) -> int:
        self._budget[0] -= 1
        given: list[str] = []
        if macro.default is not None:
            optional = piece.bracket(at)
            given.append(optional[0] if optional else macro.default)
            at = optional[1] if optional else at
        while len(given) < macro.arguments:
            found, at = piece.argument(at)
            given.append(found)
        self._line.append(self._inline(macro.expand(given)))
        if "xspace" in macro.body and piece.text[at : at + 1].isalpha():
            self._line.append(" ")
        return at

    def _environment(self, piece: Source, at: int) -> int:
        named = piece.group(at)
        if named is None:
            return at
        name, at = named[0].strip(), named[1]
        plain = name.rstrip("*")
        if plain in commands.FORMULAS:
            end, after = piece.environment_end(at, name)
            self._display(piece.text[at:end])
            return after
        self._end_paragraph()
        if plain in commands.UNSEEN:
            return piece.environment_end(at, name)[1]
        if plain in commands.VERBATIM:
            end, after = piece.environment_end(at, name)
            listing = re.sub(r"\A(?:\[[^\]\n]*\])?(?:\{\w+\})?[ \t]*\n", "", piece.text[at:end]).rstrip()
            self._blocks += [listing] if listing.strip() else []
            return after
        while (optional := piece.bracket(at)) is not None:
            at = optional[1]
        if plain in commands.TABLES:
            for _ in range(commands.TABLES[plain] + (name == "tabular*")):
                at = piece.argument(at)[1]
            end, after = piece.environment_end(at, name)
            self._table(piece.text[at:end])
            return after
        if plain in ("minipage", "multicols", "adjustwidth", "wrapfigure", "subfigure", "subtable", "adjustbox"):
            found = piece.group(at)
            at = found[1] if found else at
        return at

    def _table(self, content: str) -> None:
        rows = []
        for row in split_outside_braces(_RULES.sub("", content), "\\\\"):
            cells = [self._inline(cell).replace(_LINE, " ") for cell in split_outside_braces(row, "&")]
            if any(cells):
                rows.append("\t".join(cells).rstrip("\t"))
        if rows:
            self._blocks.append("\n".join(rows))

    def _symbol(self, symbol: str, piece: Source, at: int) -> int:
        if symbol in "([":
            close = piece.text.find("\\" + {"(": ")", "[": "]"}[symbol], at, at + _MAX_FORMULA)
            if close >= 0:
                content = piece.text[at:close]
                if symbol == "[":
                    self._display(content)
                else:
                    self._line.append(f"${content.strip()}$")
                return close + 2
        elif symbol == "\\":
            self._line.append(_LINE)
            optional = piece.bracket(at)
            return optional[1] if optional else at
        elif symbol in commands.ACCENTS:
            return self._accent(commands.ACCENTS[symbol], piece, at)
        elif symbol in " ,;:\t\n":
            self._line.append(" ")
        elif symbol not in "-/!@)]":
            self._line.append(symbol)
        return at

    def _accent(self, combining: str, piece: Source, at: int) -> int:
        letters, at = piece.argument(at)
        letters = {"\\i": "i", "\\j": "j"}.get(letters.strip(), letters)
        letters = letters if letters.isalpha() else self._inline(letters)
        self._line.append(unicodedata.normalize("NFC", letters[:1] + combining) + letters[1:])
        return at

    def _formula(self, mark: str, piece: str, at: int) -> int:
        close = at
        while (close := piece.find(mark, close, at + _MAX_FORMULA)) > 0 and piece[close - 1] == "\\":
            close += 1
        if close < 0 or "\n\n" in piece[at:close]:
            self._line.append(mark)
        elif mark == "$$":
            self._display(piece[at:close])
            return close + 2
        else:
            self._line.append(f"${piece[at:close]}$")
            return close + 1
        return at

    def _display(self, content: str) -> None:
        """A formula on a line of its own, within its paragraph."""
        content = re.sub(r"\\(?:label|tag)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b", "", _COMMENT.sub("", content))
        self._line.append(_LINE + " ".join(content.split()) + _LINE)

    def _quantity(self, name: str, piece: Source, at: int) -> int:
        number = ""
        if name in ("SI", "qty", "num", "ang"):
            number, at = piece.argument(at)
            number = re.sub(r"[{}]", "", number)
        unit = "°" if name == "ang" else ""
        if name in ("SI", "qty", "si", "unit"):
            written, at = piece.argument(at)
            unit = re.sub(r"\\([A-Za-z]+)", lambda m: commands.UNITS.get(m[1], m[1]), written)
            unit = re.sub(r"[{}~\s]", "", unit)
        self._line.append(f"{number} {unit}" if number and unit not in ("", "°") else number + unit)
        return at
