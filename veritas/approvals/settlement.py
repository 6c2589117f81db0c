"""Findings put before a person, and the person's decision: `ask`, `pending`, `settle`, `withdraw`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pydantic import ValidationError

from veritas.approvals._roster import load_roster
from veritas.approvals.approval import Approval, Case, Kind, State, approval_id
from veritas.approvals.case_folder import Folder, Unreadable
from veritas.claims.override import MAX_NAME, MAX_REASON, PersonDecision, Verdict
from veritas.errors import InputError
from veritas.keys import withheld
from veritas.settings import home as default_home

logger = logging.getLogger(__name__)

SEEN = 32
"""Least characters of a case's fingerprint that say which case was read."""


def _folder(home: Path | None) -> Folder:
    return Folder(home or default_home())


async def ask(
    kind: Kind,
    subject_id: str,
    sentence: str,
    case: Case,
    *,
    run_id: str | None = None,
    decision_id: str = "",
    options: Sequence[str] = (),
    then: str = "",
    expires_at: datetime | None = None,
    home: Path | None = None,
) -> Approval:
    """Put a finding before a person and return its state at once: nothing waits, and the finding is left out unless
    `.state() == "approved"`.

    If the same finding on the same passages was asked before, its decision holds; if the time limit has passed, it is
    asked anew. Raises `StoreUnavailable` if the case cannot be stored, `InputError` for an `expires_at` without a time
    zone.
    """
    if expires_at is not None and (expires_at.tzinfo is None or not 2000 < expires_at.year < 2999):
        raise InputError(
            "expires_at needs a time zone, and a year before 2999: datetime.now(UTC) + timedelta(minutes=30), say"
        )
    asked = Approval(
        approval_id="",
        kind=kind,
        run_id=run_id,
        subject_id=subject_id,
        sentence=sentence,
        case=case,
        decision_id=decision_id,
        options=tuple(options),
        then=then,
        created_at=datetime.now(UTC),
        expires_at=expires_at,
    )
    return await asyncio.to_thread(_file, asked, _folder(home))


def _file(asked: Approval, folder: Folder) -> Approval:
    """Store the case under the first id that is free or still valid."""
    asked = Approval.model_validate_json(withheld(asked.model_dump_json()))  # before ids and hashes are made of it
    now = asked.created_at
    for number in count():
        key = approval_id(asked.kind, asked.run_id, asked.subject_id, asked.case, number)
        sentence = asked.sentence.replace(asked.decision_id, key) if asked.decision_id else asked.sentence
        made = asked.model_copy(update={"approval_id": key, "sentence": sentence})
        new = folder.cases.file(made)
        known = folder.read(key) or made
        if new or known.state(now) != "expired":
            return known
    raise AssertionError("count() does not end")


def pending(*, home: Path | None = None) -> list[Approval]:
    """Return the approvals that wait for a person, oldest first."""
    now = datetime.now(UTC)
    return [a for a in every(home=home) if a.state(now) == "pending"]


def every(*, run_ids: Sequence[str] | None = None, home: Path | None = None) -> list[Approval]:
    """Return all approvals, oldest first; with `run_ids`, those of these runs. An unreadable one is logged."""
    found, lost = survey(run_ids=run_ids, home=home)
    for one in lost:
        logger.warning("%s", one.problem)
    return found


def survey(
    *, run_ids: Sequence[str] | None = None, home: Path | None = None
) -> tuple[list[Approval], list[Unreadable]]:
    """Return what `every` gives, and the approvals that cannot be read or are gone, each with its problem in a
    sentence."""
    found: dict[str, Approval] = {}
    lost: dict[str, Unreadable] = {}
    folder = _folder(home)
    for about in (None,) if run_ids is None else run_ids:
        for one in folder.every(about=about):
            if isinstance(one, Unreadable):
                if about is None or one.asked is None or one.asked.run_id == about:
                    lost[one.approval_id] = one
            elif about is None or one.run_id == about:
                found[one.approval_id] = one
    return sorted(found.values(), key=lambda a: (a.created_at, a.approval_id)), list(lost.values())


def unreadable(*, home: Path | None = None) -> list[str]:
    """Return the problems of approvals that cannot be read, a sentence each."""
    return [one.problem for one in survey(home=home)[1]]


def find(approval: str, *, home: Path | None = None) -> Approval:
    """Return the approval of that id or that beginning of one. Raises `InputError` when there is none, or several."""
    return _folder(home).find(approval)


def settle(
    approval: str,
    verdict: Verdict,
    name: str,
    reason: str,
    *,
    key: Path | None = None,
    seen: str | None = None,
    home: Path | None = None,
) -> Approval:
    """Settle an approval for a person: approve, reject, or withdraw an earlier decision. Return its state after that.

    With a roster of approvers the decision is signed, with the private key in the file `key` (by default
    `VERITAS_APPROVAL_KEY`, `~/.ssh/id_ed25519`, the ssh-agent), and `name` may be empty: the roster knows it. `seen` is
    the `fingerprint` of the case that was read, or a beginning of at least 32 characters: no other case is signed.

    Raises `InputError` without a name or a reason, for a key that may not sign it, for an unknown id, after the time
    limit, when there is nothing to withdraw, or when somebody has settled it already: their decision must be withdrawn
    first, by name. Raises `StoreUnavailable` where the files are not those that were asked or signed.
    """
    folder = _folder(home)
    found = folder.find(approval)
    if seen is not None and (len(seen) < SEEN or not found.fingerprint.startswith(seen)):
        raise InputError(f"the case of {found.approval_id} is not the one that you read: veritas approvals shows it as "
                         f"it is now, with its fingerprint {found.fingerprint[:SEEN]}")  # fmt: skip
    now = datetime.now(UTC)
    said = _decision(verdict, name or ("the roster says" if folder.roster else ""), reason, now)
    _check(found, verdict, found.state(now), now)
    if folder.roster:
        said = said.model_copy(update={"name": " ".join(name.split())})
    if not folder.decide(found, said, key):
        found = folder.find(found.approval_id)
        who = f"{found.last.who} ({found.last.verdict}: {found.last.reason})" if found.last else "somebody"
        more = ", and it still waits: look at it and decide again" if found.state() == "pending" else ""
        raise InputError(f"{found.approval_id} was decided on in this very moment by {who}{more}; yours was not kept")
    return folder.find(found.approval_id)


def draft(approval: str, verdict: Verdict, name: str, reason: str, *, home: Path | None = None) -> Approval:
    """Propose a decision for an approver to sign; it has no effect until then. Raises `InputError` as `settle` does,
    and without a roster of approvers."""
    folder = _folder(home)
    found = folder.find(approval)
    if not folder.roster:
        raise InputError("there is no roster of approvers: a decision is settled at once, unsigned")
    now = datetime.now(UTC)
    said = _decision(verdict, name, reason, now)
    _check(found, verdict, found.state(now), now)
    folder.draft(found, said)
    return folder.find(found.approval_id)


def signed_here() -> bool:
    """Return whether there is a roster of approvers, so that only signed decisions have an effect."""
    return bool(load_roster())


def withdraw(
    approval: str, name: str, reason: str, *, key: Path | None = None, home: Path | None = None
) -> Approval:
    """Withdraw the decision on an approval; the next replay leaves the finding out again."""
    return settle(approval, "withdraw", name, reason, key=key, home=home)


def _decision(verdict: Verdict, name: str, reason: str, now: datetime) -> PersonDecision:
    name, reason = " ".join(name.split()), reason.strip()
    if not any(c.isalnum() for c in name):
        raise InputError("give the name of the person who decides: --name \"Ada Lovelace\"")
    if not any(c.isalnum() for c in reason):
        raise InputError("an override needs a reason: --reason \"I read section 3 of the manual, which says so\"")
    for what, text, most in (("name", name, MAX_NAME), ("reason", reason, MAX_REASON)):
        if len(text) > most:
            raise InputError(f"the {what} has {len(text):,} characters, the limit is {most:,}")
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise InputError(f"the {what} holds bytes that are not valid UTF-8 text: retype it")
    try:
        return PersonDecision(verdict=verdict, name=name, reason=reason, at=now)
    except ValidationError as error:
        raise InputError(f"{verdict!r} is no decision: approve, reject or withdraw") from error


def _check(found: Approval, verdict: Verdict, state: State, now: datetime) -> None:
    by = f" by {found.by}: {found.why}" if found.voices else ""
    if verdict == "withdraw":
        if state not in ("approved", "rejected") and not (state == "pending" and found.voices):
            raise InputError(f"{found.approval_id} is {state}: there is no decision to withdraw")
        return
    if state in ("approved", "rejected"):
        raise InputError(f"{found.approval_id} was {state} already{by}. Withdraw that first, with your own name")
    if found.over(now):
        again = f": veritas replay {found.run_id} --from synthesize" if found.kind == "research-claim" else ""
        raise InputError(
            f"the time to settle {found.approval_id} ended at {found.expires_at:%Y-%m-%d %H:%M} UTC, so the finding is "
            f"left out. To put it before a person once more, ask anew{again}"
        )
