"""A finding: a statement, the passages it rests on, and the sources it is attributed to."""

from __future__ import annotations

from veritas.frozen import Frozen
from veritas.policy.gate_policy import FindingKind


class Attribution(Frozen):
    """A source as it is cited; fields that are not stated are None. `document_id` is that of a stored document."""

    document_id: str | None = None
    url: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None

    def __str__(self) -> str:
        who = ", ".join(self.authors[:3]) + (" et al." if len(self.authors) > 3 else "")
        named = self.doi or (f"arXiv:{self.arxiv_id}" if self.arxiv_id else None) or self.url
        parts = (who, f"({self.year})" if self.year else "", f"“{self.title}”" if self.title else "", named or "")
        return " ".join(part for part in parts if part) or (self.document_id or "no source")[:12]


class Finding(Frozen):
    """A statement to be decided. It has no field for reasoning: a lens gets only `claim` and `passages`.

    `family` is the author's (I4), `veritas.council.families.PERSON` for a person; `author` the name of the seat that
    states it, if there is one. `passages` are verbatim texts of the `sources`, in any order.
    """

    finding_id: str
    kind: FindingKind
    claim: str
    passages: tuple[str, ...] = ()
    sources: tuple[Attribution, ...] = ()
    family: str
    author: str = ""

    @property
    def passage(self) -> str:
        """The passages as a lens is given them."""
        return "\n\n".join(self.passages)
