"""`veritas desk`: a paper on the reviewer's desk."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer


def desk(
    asked: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|URL|WORDS|DESK]", help="A paper, or the id of a desk that was made before."),
    ] = None,
    audit: Annotated[
        str | None, typer.Option(metavar="AUDIT", help="The paper of a stored audit, with the audit's findings.")
    ] = None,
    checklist: Annotated[
        list[str] | None,
        typer.Option("--checklist", metavar="NAME", help="A checklist, by name or file, or none; several are allowed."),
    ] = None,
    registration: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A registration's record (JSON of ClinicalTrials.gov).")
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Ask whether the paper's links exist.")] = False,
    accept: Annotated[
        list[str] | None,
        typer.Option(metavar="CONCERN", help="Accept a concern, or raise what was not found; needs --name, --reason."),
    ] = None,
    dismiss: Annotated[list[str] | None, typer.Option(metavar="CONCERN", help="Dismiss a concern.")] = None,
    withdraw: Annotated[list[str] | None, typer.Option(metavar="CONCERN", help="Withdraw a decision.")] = None,
    name: Annotated[str, typer.Option(help="Who decides.")] = "",
    reason: Annotated[str, typer.Option(help="Why; the letter gives the reason of what was accepted.")] = "",
    looked: Annotated[
        bool, typer.Option("--looked", help="You read the sentences with words on it, and none tells it.")
    ] = False,
    letter: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the editor's letter: .md or .docx; - prints Markdown.")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Show the items that were found too, with their words.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the desks.")] = False,
    checklists: Annotated[bool, typer.Option("--checklists", help="List the checklists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout.")] = False,
) -> None:
    """Put a paper on the reviewer's desk: reporting checklists, openness, findings; no model.

    The checklist is chosen by the design that the paper tells (CONSORT, STROBE, PRISMA, ARRIVE, NeurIPS, JOSS), or with
    --checklist. Each item is found, with its words and place, or not found, with the parts that were searched, or left
    to a reader. Concerns are what was found and is wrong. They are accepted or dismissed by name with a reason; each
    decision is a file that is never changed. An item that was not found is no concern; --accept with its id raises it
    all the same, with --looked if the paper has sentences with words on it. --letter writes the letter to the authors
    with what was accepted.
    """
    from veritas.errors import InputError
    from veritas.use_cases import desks

    if listed or checklists:
        _lists(checklists, as_json)
        return
    if asked is not None and audit is not None:
        raise InputError("name a paper or an audit, not both")
    if asked is None and audit is None:
        raise InputError("name a paper, a desk, or with --audit an audit; --list lists the desks")
    known = asked is not None and _is_desk(asked)
    if known:
        if checklist or registration or web:
            raise InputError("a desk is shown as it was made: name the paper to make it again")
        found = desks.load_desk(asked or "")
    else:
        chosen = None if checklist is None else [each for each in checklist if each != "none"]
        opened = desks.open_desk(asked, audit=audit, checklists=chosen, registration=registration, web=web)
        found = asyncio.run(opened)
    verdicts = (("accept", accept), ("dismiss", dismiss), ("withdraw", withdraw))
    for verdict, concerns in verdicts:
        for each in concerns or ():
            found = desks.decide_concern(found.desk_id, each, verdict, name, reason, looked=looked)  # type: ignore[arg-type]
    if letter is not None:
        _write(found.desk_id, letter)
        if str(letter) == "-":
            return
    decided = [each for _, concerns in verdicts for each in concerns or ()]
    _show(found, as_json, whole, decided)


def _is_desk(asked: str) -> bool:
    import re

    return asked == "latest" or re.fullmatch(r"p-[0-9a-f]{1,12}", asked) is not None


def _write(desk_id: str, letter: Path) -> None:
    from veritas.errors import InputError
    from veritas.files import write_whole
    from veritas.use_cases.desks import editor_letter

    if str(letter) == "-":
        print(editor_letter(desk_id), end="")
        return
    if letter.suffix not in (".md", ".docx"):
        raise InputError(f"{letter}: a letter is a .md or a .docx file")
    write_whole(letter, editor_letter(desk_id, form="docx" if letter.suffix == ".docx" else "markdown"))
    print(f"The letter is in {letter}", file=sys.stderr)


def _show(found: Any, as_json: bool, whole: bool, decided: list[str]) -> None:
    if as_json:
        print(found.model_dump_json())
        return
    from veritas.report.paper.desk_text import show_decided, show_desk

    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if decided:
        print(show_decided(found, decided, width=width, color=color))
    else:
        print(show_desk(found, width=width, color=color, whole=whole))


def _lists(checklists: bool, as_json: bool) -> None:
    import json

    from veritas.text.printable import printable
    from veritas.use_cases.desks import checklist_lines, list_desks

    if checklists:
        for name, title, about, items in checklist_lines():
            told = {"name": name, "title": title, "about": about, "items": items}
            print(json.dumps(told) if as_json else f"{name:14} {title} ({items} items): {about}")
        return
    for each in list_desks():
        if as_json:
            print(each.model_dump_json())
        elif each.problem is not None:
            print(f"{each.desk_id}  cannot be read: {printable(each.problem)}")
        else:
            decided = f"{each.concerns} concerns, {each.accepted} accepted, {each.dismissed} dismissed"
            print(f"{each.desk_id}  {printable(each.title)[:70]}  ({each.design}; {decided})")
