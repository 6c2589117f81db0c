"""A paper against its own tables and its suppositions: no false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import aio
from veritas.papers.audit import AuditNode, PaperAudit
from veritas.papers.reading.find_paper import read_paper
from veritas.papers.verification.own_tables import OwnTable, own_tables, stands_in

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


def test_a_table_bears_out_no_figure_that_is_not_in_it(tables: tuple[OwnTable, ...]) -> None:
    assert stands_in("Open piles lost 18.6 g per kg.", tables[0])
    assert not stands_in("Open piles lost 21.9 g per kg.", tables[0])
    assert stands_in("Open piles lost more than shaded ones.", tables[0])


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
