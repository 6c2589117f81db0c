"""Opposition: features for passage and claim that point apart, in negation, direction, reversals and scope."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import effective, local_directions, matched_span, polarity_conflicts
from veritas.text import lexicon


def opposition(alignment: Alignment) -> dict[str, float]:
    """Return the features of opposition by name."""
    return {**_polarity(alignment), **_reversals(alignment), **_sides(alignment)}


def _polarity(alignment: Alignment) -> dict[str, float]:
    """Return negation, direction, opposites, hedges and quantifiers of the claim and of its best sentence."""
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
        "population_differs": float(_population(alignment)),
        "claim_causal": min(claim.count(lexicon.CAUSAL), 3) / 3,
        "claim_superlative": float(claim.count(lexicon.SUPERLATIVE) > 0),
    }


def _population(alignment: Alignment) -> bool:
    """Return whether the claim speaks of people and the passage of animals alone, or the other way round."""
    claim, passage = alignment.claim.vocabulary, alignment.passage.vocabulary
    for one, other in ((lexicon.HUMANS, lexicon.ANIMALS), (lexicon.ANIMALS, lexicon.HUMANS)):
        if one & claim and not other & claim and not one & passage and other & passage:
            return True
    return False


def _reversals(alignment: Alignment) -> dict[str, float]:
    """Return coverage by sentences whose count of reversing words has the claim's parity, against those where it
    differs."""
    claim = alignment.claim
    agree = oppose = 0.0
    close_agree = close_oppose = 0.0
    balance = 0.0
    mine = claim.count(lexicon.REVERSING)
    negated = len(claim.negations)
    plain_agree = plain_oppose = 0.0
    wanted = {t.stem for t in claim.content}
    for i in alignment.order[:6]:
        statement, covered = alignment.passage.statements[i], alignment.coverage[i]
        first, last = matched_span(claim, statement)
        wide = sum(s in lexicon.REVERSING for s in statement.stems[first : last + 1])
        places = [j for j, s in enumerate(statement.stems) if s in wanted]
        near = {k for j in places for k in range(j - 2, j + 3)}
        close = sum(s in lexicon.REVERSING for k, s in enumerate(statement.stems) if k in near)
        plain = sum(first <= k <= last for k in statement.negations)
        same, same_close, same_plain = wide % 2 == mine % 2, close % 2 == mine % 2, plain % 2 == negated % 2
        agree, oppose = max(agree, covered * same), max(oppose, covered * (not same))
        close_agree = max(close_agree, covered * same_close)
        close_oppose = max(close_oppose, covered * (not same_close))
        plain_agree = max(plain_agree, covered * same_plain)
        plain_oppose = max(plain_oppose, covered * (not same_plain))
        balance += covered * covered * (1 if same_close else -1)
    return {
        "turn_lead": agree - oppose,
        "turn_oppose": oppose,
        "turn_close_lead": close_agree - close_oppose,
        "turn_plain_lead": plain_agree - plain_oppose,
        "turn_balance": balance,
        "claim_turns": min(mine, 4) / 4,
    }


def _sides(alignment: Alignment) -> dict[str, float]:
    """Return coverage by the best sentence that goes with the claim, and by the best against it, by direction and by
    conflict."""
    with_it = against = opposed = unopposed = balance = ends = 0.0
    total = alignment.passage.total
    for i in alignment.order[:8]:
        statement, covered = alignment.passage.statements[i], alignment.coverage[i]
        same, opposite = local_directions(alignment.claim, statement)
        conflict = bool(effective(polarity_conflicts(alignment.claim, statement)))
        if same > opposite:
            with_it = max(with_it, covered)
        elif opposite:
            against = max(against, covered)
        opposed, unopposed = max(opposed, covered * conflict), max(unopposed, covered * (not conflict))
        balance += covered * covered * ((same > opposite) - (opposite > same) - conflict)
        if statement.index >= total - 3:
            ends += covered * ((same > opposite) - (opposite > same) - conflict)
    return {
        "direction_with": with_it,
        "direction_against": against,
        "direction_lead": with_it - against,
        "opposed": opposed,
        "opposed_lead": opposed - unopposed,
        "balance": balance,
        "balance_end": ends,
    }


def _lean(stems: list[str]) -> int:
    """Return 1 if more words point up than down, -1 if fewer, 0 if neither."""
    up = sum(s in lexicon.UP for s in stems)
    down = sum(s in lexicon.DOWN for s in stems)
    return (up > down) - (up < down)


def _parity(statement: Statement, stems: list[str]) -> int:
    return (sum(s in lexicon.DOWN for s in stems) + len(statement.negations)) % 2
