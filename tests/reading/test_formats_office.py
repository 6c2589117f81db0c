"""Slides, spreadsheets and the other formats that Docling reads become text; what is none of them is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats import convert
from veritas.reading.loading import load_corpus

SENTENCE = "The Borealis pump needs no oil, because its bearings are made of graphite."


def slides() -> bytes:
    from pptx import Presentation

    made = Presentation()
    for title in ("Borealis pump", "Bearings"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = SENTENCE
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def sheet() -> bytes:
    import openpyxl

    made = openpyxl.Workbook()
    made.active.append(["pump", "litres a minute"])
    made.active.append(["Borealis", 40])
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["pptx", "xlsx", "odt", "ods", "odp", "epub"])
@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_what_is_no_such_file_is_refused(kind: str, data: bytes) -> None:
    with pytest.raises(CorpusError):
        convert(data, kind)  # type: ignore[arg-type]


def test_archive_that_says_it_unpacks_to_gigabytes_is_not_opened() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for i in range(5):
            archive.writestr(f"word/{i}.xml", b"\x00" * (60 * 1024 * 1024))
    with pytest.raises(CorpusError, match="unpacks to"):
        convert(out.getvalue(), "odt")


def test_slides_and_sheets_are_read_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "pump.pptx").write_bytes(slides())
    (tmp_path / "pump.xlsx").write_bytes(sheet())
    talk, table = load_corpus([tmp_path]).documents
    assert (talk.url, table.url) == (f"corpus://{tmp_path.name}/pump.pptx", f"corpus://{tmp_path.name}/pump.xlsx")
    assert talk.text.count(SENTENCE) == 2
    assert talk.text.index("Borealis pump\n") < talk.text.index("Bearings")
    assert len(talk.page_starts) == 2
    assert talk.text[talk.page_starts[1] :].startswith("Bearings")
    assert "pump\tlitres a minute\nBorealis\t40" in table.text
