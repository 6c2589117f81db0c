"""A project in which somebody writes: its artifacts, its bibliographies, and what was worked out about them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.citations.checking._tree import walk
from veritas.citations.checking.artifact import Checked
from veritas.citations.checking.checker import FOLDER, Checker
from veritas.citations.writing.known_artifacts import ArtifactFolder, KnownArtifact, KnownArtifacts
from veritas.citations.writing.known_bibliographies import KnownBibliographies, Listed
from veritas.citations.writing.open_questions import EntryVerdicts, ExcerptReadings, KeptWork
from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry import Entry
    from veritas.citations.writing.diagnostic import Diagnostic
    from veritas.registries.all_registries import Registries

MOST_FILES = 20_000
MOST_BYTES = 2_000_000
"""Limits of what is searched; a label behind them is as unknown as one that nobody defines."""
_SUFFIXES = (".rst", ".rest", ".txt", ".inc", ".md", ".py", ".pyx", ".pyi", ".c", ".cpp", ".h", ".jl", ".f90")
_DEFINED = re.compile(rb"^[ \t>*#/!]*\.\.[ \t]+\[([^\]\n]{1,200})\]", re.MULTILINE)


class KnownLabels:
    """The labels of one project. Its files are read when a label is asked about that its own page does not define."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._defined: frozenset[str] | None = None
        self.waiting = False

    def defined(self, label: str) -> bool:
        """Return whether a file of the project defines a label; False while that is not worked out."""
        self.waiting = self.waiting or self._defined is None
        return self._defined is not None and label.casefold() in self._defined

    def settle(self) -> None:
        """Read the labels of the project's files."""
        found: set[str] = set()
        for number, path in enumerate(walk(self._root)):
            if number > MOST_FILES:
                break
            if not path.endswith(_SUFFIXES):
                continue
            try:
                with open(path, "rb") as file:
                    data = file.read(MOST_BYTES)
            except OSError:
                continue
            if b".. [" in data:
                found |= {each.decode("utf-8", "replace").casefold() for each in _DEFINED.findall(data)}
        self._defined, self.waiting = frozenset(found), False

    def ask_again(self) -> None:
        """Forget what the files define: they changed."""
        self._defined = None


class Project:
    """What is known of one project. It lives as long as its editor, and follows its files as they change."""

    def __init__(
        self,
        root: str | Path,
        *,
        folder: str = FOLDER,
        citation_map: str | Path | None = None,
        profile: str | Path | None = None,
        now: datetime | None = None,
    ) -> None:
        self.root = os.path.abspath(root)
        self.folder = folder.strip("/")
        self.citation_map = Path(citation_map) if citation_map is not None else None
        self.now = now or datetime.now(UTC)
        self.artifacts = KnownArtifacts(self.now)
        self.bibliographies = KnownBibliographies(self.root)
        self.verdicts = EntryVerdicts(profile)
        self.readings = ExcerptReadings()
        self.labels = KnownLabels(self.root)
        self.kept = KeptWork()

    @property
    def keeps_artifacts(self) -> bool:
        """Whether the project has a folder of artifacts at all."""
        return os.path.isdir(os.path.join(self.root, self.folder))

    def resolver(self) -> Resolver:
        """Return what resolves the citations of one pass over a text."""
        return Resolver(self)

    @property
    def waiting(self) -> bool:
        """Whether `settle` has something to work out."""
        return self.verdicts.waiting or self.readings.waiting or self.labels.waiting

    def ask_again(self) -> None:
        """Forget what nobody answered, and what files said that may have changed."""
        self.verdicts.ask_again()
        self.labels.ask_again()
        self.artifacts.look_again()

    async def settle(
        self, registries: Callable[[], Registries], *, going_on: Callable[[], bool] = lambda: True
    ) -> None:
        """Work out what waits: labels that files define, verdicts from what `registries` answer, and what excerpts say
        of claims."""
        if self.labels.waiting:
            self.labels.settle()
        if self.verdicts.waiting:
            await self.verdicts.settle(registries(), going_on)
        self.readings.settle(going_on)


class Resolver(Checker):
    """The check of a tree, with artifacts that are read once and a map that is being written."""

    def __init__(self, project: Project) -> None:
        self._project, self._known = project, project.artifacts
        self._seen: dict[str, KnownArtifact] = {}
        self._faults: dict[int, tuple[Entry, Diagnostic | None]] = {}
        self.unreadable_map: str | None = None
        self.listed = Listed()
        self.elsewhere: dict[str, str] = {}
        super().__init__(Path(project.root), project.folder, project.citation_map, project.now)

    @cached_property
    def keeps_artifacts(self) -> bool:
        """Whether the project has a folder of artifacts at all, which is looked at once in a pass."""
        return self._project.keeps_artifacts

    def known(self, path: str) -> KnownArtifact:
        """Return an artifact, which is looked at once in a pass."""
        known = self._seen.get(path)
        if known is None:
            known = self._seen[path] = self._known.get(path)
            self.checked[path] = known.checked
        return known

    def artifact(self, path: str) -> Checked:
        """Return the check of an artifact, which is looked at once in a pass."""
        return self.known(path).checked

    def fault(self, entry: Entry, told: Callable[[Entry], Diagnostic | None]) -> Diagnostic | None:
        """Return what `told` says of an entry, which is asked once in a pass."""
        known = self._faults.get(id(entry))
        if known is None:
            known = self._faults[id(entry)] = entry, told(entry)
        return known[1]

    @cached_property
    def _there(self) -> ArtifactFolder:
        return self._known.folder(os.path.join(self._project.root, self._project.folder))

    def _has_keys(self) -> bool:
        return bool(self._there.paths)

    def keys(self) -> Mapping[str, str]:
        """Return citation key (of the BibTeX section, or the slug) -> artifact of the root's folder."""
        return self._there.by_key

    def artifact_of_key(self, key: str) -> str | None:
        """Return the path of the artifact that a citation key leads to; None if there is none."""
        named = (self.map or {}).get(key)
        if named is None:
            return self.keys().get(key)
        path = self.mapped(named)
        return path if os.path.isfile(path) else None

    def has_doi(self, doi: str) -> bool:
        """Return whether an artifact has a DOI, which is in lower case."""
        return self.artifact_of_doi(doi) is not None

    def artifact_of_doi(self, doi: str) -> str | None:
        """Return the path of the artifact of a DOI, which is in lower case; None if there is none."""
        return self._there.by_doi.get(doi)

    def _known_reference(self, text: str) -> bool:
        there = self._there
        return self._project.kept.get(("reference", text, there), len(text), lambda: self._names_known(text))

    def _names_known(self, text: str) -> bool:
        return super()._known_reference(text)

    def read_map(self, given: Path | None) -> Mapping[str, str] | None:
        """Return the map of keys; none while it cannot be read, with the reason in `unreadable_map`."""
        try:
            return super().read_map(given)
        except InputError as error:
            self.unreadable_map = str(error)
            return None
