"""Findings of a check: a broken rule, its place, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RULES: dict[str, str] = {
    "missing-artifact": "A citation names an artifact that is not there.",
    "outside": "A citation names a path outside the artifacts' folder.",
    "no-artifact": "A citation names no artifact at all.",
    "undefined-footnote": "A footnote is cited and never defined.",
    "unknown-key": "A citation key leads to no artifact.",
    "unreadable": "An artifact cannot be read as one.",
    "frontmatter": "The frontmatter of an artifact lacks a field or has a wrong one.",
    "unverified": "An artifact was not verified: its sources conflict and nobody overrode it.",
    "identity": "The file name of an artifact names another paper than its frontmatter.",
    "seal": "An artifact was changed after it was verified: its hash does not fit.",
    "unsealed": "An artifact has no hash, so a change would not be seen.",
    "stale": "An artifact was verified more than 365 days ago.",
    "excerpt": "An excerpt is not in the text it is said to be from.",
    "text-changed": "The stored text of an artifact is not the one that was read.",
    "withdrawn": "The paper was retracted or withdrawn.",
    "unread": "A file that may cite was not read, so nothing is known of its citations.",
    "keeps-none": "The project keeps no artifacts, so what its pages cite was not looked up.",
    "bad-map": "The map of citation keys cannot be read.",
}
WARNINGS = frozenset({"unsealed", "unread", "keeps-none"})
NOT_READ = frozenset({"unread", "keeps-none"})
"""Rules of what was not checked or could not be told: nothing was found wrong with it, and nothing right."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A broken rule. `path` is relative to the root, with forward slashes; `line` and `column` count from 1."""

    path: str
    line: int
    column: int
    rule: str
    message: str
    artifact: str | None = field(default=None, compare=False)

    @property
    def level(self) -> str:
        """`error` or `warning`."""
        return "warning" if self.rule in WARNINGS else "error"

    @property
    def not_read(self) -> bool:
        """Whether it tells of what was not checked or is in doubt: nothing is wrong with it and nothing right."""
        return self.rule in NOT_READ

    def as_json(self) -> dict[str, str | int | None]:
        """Return one finding of `veritas check --json`."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "rule": self.rule,
            "level": self.level,
            "message": self.message,
            "artifact": self.artifact,
        }


@dataclass(slots=True)
class Report:
    """The result of a check."""

    root: str
    findings: list[Finding]
    files: int
    links: int
    artifacts: int
    seconds: float
    listed: int = 0
    """Keys without an artifact that passed because a bibliography lists them, where that was asked for."""

    @property
    def failed(self) -> bool:
        """True if anything but warnings was found."""
        return any(finding.level == "error" for finding in self.findings)

    @property
    def ok(self) -> bool:
        """True if everything was read and nothing but warnings was found."""
        return not self.failed and not self.unread

    def as_json(self) -> dict[str, Any]:
        """Return the report as every door tells it, as JSON values."""
        counted = {name: getattr(self, name) for name in ("files", "links", "artifacts", "listed", "seconds")}
        return {"ok": self.ok, "root": self.root, **counted, "findings": [each.as_json() for each in self.findings]}

    @property
    def unread(self) -> int:
        """Number of files and folders that were not read, and 1 for keys that could not be looked up."""
        return sum(finding.not_read for finding in self.findings)
