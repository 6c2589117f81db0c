"""Whoever can write the approvals folder, and neither the roster nor the heads, decides nothing: over a thousand tries.

Every attack is made on the real files and read by the real reader. It may be seen, and it may hide a decision; it may
never change what a case comes to.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_ssh_private_key

from tests.approvers import Team
from veritas import Judgment, approvals
from veritas.approvals import Approval, Case, CasePassage
from veritas.approvals.chain import Statement, sha256
from veritas.approvals.signing import signer
from veritas.errors import InputError, StoreUnavailable

LENS = Judgment(label="silent", score=0.4, rationale="it only thinks so", lens="embedded", family="e")
Attack = Callable[[Path], None]
Truth = dict[str, tuple[str, tuple[tuple[str, str, str], ...]]]


def put(subject: str, **more: Any) -> Approval:
    case = Case(
        claim=f"The pump of {subject} needs no oil.",
        question="Does it need oil?",
        passages=(CasePassage(text="It needs no oil, I think.", source="A forum", url="https://f.example", tier="3"),),
        oracle="stored documents: confirmed",
        judgments=(LENS,),
    )
    kind = more.pop("kind", "research-claim")
    return asyncio.run(approvals.ask(kind, subject, "You probably expected …", case, run_id="r1", **more))


def outcome(approval: Approval) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """What a case comes to: its state, and the words that count."""
    return approval.state(), tuple((d.verdict, d.name, d.reason) for d in approval.decisions if not d.void)


class Scene:
    """Cases in every state, with the folder as it was after each step."""

    def __init__(self, home: Path, team: Team) -> None:
        self.home, self.team, self.folder = home, team, home / "approvals"
        self.states: list[dict[str, bytes]] = []
        later, over = datetime.now(UTC) + timedelta(days=1), datetime.now(UTC) - timedelta(hours=1)
        ids = [put(f"c-{n}", expires_at=later).approval_id for n in range(5)]
        ids += [put("c-over", expires_at=over).approval_id, put("c-two", kind="paper-node").approval_id]
        self.pending, self.approved, self.rejected, self.withdrawn, self.again, self.over, self.half = ids
        self.step()
        for approval, said in (
            (self.approved, "approve"), (self.rejected, "reject"), (self.withdrawn, "approve"),
            (self.withdrawn, "withdraw"), (self.again, "approve"), (self.again, "withdraw"), (self.again, "approve"),
            (self.half, "approve"),
        ):  # fmt: skip
            approvals.settle(approval, said, "Ada", f"{said}, I read page 3", key=team.key("Ada"))  # type: ignore[arg-type]
            self.step()
        self.truth = {name: outcome(approvals.find(name)) for name in ids}

    def step(self) -> None:
        """Keeps the folder as it is."""
        self.states.append({path.name: path.read_bytes() for path in self.folder.iterdir()})

    def restore(self) -> None:
        """The folder as it really is."""
        for entry in self.folder.iterdir():
            if not entry.is_symlink() and entry.is_dir():
                shutil.rmtree(entry)
            elif entry.is_symlink() or not entry.is_file() or entry.read_bytes() != self.states[-1].get(entry.name):
                entry.unlink()
        for name, raw in self.states[-1].items():
            if not (self.folder / name).exists():
                (self.folder / name).write_bytes(raw)

    def took_effect(self) -> list[str]:
        """What the attack has changed of what cases come to."""
        changed = []
        for found in approvals.every():
            known = self.truth.get(found.approval_id, ("pending", ()))
            if outcome(found) != known and (found.approval_id in self.truth or found.state() != "expired"):
                changed.append(f"{found.approval_id}: {known} became {outcome(found)}")
        return changed


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    made = Team(tmp_path / "team", "Ada", "Bob")
    made.write("Ada", "Bob", more="two_persons: [paper-node]")
    monkeypatch.setenv("VERITAS_APPROVERS", str(made.roster))
    return made


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the values of a JSON document stand."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if place:
        yield place
    for key, one in inside:
        yield from leaves(one, (*place, key))


def changed(document: Any, place: tuple[Any, ...], to: Any) -> Any:
    """The document with another value there; with `...`, without it."""
    made = json.loads(json.dumps(document))
    at = made
    for key in place[:-1]:
        at = at[key]
    if to is ...:
        del at[place[-1]]
    else:
        at[place[-1]] = to
    return made


def others(value: Any, place: tuple[Any, ...]) -> list[Any]:
    """Values that an attacker would put in place of one."""
    if place[-1] in ("at", "created_at", "expires_at"):
        return ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", None]
    if place[-1] == "verdict":
        return [v for v in ("approve", "reject", "withdraw") if v != value]
    if place[-1] == "label":
        return ["supports"]
    if isinstance(value, bool | int | float):
        return [value + 1, 0.99, ...]
    return [f"{value}x", "", ...] if isinstance(value, str) else [None, ...]


def writing(name: str, raw: bytes) -> Attack:
    def attack(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(raw)

    return attack


def edits(scene: Scene) -> Iterator[Attack]:
    """Every field of every case and decision, changed; decisions under their own name and under that of their hash."""
    for name, raw in scene.states[-1].items():
        lines = raw.split(b"\n", 1)
        document = json.loads(lines[0])
        for place in leaves(document):
            at = document
            for key in place:
                at = at[key]
            for to in others(at, place):
                text = json.dumps(changed(document, place, to)).encode() + b"\n" + lines[1]
                yield writing(name, text)
                if name.count(".") == 3:
                    yield writing(f"{name.rsplit('.', 2)[0]}.{sha256(text)[:32]}.json", text)
        if name.count(".") == 1:
            first = raw.decode().rstrip()
            for twice in ('"expires_at":"2099-01-01T00:00:00Z"', '"expires_at":null', '"required":1', '"recorded":true',
                          '"decisions":[]', f'"fingerprint":"{sha256(raw)}"'):  # fmt: skip
                yield writing(name, f"{first[:-1]},{twice}}}\n".encode())
                yield writing(name, f"{{{twice},{first[1:]}\n".encode())
            yield writing(name, json.dumps(document, indent=1).encode())


def removals(scene: Scene) -> Iterator[Attack]:
    names = sorted(scene.states[-1])
    for name in names:
        yield lambda folder, name=name: (folder / name).unlink()  # type: ignore[misc]
    for one, other in permutations(names, 2):
        if one[:14] == other[:14] and one < other:
            yield lambda folder, both=(one, other): [(folder / n).unlink() for n in both] and None  # type: ignore[misc]
    yield lambda folder: [path.unlink() for path in folder.iterdir()] and None


def swaps(scene: Scene) -> Iterator[Attack]:
    """Files of one case, or with one number, put in place of another's."""
    last = scene.states[-1]
    for one, other in permutations(sorted(last), 2):
        yield writing(other, last[one])
    for raw in last.values():
        for target in scene.truth:
            for number in (1, 2, 4):
                yield writing(f"{target}.{number}.{sha256(raw)[:32]}.json", raw)


def rollbacks(scene: Scene) -> Iterator[Attack]:
    for state in scene.states[:-1]:

        def attack(folder: Path, state: dict[str, bytes] = state) -> None:
            for path in folder.iterdir():
                path.unlink()
            for name, raw in state.items():
                (folder / name).write_bytes(raw)

        yield attack


NAMES = ("Ada", "Bob", "ada", "\u0410da", "A\u200bda", "Ada ", "\uff21da", "Eve")


def unsigned(scene: Scene) -> Iterator[Attack]:
    """Decisions as they were before there was a roster, in any name and at any time; with a signature claimed too."""
    for target in scene.truth:
        for name in NAMES:
            for verdict in ("approve", "reject", "withdraw"):
                said = {"verdict": verdict, "name": name, "reason": "because", "at": "2026-01-01T00:00:00Z"}
                whole = {"approval_id": target, "number": 1, "decision": said}
                claimed = {**whole, "decision": {**said, "signed": True, "key": "SHA256:x", "void": ""}}
                yield writing(f"{target}.1.json", json.dumps(whole).encode())
                yield writing(f"{target}.1.json", json.dumps(claimed).encode())
                yield writing(f"{target}.draft.json", json.dumps(whole).encode())


def foreign(scene: Scene) -> Iterator[Attack]:
    """Well-formed decisions after the last one, signed by somebody who is not on the roster, or with a signature that
    an approver gave for something else."""
    keys = {name: signer(scene.team.key(name), ()) for name in ("Ada", "Eve")}
    given = [raw.split(b"\n")[1] for name, raw in scene.states[-1].items() if name.count(".") == 3]
    for target in scene.truth:
        last = scene.states[-1]
        chain = sorted(n for n in last if n.startswith(f"{target}.") and n.count(".") == 3)
        for name in NAMES:
            for verdict in ("approve", "reject", "withdraw"):
                for whose in ("Ada", "Eve"):
                    line = Statement(
                        approval_id=target, case=sha256(last[f"{target}.json"]), number=len(chain) + 1,
                        previous=sha256(last[chain[-1]]) if chain else "", verdict=verdict, name=name,  # type: ignore[arg-type]
                        reason="because", at=datetime.now(UTC), key=keys[whose].fingerprint,
                    ).model_dump_json().encode()  # fmt: skip
                    own = json.dumps({"signature": base64.b64encode(keys["Eve"].sign(line)).decode()}).encode()
                    for signature in (own, given[0]):
                        raw = line + b"\n" + signature + b"\n"
                        yield writing(f"{target}.{len(chain) + 1}.{sha256(raw)[:32]}.json", raw)


def oddities(scene: Scene) -> Iterator[Attack]:
    """What is no plain file, is too large, is cut short, or differs in a byte."""
    chance = random.Random(7)
    aside = scene.home / "elsewhere"
    aside.write_text("{}")
    for name, raw in scene.states[-1].items():

        def instead(make: Callable[[Path], object], name: str = name) -> Attack:
            def attack(folder: Path) -> None:
                (folder / name).unlink()
                make(folder / name)

            return attack

        yield instead(lambda path: path.symlink_to(aside))
        yield instead(lambda path: path.symlink_to(path))
        yield instead(lambda path: os.link(aside, path))
        yield instead(os.mkfifo)
        yield instead(Path.mkdir)
        for _ in range(8):
            at = chance.randrange(len(raw))
            yield writing(name, raw[:at])
            yield writing(name, raw[:at] + bytes([raw[at] ^ 1 << chance.randrange(8)]) + raw[at + 1 :])
        yield writing(name, raw + b"\n")
        yield writing(name, b"\xef\xbb\xbf" + raw)
    one = next(iter(scene.states[-1]))
    yield writing(one, b"[" * 100_000)
    yield writing(one, scene.states[-1][one] + b" " * 6_000_000)
    for head in scene.team.heads.iterdir():
        yield writing(head.name, head.read_bytes())


def new_cases(scene: Scene) -> Iterator[Attack]:
    """Cases that nobody asked, of the same run and about the same claims, with other passages and decisions to them."""
    from veritas.approvals.approval import approval_id

    for target in scene.truth:
        asked = json.loads(scene.states[-1][f"{target}.json"])
        asked["case"]["passages"][0]["text"] = "It needs no oil."
        case = Case.model_validate(asked["case"])
        asked["approval_id"] = made = approval_id(asked["kind"], asked["run_id"], asked["subject_id"], case, 0)
        said = {"verdict": "approve", "name": "Ada", "reason": "because", "at": "2026-01-01T00:00:00Z"}

        def attack(folder: Path, asked: Any = asked, made: str = made, said: Any = said) -> None:
            (folder / f"{made}.json").write_text(json.dumps(asked))
            decided = {"approval_id": made, "number": 1, "decision": said}
            (folder / f"{made}.1.json").write_text(json.dumps(decided))

        yield attack


KINDS = (edits, removals, swaps, rollbacks, unsigned, foreign, oddities, new_cases)


def test_of_more_than_a_thousand_forgeries_none_takes_effect(own_home: Path, team: Team) -> None:
    scene = Scene(own_home, team)
    assert [scene.truth[name][0] for name in scene.truth] == [
        "pending", "approved", "rejected", "withdrawn", "approved", "expired", "pending"
    ]  # fmt: skip
    tried = 0
    for kind in KINDS:
        attacks = list(kind(scene))
        assert attacks, kind.__name__
        # of the many that differ in little, every third: which third changes with the kind
        for number, attack in enumerate(attacks):
            if len(attacks) > 400 and number % 3:
                continue
            attack(scene.folder)
            assert scene.took_effect() == [], f"{kind.__name__} {number}"
            scene.restore()
            tried += 1
    assert tried > 1_000
    assert {name: outcome(approvals.find(name)) for name in scene.truth} == scene.truth, "and all is as it was"


def test_whoever_asks_again_after_an_attack_gets_the_truth_or_an_error(own_home: Path, team: Team) -> None:
    scene = Scene(own_home, team)
    for kind in (edits, removals, rollbacks, unsigned, oddities):
        for attack in list(kind(scene))[::9]:
            attack(scene.folder)
            for number, target in enumerate((scene.pending, scene.approved, scene.rejected, scene.withdrawn)):
                with contextlib.suppress(StoreUnavailable):
                    assert outcome(put(f"c-{number}")) == scene.truth[target], kind.__name__
            scene.restore()


def test_an_edited_or_missing_file_of_a_decided_case_is_seen(own_home: Path, team: Team) -> None:
    scene = Scene(own_home, team)
    kept = dict(scene.states[-1])
    for name, raw in kept.items():
        for changed_to in (raw.replace(b"page 3", b"page 4").replace(b"A forum", b"Manual"), None):
            (scene.folder / name).unlink()
            if changed_to is not None:
                (scene.folder / name).write_bytes(changed_to)
            (problem,) = approvals.unreadable()
            assert name[:14] in problem
            assert "admits nothing" in problem
            scene.restore()


def test_an_approver_signs_no_case_that_was_edited(own_home: Path, team: Team) -> None:
    asked = put("c-1")
    path = own_home / "approvals" / f"{asked.approval_id}.json"
    kept = path.read_text()
    for old, new in (("0.4", "0.9"), ("A forum", "The manual"), ('"silent"', '"supports"'), ("confirmed", "certain")):
        path.write_text(kept.replace(old, new))
        with pytest.raises(StoreUnavailable, match=r"not what was asked, by the record in .*case\."):
            approvals.settle(asked.approval_id, "approve", "Ada", "page 3", key=team.key("Ada"))
    path.write_text(kept)
    assert approvals.settle(asked.approval_id, "approve", "Ada", "page 3", key=team.key("Ada")).state() == "approved"


def test_on_another_machine_a_case_that_was_edited_is_signed_for_nothing(
    own_home: Path, team: Team, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The approver's machine has the folder, and no record of what was asked; the run's has it."""
    asked = put("c-1")
    path = own_home / "approvals" / f"{asked.approval_id}.json"
    kept = path.read_text()
    path.write_text(kept.replace("0.4", "0.9"))
    there = tmp_path / "laptop"
    there.mkdir()
    (there / "approvals").symlink_to(own_home / "approvals")
    how: Any = {"key": team.key("Ada"), "home": there}
    with pytest.raises(InputError, match="not the one that you read"):
        approvals.settle(asked.approval_id, "approve", "", "page 3", seen=asked.fingerprint, **how)
    signed = approvals.settle(asked.approval_id, "approve", "", "page 3", **how)
    assert (signed.state(), signed.recorded) == ("pending", False)
    with pytest.raises(StoreUnavailable, match="not what was asked"):
        approvals.find(asked.approval_id)
    assert put("c-1").state() == "pending", "put back as it was asked, which nobody has signed"
    approvals.settle(asked.approval_id, "approve", "", "page 3", seen=asked.fingerprint, **how)
    assert approvals.find(asked.approval_id).state() == "approved"


def test_a_key_that_can_be_loaded_is_needed_to_make_the_attacks_of_this_file(team: Team) -> None:
    """The foreign key is a real one: its signatures verify, and its holder is nobody here."""
    from veritas.approvals.signing import verified

    eve = signer(team.key("Eve"), ())
    private = load_ssh_private_key(team.key("Eve").read_bytes(), None)
    signature = base64.b64encode(eve.sign(b"x")).decode()
    assert verified(private.public_key(), b"x", signature)  # type: ignore[arg-type]
    assert not verified(private.public_key(), b"y", signature)  # type: ignore[arg-type]
