"""A page that carries a statement only to deny it or to play with it supports nothing; its true twin does."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import read_page
from veritas.meaning.floor import floor
from veritas.meaning.pretence import pretended

S = "Torvik Dairy recalled all its goat cheese on 9 June 2023."
C = "Night lighting reduces the growth of juvenile trout by 12 percent"
MORE = "The valley has many small dairies and a long tradition."

DENIED = {
    "rating": f"Fact check\n\nClaim: {S}\n\nRating: False\n\n{MORE}",
    "verdict": f"Claim: {S} Verdict: False.",
    "own heading": f"What was claimed\n\n{S}\n\nOur verdict\n\nFalse. The dairy recalled nothing.",
    "row": f"| Claim | Rating |\n|---|---|\n| {S} | False |",
    "myth": f"Dairy myths\n\nMyth: {S}\n\nFact: no recall took place.",
    "list": f"Rumours we looked into\n\n- {S}\n- The mayor sold the harbour.\n\nNone of these is true.",
    "exam": f"Which statement is wrong?\n\n1. Torvik Dairy was founded in 1911.\n2. {S}\n\nCorrect answer: 2.",
    "court": f"The claimant's case is this. {S} Forty fell ill.\n\nThe court rejects the claimant's case in full.",
    "chat": f"Bot: {S}\n\nUser: That is false.\n\nBot: You are right, I made that up.",
    "removed": f"{S}\n\nPage removed\n\nThe article that stood here was withdrawn.",
    "draft": f"DRAFT, NOT FOR RELEASE\n\n{S}\n\nStatus: cancelled.",
    "drill": f"Safety day\n\nThis is an exercise. {S} All staff report to the hall.",
    "template": f"Press release template\n\n{S}",
    "novel": f"Chapter 3 of The Cheese Detective, a novel\n\n{S} Inspector Moe sighed.",
    "april": f"News, 1 April\n\n{S}\n\nApril Fool!",
    "market": f"Prediction market\n\n{S} Yes 4 cents. No 96 cents.",
    "generator": f"Random headline generator\n\n{S}",
    "post": f"A viral post says: “{S[:-1]}”. The post is fake.",
    "denies": f"{S} That, at least, is what a post on social media says; the dairy denies it.",
    "correction": f"Correction: this article said that the dairy recalled its cheese. It did not.\n\n{S}",
    "struck": f"~~{S}~~ The recall was called off.",
    "retracted": f"RETRACTED ARTICLE\n\n{S}",
    "about us": f"{S}\n\nAbout us: The Daily Whey is a satirical newspaper.",
}
SAID = {
    "plain": f"Recalls in 2023\n\n{S} The shops took it back without a receipt.",
    "rating": f"Fact check\n\nClaim: {S}\n\nRating: True\n\nClaim: The mayor sold the harbour.\n\nRating: False",
    "other claim": f"Claim: The dairy sold its cheese abroad.\n\nRating: False\n\n{S}",
    "not the first": f"{S} It was not the first recall of the year.",
    "offer": f"{S} The dairy rejected the offer of a rival. The valley has a novel kind of cheese.",
    "no such before": f"{S} No such recall had happened before.",
    "fact": f"Myth: cheese is bad. Fact: {S}",
}
REJECTED = {
    "no such": f"Earlier work reported an effect. {C}. Repeating it with 900 fish, we found no such reduction.",
    "hypothesis": f"We tested the following hypothesis. {C}. The hypothesis was rejected.",
    "simulations": f"{C} in simulations. In the field, growth was the same in both groups.",
    "retracted": f"RETRACTED. {C}.",
    "H1": f"H1: {C}. H0: it does not. The data favour H0.",
    "interval": f"{C} (95% CI -9 to 33, not significant).",
    "replicate": f"Smith (2001) argued the following. {C}. Here we fail to replicate Smith.",
    "against": f"We argue against the following. {C}.",
}
FOUND = {
    "plain": f"Light is spreading. {C}. We measured 900 fish.",
    "H1": f"H1: {C}. H1 was supported by the data.",
    "null": f"We tested the following hypothesis. {C}. The null hypothesis was rejected.",
    "other figure": f"{C} (95% CI 9 to 33), and survival by 2 percent (not significant).",
    "other effect": f"{C}. We could not confirm an effect on survival.",
}


def verdict(source: str) -> str:
    page = Document(document_id="p", url="https://e.org/p", title="A page", text=source, fetched_at=date(2024, 1, 1))
    return judge(S, read_page(page)).verdict


@pytest.mark.parametrize("form", DENIED)
def test_a_page_that_denies_or_plays_with_a_statement_is_no_support_and_no_contradiction(form: str) -> None:
    assert floor(S, [DENIED[form]]).step == "defer"
    assert verdict(DENIED[form]) == "cannot_tell"


@pytest.mark.parametrize("form", SAID)
def test_a_page_that_says_it_beside_such_words_is(form: str) -> None:
    assert floor(S, [SAID[form]]).step == "pass"
    assert verdict(SAID[form]) == "supported"


@pytest.mark.parametrize("form", REJECTED)
def test_a_sentence_that_its_abstract_rejects_is_no_excerpt(form: str) -> None:
    assert pretended(C, C, REJECTED[form]) is not None


@pytest.mark.parametrize("form", FOUND)
def test_one_that_its_abstract_finds_is(form: str) -> None:
    assert pretended(C, C, FOUND[form]) is None
