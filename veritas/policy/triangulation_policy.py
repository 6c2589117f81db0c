"""The settings of triangulation, read from `policies/triangulation.yaml`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from veritas.frozen import Frozen
from veritas.settings import policy_file
from veritas.works.records import Source

Rule = Literal["strict", "work-aware"]


class StrictSettings(Frozen):
    """Settings of the strict rule of section 5.2."""

    title_ratio: float = Field(default=92, ge=0, le=100)


class TitleSettings(Frozen):
    """Least likeness of titles; ratios 0 to 100."""

    near_miss: float = Field(default=80, ge=0, le=100)
    retitled: float = Field(default=80, ge=0, le=100)


class AuthorSettings(Frozen):
    """Least overlap of two lists of authors; shares 0 to 1, a ratio 0 to 100, lengths of lists."""

    same_people: float = Field(default=0.75, ge=0, le=1)
    some_people: float = Field(default=0.5, ge=0, le=1)
    misspelt: float = Field(default=80, ge=0, le=100)
    alphabetised: int = Field(default=2, ge=2)
    alphabetised_cited: int = Field(default=3, ge=2)


class YearSettings(Frozen):
    """Most years between manifestations of one work."""

    same_doi: int = Field(default=1, ge=0)
    early_access: int = Field(default=3, ge=0)
    preprint_to_published: int = Field(default=5, ge=0)
    published_to_preprint: int = Field(default=1, ge=0)
    proceedings_to_journal: int = Field(default=4, ge=0)


class TriangulationPolicy(Frozen):
    """The whole of `triangulation.yaml`; every key is documented there."""

    rule: Rule = "work-aware"
    independence: Literal["note", "require"] = "note"
    strict: StrictSettings = StrictSettings()
    titles: TitleSettings = TitleSettings()
    authors: AuthorSettings = AuthorSettings()
    years: YearSettings = YearSettings()
    second_dois: tuple[tuple[str, ...], ...] = ()
    inherits: dict[Source, tuple[Source, ...]] = Field(default_factory=dict)
    venue_aliases: tuple[tuple[str, ...], ...] = ()

    def dependence(self, one: Source, other: Source) -> str | None:
        """Return why two sources are not independent, as a phrase; None if they are."""
        if one == other:
            return f"both records are from {one}"
        for heir, origin in ((one, other), (other, one)):
            if origin in self.inherits.get(heir, ()):
                return f"{heir} takes its metadata from {origin}"
        return None


def load_triangulation_policy(path: Path | None = None) -> TriangulationPolicy:
    """Return the policy in `path`, by default `triangulation.yaml` of the policies folder. Raises `PolicyError`."""
    return _load(path or policy_file("triangulation.yaml"))


@lru_cache(maxsize=8)
def _load(path: Path) -> TriangulationPolicy:
    from veritas.policy.yaml_file import read_yaml_model

    return read_yaml_model(path, TriangulationPolicy)
