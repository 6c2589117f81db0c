"""Inclusion of the files that a LaTeX paper's main file draws in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from veritas.errors import CorpusError
from veritas.reading.charset import decode
from veritas.reading.walking import read_bytes

MAX_PARTS = 500
"""Limit of files that a paper may draw in, each counted as often as it is drawn in."""
MAX_NAMES = 5000
"""Limit of names that are looked for, found or not."""
MAX_DEPTH = 20
MAX_CHARACTERS = 20_000_000
"""Limit in characters of all that is drawn in."""

_PASSED_OVER = (
    r"\\begin\s*\{(?P<env>verbatim\*?|Verbatim|lstlisting|minted|comment|filecontents\*?)\}.*?(?:\\end\s*\{(?P=env)\}|\Z)"
    r"|\\iffalse(?![A-Za-z@]).*?(?:\\fi(?![A-Za-z@])|\Z)|\\verb\*?(?P<mark>[^A-Za-z\s*])[^\n]{0,300}?(?P=mark)|%[^\n]*"
)
_TOKEN = re.compile(
    _PASSED_OVER + r"|(?P<stop>\\endinput(?![A-Za-z@])|\\end\s*\{document\})|(?P<body>\\begin\s*\{document\})"
    r"|\\(?:(?P<command>input|include|subfile|subfileinclude)(?![A-Za-z@])"
    r"|(?:sub)?(?:import|includefrom|inputfrom)\*?\s*\{(?P<folder>[^{}\n]{0,300})\})"
    r"\s*(?:\{(?P<braced>[^{}\n]{1,300})\}|(?P<bare>[^\s\\{}%#$&]{1,300}))"
    r"|\\.",
    re.DOTALL,
)
_OWN_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)


@dataclass
class Joined:
    """LaTeX source with its included files.

    `parts` counts the files that the body draws in, each time; `missing` maps those of them that could not be read, as
    they are named, to the reason. `remarks` are for people.
    """

    text: str = ""
    parts: int = 0
    missing: dict[str, str] = field(default_factory=dict)
    lost: int = 0
    remarks: list[str] = field(default_factory=list)


def join_parts(text: str, path: Path) -> Joined:
    """Expand `\\input`, `\\include`, `\\subfile` and `\\import` in the LaTeX source `text` of the file `path`.

    A paper is a stranger's: only files below the folder of `path` are read, none that is hidden, none through a link
    that leads out, and no more than the limits above. A file that cannot be read leaves a space.
    """
    joining = _Joining(path)
    joining.joined.text = joining.carried_out(text, (path.resolve(),), in_body="\\begin{document}" not in text)
    return joining.joined


class _Joining:
    def __init__(self, path: Path) -> None:
        self._root = path.parent.resolve()
        self._read: dict[Path, str] = {}
        self._named = self._followed = self._characters = 0
        self.joined = Joined()

    def carried_out(self, text: str, above: tuple[Path, ...], *, in_body: bool) -> str:
        """Return `text` with its parts in their places; `above` are the files that include it, the innermost last."""
        kept: list[str] = []
        at = 0
        for token in _TOKEN.finditer(text):
            if token["body"]:
                in_body = True
            elif token["stop"]:
                return "".join([*kept, text[at : token.start() if len(above) > 1 else len(text)]])
            name = token["braced"] or token["bare"]
            if not name or "#" in name:
                continue
            folder = token["folder"] or ""
            kept.append(text[at : token.start()])
            at = token.end()
            kept.append(self._part(name.strip().strip('"'), folder.strip(), above, in_body=in_body))
        return "".join([*kept, text[at:]])

    def _part(self, name: str, folder: str, above: tuple[Path, ...], *, in_body: bool) -> str:
        self.joined.parts += in_body
        try:
            file = self._found(name, folder, above[-1])
            part = self._text(file, above)
        except (CorpusError, OSError, ValueError) as error:
            if in_body:
                self.joined.lost += 1
                self.joined.missing.setdefault(name, str(error))
            elif len(self.joined.remarks) < MAX_DEPTH:
                self.joined.remarks.append(f"names {name} before its text, which {error}")
            return " "
        own = _OWN_BODY.search(part)
        part = self.carried_out(own[1] if own else part, (*above, file), in_body=in_body)
        return f"\n{part}\n" if in_body else part

    def _found(self, name: str, folder: str, within: Path) -> Path:
        written = PurePosixPath(folder) / name
        if written.is_absolute() or name.startswith("~") or ".." in written.parts or "\\" in str(written):
            raise CorpusError("names no file below the paper's own folder")
        if any(part.startswith(".") for part in written.parts):
            raise CorpusError("is hidden")
        self._named += 1
        if self._named > MAX_NAMES:
            raise CorpusError(f"is one of more than {MAX_NAMES} names")
        for base in dict.fromkeys((self._root, within.parent)):
            for candidate in (base / f"{written}.tex", base / written):
                file = candidate.resolve()
                if not file.is_file():
                    continue
                if self._root not in file.parents or any(p.startswith(".") for p in file.relative_to(self._root).parts):
                    raise CorpusError("leads out of the paper's own folder")
                return file
        raise CorpusError("does not lie there")

    def _text(self, file: Path, above: tuple[Path, ...]) -> str:
        if file in above:
            raise CorpusError("draws itself in")
        if self._followed >= MAX_PARTS or len(above) > MAX_DEPTH:
            raise CorpusError(f"is one of more than {MAX_PARTS} parts, or parts of parts {MAX_DEPTH} deep")
        if file not in self._read:
            text, remark = decode(read_bytes(file, follow=False))
            if remark:
                self.joined.remarks.append(f"draws in {file.name}, which {remark}")
            self._read[file] = text
        if self._characters + len(self._read[file]) > MAX_CHARACTERS:
            raise CorpusError(f"would make it longer than {MAX_CHARACTERS} characters")
        self._followed += 1
        self._characters += len(self._read[file])
        return self._read[file]
