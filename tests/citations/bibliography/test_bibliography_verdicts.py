"""One verdict an entry, over real HTTP: what exists is found, what is wrong is named, and an outage accuses nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.citations.registry_server import FAULTS, RegistryServer, Work, registry_server
from veritas.citations.bibliography.correction import corrected_entry, mend_bibtex
from veritas.citations.bibliography.entry_verdict import Judged
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.reference_lists import read_references, reference_entry
from veritas.citations.bibliography.verify_entries import verify
from veritas.registries.all_registries import Registries

RESNET = Work(
    title="Deep Residual Learning for Image Recognition",
    authors=("Kaiming He", "Xiangyu Zhang", "Shaoqing Ren", "Jian Sun"),
    year=2016,
    doi="10.1109/cvpr.2016.90",
    venue="Conference on Computer Vision and Pattern Recognition",
    kind="proceedings-article",
)
LANCET = Work(
    title="Hydroxychloroquine or chloroquine with or without a macrolide for treatment of COVID-19",
    authors=("Mandeep Mehra", "Sapan Desai", "Frank Ruschitzka", "Amit Patel"),
    year=2020,
    doi="10.1016/s0140-6736(20)31180-6",
    pmid="32450107",
    venue="The Lancet",
)
PREPRINT = Work(
    title="Code as Policies: Language Model Programs for Embodied Control",
    authors=("Jacky Liang", "Wenlong Huang", "Fei Xia", "Peng Xu"),
    year=2022,
    arxiv_id="2209.07753",
    venue="arXiv",
)


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(RESNET, LANCET, PREPRINT) as running:
        yield running


def bib(kind: str = "inproceedings", **changes: Any) -> str:
    fields = {
        "title": "{Deep Residual Learning} for Image Recognition",
        "author": "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian",
        "booktitle": "CVPR",
        "year": "2016",
    }
    fields |= changes
    return (
        f"@{kind}{{key,\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value) + "\n}\n"
    )


async def judge(server: RegistryServer, text: str) -> Judged:
    return (await verify(read_bibtex(text, "x.bib"), server.registries()))[0]


NONSENSE = "Recursive Lattice Gating for Unsupervised Weather Dialogue"
ARXIV = bib(
    "article",
    title=PREPRINT.title,
    author="Liang, Jacky and Huang, Wenlong and Xia, Fei and Xu, Peng",
    booktitle="",
    journal="arXiv preprint arXiv:2209.07753",
    year="2022",
)
CASES = [
    ("right, with its DOI", bib(doi="10.1109/CVPR.2016.90"), "verified", []),
    ("right, without", bib(), "verified", []),
    ("et al.", bib(author="He, Kaiming and others"), "verified", []),
    ("only the second author", bib(author="Zhang, Xiangyu"), "misattributed", ["authors"]),
    ("only the first author", bib(author="He, Kaiming"), "minor", ["authors"]),
    ("the second author and the DOI", bib(author="Zhang, Xiangyu", doi=RESNET.doi), "misattributed", ["authors"]),
    ("off by a year", bib(year="2015"), "minor", ["year"]),
    ("a later edition", bib("book", booktitle="", publisher="MIT Press", year="2021"), "minor", ["year"]),
    (
        "a book that is called as a paper of others",
        bib("book", booktitle="", publisher="MIT Press", author="Other, Olga and Else, Else"),
        "cannot_confirm",
        [],
    ),
    ("another venue", bib(booktitle="International Conference on Machine Learning"), "minor", ["venue"]),
    ("two authors gone", bib(author="He, Kaiming and Zhang, Xiangyu"), "minor", ["authors"]),
    ("a slip in the title", bib(title="Deep Residual Lerning for Image Recognition"), "minor", ["title"]),
    (
        "a misspelt surname",
        bib(author="Hee, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian"),
        None,
        ["first author"],
    ),
    (
        "another first author",
        bib(author="Liu, Yifei and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian"),
        "misattributed",
        ["first author"],
    ),
    ("other authors", bib(author="Smith, John and Doe, Jane"), "misattributed", ["authors"]),
    ("far off in time", bib(year="2009"), "misattributed", ["year"]),
    (
        "another word in the title",
        bib(title="Deep Residual Learning for Speech Recognition"),
        "misattributed",
        ["title"],
    ),
    ("a DOI of nothing", bib(doi="10.1109/cvpr.2016.99999"), "misattributed", ["doi"]),
    ("a DOI of another paper", bib(doi=LANCET.doi), "misattributed", ["doi"]),
    ("made up", bib(title=NONSENSE), "fabricated", []),
    ("made up, with a DOI of nothing", bib(title=NONSENSE, doi="10.1234/none"), "fabricated", []),
    ("made up, with another's DOI", bib(title=NONSENSE, doi=RESNET.doi), "fabricated", []),
    ("a book nobody registers", bib("book", title="The Gardener's Compendium"), "cannot_confirm", []),
    (
        "a web page",
        bib("misc", title="Our Code of Ethics", booktitle="", url="https://www.example.org/x"),
        "cannot_confirm",
        [],
    ),
    ("before all indexes", bib(title="On the Motion of Certain Small Bodies", year="1905"), "cannot_confirm", []),
    ("no title", bib(title=""), "cannot_confirm", []),
    ("an arXiv paper", ARXIV, "verified", []),
]


@pytest.mark.parametrize(("text", "verdict", "fields"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
async def test_every_kind_of_entry_has_its_verdict(
    server: RegistryServer, text: str, verdict: str | None, fields: list[str]
) -> None:
    judged = await judge(server, text)
    assert verdict is None or judged.verdict == verdict, (judged.reason, judged.differences, judged.notes)
    assert set(fields) <= {difference.field for difference in judged.differences}
    assert judged.reason


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "slow"])
@pytest.mark.parametrize(
    "source", ["crossref", "openalex", "semantic_scholar", "arxiv", "europepmc", "dblp", "doi_org"]
)
async def test_nothing_is_called_fabricated_while_a_registry_is_down(
    server: RegistryServer, source: str, fault: str
) -> None:
    server.faults[source] = FAULTS[fault]
    judged = await judge(
        server, bib(title="Recursive Lattice Gating for Unsupervised Weather Dialogue", doi="10.1234/x")
    )
    assert judged.verdict == "unavailable"
    assert source in judged.reason


async def test_a_paper_is_verified_although_a_registry_is_down(server: RegistryServer) -> None:
    server.faults["semantic_scholar"] = FAULTS["5xx"]
    judged = await judge(server, bib(doi=RESNET.doi))
    assert judged.verdict == "verified"
    assert judged.evidence.problems


async def test_everything_down_is_unavailable_and_not_fabricated(server: RegistryServer) -> None:
    for source in ("crossref", "openalex", "semantic_scholar", "arxiv", "europepmc", "dblp", "datacite", "doi_org"):
        server.faults[source] = FAULTS["429 for hours"]
    assert (await judge(server, bib(doi=RESNET.doi))).verdict == "unavailable"


async def test_the_wrong_paper_under_the_right_doi_is_caught(server: RegistryServer) -> None:
    server.works[0] = Work(
        title="Protein Folding in Yeast under Heat", authors=("Other Person",), year=1999, doi=RESNET.doi
    )
    judged = await judge(server, bib(doi=RESNET.doi))
    assert judged.verdict == "fabricated"
    assert "Protein Folding in Yeast" in judged.reason


MEHRA = bib(
    "article",
    title=LANCET.title,
    author="Mehra, Mandeep and Desai, Sapan and Ruschitzka, Frank and Patel, Amit",
    booktitle="",
    journal="The Lancet",
    year="2020",
    doi=LANCET.doi,
)


async def test_what_too_few_independent_indexes_were_searched_for_is_not_called_fabricated(
    server: RegistryServer,
) -> None:
    everybody = server.policy()
    for asked, verdict in ((("crossref",), "unavailable"), (("crossref", "openalex"), "unavailable"),
                           (("crossref", "semantic_scholar"), "fabricated")):  # fmt: skip
        sources = {name: entry for name, entry in everybody.sources.items() if name in asked or name == "doi_org"}
        registries = Registries(everybody.model_copy(update={"sources": sources}))
        (judged,) = await verify(read_bibtex(bib(title=NONSENSE), "x.bib"), registries)
        assert judged.verdict == verdict, (asked, judged.reason)


@pytest.mark.parametrize(
    ("kind", "verdict", "standing"),
    [
        ("retraction", "retracted", "retracted"),
        ("withdrawal", "withdrawn", "withdrawn"),
        ("removal", "withdrawn", "withdrawn"),
        ("expression_of_concern", "verified", "expression_of_concern"),
        ("correction", "verified", "corrected"),
        ("erratum", "verified", "corrected"),
        ("new_version", "verified", "current"),
    ],
)
@pytest.mark.parametrize("side", ["paper", "notice"])
async def test_what_became_of_a_paper_is_told_apart_from_both_sides(
    server: RegistryServer, kind: str, verdict: str, standing: str, side: str
) -> None:
    if side == "paper":
        update = {"DOI": "10.1016/notice", "type": kind, "source": "publisher"}
        server.works[1] = Work(**{**vars(LANCET), "changes": {"crossref": {}}, "updates": ()})
        record = _with_updated_by(update)
        server.faults["crossref"] = record
    else:
        update = {"DOI": LANCET.doi, "type": kind, "source": "publisher"}
        server.works.append(Work(title=f"{kind} notice", doi="10.1016/notice", updates=(update,)))
    judged = await judge(server, MEHRA)
    assert (judged.verdict, judged.evidence.status.standing) == (verdict, standing)
    assert any(update.kind.value for update in judged.evidence.status.updates)


def _with_updated_by(update: dict[str, Any]) -> Any:
    import json

    from tests.citations.registry_server import Reply, as_json, crossref

    def answer(path: str) -> Reply | None:
        if "/works/10.1016" in path:
            return as_json({"message": crossref(LANCET) | {"updated-by": [update]}})
        if "filter=" in path:
            return as_json({"message": {"items": []}})
        return Reply(404, json.dumps("Resource not found."))

    return answer


async def test_the_retraction_of_one_part_is_not_the_other_s(server: RegistryServer) -> None:
    parts = [
        Work(**{**vars(LANCET), "title": f"Macrolides for treatment of COVID-19: Part {n}", "doi": f"10.1016/part.{n}"})
        for n in ("1", "2")
    ]
    update = {"DOI": "10.1016/part.1", "type": "retraction", "source": "publisher"}
    server.works[:] = [*parts, Work(title="Retraction of part 1", doi="10.1016/notice", updates=(update,))]
    for cited, verdict in (("1", "retracted"), ("2", "verified")):
        text = MEHRA.replace(LANCET.title, f"Macrolides for treatment of COVID-19: Part {cited}")
        judged = await judge(server, text.replace(f"doi = {{{LANCET.doi}}}", "note = {x}"))
        assert (judged.verdict, judged.evidence.status.standing) == (
            verdict,
            "retracted" if cited == "1" else "current",
        )


async def test_openalex_alone_may_say_that_a_paper_was_retracted(server: RegistryServer) -> None:
    server.works[1] = Work(**{**vars(LANCET), "retracted": True})
    judged = await judge(server, MEHRA)
    assert judged.verdict == "retracted"
    assert "openalex" in judged.reason


async def test_agreement_is_counted_between_independent_sources(server: RegistryServer) -> None:
    server.works[0] = Work(**{**vars(RESNET), "in_": frozenset({"crossref", "openalex", "doi_org"})})
    judged = await judge(server, bib(doi=RESNET.doi))
    assert (judged.verdict, judged.independent) == ("verified", 1)


async def test_a_reference_in_running_text_is_verified(server: RegistryServer) -> None:
    entry = reference_entry(
        "K. He, X. Zhang, S. Ren and J. Sun. Deep residual learning for image recognition. In Proc. CVPR, 2016.",
        "x",
        "1",
        1,
    )
    judged = (await verify([entry], server.registries()))[0]
    assert judged.verdict == "verified", (judged.reason, entry.fields)


async def test_a_title_cut_wrongly_is_mended_by_the_record(server: RegistryServer) -> None:
    entry = reference_entry(
        "He K Zhang X Ren S Sun J Deep residual learning for image recognition CVPR 2016", "x", "1", 1
    )
    judged = (await verify([entry], server.registries()))[0]
    assert judged.verdict != "fabricated"


async def test_in_a_list_an_invented_paper_is_called_so_and_nobody_is_accused_of_how_a_line_was_read(
    server: RegistryServer,
) -> None:
    lines = [
        "Almeida, R., & Berg, T. (2014). Lattices of barley under seismic noise. Journal of Crops, 12(3), 1–19.",
        "S. Ågren, P. McDonald, and M. Jensen, Nature Barley 77, 1717 (1993).",  # prints no titles
        "T. Berg, C. Costa, Szabó, Barley and Rye in Fields, Journal of Crops 12 (2014), no. 3, 1–9.",
        "S. Ågren, M. Jensen, Nature Barley 77, 1717 (1993). doi:10.5555/barley.77.1717",  # is registered nowhere
        "Deep residual learning for image recognition: a commentary for everyone, 1999",
        "K. He, X. Zhang, S. Ren, J. Sun, Deep residual learning for image recognition (CVPR, 2015)",
    ]
    entries = read_references("\n\n".join(f"[{n}] {line}" for n, line in enumerate(lines, 1)), "list.txt")
    judged = await verify(entries, server.registries())
    assert judged[0].verdict == "fabricated"
    assert [each.verdict for each in judged[1:4]] == ["cannot_confirm"] * 3, [each.reason for each in judged]
    assert all("could not be told for sure" in each.reason for each in judged[1:3])
    assert not {"fabricated", "misattributed"} & {each.verdict for each in judged[1:]}


async def test_an_outage_is_said_before_what_could_not_be_read(server: RegistryServer) -> None:
    server.faults |= dict.fromkeys(("crossref", "openalex", "semantic_scholar"), FAULTS["5xx"])
    entry = reference_entry("S. Ågren, M. Jensen, Nature Barley 77, 1717 (1993).", "x", "1", 1)
    assert (await verify([entry], server.registries()))[0].verdict == "unavailable"


async def test_corrections_are_made_in_place_and_touch_nothing_else(server: RegistryServer) -> None:
    text = "% kept\n" + bib(year="2015", note="mine") + "\n@misc{other, title={Left alone}}\n"
    judged = await verify(read_bibtex(text, "x.bib"), server.registries())
    assert mend_bibtex(text, judged) == text.replace("{2015}", "{2016}")
    corrected = corrected_entry(judged[0])
    assert corrected is not None
    again = await judge(server, corrected)
    assert again.verdict == "verified"
    assert again.entry.fields["note"] == "mine"


async def test_a_corrected_doi_is_the_work_s_own(server: RegistryServer) -> None:
    judged = await judge(server, bib(doi="10.1109/cvpr.2016.99999"))
    assert RESNET.doi in (corrected_entry(judged) or "")


async def test_a_fabrication_is_not_corrected_into_something_else(server: RegistryServer) -> None:
    assert corrected_entry(await judge(server, bib(title="Recursive Lattice Gating for Weather Dialogue"))) is None


async def test_a_second_run_asks_nobody(server: RegistryServer) -> None:
    entries = read_bibtex("".join(case[1].replace("key", f"k{n}") for n, case in enumerate(CASES)), "x.bib")
    first = await verify(entries, server.registries())
    asked = len(server.asked)
    again = await verify(entries, server.registries())
    assert len(server.asked) == asked
    assert [each.verdict for each in again] == [each.verdict for each in first]
    server.faults |= dict.fromkeys(("crossref", "openalex", "semantic_scholar"), FAULTS["5xx"])
    offline = await verify(entries, server.registries(offline=True))
    assert [each.verdict for each in offline if each.verdict == "fabricated"]
    assert len(server.asked) == asked


SHADE = Work(
    title="Barley yields under shade",
    authors=("Xueyan Barns", "Nadia Okafor", "Stéfan J. van der Walt"),
    year=2018,
    doi="10.5555/shade",
)
PRINTED = {
    "APA": "{0} ({1}). Barley yields under shade. *Journal of Tests*, 8, 456. https://doi.org/10.5555/shade",
    "Vancouver": "{0}. Barley yields under shade. J Tests. {1};8(2):45-6. doi:10.5555/shade",
    "IEEE": "{0}, “Barley yields under shade,” J. Tests, vol. 8, pp. 45–46, {1}, doi: 10.5555/shade.",
    "ACM": "{0}. {1}. Barley yields under shade. Journal of Tests 8, 45–46. https://doi.org/10.5555/shade",
}
OWN = {
    "APA": "Barns, X., Okafor, N., & van der Walt, S. J.",
    "Vancouver": "Barns X, Okafor N, van der Walt SJ",
    "IEEE": "X. Barns, N. Okafor, and S. J. van der Walt",
    "ACM": "Xueyan Barns, Nadia Okafor, and Stéfan J. van der Walt",
}
OTHERS = {
    "APA": "Adeyemi, Q., & Zwick, B.",
    "Vancouver": "Adeyemi Q, Zwick B",
    "IEEE": "Q. Adeyemi and B. Zwick",
    "ACM": "Quillon Adeyemi and Bertram Zwick",
}


@pytest.mark.parametrize("style", PRINTED)
async def test_in_a_list_people_whom_no_record_has_are_told_and_its_own_are_not(
    server: RegistryServer, style: str
) -> None:
    server.works.append(SHADE)
    lines = [PRINTED[style].format(people[style], 2018) for people in (OWN, OTHERS)]
    entries = read_references("\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)), "list.md")
    own, others = await verify(entries, server.registries())
    assert (own.verdict, own.differences) == ("verified", ())
    assert others.verdict == "misattributed"
    assert [each.code for each in others.differences] == ["invented"]


@pytest.mark.parametrize(
    "line",
    [
        "Barns, X., Okafor, N., et al. (2018). Barley yields under shade. J. Tests, 8. doi:10.5555/shade",
        "Barns X Okafor N Walt S Barley yields under shade J Tests 2018 doi:10.5555/shade",
        "Barns, X., Okafor, N., & Walt, S. J. v. d. (2018). Barley yields under shade. J. Tests. doi:10.5555/shade",
        # N. Okafor may be N. Fields now
        "Barns, X., Fields, N., & van der Walt, S. J. (2018). Barley yields under shade. doi:10.5555/shade",
        "Shade Group. Barley yields under shade. Journal of Tests 8, 2018. doi:10.5555/shade",
    ],
)
async def test_in_a_list_nobody_is_accused_where_a_name_may_have_been_cut_wrongly(
    server: RegistryServer, line: str
) -> None:
    server.works.append(SHADE)
    (judged,) = await verify([reference_entry(line, "list.md", "1", 1)], server.registries())
    assert not judged.is_finding, (judged.reason, judged.differences)


async def test_signs_of_a_formula_and_a_discussion_make_no_other_title(server: RegistryServer) -> None:
    title = "An Improved Rˆ for Assessing Convergence of MCMC (with Discussion)"
    server.works.append(Work(title=title, authors=("Aki Moor", "Ida Fen"), year=2021, doi="10.5555/rhat"))
    text = (
        r"@article{v, title={An improved $\widehat{R}$ for assessing convergence of {MCMC}}, year={2021},"
        " author={Moor, Aki and Fen, Ida}, doi={10.5555/rhat}}"
    )
    judged = await verify(read_bibtex(text, "x.bib"), server.registries())
    assert judged[0].verdict == "verified", judged[0].reason
    assert mend_bibtex(text, judged) == text


async def test_volume_issue_and_pages_that_no_record_has_are_corrected(server: RegistryServer) -> None:
    said = {"volume": "118", "issue": "7", "page": "1573-1581"}
    server.works.append(Work(**{**vars(SHADE), "changes": {"crossref": said}, "in_": frozenset({"crossref"})}))
    text = (
        "@article{s, title={Barley yields under shade}, author={Barns, Xueyan and Okafor, Nadia and van der Walt, "
        "Stéfan J.}, year={2018}, journal={Journal of Tests}, volume={181}, number={57}, pages={2573--1375}, "
        "doi={10.5555/shade}}"
    )
    judged = await verify(read_bibtex(text, "x.bib"), server.registries())
    assert {each.field for each in judged[0].differences} == {"volume", "issue", "pages"}
    mended = mend_bibtex(text, judged)
    assert "volume={118}, number={7}, pages={1573--1581}" in mended
    assert (await verify(read_bibtex(mended, "x.bib"), server.registries()))[0].verdict == "verified"
