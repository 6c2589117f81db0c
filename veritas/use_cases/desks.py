"""The reviewer's desk: a paper opened on it, concerns accepted or dismissed by name, and the letter to the authors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from veritas.errors import InputError
from veritas.use_cases.given import given_home, given_text

if TYPE_CHECKING:
    from veritas.papers.audit import PaperAudit
    from veritas.papers.desk.concern import Verdict
    from veritas.papers.desk.desk import Desk as Desk
    from veritas.papers.desk.desk_folder import DeskLine as DeskLine
    from veritas.papers.reading.paper_text import PaperText

LetterForm = Literal["markdown", "docx"]
LONGEST_NEAR = 200
"""Characters that are shown of a sentence with words on what was not found."""
UNREAD = "If none of them tells it, accept it again and say that you looked (--looked, or the field looked)."


async def open_desk(
    asked: str | Path | None = None,
    *,
    audit: str | None = None,
    checklists: Sequence[str] | None = None,
    registration: str | Path | None = None,
    web: bool = False,
    home: str | Path | None = None,
) -> Desk:
    """Return a paper on the reviewer's desk: its checklists item by item, what it tells of registration, power, effect
    sizes, data and code, and the concerns, with all decisions that were made about them.

    `asked` is what `read_paper` takes; or `audit` names a stored audit, whose flaws and references are concerns too.
    `checklists` are names or files; they are chosen by the design that the paper tells if they are None. `registration`
    is the file of a registration's record (JSON of ClinicalTrials.gov), whose outcomes are sought in the paper. With
    `web` the links are asked. Raises `InputError`, `PolicyError`, `UnknownRun`, and what `read_paper` raises.
    """
    from veritas.papers.desk.desk import make_desk
    from veritas.papers.desk.desk_folder import DeskFolder
    from veritas.papers.desk.outcomes import read_outcomes

    if (asked is None) == (audit is None):
        raise InputError("give a paper, or the audit of one")
    place = given_home(home)
    if isinstance(checklists, str):
        raise InputError("checklists is a list of names")
    outcomes = read_outcomes(Path(registration)) if registration is not None else ()
    paper, audited = await _read(asked, audit, place)
    desk = make_desk(paper, checklists=checklists, audit=audited, outcomes=outcomes)
    if web:
        from veritas.papers.desk.links import with_links_asked
        from veritas.policy.source_tiers import load_source_policy
        from veritas.reading.web.web_reader import WebReader

        desk = await with_links_asked(desk, WebReader(load_source_policy()))
    return DeskFolder(_home(place)).keep(desk)


def load_desk(desk: str = "latest", *, home: str | Path | None = None) -> Desk:
    """Return a desk by its id, the beginning of one, or `latest`, with all decisions. Raises `UnknownRun`."""
    from veritas.papers.desk.desk_folder import DeskFolder

    return DeskFolder(_home(given_home(home))).load(given_text(desk, "desk"))


def list_desks(*, home: str | Path | None = None) -> list[DeskLine]:
    """Return all desks, newest first. Never fails on a single one."""
    from veritas.papers.desk.desk_folder import DeskFolder

    return DeskFolder(_home(given_home(home))).lines()


def decide_concern(
    desk: str,
    concern: str,
    verdict: Verdict,
    name: str,
    reason: str,
    *,
    looked: bool = False,
    home: str | Path | None = None,
) -> Desk:
    """Accept or dismiss a concern, or withdraw the decision on it, by name and with a reason; return the desk.

    Something that was not found gets into the letter in the same way: by its id, a name and a reason. Where the paper
    has sentences with words on it, `looked` says that the person has read them and that none tells it; without it they
    are shown and nothing is decided.

    The decision is a new file beside the desk; nothing that was decided is changed. Raises `UnknownRun` for an unknown
    desk, and `InputError` for an unknown concern, an empty name or reason, sentences that nobody looked at, or a
    decision that somebody else has made.
    """
    from pydantic import ValidationError

    from veritas.frozen import first_fault
    from veritas.papers.desk.concern import DeskDecision, Verdict
    from veritas.papers.desk.desk_folder import DeskFolder

    folder = DeskFolder(_home(given_home(home)))
    found = folder.load(given_text(desk, "desk"))
    wanted = given_text(concern, "concern")
    listed = {each.id: each for each in (*found.concerns, *found.not_found)}
    meant = [each for each in listed if each.startswith(wanted)]
    if len(meant) != 1:
        many = f"{len(meant)} concerns begin with {wanted[:80]!r}: give more of the id"
        raise InputError(many if meant else f"desk {found.desk_id} has no concern {wanted[:80]!r}")
    if verdict not in get_args(Verdict):
        raise InputError(f"{str(verdict)[:40]!r} is no verdict: accept, dismiss or withdraw")
    if not str(name).strip() or not str(reason).strip():
        raise InputError("a decision needs a name and a reason")
    if verdict == "accept" and not looked and (near := listed[meant[0]].near):
        held = " ".join(f"“{' '.join(each.text.split())[:LONGEST_NEAR]}” ({found.where(each.place)})." for each in near)
        raise InputError(f"these sentences have words on it: {held} {UNREAD}")
    number = sum(each.concern == meant[0] for each in found.decisions) + 1
    try:
        decision = DeskDecision(concern=meant[0], number=number, verdict=verdict, name=name, reason=reason)
    except ValidationError as error:
        raise InputError(first_fault(error)) from error
    return folder.decide(found, decision)


def editor_letter(
    desk: str = "latest", *, form: LetterForm = "markdown", home: str | Path | None = None
) -> str | bytes:
    """Return the letter to the authors that quotes the accepted concerns, as Markdown, or as the bytes of a DOCX file.

    Nothing that was dismissed or that nobody decided about is in it. Raises `UnknownRun`, `InputError` for an unknown
    form.
    """
    from veritas.report.paper.letter import letter_docx, letter_markdown

    if form not in get_args(LetterForm):
        raise InputError(f"a letter is {' or '.join(get_args(LetterForm))}, not {str(form)[:40]!r}")
    found = load_desk(desk, home=home)
    return letter_markdown(found) if form == "markdown" else letter_docx(found)


def checklist_lines() -> list[tuple[str, str, str, int]]:
    """Return the checklists that can be chosen: name, title, what it is for, and the number of its items."""
    from veritas.papers.desk.checklist import checklist_names, load_checklist

    found = [load_checklist(name) for name in checklist_names()]
    return [(each.name, each.title, each.about, len(each.items)) for each in found]


async def _read(
    asked: str | Path | None, audit: str | None, place: Path | None
) -> tuple[PaperText, PaperAudit | None]:
    if audit is None:
        from veritas.use_cases.papers import read_paper

        return await read_paper(str(asked)), None
    from veritas.papers.desk.audited import paper_of_audit
    from veritas.use_cases.papers import find_audit, load_paper_audit

    found = load_paper_audit(find_audit(audit, home=place), home=place)
    return paper_of_audit(found.audit_id, place), found


def _home(place: Path | None) -> Path:
    from veritas.settings import home

    return place or home()
