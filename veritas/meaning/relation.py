"""The relation of two sentences, and the aligned and differing parts it rests on (DESIGN.md, "One meaning")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["same", "entails", "entailed by", "excludes", "compatible", "unrelated", "cannot tell"]
"""`entails`: the second sentence is true wherever the first is. `excludes`: both cannot be true, and both are known to
speak of the same thing. `compatible`: both can be true, and neither follows from the other. `cannot tell` is never
treated as any of the others."""

DifferenceKind = Literal[
    "number", "unit", "measure", "role", "entity", "opposite", "polarity", "modality", "attribution", "causality",
    "population", "period", "tense", "place", "version", "condition", "exception", "quantifier", "scope", "comparison",
    "order", "addition", "unexplained",
]  # fmt: skip
How = Literal["same", "inflected", "number", "synonym"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a sentence from outside it.

    `document` identifies the text it stands in, empty if unknown: two sentences of one document, and a claim and the
    passage it is held against, speak of the same thing. `subject` is what that text is about (a title, the nearest
    heading), to which "it" and a missing subject are resolved.
    """

    document: str = ""
    subject: str = ""


NOWHERE = Setting()


@dataclass(frozen=True, slots=True)
class Aligned:
    """Words of the first and of the second sentence that say the same, and how."""

    first: str
    second: str
    how: How


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of the first and of the second sentence (either may be empty) that do not say the same.

    `decisive`: the second sentence does not follow, whatever else is said. A difference that is not decisive is a
    doubt: it keeps the relation from being `entails`, and a judge may know better.
    """

    kind: DifferenceKind
    first: str
    second: str
    decisive: bool

    def __str__(self) -> str:
        if self.kind == "polarity" and self.first.casefold() == self.second.casefold():
            return f"only one of the source and the claim denies “{self.first}” (polarity)"
        first, second = _shown(self.first), _shown(self.second)
        if self.kind == "order" and not first:
            return f"the source does not say “{second}” in that place"
        if first and second and first.casefold() == second.casefold():
            return f"“{second}” stands otherwise in the source than in the claim ({self.kind})"
        if first and second:
            return f"the source says “{first}”, the claim says “{second}” ({self.kind})"
        if second:
            return f"the source does not say “{second}”" + ("" if self.kind == "addition" else f" ({self.kind})")
        return f"the source says “{first}”, which the claim leaves out ({self.kind})"


LONGEST = 80
"""Most characters of each side of a difference that are shown."""


def _shown(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The relation of a first sentence (the source's) to a second one (the claim), with its reasons."""

    relation: Relation
    aligned: tuple[Aligned, ...] = ()
    differences: tuple[Difference, ...] = ()

    @property
    def entailed(self) -> bool:
        """True if the second sentence is true wherever the first is."""
        return self.relation in ("same", "entails")

    @property
    def decisive(self) -> Difference | None:
        """The first difference that decides, if any."""
        return next((d for d in self.differences if d.decisive), None)

    @property
    def doubt(self) -> Difference | None:
        """The first difference, decisive or not."""
        return self.decisive or next(iter(self.differences), None)

    @property
    def reason(self) -> str:
        """One sentence for a reader: the difference that decided, or that none was found."""
        if self.doubt is not None:
            return str(self.doubt)
        if self.relation in ("same", "entails", "entailed by"):
            return "every word of it is accounted for"
        return "no difference was found, and no agreement either"
