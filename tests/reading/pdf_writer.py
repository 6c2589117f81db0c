"""Writes small PDFs for tests: text at places, in a size, visible or not. Enough of the format, and nothing more."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pypdfium2  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Run:
    """`text` with its baseline beginning at `(x, y)` in points from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 10
    invisible: bool = False
    grey: float = 0.0
    bold: bool = False
    turned: bool = False
    """Runs upwards, as on a page to be read from the side."""


@dataclass(frozen=True)
class Filled:
    """A rectangle, filled with a grey, its lower left corner at `(x, y)`. `clip` is a rectangle that cuts it off."""

    x: float
    y: float
    width: float
    height: float
    grey: float = 1.0
    clip: tuple[float, float, float, float] | None = None


def write_pdf(pages: Sequence[Iterable[Run | Filled]], *, info: str = "", width: int = 612, height: int = 792) -> bytes:
    """A PDF in Helvetica, one content stream a page. `info` is the inside of the information dictionary."""
    objects: list[bytes] = [b"", b""]
    kids = []
    font = "/Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont"
    for runs in pages:
        stream = "\n".join(map(_show, runs)).encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << /F1 << {font} /Helvetica >> /F2 << {font} /Helvetica-Bold >> >> >> >>"
        )
        objects.append(page.encode())
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    objects.append(f"<< {info} >>".encode("cp1252"))
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(objects),
        table,
    )
    return bytes(out)


def _show(run: Run | Filled) -> str:
    if isinstance(run, Filled):
        clip = f"{' '.join(map(str, run.clip))} re W n " if run.clip else ""
        return f"q {clip}{run.grey} g {run.x} {run.y} {run.width} {run.height} re f Q"
    text = run.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    mode = 3 if run.invisible else 0
    font = "F2" if run.bold else "F1"
    matrix = "0 1 -1 0" if run.turned else "1 0 0 1"
    return f"BT /{font} {run.size} Tf {mode} Tr {run.grey} g {matrix} {run.x} {run.y} Tm ({text}) Tj ET"


def scanned(cover: str, *shares: float) -> bytes:
    """A PDF of a page with the words `cover`, and a page for each share that a picture covers of it."""
    document = pypdfium2.PdfDocument(write_pdf([[Run(60, 700, cover)]]))
    for covered in shares:
        page = document.new_page(612, 792)
        bitmap = pypdfium2.PdfBitmap.new_native(8, 8, 4)
        image = pypdfium2.PdfImage.new(document)
        image.set_bitmap(bitmap)
        image.set_matrix(pypdfium2.PdfMatrix().scale(612, 792 * covered))
        page.insert_obj(image)
        page.gen_content()
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()
