"""The manuscript as Markdown with Pandoc's citations: `[@key, p. 3]`; quotations stand side by side in a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.reviews.manuscript import TABLE_HEAD, Cited, ReviewSentence, numbers_of
from veritas.reviews.review_document import Review
from veritas.text.visible import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~^$@])")


def markdown_text(text: str) -> str:
    """Return plain text escaped so that no character of it is Markdown's, HTML's or a citation's."""
    escaped = _SPECIAL.sub(r"\\\1", visible(" ".join(text.split())))
    return re.sub(r"^(\d+)([.)])(?=\s)", r"\1\\\2", re.sub(r"^([-+=:])", r"\\\1", escaped))


def markdown(review: Review) -> str:
    """Return the whole document; `pandoc --citeproc` converts it to any format beside `references.bib`."""
    manuscript = review.manuscript
    # Pandoc reads Markdown in metadata too: escaped once for it, once for YAML.
    title = markdown_text(manuscript.title).replace("\\", "\\\\").replace('"', '\\"')
    parts = [
        f'---\ntitle: "{title}"\ndate: {review.finished_at:%Y-%m-%d}\nbibliography: references.bib\n---\n',
        f"*{markdown_text(manuscript.note)}*\n",
    ]
    for section in manuscript.sections:
        parts.append(f"{'#' * section.level} {markdown_text(section.title)}\n")
        for paragraph in manuscript.paragraphs(section.section_id):
            quoted = [sentence for sentence in paragraph if sentence.kind == "quotation"]
            said = [_sentence(sentence) for sentence in paragraph if sentence not in quoted]
            parts += [_table(quoted)] if quoted else []
            parts += ["\n".join(said) + "\n"] if said else []
    if manuscript.off_topic:
        parts.append(f"# Not placed\n\n{markdown_text(manuscript.not_placed)}\n")
    if manuscript.keys:
        parts.append("# References\n")
    return "\n".join(parts)


def _table(quoted: Sequence[ReviewSentence]) -> str:
    """Return quotations side by side, with the kind of their papers' evidence and their numbers."""
    rows = []
    for sentence in quoted:
        (cited,) = sentence.cites
        where = _where(cited)
        cells = (
            f"@{cited.paper_key}{f' [{where}]' if where else ''}", cited.evidence or "",
            markdown_text(numbers_of(sentence)), f"“{markdown_text(sentence.text)}”{_note(sentence)}",
        )  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
    head = f"| {' | '.join(TABLE_HEAD)} |\n| ------ | ----- | ----- | ------------------ |"
    return "\n".join([head, *rows]) + "\n"


def _note(sentence: ReviewSentence) -> str:
    return f"^[Let in by {markdown_text(sentence.let_in)}]" if sentence.let_in else ""


def _sentence(sentence: ReviewSentence) -> str:
    if sentence.kind == "gap":
        return f"**{markdown_text(sentence.text)}**"
    note = _note(sentence)
    body, stop = sentence.text.rstrip(), "."
    if body[-1:] in ".!?":
        body, stop = body[:-1], body[-1]
    cites = "; ".join(f"@{c.paper_key}" + (f", {_where(c)}" if c.pages else "") for c in sentence.cites)
    return f"{markdown_text(body)} [{cites}]{stop}{note}"


def _where(cited: Cited) -> str:
    if not cited.pages:
        return ""
    return f"p. {cited.pages[0]}" if len(cited.pages) == 1 else f"pp. {', '.join(map(str, cited.pages))}"
