"""Shell scripts, cut into simple commands: words, redirections, here-documents, and what `echo` and `printf` say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.editor.passages import NotReadWhole

PAGE = re.compile(r"[^\n<>|?]{0,400}\.(?:md|markdown|mdx|qmd|rmd|tex|ltx|rnw|rst|bib|ipynb|ris)", re.IGNORECASE)
"""The name of a file whose citations are read."""
NAMED = re.compile(r"[\w./~+*{}-]+\.(?:md|markdown|mdx|qmd|rmd|tex|rst|bib|ipynb)\b", re.IGNORECASE)
EXPANDED = re.compile(r"\$[\w({]|`")
_HEREDOC = re.compile(r"<<-?[ \t]*(?P<quote>['\"\\]?)(?P<end>\w+)['\"]?(?P<rest>[^\n]*)\n")
_SEPARATORS = frozenset(";&|\n()")
_SIGNS = re.compile(r"&>>?|>[&|]|<<<?|>>|[<>]|[;&|()\n]+")
_KEYWORDS = frozenset({"do", "then", "else", "{", "!", "sudo", "time", "nohup"})
"""Words before a command that change nothing of what it writes."""
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([abefnrtv\\]))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_FORMAT = re.compile(r"%(?:%|[-#0 +]*\d*(?:\.\d+)?([sbdiqu]))")


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its arguments, the files that its output goes to (and whether at their end), what it is given,
    and the command whose output that is."""

    words: tuple[str, ...]
    outputs: tuple[tuple[str, bool], ...]
    given: str | None
    behind: tuple[str, ...] = ()
    group: bool = False
    """Whether the files are those of a group of commands before it."""
    reads: str = ""
    """The file that it is given as its input."""


def commands(text: str) -> Iterator[Simple]:
    """Yield the simple commands of a script in order."""
    given: list[str] = []

    def taken(found: re.Match[str]) -> str:
        return f" <<{len(given) - 1}{found['rest']}\n"

    parts, at = [], 0
    while found := _HEREDOC.search(text, at):
        end = re.compile(rf"^\t*{re.escape(found['end'])}[ \t]*$", re.MULTILINE).search(text, found.end())
        if end is None:
            break
        body = text[found.end() : end.start()]
        given.append(body if found["quote"] or not EXPANDED.search(body) else "$(…)")
        parts += [text[at : found.start()], taken(found)]
        at = end.end()
    bare = "".join([*parts, text[at:]])
    lexer = shlex.shlex(bare, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        tokens = [part for token in lexer for part in _parts(token)]
    except ValueError:
        if any(PAGE.fullmatch(each) for each in NAMED.findall(bare)) and (">" in bare or "sed" in bare):
            raise NotReadWhole("the command names a page and cannot be read") from None
        return
    words: list[str] = []
    before: tuple[str, ...] = ()
    closed = False
    for token in [*tokens, "\n"]:
        if token and set(token) <= _SEPARATORS:
            if words:
                one = _simple(words, given)
                yield Simple(one.words, one.outputs, one.given, before, closed, one.reads)
                before = one.words if token == "|" else ()
            words, closed = [], token.endswith(")")
        else:
            words.append(token)


def _simple(tokens: Sequence[str], given: Sequence[str]) -> Simple:
    words: list[str] = []
    outputs: list[tuple[str, bool]] = []
    said, reads, at = None, "", 0
    while at < len(tokens):
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
        if token == "<<" and following.isdecimal() and int(following) < len(given):
            said, at = given[int(following)], at + 1
        elif token in (">", ">>", ">|", "&>", "&>>", ">&"):
            outputs.append((following, token.endswith(">>")))
            at += 1
            if words and words[-1] in ("1", "2"):
                words.pop()
        elif token in ("<", "<<<"):
            reads = following if token == "<" else reads
            at += 1
        elif words or (token not in _KEYWORDS and not re.fullmatch(r"\w+=.*", token, re.DOTALL)):
            words.append(token)
        at += 1
    return Simple(tuple(words), tuple(outputs), said, reads=reads)


def _parts(token: str) -> list[str]:
    """Return the signs of a token that is signs alone: the lexer joins those that follow one another."""
    return _SIGNS.findall(token) if token and set(token) <= {*_SEPARATORS, "<", ">"} else [token]


def printed(name: str, words: Sequence[str]) -> str:
    """Return what `echo` or `printf` says, with what stands for other signs."""
    if name == "echo":
        return f"{_signs(' '.join(each for each in words if not re.fullmatch(r'-[neE]+', each)))}\n"
    if not words:
        return ""
    given, parts = list(words[1:]), []
    while True:
        left = len(given)
        parts.append(_FORMAT.sub(lambda found: _filled(found, given), words[0]))
        if not given or len(given) == left:
            return _signs("".join(parts))


def _filled(found: re.Match[str], given: list[str]) -> str:
    return "%" if found[1] is None else given.pop(0) if given else ""


def _signs(text: str) -> str:
    return _ESCAPED.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    if found[4]:
        return _LETTERS.get(found[4], "")
    return chr(int(found[1] or found[2], 16) if found[1] or found[2] else int(found[3], 8) & 255)
