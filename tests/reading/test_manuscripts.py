"""Manuscripts whose lines are numbered, as they are read in a corpus."""

from __future__ import annotations

from pathlib import Path

from tests.reading.pdf_writer import Run, write_pdf
from veritas.reading.loading import load_corpus

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def _lines(first: int) -> list[str]:
    return [f"The {WORDS[i % 10]} pump of the {WORDS[i // 10 + first % 7]} row moves water and" for i in range(22)]


def test_the_numbers_of_lines_are_no_text_and_those_of_a_table_are(tmp_path: Path) -> None:
    pages = [
        [run for i, line in enumerate(_lines(first)) for run in
         (Run(30, 700 - 24 * i, str(first + i), size=7), Run(60, 700 - 24 * i, line))]
        for first in (1, 23)
    ]  # fmt: skip
    (tmp_path / "paper.pdf").write_bytes(write_pdf(pages))
    (tmp_path / "table.txt").write_text("\n".join(f"{i}\tPump {i}\t{i * 3} litres" for i in range(1, 60)))
    corpus = load_corpus([tmp_path], name="m")
    paper, table = (corpus.by_url[f"corpus://m/{name}"] for name in ("paper.pdf", "table.txt"))
    assert not any(sign.isdigit() for sign in paper.text)
    assert paper.text.count("moves water") == 44
    assert paper.text[paper.page_starts[1] :].startswith("The alpha pump")
    assert table.text.startswith("1\tPump 1\t3 litres")
    assert [(p.reason, p.kept) for p in corpus.problems] == [("had 44 line numbers, which were taken out", True)]
