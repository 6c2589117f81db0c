"""Standing of a paper since its publication, from the records and notices of registries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from veritas.frozen import Frozen
from veritas.works.records import BibRecord, Update, UpdateKind

Standing = Literal["current", "corrected", "expression_of_concern", "retracted", "withdrawn"]

_GRAVEST: tuple[tuple[UpdateKind, Standing], ...] = (
    (UpdateKind.RETRACTION, "retracted"),
    (UpdateKind.WITHDRAWAL, "withdrawn"),
    (UpdateKind.CONCERN, "expression_of_concern"),
    (UpdateKind.PARTIAL_RETRACTION, "corrected"),
    (UpdateKind.CORRECTION, "corrected"),
)


class Status(Frozen):
    """The gravest standing stated of a paper, and the updates behind it. Versions and replications change none. It is
    None if nobody told anything of the paper."""

    standing: Standing | None = None
    updates: tuple[Update, ...] = ()

    @property
    def stands(self) -> bool:
        """True if the paper may still be cited as evidence."""
        return self.standing not in ("retracted", "withdrawn")

    @property
    def trusted(self) -> bool:
        """True if the paper stands, and no expression of concern warns of it."""
        return self.stands and self.standing != "expression_of_concern"

    def told(self) -> str:
        """Return the standing as the beginning of a sentence."""
        if self.standing == "expression_of_concern":
            return "there is an expression of concern about the paper"
        return f"the paper was {str(self.standing).replace('_', ' ')}"

    def sentences(self) -> list[str]:
        """Return the updates as sentences, each with its notice, its date and its source."""
        said = []
        for update in self.updates:
            other = "study" if update.kind is UpdateKind.REPLICATION else "notice"
            notice = f", {other} {update.doi}" if update.doi else ""
            when = f", {update.date}" if update.date else ""
            said.append(f"{update.kind.value}{notice}{when}, according to {update.asserted_by or 'a registry'}")
        return said


def status_of(records: Iterable[BibRecord], notices: Iterable[Update] = ()) -> Status:
    """Return the standing by the records' own updates and by notices about them; each update once."""
    asked = (*records,)
    found: dict[tuple[UpdateKind, str | None], Update] = {}
    updates = (*(update for record in asked for update in record.updates), *notices)
    for update in updates:
        if not update.of_this:
            continue
        key = (update.kind, update.doi)
        if update.doi is None and any(kind is update.kind for kind, _ in found):
            continue  # OpenAlex's flag says again what a notice said
        found.setdefault(key, update)
    kinds = {kind for kind, _ in found}
    plain: Standing | None = "current" if asked or updates else None
    standing = next((standing for kind, standing in _GRAVEST if kind in kinds), plain)
    return Status(standing=standing, updates=tuple(found.values()))
