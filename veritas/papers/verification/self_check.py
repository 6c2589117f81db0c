"""Check a paper against itself: its tables, its assumptions, and other places of its figures."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from veritas.documents.paper_sections import page_of
from veritas.frozen import content_id
from veritas.papers.audit import AuditNode, PaperEvidence
from veritas.papers.extraction.statements import Statements
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification._own_body import assumed_in
from veritas.papers.verification.own_tables import (
    SHOWN,
    OwnTable,
    bearer,
    conflict,
    figures_in,
    in_a_named_row,
    own_tables,
    refers,
)

TABLE_JUDGE = "its own table"
"""Name of the judge if code compared a figure with a table of the paper, by rows and columns, without a lens."""
TABLE_SCORE = 0.9
ASSUMPTION_JUDGE = "its own assumption"
"""Name of the judge if the paper assumes a statement."""
SHOWING = frozenset({"Claim", "Conclusion", "Evidence", "Result"})
"""Roles that must not be assumed."""
APART = 200
"""Least characters between two passages that count as different places."""


class Itself:
    """The tables and sentences of a paper, for one audit."""

    def __init__(self, paper: PaperText, statements: Statements) -> None:
        self._paper, self._statements = paper, statements
        self._tables = own_tables(paper.text, paper.figures)

    def against_a_table(self, node: AuditNode) -> PaperEvidence | None:
        """Return the paper's own table if it has another figure than the statement, else None."""
        found = conflict(node.text, self._tables)
        if found is None:
            return None
        start, end = found.table.start, min(found.table.end, found.table.start + SHOWN)
        return self._piece(node, start, end, "refutes", TABLE_SCORE, found.why, TABLE_JUDGE)

    def by_a_table(self, node: AuditNode) -> PaperEvidence | None:
        """Return the paper's own table if it has the statement's figures in the rows that it names, else None."""
        found = bearer(node.text, self._tables)
        if found is None:
            return None
        start, end = found.start, min(found.end, found.start + SHOWN)
        why = f"{found.label or 'a table'} has its figures in the rows that it names"
        return self._piece(node, start, end, "supports", TABLE_SCORE, why, TABLE_JUDGE)

    @cached_property
    def contradicted(self) -> tuple[tuple[int, int], ...]:
        """Places of the sentences that a table of the paper contradicts; they are no witnesses."""
        if not self._tables:
            return ()
        found = self._statements.found
        return tuple((s.place.start, s.place.end) for s in found if conflict(s.text, self._tables))

    def assumed(self, node: AuditNode) -> PaperEvidence | None:
        """Return the sentence in which the paper assumes a finding or conclusion of its own, or None."""
        found = assumed_in(node, self._statements) if node.base_role in SHOWING else None
        if found is None:
            return None
        why = "the paper takes for granted here what the statement says"
        return self._piece(node, found.place.start, found.place.end, "about", 1.0, why, ASSUMPTION_JUDGE)

    def elsewhere(self, node: AuditNode) -> str | None:
        """Return another place in the paper of one of a statement's figures: a table, a caption, another passage. Only
        figures of three characters or more count, because shorter ones occur anywhere by chance; but any counts in the
        row that the statement names of a table that it refers to."""
        figures = next(
            (s.figures for s in self._statements.found if s.place.start == node.place.start), frozenset[str]()
        )
        telling = {f for f in figures if len(f.strip("-+")) >= 3}
        for figure in self._paper.figures:
            body = figure.text
            if figure.body is not None:
                body += " " + self._paper.text[figure.body.start : figure.body.end]
            if telling & figures_in(body):
                return figure.label
        for table in self._tables:
            if telling & figures_in(self._paper.text[table.start : table.end]):
                return table.label or "a table"
        for table in self._tables:
            if refers(node.text, table) and in_a_named_row(node.text, table):
                return table.label
        for other in self._statements.found:
            if abs(other.place.start - node.place.start) > APART and other.figures & telling:
                return f"p. {other.place.page}" if other.place.page else "another passage"
        return None

    def table_at(self, start: int) -> OwnTable | None:
        """Return the table that holds the character at `start`, or None."""
        return next((t for t in self._tables if t.start <= start < t.end), None)

    def _piece(
        self,
        node: AuditNode,
        start: int,
        end: int,
        label: Literal["supports", "refutes", "about"],
        score: float,
        why: str,
        judge: str,
    ) -> PaperEvidence:
        document = self._paper.document
        return PaperEvidence(
            id=content_id("e", node.id, document.document_id, start, label, judge),
            node=node.id,
            source="paper",
            url=document.url,
            title=self._paper.identity.title,
            tier=1,
            text=document.text[start:end],
            document_id=document.document_id,
            start=start,
            end=end,
            page=page_of(document.page_starts, start),
            label=label,
            score=score,
            rationale=why,
            judge=judge,
            provider="the paper",
        )
