"""What belongs to which verb, in which order, and to which part of a group: a claim may not hang it elsewhere."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare_passage
from veritas.meaning.floor import of_all

ALTERED = [
    ("The crew sealed the hatch and then vented the cabin.", "The crew vented the cabin and then sealed the hatch."),
    ("Brazil drew with Chile and afterwards beat Peru.", "Brazil beat Peru and afterwards drew with Chile."),
    ("The union struck and later accepted the offer.", "The union accepted the offer and later struck."),
    ("The script stops the server and deletes the cache.", "The script stops the server and then deletes the cache."),
    ("The senate confirmed Ruiz. It rejected Alder in March.", "The senate confirmed Ruiz in March."),
    ("The club sold its captain. It signed a goalkeeper from Porto.", "The club sold its captain from Porto."),
    ("Goats eat the leaves. Sheep avoid the berries in winter.", "Goats eat the leaves in winter."),
    ("The court convicted Reed and acquitted Finch of fraud.", "The court convicted Reed of fraud."),
    ("Few voters knew the candidate.", "A few voters knew the candidate."),
    ("The alloy contains little nickel.", "The alloy contains a little nickel."),
    ("All the lenders but Corvo cut their fees.", "All the lenders cut their fees."),
    ("Everyone but Jones attended.", "Jones attended."),
    ("The clinic is open every day but Sunday.", "The clinic is open every day."),
    ("One of the satellites burned up.", "The satellites burned up."),
    ("The vandals broke some of the windows.", "The vandals broke the windows."),
    ("Three of the clauses are void.", "The clauses are void."),
]
KEPT = [
    ("Brazil drew with Chile and afterwards beat Peru.", "Brazil drew with Chile and then beat Peru."),
    ("If the tank is empty, the pump stops.", "If the tank is empty, then the pump stops."),
    ("The rover landed in 2021. It drilled a rock with its camera.", "The rover drilled a rock with its camera."),
    ("The plugin caches and compresses pages on upload.", "The plugin caches pages on upload."),
    ("In June the bank raised its rate and cut its forecast.", "The bank cut its forecast in June."),
    ("The lava buried the town and killed ten people in 1783.", "The lava buried the town in 1783."),
    ("A few voters knew the candidate.", "The candidate was known by a few voters."),
    ("All the lenders but Corvo cut their fees.", "All the lenders except Corvo cut their fees."),
    ("Every valve was shut but the pump was running.", "Every valve was shut and the pump was running."),
    ("All of the clauses are void.", "The clauses are void."),
    ("Some of the chapters were written by Lee.", "Lee wrote some of the chapters."),
]


@pytest.mark.parametrize(("source", "claim"), ALTERED)
def test_what_is_hung_elsewhere_does_not_follow(source: str, claim: str) -> None:
    assert of_all([compare_passage(source, claim)]).step != "pass"


@pytest.mark.parametrize(("source", "claim"), KEPT)
def test_what_stays_where_it_was_follows(source: str, claim: str) -> None:
    assert compare_passage(source, claim).entailed
