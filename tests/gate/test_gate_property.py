"""Every way in which oracle and lenses can answer or fail, under every rule: nothing unconfirmed gets through."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from veritas import Judgment, Unavailable
from veritas.council.families import voice
from veritas.gate import Attribution, Decision, Finding, Gate, OracleAnswer, settle
from veritas.gate.ruling import Ruling
from veritas.policy.gate_policy import CombinationRule, Condition, GatePolicy, Measure, load_gate_policy

AUTHOR = "house-a"
SAID = "Water boils at 100 degrees."
LABELS = ("supports", "refutes", "silent", "unavailable")
FAMILIES = (AUTHOR, "house-b", "embedded:entailment", "embedded:numeric")
SHIPPED = load_gate_policy()
RULES = {
    **SHIPPED.rules,
    "alone-and-oracle": CombinationRule(combine="quorum", lenses=1, needed=2),
    "all-four": CombinationRule(combine="quorum", lenses=3, families=1, needed=4),
}
SOURCE = (Attribution(title="Another title", year=2020),)


def answer(verdict: str, correction: bool = True) -> OracleAnswer:
    return OracleAnswer.model_validate(
        {"oracle": "o", "verdict": verdict, "rationale": verdict,
         "correction": SOURCE if verdict == "misattributed" and correction else ()}
    )  # fmt: skip


ORACLE_WAYS: list[list[OracleAnswer]] = [
    [],
    *([answer(v)] for v in ("confirmed", "fabricated", "misattributed", "cannot-confirm", "unavailable")),
    [answer("misattributed", correction=False)],
    *([answer("misattributed"), answer(v)] for v in ("confirmed", "fabricated", "misattributed", "cannot-confirm")),
    [answer("misattributed"), answer("unavailable")],
    # what no honest caller brings
    [answer("fabricated"), answer("confirmed")],
    [answer("unavailable"), answer("confirmed")],
    [answer("misattributed", correction=False), answer("confirmed")],
    [answer("misattributed"), answer("misattributed"), answer("confirmed")],
]
CONFIRMED = [w for w in ORACLE_WAYS if [a.verdict for a in w] in (["confirmed"], ["misattributed", "confirmed"])]


def confirmed_by_oracle(answers: Sequence[OracleAnswer]) -> bool:
    """By the specification alone: confirmed, at once or after one correction that the oracle named."""
    said = [a.verdict for a in answers]
    return said == ["confirmed"] or (said == ["misattributed", "confirmed"] and bool(answers[0].correction))


def grounded(rule: CombinationRule, judgments: Sequence[Judgment] | None) -> bool:
    """By the specification alone: who was asked answered, none of the author's family, and enough of them support."""
    if not judgments or len(judgments) < rule.lenses or len({j.lens for j in judgments}) != len(judgments):
        return False
    if any(j.label == "unavailable" or j.family == AUTHOR for j in judgments):
        return False
    ours = [j for j in judgments if j.label == "supports"]
    if len({voice(j.family, author=AUTHOR) for j in ours}) < rule.families or not ours:
        return False
    if rule.combine == "unanimity":
        return len(ours) == len(judgments)
    if rule.combine == "quorum":
        return 2 * len(ours) > len(judgments) and len(ours) + rule.oracle >= (rule.needed or 99)
    weigh = {j.lens: rule.weights.get(j.lens, rule.weights.get(j.family, 1.0)) for j in judgments}
    mine, all_of_it = sum(weigh[j.lens] for j in ours), sum(weigh.values())
    voice_of_oracle = rule.weights.get("oracle", 1.0) if rule.oracle else 0.0
    share = (mine + voice_of_oracle) / (all_of_it + voice_of_oracle)
    return 2 * mine > all_of_it and share >= (rule.threshold or 1.0)


def holds(ruling: Ruling, answers: Sequence[OracleAnswer], fine: bool, judgments: Sequence[Judgment] | None) -> None:
    """What must be true of a ruling under the shipped table, whatever the answers."""
    assert (ruling.action == "admitted") == (confirmed_by_oracle(answers) and fine), (ruling, answers, judgments)
    assert ruling.reason
    last = answers[-1].verdict if answers else "unavailable"
    if last == "unavailable":
        assert (ruling.action, ruling.needs_person) == ("halted", True)
    elif last == "cannot-confirm" and len(answers) == 1:
        assert (ruling.action, ruling.needs_person) == ("left-out", True)
    elif last == "fabricated" and len(answers) == 1:
        assert (ruling.action, ruling.needs_person) == ("dropped", False)
    elif confirmed_by_oracle(answers) and (judgments is None or any(j.label == "unavailable" for j in judgments)):
        assert (ruling.action, ruling.needs_person) == ("halted", True)
    elif len(answers) == 2 and confirmed_by_oracle([answers[0], answer("confirmed")]) and ruling.action != "halted":
        clean = last == "confirmed" and fine
        assert (ruling.action, ruling.row) == (("admitted", "supports") if clean else ("dropped", "second-look"))
    if ruling.action == "halted":
        assert ruling.verdict in ("unavailable", "no-different-family")


def judgment(i: int, label: str, family: str) -> Judgment:
    return Judgment.model_validate(
        {"label": label, "score": 0.5, "rationale": "so it is", "lens": f"lens-{i}", "family": family}
    )


VOTES = {(i, x, f): judgment(i, x, f) for i in range(4) for x in LABELS for f in FAMILIES}


@pytest.mark.parametrize("name", list(RULES))
def test_every_combination_of_answers_under_every_shipped_rule(name: str) -> None:
    rule, table = RULES[name], SHIPPED.table
    walked = 0
    for size in range(5):
        kinds = list(itertools.product(LABELS, FAMILIES))
        # Of three lenses and more in every mix but not in every order: four have 65,536.
        every, mixed = itertools.product(kinds, repeat=size), itertools.combinations_with_replacement(kinds, size)
        for kind in every if size < 3 else mixed:
            given_ = [VOTES[i, label, family] for i, (label, family) in enumerate(kind)]
            fine = grounded(rule, given_)
            for answers in CONFIRMED:
                holds(settle(table, rule, AUTHOR, answers, given_), answers, fine, given_)
                walked += 1
    for answers in ORACLE_WAYS:
        best = [VOTES[i, "supports", f] for i, f in enumerate(("house-b", "embedded:numeric", "house-b", "house-b"))]
        for some in (None, [], *(best[:n] for n in range(1, 5))):
            holds(settle(table, rule, AUTHOR, answers, some), answers, grounded(rule, some), some)
    assert walked > 8_000


def test_same_lens_twice_is_one_voice() -> None:
    twice = [VOTES[0, "supports", "house-b"], VOTES[0, "supports", "house-b"]]
    assert settle(SHIPPED.table, RULES["quorum"], AUTHOR, [answer("confirmed")], twice).action == "halted"


def test_two_lenses_without_a_model_are_one_family_towards_a_model_and_two_towards_their_like() -> None:
    two = [VOTES[0, "supports", "embedded:entailment"], VOTES[1, "supports", "embedded:numeric"]]
    rule, sure = RULES["ensemble"], [answer("confirmed")]
    alone = settle(SHIPPED.table, rule, "house-a", sure, two)
    assert (alone.action, alone.verdict, alone.needs_person) == ("left-out", "silent", True)
    assert settle(SHIPPED.table, rule, "embedded:salience", sure, two).action == "admitted"
    assert settle(SHIPPED.table, rule, "person", sure, two).action == "admitted"


@pytest.mark.parametrize(
    ("rule", "labels", "row"),
    [
        ("quorum", ("supports", "silent"), "disagreement"),
        ("quorum", ("silent", "silent"), "silent"),
        ("quorum", ("supports", "refutes"), "disagreement"),
        ("ensemble", ("supports", "silent"), "silent"),
        ("ensemble", ("supports", "refutes"), "disagreement"),
        ("ensemble", ("refutes", "refutes"), "refutes"),
        ("majority", ("supports", "supports", "refutes"), "supports"),
        ("majority", ("supports", "silent", "silent"), "silent"),
        ("majority", ("supports", "silent", "refutes"), "disagreement"),
    ],
)
def test_too_few_supports_wait_for_a_person_and_contradictions_drop(
    rule: str, labels: tuple[str, ...], row: str
) -> None:
    said = [VOTES[i, label, FAMILIES[1 + i]] for i, label in enumerate(labels)]
    assert settle(SHIPPED.table, RULES[rule], "person", [answer("confirmed")], said).row == row


# the gate itself, with lenses and oracles that do their worst ---------------------------------------------------------

WAYS = ("supports", "refutes", "silent", "unavailable", "Unavailable", "ValueError", "KeyError", "TimeoutError",
        "slow", "None", "text", "dict", "impostor", "relative", "nan", "odd label", "not awaitable")  # fmt: skip


@dataclass
class Lens:
    """Answers, or fails, in one of the `WAYS`."""

    name: str
    family: str
    way: str

    async def judge(self, claim: str, passage: str) -> Any:
        assert (claim, passage) == (SAID, SAID)
        said = {"score": 0.9, "rationale": "because", "lens": self.name, "family": self.family, "label": "supports"}
        if self.way in LABELS:
            return Judgment.model_validate({**said, "label": self.way})
        if self.way == "slow":
            await asyncio.sleep(30)
        return {
            "None": lambda: None,
            "text": lambda: "supports",
            "dict": lambda: said,
            "impostor": lambda: Judgment.model_validate({**said, "lens": "somebody"}),
            "relative": lambda: Judgment.model_validate({**said, "family": "house-z"}),
            "nan": lambda: Judgment.model_construct(**{**said, "score": float("nan")}),
            "odd label": lambda: Judgment.model_construct(**{**said, "label": "admit"}),
        }.get(self.way, self.fail)()

    def fail(self) -> Any:
        raise {"Unavailable": Unavailable, "KeyError": KeyError, "TimeoutError": TimeoutError}.get(
            self.way, ValueError
        )("no")


class Plain(Lens):
    """Its `judge` is no coroutine function."""

    def judge(self, claim: str, passage: str) -> Any:  # type: ignore[override]
        return Judgment(label="supports", score=1, rationale="", lens=self.name, family=self.family)


ORACLES = ("confirmed", "fabricated", "misattributed", "cannot-confirm", "unavailable", "corrected", "twice",
           "corrected, then gone", "Unavailable", "ValueError", "slow", "None", "odd")  # fmt: skip


@dataclass
class Oracle:
    """Answers, or fails, in one of the `ORACLES`."""

    way: str
    name: str = "oracle"
    asked: int = 0

    async def confirm(self, finding: Finding) -> Any:
        self.asked += 1
        if self.way in ("corrected", "twice", "corrected, then gone"):
            if self.asked == 1:
                return answer("misattributed")
            assert finding.sources == SOURCE
            return answer({"corrected": "confirmed", "twice": "misattributed"}.get(self.way, "unavailable"))
        if self.way == "misattributed":
            return answer(self.way, correction=False)
        if self.way == "slow":
            await asyncio.sleep(30)
        if self.way == "None":
            return None
        if self.way == "odd":
            return OracleAnswer.model_construct(oracle="o", verdict="fine", rationale="", evidence=(), correction=())
        if self.way in ("Unavailable", "ValueError"):
            raise Unavailable("no") if self.way == "Unavailable" else ValueError("no")
        return answer(self.way)


FINDING = Finding(
    finding_id="f", kind="citation", claim=SAID, passages=(SAID,), family=AUTHOR
)


def lens(i: int, family: str, way: str) -> Lens:
    return (Plain if way == "not awaitable" else Lens)(f"lens-{i}", family, way)


async def decide(policy: GatePolicy, rule: str, oracle: Oracle, lenses: Sequence[Lens]) -> Decision:
    short = policy.model_copy(update={"seconds": 0.2, "lens_seconds": 0.2})
    return await Gate(oracle, lenses, policy=short, rule=rule).decide(FINDING)


def nothing_unconfirmed(decision: Decision, oracle: Oracle, lenses: Sequence[Lens], rule: CombinationRule) -> None:
    """What must be true of any decision under any policy."""
    asked = [one for one in lenses if one.name in {j.lens for j in decision.judgments}]
    assert oracle.asked == decision.rounds <= 2
    assert all(one.family != AUTHOR for one in asked)
    if oracle.way not in ("confirmed", "corrected"):
        assert not asked
    if decision.admitted:
        assert oracle.way in ("confirmed", "corrected")
        ways = [one.way for one in asked]
        assert len(ways) == rule.lenses
        assert set(ways) <= {"supports", "refutes", "silent"}
        weigh = {one.name: rule.weight(one.name, one.family) for one in asked}
        assert 2 * sum(weigh[o.name] for o in asked if o.way == "supports") > sum(weigh.values())
    gone = oracle.way == "corrected, then gone" and oracle.asked == 2  # a table may drop it at the first look
    if gone or oracle.way in ("unavailable", "Unavailable", "ValueError", "slow", "None", "odd"):
        assert (decision.action, decision.verdict) == ("halted", "unavailable")
    if any(one.way not in ("supports", "refutes", "silent") for one in asked):
        assert (decision.action, decision.verdict) == ("halted", "unavailable")
    assert decision.needs_person == bool(decision.contrast)
    if decision.action == "halted":
        assert decision.needs_person
    assert Decision.model_validate(decision.model_dump(mode="json")) == decision


async def test_every_way_of_two_lenses_and_an_oracle_to_answer_or_fail() -> None:
    cases = []
    for oracle, first, second in itertools.product(ORACLES, WAYS, WAYS):
        if oracle in ("confirmed", "corrected") or (first, second) == ("supports", "supports"):
            cases.append((Oracle(oracle), [lens(0, "house-b", first), lens(1, "house-c", second)]))
    found = await asyncio.gather(*(decide(SHIPPED, "ensemble", oracle, lenses) for oracle, lenses in cases))
    admitted = 0
    for decision, (oracle, lenses) in zip(found, cases, strict=True):
        nothing_unconfirmed(decision, oracle, lenses, SHIPPED.rule("ensemble"))
        admitted += decision.admitted
    assert admitted == 2  # both support, and the oracle confirms: at once, or what it had corrected


TABLES = st.fixed_dictionaries({}, optional={c: st.sampled_from(get_args(Measure)) for c in get_args(Condition)})
ANY_RULE = st.fixed_dictionaries(
    {
        "combine": st.sampled_from(["unanimity", "quorum", "weights"]),
        "judges": st.just("anyone"),
        "lenses": st.integers(1, 4),
        "oracle": st.booleans(),
    },
    optional={
        "families": st.integers(1, 4),
        "needed": st.integers(1, 5),
        "weights": st.dictionaries(st.sampled_from(["lens-0", "house-b", "oracle"]), st.floats(0.1, 100), max_size=2),
        "threshold": st.floats(0.3, 1.0),
    },
)


def sound(table: dict[str, str], rule: dict[str, Any]) -> GatePolicy:
    """The policy, its keys cut down to those of its kind of rule; an example that validation refuses is given up."""
    needless = {"unanimity": {"needed", "weights", "threshold"}, "quorum": {"weights", "threshold"},
                "weights": {"needed"}}[rule["combine"]]  # fmt: skip
    rule = {k: v for k, v in rule.items() if k not in needless}
    for drop_table in (False, True):
        with suppress(ValueError):
            return GatePolicy.model_validate({"table": {} if drop_table else table, "rules": {"r": rule}})
    reject()


@settings(max_examples=80, deadline=None)
@given(
    table=TABLES,
    rule=ANY_RULE,
    oracle=st.sampled_from(ORACLES) | st.sampled_from(["confirmed", "corrected"]),
    lenses=st.lists(
        st.tuples(st.sampled_from((*FAMILIES, "house-c")), st.just("supports") | st.sampled_from(WAYS)), max_size=4
    ),
)
@example(
    table={},
    rule={"combine": "weights", "judges": "anyone", "lenses": 2, "oracle": True, "threshold": 0.7},
    oracle="corrected",
    lenses=[("house-b", "supports"), ("house-c", "supports")],
)
def test_no_valid_policy_lets_an_unconfirmed_finding_through(
    table: dict[str, str], rule: dict[str, Any], oracle: str, lenses: list[tuple[str, str]]
) -> None:
    policy = sound(table, rule)
    asked, seated = Oracle(oracle), [lens(i, family, way) for i, (family, way) in enumerate(lenses)]
    decision = asyncio.run(decide(policy, "r", asked, seated))
    nothing_unconfirmed(decision, asked, seated, policy.rule("r"))
