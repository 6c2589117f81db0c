"""What a shell command of an agent writes into pages, as far as the command itself tells it."""

from __future__ import annotations

import glob
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from veritas.editor.passages import NotReadWhole, now
from veritas.editor.patch_files import APPLIES, applied
from veritas.editor.shell_scripts import EXPANDED, NAMED, PAGE, Simple, commands, printed
from veritas.use_cases.writing import Edit

_CITES = re.compile(
    r"\[@|(?<!\w)@\w+\d{4}|\\[a-z]*cite|:cite|\{cite|\bdoi\b|10\.\d{4,}/|citations/[\w.+-]+\.md|\bet al\b",
    re.IGNORECASE,
)
_SCRIPTS = re.compile(r"python[\d.]*|node|deno|bun|ruby|perl|php|g?awk|ed|ex|n?vim?")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_EDITORS = frozenset({"ed", "ex", "vi", "vim", "nvim"})
_WRITES = re.compile(
    r"(?:write|append)_?(?:text|file)|\.write\(|,\s*['\"][wax]\+?b?['\"]|\.save\(|\binplace\b"
    r"|>{1,2}\s*\\?['\"][^'\"\s]+\.\w+|['\"]\+?>{1,2}['\"]|['\"]>{1,2}\s*[\w./~]",  # awk and Perl send output on
    re.IGNORECASE,
)
_REMOVES = re.compile(r"\b(?:rm|mv|unlink|trash)\b|-delete\b")
_SPREAD = re.compile(r"[*?\[]|\{\}")
"""Signs of the name of a file that the shell or a program fills in."""
_CMDLETS = frozenset({"set-content", "add-content", "out-file", "tee-object", "sc", "ac"})
_PASSES = ("tee", "sponge", "dd")
_COPIES = frozenset({"mv", "cp", "install", "rsync", "ln"})


@dataclass(slots=True)
class _Made:
    """The files that a script has written so far, with their texts; None where a text is not known."""

    texts: dict[str, str | None] = field(default_factory=dict)

    def add(self, path: str, said: str | None, *, appended: bool) -> None:
        """Keep what is written into a file."""
        before = self.texts.get(path, "") if appended else ""
        self.texts[path] = None if said is None or before is None else f"{before}{said}"


def of_command(command: str | Sequence[str], folder: Path) -> list[Edit]:
    """Return the edits of pages that a command makes, and of files that it moves or removes.

    Raises `NotReadWhole` where it writes a page and does not itself say what, or changes one that cites in place.
    """
    text = command if isinstance(command, str) else _script(command)
    if not any(each.search(text) for each in (NAMED, _REMOVES, _CITES, APPLIES)):
        return []
    made: dict[str, Edit] = {}
    files = _Made()
    for one in commands(text):
        if one.words[:1] in (("cd",), ("pushd",)) and len(one.words) > 1:
            folder = folder / os.path.expanduser(one.words[1])
            continue
        script = _inner(one.words, folder, files)
        for edit in of_command(script, folder) if script is not None else _edits(one, folder, text, files):
            earlier = made.get(edit.path)
            made[edit.path] = edit if earlier is None else Edit(edit.path, earlier.before, edit.after)
    return list(made.values())


def _inner(words: Sequence[str], folder: Path, files: _Made) -> str | None:
    """Return the script that a shell is given: as an argument, also behind `xargs` or `env`, or in a file that was
    written before."""
    if words[:1] == ("eval",):
        return " ".join(words[1:])
    for at, word in enumerate(words):
        if os.path.basename(word) not in _SHELLS:
            continue
        option = next((at for at in range(at + 1, len(words)) if re.fullmatch(r"-[a-z]*c", words[at])), None)
        if option is not None and option + 1 < len(words):
            return words[option + 1]
        if at == 0 and len(words) > 1:
            return files.texts.get(str(folder / words[-1]))
    return None


def _script(words: Sequence[str]) -> str:
    """Return the script of `["bash", "-lc", script]`, or the words as one line."""
    shell = bool(words) and os.path.basename(str(words[0])) in _SHELLS
    return str(words[-1]) if shell and len(words) > 2 else shlex.join(map(str, words))


def _edits(one: Simple, folder: Path, command: str, files: _Made) -> Iterator[Edit]:
    name = os.path.basename(one.words[0]) if one.words else ""
    words = one.words[1:]
    if name == "git" and words[:1] and words[0] in ("mv", "rm"):
        name, words = words[0], words[1:]
    named = [each for each in words if not each.startswith("-")]
    targets = [*one.outputs]
    if name in ("tee", "sponge"):
        targets += [(each, "-a" in words or "--append" in words) for each in named]
    if name == "dd":
        targets += [(each[3:], "append" in command) for each in words if each.startswith("of=")]
    for target, appended in targets:
        said = None if one.group else _said(one, name, words, folder)
        if PAGE.fullmatch(target):
            yield _written(folder, target, appended, said)
        elif (EXPANDED.search(target) or _SPREAD.search(target)) and _CITES.search(command):
            raise NotReadWhole(f"{target}: which file the command writes is not known")
        else:
            files.add(str(folder / target), said, appended=appended)
    if name in ("rm", "unlink", "trash"):
        yield from (Edit(path, now(path), "") for path in _below(folder, named) if now(path))
    elif name == "truncate":
        yield from (Edit(path, now(path), "") for path in _below(folder, named[-1:]) if PAGE.fullmatch(path))
    elif name == "find" and "-delete" in words:
        yield from _found(folder, words)
    elif name in _COPIES and len(named) > 1:
        yield from _from_made(folder, named, command, files)
        yield from _moved(folder, named, kept=name != "mv")
    elif name in ("xargs", "find") or (name in ("sed", "perl", "gsed", "ruby") and any(map(_in_place, words))):
        _unless_it_cites(one, folder, command)
    elif name.lower() in _CMDLETS and (page := next(filter(PAGE.fullmatch, words), None)):
        if _CITES.search(command) or (one.behind and one.behind[0].startswith("$")):
            raise NotReadWhole(f"{page}: what {name} writes into it is not known")
    elif name == "git" and (page := _taken_back(words)):
        raise NotReadWhole(f"{page}: the text that git writes into it is not known")
    elif _SCRIPTS.fullmatch(name):
        scripts = [files.texts.get(str(folder / each)) or "" for each in named]
        said = f"{one.given or ''}\n{' '.join(words)}\n{' '.join(scripts)}"
        told = bool(one.given or one.behind) or any(each[:1] in "-+" for each in words)
        writes = (name in _EDITORS and told) or _WRITES.search(said)
        if writes and (page_in := NAMED.search(said)):
            raise NotReadWhole(f"{page_in.group()}: a program may write it, and what it writes is not known")
    else:
        yield from applied(one, folder, files.texts)
        if page_named := _output(words):
            raise NotReadWhole(f"{page_named}: what {name} writes into it is not known")


def _from_made(folder: Path, named: Sequence[str], command: str, files: _Made) -> Iterator[Edit]:
    """Yield the edit of a page that a file becomes which the same script wrote. Raises `NotReadWhole` where the text
    is not known, and the script or the page cites."""
    target = str(folder / os.path.expanduser(named[-1]))
    for source in named[:-1]:
        path = str(folder / source)
        if path not in files.texts or not PAGE.fullmatch(target):
            continue
        said, before = files.texts[path], now(target)
        if said is not None:
            yield Edit(target, before, said)
        elif _CITES.search(command) or _CITES.search(before):
            raise NotReadWhole(f"{named[-1]}: what the command writes into it is not known")


def _found(folder: Path, words: Sequence[str]) -> Iterator[Edit]:
    """Yield the pages that `find … -delete` takes away."""
    begins = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    names = [value for option, value in zip(words, [*words[1:], ""], strict=False) if option in ("-name", "-iname")]
    for path in _below(folder, words[:begins] or ["."]):
        if now(path) and all(fnmatch(os.path.basename(path), name) for name in names):
            yield Edit(path, now(path), "")


def _taken_back(words: Sequence[str]) -> str | None:
    """Return the page of which git writes the text of another commit."""
    other = (words[:1] == ("checkout",) and "--" in words[2:]) or (
        words[:1] == ("restore",) and any(each.startswith(("--source", "-s")) for each in words)
    )
    return next(filter(PAGE.fullmatch, words[1:]), None) if other else None


def _in_place(word: str) -> bool:
    return re.fullmatch(r"-[a-zA-Z\d]*i.*|--in-place.*", word) is not None


def _written(folder: Path, target: str, appended: bool, said: str | None) -> Edit:
    path = str(folder / os.path.expanduser(target))
    if said is None or EXPANDED.search(target) or "*" in target:
        raise NotReadWhole(f"{target}: what the command writes into it is not known")
    before = now(path)
    return Edit(path, before, f"{before}{said}" if appended else said)


def _said(one: Simple, name: str, words: Sequence[str], folder: Path) -> str | None:
    """Return what a command puts out; None if the command itself does not tell."""
    if name in _PASSES and one.given is None and one.behind:
        return _said(Simple(one.behind, (), None), os.path.basename(one.behind[0]), one.behind[1:], folder)
    if name in ("cat", *_PASSES) and one.given is not None:
        return None if one.given == "$(…)" else one.given
    if name == "cat":
        texts = [now(str(folder / each)) for each in words if not each.startswith("-")]
        return "".join(texts) if texts and all(texts) else None
    if name in ("echo", "printf"):
        return None if any(map(EXPANDED.search, words)) else printed(name, words)
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


def _unless_it_cites(one: Simple, folder: Path, command: str) -> None:
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
