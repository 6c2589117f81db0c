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
from veritas.citations.bibliography.judging import verify
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


TUNNEL = Work(
    title="Stability of a tunnel face in layered soil under seepage",
    authors=("Zhenping Zhang", "Qian Sheng", "Xiaodong Fu"),
    year=2020,
    doi="10.1007/s10064-099-01658-0",
    venue="Bulletin of Engineering Geology",
    changes={"semantic_scholar": {"authors": ("Zhenping Zhu", "Qian Sheng", "Xiaodong Fu")}},
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
    ("another work of the title", bib(author="Smith, John and Doe, Jane", year="2009"), "cannot_confirm", []),
    ("a body's work of the title", bib(author="{Institute of Pictures}", year="2009"), "cannot_confirm", []),
    ("of the future", bib("book", title="A study that is still to be", booktitle="", year="2199"), "misattributed",
     ["year"]),
    ("of two years", bib(year="1986 [2016]"), "verified", []),
    ("letters exchanged", bib(title="Deep Residual Laerning for Image Recognition"), "minor", ["title"]),
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
    assert (source in judged.reason, judged.evidence.status.standing) == (True, None)


async def test_a_paper_is_verified_although_a_registry_is_down(server: RegistryServer) -> None:
    server.faults["semantic_scholar"] = FAULTS["5xx"]
    judged = await judge(server, bib(doi=RESNET.doi))
    assert judged.verdict == "verified"
    assert judged.evidence.problems


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


async def test_a_page_that_looks_like_a_year_is_no_error(server: RegistryServer) -> None:
    said = "He K, Zhang X, Ren S, Sun J. Deep Residual Learning for Image Recognition. CVPR. 2016. 12 Proc. 1936."
    entry = reference_entry(said, "x", "1", 1)
    (judged,) = await verify([entry], Registries(server.policy()))
    assert (judged.verdict, judged.differences) == ("verified", ())


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


async def test_a_fabrication_is_not_corrected_into_something_else(server: RegistryServer) -> None:
    assert corrected_entry(await judge(server, bib(title="Recursive Lattice Gating for Weather Dialogue"))) is None


async def test_a_name_that_one_index_alone_has_is_told(server: RegistryServer) -> None:
    server.works.append(TUNNEL)
    said = {"title": TUNNEL.title, "year": "2020", "doi": TUNNEL.doi, "booktitle": "", "journal": TUNNEL.venue}
    right = await judge(server, bib("article", **said, author="Zhang, Zhenping and Sheng, Qian and Fu, Xiaodong"))
    assert (right.verdict, right.differences) == ("verified", ())
    judged = await judge(server, bib("article", **said, author="Zhu, Zhenping and Sheng, Qian and Fu, Xiaodong"))
    assert judged.verdict == "minor"
    assert [(each.field, each.found) for each in judged.differences] == [("first author", "Zhenping Zhang")]


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
