"""Alterations by kind: a sentence that says something else never follows, and the difference has its name."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare
from veritas.meaning.floor import floor
from veritas.meaning.relation import Setting

HERE = Setting("one")

ALTERED: dict[str, list[tuple[str, str, str]]] = {
    "number": [
        ("The cable is 2 km long.", "The cable is 3 km long.", "number"),
        ("Twelve patients died.", "Ten patients died.", "number"),
    ],
    "unit": [
        ("The dose is 5 mg.", "The dose is 5 g.", "unit"),
        ("It lasts 3 hours.", "It lasts 3 minutes.", "unit"),
    ],
    "role": [
        ("The dog bit the man.", "The man bit the dog.", "role"),
        ("Germany invaded Poland in 1939.", "Poland invaded Germany in 1939.", "role"),
        ("The startup was acquired by the company.", "The company was acquired by the startup.", "role"),
        ("The startup was acquired by the company.", "The startup acquired the company.", "role"),
        ("Anna sold the house to Ben.", "Ben sold the house to Anna.", "role"),
        ("The old pump is slower than the new pump.", "The new pump is slower than the old pump.", "opposite"),
        (
            "The teacher of the boy praised the mother of the girl.",
            "The teacher of the girl praised the mother of the boy.",
            "opposite",
        ),
        ("The king of Spain met the president of France.", "The king of France met the president of Spain.", "role"),
        ("Anna bought the house from Ben.", "Ben bought the house from Anna.", "role"),
        ("The pump before the valve leaks.", "The valve before the pump leaks.", "condition"),
        ("The bridge was built by the son of the founder.", "The bridge was built by the founder.", "role"),
    ],
    "modality": [
        ("The timeout must be set before the call.", "The timeout may be set before the call.", "modality"),
        ("Dogs should be kept on a lead.", "Dogs can be kept on a lead.", "modality"),
        ("The drug may cause headaches.", "The drug causes headaches.", "modality"),
        ("The company plans to open a store.", "The company opened a store.", "modality"),
        ("The engine could fail.", "The engine fails.", "modality"),
        ("Users should change the password.", "Users must change the password.", "modality"),
        ("It is possible that the fire was set.", "The fire was set.", "modality"),
        ("The vaccine is expected to prevent infection.", "The vaccine prevents infection.", "modality"),
        ("The team tried to repair the valve.", "The team repaired the valve.", "modality"),
        ("It was hoped that the vaccine would prevent infection.", "The vaccine prevents infection.", "modality"),
        ("It is unclear whether coffee improves memory.", "Coffee improves memory.", "modality"),
        ("The alleged thief left town.", "The thief left town.", "modality"),
        ("The proposed bridge spans the river.", "The bridge spans the river.", "modality"),
    ],
    "attribution": [
        ("The minister said that the bridge is safe.", "The bridge is safe.", "attribution"),
        ("According to the seller, the car is new.", "The car is new.", "attribution"),
        ("Advertisements say that the cream removes wrinkles.", "The cream removes wrinkles.", "modality"),
        ("Critics claim the law harms farmers.", "The law harms farmers.", "attribution"),
        ("The bridge is safe, the minister said.", "The bridge is safe.", "attribution"),
        ("The bridge is reportedly unsafe.", "The bridge is unsafe.", "modality"),
    ],
    "causality": [
        ("Coffee is associated with better memory.", "Coffee causes better memory.", "causality"),
        ("Smoking is linked to cancer.", "Smoking causes cancer.", "causality"),
        ("Red meat is correlated with heart disease.", "Red meat leads to heart disease.", "causality"),
        ("Vitamin D is associated with lower risk of falls.", "Vitamin D lowers the risk of falls.", "unexplained"),
    ],
    "population": [
        ("The drug reduced tumours in mice.", "The drug reduced tumours.", "population"),
        ("The drug works in adults.", "The drug works in children.", "unexplained"),
        ("Older women gained weight.", "Women gained weight.", "population"),
        ("The vaccine is safe for adults.", "The vaccine is safe.", "population"),
        ("In rats, the compound lowers blood pressure.", "The compound lowers blood pressure.", "population"),
    ],
    "polarity": [
        ("The pump needs oil.", "The pump does not need oil.", "polarity"),
        ("The drug is safe.", "The drug is unsafe.", "opposite"),
        ("The test detected the virus.", "The test failed to detect the virus.", "polarity"),
        ("The room has windows.", "The room lacks windows.", "polarity"),
        ("The difference was not significant.", "The difference was significant.", "polarity"),
        ("The device works without power.", "The device works with power.", "polarity"),
        ("No patients died.", "Patients died.", "polarity"),
    ],
    "tense": [
        ("The bridge was closed in 1990.", "The bridge is closed.", "tense"),
        ("Ann Lee was the mayor of Tarn.", "Ann Lee is the mayor of Tarn.", "tense"),
        ("The former mayor opened the school.", "The mayor opened the school.", "modality"),
        ("The factory will open in May.", "The factory opened in May.", "tense"),
        ("The company used to make cars.", "The company makes cars.", "modality"),
    ],
    "quantifier": [
        ("Some users reported errors.", "All users reported errors.", "quantifier"),
        ("Most patients recovered.", "All patients recovered.", "quantifier"),
        ("Few voters agreed.", "Many voters agreed.", "quantifier"),
        ("Some drugs are toxic.", "Drugs are toxic.", "quantifier"),
        ("The service sometimes fails.", "The service always fails.", "quantifier"),
        ("Patients often recover.", "Patients recover.", "quantifier"),
    ],
    "scope": [
        ("The command deletes files larger than 2 MB.", "The command deletes files.", "scope"),
        ("The command deletes temporary files.", "The command deletes files.", "scope"),
        ("The law protects geese that breed here.", "The law protects geese.", "scope"),
        ("The compiler emits a warning where a variable is unused.", "The compiler emits a warning.", "scope"),
        ("The tool reads CSV files.", "The tool only reads CSV files.", "scope"),
        ("The tool reads CSV and JSON files.", "The tool reads only CSV files.", "role"),
    ],
    "condition": [
        ("The function raises an error when the key is missing.", "The function raises an error.", "condition"),
        ("The pump stops if the tank is full.", "The pump stops.", "condition"),
        ("Unless the disk is full, the service runs.", "The service runs.", "condition"),
        ("The pump stops if the tank is full.", "The pump stops if the tank is empty.", "opposite"),
        ("The service restarts when the flag is set.", "The service restarts.", "condition"),
        ("The pump stops.", "The pump stops if the tank is full.", "condition"),
        ("All files except logs are deleted.", "All files are deleted.", "exception"),
    ],
    "addition": [
        ("The company acquired the startup.", "The company acquired the startup and fired its staff.", "addition"),
        ("The drug reduces pain.", "The drug reduces pain and swelling.", "addition"),
        ("The bridge opened in 1932.", "The famous bridge opened in 1932.", "addition"),
        ("The council approved the budget.", "The council unanimously approved the budget.", "addition"),
        ("Ann Lee wrote the novel.", "Ann Lee wrote the award-winning novel.", "addition"),
        ("The tool reads files.", "The tool reads encrypted files.", "addition"),
        ("The bridge opened.", "The bridge opened in 1932.", "period"),
    ],
    "entity": [
        ("The tool runs on Linux.", "The tool runs on Windows.", "entity"),
        ("Norway won the match.", "Sweden won the match.", "entity"),
        ("The cat chased the bird.", "The dog chased the bird.", "unexplained"),
        ("The office in Paris closed.", "The office in London closed.", "entity"),
    ],
    "comparison": [
        ("The new pump is faster than the old one.", "The new pump is faster than the valve.", "unexplained"),
        ("Sales were higher than in 2010.", "Sales were higher than in 2012.", "period"),
        ("The car is fast.", "The car is faster than the bus.", "comparison"),
        ("The room is warm.", "The room is too hot.", "unexplained"),
        ("Ben is taller than Ann.", "Ben is shorter than Ann.", "unexplained"),
    ],
    "order": [
        ("The concert took place before the speech.", "The concert took place after the speech.", "order"),
        (
            "The lamp must be off before the door is opened.",
            "The door must be opened before the lamp is off.",
            "modality",
        ),
    ],
    "period": [
        ("Sales rose in 2010.", "Sales rose in 2012.", "period"),
        ("The law was passed in May 2010.", "The law was passed in June 2010.", "entity"),
    ],
    "opposite": [
        ("Prices rose in 2010.", "Prices fell in 2010.", "opposite"),
        ("The valve is open.", "The valve is closed.", "opposite"),
        ("The drug increases blood pressure.", "The drug decreases blood pressure.", "opposite"),
    ],
    "version": [
        ("In version 2, flows retry three times.", "In version 3, flows retry three times.", "entity"),
        ("Flowlet 2.1 supports tasks.", "Flowlet 2.2 supports tasks.", "number"),
    ],
    "place": [
        ("The plant in Oslo makes engines.", "The plant in Bergen makes engines.", "entity"),
    ],
    "head": [
        ("The wife of the president visited Paris.", "The president visited Paris.", "role"),
        ("John's brother left the party.", "John left the party.", "role"),
        ("The critics of the minister resigned.", "The minister resigned.", "role"),
        ("The guitar teacher left.", "The guitar left.", "role"),
        ("France beat Germany and Spain beat Italy.", "France beat Italy.", "role"),
        ("The pump that feeds the boiler failed.", "The boiler failed.", "role"),
        ("The maximum temperature is 50 degrees.", "The temperature is 50 degrees.", "scope"),
        ("The lawyer who defended the banker was fined.", "The banker was fined.", "role"),
    ],
}
EVERY = [p for of in ALTERED.values() for p in of]


@pytest.mark.parametrize(("source", "claim", "kind"), EVERY)
def test_what_is_altered_does_not_follow_and_is_named(source: str, claim: str, kind: str) -> None:
    found = compare(source, claim, of_first=HERE, of_second=HERE)
    assert not found.entailed
    assert found.doubt is not None
    assert found.doubt.kind == kind


@pytest.mark.parametrize(("source", "claim", "kind"), EVERY)
def test_the_floor_lets_no_alteration_pass(source: str, claim: str, kind: str) -> None:
    ruled = floor(claim, [source], setting=HERE)
    assert ruled.step in ("defer", "refuse")
    assert ruled.difference is not None


@pytest.mark.parametrize("kind", ["number", "unit", "polarity", "addition"])
def test_most_of_what_decides_is_refused(kind: str) -> None:
    steps = [floor(claim, [source], setting=HERE).step for source, claim, _ in ALTERED[kind]]
    assert steps.count("refuse") * 2 > len(steps)


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The orchestra from Graz played in Linz.", "The orchestra from Linz played in Graz."),
        ("The drug from Roche cured patients from Basel.", "The drug from Basel cured patients from Roche."),
        ("Trout grow faster in the lake than in the river.", "Trout grow more slowly in the lake than in the river."),
        ("Tickets cost 12 % more in July than in May.", "Tickets cost 12 % less in May than in July."),
        ("At Lund, rain is heavier than at Oslo.", "At Lund, rain is lighter than at Oslo."),
        ("Anna loves Piet.", "Piet hates Anna."),
        ("The firm offered the workers a bonus.", "The workers received a bonus from the firm."),
        ("The committee opposed the acquisition of the startup.", "The committee acquired the startup."),
        ("The police planned a search of the house.", "The police searched the house."),
        ("The students' criticism of the dean took place in May.", "The dean criticised the students in May."),
        ("The rejection of the plan by the mayor surprised the council.", "The council rejected the plan."),
        ("Lena Holm founded the institute.", "The institute is the founder of Lena Holm."),
        ("The bridge is 90 metres long.", "The bridge has a height of 90 metres."),
        ("Store the reagent in a dark bottle.", "The reagent was stored in a dark bottle."),
        ("The painter is believed to have died in Siena.", "The painter died in Siena."),
        ("Ann sold the car although it was thought to be safe.", "The car was safe."),
        ("The army burned the mill in 1811.", "The burning of the army at the mill took place in 1811."),
        ("The city is restoring the hall.", "The hall has been restored by the city."),
        ("The match stopped when the keeper fell.", "The fall of the keeper stopped the match."),
        ("Guests must leave bags at the door.", "It is possible for guests to leave bags at the door."),
        ("The keep stands above the ford.", "The ford lies above the keep."),
        ("Scars result from burns.", "Burns result from scars."),
        ("Thieves were caught in the vault.", "The vault was caught by thieves."),
        ("The rebels were shelled in Graz.", "Graz shelled the rebels."),
        ("The firm announced the closure of the plant.", "The firm announced that the plant had closed."),
        ("The island has a tower.", "There always is a tower on the island."),
        ("Red foxes exist in Graz.", "There always are red foxes in Graz."),
        ("The soup needs 250 g of lentils and 3 onions.", "The soup needs 250 g of onions and 3 lentils."),
    ],
)
def test_what_looks_like_another_construction_of_the_same_does_not_follow(source: str, claim: str) -> None:
    assert not compare(source, claim, of_first=HERE, of_second=HERE).entailed


def test_neither_of_two_may_be_the_greater() -> None:
    source, claim = "Ann did not earn more than Ben did.", "Ben did not earn more than Ann did."
    assert compare(source, claim, of_first=HERE, of_second=HERE).relation == "cannot tell"
