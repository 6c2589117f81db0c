"""The structure of a review, from a file a person can edit: sections, their purpose, their queries to the corpus.

`imrad` and `thematic` are shipped in `policies/reviews/`; any other file of the same form works too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from veritas.documents.paper_parts import SectionName
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.yaml_file import read_yaml_model
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind
from veritas.settings import policy_file, policy_files

Query = Annotated[str, Field(min_length=1, max_length=500)]


class SectionPlan(Frozen):
    """A section. `queries` are put to the corpus, with `{topic}` (or `{theme}`) in them replaced; the kinds narrow the
    results. `most` is how many claims its writer is given. `themes` above 0 turns it into a section for each theme
    found in the claims, at most so many."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    intent: str = Field(default="", max_length=1_000)
    queries: tuple[Query, ...] = ("{topic}",)
    claim_types: frozenset[ClaimKind] = frozenset()
    evidence_types: frozenset[EvidenceKind] = frozenset()
    sections: frozenset[SectionName] = frozenset()
    most: int = Field(default=12, ge=1, le=200)
    themes: int = Field(default=0, ge=0, le=20)


class Structure(Frozen):
    """The sections in their order. `{topic}` in the title is replaced."""

    title: Annotated[str, Field(min_length=1, max_length=300)] = "{topic}: a review"
    sections: tuple[SectionPlan, ...] = Field(min_length=1, max_length=40)

    @model_validator(mode="after")
    def _distinct(self) -> Structure:
        ids = [section.id for section in self.sections]
        doubled = next((i for i in ids if ids.count(i) > 1), None)
        if doubled:
            raise ValueError(f"two sections have the id {doubled!r}")
        return self


def read_structure(named: str | Path) -> Structure:
    """Return the structure of that name in the policies folder, or in that file. Raises `PolicyError` with file, line
    and key for a mistake in it, `InputError` if it does not exist."""
    path = Path(named)
    if not path.suffix and path.name == str(named):
        path = policy_file(f"reviews/{named}.yaml")
    if not path.is_file():
        names = ", ".join(p.stem for p in policy_files("reviews"))
        raise InputError(f"there is no structure {str(named)!r}: name one of {names}, or a YAML file of your own")
    return read_yaml_model(path, Structure)
