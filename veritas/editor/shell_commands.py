"""What a shell command of an agent writes into pages, as far as the command itself tells it."""

from __future__ import annotations

import glob
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from veritas.editor.passages import NotReadWhole, now
from veritas.use_cases.writing import Edit

PAGE = re.compile(r"[^\n<>|?]{0,400}\.(?:md|markdown|mdx|qmd|rmd|tex|ltx|rnw|rst|bib|ipynb|ris)", re.IGNORECASE)
"""The name of a file whose citations are read."""
_HEREDOC = re.compile(r"<<-?[ \t]*(?P<quote>['\"\\]?)(?P<end>\w+)['\"]?(?P<rest>[^\n]*)\n")
_CITES = re.compile(
    r"\[@|(?<!\w)@\w+\d{4}|\\[a-z]*cite|:cite|\{cite|\bdoi\b|10\.\d{4,}/|citations/[\w.+-]+\.md|\bet al\b",
    re.IGNORECASE,
)
_EXPANDED = re.compile(r"\$[\w({]|`")
_SCRIPTS = re.compile(r"python[\d.]*|node|deno|bun|ruby|perl|php|g?awk|ed|ex|n?vim?")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_EDITORS = frozenset({"ed", "ex", "vi", "vim", "nvim"})
_WRITES = re.compile(r"write_?(?:text|file)|\.write\(|,\s*['\"][wax]\+?b?['\"]|\.save\(|\binplace\b", re.IGNORECASE)
_SEPARATORS = frozenset(";&|\n()")
_REMOVES = re.compile(r"\b(?:rm|mv|unlink|trash)\b")
_NAMED = re.compile(r"[\w./~+*{}-]+\.(?:md|markdown|mdx|qmd|rmd|tex|rst|bib|ipynb)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Simple:
    """A command with its arguments, the files that its output goes to (and whether at their end), what it is given,
    and the command whose output that is."""

    words: tuple[str, ...]
    outputs: tuple[tuple[str, bool], ...]
    given: str | None
    behind: tuple[str, ...] = ()


def of_command(command: str | Sequence[str], folder: Path) -> list[Edit]:
    """Return the edits of pages that a command makes, and of files that it moves or removes.

    Raises `NotReadWhole` where it writes a page and does not itself say what, or changes one that cites in place.
    """
    text = command if isinstance(command, str) else _script(command)
    if not _NAMED.search(text) and not _REMOVES.search(text):
        return []
    made: dict[str, Edit] = {}
    for one in _commands(text):
        if one.words[:1] == ("cd",) and len(one.words) > 1:
            folder = folder / os.path.expanduser(one.words[1])
            continue
        script = _inner(one.words)
        for edit in of_command(script, folder) if script is not None else _edits(one, folder, text):
            earlier = made.get(edit.path)
            made[edit.path] = edit if earlier is None else Edit(edit.path, earlier.before, edit.after)
    return list(made.values())


def _inner(words: Sequence[str]) -> str | None:
    """Return the script that a shell is given as an argument."""
    shell = bool(words) and os.path.basename(words[0]) in _SHELLS
    option = next((at for at, word in enumerate(words) if re.fullmatch(r"-[a-z]*c", word)), None) if shell else None
    return words[option + 1] if option is not None and option + 1 < len(words) else None


def _script(words: Sequence[str]) -> str:
    """Return the script of `["bash", "-lc", script]`, or the words as one line."""
    shell = bool(words) and os.path.basename(str(words[0])) in _SHELLS
    return str(words[-1]) if shell and len(words) > 2 else shlex.join(map(str, words))


def _commands(text: str) -> Iterator[_Simple]:
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
        given.append(body if found["quote"] or not _EXPANDED.search(body) else "$(…)")
        parts += [text[at : found.start()], taken(found)]
        at = end.end()
    bare = "".join([*parts, text[at:]])
    lexer = shlex.shlex(bare, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        tokens = list(lexer)
    except ValueError:
        if any(PAGE.fullmatch(each) for each in _NAMED.findall(bare)) and (">" in bare or "sed" in bare):
            raise NotReadWhole("the command names a page and cannot be read") from None
        return
    words: list[str] = []
    before: tuple[str, ...] = ()
    for token in [*tokens, "\n"]:
        if token and set(token) <= _SEPARATORS:
            if words:
                one = _simple(words, given)
                yield _Simple(one.words, one.outputs, one.given, before)
                before = one.words if token == "|" else ()
            words = []
        else:
            words.append(token)


def _simple(tokens: Sequence[str], given: Sequence[str]) -> _Simple:
    words: list[str] = []
    outputs: list[tuple[str, bool]] = []
    said, at = None, 0
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
            at += 1
        elif token != "sudo" and (words or not re.fullmatch(r"\w+=.*", token)):
            words.append(token)
        at += 1
    return _Simple(tuple(words), tuple(outputs), said)


def _edits(one: _Simple, folder: Path, command: str) -> Iterator[Edit]:
    name = os.path.basename(one.words[0]) if one.words else ""
    words = one.words[1:]
    if name == "git" and words[:1] and words[0] in ("mv", "rm"):
        name, words = words[0], words[1:]
    files = [each for each in words if not each.startswith("-")]
    targets = [*one.outputs]
    if name == "tee":
        targets += [(each, "-a" in words or "--append" in words) for each in files]
    for target, appended in targets:
        if PAGE.fullmatch(target):
            yield _written(folder, target, appended, _said(one, name, words, folder))
    if name in ("rm", "unlink", "trash"):
        yield from (Edit(path, now(path), "") for path in _below(folder, files) if now(path))
    elif name in ("mv", "cp", "install", "rsync") and len(files) > 1:
        yield from _moved(folder, files, kept=name != "mv")
    elif name in ("xargs", "find") or (name in ("sed", "perl", "gsed", "ruby") and any(map(_in_place, words))):
        _unless_it_cites(one, folder, command)
    elif _SCRIPTS.fullmatch(name):
        said = f"{one.given or ''}\n{' '.join(words)}"
        writes = name in _EDITORS or _WRITES.search(said)
        if writes and (page := _NAMED.search(one.given or "") or _NAMED.search(" ".join(words))):
            raise NotReadWhole(f"{page.group()}: a program may write it, and what it writes is not known")
    elif page_named := _output(words):
        raise NotReadWhole(f"{page_named}: what {name} writes into it is not known")


def _in_place(word: str) -> bool:
    return re.fullmatch(r"-[a-zA-Z]*i.*|--in-place.*", word) is not None


def _written(folder: Path, target: str, appended: bool, said: str | None) -> Edit:
    path = str(folder / os.path.expanduser(target))
    if said is None or _EXPANDED.search(target) or "*" in target:
        raise NotReadWhole(f"{target}: what the command writes into it is not known")
    before = now(path)
    return Edit(path, before, f"{before}{said}" if appended else said)


def _said(one: _Simple, name: str, words: Sequence[str], folder: Path) -> str | None:
    """Return what a command puts out; None if the command itself does not tell."""
    if name == "tee" and one.given is None and one.behind:
        return _said(_Simple(one.behind, (), None), os.path.basename(one.behind[0]), one.behind[1:], folder)
    if name in ("cat", "tee") and one.given is not None:
        return None if one.given == "$(…)" else one.given
    if name == "cat":
        texts = [now(str(folder / each)) for each in words if not each.startswith("-")]
        return "".join(texts) if texts and all(texts) else None
    if name in ("echo", "printf"):
        said = " ".join(each for each in words if not re.fullmatch(r"-[neE]+", each))
        return None if _EXPANDED.search(said) else said.replace("\\n", "\n") + "\n"
    return "" if name in ("", ":", "true") else None


def _moved(folder: Path, files: Sequence[str], *, kept: bool) -> Iterator[Edit]:
    target = folder / os.path.expanduser(files[-1])
    for source in _below(folder, files[:-1]):
        path = str(target / os.path.basename(source)) if target.is_dir() else str(target)
        text = now(source) if PAGE.fullmatch(path) or PAGE.fullmatch(source) else ""
        if not text:
            continue
        same = os.path.splitext(source)[1] == os.path.splitext(path)[1]
        if not kept:
            yield Edit(source, text, "")
        yield Edit(path, text if same and not kept else now(path), text)


def _below(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield the pages that names mean, and those in folders that they name."""
    for name in names:
        for place in glob.glob(str(folder / os.path.expanduser(name))):
            if not os.path.isdir(place):
                yield place
            else:
                yield from glob.glob(f"{glob.escape(place)}/**/*.md", recursive=True)


def _unless_it_cites(one: _Simple, folder: Path, command: str) -> None:
    """Raise `NotReadWhole` where a command changes a page in place that cites, or puts a citation in."""
    if one.words[0] in ("xargs", "find") and not (any(map(_in_place, one.words)) and {"sed", "perl"} & {*one.words}):
        return
    for word in one.words[1:]:
        if not PAGE.fullmatch(word):
            continue
        there = glob.glob(str(folder / os.path.expanduser(word)), recursive=True)
        if not there and "*" not in word:
            continue
        if not there or _CITES.search(command) or any(_CITES.search(now(each)) for each in there):
            raise NotReadWhole(f"{word}: the command changes it in place, and how is not known")


def _output(words: Sequence[str]) -> str | None:
    """Return the page that a program is told to write."""
    for option, value in zip(words, [*words[1:], ""], strict=False):
        told = value if option in ("-o", "-O", "--output") else option.partition("--output=")[2]
        if told and PAGE.fullmatch(told):
            return told
    return None
