"""The check of one project: finds citations, resolves each to an artifact and checks each artifact once."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from veritas.citations.checking._listed_keys import ListedKeys
from veritas.citations.checking.artifact import Checked, check_artifact, is_artifact_name
from veritas.citations.checking.findings import Finding, Report
from veritas.citations.marks.links import KEYED, MARKDOWN, Link, LinkFinder
from veritas.citations.marks.notebooks import is_notebook
from veritas.errors import InputError
from veritas.text.line_index import LineNumbers
from veritas.text.plural import plural

FOLDER = "docs/citations"
MAX_SOURCE = 20_000_000
"""Limit in bytes of a source file that is searched; a larger one is data."""
_PROSE = MARKDOWN | KEYED | {"ipynb"}
MAPS = ("map.json", "map.yaml", "map.yml")
WrongKeys = Callable[[str, str], Mapping[int, str]]
"""A function of a path and the text there: where it cites a key that surely is in no bibliography, each with why."""


class Checker:
    """The check of one project: resolves citations to artifacts, and checks each artifact once."""

    def __init__(
        self,
        root: Path,
        folder: str,
        citation_map: Path | None,
        now: datetime,
        *,
        keys_only: bool = False,
        wrong_keys: WrongKeys = lambda path, source: {},
    ) -> None:
        self._keys_only, self._wrong_keys = keys_only, wrong_keys
        self.root, self.folder, self.now = root, folder, now
        self.findings: list[Finding] = []
        self.files = self.links = self.passed = 0
        self.checked: dict[str, Checked] = {}
        self._inside = os.sep + folder.replace("/", os.sep) + os.sep
        self.map = self.read_map(citation_map)
        has_map = self.map is not None
        self._keyed = has_map or self._has_keys()
        self.finder = LinkFinder(folder, with_keys=True, keyed=self._keyed)
        self._by_key: dict[str, str] | None = None
        self._with_artifacts: dict[str, bool] = {}
        self._listed = ListedKeys(str(root))
        self._cited_by_none = 0
        self._keeps_none = not has_map and not os.path.isdir(os.path.join(root, folder))

    def report(self, begun: float) -> Report:
        """Return what was found since the moment `begun`."""
        if self._cited_by_none:
            cited = plural(self._cited_by_none, "citation")
            if self._keeps_none:
                none = f"this project has no {self.folder} and no map of keys"
            elif self._keyed:
                none = f"no artifact in {self.folder} has the key and no map names one"
            else:
                none = f"{self.folder} keeps no artifacts"
            said = (
                f"{none}, so nothing tells whether {'the ' if not self._keyed else ''}{cited} of its pages can be "
                "trusted. Make artifacts with veritas cite, or judge its bibliography with veritas bib"
            )
            if not self._keys_only and self._listed.lists:
                said += ". With --keys-only a key passes that a bibliography lists"
            self.findings.append(Finding(".", 1, 1, "keeps-none", said))
        self.findings.sort()
        return Report(
            root=str(self.root),
            findings=self.findings,
            files=self.files,
            links=self.links,
            artifacts=len(self.checked),
            listed=self.passed,
            seconds=round(time.perf_counter() - begun, 4),
        )

    def file(self, path: str, *, named: bool = False) -> None:
        """Check one file: an artifact as such, anything else for its citations. `named` says that it was asked for, so
        that it is told of as unread even if it is of a kind that cites nothing."""
        self.files += 1
        if self._inside in path:
            below = path.rpartition(self._inside)[2]
            if os.sep not in below and is_artifact_name(below):
                self.artifact(path)
            return
        try:
            data = _bytes(path)
        except (OSError, ValueError) as error:
            self.unread(path, error)
            return
        if data is None:
            if named or _is_prose(path):
                self.unread(path, f"it is longer than {MAX_SOURCE:,} bytes")
            return
        self.source(path, data, named=named)

    def unread(self, path: str, why: Exception | str) -> None:
        """Report a file or folder that was not read: its citations may hold or not."""
        said = why if isinstance(why, str) else getattr(why, "strerror", None) or str(why)
        self.findings.append(Finding(self._shown(path), 1, 1, "unread", f"not read, so not checked: {said}"))

    def source(self, path: str, data: bytes, *, named: bool = False) -> None:
        """Check the citations in what stands, or would stand, in a file."""
        name = path.rpartition(os.sep)[2]
        if b"\0" in data[:8192]:
            if named or _is_prose(name):
                self.unread(path, "it is no text in UTF-8")
            return
        if not data or not self.finder.wanted(data, _suffix(name)):
            return
        try:
            source, sure = data.decode("utf-8"), True
        except UnicodeDecodeError:  # whatever it is written in, what cites is ASCII but for names
            source, sure = data.decode("latin-1"), False
        source = source.replace("\r\n", "\n")
        if name.lower().endswith(".ipynb") and not is_notebook(source):
            self.unread(path, "it is no notebook of version 4")
            return
        lines, wrong = None, None
        found = self.finder.find(source, name)
        for link in found:
            self.links += 1
            if problem := self.resolve(path, link):
                if not sure and not link.target.isascii():
                    self.unread(path, f"it is not in UTF-8, so {link.target!r} may be another name")
                    continue
                lines = lines or LineNumbers(source)
                rule, message, artifact = problem
                noted = rule == "no-artifact" and link.target.startswith("[^")
                if self._keys_only and (noted or (rule == "unknown-key" and self._listed.has(link.target))):
                    self.passed += not noted
                    continue
                unsure = link.doubt == "alone" or (link.doubt and not self._listed.beside(path))
                unsure = unsure or (link.foreign and self.map is None)
                if link.doubt == "alone" and (rule == "undefined-footnote" or self._keyed):
                    continue  # no citation, by the words around it
                in_command = rule == "unknown-key" and self.map is None and _suffix(name) in KEYED
                if in_command and self._listed.lacks(path, link.target):
                    message = f"@{link.target}: no bibliography of the project and no artifact has this key"
                elif in_command or (rule == "unknown-key" and (unsure or self._keeps_none)) or (
                    self._keeps_none and noted
                ):
                    if self._keeps_none and link.kind == "key" and not in_command:
                        wrong = self._wrong_keys(path, source) if wrong is None else wrong
                    if not wrong or link.offset not in wrong:
                        self._cited_by_none += 1
                        continue
                    message = wrong[link.offset]
                self.findings.append(Finding(self._shown(path), *lines.place(link.offset), rule, message, artifact))

    def _shown(self, path: str) -> str:
        relative = os.path.relpath(path, self.root)
        return path if relative.startswith("..") else relative.replace(os.sep, "/")

    def resolve(self, path: str, link: Link) -> tuple[str, str, str | None] | None:
        """Return the problem of a citation as rule, message and artifact; None if it resolves."""
        if link.kind == "undefined-footnote":
            return link.kind, f"{link.target} is cited and defined nowhere in this file", None
        if link.kind == "no-artifact":
            return None if self._known_reference(link.target) else (
                "no-artifact",
                f"cites no artifact: {link.target}. Verify it with veritas cite and link {self.folder}/….md",
                None,
            )  # fmt: skip
        if link.kind == "key":
            return self._resolve_key(link.target)
        found, tried = self.locate(path, link.target)
        if found is None:
            rule = "outside" if tried is None else "missing-artifact"
            said = "leads outside the artifacts' folder" if tried is None else "there is no such artifact"
            return rule, f"{link.target.removeprefix('./')}: {said}", tried
        self.artifact(found)
        return None

    def _resolve_key(self, key: str) -> tuple[str, str, str | None] | None:
        target = (self.map or {}).get(key)
        if target is None:
            target = self.keys().get(key)
            if target is None:
                return "unknown-key", f"@{key}: no artifact has this key and no map names one", None
            return None
        where = self.mapped(target)
        if not os.path.isfile(where):
            shown = self._shown(where)
            return "missing-artifact", f"@{key}: the map names {target}; there is no such artifact", shown
        self.artifact(where)
        return None

    def mapped(self, target: str) -> str:
        """Return the path of the artifact that the map names as `target`, which need not be there."""
        slug = target if target.endswith(".md") else target + ".md"
        return os.path.normpath(os.path.join(self.root, slug if "/" in slug else f"{self.folder}/{slug}"))

    def _has_keys(self) -> bool:
        return any(is_artifact_name(path.name) for path in (self.root / self.folder).glob("*.md"))

    def keys(self) -> Mapping[str, str]:
        """Return citation key (of the BibTeX section, or the slug) -> artifact of the root's folder."""
        if self._by_key is None:
            self._by_key = {}
            folder = os.path.join(self.root, self.folder)
            names = os.listdir(folder) if os.path.isdir(folder) else []
            for name in sorted(filter(is_artifact_name, names)):
                path = os.path.join(folder, name)
                for key in (*self.artifact(path).keys, name.removesuffix(".md")):
                    self._by_key.setdefault(key, path)
        return self._by_key

    def _known_reference(self, text: str) -> bool:
        """Return whether a reference without a link has the DOI or arXiv id of an existing artifact."""
        if "10." not in text and "rxiv" not in text.lower():
            return False
        flat = text.lower()
        for path in self.keys().values():
            checked = self.artifact(path)
            if (checked.doi and checked.doi in flat) or (checked.arxiv_id and checked.arxiv_id in flat):
                return True
        return False

    def locate(self, path: str, target: str) -> tuple[str | None, str | None]:
        """Return the file that a link means, or the path that was tried: beside the file, then from the root, then in
        each project above the file. Both are None for a link that leaves the folder it names."""
        target = target if target.endswith(".md") else target + ".md"
        here = os.path.dirname(path)
        nearby = target.startswith("./")
        prefix, _, name = target.rpartition(f"{self.folder}/")
        tail = self.folder.replace("/", os.sep)
        tried = None
        candidates = [os.path.join(here, target), os.path.join(self.root, target.lstrip("/"))]
        if not prefix and not nearby:
            at = here
            candidates = []
            while True:
                if self._has_artifacts(at) or at == str(self.root):
                    candidates.append(os.path.join(at, self.folder, name))
                if at in (str(self.root), os.path.dirname(at)):
                    break
                at = os.path.dirname(at)
        for candidate in map(os.path.normpath, candidates):
            if os.path.dirname(candidate).endswith(os.sep + tail):
                tried = tried or self._shown(candidate)
                if candidate in self.checked or os.path.isfile(candidate):
                    return candidate, tried
        return None, tried if tried or not nearby else target

    def _has_artifacts(self, project: str) -> bool:
        """Return whether a folder has an artifacts' folder below it; looked up once."""
        known = self._with_artifacts.get(project)
        if known is None:
            known = self._with_artifacts[project] = os.path.isdir(os.path.join(project, self.folder))
        return known

    def artifact(self, path: str) -> Checked:
        """Check an artifact once; its findings are reported on its own file, not where it is cited."""
        checked = self.checked.get(path)
        if checked is None:
            checked = self.checked[path] = check_artifact(Path(path), now=self.now)
            shown = self._shown(path)
            self.findings += [Finding(shown, 1, 1, rule, message, shown) for rule, message in checked.problems]
        return checked

    def read_map(self, given: Path | None) -> Mapping[str, str] | None:
        """Return the map of keys, None where there is none. Raises `InputError` for one that cannot be read."""
        path = given
        if path is None:
            path = next((p for p in (self.root / self.folder / name for name in MAPS) if p.is_file()), None)
            if path is None:
                return None
        try:
            text = path.read_text(encoding="utf-8-sig")
            if path.suffix == ".json":
                data = json.loads(text)
            else:
                import yaml

                try:
                    data = yaml.safe_load(text)
                except yaml.YAMLError as error:
                    raise ValueError(str(error).split("\n")[0]) from error
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{path}: the map of citation keys cannot be read: {error}") from error
        if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
            raise InputError(f"{path}: a map of citation keys is an object of key: artifact")
        return {str(key): value for key, value in data.items()}


def _is_prose(path: str) -> bool:
    """Return whether a file is of a kind that cites: Markdown, LaTeX, reStructuredText, a notebook."""
    return _suffix(path) in _PROSE


def _suffix(name: str) -> str:
    return name[name.rfind(".") + 1 :].lower()


def _bytes(path: str) -> bytes | None:
    """Return the bytes of a file; None if it is too large to be source. Raises `OSError` and `ValueError`."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        data = os.read(handle, 1 << 16)
        if len(data) < 1 << 16:
            return data
        size = os.fstat(handle).st_size
        if size > MAX_SOURCE:
            return None
        parts = [data]
        while part := os.read(handle, max(1 << 16, size - len(data))):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)
