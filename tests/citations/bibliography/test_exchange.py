"""Records go from format to format and back, and lose nothing on the way."""

from __future__ import annotations

import itertools
import string
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.csl import read_csl
from veritas.citations.bibliography.formats.tagged_lines import read_ris
from veritas.citations.record_exports import bibtex, csl_json, export, field, ris, tex
from veritas.citations.slugs import citation_key
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

READ: dict[str, Callable[[str, str], list[Entry]]] = {"bibtex": read_bibtex, "csl-json": read_csl, "ris": read_ris}
PEOPLE = (
    PersonName(family="García Márquez", given="Gabriel"),
    PersonName(family="van der Waals", given="Johannes Diderik"),
    PersonName(family="de la Cruz", given="Ana María"),
    PersonName(family="Gates", given="Henry Louis", suffix="Jr."),
    PersonName(family="van Rossum", given="G.", suffix="III"),
    PersonName(family="O'Brien-Smith", given="J.-P."),
    PersonName(family="Madonna"),
    PersonName(family="王", given="小明"),
    PersonName(family="김", given="철수"),
    PersonName(family="山田", given="太郎"),
    PersonName(family="Иванов", given="Иван Петрович"),
    PersonName(family="Παπαδόπουλος", given="Γιώργος"),
    PersonName(family="Center for Tests and Trials", corporate=True),
    PersonName(family="University of California, Berkeley", corporate=True),
    PersonName(family="AT&T Research Team", corporate=True),
)
TITLES = st.text(
    st.one_of(
        st.sampled_from("{}%&#_~^$\\<>\"'()[]:;,.?!-—äßøłЖшяωπ深度学習한"), st.sampled_from(string.ascii_letters + " ")
    ),
    max_size=40,
)
RECORDS = st.builds(
    BibRecord,
    source=st.just("crossref"),
    title=TITLES.map(lambda text: f"On {text} pumps"),
    authors=st.lists(st.sampled_from(PEOPLE), max_size=5, unique=True).map(tuple),
    authors_complete=st.booleans(),
    year=st.one_of(st.none(), st.integers(1500, 2030)),
    doi=st.one_of(st.none(), st.sampled_from(["10.1000/abc_d-e", "10.1002/(sici)1097<1::aid>3.0.co;2-2"])),
    arxiv_id=st.one_of(st.none(), st.just("1902.06156")),
    pmid=st.one_of(st.none(), st.just("32450107")),
    venue=st.sampled_from(["Journal of R&D_Tests", "Вопросы языкознания", "Zenodo"]),
    volume=st.one_of(st.none(), st.sampled_from(["12", "A-3"])),
    issue=st.one_of(st.none(), st.sampled_from(["3", "Suppl 1"])),
    pages=st.one_of(st.none(), st.sampled_from(["1-19", "e1002", "S12-S19", "2-2"])),
    kind=st.sampled_from([kind for kind in Kind if kind not in (Kind.OTHER, Kind.UNKNOWN)]),
)


def through(record: BibRecord, forms: tuple[str, ...], key: str | None = None) -> tuple[str, BibRecord]:
    """The key and the record after an export into each format and a reading of it."""
    for form in forms:
        (entry,) = READ[form](export(record, form, key), "x")
        key, record = entry.key, entry.record
    return key or "", record


def told(record: BibRecord) -> dict[str, object]:
    """What a record says that every format can say. An arXiv id names its venue itself; no format says of a title what
    spaces it had."""
    arxiv = record.kind is Kind.PREPRINT and record.arxiv_id
    return {
        "title": " ".join((record.full_title or "").split()),
        "authors": [(name.family, name.given, name.suffix, name.corporate) for name in record.authors],
        "complete": record.authors_complete,
        "venue": None if arxiv else record.venue,
        "pages": (record.pages or "").replace("--", "-"),
        **{name: getattr(record, name) for name in ("year", "doi", "arxiv_id", "pmid", "volume", "issue", "kind")},
    }


def plain(record: BibRecord) -> BibRecord:
    """The record with its title as a reader of LaTeX would keep it, which no format is asked to keep otherwise."""
    (entry,) = read_bibtex(bibtex(record), "x")
    return record.model_copy(update={"title": entry.record.title})


@settings(max_examples=30, deadline=None)
@given(RECORDS)
def test_no_field_is_lost_between_bibtex_csl_and_ris(record: BibRecord) -> None:
    record = plain(record)
    assume(field(record.title or "") == tex(record.title or ""))  # `$x_1$` in CSL or RIS is LaTeX, and read as such
    for forms in itertools.permutations(READ):
        key, last = through(record, (*forms, forms[0]))
        assert told(last) == told(record), forms
        assert key == citation_key(record)


def test_the_key_is_the_same_in_every_format_and_of_latin_letters() -> None:
    made = BibRecord(source="crossref", title="Методы обучения", authors=(PEOPLE[10],), year=2020)
    assert citation_key(made) == "ivanov2020metody"
    chinese = BibRecord(source="crossref", title="深度学习", authors=(PEOPLE[7],), year=2020)
    other = chinese.model_copy(update={"title": "图像识别"})
    assert citation_key(chinese).startswith("ref2020")
    assert citation_key(chinese) != citation_key(other)
    for record in (made, chinese):
        assert bibtex(record).partition("{")[2].startswith(f"{citation_key(record)},")
        assert csl_json(record)["id"] == citation_key(record)
        assert f"ID  - {citation_key(record)}\n" in ris(record)
