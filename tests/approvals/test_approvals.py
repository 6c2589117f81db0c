"""Approvals as files: settled with name and reason or not at all, by one person at a time, whatever the disk does."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import preloaded
from veritas import approvals
from veritas.approvals import Approval, Case, CasePassage
from veritas.claims.override import PersonDecision
from veritas.errors import InputError, StoreUnavailable

CASE = Case(claim="The pump needs no oil.", passages=(CasePassage(text="It needs no oil, I think.", source="Forum"),))


def put(subject: str = "c-1", *, run_id: str | None = "r1", **more: object) -> Approval:
    return asyncio.run(
        approvals.ask("research-claim", subject, "You probably expected …", CASE, run_id=run_id, **more)  # type: ignore[arg-type]
    )


def test_what_is_asked_waits_and_lets_nothing_in() -> None:
    asked = put()
    assert asked.state() == "pending"
    assert [a.approval_id for a in approvals.pending()] == [asked.approval_id]


def test_an_answer_stands_when_the_same_is_asked_again() -> None:
    approvals.settle(put().approval_id, "reject", "Ada", "the forum guesses")
    assert put().state() == "rejected"
    assert approvals.pending() == []


def test_another_run_and_other_passages_are_another_question() -> None:
    ids = {put().approval_id, put(run_id="r2").approval_id, put(run_id=None).approval_id}
    other = CASE.model_copy(update={"passages": (CasePassage(text="Oil it daily."),)})
    ids.add(asyncio.run(approvals.ask("research-claim", "c-1", "…", other, run_id="r1")).approval_id)
    assert len(ids) == 4


@pytest.mark.parametrize("name", ["", "   ", "\n", "\u200b", "…"])
def test_an_override_without_a_name_is_refused(name: str) -> None:
    asked = put()
    with pytest.raises(InputError, match="name"):
        approvals.settle(asked.approval_id, "approve", name, "because")
    assert approvals.find(asked.approval_id).state() == "pending"


@pytest.mark.parametrize("reason", ["", "  \t ", "—", "\u202e"])
def test_an_override_without_a_reason_is_refused(reason: str) -> None:
    asked = put()
    with pytest.raises(InputError, match="reason"):
        approvals.settle(asked.approval_id, "approve", "Ada", reason)
    assert approvals.find(asked.approval_id).state() == "pending"


def test_approved_then_withdrawn_then_approved_again_keeps_every_word() -> None:
    asked = put()
    approvals.settle(asked.approval_id, "approve", "Ada", "page 3 says so")
    assert approvals.withdraw(asked.approval_id, "Bob", "page 3 was retracted").state() == "withdrawn"
    again = approvals.settle(asked.approval_id, "approve", "Ada", "page 4 says so too")
    assert again.state() == "approved"
    said = [(d.verdict, d.name) for d in again.decisions]
    assert said == [("approve", "Ada"), ("withdraw", "Bob"), ("approve", "Ada")]


def test_a_settled_one_is_not_settled_over_and_says_by_whom() -> None:
    asked = put()
    approvals.settle(asked.approval_id, "approve", "Ada", "page 3")
    with pytest.raises(InputError, match=r"approved already by Ada \(unsigned\): page 3"):
        approvals.settle(asked.approval_id, "reject", "Bob", "no")
    with pytest.raises(InputError, match="no decision to withdraw"):
        approvals.withdraw(put("c-2").approval_id, "Bob", "no")


def test_the_time_limit_ends_in_left_out() -> None:
    asked = put(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert asked.state() == "expired"
    assert approvals.pending() == []
    with pytest.raises(InputError, match="left out"):
        approvals.settle(asked.approval_id, "approve", "Ada", "late")
    again = put(expires_at=datetime.now(UTC) + timedelta(hours=1))
    assert again.approval_id != asked.approval_id
    assert again.state() == "pending"


def test_a_late_approval_written_by_hand_counts_for_nothing() -> None:
    until = datetime.now(UTC) - timedelta(hours=1)
    late = PersonDecision(verdict="approve", name="Ada", reason="late", at=until + timedelta(seconds=1))
    assert put(expires_at=until).model_copy(update={"decisions": (late,)}).state() == "expired"


words = st.sampled_from(["approve", "reject", "withdraw"])


@given(
    said=st.lists(st.tuples(words, st.integers(0, 100))),
    limit=st.none() | st.integers(0, 100),
    at=st.integers(0, 200),
)
def test_only_a_timely_approval_that_nobody_took_back_lets_in(
    said: list[tuple[str, int]], limit: int | None, at: int
) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    decisions = [
        PersonDecision(verdict=v, name="A", reason="r", at=start + timedelta(minutes=m))  # type: ignore[arg-type]
        for v, m in sorted(said, key=lambda pair: pair[1])
    ]
    asked = Approval(
        approval_id="a-0", kind="citation", subject_id="s", sentence="…", case=CASE, created_at=start,
        expires_at=None if limit is None else start + timedelta(minutes=limit), decisions=tuple(decisions),
    )
    state = asked.state(start + timedelta(minutes=at))
    timely = [d for d in decisions if d.verdict == "withdraw" or limit is None or d.at <= asked.expires_at]  # type: ignore[operator]
    assert (state == "approved") == (bool(timely) and timely[-1].verdict == "approve")


def _race(home: str, approval: str, name: str, start: float) -> str:
    os.environ["VERITAS_HOME"] = home
    time.sleep(max(0.0, start - time.time()))
    try:
        approvals.settle(approval, "approve" if name < "n" else "reject", name, f"because {name}")
    except InputError:
        return "told"
    return name


def test_of_people_who_settle_at_the_same_moment_one_is_first_and_the_others_are_told(own_home: Path) -> None:
    context = multiprocessing.get_context("spawn")
    asked = [put(f"c-{n}").approval_id for n in range(4)]
    start = time.time() + 3
    with context.Pool(4) as pool:
        jobs = [(str(own_home), a, f"{who}{n}", start + n * 0.05) for n, a in enumerate(asked) for who in "amzx"]
        jobs = sorted(jobs, key=lambda job: job[3])
        outcomes = pool.starmap(_race, jobs, chunksize=1)
    for approval in asked:
        won = [o for o, job in zip(outcomes, jobs, strict=True) if job[1] == approval and o != "told"]
        assert len(won) == 1
        assert [d.name for d in approvals.find(approval).decisions] == won


_KILLED = """
import os, signal, sys
from pathlib import Path
import veritas.files
from veritas import approvals
os.{function} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
approvals.settle(sys.argv[1], "approve", "Ada", "because")
"""


@pytest.mark.parametrize("function", ["fsync", "link"])
def test_killed_in_the_middle_of_a_decision_it_is_as_if_nobody_had_decided(function: str, own_home: Path) -> None:
    asked = put()
    ended = preloaded.run(["-c", _KILLED.format(function=function), asked.approval_id])
    assert ended.returncode == -signal.SIGKILL
    assert [a.approval_id for a in approvals.pending()] == [asked.approval_id]
    assert approvals.settle(asked.approval_id, "approve", "Ada", "once more").state() == "approved"


def test_a_full_disk_is_said_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = put()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreUnavailable, match="No space left"):
        approvals.settle(asked.approval_id, "approve", "Ada", "because")
    with pytest.raises(StoreUnavailable, match="No space left"):
        put("c-2")
    monkeypatch.undo()


def test_after_a_full_disk_nothing_is_half_there(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put()
    before = sorted((own_home / "approvals").iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(StoreUnavailable):
            put("c-2")
    assert sorted((own_home / "approvals").iterdir()) == before


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "\x00\x01", '{"approval_id": "a-000000000000"}', "[" * 100_000]
)
def test_a_corrupt_file_lets_nothing_in_and_hides_nothing_else(text: str, own_home: Path) -> None:
    broken, sound = put(), put("c-2")
    approvals.settle(broken.approval_id, "approve", "Ada", "because")
    (own_home / "approvals" / f"{broken.approval_id}.json").write_text(text)
    assert [a.approval_id for a in approvals.every()] == [sound.approval_id]
    assert len(approvals.unreadable()) == 1
    with pytest.raises(StoreUnavailable, match="admits nothing"):
        approvals.find(broken.approval_id)
    assert put().state() == "approved", "the case is filed anew, and the decision has a file of its own"


def test_a_corrupt_or_missing_decision_lets_nothing_in(own_home: Path) -> None:
    asked = put()
    approvals.settle(asked.approval_id, "approve", "Ada", "because")
    approvals.withdraw(asked.approval_id, "Ada", "mistaken")
    first, second = (own_home / "approvals" / f"{asked.approval_id}.{n}.json" for n in (1, 2))
    kept = second.read_text()
    second.write_text("{")
    assert approvals.every() == []
    second.write_text(kept)
    text = first.read_text()
    first.unlink()
    assert approvals.every() == [], "a withdrawal without its approval is not read as if nothing had been"
    first.write_text(text)
    assert approvals.find(asked.approval_id).state() == "withdrawn"


def test_a_decision_copied_from_another_approval_decides_nothing(own_home: Path) -> None:
    one, other = put(), put("c-2")
    approvals.settle(one.approval_id, "approve", "Ada", "because")
    folder = own_home / "approvals"
    (folder / f"{other.approval_id}.1.json").write_text((folder / f"{one.approval_id}.1.json").read_text())
    assert [a.approval_id for a in approvals.every()] == [one.approval_id]


def test_a_claim_changed_after_it_was_asked_about_is_not_approved(own_home: Path) -> None:
    asked = put()
    path = own_home / "approvals" / f"{asked.approval_id}.json"
    changed = json.loads(path.read_text())
    changed["case"]["claim"] = "The pump runs on oil."
    path.write_text(json.dumps(changed))
    with pytest.raises(StoreUnavailable, match="does not belong to its id"):
        approvals.settle(asked.approval_id, "approve", "Ada", "because")


@pytest.mark.parametrize("name", ["", "..", "a-../../x", "a-xyz", "a-0123456789abcdef", "*", "a-" + "0" * 10_000])
def test_an_id_that_is_none_names_no_file(name: str) -> None:
    put()
    with pytest.raises(InputError):
        approvals.find(name)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(min_size=1, max_size=200))
def test_any_text_survives_the_disk_or_is_refused(text: str, own_home: Path) -> None:
    case = Case(claim=text, passages=(CasePassage(text=text, source=text),))
    asked = asyncio.run(approvals.ask("citation", "s", text, case))
    assert approvals.find(asked.approval_id).case == case


hostile = st.text(max_size=120) | st.lists(
    st.sampled_from([
        "<script>alert(1)</script>", "![x](http://evil.example/p.png)", "[x](javascript:alert(1))",
        "http://evil.example", "www.evil.example", "a@evil.example", "<http://evil.example>", "**b**", "`c`", "# h",
        "- l",
        "1. n", "&lt;", "&#58;",
        "\\", "\n\n", "***", "---", "| a | b |", "{{ x }}", "~~s~~", "p < 0.05", "<!-- -->", "> q", "+ x", "===",
    ]),
    max_size=8,
).map(" ".join)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(text=hostile)
def test_what_strangers_wrote_comes_out_of_a_form_as_that_very_text(text: str) -> None:
    from markdown_it import MarkdownIt

    from veritas.approvals.render_case import plain
    from veritas.text.visible import one_line

    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(plain(text))
    inline = [child for token in tokens for child in token.children or ()]
    assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for child in inline} <= {"text", "text_special"}
    assert "".join(child.content for child in inline) == one_line(text)
    assert "://" not in plain(text)
    assert "www." not in plain(text).lower()
