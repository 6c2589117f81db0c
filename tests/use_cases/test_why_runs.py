"""Why and diff on whole runs: with embedded members, and with models behind real HTTP on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Veritas, veritas  # noqa: F401 (a fixture)
from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import honest
from tests.loopback.server import loopback
from tests.pumps import QUESTION, write_corpus, write_disputed
from veritas import aio
from veritas.claims.chain import Chains
from veritas.claims.run_diff import diff_runs
from veritas.use_cases import runs
from veritas.use_cases.why import why

FORUM = "https://www.reddit.com/r/pumps/comments/1/borealis"
IEEE = "https://spectrum.ieee.org/borealis-pump-test"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def barred(folder: Path) -> Path:
    policy = folder / "no-ieee.yaml"
    policy.write_text(
        "name: stricter\nextends: default\ngroups:\n"
        "  no-ieee: {tier: 4, why: not for us, sites: {spectrum.ieee.org: IEEE Spectrum}}\n"
    )
    return policy


async def test_from_hit_to_sentence_with_models(tmp_path: Path, home: Path) -> None:
    with loopback(honest) as server:
        file = council(tmp_path, server, THREE, **NAMES)
        graph = await aio.research(QUESTION, corpus=[str(write_corpus(tmp_path))], council=str(file), tier="deep")
    sentence = next(s for s in graph.answer.sentences if s.kind == "claim")
    chain = why(graph.run.run_id, sentence.text)
    assert (chain.kind, chain.id, chain.let_in) == ("sentence", sentence.sentence_id, True)
    for claim in chain.behind:
        (source, *_) = claim.behind
        found, classified, read = source.links[:3]
        assert found.said.startswith("found at rank ")
        assert classified.by == "source policy"
        assert classified.rule
        assert read.said.startswith("read on ")
        drafted, quoted, *later = claim.links
        assert drafted.said.startswith("drafted by ")
        assert quoted.rule == "I1, verbatim"
        judges = [link for link in later if link.stage == "verify"]
        # I4 is there to be read: the judges' families beside the member's.
        assert len(judges) == 2
        assert not any(drafted.said.partition("(")[2].partition(")")[0] in link.by for link in judges)
        assert later[-1].subject_id == sentence.sentence_id
    forum = why(graph.run.run_id, FORUM)
    assert not forum.let_in
    assert (forum.links[-1].outcome, forum.links[-1].by) == ("stopped", "source policy")
    assert "reddit.com" in forum.links[-1].rule
    assert forum.led_to == ()


async def test_a_source_turned_away_is_one_cause_with_its_effects_below(tmp_path: Path, home: Path) -> None:
    corpus = [str(write_corpus(tmp_path))]
    first = await aio.research(QUESTION, corpus=corpus, tier="quick")
    second = await runs.replay(first.run.run_id, "verify", changes={"policy": str(barred(tmp_path))})
    found = diff_runs(first, second)
    lost = {c.claim_id for c in first.claims if any(x.url == IEEE for x in c.citations)}
    assert lost
    (cause,) = [c for c in found.causes if c.kind == "source"]
    assert cause.id == next(s.source_id for s in first.sources if s.url == IEEE)
    assert cause.said == f"{IEEE} is turned away"
    assert "tier 2" in cause.before
    assert "not for us" in cause.after
    claims = [e for e in cause.effects if e.kind == "claim"]
    assert sum(1 + e.alike for e in claims if e.id in lost) == len(lost)
    gone = {s.sentence_id for s in first.answer.sentences if set(s.claim_ids) & lost}
    gone -= {s.sentence_id for s in second.answer.sentences}
    assert gone <= {e.id for e in cause.effects if e.kind == "sentence"}
    # Each thing is below one cause.
    named = [(e.kind, e.id) for c in found.causes for e in c.effects]
    assert len(named) == len(set(named))


async def test_nothing_that_differs_is_without_a_cause(tmp_path: Path, home: Path) -> None:
    corpus = [str(write_disputed(tmp_path))]
    first = await aio.research(QUESTION, corpus=corpus, tier="deep")
    second = await aio.research("How much water does the Borealis pump move?", corpus=corpus, tier="quick")
    for a, b in ((first, second), (second, first)):
        found = diff_runs(a, b)
        named = {(e.kind, e.id) for c in found.causes for e in c.effects}
        words = {e.text for c in found.causes for e in c.effects if e.kind == "claim"}
        for graph, other in ((a, b), (b, a)):
            for s in graph.sources:
                if s.source_id not in {x.source_id for x in other.sources}:
                    assert ("source", s.source_id) in named
            fates = {c.claim_id: Chains(other).claim(c).let_in for c in other.claims}
            for c in graph.claims:
                if fates.get(c.claim_id) != Chains(graph).claim(c).let_in:
                    assert c.claim in words
            for n in graph.answer.sentences:
                if n.sentence_id not in {x.sentence_id for x in other.answer.sentences}:
                    assert ("sentence", n.sentence_id) in named


async def test_a_provider_and_a_member_that_are_gone_are_one_cause_each(tmp_path: Path, home: Path) -> None:
    first = await aio.research(QUESTION, corpus=[str(write_corpus(tmp_path))], tier="quick")
    lost = first.claims[0]
    (source,) = Chains(first).sources_of(lost)
    name = next(s.provider for s in first.searches if any(h.source_id == source.source_id for h in s.hits))
    # Found by one provider alone, which then gives no answer.
    first = first.model_copy(update={"searches": tuple(
        s if s.provider == name else s.model_copy(
            update={"hits": tuple(h for h in s.hits if h.source_id != source.source_id)}
        )
        for s in first.searches
    )})  # fmt: skip
    second = first.model_copy(update={
        "searches": tuple(
            s.model_copy(update={"hits": (), "unavailable": "it is asleep"}) if s.provider == name else s
            for s in first.searches
        ),
        "sources": tuple(s for s in first.sources if s != source),
        "claims": tuple(c for c in first.claims if source not in Chains(first).sources_of(c)),
    })  # fmt: skip
    (silent, *_) = [c for c in diff_runs(first, second).causes if c.kind == "provider"]
    assert (silent.said, silent.after) == (f"{name} gave no answer in the second run", "it is asleep")
    assert {"source", "claim"} <= {e.kind for e in silent.effects}
    member = first.claims[0].asserted_by
    alone = first.model_copy(update={
        "council": tuple(m for m in first.council if m.name != member),
        "claims": tuple(c for c in first.claims if c.asserted_by != member),
    })  # fmt: skip
    (cause, *_) = diff_runs(first, alone).causes
    assert (cause.kind, cause.id) == ("member", member)
    assert sum(1 + e.alike for e in cause.effects if e.kind == "claim") == sum(
        c.asserted_by == member for c in first.claims
    )
