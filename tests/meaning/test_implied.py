"""What a verb says beside itself, and other words for what is allowed, by default, or true of one thing only."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare_passage
from veritas.meaning.floor import of_all

KEPT = [
    ("Members may vote by post.", "Members are permitted to vote by post."),
    ("Visitors may not feed the bears.", "Visitors are not allowed to feed the bears."),
    ("The bank declined to name the buyer.", "The bank did not name the buyer."),
    ("The editor avoided naming the source.", "The editor did not name the source."),
    ("The firm lost its licence.", "The firm no longer has a licence."),
    ("The company stopped selling the drug.", "The company no longer sells the drug."),
    ("The retry limit defaults to five.", "By default, the retry limit is five."),
    ("Only nurses may enter the ward.", "No person other than a nurse may enter the ward."),
    ("Farmers remove the plant by hand.", "Farmers remove the plant manually."),
    ("Employers publish pay data every year.", "Employers publish pay data annually."),
    ("The windows in the tower were broken.", "The windows of the tower were broken."),
]
ALTERED = [
    ("Members are allowed to vote by post.", "Members voted by post."),
    ("Visitors may not feed the bears.", "Visitors are allowed to feed the bears."),
    ("Denmark did not sign the treaty.", "Denmark refused to sign the treaty."),
    ("The clerk never forgot to lock the safe.", "The clerk did not lock the safe."),
    ("The editor tried to avoid naming the source.", "The editor did not name the source."),
    ("The firm may lose its licence.", "The firm no longer has a licence."),
    ("The company stopped selling the drug in Peru.", "The company no longer sells the drug."),
    ("The port is 8080 by default.", "The port is 8080."),
    ("Nurses may enter the ward.", "No person other than a nurse may enter the ward."),
    ("Only nurses may enter the ward.", "No nurse may enter the ward."),
    ("The attack in the city failed.", "The attack of the city failed."),
    ("The committee meets every month.", "The committee meets annually."),
]


@pytest.mark.parametrize(("source", "claim"), KEPT)
def test_what_is_implied_follows(source: str, claim: str) -> None:
    assert compare_passage(source, claim).entailed


@pytest.mark.parametrize(("source", "claim"), ALTERED)
def test_what_is_not_implied_does_not_follow(source: str, claim: str) -> None:
    assert of_all([compare_passage(source, claim)]).step != "pass"
