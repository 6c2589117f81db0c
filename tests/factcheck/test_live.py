"""`veritas factcheck` on a web of loopback: a text at an address, dead links, statements that are looked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.factcheck.test_checking import PAGE
from tests.factcheck.test_formats import pdf_file, word_file
from tests.in_process import veritas
from tests.loopback_web.web import Asked, Reply, Web, html, web
from tests.search.test_web_research import NAMES, policies
from veritas.reading.web import destination

COPY = "https://web.archive.org/web/20240102030405/https://bridges.example/gone"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Web]:
    """Pages about a bridge, an archive that has a copy of one that is gone, and one provider that finds a page."""

    async def resolver(host: str, port: int) -> Sequence[str]:
        return ("127.0.0.1",)

    def copies(asked: Asked) -> Reply:
        closest = {"available": True, "status": "200", "url": COPY, "timestamp": "20240102030405"}
        known = asked.query["url"].endswith("/gone")
        return Reply(json.dumps({"archived_snapshots": {"closest": closest} if known else {}}))

    monkeypatch.setattr(destination, "resolve", resolver)
    with web({}) as made:
        found = {"display_name": "Arn", "primary_location": {"landing_page_url": made.url("/arn", "bridges.example")}}
        made.pages |= {
            "bridges.example/arn": html(PAGE),
            "/archive/wayback/available": copies,
            "/openalex/works": Reply(json.dumps({"results": [found]})),
        }
        for name in (*NAMES, "ARCHIVE"):
            monkeypatch.setenv(f"VERITAS_{name}_URL", made.url(f"/{name.lower()}"))
        monkeypatch.setenv("VERITAS_FETCH_ALLOW", f"127.0.0.1:{made.port}")
        monkeypatch.setenv("VERITAS_POLICIES", str(policies(made.port, tmp_path / "policies")))
        monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
        yield made


def test_a_text_at_an_address_is_read_with_its_sources(served: Web) -> None:
    arn, gone = (served.url(path, "bridges.example") for path in ("/arn", "/gone"))
    never = served.url("/never", "bridges.example")
    article = (
        "<!doctype html><html><head><title>Bridges</title></head><body><article><h1>Bridges</h1><p>Its two towers are "
        f"made of granite from the quarries of Hallen (<a href='{arn}'>county</a>). The bridge is grey in the rain and "
        f"was painted twice (<a href='{gone}'>paper</a>). The river below is nine metres deep in May (<a "
        f"href='{never}'>report</a>).</p></article></body></html>"
    )
    served.pages["press.example/bridges"] = html(article)
    ended = veritas("factcheck", served.url("/bridges", "press.example"), "--json")
    told = json.loads(ended.stdout)
    assert ended.returncode == 0
    assert [each["verdict"] for each in told["statements"]] == ["supported", "unreachable", "unreachable"]
    assert {each["url"]: each["archived"] for each in told["sources"]} == {arn: None, gone: COPY, never: None}
    assert any(COPY in note for note in told["notes"])
    assert f"{gone}: the source is not there (404)" in ended.stderr.decode()
    assert "/archive/wayback/available" in {asked.path for asked in served.asked}
    assert "/web/20240102030405" not in " ".join(served.paths())


def test_statements_without_a_citation_are_looked_for_and_stay_uncited(served: Web) -> None:
    text = "Its two towers are made of granite from the quarries of Hallen.\n"
    ended = veritas("factcheck", "-", "--search", "--json", "-q", given=text.encode())
    told = json.loads(ended.stdout)["statements"][0]
    assert told["verdict"] == "uncited"
    assert told["found"] == [served.url("/arn", "bridges.example")]
    assert ended.returncode == 3
    assert "/openalex/works" in {asked.path for asked in served.asked}


@pytest.mark.parametrize("kind", ["docx", "pdf", "tex", "html"])
def test_files_are_checked_from_end_to_end(tmp_path: Path, kind: str) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    said = "The tower is high. The tower is 81 metres high. It was built by the town."
    (pages / "one.html").write_text(PAGE.replace("<article>", f"<article><p>{said}</p>"), encoding="utf-8")
    entries = {"https://a.example/one": {"file": "one.html", "type": "text/html"}}
    (pages / "manifest.json").write_text(json.dumps(entries), encoding="utf-8")
    latex = (
        "\\documentclass{article}\\begin{document}\nThe tower is 81 metres high \\cite{one}.\n"
        "\\begin{thebibliography}{9}\\bibitem{one} One. \\url{https://a.example/one}\\end{thebibliography}\n"
        "\\end{document}\n"
    )
    linked = "<p>The tower is 81 metres high (<a href='https://a.example/one'>Town</a>).</p>"
    made = {"docx": word_file(), "pdf": pdf_file(), "tex": latex.encode(), "html": linked.encode()}
    file = tmp_path / f"towers.{kind}"
    file.write_bytes(made[kind])
    ended = veritas("factcheck", str(file), "--recorded", str(pages), "--json", "-q")
    told = json.loads(ended.stdout)
    assert told["format"] == {"tex": "latex"}.get(kind, kind)
    assert told["statements"][0]["verdict"] == "supported"
    assert told["statements"][0]["source"] == "https://a.example/one"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\xff\xfe\x00\x01", "UTF-8"),
    ],
)
def test_what_is_no_text_on_standard_input_is_refused(given: bytes, said: str) -> None:
    ended = veritas("factcheck", "-", "--offline", given=given)
    assert ended.returncode == 2
    assert said in ended.stderr.decode()


def test_an_address_that_gives_no_page_says_so(served: Web) -> None:
    ended = veritas("factcheck", served.url("/nothing", "press.example"))
    assert ended.returncode == 3
    assert "404" in ended.stderr.decode()


def test_a_folder_a_program_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(bytes(range(256)) * 40)
    for asked, said in ((tmp_path, "folder"), (program, "text"), (tmp_path / "none.md", "No such file")):
        ended = veritas("factcheck", str(asked), "--offline")
        assert ended.returncode == 2
        assert said in ended.stderr.decode()


def test_a_text_without_a_statement_says_so() -> None:
    ended = veritas("factcheck", "-", "--offline", given=b"Shall I go on?\n")
    assert ended.stdout.decode().startswith("There is no statement to check")
    assert ended.returncode == 3


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Brücke wurde im Jahr 1931 eröffnet und ist nach Angaben der Behörde 412 Meter lang", "German"),
        ("Le pont a été ouvert en 1931 et il mesure 412 mètres de long selon les autorités du comté", "French"),
    ],
)
def test_what_the_judge_cannot_read_is_told_and_never_called_sound(tmp_path: Path, text: str, language: str) -> None:
    (tmp_path / "arn.html").write_text(PAGE, encoding="utf-8")
    entries = {"https://b.example/arn": {"file": "arn.html", "type": "text/html"}}
    (tmp_path / "manifest.json").write_text(json.dumps(entries), encoding="utf-8")
    given = f"{text} (https://b.example/arn).\n".encode()
    ended = veritas("factcheck", "-", "--recorded", str(tmp_path), "-q", given=given)
    said = ended.stdout.decode()
    assert ended.returncode == 3
    assert said.startswith("Nothing could be checked")
    assert language in said
    assert "None of" not in said
