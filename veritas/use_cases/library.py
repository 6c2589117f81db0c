"""The library: all runs, found by question, claim, source or verdict; and where a source was used.

    from veritas.use_cases.library import find_runs

    for run in find_runs("zinc", within="claim", verdict="refutes").runs:
        print(run.run_id, run.question, run.said)
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.store.catalogue import query
from veritas.store.listing import UtcTime
from veritas.store.paths import beside, catalogue_path
from veritas.use_cases.given import given_home, given_text
from veritas.use_cases.run_archive import Stamp, stamp_of

Within = Literal["anything", "question", "claim", "source"]
Verdict = Literal["supports", "refutes", "silent", "unavailable"]

PATIENCE = 2.0
"""Seconds to wait for the catalogue while another process writes it."""


class FoundRun(Frozen):
    """A finished run that was found; `said` is what matched in it, where that is not its question."""

    run_id: str
    question: str
    tier: str
    started_at: UtcTime
    answer_status: str | None = None
    parent_run_id: str | None = None
    claims: int = 0
    cited: int = 0
    """Claims in the run, and those that its answer cites; the same words of several members count once."""
    said: str | None = None


class FoundRuns(Frozen):
    """A page of the library, newest first, and how many runs were found in all."""

    runs: tuple[FoundRun, ...] = ()
    total: int = 0


class SourceUse(Frozen):
    """A source as one run had it: its tier and why, what became of it, and how many claims of the run rest on it,
    the same words of several members once."""

    run_id: str
    question: str
    started_at: UtcTime
    source_id: str
    title: str
    tier: str
    status: str
    rule: str
    justification: str
    problem: str | None = None
    claims: int = 0
    cited: bool = False
    """True if the run's bibliography has it."""


_CLAIM = "SELECT {what} FROM claims c WHERE c.run_id = r.run_id{verdict}{text}"
_SOURCE = (
    "SELECT {what} FROM sources s WHERE s.run_id = r.run_id AND (contains(lower(s.title), $text) "
    "OR contains(lower(s.url), $text) OR contains(lower(coalesce(s.doi, '')), $text))"
)


def find_runs(
    text: str = "",
    *,
    within: Within = "anything",
    verdict: Verdict | None = None,
    limit: int = 50,
    skip: int = 0,
    home: str | Path | None = None,
) -> FoundRuns:
    """Return the finished runs in which `text` stands, newest first: in the question, in a claim, or in title, address
    or DOI of a source; with `verdict` those with a claim that was judged so, and, within claims, where that claim has
    the text. All of them without a text. Raises `InputError`, `StoreUnavailable`."""
    if within not in ("anything", "question", "claim", "source"):
        raise InputError(f"runs are searched within anything, question, claim or source, not within {within!r}")
    if verdict not in (None, "supports", "refutes", "silent", "unavailable"):
        raise InputError(f"there is no verdict {verdict!r}; there are supports, refutes, silent and unavailable")
    values: dict[str, Any] = {"limit": limit, "skip": skip}
    where, said = ["r.status = 'finished'"], "NULL"
    sought = given_text(text, "text").strip().lower()
    judged = " AND c.verifier_judgment = $verdict" if verdict is not None else ""
    if verdict is not None:
        values["verdict"] = verdict
    if sought:
        values["text"] = sought
        claim = _CLAIM.format(what="{what}", verdict=judged, text=" AND contains(lower(c.claim), $text)")
        ways = {
            "question": "contains(lower(r.question), $text)",
            "claim": f"EXISTS ({claim.format(what='1')})",
            "source": f"EXISTS ({_SOURCE.format(what='1')})",
        }
        chosen = list(ways.values()) if within == "anything" else [ways[within]]
        where.append(f"({' OR '.join(chosen)})")
        texts = {"claim": claim.format(what="min(c.claim)"), "source": _SOURCE.format(what="min(s.title)")}
        shown = [f"({sql})" for way, sql in texts.items() if within in ("anything", way)]
        if shown:
            said = f"CASE WHEN contains(lower(r.question), $text) THEN NULL ELSE coalesce({', '.join(shown)}) END"
    if verdict is not None and not (sought and within == "claim"):
        where.append(f"EXISTS ({_CLAIM.format(what='1', verdict=judged, text='')})")
    sql = f"""
        WITH found AS (
            SELECT r.run_id, r.started_at, count(*) OVER () AS total FROM runs r WHERE {' AND '.join(where)}
            ORDER BY r.started_at DESC, r.run_id DESC LIMIT $limit OFFSET $skip
        )
        SELECT r.run_id, r.question, r.tier, r.started_at, r.answer_status, r.parent_run_id, found.total,
               (SELECT count(DISTINCT c.claim) FROM claims c WHERE c.run_id = r.run_id) AS claims,
               (SELECT count(DISTINCT c.claim) FROM claims c WHERE c.run_id = r.run_id AND c.claim_id IN (
                   SELECT unnest(s.claim_ids) FROM sentences s WHERE s.run_id = r.run_id)) AS cited,
               {said} AS said
        FROM found JOIN runs r USING (run_id) ORDER BY r.started_at DESC, r.run_id DESC
        """
    order = list(values)
    numbered = re.sub(r"\$([a-z]+)", lambda name: f"${order.index(name[1]) + 1}", sql)
    place = given_home(home)
    return _found(place, stamp_of(*beside(catalogue_path(place))), numbered, tuple(values.values()))


@lru_cache(maxsize=64)
def _found(home: Path, stamp: Stamp, sql: str, values: tuple[Any, ...]) -> FoundRuns:
    """Return what the catalogue answers, which is kept while its file, whose `stamp` is given, stays the same."""
    rows = query(home, sql, list(values), patience=PATIENCE)
    total = rows[0].pop("total") if rows else 0
    for row in rows[1:]:
        row.pop("total")
    return FoundRuns(runs=tuple(FoundRun(**row) for row in rows), total=total)


def source_uses(url: str, *, limit: int = 200, home: str | Path | None = None) -> list[SourceUse]:
    """Return where a source was found, by its address, newest run first: its tier there and why, and what rests on it.
    Empty for an address that no run found. Raises `StoreUnavailable`."""
    rows = query(
        given_home(home),
        """
        SELECT r.run_id, r.question, r.started_at, s.source_id, s.title, s.tier, s.status, s.rule, s.justification,
               s.problem,
               (SELECT count(DISTINCT k.claim) FROM citations c
                JOIN claims k ON k.run_id = c.run_id AND k.claim_id = c.subject_id
                WHERE c.run_id = s.run_id AND c.role = 'claim' AND c.url = s.url) AS claims,
               EXISTS (SELECT 1 FROM bibliography b WHERE b.run_id = s.run_id AND b.source_id = s.source_id) AS cited
        FROM sources s JOIN runs r USING (run_id) WHERE s.url = ? ORDER BY r.started_at DESC, r.run_id DESC LIMIT ?
        """,
        [given_text(url, "url"), limit], patience=PATIENCE,
    )  # fmt: skip
    return [SourceUse(**row) for row in rows]
