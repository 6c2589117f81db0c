"""Features of a claim and a passage for the learned lens, each a named number that can be checked by eye."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from veritas.meaning.embedded._opposition import opposition
from veritas.meaning.embedded._subject_words import told
from veritas.meaning.embedded.claim_evidence import FULL_READ, Alignment, Statement, weight
from veritas.meaning.embedded.conflicts import compare_numbers, effective, polarity_conflicts
from veritas.meaning.embedded.tables import is_table
from veritas.meaning.embedded.tabular import read_aligned
from veritas.text import lexicon

Features = dict[str, float]

FORM_FEATURES = (
    "claim_length", "sentences", "passage_words", "sentence_words", "lines", "headings", "references", "passage_cites",
    "passage_own", "cites", "first_person", "fragment", "claim_clauses", "claim_years", "claim_names", "table",
)
"""The features that the model's gate looks at: the form of claim and passage, nothing of how they meet."""
OWN_TO_A_FORM = (
    *FORM_FEATURES, "cover_best", "cover_second", "cover_third", "cover_pair", "cover_three", "cover_passage",
    "cover_exact", "sentences_half", "names_absent", "has_names", "rarest_absent", "rarest_absent_best", "words_absent",
)
"""The features that the forest for every form does not look at: what a share of the claim's words means depends on the
form. Without them, a set is judged better by what was fitted on the others."""

_FIRST_PERSON = frozenset(("we", "our", "us"))
_CLAUSE = re.compile(r"[;,:]\s|\b(?:and|but|while|whereas|although|which|who|where|when|with|by)\b", re.IGNORECASE)
_HEADING = re.compile(r"[A-Z][A-Z ,/&]{5,}\b")
_REFERENCE = re.compile(r"\[\d{1,3}[\],–-]|[a-z][.,]\d{1,3}\b|\(\w+ et al")


@lru_cache(maxsize=1)  # asked for the chances, and for how familiar the form is
def features(alignment: Alignment) -> Features:
    """Return the features by name, mostly 0 to 1; the same names for every input."""
    return {
        **_coverage(alignment),
        **_parts(alignment),
        **_wording(alignment),
        **_likeness(alignment),
        **_numbers(alignment),
        **opposition(alignment),
        **told(alignment),
        **_form(alignment),
        **_table(alignment),
    }


def _coverage(alignment: Alignment) -> Features:
    """Return how much of the claim is found, in one sentence, in a few, anywhere; names and rare words apart."""
    shares = [alignment.coverage[i] for i in alignment.order[:3]] + [0.0] * 3
    names = [
        (m, w) for t, m, w in zip(alignment.words, alignment.anywhere, alignment.weights, strict=True)
        if t.is_name and not t.is_number and t.start > 0
    ]
    best_row = alignment.per_sentence[alignment.order[0]]
    absent = [w for m, w in zip(alignment.anywhere, alignment.weights, strict=True) if m == 0]
    absent_best = [w for m, w in zip(best_row, alignment.weights, strict=True) if m == 0]
    exact = sum(w for m, w in zip(best_row, alignment.weights, strict=True) if m == 1.0) / alignment.total
    return {
        "cover_best": shares[0],
        "cover_second": shares[1],
        "cover_third": shares[2],
        "cover_pair": alignment.chain_coverage(2),
        "cover_three": alignment.chain_coverage(3),
        "cover_passage": alignment.passage_coverage,
        "cover_exact": exact,
        "sentences_half": sum(1 for c in alignment.coverage if c >= 0.5) / (1 + len(alignment.coverage)),
        "names_absent": sum(w for m, w in names if m == 0) / alignment.total,
        "has_names": float(bool(names)),
        "rarest_absent": max(absent, default=0.0) / 7.5,
        "rarest_absent_best": max(absent_best, default=0.0) / 7.5,
        "words_absent": min(len(absent), 10) / 10,
    }


def _parts(alignment: Alignment) -> Features:
    """Return features of the claim in parts: its clauses, its longest stretch not met, its rare and common words; and
    short windows."""
    rows, weights, words = alignment.per_sentence, alignment.weights, alignment.words
    windows = {1: alignment.coverage}
    for size in (2, 3):
        windows[size] = [
            _share([max(column) for column in zip(*rows[i : i + size], strict=True)], weights) for i in range(len(rows))
        ]
    chain = [0.0] * len(words)
    for i in alignment.chain:
        chain = list(map(max, chain, rows[i]))
    starts = [0, *(m.end() for m in _CLAUSE.finditer(alignment.claim.text)), len(alignment.claim.text) + 1]
    clauses = []
    for start, end in itertools.pairwise(starts):
        inside = [j for j, t in enumerate(words) if start <= t.start < end]
        if sum(weights[j] for j in inside) >= 4:
            clauses.append(max(_share([row[j] for j in inside], [weights[j] for j in inside]) for row in rows))
    stretch = longest = 0.0
    for m, w in zip(chain, weights, strict=True):
        stretch = 0.0 if m > 0 else stretch + w
        longest = max(longest, stretch)
    rare = [j for j, w in enumerate(weights) if w >= 4.5]
    common = [j for j, w in enumerate(weights) if w < 4.5]
    best = rows[alignment.order[0]]
    return {
        "window_two": max(windows[2]),
        "window_three": max(windows[3]),
        "clause_least": min(clauses, default=max(alignment.coverage)),
        "clause_mean": sum(clauses) / len(clauses) if clauses else max(alignment.coverage),
        "stretch": longest / alignment.total,
        "rare_best": _share([best[j] for j in rare], [1.0] * len(rare)),
        "common_best": _share([best[j] for j in common], [1.0] * len(common)),
        "rare_passage": _share([alignment.anywhere[j] for j in rare], [1.0] * len(rare)),
        "common_passage": _share([alignment.anywhere[j] for j in common], [1.0] * len(common)),
        "rare_words": min(len(rare), 12) / 12,
    }


def _share(met: Sequence[float], weights: Sequence[float]) -> float:
    return sum(m * w for m, w in zip(met, weights, strict=True)) / (sum(weights) or 1.0)


def _wording(alignment: Alignment) -> Features:
    """Return how alike the wording is: word pairs, longest common run, order, share of the sentence that is in the
    claim."""
    claim, best = alignment.claim, alignment.best
    assert best is not None
    mine = [t.stem for t in claim.content]
    theirs = [t.stem for t in best.content]
    pairs = set(itertools.pairwise(mine))
    pairs_best = set(itertools.pairwise(theirs))
    everywhere = {
        pair for s in alignment.passage.statements for pair in itertools.pairwise([t.stem for t in s.content])
    }
    wanted = set(mine)
    in_best = sum(weight(s) for s in set(theirs) & wanted)
    return {
        "pairs_best": len(pairs & pairs_best) / (1 + len(pairs)),
        "pairs_passage": len(pairs & everywhere) / (1 + len(pairs)),
        "run": _longest_run(claim.stems, best.stems) / (1 + len(claim.stems)),
        "precision": in_best / (1 + sum(weight(s) for s in set(theirs))),
        "order": _order(mine, theirs),
        "best_place": best.index / max(1, alignment.passage.total - 1),
        "best_concludes": float(best.count(lexicon.CONCLUDING) > 0),
        "best_asks": float(best.count(lexicon.ASKING) > 0),
        "best_length": min(len(best.stems), 80) / 80,
    }


def _longest_run(a: list[str], b: list[str]) -> int:
    longest = 0
    previous = [0] * (len(b) + 1)
    for x in a:
        current = [0] * (len(b) + 1)
        for j, y in enumerate(b):
            if x == y:
                current[j + 1] = previous[j] + 1
                longest = max(longest, current[j + 1])
        previous = current
    return longest


def _order(mine: list[str], theirs: list[str]) -> float:
    """Return the share of the pairs of shared words in the same order, less the share that is not: -1 to 1."""
    places = [theirs.index(s) for s in dict.fromkeys(mine) if s in theirs]
    same = sum(1 if b > a else -1 for i, a in enumerate(places) for b in places[i + 1 :])
    pairs = len(places) * (len(places) - 1) / 2
    return same / pairs if pairs else 0.0


def _numbers(alignment: Alignment) -> Features:
    """Return how the claim's numbers fare in the best two sentences and in the whole passage."""
    near = compare_numbers(alignment.claim, [alignment.passage.statements[i] for i in alignment.chain[:2]])
    far = compare_numbers(alignment.claim, alignment.passage.statements)
    count = len(near.agreed) + len(near.conflicting) + len(near.missing)
    return {
        "numbers": min(count, 4) / 4,
        "numbers_agree": len(near.agreed) / count if count else 0.0,
        "numbers_conflict": len(near.conflicting) / count if count else 0.0,
        "numbers_missing": len(far.missing) / count if count else 0.0,
        "numbers_agree_far": len(far.agreed) / count if count else 0.0,
    }


def _form(alignment: Alignment) -> Features:
    """Return the form of the input: lengths, lines, rows. Legitimate, but it also tells one kind of source from
    another."""
    passage, claim = alignment.passage, alignment.claim
    text = passage.text[:FULL_READ]
    words = sum(len(s.stems) for s in passage.statements) or 1
    own = sum(s.count(_FIRST_PERSON) for s in passage.statements)
    return {
        "claim_length": min(len(claim.stems), 60) / 60,
        "sentences": min(passage.total, 40) / 40,
        "passage_words": min(words, 600) / 600,
        "sentence_words": min(words / max(1, len(passage.statements)), 60) / 60,
        "lines": min((1 + text.count("\n")) / max(1, passage.total), 2) / 2,
        "headings": float(any(_HEADING.match(s.text) is not None for s in passage.statements)),
        "references": min(len(_REFERENCE.findall(text)), 10) / 10,
        "passage_cites": min(text.count("et al"), 5) / 5,
        "passage_own": min(100 * own / words, 5) / 5,
        "cites": float(claim.count(lexicon.CITING) > 0),
        "first_person": float(claim.count(_FIRST_PERSON) > 0),
        "fragment": float(claim.text[:1].islower() or not claim.text.rstrip().endswith((".", "!", "?", "\"", "”"))),
        "claim_clauses": min(claim.text.count(",") + claim.text.count(";"), 6) / 6,
        "claim_years": float(any(q.kind == "year" for q in claim.quantities)),
        "claim_names": min(sum(t.is_name and t.start > 0 for t in claim.content), 8) / 8,
    }


def _table(alignment: Alignment) -> Features:
    """Return the features of a table for the claim; all 0 for prose."""
    if not is_table(alignment.passage.text):
        return {"table": 0.0}
    found = read_aligned(alignment)
    return {
        "table": 1.0,
        "table_numbers": min(found.numbers.total, 4) / 4,
        "table_found": found.numbers.found,
        "table_located": found.numbers.located,
        "table_misplaced": found.numbers.misplaced,
        "table_derived": found.numbers.derived,
        "table_lost": found.numbers.lost,
        "table_truth": found.truth,
        "table_worst": found.worst,
        "table_rank": found.rank,
        "table_rows": min(found.rows_named, 4) / 4,
        "table_columns": min(found.columns_named, 4) / 4,
        "table_words": found.words_known,
        "table_names_unknown": found.names_unknown,
        "table_caption": found.caption,
        "table_trend": found.trend,
    }


def _likeness(alignment: Alignment) -> Features:
    """Return likeness by letters and across sentences, which survives inflection, spelling and paraphrase."""
    claim, best = alignment.claim, alignment.best
    assert best is not None
    mine = _grams(claim)
    theirs = _grams(best)
    both: set[str] = set().union(*(_grams(alignment.passage.statements[i]) for i in alignment.order[:12]))
    top = alignment.coverage[alignment.order[0]]
    near = [i for i in alignment.order[:8] if alignment.coverage[i] >= max(0.3, 0.7 * top)]
    opposed = [bool(effective(polarity_conflicts(claim, alignment.passage.statements[i]))) for i in near]
    late = alignment.passage.total - 2
    last = [c for c, s in zip(alignment.coverage, alignment.passage.statements, strict=True) if s.index >= late]
    negative = sum(bool(alignment.passage.statements[i].negations) for i in near)
    return {
        "letters_best": len(mine & theirs) / (1 + len(mine)),
        "letters_passage": len(mine & both) / (1 + len(mine)),
        "near": len(near) / 8,
        "near_opposed": sum(opposed) / (1 + len(near)),
        "near_negative": negative / (1 + len(near)),
        "cover_end": max(last, default=0.0),
        "cover_start": alignment.coverage[0],
        "gap": top - (alignment.coverage[alignment.order[1]] if len(alignment.order) > 1 else 0.0),
    }


def _grams(statement: Statement) -> set[str]:
    return {t.lower[i : i + 4] for t in statement.content for i in range(max(1, len(t.lower) - 3))}
