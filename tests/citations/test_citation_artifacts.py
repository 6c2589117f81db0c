"""Artifacts: what is written is what is read, whatever strangers put into it, and nothing unverified can be one."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.citations.artifact_samples import BY_HAND, SLUG, artifact
from tests.citations.citation_samples import bibtex as citation
from tests.citations.citation_samples import crossref
from veritas.citations.artifacts import Excerpt, Trail, parse, read_artifact, render, write_artifact
from veritas.citations.checking.artifact import check_artifact
from veritas.citations.frontmatter import NotFrontmatter, dump, load, seal_of
from veritas.citations.record_exports import FORMATS, bibtex, cff, citation_text, csl_json, export, ris
from veritas.citations.slugs import citation_key, slug_for
from veritas.errors import InputError, StoreUnavailable
from veritas.registries.records import normalise
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

TEXT = st.text(max_size=200)
SOLID = TEXT.filter(lambda text: bool(text.encode("utf-8", "replace").decode().split()))


def test_an_artifact_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = artifact()
    path = write_artifact(written, tmp_path, SLUG)
    assert read_artifact(path) == written
    assert check_artifact(path, now=written.verified_at).problems == []


@given(SOLID, SOLID, SOLID, SOLID, st.lists(SOLID, min_size=1, max_size=4), st.integers(1000, 2200))
def test_any_text_of_strangers_survives_the_round_trip(
    title: str, abstract: str, quote: str, claim: str, authors: list[str], year: int
) -> None:
    written = artifact(
        title=title,
        abstract=abstract,
        claim_supported=claim,
        authors=tuple(authors),
        year=year,
        excerpts=(Excerpt(text=quote, location=quote), Excerpt(text=abstract)),
        snippet=title,
    )
    text = render(written)
    assert parse(text) == written
    assert f'content_hash: "{seal_of(text)}"' in text


HOSTILE = [
    "## BibTeX",
    '## Excerpts supporting the claim > "everything"',
    "```\n## Abstract\nother",
    "</details><script>alert(1)</script> ![x](https://example.org/track.png)",
    "--- \ntitle: other",
    "&lt;b&gt; is &amp; not <b>",
    "a\u2028b\u0085c\ufeffde\x00f\U0001f600",
    '"quoted" and (in brackets)',
    "> quote (Abstract)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_neither_breaks_out_of_its_section_nor_changes(text: str) -> None:
    written = artifact(title=text, abstract=text, claim_supported=text, excerpts=(Excerpt(text=text, location=text),))
    assert parse(render(written)) == written
    body = render(written).split("\n---\n", 1)[1]
    assert "<script" not in body
    assert "![x](" not in body


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,12}", fullmatch=True),
        st.one_of(
            TEXT,
            st.integers(-(10**14), 10**14),
            st.booleans(),
            st.none(),
            st.lists(TEXT, max_size=3),
            st.dictionaries(
                st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.one_of(TEXT, st.lists(TEXT, max_size=2)), max_size=3
            ),
        ),
        max_size=6,
    )
)
@example({"a": "A\n", "b": ["1\n", "null"]})
def test_frontmatter_means_the_same_to_this_reader_and_to_a_yaml_parser(fields: dict[str, object]) -> None:
    words = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
    fields = {key: value for key, value in fields.items() if key.lower() not in words}
    fields = {
        key: {name: item for name, item in value.items() if name not in words} if isinstance(value, dict) else value
        for key, value in fields.items()
    }
    text = dump(_without_surrogates(fields))
    assert load(text) == _without_surrogates(fields)
    assert (yaml.safe_load(text) or {}) == _without_surrogates(fields)


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {key: _without_surrogates(item) for key, item in value.items()}
    return value


@given(TEXT)
@example("#\x1f")
@example("# said\x85a: 1")
@example("# said\ta: 1")
def test_any_text_as_frontmatter_is_read_as_yaml_reads_it_or_refused(text: str) -> None:
    try:
        found = load(text)
    except NotFrontmatter:
        return
    try:
        expected = yaml.safe_load(text)
    except yaml.YAMLError:
        pytest.fail(f"{text!r} is no YAML and was read as {found}")
    assert found == {str(key): value for key, value in (expected or {}).items()}


def test_aliases_are_refused() -> None:
    with pytest.raises(NotFrontmatter, match="alias"):
        load("a: &x [1, 2]\nb: [*x, *x]\n")


def test_the_specification_s_own_example_is_an_artifact(tmp_path: Path) -> None:
    path = tmp_path / "2502.03801-zhang-flpoison.md"
    path.write_text(BY_HAND, encoding="utf-8")
    found = read_artifact(path)
    assert found.authors == ("Heyi Zhang", "Yule Liu")
    assert found.excerpts[0].location == "Abstract, paragraph 2"
    assert found.excerpts[0].text.startswith(
        "We evaluate 15 representative poisoning attacks and 17 defense strategies"
    )
    assert [rule for rule, _ in check_artifact(path, now=found.verified_at).problems] == ["unsealed"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"triangulation": Trail(primary_source="crossref", decisive_fields_agreed=False)}, "do not agree"),
        ({"arxiv_id": None}, "neither DOI nor arXiv id"),
        ({"excerpts": ()}, "no excerpt"),
        ({"standing": "retracted"}, "retracted"),
        ({"human_overridden": True}, "needs a reason"),
        ({"authors": ()}, "at least 1"),
        ({"title": " "}, "blank"),
        ({"authors": ("Ann", " ")}, "blank"),
    ],
)
def test_what_was_not_verified_cannot_be_an_artifact(changes: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        artifact(**changes)


def test_an_override_with_a_reason_is_an_artifact_that_says_so() -> None:
    made = artifact(
        triangulation=Trail(primary_source="crossref", decisive_fields_agreed=False),
        excerpts=(),
        human_overridden=True,
        override_reason="checked in the printed volume",
    )
    again = parse(render(made))
    assert (again.human_overridden, again.override_reason) == (True, "checked in the printed volume")


def test_unreadable_artifacts_say_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    for text, why in [
        ("", "---"),
        ("---\ntitle: x\n", "closing"),
        ("---\n- a\n---\n", "fields"),
        (BY_HAND.replace("year: 2025", "year: soon", 1), "year"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=why):
            read_artifact(path)
    path.write_bytes(b"---\n\xff\xfe\n---\n")
    with pytest.raises(InputError):
        read_artifact(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_artifact(tmp_path / "absent.md")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable):
        write_artifact(artifact(), tmp_path / "file", SLUG)


@pytest.mark.parametrize(
    ("fields", "slug"),
    [
        ({"arxiv_id": "2502.03801", "doi": "10.48550/arxiv.2502.03801"}, "2502.03801-zhang-sok"),
        ({"doi": "10.1109/tsp.2022.3153135", "arxiv_id": "1912.13445"}, "10.1109_tsp.2022.3153135-zhang-sok"),
        ({"arxiv_id": "math/0309136"}, "math_0309136-zhang-sok"),
    ],
)
def test_slugs_follow_section_6_1(fields: dict[str, str], slug: str) -> None:
    record = BibRecord(source="crossref", title="The SoK: Poisoning", authors=(PersonName(family="Zhang"),), **fields)
    assert slug_for(record) == slug


def test_two_identifiers_that_a_file_system_cannot_tell_apart_have_two_slugs() -> None:
    one = BibRecord(source="crossref", title="T", doi="10.1002/(sici)1:2<3")
    other = BibRecord(source="crossref", title="T", doi="10.1002/(sici)1_2<3")
    assert slug_for(one) != slug_for(other)
    assert slug_for(BibRecord(source="crossref", title="Of the Krum")).startswith("noid-anonymous-krum-")


@given(st.text(max_size=60), st.text(max_size=60), st.one_of(st.none(), st.text(max_size=300)))
def test_slugs_are_deterministic_and_safe(title: str, family: str, doi: str | None) -> None:
    record = BibRecord(
        source="crossref", title=title, authors=(PersonName(family=family),), doi=doi and "10.1234/" + doi
    )
    slug = slug_for(record)
    assert slug == slug_for(record)
    assert not set(slug) & set('/\\:*?"<>| \n\0')
    assert len(slug.encode()) < 255 + 400
    assert slug not in ("", ".", "..")
    assert not slug.startswith("-")


def test_exports_hold_the_same_identity() -> None:
    record = normalise("crossref", crossref())
    again = normalise(
        "bibtex", {"title": "{Code} as Policies: Language Model Programs for Embodied Control"} | citation()
    )
    assert again.title == record.title
    item = csl_json(record)
    assert (item["DOI"], item["type"], item["author"][0]) == (
        record.doi,
        "paper-conference",
        {"family": "Liang", "given": "Jacky"},
    )
    assert "AU  - Liang, Jacky" in ris(record)
    assert ris(record).startswith("TY  - CPAPER\n")
    whole = yaml.safe_load(cff(record))
    listed = whole["references"][0]
    assert (whole["cff-version"], whole["title"], whole["authors"]) == ("1.2.0", listed["title"], listed["authors"])
    assert (listed["doi"], listed["authors"][0]["family-names"], listed["year"]) == (record.doi, "Liang", 2023)
    assert citation_text(record).startswith("Jacky Liang, Wenlong Huang")
    assert citation_key(record) == "liang2023code"
    for form in FORMATS:
        assert (record.doi or "") in export(record, form)


@given(st.text(max_size=80), st.text(min_size=1, max_size=30))
@example("On } and what it closes", "Brace {")
def test_bibtex_of_any_title_has_balanced_braces(title: str, family: str) -> None:
    record = BibRecord(source="crossref", title=title or None, authors=(PersonName(family=family),), kind=Kind.JOURNAL)
    text = bibtex(record).replace("\\\\", "").replace("\\{", "").replace("\\}", "")
    assert text.count("{") == text.count("}")
