"""What a shell command of an agent writes into pages: here-documents and `echo`, by `>`, `>>` or `| tee`.

Nothing else of a shell is understood: what a program, a script or a file brings into a page is not seen.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from veritas.editor.passages import NotReadWhole, now
from veritas.editor.untouched import PAGES
from veritas.use_cases.writing import Edit

PAGE = re.compile(rf"[^\n<>|?]{{0,400}}{PAGES}", re.IGNORECASE)
"""The name of a file whose citations are read."""
_NAMED = re.compile(PAGES, re.IGNORECASE)
_EXPANDED = re.compile(r"\$[\w({]|`")
_HEREDOC = re.compile(r"<<-?[ \t]*(?P<quote>['\"\\]?)(?P<end>\w+)['\"]?(?P<rest>[^\n]*)\n")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_SIGNS = re.compile(r"&>>?|>[&|]|<<<?|>>|[<>]|[;&|()\n]+")


def of_command(command: str | Sequence[str], folder: Path) -> list[Edit]:
    """Return the edits of pages that a command makes by a here-document or by `echo`. Raises `NotReadWhole` where its
    output goes into a page and the command itself does not say what it is."""
    text = command if isinstance(command, str) else _script(command)
    made: dict[str, Edit] = {}
    if not _NAMED.search(text):
        return []
    for words, given in _commands(text):
        if words[:1] == ["cd"] and len(words) > 1:
            folder = folder / os.path.expanduser(words[1])
            continue
        for target, appended in _targets(words):
            if not PAGE.fullmatch(target):
                continue
            said = _printed(words, given)
            if said is None or _EXPANDED.search(target) or set("*[") & set(target):
                raise NotReadWhole(f"{target}: what the command writes into it is not known")
            path = str(folder / os.path.expanduser(target))
            earlier = made.get(path)
            before = earlier.after if earlier else now(path)
            made[path] = Edit(path, earlier.before if earlier else before, before + said if appended else said)
    return list(made.values())


def _script(words: Sequence[str]) -> str:
    """Return the script of `["bash", "-lc", script]`, or the words as one line."""
    shell = bool(words) and os.path.basename(str(words[0])) in _SHELLS
    return str(words[-1]) if shell and len(words) > 2 else shlex.join(map(str, words))


def _commands(text: str) -> Iterator[tuple[list[str], str | None]]:
    """Yield the commands of a script, each with the here-document that it is given, or what is piped into it."""
    given: list[str | None] = []
    parts, at = [], 0
    while found := _HEREDOC.search(text, at):
        end = re.compile(rf"^\t*{re.escape(found['end'])}[ \t]*$", re.MULTILINE).search(text, found.end())
        if end is None:
            break
        body = text[found.end() : end.start()]
        parts += [text[at : found.start()], f" <<{len(given)}{found['rest']}\n"]
        given.append(body if found["quote"] or not _EXPANDED.search(body) else None)
        at = end.end()
    lexer = shlex.shlex("".join([*parts, text[at:]]), posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        tokens = [part for token in lexer for part in _parts(token)]
    except ValueError:
        if ">" in text:
            raise NotReadWhole("the command names a page and cannot be read") from None
        return
    words: list[str] = []
    piped = None
    for token in [*tokens, "\n"]:
        if token and set(token) <= set(";&|()\n"):
            if words:
                document = words.index("<<") if "<<" in words else None
                number = words[document + 1] if document is not None and document + 1 < len(words) else ""
                known = number.isdecimal() and int(number) < len(given)
                read = given[int(number)] if known else piped
                yield words, read
                piped = _printed(words, read) if token.strip("\n") == "|" else None
            words = []
        else:
            words.append(token)


def _parts(token: str) -> list[str]:
    """Return the signs of a token that is signs alone: the lexer joins those that follow one another."""
    return _SIGNS.findall(token) if token and set(token) <= set(";&|()\n<>") else [token]


def _targets(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield the files that a command's output goes into, and whether at their end."""
    for sign, target in pairwise(words):
        if sign in (">", ">>", ">|", "&>", "&>>"):
            yield target, sign.endswith(">>")
    if words[0] == "tee":
        named = words[1 : next((at for at, word in enumerate(words) if word and set(word) <= set("<>")), len(words))]
        yield from ((each, "-a" in named or "--append" in named) for each in named if not each.startswith("-"))


def _printed(words: Sequence[str], read: str | None) -> str | None:
    """Return what `echo` prints, or `cat` and `tee` of what they read; None for another command, for `cat` of a file
    and for what the shell fills in."""
    if words[0] == "tee" or (words[0] == "cat" and set("".join(words[1:2])) <= set("<>|&-")):
        return read
    said = words[1 : next((at for at, word in enumerate(words) if word and set(word) <= set("<>|&")), len(words))]
    if words[0] != "echo" or "-e" in said or any(map(_EXPANDED.search, said)):
        return None
    return " ".join(each for each in said if each != "-n") + ("" if "-n" in said else "\n")
