"""A paper against its own tables and its own assumptions: figures that differ, circles, and no false alarm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veritas import aio
from veritas.papers.audit import AuditNode, PaperAudit
from veritas.papers.extraction.statements import find_statements
from veritas.papers.reading.find_paper import read_paper
from veritas.papers.verification._tables import Table
from veritas.papers.verification.own_tables import OwnTable, conflict, own_tables, stands_in
from veritas.papers.verification.self_check import Itself

HYPOTHESIS = "We hypothesize that shading a compost pile lowers the ammonia that it loses."
RESULT = "Shaded piles lost {} g of ammonia nitrogen per kg and open piles lost 18.6 g per kg (Table 1)."
CONCLUSION = "We conclude that shading lowers the ammonia loss of compost piles."


CATCH = "We assume that the traps catch all of it."


def paper_of(said: str = "11.2", tabled: str = "11.2", assumption: str = CATCH) -> str:
    return f"""# Shaded compost piles lose less ammonia

## Abstract

Compost piles lose ammonia. {HYPOTHESIS} {CONCLUSION}

## 1 Introduction

Ammonia is a loss to farmers and a nuisance to neighbours. {HYPOTHESIS}

## 2 Methods

We randomly assigned 48 piles to shade cloth or to open sky, 24 each. {assumption} We titrated the traps every two days.

## 3 Results

{RESULT.format(said)} Rain fell on eleven days of the ninety.

Table 1: Ammonia nitrogen lost and temperature at noon.

| group | piles | ammonia lost (g/kg) | temperature (C) |
| --- | --- | --- | --- |
| shaded | 24 | {tabled} | 38.4 |
| open | 24 | 18.6 | 47.5 |

## 4 Discussion

A limitation of this study is that all piles stood on one farm in one summer.

## 5 Conclusion

{CONCLUSION}
"""


def written(folder: Path, text: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "paper.md").write_text(text, encoding="utf-8")
    return str(folder / "paper.md")


async def audited(folder: Path, text: str) -> PaperAudit:
    return await aio.audit_paper(written(folder, text), graphs=2, home=folder / "home")


def node(audit: PaperAudit, words: str) -> AuditNode:
    return next(n for n in audit.nodes if words in n.text)


@pytest.fixture
async def tables(tmp_path: Path) -> tuple[OwnTable, ...]:
    paper = await read_paper(written(tmp_path, paper_of()))
    return own_tables(paper.text, paper.figures)


async def test_a_figure_that_its_own_table_has_otherwise_is_contradicted_and_comes_first(tmp_path: Path) -> None:
    sound = await audited(tmp_path / "sound", paper_of())
    wrong = await audited(tmp_path / "wrong", paper_of(tabled="19.8"))
    told = node(wrong, "Shaded piles lost")
    assert told.grounding is not None
    assert told.grounding.decision == "contradicted"
    assert "Table 1 has 19.8 for shaded" in told.grounding.reason
    assert "statement 11.2" in told.grounding.reason
    assert (wrong.flaws[0].kind, wrong.flaws[0].subject) == ("contradicted", told.id)
    piece = next(e for e in wrong.evidence if e.node == told.id and e.label == "refutes")
    assert "shaded\t24\t19.8" in piece.text  # with the heading of its columns, verbatim
    assert "ammonia lost (g/kg)" in piece.text
    for metric in ("credibility", "evidence_strength"):
        before, after = node(sound, "Shaded piles lost").metrics[metric].value, told.metrics[metric].value
        assert after is not None
        assert before is not None
        assert after < 0.2 < before
    assert not any(f.kind == "contradicted" for f in sound.flaws)
    scores = [a.scoring() for a in (sound, wrong)]
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0].score > scores[1].score


@pytest.mark.parametrize(
    "said",
    [
        "Shaded piles lost 11.2 g of ammonia nitrogen per kg and open piles lost 18.6 g per kg (Table 1).",
        "Shaded piles lost 11 g of ammonia nitrogen per kg and open piles lost 18.6 g per kg (Table 1).",  # rounded
        "Shaded piles lost about 12 g of ammonia nitrogen per kg and open piles lost 18.6 g per kg (Table 1).",
        "Shaded piles lost 7.4 g of ammonia less and open piles lost 18.6 g per kg (Table 1).",  # a difference of cells
        "Shaded piles cost 99.5 dollars and were hard to build on the slope of the hill.",  # of nothing in the table
        "In the shaded hall 99.5 people waited while open doors let in 30.5 others.",
        "Shaded piles lost 11.2 to 12.4 g of ammonia nitrogen per kg in the first trial (Table 1).",
    ],
)
def test_what_may_be_so_is_not_accused(tables: tuple[OwnTable, ...], said: str) -> None:
    assert conflict(said, tables) is None


def test_a_column_is_sure_by_another_figure_or_by_reference_to_the_table(tables: tuple[OwnTable, ...]) -> None:
    anchored = conflict("Shaded piles lost 13.9 g and open piles lost 18.6 g per kg.", tables)
    assert anchored is not None
    assert (anchored.cell.text, anchored.said) == ("11.2", "13.9")
    assert conflict("Shaded piles lost 13.9 g of ammonia nitrogen (Table 1).", tables) is not None
    assert conflict("Shaded piles lost 13.9 g of ammonia nitrogen.", tables) is None
    assert conflict("Shaded piles lost 13.9 g of ammonia nitrogen (Table 2).", tables) is None


def test_a_table_bears_out_no_figure_that_is_not_in_it(tables: tuple[OwnTable, ...]) -> None:
    assert stands_in("Open piles lost 18.6 g per kg.", tables[0])
    assert not stands_in("Open piles lost 21.9 g per kg.", tables[0])
    assert stands_in("Open piles lost more than shaded ones.", tables[0])


@pytest.mark.parametrize("body", ["", "\t\n\t\n", "a\tb", "a\tb\n" * 2000, "x\t1\n\ny\t2", "\t9\t9\t\n" * 3 + "∞\t٣\n"])
def test_tables_of_any_shape_are_read(body: str) -> None:
    for table in own_tables(body):
        assert body[table.start : table.end].count("\n") >= 1
        assert table.table.cells
    assert conflict(RESULT.format("12.5"), own_tables(body)) is None


LIGHT = """# Dim light and sleep in nurses

## Abstract

We hypothesise that dim light shortens sleep onset latency in nurses. Mean sleep onset latency fell from 42 to {said}
minutes in the dim-light group. We conclude that dim light shortens sleep onset latency in nurses.

## Methods

We recruited 120 nurses from three hospitals. Sixty participants were assigned at random to dim light.

## Results

| Group | {first} | {second} |
| --- | --- | --- |
| Dim light | 42 | 27 |
| Usual light | 41 | 40 |

Table 1: Mean sleep onset latency at baseline and week eight.

In Table 1 the dim light group had a latency of 42 minutes at baseline and {said} minutes at week 8. The usual light
group had a latency of 41 minutes at baseline and 40 minutes at week 8.

## Conclusion

Dim light shortens sleep onset latency in nurses.
"""
HEADS = (("Baseline latency (min)", "Week 8 latency (min)"), ("Baseline", "Week 8"), ("Baseline (min)", "Week 8 (min)"))


@pytest.fixture(params=HEADS, ids=["measure and unit", "neither", "unit"])
async def light(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[OwnTable, ...]:
    first, second = request.param
    paper = await read_paper(written(tmp_path, LIGHT.format(said="27", first=first, second=second)))
    return own_tables(paper.text, paper.figures)


@pytest.mark.parametrize(
    ("said", "has"),
    [
        ("Dim light had a latency of 25 minutes (Table 1).", "42 for Dim light"),
        ("Dim light had a latency of 25 minutes at week 8 (Table 1).", "27 for Dim light"),
        ("Dim light had a latency of 42 minutes at baseline and 25 minutes at week 8 (Table 1).", "27 for Dim light"),
        ("In Table 1 the dim light group had a latency of 42 minutes at baseline and 25 minutes at week 8.", "27 for"),
        ("Latency was 42 minutes at baseline and 25 minutes at week 8 with dim light (Table 1).", "27 for Dim light"),
        ("Table 1 shows that the latency of the dim light group was 25 min at week 8.", "27 for Dim light"),
        ("Latency fell from 42 to 25 minutes with dim light (Table 1).", "27 for Dim light"),
        ("Mean sleep onset latency fell from 42 to 25 minutes in the dim-light group.", "27 for Dim light"),
    ],
)
def test_a_figure_of_a_row_that_has_none_such_is_contradicted(light: tuple[OwnTable, ...], said: str, has: str) -> None:
    found = conflict(said, light)
    assert found is not None
    assert found.said == "25"
    assert has in found.why


@pytest.mark.parametrize(
    "said",
    [
        "Dim light had a latency of 27 minutes (Table 1).",
        "Dim light had a latency of 42 minutes at baseline and 27 minutes at week 8 (Table 1).",
        "Dim light had a latency of 25 minutes.",  # of no table
        "Dim light had a latency of 25 minutes (Table 2).",
        "Dim light had a latency of 25 minutes at week 12 (Table 1).",  # of a week that is not there
        "Dim light had a latency of 27 minutes after 10 weeks (Table 1).",
        "Dim light had a latency of about 25 minutes (Table 1).",
        "Dim light shortened the latency by 15 minutes (Table 1).",
        "Dim light had a latency 15 minutes shorter at week 8 (Table 1).",
        "Dim light cut the latency to 64% of that at baseline (Table 1).",
        "In dim light 12 nurses dropped out and the latency was 27 minutes (Table 1).",
        "Dim light had a median latency of 25 minutes (Table 1).",
        "Dim and usual light had a latency of 25 and 38 minutes, respectively, in one more ward (Table 1).",
        "In week 8 the latency was 25 minutes in wards that Table 1 leaves out.",
        "Dim light nurses had their latency measured and slept 25 minutes longer (Table 1).",
        "Participants of the dim light group (Table 1) were asked for 25 minutes by their ward.",  # of another kind
        "The 25 participants of the dim light group had the latency of Table 1.",
        "Mean sleep onset latency fell from 42 to 27 minutes in the dim-light group.",
        "Mean sleep onset latency fell from 45 to 25 minutes in the dim-light group of another ward.",
        "Mean sleep onset latency fell from 42 at baseline to 25 minutes at week 12 in the dim-light group.",
    ],
)
def test_what_a_row_may_well_have_is_not_accused(light: tuple[OwnTable, ...], said: str) -> None:
    assert conflict(said, light) is None


@pytest.mark.shared
def test_no_table_of_a_paper_accuses_what_its_readers_found_borne_out() -> None:
    """Statements of papers about their tables (SciTab), and every cell said of its row and column: none is accused."""
    path = Path(__file__).resolve().parents[2] / ".." / "shared" / "claims" / "scitab.jsonl"
    if not path.exists():
        pytest.skip("the shared claims are not here")
    told = caught = 0
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        table = Table(record["passage"])
        caption = " ".join(line for line in record["passage"].splitlines() if "\t" not in line)
        own = OwnTable("Table 1", 0, len(record["passage"]), table, caption)
        if record["label"] == "supports":
            for said in (record["claim"], f"{record['claim'].rstrip('. ')} (Table 1)."):
                assert conflict(said, [own]) is None
        for cell in table.cells[:8]:
            said = f"{table.row_labels[cell.row].text} had a {table.column_labels[cell.column].text} of "
            assert conflict(f"{said}{cell.text} (Table 1).", [own]) is None
            told += 1
            caught += conflict(f"{said}{cell.value * 1.17 + 3.3:.{cell.places}f} (Table 1).", [own]) is not None
    assert caught > told / 4


async def test_what_a_row_has_in_brackets_is_not_its_name(tmp_path: Path) -> None:
    text = LIGHT.format(said="27", first="Baseline", second="Week 8").replace("| Dim light |", "| Dim light (n = 60) |")
    paper = await read_paper(written(tmp_path, text))
    tables = own_tables(paper.text, paper.figures)
    assert conflict("Dim light had a latency of 25 minutes at week 8 (Table 1).", tables) is not None
    assert conflict("Dim light had a latency of 27 minutes at week 8 in 60 nurses (Table 1).", tables) is None
    assert conflict("Dim light had a latency of 27 minutes at week 8, and 57 nurses stayed (Table 1).", tables) is None


async def test_what_contradicts_its_own_table_bears_nothing_out(tmp_path: Path) -> None:
    first, second = HEADS[0]
    audit = await audited(tmp_path, LIGHT.format(said="25", first=first, second=second))
    for told in (n for n in audit.nodes if "25" in n.text):
        assert told.grounding is not None
        assert told.grounding.decision == "contradicted"
        assert not any(e.node == told.id and e.label == "supports" for e in audit.evidence)
    assert any("25" in n.text for n in audit.nodes)
    assert not any(e.label == "supports" and "25 minutes" in e.text for e in audit.evidence)
    sound = await audited(tmp_path / "sound", LIGHT.format(said="27", first=first, second=second))
    assert not any(f.kind == "contradicted" for f in sound.flaws)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("Latency was 27 minutes with dim light (Table 1).", "Table 1"),
        ("Latency with dim light was 27 minutes at week 8 and with usual light 40 minutes (Table 1).", "Table 1"),
        ("Latency was 27 minutes with dim light in nurses.", None),  # of no table
        ("Latency was 40 minutes with dim light (Table 1).", None),  # of another row
        ("Latency was 27 minutes in one ward (Table 1).", None),  # of no row
        ("Eight weeks of dim light in wards 27 (Table 2).", None),
    ],
)
async def test_a_small_figure_stands_in_the_row_of_the_table_that_is_referred_to(
    tmp_path: Path, said: str, where: str | None
) -> None:
    text = LIGHT.format(said="27", first="Baseline", second="Week 8").replace("In Table 1 the dim", f"{said} The dim")
    paper = await read_paper(written(tmp_path, text))
    statements = find_statements(paper)
    mine = next(s for s in statements.found if s.text == said)
    asked = AuditNode(id="n1", role="Result", base_role="Result", text=said, place=mine.place)
    found = Itself(paper, statements).elsewhere(asked)
    assert found == where


async def test_a_sentence_that_its_own_table_contradicts_is_no_witness(tmp_path: Path) -> None:
    ends = "We conclude that nurses with dim light had a mean latency of 25 minutes at week 8."
    text = LIGHT.format(said="25", first="Baseline", second="Week 8")
    text = text.replace("Dim light shortens sleep onset latency in nurses.\n", f"{ends}\n").replace(
        "We conclude that dim light shortens sleep onset latency in nurses.", ends
    )
    for said, borne_out in (("25", False), ("27", True)):
        audit = await audited(tmp_path / said, text.replace("25", said))
        concluded = node(audit, f"a mean latency of {said} minutes")
        own = [e for e in audit.evidence if e.node == concluded.id and e.label == "supports"]
        assert bool(own) is borne_out


async def test_a_conclusion_that_is_assumed_is_called_circular_and_shown_by_nothing(tmp_path: Path) -> None:
    sound = await audited(tmp_path / "sound", paper_of())
    circle = await audited(
        tmp_path / "circle", paper_of(assumption="We assume that shading lowers the ammonia loss of compost piles.")
    )
    begged = node(circle, "We conclude that")
    flaw = next(f for f in circle.flaws if f.subject == begged.id and f.kind == "circular")
    assert "circular" in flaw.why
    assert "We assume that shading lowers" in flaw.why
    assert begged.metrics["evidence_strength"].value == 0.0
    assert begged.metrics["credibility"].value is None
    assert not any("circular" in f.why for f in sound.flaws)


@pytest.mark.parametrize(
    "assumption",
    [
        "We assume that shading does not lower the ammonia loss of compost piles.",  # a null hypothesis
        "We assume that traps under shade catch the ammonia that piles of compost lose.",
        "Earlier work found that shading lowers the ammonia loss of compost piles [1].",
    ],
)
async def test_other_assumptions_make_no_circle(tmp_path: Path, assumption: str) -> None:
    audit = await audited(tmp_path, paper_of(assumption=assumption))
    assert not any("circular" in f.why for f in audit.flaws)


async def test_what_a_paper_only_supposes_is_no_witness_for_it(tmp_path: Path) -> None:
    text = paper_of().replace(
        "Rain fell on eleven days of the ninety.",
        "This supports our assumption that shading lowers the ammonia loss of compost piles in the sun.",
    )
    audit = await audited(tmp_path, text)
    conclusion = node(audit, "We conclude that")
    assert not any(
        e.node == conclusion.id and e.label == "supports" and "assumption" in e.text for e in audit.evidence
    )


@pytest.mark.parametrize(
    "again",
    [
        "In the second year shaded piles lost 21.7 g of ammonia nitrogen per kg and open piles 28.9 g per kg.",
        "Shaded piles of straw lost 9.3 g of ammonia nitrogen per kg and open piles of straw lost 14.4 g per kg.",
        "After ninety days shaded piles lost 21.7 g of ammonia nitrogen per kg and open piles lost 28.9 g per kg.",
    ],
)
async def test_another_figure_of_another_case_is_no_contradiction(tmp_path: Path, again: str) -> None:
    audit = await audited(tmp_path, paper_of().replace("Rain fell on eleven days of the ninety.", again))
    assert not any(f.kind == "contradicted" for f in audit.flaws)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("It was fitted with Scikit-learn 1.2 and R 4.3.1.", True),
        ("We wrote it for version 3 of the controller.", True),
        ("The chamber stood at a pressure of 0.3 Pa, as Table 1.2 says.", False),
        ("In 2.5 hours the level fell. At 3.5 hours it stood.", False),
    ],
)
def test_a_number_after_a_word_is_no_version_of_a_tool(words: str, named: bool) -> None:
    import re

    from veritas.papers.verification.metric_policy import load_verification_policy

    signal = next(s for s in load_verification_policy().signals.reproducibility if "versions" in s.name)
    assert bool(re.search(signal.words, words, re.IGNORECASE)) is named


CIRCLE = (
    "Since shading lowers ammonia loss, our assumption that shading lowers ammonia loss is confirmed by our result."
)


async def test_evidence_of_the_body_shows_nothing_that_was_hidden(tmp_path: Path) -> None:
    """A sentence that is hidden after a heading leaves a gap which the next one seems to fill from the heading on."""
    hidden = "Shaded piles lost less ammonia than open piles, because we assumed that shading lowers ammonia loss."
    shown = "The computed ammonia loss of shaded piles was lower than that of open piles."
    text = paper_of().replace(RESULT.format("11.2"), f"{hidden} {shown}")
    text = text.replace("## 5 Conclusion", f"{CIRCLE}\n\n## 5 Conclusion")
    audit = await audited(tmp_path, text)
    own = [e for e in audit.evidence if e.source == "paper" and e.judge != "signs"]
    assert any(e.text == shown for e in own)
    assert not any(hidden in " ".join(e.text.split()) for e in own)


async def test_of_two_tables_close_together_each_has_its_own_caption(tmp_path: Path) -> None:
    rows = "| Group | Loss |\n| --- | --- |\n| {} | {} |\n| {} | {} |\n\n"
    first = rows.format("Shaded piles", "11.2", "Open piles", "18.6")
    second = rows.format("Turned piles", "14.1", "Still piles", "16.3")
    said = "Piles of compost lose ammonia to the air, more of it where they lie open to the sun. " * 10
    text = (
        f"# Piles\n\n## Results\n\n{said}\n\n{first}Table 1: Loss of ammonia.\n\n"
        f"{second}Table 2: Loss by turning.\n\n"
    )
    paper = await read_paper(written(tmp_path, text))
    tables = own_tables(paper.text, paper.figures)
    assert [(t.label, "Turned" in paper.text[t.start : t.end]) for t in tables] == [
        ("Table 1", False), ("Table 2", True),
    ]  # fmt: skip
