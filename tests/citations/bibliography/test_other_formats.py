"""What reference managers and publishers hand out besides BibTeX: PubMed, EndNote, Word, YAML, and LaTeX's files."""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

from veritas import InputError
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.parse import read_bibliography

TITLE = "Love in the time of pumps: a study of R&D"
NBIB = """PMID- 32450107
OWN - NLM
DP  - 1985 Jun 27
TI  - Love in the time of pumps: a study
      of R&D.
PG  - 101-19
LID - S0140-6736(20)31180-6 [pii]
LID - 10.1000/pumps.85 [doi]
FAU - García Márquez, Gabriel
AU  - García Márquez G
AD  - University of Tests, Bogotá.
FAU - van der Waals, Johannes Diderik
AU  - van der Waals JD
CN  - Center for Tests and Trials
PT  - Journal Article
TA  - J Pumps
JT  - Journal of Pumps
VI  - 12
IP  - 3
SO  - J Pumps. 1985 Jun 27;12(3):101-19.

PMID- 1
TI  - The second one of the list.
DP  - 1999
"""
PERSON = '<author><style face="normal" font="default" size="100%">{}</style></author>'
RECORD = (
    '<record><database name="My.enl">My.enl</database><rec-number>85</rec-number>'
    '<ref-type name="Journal Article">17</ref-type><contributors><authors>'
    + PERSON.format("García Márquez, Gabriel")
    + PERSON.format("van der Waals, Johannes Diderik")
    + PERSON.format("Center for Tests and Trials,")
    + '</authors></contributors><titles><title><style face="italic">Love in the time of pumps</style><style>: a study '
    "of R&amp;D</style></title><secondary-title>Journal of Pumps</secondary-title></titles><pages>101-119</pages>"
    "<volume>12</volume><number>3</number><dates><year>1985</year></dates><accession-num>32450107</accession-num>"
    "<electronic-resource-num>10.1000/pumps.85</electronic-resource-num>"
    "<remote-database-provider>NLM</remote-database-provider></record>"
)
ENDNOTE = f'<?xml version="1.0" encoding="UTF-8" ?>\n<xml><records>\n{RECORD}\n</records></xml>\n'
SOURCE = """<b:Source><b:Tag>Gar85</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Author><b:Author><b:NameList>
<b:Person><b:Last>García Márquez</b:Last><b:First>Gabriel</b:First></b:Person>
<b:Person><b:Last>van der Waals</b:Last><b:First>Johannes</b:First><b:Middle>Diderik</b:Middle></b:Person>
</b:NameList></b:Author></b:Author><b:Title>Love in the time of pumps: a study of R&amp;D</b:Title><b:Year>1985</b:Year>
<b:JournalName>Journal of Pumps</b:JournalName><b:Volume>12</b:Volume><b:Issue>3</b:Issue><b:Pages>101-119</b:Pages>
<b:DOI>10.1000/pumps.85</b:DOI></b:Source>"""
WORD = f"""<?xml version="1.0"?>
<b:Sources SelectedStyle="/APASixthEditionOfficeOnline.xsl"
 xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">
{SOURCE}
</b:Sources>"""
ITEM = {
    "id": 7, "type": "article-journal", "title": TITLE, "container-title": "Journal of Pumps", "volume": "12",
    "issue": "3", "page": "101-119", "DOI": "10.1000/pumps.85", "PMID": "32450107",
    "issued": {"date-parts": [["1985"]]},
    "author": [{"family": "García Márquez", "given": "Gabriel"},
               {"family": "Waals", "given": "Johannes Diderik", "non-dropping-particle": "van der"}],
}  # fmt: skip
YAML = """---
references:
# mine
- id: garcia1985
  type: article-journal
  title: 'Love in the time of pumps: a study of R&D'
  author:
  - family: García Márquez
    given: Gabriel
  - family: Waals
    given: Johannes Diderik
    non-dropping-particle: van der
  container-title: Journal of Pumps
  issued: 1985-06-27
  volume: 12
  issue: 3
  page: 101-119
  DOI: 10.1000/pumps.85
- {id: two, type: book, title: The second one, issued: {year: 1999}}
...
"""


def read(folder: Path, name: str, text: str, encoding: str = "utf-8") -> list[Entry]:
    (folder / name).write_bytes(text.encode(encoding))
    return read_bibliography(folder / name)


@pytest.mark.parametrize(
    ("name", "text", "key", "line"),
    [("a.nbib", NBIB, "32450107", 1), ("a.txt", NBIB, "32450107", 1), ("a.xml", ENDNOTE, "85", 3),
     ("a.xml", WORD, "Gar85", 4), ("a.yaml", YAML, "garcia1985", 4), ("a.json", json.dumps([ITEM]), "7", 1)],
    ids=["nbib", "nbib as text", "endnote", "word", "yaml", "json"],
)  # fmt: skip
def test_every_format_gives_the_same_record(tmp_path: Path, name: str, text: str, key: str, line: int) -> None:
    entry = read(tmp_path, name, text)[0]
    record = entry.record
    assert (entry.key, entry.line, entry.type) == (key, line, "article")
    assert (record.title, record.year, record.doi) == (TITLE, 1985, "10.1000/pumps.85")
    assert (record.venue, record.volume, record.issue) == ("Journal of Pumps", "12", "3")
    assert (record.pages or "").replace("--", "-") in ("101-119", "101-19")
    people = [(person.family, person.given) for person in record.authors[:2]]
    assert people == [("García Márquez", "Gabriel"), ("van der Waals", "Johannes Diderik")]
    if record.authors[2:]:
        assert (record.authors[2].family, record.authors[2].corporate) == ("Center for Tests and Trials", True)
    if "32450107" in text:
        assert record.pmid == "32450107"


def test_xml_is_read_in_the_encoding_it_declares(tmp_path: Path) -> None:
    text = ENDNOTE.replace("UTF-8", "windows-1251").replace("García Márquez", "Маркес")
    assert read(tmp_path, "a.xml", text, "cp1251")[0].record.authors[0].family == "Маркес"
    wide = read(tmp_path, "b.xml", ENDNOTE.replace("UTF-8", "UTF-16"), "utf-16")
    assert wide[0].record.authors[0].family == "García Márquez"


BOMB = '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a "lol">\n<!ENTITY b "&a;&a;">]>\n<xml>&b;</xml>'


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.xml", BOMB, "line 3: the XML declares an entity"),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<xml>&a;</xml>', "line 1"),
        ("a.xml", ENDNOTE.replace("</dates>", "</date>"), "line 3: the XML is broken"),
        ("a.xml", "<a>" * 200 + "</a>" * 200, "nested too deeply"),
        ("a.xml", "<html><p>no list</p></html>", "its XML is <html>"),
        ("a.yaml", "- id: a\n  title: [unclosed\n- id: b\n", "line 3: not YAML"),
        ("a.yaml", "- id: a\n- " + "[" * 60_000, "line 2: the YAML is nested too deeply"),
        ("a.yaml", "just: a text\n", "a list of items"),
        ("a.json", '[{"id": 1,}]', "not JSON .*line 1"),
        ("a.nbib", "no record\n", "no bibliography entry"),
        ("a.docx", "no zip", "no readable DOCX"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, name: str, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read(tmp_path, name, text)


def docx(path: Path, body: str, parts: dict[str, str] | None = None) -> Path:
    """A Word document of one body."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("word/document.xml", f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>')
        for name, text in (parts or {}).items():
            made.writestr(name, text)
    return path


def field(said: str) -> str:
    """A complex field, whose instruction Word cuts into runs."""
    runs = [said[at : at + 40] for at in range(0, len(said), 40)]
    code = "".join(f'<w:r><w:instrText xml:space="preserve">{escape(run)}</w:instrText></w:r>' for run in runs)
    begin, split, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"<w:p><w:r><w:t>Said </w:t></w:r>{begin}{code}{split}<w:r><w:t>(1)</w:t></w:r>{end}</w:p>"


CITATION = json.dumps({"citationItems": [{"id": 7, "uris": ["http://zotero.org/users/1/items/AB"], "itemData": ITEM}]})
DATA = base64.b64encode(f"<EndNote><Cite>{RECORD}</Cite></EndNote>".encode()).decode()
LIVE: dict[str, Callable[[Path], Path]] = {
    "zotero": lambda at: docx(at, field(f" ADDIN ZOTERO_ITEM CSL_CITATION {CITATION} ")),
    "mendeley": lambda at: docx(at, field(f"ADDIN CSL_CITATION {CITATION}")),
    "simple field": lambda at: docx(
        at, f"<w:p><w:fldSimple w:instr={quoteattr('ADDIN ZOTERO_ITEM CSL_CITATION ' + CITATION)}/></w:p>"
    ),
    "mendeley cite": lambda at: docx(
        at,
        "<w:sdt><w:sdtPr><w:tag w:val="
        + quoteattr("MENDELEY_CITATION_v3_" + base64.b64encode(CITATION.encode()).decode())
        + "/></w:sdtPr></w:sdt>",
    ),
    "endnote": lambda at: docx(at, field(f" ADDIN EN.CITE <EndNote><Cite><Year>1985</Year>{RECORD}</Cite></EndNote>")),
    "endnote data": lambda at: docx(
        at,
        '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:fldData xml:space="preserve">'
        f"{DATA[:70]}\n{DATA[70:]}</w:fldData></w:fldChar></w:r></w:p>",
    ),
    "bookmarks": lambda at: docx(
        at,
        "<w:p/>",
        {
            "docProps/custom.xml": "<Properties>"
            + "".join(
                f'<property name="ZOTERO_BREF_abc_{n}"><vt:lpwstr>{escape(piece)}</vt:lpwstr></property>'
                for n, piece in enumerate([f"ZOTERO_ITEM CSL_CITATION {CITATION[:200]}", CITATION[200:]], 1)
            )
            + "</Properties>"
        },
    ),
    "word sources": lambda at: docx(at, "<w:p/>", {"customXml/item1.xml": WORD}),
}


@pytest.mark.parametrize("live", LIVE.values(), ids=LIVE)
def test_live_citations_of_a_document_give_the_whole_record(tmp_path: Path, live: Callable[[Path], Path]) -> None:
    (entry,) = read_bibliography(live(tmp_path / "a.docx"))
    record = entry.record
    assert (record.title, record.year, record.doi, entry.guessed) == (TITLE, 1985, "10.1000/pumps.85", False)
    assert [(person.family, person.given) for person in record.authors[:2]] == [
        ("García Márquez", "Gabriel"),
        ("van der Waals", "Johannes Diderik"),
    ]


def test_a_part_outside_the_documents_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("\\begin{thebibliography}{1}\\bibitem{x} A. B. Work. 2016.")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "paper.tex").write_text("\\input{../secret}", encoding="utf-8")
    with pytest.raises(InputError, match=r"names \.\./secret\.tex"):
        read_bibliography(tmp_path / "own" / "paper.tex")


def test_data_that_entries_share_is_no_work(tmp_path: Path) -> None:
    shared = f"@xdata{{x, doi = {{10.1000/pumps.85}}}}\n@article{{q, xdata = {{x}}, title = {{{TITLE}}}}}\n"
    (tmp_path / "a.bib").write_text(shared)
    (entry,) = read_bibliography(tmp_path / "a.bib")
    assert (entry.key, entry.record.doi) == ("q", "10.1000/pumps.85")
