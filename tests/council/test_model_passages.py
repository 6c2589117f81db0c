"""How many of the passages it read a language model is shown, and in which form it answers about them."""

from __future__ import annotations

from tests.search.test_ranking import passage
from veritas.claims.graph import SubQuery
from veritas.council.answer_schemas import Claims, Objections
from veritas.council.model_member import SHOWN, ModelMember
from veritas.council.wire_schema import wire_schema


async def test_a_model_is_shown_the_first_passages_in_their_order() -> None:
    read = [passage(f"Garden number {at} has roses, tulips and a pond.", f"garden-{at:02}") for at in range(20)]
    member = ModelMember.__new__(ModelMember)
    shown: list[str] = []

    async def take(*_: object, **__: object) -> Claims:
        shown.extend(name for name, _ in _[4]["passages"])  # type: ignore[index]
        return Claims(claims=())

    member._take = take  # type: ignore[assignment, method-assign]
    await member.assert_claims(SubQuery(sub_query_id="q", text="Which garden has a pond?"), read)
    assert shown == [f"passage {each.passage_id}" for each in read[:SHOWN]]


def test_a_model_quotes_before_it_claims_or_objects() -> None:
    claim = list(wire_schema(Claims)["properties"]["claims"]["items"]["properties"])
    assert claim.index("quotes") < claim.index("claim")
    objection = list(wire_schema(Objections)["properties"]["objections"]["items"]["properties"])
    assert objection.index("quotes") < objection.index("counter_claim") < objection.index("objection")
