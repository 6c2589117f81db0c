"""Evidence from the web, signs in the paper, and the metrics as formulas: what raises them, what must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.papers.pump_papers import HYPOTHESIS, OPPOSING, PAPER, SUPPORTING, write_paper
from veritas import PolicyError
from veritas.documents.paper_parts import Place
from veritas.papers.audit import AuditNode, PaperEvidence
from veritas.papers.reading import PaperText, read_file
from veritas.papers.verification._node_grounding import NOT_PLAIN
from veritas.papers.verification.metric_policy import load_verification_policy
from veritas.papers.verification.metrics import Findings, assess, combined
from veritas.papers.verification.node_evidence import Gatherer
from veritas.papers.verification.signals import Signals
from veritas.policy.source_tiers import load_source_policy
from veritas.scoring.roles import METRICS
from veritas.testing import FakeProvider, FakeReader, document

POLICY = load_verification_policy()


@pytest.fixture
def paper(tmp_path: Path) -> PaperText:
    return read_file(write_paper(tmp_path))


def node_of(paper: PaperText, text: str, role: str = "Hypothesis") -> AuditNode:
    start = paper.text.index(text)
    return AuditNode(id="n1", role=role, base_role=role, text=text, place=Place(start=start, end=start + len(text)))


def gatherer(paper: PaperText, provider: FakeProvider, *others: FakeProvider) -> tuple[Gatherer, FakeReader]:
    """Over what the provider finds; all of that can be read."""
    reader = FakeReader(provider.documents)
    return Gatherer(paper, POLICY, load_source_policy(), providers=[provider, *others], reader=reader), reader


def found_at(url: str, record: dict[str, object]) -> FakeProvider:
    return FakeProvider("scripted", [document(url, str(record["text"]), str(record["title"]))])


async def test_the_web_is_searched_read_and_judged(paper: PaperText) -> None:
    provider = found_at("https://www.nature.com/articles/supporting", SUPPORTING)
    made, _ = gatherer(paper, provider)
    found = await made.gather(node_of(paper, HYPOTHESIS), {})
    (piece,) = [e for e in found.evidence if e.source == "web"]
    assert (piece.label, piece.tier, piece.provider) == ("supports", 1, "scripted")
    assert "dry pumps last longer" in provider.asked[0].lower()
    assert found.calls == 2


async def test_what_the_policy_rejects_is_not_read_and_an_outage_is_said(paper: PaperText) -> None:
    forum = found_at("https://www.reddit.com/r/pumps/thread", SUPPORTING)
    made, reader = gatherer(paper, forum, FakeProvider("other", problem="it is down"))
    found = await made.gather(node_of(paper, HYPOTHESIS), {})
    assert reader.asked == []
    assert not [e for e in found.evidence if e.source == "web"]
    assert any("not admitted" in p for p in found.problems)
    assert any("it is down" in p for p in found.problems)


async def test_the_paper_on_the_web_is_no_witness_for_itself(paper: PaperText) -> None:
    version = {"title": "Another title", "text": PAPER.replace("120 pumps", "many pumps")}
    made, _ = gatherer(paper, found_at("https://arxiv.org/abs/2101.00001", version))
    found = await made.gather(node_of(paper, HYPOTHESIS), {})
    assert not [e for e in found.evidence if e.source == "web"]
    assert made.left_out


async def test_a_page_is_read_once_for_all_nodes(paper: PaperText) -> None:
    made, reader = gatherer(paper, found_at("https://www.nature.com/articles/counter", OPPOSING))
    for _ in range(3):
        found = await made.gather(node_of(paper, HYPOTHESIS), {})
    assert len(reader.asked) == 1
    assert [e.label for e in found.evidence if e.source == "web"] == ["refutes"]


HUMID = "Dry pumps do not last longer than oiled pumps in clean rooms where the air is humid and hot."
"""A lens takes it for a refutation of the hypothesis; it is of humid air alone."""


async def test_what_speaks_against_a_statement_in_another_case_is_no_contradiction(paper: PaperText) -> None:
    page = document("https://www.nature.com/articles/humid", HUMID, "Humid air")
    on_the_web, _ = gatherer(paper, FakeProvider("scripted", [page]))
    cited = Gatherer(paper, POLICY, load_source_policy(), copies={"2": page})
    node = node_of(paper, HYPOTHESIS)
    for made, source in ((on_the_web, "web"), (cited, "reference")):
        found = await made.gather(node.model_copy(update={"cites": ("2",)}), {})
        (piece,) = [e for e in found.evidence if e.source == source]
        assert (piece.label, piece.text) == ("silent", HUMID)
        assert NOT_PLAIN in piece.rationale or "the claim says" in piece.rationale


def evidence(label: str, score: float, tier: int, number: int) -> PaperEvidence:
    return PaperEvidence(
        id=f"e-{number}", node="n1", source="corpus", url=f"corpus://x/{number}", title="x", tier=tier,  # type: ignore[arg-type]
        text="x", document_id=str(number), start=0, end=1, label=label, score=score,  # type: ignore[arg-type]
    )  # fmt: skip


def credibility(*pieces: PaperEvidence, role: str = "Claim") -> float | None:
    node = AuditNode(id="n1", role=role, base_role=role, text="It is so.", place=Place(start=0, end=9))
    return assess(node, Findings(evidence=pieces, searched="a corpus"), POLICY)["credibility"].value


scores = st.floats(0.3, 1.0)
tiers = st.sampled_from([1, 2, 3, 4])
pieces = st.lists(st.tuples(st.sampled_from(["supports", "refutes"]), scores, tiers), min_size=1, max_size=5)


@given(pieces, scores, tiers)
def test_more_support_never_lowers_and_more_contradiction_never_raises(
    given_pieces: list[tuple[str, float, int]], score: float, tier: int
) -> None:
    known = [evidence(label, s, t, n) for n, (label, s, t) in enumerate(given_pieces)]
    before = credibility(*known)
    assert before is not None
    after = credibility(*known, evidence("supports", score, tier, 99))
    assert after is not None
    assert after >= before - 1e-4 or not any(e.label == "supports" for e in known)
    against = credibility(*known, evidence("refutes", score, tier, 98))
    assert against is not None
    assert against <= before + 1e-4
    assert all(0 <= v <= 1 for v in (before, after, against))


@given(st.lists(st.floats(0, 1), max_size=6))
def test_witnesses_together_are_worth_at_least_the_best_of_them(worths: list[float]) -> None:
    assert max(worths, default=0.0) - 1e-9 <= combined(worths) <= 1.0


def test_one_document_is_one_witness_however_many_passages_it_has() -> None:
    one = evidence("supports", 0.8, 1, 1)
    assert credibility(one) == credibility(one, one.model_copy(update={"id": "e-2", "score": 0.7}))


def test_metrics_a_role_does_not_have_neither_help_nor_harm(paper: PaperText) -> None:
    found = Findings(evidence=(evidence("supports", 0.9, 1, 1),), subject=0.4)
    made = assess(node_of(paper, HYPOTHESIS), found, POLICY)
    assert set(made) == set(METRICS)
    values = [m.value for m in made.values() if m.applies and m.value is not None]
    assert made["method_rigor"].applies is False
    assert made["method_rigor"].value == pytest.approx(sum(values) / len(values), abs=1e-3)


def test_signs_of_rigor_are_quoted_from_where_they_stand(paper: PaperText) -> None:
    found = Signals(paper, POLICY).of(node_of(paper, "We randomly assigned 120 pumps", "Method"))
    rigor = {sign.name: paper.text[sign.start : sign.end] for sign in found["method_rigor"]}
    assert "120 pumps" in rigor["sample size"]
    assert "randomly" in rigor["random assignment or blinding"]
    assert "R version 4.2" in next(
        paper.text[s.start : s.end] for s in found["reproducibility"] if s.name == "named tools with versions"
    )


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("No code is available.", "code"),
        ("No data, code or scripts are available.", "code"),
        ("No code and data are available.", "data"),
        ("The code isn't open source.", "code"),
        ("Data availability: no data are shared.", "data"),
        ("Nobody was blinded and nothing was randomised.", "random assignment or blinding"),
        ("Blinding was not possible.", "random assignment or blinding"),
        ("This was a non-randomised study.", "random assignment or blinding"),
        ("There was no control group, blinding, or follow-up.", "random assignment or blinding"),
        ("No control group was used.", "comparison"),
        ("A limitation is that we had no control group and no confidence intervals.", "uncertainty"),
        ("Confidence intervals were lacking for all of them.", "uncertainty"),
        ("Neither a placebo nor a control arm was given.", "comparison"),
        ("In the absence of a test set we looked at the training data.", "held-out or repeated test"),
        ("Among 130 nurses, adherence to the light protocol was 94 percent.", "step by step"),
    ],
)
def test_a_sign_that_is_denied_is_none(tmp_path: Path, sentence: str, sign: str) -> None:
    assert sign not in signs_of(tmp_path, sentence)


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("Not only is the code available, it is documented.", "code"),
        ("The code is available at github.com/x/y and does not need a key.", "code"),
        ("No funding was received; the data are publicly available.", "data"),
        ("No less than 120 patients were seen.", "sample size"),
        ("None of the 120 patients died.", "sample size"),
        ("Without a grant, we randomised the patients.", "random assignment or blinding"),
        ("We had no placebo and randomised the patients to two doses.", "random assignment or blinding"),
        ("The drug did not differ from placebo.", "comparison"),
        ("There was no significant difference (p = 0.31).", "uncertainty"),
        ("Our method does not outperform the baselines.", "comparison"),
        ("The randomised groups did not talk to each other.", "random assignment or blinding"),
        ("This study is not without limitations.", "limits stated"),
        ("It runs on machine no. 3, compared with the baseline.", "comparison"),
        ("We followed the published protocol of Cole and Kripke.", "step by step"),
    ],
)
def test_a_denial_of_something_else_takes_no_sign_away(tmp_path: Path, sentence: str, sign: str) -> None:
    assert sign in signs_of(tmp_path, sentence)


def signs_of(folder: Path, sentence: str) -> set[str]:
    """The signs of a paper whose methods are one sentence."""
    path = folder / "paper.md"
    slept = "Nurses of the hospital slept at home in their own beds, where it was as dark as they were used to. " * 6
    path.write_text(f"# Dim light and sleep\n\n## 2 Methods\n\n{slept}{sentence}\n", encoding="utf-8")
    paper = read_file(path)
    found = Signals(paper, POLICY).of(node_of(paper, "Nurses of the hospital", "Method"))
    return {sign.name for signs in found.values() for sign in signs}


def test_a_mistake_in_the_numbers_is_named_with_file_line_and_key(tmp_path: Path) -> None:
    from veritas.settings import policy_file

    text = policy_file("paper_verification.yaml").read_text(encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace("own_support: 0.55", "own_support: 5"), encoding="utf-8")
    with pytest.raises(PolicyError, match=r"mine\.yaml:\d+: own_support"):
        load_verification_policy(path)
