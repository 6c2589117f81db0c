"""Decisions with a roster: signed by who may, two where two are needed, kept through every change of the roster."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization as pack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from tests import preloaded
from tests.approvals.test_approvals import put
from tests.approvers import Team
from veritas import approvals
from veritas.approvals import Approval, signing
from veritas.approvals.notes import note_of
from veritas.approvals.render_case import markdown, said, screen
from veritas.errors import InputError, PolicyError, StoreUnavailable


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    made = Team(tmp_path / "team", "Ada", "Bob")
    monkeypatch.setenv("VERITAS_APPROVERS", str(made.roster))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return made


def decide(team: Team, asked: Approval, verdict: Any = "approve", who: str = "Ada", **more: Any) -> Approval:
    return approvals.settle(asked.approval_id, verdict, "", "page 3", key=team.key(who), **more)


def test_a_signed_word_has_its_effect_and_says_by_which_key(team: Team) -> None:
    asked = put()
    done = decide(team, asked)
    assert (done.state(), done.by, done.why) == ("approved", "Ada", "page 3")
    assert "approved by Ada on" in said(done.decisions[0])
    assert "signed with SHA256:" in said(done.decisions[0])
    assert decide(team, asked, "withdraw", "Bob").state() == "withdrawn"
    assert decide(team, asked, "reject", "Bob").state() == "rejected"
    assert decide(team, asked, "withdraw").state() == "withdrawn"
    assert decide(team, asked).state() == "approved"
    assert [d.who for d in approvals.find(asked.approval_id).decisions] == ["Ada", "Bob", "Bob", "Ada", "Ada"]
    assert put().state() == "approved", "asked again, the answer stands"


@pytest.mark.parametrize("who", ["Bob", "ada", "\u0410da", "A\u200bda", "\uff21da"])
def test_nobody_signs_in_another_name(team: Team, who: str) -> None:
    asked = put()
    with pytest.raises(InputError, match="is Ada's, and cannot sign for"):
        approvals.settle(asked.approval_id, "approve", who, "page 3", key=team.key("Ada"))
    assert approvals.find(asked.approval_id).decisions == ()


def test_who_is_not_on_the_roster_cannot_decide(team: Team, own_home: Path) -> None:
    asked = put()
    with pytest.raises(InputError, match="is on no roster"):
        decide(team, asked, who="Eve")
    with pytest.raises(InputError, match="no key of an approver"):
        approvals.settle(asked.approval_id, "approve", "Ada", "page 3")
    assert sorted(p.name for p in (own_home / "approvals").iterdir()) == [f"{asked.approval_id}.json"]
    assert not team.heads.exists()


def test_an_approver_decides_about_what_the_roster_lets_them(team: Team) -> None:
    team.write("Ada", more="    may: [citation]")
    with pytest.raises(InputError, match="does not let Ada decide about a research-claim"):
        decide(team, put())


def test_what_an_approver_may_no_longer_decide_about_lets_nothing_in(team: Team) -> None:
    asked = put()
    decide(team, asked)
    team.write("Bob", "Ada", more="    may: [citation]")
    found = approvals.find(asked.approval_id)
    assert (found.state(), found.voices) == ("pending", ())
    assert "does not let Ada decide about a research-claim" in found.decisions[0].void
    team.write("Ada", "Bob")
    assert approvals.find(asked.approval_id).state() == "approved"


def test_an_approver_who_can_write_heads_cannot_speak_in_the_name_of_another(team: Team, own_home: Path) -> None:
    """Bob signs, and puts Ada's name and key to it, in the decision and in its head."""
    asked = put()
    decide(team, asked, who="Bob")
    (head,) = team.heads.iterdir()
    told = json.loads(head.read_text())
    (signed,) = (own_home / "approvals").glob(f"{asked.approval_id}.1.*.json")
    line, rest = signed.read_bytes().split(b"\n", 1)
    said = json.loads(line)
    raw = json.dumps({**said, "name": "Ada", "key": _fingerprint(team, "Ada")}).encode() + b"\n" + rest
    digest = hashlib.sha256(raw).hexdigest()
    signed.unlink()
    signed.with_name(f"{asked.approval_id}.1.{digest[:32]}.json").write_bytes(raw)
    head.write_text(json.dumps({**told, "decision": digest}))
    with pytest.raises(StoreUnavailable, match="the signature of decision 1 is not Ada's"):
        approvals.find(asked.approval_id)


def _fingerprint(team: Team, name: str) -> str:
    return signing.fingerprint(signing.public_key(team.public[name]))


def test_what_needs_two_persons_is_let_in_by_two_different_ones(team: Team) -> None:
    team.write("Ada", "Bob", more="two_persons: [research-claim]")
    asked = put()
    half = decide(team, asked)
    assert (half.state(), half.by) == ("pending", "Ada")
    assert "2 different persons have to approve it" in screen(half, 500)
    with pytest.raises(InputError, match=r"Ada has approved .* already, and 2 different persons have to"):
        decide(team, asked)
    whole = decide(team, asked, who="Bob")
    assert (whole.state(), whole.by, note_of(whole).by) == ("approved", "Ada and Bob", "Ada and Bob")
    assert decide(team, asked, "withdraw").state() == "withdrawn"
    assert decide(team, asked, who="Bob").state() == "pending", "what was withdrawn needs both again"


def test_two_persons_are_two_names_and_two_keys(team: Team) -> None:
    for again, why in (("ADA", "is on the roster already"), ("\uff21\uff44\uff41", "is on the roster already"),
                       ("Grace", "this key is Ada's already"), ("A\u200bda", "printable")):  # fmt: skip
        team.write("Ada", more=f"  - name: {again}\n    key: {team.public['Ada']}\ntwo_persons: [citation]")
        with pytest.raises(PolicyError, match=why):
            put()
    team.write("Ada", more="two_persons: [citation]")
    with pytest.raises(PolicyError, match="fewer than two approvers"):
        put()


@pytest.mark.parametrize("key", ["", "AAAA", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQ==", "ssh-ed25519 AAAA", "[]"])
def test_a_roster_with_a_key_that_is_none_is_refused_and_never_read_as_no_roster(team: Team, key: str) -> None:
    asked = put()
    team.roster.write_text(f"approvers:\n  - name: Ada\n    key: {key}\n")
    with pytest.raises(PolicyError, match=r"approvers\.yaml:\d"):
        approvals.find(asked.approval_id)


def test_a_roster_that_is_named_and_missing_is_said(team: Team) -> None:
    team.roster.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        put()


def test_roster_and_heads_inside_the_approvals_folder_are_refused(team: Team, own_home: Path) -> None:
    team.write("Ada", more=f"heads: {own_home / 'approvals' / 'heads'}")
    with pytest.raises(PolicyError, match="lies inside"):
        put()


def test_a_removed_approver_lets_nothing_in_and_stays_visible(team: Team) -> None:
    asked, barred = put(), put("c-2")
    decide(team, asked)
    decide(team, barred, "reject")
    team.write("Bob")
    found = approvals.find(asked.approval_id)
    assert found.state() == "pending"
    assert "approved by Ada (key not on the roster)" in screen(found, 500)
    assert "counts for nothing: its key is not on the roster" in screen(found, 500)
    assert approvals.find(barred.approval_id).state() == "rejected", "what keeps out still does"
    assert decide(team, asked, who="Bob").state() == "approved"
    team.write("Ada")
    assert approvals.find(asked.approval_id).state() == "approved"


def test_a_withdrawal_holds_when_the_one_who_gave_it_leaves_the_roster(team: Team) -> None:
    asked = put()
    decide(team, asked)
    decide(team, asked, "withdraw", "Bob")
    team.write("Ada")
    assert approvals.find(asked.approval_id).state() == "withdrawn"


def test_while_a_key_is_replaced_both_count(team: Team) -> None:
    asked = put()
    decide(team, asked)
    both = "".join(f"      - {team.public[name]}\n" for name in ("Ada", "Eve"))
    team.roster.write_text(f"approvers:\n  - name: Ada\n    key:\n{both}")
    assert approvals.find(asked.approval_id).state() == "approved"
    assert decide(team, asked, "withdraw", "Eve").by == "Ada"


def test_another_person_of_that_name_does_not_inherit_what_was_signed(team: Team) -> None:
    asked = put()
    decide(team, asked)
    team.roster.write_text(f"approvers:\n  - name: Grace\n    key: {team.public['Ada']}\n")
    found = approvals.find(asked.approval_id)
    assert found.state() == "pending"
    assert "calls the owner of its key Grace" in screen(found, 500)


def test_decisions_of_before_the_roster_are_seen_and_let_nothing_in(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VERITAS_APPROVERS")
    asked, barred = put(), put("c-2")
    assert approvals.settle(asked.approval_id, "approve", "Ada", "page 3").by == "Ada (unsigned)"
    approvals.settle(barred.approval_id, "reject", "Ada", "page 3")
    monkeypatch.setenv("VERITAS_APPROVERS", str(team.roster))
    for one in (asked, barred):
        found = approvals.find(one.approval_id)
        assert found.state() == "pending"
        assert "by Ada (unsigned)" in screen(found, 500)
        assert "counts for nothing: unsigned, and there is a roster" in screen(found, 500)
    assert decide(team, asked).state() == "approved"


def test_signed_decisions_without_a_roster_to_check_them_let_nothing_in(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = put()
    decide(team, asked)
    monkeypatch.delenv("VERITAS_APPROVERS")
    found = approvals.find(asked.approval_id)
    assert found.state() == "pending"
    assert "no roster of approvers here to check it by" in screen(found, 500)


def test_heads_that_are_not_there_are_not_read_as_if_nobody_had_decided(team: Team) -> None:
    asked = put()
    decide(team, asked, "reject")
    team.heads.rename(team.folder / "elsewhere")
    with pytest.raises(StoreUnavailable, match="Mount it"):
        put()


def test_what_expired_is_not_signed_late_nor_with_a_clock_set_back(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    over = put(expires_at=datetime.now(UTC) - timedelta(minutes=1))
    with pytest.raises(InputError, match="ended at"):
        decide(team, over)
    asked, fresh = put("c-2"), put("c-3")
    decide(team, asked)
    from veritas.approvals import settlement

    class Earlier(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.now(tz) - timedelta(hours=1)

    monkeypatch.setattr(settlement, "datetime", Earlier)
    with pytest.raises(InputError, match="clock of this machine is behind"):
        decide(team, asked, "withdraw")
    with pytest.raises(InputError, match="clock of this machine is behind"):
        decide(team, fresh)


_KILLED = """
import os, signal, sys
from pathlib import Path
import veritas.approvals.chain as chain
from veritas import approvals
chain.write_new = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
approvals.settle(sys.argv[1], "approve", "", "page 3", key=Path(sys.argv[2]))
"""


def test_killed_between_decision_and_head_it_is_as_if_nobody_had_decided(team: Team, own_home: Path) -> None:
    asked = put()
    command = ["-c", _KILLED, asked.approval_id, team.key("Ada")]
    assert preloaded.run(command).returncode == -signal.SIGKILL
    assert len(list((own_home / "approvals").iterdir())) == 2
    assert approvals.find(asked.approval_id).decisions == ()
    assert decide(team, asked).state() == "approved"


@pytest.mark.parametrize("needed", [1, 2])
def test_of_two_who_sign_at_once_one_is_first_and_the_other_is_told(
    team: Team, own_home: Path, monkeypatch: pytest.MonkeyPatch, needed: int
) -> None:
    from veritas.approvals import chain

    team.write("Ada", "Bob", more="two_persons: [research-claim]" if needed == 2 else "")
    asked, gate, told = put(), threading.Barrier(2), []
    known = chain.write_whole

    def together(*what: Any) -> None:
        known(*what)
        gate.wait(10)

    monkeypatch.setattr(chain, "write_whole", together)

    def one(who: str) -> None:
        try:
            decide(team, asked, who=who)
        except InputError as problem:
            told.append(str(problem))

    threads = [threading.Thread(target=one, args=(who,)) for who in ("Ada", "Bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    (only,) = approvals.find(asked.approval_id).decisions
    assert len(told) == 1
    assert f"decided on in this very moment by {only.name}" in told[0]
    assert ("it still waits" in told[0]) is (needed == 2)
    assert len(list((own_home / "approvals").iterdir())) == 2, "what was not kept is not there"


@pytest.mark.parametrize("then", [FileExistsError, KeyboardInterrupt])
def test_a_head_that_was_made_is_never_left_without_its_decision(
    team: Team, monkeypatch: pytest.MonkeyPatch, then: type[BaseException]
) -> None:
    """Over a network file system, a link that was made may be answered with "exists"; Ctrl-C may come after it."""
    asked, link = put(), os.link

    def linked(source: Any, target: Any) -> None:
        link(source, target)
        if Path(target).parent == team.heads:
            raise then

    with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(os, "link", linked)
        decide(team, asked)
    assert approvals.unreadable() == []
    assert approvals.find(asked.approval_id).state() == "approved"


def test_heads_that_cannot_be_written_leave_nothing_behind(team: Team, own_home: Path) -> None:
    asked = put()
    team.heads.write_text("a file")
    with pytest.raises(StoreUnavailable, match=r"approvals_head"):
        decide(team, asked)
    team.heads.unlink()
    assert [p.name for p in (own_home / "approvals").iterdir()] == [f"{asked.approval_id}.json"]


def test_a_signature_that_does_not_verify_is_not_kept(
    team: Team, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that signs with another key than it was asked for would leave a record that nobody could read again."""
    asked = put()
    known, eve = signing.signer, signing.signer(team.key("Eve"), ())
    monkeypatch.setattr(signing, "signer", lambda *which: signing.Signer(known(*which).fingerprint, eve.sign))
    with pytest.raises(InputError, match="does not verify"):
        decide(team, asked)
    monkeypatch.undo()
    assert [p.name for p in (own_home / "approvals").iterdir()] == [f"{asked.approval_id}.json"]
    assert not team.heads.exists()


def test_a_draft_counts_for_nothing_until_it_is_signed(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = put()
    drafted = approvals.draft(asked.approval_id, "approve", "Somebody", "I run one dry")
    assert (drafted.state(), drafted.decisions) == ("pending", ())
    assert "Drafted, and not signed: approve, by Somebody: I run one dry" in screen(drafted, 500)
    assert decide(team, asked).draft is None, "what was decided since needs no draft"
    monkeypatch.delenv("VERITAS_APPROVERS")
    with pytest.raises(InputError, match="no roster"):
        approvals.draft(put("c-2").approval_id, "approve", "Ada", "x")
    assert markdown(asked)


def written(path: Path, key: Any, password: bytes | None = None, form: Any = pack.PrivateFormat.PKCS8) -> Path:
    locked = pack.BestAvailableEncryption(password) if password else pack.NoEncryption()
    path.write_bytes(key.private_bytes(pack.Encoding.PEM, form, locked))
    return path


def test_a_key_that_cannot_be_used_is_said_in_a_sentence(team: Team, tmp_path: Path) -> None:
    asked = put()
    key = Ed25519PrivateKey.generate()
    (tmp_path / "junk").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
    public = tmp_path / "ada.pub"
    public.write_text(team.public["Ada"])
    for path, why in (
        (tmp_path / "none", "there is no key file"),
        (tmp_path, "cannot be read"),
        (tmp_path / "junk", "holds no private key"),
        (written(tmp_path / "locked", key, b"secret"), "passphrase, and there is no terminal"),
        (public, "is a public key, and no ssh-agent here holds its private half"),
        (written(tmp_path / "rsa", generate_private_key(65537, 2048)), "not an Ed25519 key"),
    ):
        with pytest.raises(InputError, match=why):
            approvals.settle(asked.approval_id, "approve", "", "page 3", key=path)


@pytest.mark.skipif(not os.path.exists("/usr/bin/ssh-agent"), reason="needs OpenSSH")
def test_a_key_with_a_passphrase_signs_through_the_ssh_agent(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", locked], check=True)
    team.roster.write_text(f"approvers:\n  - name: Ada\n    key: {locked.with_suffix('.pub').read_text()}")
    asked = put()
    ask = tmp_path / "ask"
    ask.write_text("#!/bin/sh\nexit 1\n")
    ask.chmod(0o700)
    monkeypatch.setenv("SSH_ASKPASS", str(ask))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    with pytest.raises(InputError, match="ssh-keygen did not sign"):
        approvals.settle(asked.approval_id, "approve", "", "page 3", key=locked)
    ask.write_text("#!/bin/sh\necho secret\n")
    socket = tmp_path / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL) as agent:
        try:
            monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
            for _ in range(50):
                if not subprocess.run(["ssh-add", "-q", locked], check=False, stderr=subprocess.DEVNULL).returncode:
                    break
            assert approvals.settle(asked.approval_id, "approve", "", "page 3").by == "Ada"
            done = approvals.settle(asked.approval_id, "withdraw", "", "no", key=locked.with_suffix(".pub"))
            assert done.state() == "withdrawn"
        finally:
            agent.terminate()
