"""The reviewer's desk for the terminal, and the words of its states for every report."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from veritas.papers.desk.answers import Answered, State
from veritas.papers.desk.concern import Concern
from veritas.papers.desk.desk import Desk
from veritas.papers.desk.openness import SUBJECTS, LinkState, Statement, Subject
from veritas.report.paper.letter import GROUPS
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
SHOWN = 3
"""Statements of a subject that the terminal shows."""


def show_desk(desk: Desk, *, width: int = 100, color: bool = False, whole: bool = False) -> str:
    """Return the desk as text: concerns with their decisions, openness, checklists. With `whole`, every item of the
    checklists, else those that were found are counted only."""
    bold, end = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{bold}{printable(desk.paper.title or desk.desk_id)}{end}"]
    lines += _wrapped(f"Desk {desk.desk_id}. {said_design(desk)}", width, "")
    lines += [line for note in desk.notes for line in _wrapped(f"Note: {note}.", width, "")]
    lines += ["", f"{bold}{plural(len(desk.concerns), 'concern')}, {len(desk.undecided())} undecided{end}"]
    for each in desk.concerns:
        lines += _concern(desk, each, width, bold, end)
    lines += ["", f"{bold}Openness{end}"]
    for subject in SUBJECTS:
        lines += list(_told(desk, subject, width))
    for checklist in desk.checklists:
        lines += ["", f"{bold}{checklist.title}{end}: {said_counts(checklist)}"]
        for item in checklist.items:
            if item.state == "found" and not whole:
                continue
            why = f" ({item.why})" if item.why else ""
            lines += _wrapped(f"{item.id} {item.heading}: {STATES[item.state]}{why}", width, "  ")
            for found in item.evidence if whole else ():
                lines += _wrapped(f"“{_short(found.quote)}” ({desk.where(found.place)})", width, "      ")
    return "\n".join(lines)


def said_design(desk: Desk) -> str:
    """Return the design and the checklists that were chosen, in a sentence or two."""
    names = " and ".join(each.title for each in desk.checklists)
    if desk.design.chosen:
        return f"Checklists chosen by a person: {names or 'none'}. Design by the paper's words: {desk.design.said}."
    if desk.design.name is None:
        return f"The design is not told ({desk.design.why}), so no checklist was chosen."
    return f"Design: {desk.design.said} ({desk.design.why}). Checklist: {names}."


def said_counts(checklist: Answered) -> str:
    """Return the number of items in each state, in words."""
    return ", ".join(f"{count} {STATES[state]}" for state, count in checklist.counts().items() if count)


def _concern(desk: Desk, each: Concern, width: int, bold: str, end: str) -> list[str]:
    held = desk.decision(each.id)
    done = {"accept": "accepted", "dismiss": "dismissed", "withdraw": ""}
    state = f"{done[held.verdict]} by {printable(held.name)}: {printable(held.reason)}" if held else "undecided"
    lines = [f"{bold}{each.id}{end} {GROUPS[each.kind]} ({state})"]
    lines += _wrapped(each.says, width, "    ")
    for quoted in each.quotes:
        lines += _wrapped(f"“{_short(quoted.text)}” ({desk.where(quoted.place)})", width, "    ")
    if each.calculation:
        allowed = f"Rounding allowed: {each.allowed}. Right if {each.right_if}."
        lines += _wrapped(f"{each.calculation}. {allowed}", width, "    ")
    if each.looked_in:
        lines += _wrapped(f"Looked in: {'; '.join(each.looked_in)}.", width, "    ")
    return lines


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
