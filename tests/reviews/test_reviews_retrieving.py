"""What a section is given: claims on the subject, of several papers; themes that are themes; quotes that can stand."""

from __future__ import annotations

import asyncio

import pytest

from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.writing.retrieve_claims import Retrieval, SectionPlan, Structure, read_structure, retrieve

SAID = {
    "one": "Breast cancer screening found many tumours in older women. Breast cancer metastasis rose after screening "
    "stopped. Trastuzumab lowered breast cancer relapse by 20%. Breast cancer cells grew faster on stiff gels.",
    "two": "Breast cancer metastases were seen in the brain of 30 women. Trastuzumab raised breast cancer survival in "
    "9 trials. Breast cancer patients with obesity lived shorter than others. Breast cancer is common in Europe.",
    "three": "Metastatic breast cancer was rarer after surgery. Trastuzumab did not reach the brain in breast cancer "
    "patients. Breast cancer mortality fell by 12% in ten years. Breast cancer costs rose in all countries.",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("papers")
    for name, text in SAID.items():
        (folder / f"{name}.md").write_text(f"# Paper {name}\n\n## Results\n\n{text}\n", encoding="utf-8")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(home))
        asyncio.run(add_wanted(Wanted(name="breast", paths=(folder,), extractor="embedded")))
        return Corpus.open("breast")


def retrieved(corpus: Corpus, topic: str, structure: Structure | None = None) -> Retrieval:
    plan = SectionPlan(id="all", title="Findings", most=9)
    return asyncio.run(retrieve(topic, structure or Structure(sections=(plan,)), corpus))


def test_the_rare_word_of_a_topic_says_what_is_asked_in_whatever_form(corpus: Corpus) -> None:
    (task,) = retrieved(corpus, "breast cancer metastasis").tasks
    assert {c.text.split()[at] for c in task.claims for at in (0, 2)} >= {"metastasis", "metastases"}
    assert all("metasta" in c.text.casefold() for c in task.claims)
    assert retrieved(corpus, "migration of arctic terns").tasks[0].claims == ()


def test_no_paper_fills_a_section_while_others_have_something_to_say(corpus: Corpus) -> None:
    plan = SectionPlan(id="all", title="Findings", most=6)
    (task,) = retrieved(corpus, "breast cancer", Structure(sections=(plan,))).tasks
    papers = [c.paper_key for c in task.claims]
    assert len(papers) == 6
    assert max(map(papers.count, papers)) == 2


def test_a_theme_is_what_several_papers_speak_of_and_the_rest_is_not_lost(corpus: Corpus) -> None:
    tasks = retrieved(corpus, "breast cancer", read_structure("thematic")).tasks
    themes = {t.section.title: t for t in tasks if t.section.section_id.startswith("theme-")}
    assert "Trastuzumab" in themes
    assert not {"Breast", "Cancer", "Patients", "Women", "Rose", "Older"} & set(themes)
    for title, task in themes.items():
        if title != "Further findings":
            assert len({c.paper_key for c in task.claims}) > 1
    assert "Further findings" in themes
    given = [c.claim_id for t in tasks for c in t.claims]
    assert len(given) == len(set(given)) >= 8


def test_without_a_theme_the_findings_are_there_all_the_same(corpus: Corpus) -> None:
    tasks = retrieved(corpus, "breast cancer metastasis", read_structure("thematic")).tasks
    assert [t.section.title for t in tasks if t.claims] == ["Findings"]
