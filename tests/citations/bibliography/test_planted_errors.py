"""Errors that people plant in real references are found, whoever they make the author; real references pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.loopback_web.web import Reply, html, reader, web
from veritas.citations.bibliography.entry_verdict import Judged
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.judging import verify
from veritas.errors import InputError
from veritas.policy.reference_profile import load_profile

PANDORA = Work(
    title="Barley yields under shade",
    authors=("Xueyan Barns", "Nadia Okafor", "Pavel Novak", "Ingrid Berg", "Tomas Ruiz"),
    year=2018,
    doi="10.5555/barley",
    venue="Journal of Field Studies",
    changes={
        "crossref": {"volume": "12"},
    },
)
BODY = Work(
    title="Harvester 3 technical report",
    authors=("Ann Field", "Ben Furrow", "Cleo Meadow"),
    year=2024,
    arxiv_id="2403.00001",
    venue="arXiv",
)
SUBTITLED = Work(
    title="Silage: how grass keeps over a winter", authors=("Ida Moor", "Olaf Fen"), year=2015, doi="10.5555/silage"
)
DEPOSIT = Work(
    title="Root depth of perennial wheat in dry soil",
    authors=("Lena Sand", "Marek Loam", "Noor Clay"),
    year=2019,
    doi="10.5555/roots",
    changes={"crossref": {"authors": ("Lena Sand",)}, "openalex": {"authors": ("Lena Sand",)}},
)


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(PANDORA, BODY, SUBTITLED, DEPOSIT) as running:
        yield running


def barley(**changes: str) -> str:
    fields = {
        "title": PANDORA.title, "author": " and ".join(PANDORA.authors), "year": "2018",
        "journal": "Journal of Field Studies",
    }  # fmt: skip
    return entry("article", **(fields | changes))


def entry(kind: str, **fields: str) -> str:
    return f"@{kind}{{key,\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value) + "\n}"


async def judge(server: RegistryServer, text: str, profile: str = "lenient") -> Judged:
    (judged,) = await verify(read_bibtex(text, "x.bib"), server.registries(cached=False), profile=load_profile(profile))
    return judged


def told(judged: Judged) -> list[tuple[str, str]]:
    return [(each.field, each.code) for each in judged.differences]


PEOPLE = list(PANDORA.authors)
INVENTED = "Quillon Adeyemi"


@pytest.mark.parametrize(
    ("changes", "verdict", "differences"),
    [
        ({}, "verified", []),
        ({"title": f"{PANDORA.title}: Why It Fails"}, "misattributed", [("title", "subtitle")]),
        ({"author": " and ".join([*PEOPLE[:2], INVENTED, "Sunniva Kettle", "Bo Iwaszcz"])}, "misattributed",
         [("authors", "invented")]),
        ({"author": " and ".join([*PEOPLE[:-1], INVENTED])}, "misattributed", [("authors", "invented")]),
        ({"author": " and ".join([*PEOPLE, INVENTED])}, "misattributed", [("authors", "invented")]),
        ({"author": " and ".join([PEOPLE[-1], *PEOPLE[1:-1], PEOPLE[0]])}, "misattributed",
         [("first author", "order")]),
        ({"author": " and ".join([PEOPLE[0], *PEOPLE[2:]])}, "minor", [("authors", "omitted")]),
        ({"author": " and ".join(["Xuefeng Barns", *PEOPLE[1:]])}, "minor", [("first author", "given_name")]),
        ({"author": " and ".join([*PEOPLE[:3], "Ingrid Bergg", PEOPLE[4]])}, "minor", [("authors", "misspelt")]),
        ({"author": f"{PEOPLE[0]} and others"}, "verified", []),
        ({"author": "X. Barns and N. Okafor and P. Novak and I. Berg and T. Ruiz"}, "verified", []),
        ({"year": "2019"}, "minor", [("year", "")]),
        ({"year": "2021"}, "misattributed", [("year", "")]),
    ],
)  # fmt: skip
async def test_a_planted_error_is_told_for_what_it_is(
    server: RegistryServer, changes: dict[str, str], verdict: str, differences: list[tuple[str, str]]
) -> None:
    judged = await judge(server, barley(**changes))
    assert (judged.verdict.value, told(judged)) == (verdict, differences), judged.reason


CARD = Work(title="OpenAI GPT-5 System Card", authors=("OpenAI",), year=2025, doi="10.5555/card", venue="CoRR")
MODEL = Work(
    title="Accurate prediction of harvests using barley language model", authors=("Hong Ji", "Pa Zhang"), year=2023,
    doi="10.5555/model",
)  # fmt: skip
DATA = Work(title="Barley segmentation", authors=("Jin Zhou", "Jia Wang", "Stan Bird"), year=2022, doi="10.5555/data")
REVIEW = Work(title="Allocation indices of barley fields", authors=("P. W. Jones", "J. C. Gittins"), year=1989,
              doi="10.5555/review")  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        entry("misc", title="GPT-5 System Card", author="OpenAI", year="2025"),
        entry("article", title="Accurate prediction of harvests using a barley language model (BLM)",
              author="Hong Ji and Pa Zhang", year="2023", journal="J"),
        entry("misc", title="Barley segmentation data set", author="Jin Zhou", year="2022", doi=""),
        entry("book", title="Allocation indices of barley fields", author="John C. Gittins", year="1989"),
    ],
    ids=["system card", "acronym in brackets", "data set", "a review of the book"],
)  # fmt: skip
async def test_nobody_is_accused_by_a_record_that_is_worded_otherwise(text: str) -> None:
    with registry_server(CARD, MODEL, DATA, REVIEW) as server:
        for source in ("semantic_scholar", "dblp", "europepmc", "arxiv"):
            for work in server.works:
                work.in_ -= {source}
        judged = await judge(server, text)
    assert not judged.is_finding, (judged.reason, judged.differences)


FAKE = {"title": "Orchard lattice transformers for glacier yeast", "author": f"{INVENTED} and Calla Monte"}


SAYING = html(f"<title>{FAKE['title']}</title><p>{FAKE['title']}, by Quillon Adeyemi and Calla Monte.</p>" * 20)


@pytest.mark.parametrize(
    ("page", "verdict", "refused"),
    [
        (SAYING, "cannot_confirm", False),
        (html("<title>Hours</title>" + "<p>The shop opens at nine.</p>" * 40), "cannot_confirm", True),
        (html(f"<title>{FAKE['title']}</title>" + f"<p>{FAKE['title']}, by somebody else.</p>" * 20),
         "cannot_confirm", True),
        (Reply("gone", 404, {"Content-Type": "text/html"}), "cannot_confirm", True),
        (Reply("down", 503, {"Content-Type": "text/html"}), "unavailable", False),
    ],
    ids=["says it", "says something else", "names others", "is gone", "is down"],
)  # fmt: skip
async def test_strict_reads_the_linked_page_and_an_outage_there_accuses_nobody(
    server: RegistryServer, tmp_path: Path, page: Reply, verdict: str, refused: bool
) -> None:
    with web({"/post": page}) as served:
        entries = read_bibtex(entry("misc", **FAKE, year="2019", url=served.url("/post")), "x.bib")
        given = {"profile": load_profile("strict"), "reader": reader(served, tmp_path)}
        (judged,) = await verify(entries, server.registries(cached=False), **given)  # type: ignore[arg-type]
        assert (judged.verdict.value, judged.refused) == (verdict, refused), judged.reason
        served.asked.clear()
        given["profile"] = load_profile("lenient")
        (lenient,) = await verify(entries, server.registries(cached=False), **given)  # type: ignore[arg-type]
        assert not lenient.refused
        assert served.asked == []


def test_a_profile_is_a_name_or_a_file(tmp_path: Path) -> None:
    own = tmp_path / "ours.yaml"
    own.write_text("refuse: [fabricated]\nhallucinated: ['title:subtitle']\n")
    assert (load_profile(own).name, load_profile(own).refuse) == ("ours", ("fabricated",))
    with pytest.raises(InputError, match="lenient"):
        load_profile("nobody")
