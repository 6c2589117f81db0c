"""Claims by the structure of their document, each once, and from the first hand where the corpus has it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.reviews.papers import document
from veritas.reading.formats import convert
from veritas.reviews.check_corpus import ground
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.embedded_claim_extractor import EmbeddedExtractor
from veritas.reviews.manuscript import cites_of
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.writing.retrieve_claims import Task, read_structure, retrieve

_ARTICLE = b"""<article><front><article-meta><title-group><article-title>Vitamin D and falls</article-title>
</title-group></article-meta></front><body><sec><title>Results of the trial</title>
<p>Falls fell by 12% in the vitamin D group.</p>
<fig><label>Figure 1</label><caption><title>Falls are shown in each group.</title>
<p>The bars show the standard errors of three runs.</p></caption></fig>
<table-wrap><label>Table 1</label><caption><p>Odds of falls are given by group and age.</p></caption><table><tr>
<th>Group</th><th>Odds</th></tr><tr><td>A</td><td>1.2</td></tr></table>
<table-wrap-foot><fn><p>Odds were adjusted for age and smoking in all models.</p></fn></table-wrap-foot></table-wrap>
<p>The effect on falls was larger in women than in men.</p></sec>
<sec><title>Discussion</title><p>Vitamin D may prevent falls in women.</p></sec></body>
<back><ack><title>Acknowledgements</title><p>The mothers who took part were very kind.</p></ack></back></article>"""


def claims_of(text: str, **fields: object) -> tuple[list[str], dict[str, int]]:
    doc = document(text, "Vitamin D and falls", **fields)
    drafts = asyncio.run(EmbeddedExtractor().extract(doc)).drafts
    claims, left_out = ground(doc, drafts, "key", "x")
    return [claim.text for claim in claims], dict(left_out)


def test_captions_legends_notes_of_tables_and_thanks_are_no_claims() -> None:
    made = convert(_ARTICLE, "jats")
    said, left_out = claims_of(made.text, blocks=made.blocks, media_type="application/jats+xml")
    assert said == [
        "Falls fell by 12% in the vitamin D group.", "The effect on falls was larger in women than in men.",
        "Vitamin D may prevent falls in women.",
    ]  # fmt: skip
    assert left_out == {"it is in a caption or the notes of a table": 4}


@pytest.mark.parametrize("note", ["**Adjusted for mother's age and parity.", "†Adjusted for the age of the mother."])
def test_a_note_is_told_by_its_mark_where_no_structure_is_known(note: str) -> None:
    said, _ = claims_of(f"Falls fell by 12% in both groups.\n\n{note}\n\n**Falls** rose in men by 3%.")
    assert said == ["Falls fell by 12% in both groups.", "**Falls** rose in men by 3%."]


def tasks(texts: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Task, ...]:
    monkeypatch.setenv("VERITAS_HOME", str(folder / "home"))
    papers = folder / "papers"
    papers.mkdir()
    for name, text in texts.items():
        (papers / f"{name}.md").write_text(text)
    asyncio.run(add_wanted(Wanted(name="own", paths=(papers,))))
    corpus = Corpus.open("own")
    return asyncio.run(retrieve("vitamin D and falls", read_structure("imrad"), corpus)).tasks


def test_near_copies_are_one_claim_with_several_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Vitamin D reduced falls by 12% in older women."
    texts = {"a": f"# Abstract\n\n{said}\n\n# Results\n\nVitamin D reduced the falls by 12% in older women.\n"}
    found = [claim for task in tasks(texts, tmp_path, monkeypatch) for claim in task.claims]
    assert len(found) == 1
    (cited,) = cites_of((found[0].model_copy(update={"page": 1, "also_on": (4,)}),))
    assert cited.pages == (1, 4)
