"""Rules that the check of a tree shares with the language server and the guard. What they need is loaded when a page
asks for it: most pages do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.citations.checking.links import Link

if TYPE_CHECKING:
    from veritas.citations.writing.known_artifacts import KnownArtifacts
    from veritas.citations.writing.project import Project


@dataclass(slots=True)
class RulesOfWriting:
    """The rules of writing in one project, with what was read for them."""

    root: Path
    folder: str
    now: datetime
    _project: Project | None = None
    _artifacts: KnownArtifacts | None = None

    def wrong_keys(self, path: str, source: str) -> Mapping[int, str]:
        """Return where a page cites a key that surely is in no bibliography, each with the reason."""
        from veritas.citations.writing.diagnose import wrong_keys
        from veritas.citations.writing.project import Project

        if self._project is None:
            self._project = Project(self.root, folder=self.folder, now=self.now)
        return wrong_keys(source, path, self._project)

    def sentences(
        self, path: str, source: str, led: Sequence[tuple[Link, str | None]]
    ) -> Iterator[tuple[int, str, str]]:
        """Yield where sentences begin whose citations were exchanged, or that may lean on another work or a figure that
        their work does not have, each with the rule and the reason. `led` is each citation of the page with the path of
        the artifact that it leads to."""
        if not any(where for _, where in led):
            return
        from veritas.citations.writing.known_artifacts import KnownArtifacts, artifact_paths
        from veritas.citations.writing.places import kind_of, other_markup, placed
        from veritas.citations.writing.quotation_diagnostics import Cited
        from veritas.citations.writing.sentence_diagnostics import of_words

        if self._artifacts is None:
            self._artifacts = KnownArtifacts(self.now)
            for kept in artifact_paths(self.root / self.folder):
                self._artifacts.get(kept)
        cited = []
        for link, where in led:
            place = placed(source, link)
            cited.append(Cited(place.start, place.end, self._artifacts.get(where) if where else None))
        cited.sort(key=lambda each: each.start)
        kind = "markdown" if other_markup(path) else kind_of(path)
        for each in of_words(source, kind, cited, self._artifacts.known()):
            yield each.start, "exchanged" if each.level == "error" else "doubted", each.message
