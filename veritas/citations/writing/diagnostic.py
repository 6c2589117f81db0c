"""Diagnostics of a text: a fault, its place in characters, and its level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "information", "unknown"]
"""`error`: the citation does not hold. `warning`: something a person should look at. `information`: good to know.
`unknown`: nothing is known here that could confirm or refute it, which accuses nobody."""

CODES: dict[str, str] = {
    "unknown-key": "A citation key is in no bibliography, leads to no artifact, and no map names it.",
    "no-artifact": "A citation has no artifact: nothing shows that the work says what it is cited for.",
    "missing-artifact": "A citation names an artifact that is not there.",
    "outside": "A citation names a path outside the artifacts' folder.",
    "undefined-footnote": "A footnote is cited and never defined.",
    "artifact": "The artifact of a citation does not pass its own check.",
    "quote-altered": "A quotation is not what the artifact holds, word for word.",
    "quote-not-found": "A quotation stands nowhere in what the artifact keeps of the work.",
    "claim": "An excerpt says otherwise than the sentence that cites it.",
    "retracted": "The cited work was retracted or withdrawn.",
    "corrected": "The cited work was corrected, or its editors published a concern.",
    "fabricated": "No registry has the cited work, or anything like it.",
    "unregistered": "A DOI is registered nowhere.",
    "misattributed": "The cited work exists, but not with this author, title, year or identifier.",
    "differs": "An entry differs slightly from the record of its work.",
    "unconfirmed": "Nothing confirms the work, and the profile refuses that.",
    "unreadable-entry": "An entry of a bibliography cannot be read.",
    "not-checked": "A text is not looked through: it is too long, or of a kind that is not read.",
    "unknown": "Nothing on this machine tells whether the cited work exists.",
}


@dataclass(frozen=True, slots=True)
class SeeAlso:
    """A place that explains a diagnostic: a file, its line from 1, and what is to be seen there."""

    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """A fault of a text at the characters `[start, end)`.

    `subject` is what is at fault (a key, a quotation, an entry's fields), the same wherever it stands in the text.
    `key` is the citation key it is about, if there is one.
    """

    start: int
    end: int
    code: str
    level: Level
    message: str
    subject: str
    key: str | None = None
    related: tuple[SeeAlso, ...] = ()
