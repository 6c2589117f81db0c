"""The reviewer's desk for the terminal, and the words of its states for every report."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from veritas.papers.desk.answers import Answered, ItemAnswer, State
from veritas.papers.desk.concern import Concern
from veritas.papers.desk.desk import Desk
from veritas.papers.desk.openness import SUBJECTS, LinkState, Statement, Subject
from veritas.papers.desk.outcomes import RegisteredOutcome
from veritas.report.paper.letter import GROUPS, said_parts
from veritas.text.plural import plural
from veritas.text.printable import printable

STATES: dict[State, str] = {
    "found": "found", "in-part": "found in part", "not-found": "not found", "for-a-reader": "for a reader",
}  # fmt: skip
LINKS: dict[LinkState, str] = {
    "live": "the page exists", "dead": "there is no such page", "not-known": "could not be asked",
    "not-asked": "not asked",
}  # fmt: skip
TOLD: dict[Subject, tuple[str, str]] = {
    "registration": ("Registration", "no registration number was found"),
    "power": ("Power", "no stated power was found"),
    "effect-size": ("Effect sizes", "no effect size was found in the words of abstract and results"),
    "data": ("Data", "no statement on where the data can be had was found"),
    "code": ("Code", "no statement on where the code can be had was found"),
}
"""Heading of a subject, and what is said if the paper tells nothing of it."""
NO_CONCERN = "Nothing was found that is wrong. That something was not found is no concern."
SHOWN = 3
"""Statements of a subject that the terminal shows, and sentences with words on an item."""
NEAR, NEAR_SHOWN = 160, 2
"""Characters of a sentence with words on an item, and how many are shown."""


def show_desk(desk: Desk, *, width: int = 100, color: bool = False, whole: bool = False) -> str:
    """Return the desk as text: concerns with their decisions, openness, checklists. With `whole`, every item of the
    checklists, else those that were found are counted only. What was not found has the id by which it can be raised.
    """
    bold, end = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{bold}{printable(desk.paper.title or desk.desk_id)}{end}"]
    lines += _wrapped(f"Desk {desk.desk_id}. {said_design(desk)}", width, "")
    lines += [line for note in desk.notes for line in _wrapped(f"Note: {note}.", width, "")]
    lines += ["", f"{bold}{plural(len(desk.concerns), 'concern')}, {len(desk.undecided())} undecided{end}"]
    for each in desk.concerns:
        lines += _concern(desk, each, width, bold, end)
    if not desk.concerns:
        lines += _wrapped(NO_CONCERN, width, "")
    raised = [each for each in desk.not_found if desk.decision(each.id) is not None]
    for each in raised:
        lines += _concern(desk, each, width, bold, end)
    lines += ["", f"{bold}Openness{end}"]
    for subject in SUBJECTS:
        lines += list(_told(desk, subject, width))
    for outcome in desk.outcomes:
        lines += _outcome(desk, outcome, width)
    for checklist in desk.checklists:
        lines += ["", f"{bold}{checklist.title}{end}: {said_counts(checklist)}"]
        for item in checklist.items:
            if item.state == "found" and not whole:
                continue
            row = desk.row(f"{checklist.name} {item.id}")
            handle = f" [{row.id}]" if row else ""
            lines += _wrapped(f"{item.id} {item.heading}: {said_state(item)}{handle}", width, "  ")
            for near in item.near[:NEAR_SHOWN] if row else ():
                said = f"has words on it: “{_short(near.quote, NEAR)}” ({desk.where(near.place)})"
                lines += _wrapped(said, width, "      ")
            for found in item.evidence if whole else ():
                lines += _wrapped(f"“{_short(found.quote)}” ({desk.where(found.place)})", width, "      ")
    return "\n".join(lines)


def show_decided(desk: Desk, ids: Sequence[str], *, width: int = 100, color: bool = False) -> str:
    """Return the decisions that were made on some concerns, and how many concerns wait for one."""
    bold, end = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = []
    for each in (*desk.concerns, *desk.not_found):
        if any(each.id.startswith(wanted) for wanted in ids):
            lines += _wrapped(f"{bold}{each.id}{end} {_state(desk, each)}. {each.says}", width, "")
    return "\n".join([*lines, f"{plural(len(desk.undecided()), 'concern')} undecided on desk {desk.desk_id}"])


def said_design(desk: Desk) -> str:
    """Return the design and the checklists that were chosen, in a sentence or two."""
    names = " and ".join(each.title for each in desk.checklists)
    if desk.design.chosen:
        return f"Checklists chosen by a person: {names or 'none'}. Design by the paper's words: {desk.design.said}."
    if desk.design.name is None:
        return f"The design is not told ({desk.design.why}), so no checklist was chosen."
    return f"Design: {desk.design.said} ({desk.design.why}). Checklist: {names}."


def said_state(item: ItemAnswer) -> str:
    """Return the state of an item, with what was not found and where, or why a reader must answer."""
    said = STATES[item.state]
    if item.state in ("not-found", "in-part"):
        lacking = f"; not found: {'; '.join(item.missing)}" if item.state == "in-part" else ""
        return f"{said}{lacking}; looked in {said_parts(item.looked_in)}"
    return f"{said} ({item.why})" if item.why else said


def said_counts(checklist: Answered) -> str:
    """Return the number of items in each state, in words."""
    return ", ".join(f"{count} {STATES[state]}" for state, count in checklist.counts().items() if count)


def _concern(desk: Desk, each: Concern, width: int, bold: str, end: str) -> list[str]:
    lines = [f"{bold}{each.id}{end} {GROUPS[each.kind]} ({_state(desk, each)})"]
    lines += _wrapped(each.says, width, "    ")
    for quoted in each.quotes:
        lines += _wrapped(f"“{_short(quoted.text)}” ({desk.where(quoted.place)})", width, "    ")
    if each.calculation:
        allowed = f"Rounding allowed: {each.allowed}. The paper would be right if {each.right_if}."
        lines += _wrapped(f"{each.calculation}. {allowed}", width, "    ")
    if each.looked_in:
        lines += _wrapped(f"Looked in: {said_parts(each.looked_in)}.", width, "    ")
    return lines


def _state(desk: Desk, each: Concern) -> str:
    held = desk.decision(each.id)
    done = {"accept": "accepted", "dismiss": "dismissed", "withdraw": ""}
    return f"{done[held.verdict]} by {printable(held.name)}: {printable(held.reason)}" if held else "undecided"


def _outcome(desk: Desk, outcome: RegisteredOutcome, width: int) -> list[str]:
    row = desk.row(outcome.subject)
    said = f"named in “{_short(outcome.named.text)}”" if outcome.named else "not found in these words"
    rank = "primary" if outcome.primary else "secondary"
    handle = f" [{row.id}]" if row else ""
    return _wrapped(f"Registered {rank} outcome “{outcome.measure}”: {said}{handle}", width, "  ")


def _told(desk: Desk, subject: Subject, width: int) -> Iterator[str]:
    heading, nothing = TOLD[subject]
    found = desk.told(subject)
    if not found:
        yield from _wrapped(f"{heading}: {nothing}", width, "  ")
        return
    for each in found[:SHOWN]:
        quote = f"“{_short(each.quote)}” ({desk.where(each.place)})"
        yield from _wrapped(f"{heading}: {said_statement(each)} {quote}", width, "  ")
    if len(found) > SHOWN:
        yield f"  … and {len(found) - SHOWN} more"


def said_statement(statement: Statement) -> str:
    """Return what a statement tells, with the state of its links."""
    links = "; ".join(f"{printable(link.url)}: {LINKS[link.state]}" for link in statement.links)
    if statement.subject in ("data", "code"):
        return f"({links or statement.kind})"
    return f"{statement.kind} {printable(statement.value)}{f' ({links})' if links else ''}"


def _short(text: str, most: int = 240) -> str:
    plain = " ".join(printable(" ".join(text.split())).split())
    return plain if len(plain) <= most else f"{plain[:most].rstrip()}…"


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    plain = " ".join(printable(" ".join(text.split())).split())
    return textwrap.wrap(plain, width, initial_indent=indent, subsequent_indent=indent + "  ")
