"""Errors in the terms of each interface.

The library names a parameter as the command line does, `--budget`, and a next step as a command, `veritas research
--resume RUN`. HTTP callers know fields and routes, language models arguments and tools, users of the pages labels and
buttons. Each sentence is written once; here its names are replaced, by tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

Door = Literal["http", "mcp", "page"]

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?: (?:[A-Z]+\b|…|\.\.\.))?")
_RUN = r"(?P<run>[\w.-]*\w|RUN|\{run\})"
_API = "/api/v1"
_FIELDS: Mapping[Door, Mapping[str, str]] = {
    "http": {"budget": "budget.usd", "max-calls": "budget.calls", "max-seconds": "budget.seconds",
             "from": "from_stage", "no-preflight": "preflight: false", "lexical": "q", "out": "format"},
    "mcp": {"budget": "budget_usd", "no-preflight": "preflight: false"},
    "page": {"corpus": "Documents", "budget": "Budget", "max-calls": "Budget", "max-seconds": "Budget",
             "from": "From stage", "policy": "Source policy", "tier": "Depth", "name": "Name", "reason": "Reason",
             "web": "Search the web too", "council": "Council"},
}  # fmt: skip
"""Option of the command line -> what the door calls it; by default its own name, with underscores."""

_COMMANDS: tuple[tuple[str, Mapping[Door, str]], ...] = (
    (rf"research --resume {_RUN}", {
        "http": rf"POST {_API}/runs/\g<run>/resume", "mcp": r"research with resume \g<run>",
        "page": "“Go on” on the page of the run"}),
    (rf"replay {_RUN} --from (?P<stage>[\w{{}}]+)", {
        "http": rf"POST {_API}/runs/\g<run>/replay with from_stage \g<stage>",
        "mcp": r"a replay from \g<stage>, which a person begins",
        "page": r"a replay from \g<stage>, on the page of the run"}),
    (rf"(?P<kind>review|paper) --resume {_RUN}", {
        "http": rf"POST {_API}/\g<kind>s/\g<run>/resume", "mcp": "a person lets it go on",
        "page": "“Go on” on its page"}),
    (rf"(?P<kind>review|paper) --replay {_RUN} --from (?P<stage>[\w{{}}]+)", {
        "http": rf"POST {_API}/\g<kind>s/\g<run>/replay with from_stage \g<stage>",
        "mcp": r"a replay from \g<stage>, which a person begins", "page": r"a replay from \g<stage>, on its page"}),
)  # fmt: skip
"""Command, as a pattern -> what the door does in its place."""
COMMANDS = (
    "research", "ask", "demo", "replay", "runs", "show", "why", "export", "diff", "cancel", "tier", "judge", "verify",
    "cite", "check", "factcheck", "audit", "bib snapshot", "bib", "triangulate", "paper", "referee",
    "score", "calibrate", "corpus", "review", "approvals", "approve", "up", "serve tokens", "serve", "mcp", "lsp",
    "guard", "watch", "automations", "store", "council", "lenses", "providers", "plugins",
)  # fmt: skip
"""The commands of the command line; those of two words first."""
_COMMAND = re.compile(
    r"`veritas ([^`]+)`|"
    rf"\bveritas ((?:{'|'.join(COMMANDS)})\b(?: --[a-z-]+(?: (?:[A-Z]+\b|\"[^\"]*\"|[\w{{}}.-]*\d[\w{{}}.-]*))?)*)"
)
_HERE = tuple(
    (re.compile(rf"`?\bveritas {pattern}(?![\w-])(?: --budget USD)?`?"), said) for pattern, said in _COMMANDS
)
_THEIRS = re.compile(r"((?<!\w)'[^']*'(?!\w))")
_ASIDE = re.compile(r" \(--no-preflight[^)]*\)")
"""A way out that is in parentheses, because most doors have none."""
_QUOTED: Mapping[Door, Callable[[str], str]] = {
    "http": "`{}`".format, "mcp": "`{}`".format, "page": "“{}”".format,
}  # fmt: skip


def in_words_of(door: Door, text: str) -> str:
    """Return the sentence of an error with the parameters and next steps of an interface."""
    parts = _THEIRS.split(text)  # every second one is what somebody wrote, in quotation marks
    return "".join(part if number % 2 else _exchanged(door, part) for number, part in enumerate(parts))


def _exchanged(door: Door, text: str) -> str:
    text = _ASIDE.sub(" (`preflight` false begins it all the same)" if door == "http" else "", text)
    for pattern, said in _HERE:
        text = pattern.sub(said[door], text)
    text = _COMMAND.sub(lambda found: f"a command of whoever runs the server ({_plainly(found[1] or found[2])})", text)
    return _OPTION.sub(lambda found: _QUOTED[door](_field(door, found[1])), text)


def _field(door: Door, option: str) -> str:
    return _FIELDS[door].get(option, option.replace("-", " " if door == "page" else "_"))


def _plainly(command: str) -> str:
    """Return a command without its options, which the interface does not have."""
    return re.sub(r" --[a-z-]+.*", "", command)
