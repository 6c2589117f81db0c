"""Approximate printing of LaTeX: commands taken off, formulas as their signs or else their source, tables as rows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from veritas.reading.formats.latex import _commands as commands
from veritas.reading.formats.latex._numbering import Numbering
from veritas.reading.formats.latex._siunitx import QUANTITIES, print_quantity
from veritas.reading.formats.latex._tex_source import COMMENT, Macro, Source, rows_once, split_outside_braces
from veritas.text.formulas import plain_formula

MAX_EXPANSIONS = 100_000
"""Limit of expansions of the author's commands in all; commands that call each other may never end."""
_MAX_DEPTH = 40
_MAX_FORMULA = 10_000
_MAX_SPAN = 50
"""Limit of columns that one cell of a table may cover."""

_TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z@]+)\*?[ \t]*|\\(?P<symbol>.)|%[^\n]*\n?[ \t]*|(?P<formula>\$\$?)|(?P<break>\n[ \t]*\n\s*)"
    r"|(?P<brace>[{}])|(?P<active>~|---?|``|''|&)|[^\\%$\n{}~&`'-]+|.",
    re.DOTALL,
)
_RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b")
_ACTIVE = {"~": " ", "---": "—", "--": "–", "``": "“", "''": "”", "&": " "}
_LINE = "\u2028"  # where a line was broken on purpose
_FI = re.compile(r"\\fi(?![A-Za-z@])")
_SPAN = re.compile(r"\\multicolumn\s*\{\s*(\d{1,3})\s*\}")
_CAPTION = re.compile(r"\\caption(?P<star>\*?)\s*(?:\[[^\]]{0,300}\]\s*)?(?=\{)|\\label\s*(?=\{)")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_SAID_HEADING = {
    heading: re.compile(
        rf"(?:\s|\\[A-Za-z]+\*?|[{{}}]|%[^\n]*\n)*?(?<!\\)\b{written}\s*(?:[}}.:]|--|—|–|\\\\|\n\s*\n)[\s}}.:—–-]*",
        re.IGNORECASE,
    )
    for heading, written in (
        ("Abstract", "abstract"), ("Keywords", "key[ -]?words"), (commands.THANKS, "acknowledge?ments?")
    )
}
"""Headings that an author writes at the beginning of a part that prints its heading itself."""
_SAID_WITHIN = 300


def _formula(source: str) -> str:
    said = plain_formula(source)
    return f"${source}$" if said is None else said


def keys_of(said: str) -> list[str]:
    """Return the keys that a command names, separated by commas."""
    return [" ".join(key.split()) for key in COMMENT.sub("", said).split(",")]


class Printer:
    """A printer of one piece of source; pieces within it get printers of their own, a level deeper."""

    def __init__(
        self, known: Mapping[str, Macro], numbering: Numbering | None = None, above: Printer | None = None
    ) -> None:
        self._known = known
        self._numbering = numbering or Numbering()
        self._depth: int = above._depth + 1 if above else 0
        self._budget: list[int] = above._budget if above else [MAX_EXPANSIONS]
        self.citations: dict[str, None] = above.citations if above else {}
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._notes: list[str] = []

    def text(self, piece: str) -> str:
        """Return the printed text of `piece`, with a blank line between paragraphs."""
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
            elif token["brace"] == "{" and piece[token.start() - 1 : token.start()] == "}":
                self._parted(parsed, at)
            elif not token["brace"] and not token[0].startswith("%"):
                self._line.append(token[0])
        self._end_paragraph()
        return "\n\n".join(self._blocks)

    def _print(self, piece: str) -> str:
        if self._depth >= _MAX_DEPTH:
            return ""
        return Printer(self._known, self._numbering, self).text(piece)

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
        """Print a command and its arguments; return the place after it."""
        if name in ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def"):
            defined = piece.definition(begin)
            if defined and defined[0].startswith("the"):
                self._numbering.set_form(defined[0][3:], defined[1])
            return max(at, defined[2]) if defined else at
        if name in self._known and self._budget[0] > 0:
            return self._expand(self._known[name], piece, at)
        if name == "iffalse":
            end = _FI.search(piece.text, at)
            return end.end() if end else len(piece.text)
        if name == "begin":
            return self._environment(piece, at)
        if name == "end":
            self._end_paragraph()
            found = piece.group(at)
            if found:
                self._numbering.leave(found[0].strip())
            return found[1] if found else at
        if commands.HEADED.get(name) == commands.THANKS:  # a command of journals of physics; its text follows
            return self._heading_of(commands.THANKS, piece.text, at)
        if name in ("abstract", "keywords"):
            return self._headed(commands.HEADED[name], piece, at)
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
        starred = "*" in piece.text[begin:at]
        if name in commands.COUNTING:
            return self._counting(name, piece, at)
        return self._with_arguments(name, piece, at, starred=starred)

    def _with_arguments(self, name: str, piece: Source, at: int, *, starred: bool) -> int:
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
            self._numbering.heading(name, starred=starred)
            self._line.append(self._inline(heading))
            self._end_paragraph()
        elif name in ("caption", "captionof"):
            at = self._caption(piece, at, of=name == "captionof", starred=starred)
        elif name in commands.NOTES:
            note, at = piece.argument(at)
            self._notes.append(self._print(note))
        elif name in commands.CITATIONS or name in commands.MANY_CITATIONS:
            at = self._citation(piece, at, many=name in commands.MANY_CITATIONS)
        elif name in commands.REFERENCES:
            keys, at = piece.argument(at)
            printed = [self._numbering.reference(name, key) for key in keys_of(keys)]
            self._line.append(", ".join(printed[:-1]) + (" and " if len(printed) > 1 else "") + printed[-1])
        elif name in ("url", "path", "nolinkurl"):
            address, at = piece.argument(at)
            self._line.append(address)
        elif name in QUANTITIES:
            quantity, at = print_quantity(name, piece, at)
            self._line.append(quantity)
        elif name in commands.LAST:
            for _ in range(commands.LAST[name]):
                at = piece.argument(at)[1]
        elif name == "textsuperscript":
            said, at = piece.argument(at)
            power = bool(re.search(r"\d$", "".join(self._line[-1:]))) and bool(re.match(r"[−–-]?\d+$", said))
            self._line.append(("^" if power else "") + self._inline(said))
        elif name not in commands.SHAPES:
            # Any other command prints its arguments, which happens without us.
            self._parted(piece, at)
        return at

    def _citation(self, piece: Source, at: int, *, many: bool) -> int:
        said, at = piece.argument(at)
        keys = keys_of(said)
        while many:
            after = at
            while (optional := piece.bracket(after)) is not None:
                after = optional[1]
            further = piece.group(after)
            if further is None:
                break
            keys, at = [*keys, *keys_of(further[0])], further[1]
        printed = f"[{', '.join(keys)}]"
        self.citations[printed] = None
        self._line.append(printed)
        return at

    def _caption(self, piece: Source, at: int, *, of: bool = False, starred: bool = False) -> int:
        """Print a caption with its number before it, as a paragraph of its own; return the place after it."""
        counter = None
        if of:
            counter, at = piece.argument(at)
            while (optional := piece.bracket(at)) is not None:
                at = optional[1]
        said, at = piece.argument(at)
        self._end_paragraph()
        self._line.append(self._numbering.caption(starred=starred, of=counter) + self._inline(said).replace(_LINE, " "))
        self._end_paragraph()
        return at

    def _counting(self, name: str, piece: Source, at: int) -> int:
        """Carry out a command that sets counters or labels; return the place after it."""
        if name == "appendix":
            self._numbering.appendix()
            return at
        first, at = piece.argument(at)
        if name == "label":
            self._numbering.label(first)
            return at
        optional = piece.bracket(at)
        second, at = piece.argument(optional[1] if optional else at)
        if name in ("counterwithin", "numberwithin"):
            self._numbering.set_within(first, second)
        else:
            self._numbering.set_count(first, second, add=name == "addtocounter")
        return at

    def _headed(self, heading: str, piece: Source, at: int) -> int:
        """Print a command's own heading and its arguments; return the place after those."""
        while (found := piece.group(at)) is not None and piece.text[at : at + 1] == "{":
            begin, at = found[1] - 1 - len(found[0]), found[1]
            if found[0].strip():
                begin = self._heading_of(heading, piece.text, begin) if heading else begin
                heading = ""
                if self._line:  # "Keywords: "
                    self._line.append(self._inline(piece.text[begin : at - 1]))
                    self._end_paragraph()
                else:
                    self._blocks.append(self._print(piece.text[begin : at - 1]))
        return at

    def _heading_of(self, heading: str, text: str, at: int) -> int:
        """Print the heading of an abstract or of keywords; return the place after the author's own heading, if any."""
        self._end_paragraph()
        said = _SAID_HEADING[heading].match(text, at, at + _SAID_WITHIN)
        if heading == "Keywords":
            self._line.append("Keywords: ")
        elif not self._blocks or self._blocks[-1].casefold()[:8] != heading.casefold()[:8]:
            self._blocks.append(heading)
        return said.end() if said else at

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
        printed = self._inline(macro.expand(given))
        if printed == "Abstract" and "\\begin" in macro.body:  # its heading, as `\begin{abstract}` prints it
            self._end_paragraph()
            self._blocks.append(printed)
        else:
            before, after = (" " if edge.isspace() else "" for edge in (macro.body[:1], macro.body[-1:]))
            self._line.append(f"{before}{printed}{after}")
        if piece.text[at : at + 1].isalpha() and self._spaced(macro):
            self._line.append(" ")
        return at

    def _spaced(self, macro: Macro, depth: int = 3) -> bool:
        """Return whether a command puts a space behind itself, by `\\xspace` of its own or of a command in it."""
        inner = (self._known[name] for name in _COMMAND.findall(macro.body) if name in self._known) if depth else ()
        return "\\xspace" in macro.body or any(self._spaced(each, depth - 1) for each in inner)

    def _environment(self, piece: Source, at: int) -> int:
        named = piece.group(at)
        if named is None:
            return at
        name, at = named[0].strip(), named[1]
        plain = name.rstrip("*")
        if plain in commands.FORMULAS:
            end, after = piece.environment_end(at, name)
            self._numbering.formula(name, piece.text[at:end])
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
            self._numbering.enter(name)
            self._table(piece.text[at:end])
            self._numbering.leave(name)
            return after
        self._numbering.enter(name)
        if plain in commands.HEADED:
            return self._heading_of(commands.HEADED[plain], piece.text, at)
        for _ in range(commands.SIZED.get(plain, 0)):
            found = piece.group(at)
            at = found[1] if found else at
            while (optional := piece.bracket(at)) is not None:
                at = optional[1]
        return at

    def _table(self, content: str) -> None:
        """Print rows, a line each, with tabs between their cells; empty cells follow one over several columns."""
        content = rows_once(COMMENT.sub("", content)).replace("\\tabularnewline", "\\\\")
        content = self._captions(_RULES.sub("", content))
        rows = []
        for row in split_outside_braces(content, "\\\\"):
            cells: list[str] = []
            for cell in split_outside_braces(row, "&"):
                span = _SPAN.search(cell)
                cells.append(self._inline(cell).replace(_LINE, " "))
                cells += [""] * (min(int(span[1]), _MAX_SPAN) - 1 if span else 0)
            if any(cells):
                rows.append("\t".join(cells).rstrip("\t"))
        if rows:
            self._blocks.append("\n".join(rows))

    def _captions(self, content: str) -> str:
        """Print the captions among the rows; return the rows without them."""
        kept, at = [], 0
        rows = Source(content)
        for match in _CAPTION.finditer(content):
            if match.start() < at:
                continue
            kept.append(content[at : match.start()])
            if match[0].startswith("\\label"):
                key, at = rows.argument(match.end())
                self._numbering.label(key)
            else:
                at = self._caption(rows, match.end(), starred=bool(match["star"]))
        return "".join(kept) + content[at:]

    def _symbol(self, symbol: str, piece: Source, at: int) -> int:
        if symbol in "([":
            close = piece.text.find("\\" + {"(": ")", "[": "]"}[symbol], at, at + _MAX_FORMULA)
            if close >= 0:
                content = piece.text[at:close]
                if symbol == "[":
                    self._display(content)
                else:
                    self._line.append(_formula(content.strip()))
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
            self._line.append(_formula(piece[at:close]))
            return close + 1
        return at

    def _display(self, content: str) -> None:
        """Print a formula on a line of its own, within its paragraph."""
        content = re.sub(r"\\(?:label|tag)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b", "", COMMENT.sub("", content))
        said = plain_formula(content)
        self._line.append(_LINE + (" ".join(content.split()) if said is None else said) + _LINE)

    def _parted(self, piece: Source, at: int) -> None:
        """Print a space where an unknown command would let two numbers run into one: `41\\foo{}36`, `1\\foo{2}`."""
        last = self._line[-1][-1:] if self._line else ""
        following = piece.text[at : at + 12].replace("{}", "", 1).lstrip(" {")
        if last.isdigit() and following[:1].isdigit():
            self._line.append(" ")
