"""Which of the passages it read a language model is shown, and in which form it answers about them."""

from __future__ import annotations

from tests.answering.test_ranking import passage
from veritas.council.answer_schemas import Claims, Objections
from veritas.council.model_member import SHOWN, likeliest
from veritas.council.wire_schema import wire_schema

ANSWER = passage("The cache keeps answers for ten minutes.", "z-cache")
OTHERS = [passage(f"Garden number {at} has roses, tulips and a pond.", f"garden-{at:02}") for at in range(20)]


def test_a_model_is_shown_few_passages_and_what_answers_is_first() -> None:
    shown = likeliest("How long does the cache keep answers?", [*OTHERS, ANSWER])
    assert len(shown) == SHOWN
    assert shown[0] is ANSWER


def test_a_question_that_no_rules_read_is_shown_all_passages_as_they_are() -> None:
    read = [*OTHERS, ANSWER]
    assert likeliest("¿Cuánto tiempo guarda el caché las respuestas?", read) is read


def test_a_model_quotes_before_it_claims_or_objects() -> None:
    claim = list(wire_schema(Claims)["properties"]["claims"]["items"]["properties"])
    assert claim.index("quotes") < claim.index("claim")
    objection = list(wire_schema(Objections)["properties"]["objections"]["items"]["properties"])
    assert objection.index("quotes") < objection.index("counter_claim") < objection.index("objection")
