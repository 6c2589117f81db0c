"""Features: what the learned lens is told of a claim and a passage, each a named number one can check by eye."""

from __future__ import annotations

from veritas.verifying.embedded import lexicon
from veritas.verifying.embedded.conflicts import compare_numbers, effective, matched_span, polarity_conflicts
from veritas.verifying.embedded.evidence import Alignment, Statement, weight

Features = dict[str, float]


def features(alignment: Alignment) -> Features:
    """Name -> value, mostly 0 to 1; the same names for every input."""
    return {
        **_coverage(alignment), **_wording(alignment), **_numbers(alignment), **_polarity(alignment), **_form(alignment),
    }


def _coverage(alignment: Alignment) -> Features:
    """How much of the claim is found, in one sentence, in a few, anywhere; names and rare words apart."""
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


def _wording(alignment: Alignment) -> Features:
    """How alike the wording is: word pairs, longest common run, order, and share of the sentence that is in the claim."""
    claim, best = alignment.claim, alignment.best
    assert best is not None
    mine = [t.stem for t in claim.content]
    theirs = [t.stem for t in best.content]
    pairs = set(zip(mine, mine[1:], strict=False))
    pairs_best = set(zip(theirs, theirs[1:], strict=False))
    everywhere = {
        p for s in alignment.passage.statements for p in zip([t.stem for t in s.content], [t.stem for t in s.content][1:], strict=False)
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
    """Of the pairs of shared words, the share that stands in the same order, less the share that does not: -1 to 1."""
    places = [theirs.index(s) for s in dict.fromkeys(mine) if s in theirs]
    same = sum(1 if b > a else -1 for i, a in enumerate(places) for b in places[i + 1 :])
    pairs = len(places) * (len(places) - 1) / 2
    return same / pairs if pairs else 0.0


def _numbers(alignment: Alignment) -> Features:
    """How the claim's numbers fare in the best two sentences and in the whole passage."""
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


def _polarity(alignment: Alignment) -> Features:
    """Negation, direction, opposites, hedges and quantifiers, of the claim and of the sentence that matters."""
    claim, best = alignment.claim, alignment.best
    assert best is not None
    found = polarity_conflicts(claim, best)
    kinds = [c.kind for c in found]
    first, last = matched_span(claim, best)
    span = best.stems[first : last + 1]
    up, down = _lean(claim.stems), _lean(span)
    second = alignment.passage.statements[alignment.order[1]] if len(alignment.order) > 1 else None
    return {
        "claim_negated": float(bool(claim.negations)),
        "best_negated": float(any(first <= i <= last for i in best.negations)),
        "negation_differs": float("negation" in kinds),
        "direction_differs": float("direction" in kinds),
        "antonym": float("antonym" in kinds),
        "conflicts_left": min(len(effective(found)), 3) / 3,
        "lean_product": float(up * down),
        "lean_claim": float(up),
        "parity_differs": float(_parity(claim, claim.stems) != _parity(best, span)),
        "second_differs": float(bool(second and effective(polarity_conflicts(claim, second)))),
        "claim_hedged": float(claim.count(lexicon.HEDGE) > 0),
        "best_hedged": float(best.count(lexicon.HEDGE) > 0),
        "claim_universal": float(claim.count(lexicon.UNIVERSAL) > 0),
        "universal_unmet": float(claim.count(lexicon.UNIVERSAL) > 0 and best.count(lexicon.UNIVERSAL) == 0),
        "best_partial": float(best.count(lexicon.PARTIAL) > 0),
        "claim_causal": min(claim.count(lexicon.CAUSAL), 3) / 3,
        "claim_superlative": float(claim.count(lexicon.SUPERLATIVE) > 0),
    }


def _lean(stems: list[str]) -> int:
    """1 if more words point up than down, -1 if fewer, 0 if neither."""
    up = sum(s in lexicon.UP for s in stems)
    down = sum(s in lexicon.DOWN for s in stems)
    return (up > down) - (up < down)


def _parity(statement: Statement, stems: list[str]) -> int:
    return (sum(s in lexicon.DOWN for s in stems) + len(statement.negations)) % 2


def _form(alignment: Alignment) -> Features:
    """The form of the input: lengths, lines, rows. Legitimate, but it also tells one kind of source from another."""
    passage, claim = alignment.passage, alignment.claim
    lines = 1 + passage.text.count("\n")
    tabs = passage.text.count("\t")
    return {
        "claim_length": min(len(claim.stems), 60) / 60,
        "sentences": min(passage.total, 40) / 40,
        "lines": min(lines / max(1, passage.total), 2) / 2,
        "table": float(tabs >= 2),
        "cites": float(claim.count(lexicon.CITING) > 0),
        "first_person": float("we" in claim.stems or "our" in claim.stems),
    }
