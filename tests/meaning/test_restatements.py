"""Free restatements: what a reader tells in other words is kept, and none of the lies beside it."""

from __future__ import annotations

import pytest

from benchmarks.meaning_pairs.pairs import ALTERED, PARAPHRASE, Pair, read
from veritas.meaning.compare import compare
from veritas.meaning.floor import ruling
from veritas.meaning.relation import Comparison, Setting

HERE = Setting("a report")
KEPT: dict[str, list[tuple[str, str]]] = {
    "passives": [
        ("Varroa mites killed two colonies last winter.", "Two colonies were killed by Varroa mites last winter."),
        ("King Oskar made Lindqvist a bishop.", "Lindqvist was made a bishop by King Oskar."),
        ("Smoking doubles the risk of hearing loss.", "The risk of hearing loss is doubled by smoking."),
        ("The script deletes all files that are older than a week.",
         "All files that are older than a week are deleted by the script."),
        ("A pump uses a third less power than a boiler.", "A third less power is used by a pump than by a boiler."),
        ("The quake damaged 40 houses and cut off the town.", "The town was cut off by the quake."),
        ("The trial compared the patch with a placebo.", "The patch was compared with a placebo."),
        ("The wasp lays its eggs in the caterpillar.", "The wasp's eggs are laid in the caterpillar."),
    ],
    "converses": [
        ("The tunnel is twice as long as the viaduct.", "The viaduct is half the length of the tunnel."),
        ("Blue tits weigh less than great tits.", "Great tits are heavier than blue tits."),
        ("Estonian has more grammatical cases than German.", "German has fewer grammatical cases than Estonian."),
        ("The island lies 12 miles east of the port.", "The port lies 12 miles west of the island."),
        ("Halden Foods supplies the canteen with bread.", "Halden Foods supplies bread to the canteen."),
        ("More men than women responded to the survey.", "Fewer women than men responded to the survey."),
        ("The oak is as tall as the church.", "The church is as tall as the oak."),
        ("The gold watch is worth more than the silver one.", "The silver watch is worth less than the gold one."),
        ("The treaty obliged Bavaria to pay a fine.", "Under the treaty, Bavaria had to pay a fine."),
        ("The firm declined the offer.", "The firm did not accept the offer."),
    ],
    "nouns of what happens": [
        ("Frost damages the blossoms of early apricots.", "Frost does damage to the blossoms of early apricots."),
        ("The headteacher banned phones in May.", "The headteacher imposed a ban on phones in May."),
        ("Fatigue is associated with poor sleep.", "There is an association between fatigue and poor sleep."),
        ("The guild was founded by weavers who had fled.", "The founders of the guild were weavers who had fled."),
        ("The experiment confirmed the theory.", "The experiment provided confirmation of the theory."),
    ],
    "amounts": [
        ("Three out of four respondents trust the service.", "75 % of respondents trust the service."),
        ("The film lasts 90 minutes.", "The film lasts an hour and a half."),
        ("The oven is heated to 350 °F.", "The oven is heated to 177 °C."),
        ("The dog weighs 10 pounds.", "The dog weighs 4.5 kg."),
        ("The theatre was opened on 4 March 2011.", "The theatre was opened in March 2011."),
        ("The train leaves at 14:30.", "The train leaves at 2:30 p.m."),
    ],
    "other orders": [
        ("Stir in the cream once the onions have softened.", "Once the onions have softened, stir in the cream."),
        ("Tal won against Botvinnik in the 1960 match.", "In the 1960 match Tal won against Botvinnik."),
        ("The stew contains beans, leeks and smoked pork.", "The stew contains smoked pork, leeks and beans."),
        ("Titan, the largest moon, has an atmosphere.", "Titan, which is the largest moon, has an atmosphere."),
    ],
}
LIES: list[tuple[str, str]] = [
    ("The tunnel is twice as long as the viaduct.", "The viaduct is twice as long as the tunnel."),
    ("Blue tits weigh less than great tits.", "Blue tits are heavier than great tits."),
    ("Estonian has more grammatical cases than German.", "German has more grammatical cases than Estonian."),
    ("More men than women responded to the survey.", "Fewer men than women responded to the survey."),
    ("Halden Foods supplies the canteen with bread.", "The canteen supplies bread to Halden Foods."),
    ("The firm did not decline the offer.", "The firm did not accept the offer."),
    ("The firm did not accept the first offer.", "The firm rejected the first offer."),
    ("The firm raised the higher price.", "The firm did not raise the lower price."),
    ("Three out of four respondents trust the service.", "25 % of respondents trust the service."),
    ("The film lasts 90 minutes.", "The film lasts two and a half hours."),
    ("The oven is heated to 350 °F.", "The oven is heated to 350 °C."),
    ("The dog weighs 10 pounds.", "The dog weighs 10 kg."),
    ("The theatre was opened on 4 March 2011.", "The theatre was opened in May 2011."),
    ("The train leaves at 14:30.", "The train leaves at 4:30 p.m."),
    ("The older pump is faster than the newer one.", "The newer pump is faster than the older one."),
    ("The treaty obliged Bavaria to pay a fine.", "The treaty had to pay Bavaria a fine."),
    ("The drug that the firm developed halved the pain.", "The firm halved the pain."),
]
EXCLUDED: list[tuple[str, str]] = [
    ("Flowlet sends a heartbeat every 10 seconds.", "Flowlet sends a heartbeat every 30 seconds."),
    ("The Flowlet API accepts at most 100 items.", "The Flowlet API accepts at most 500 items."),
    ("Flowlet sorts the keys in ascending order.", "Flowlet sorts the keys in descending order."),
    ("The flow_name argument is required.", "The flow_name argument is optional."),
]


def told(source: str, claim: str) -> Comparison:
    return compare(source, claim, of_first=HERE, of_second=HERE)


@pytest.mark.parametrize("kind", KEPT)
def test_a_restatement_is_entailed(kind: str) -> None:
    assert [(source, claim) for source, claim in KEPT[kind] if not told(source, claim).entailed] == []


def test_a_lie_in_the_same_form_is_not_entailed() -> None:
    assert [(source, claim) for source, claim in LIES if told(source, claim).entailed] == []


def test_what_is_said_of_every_one_or_as_a_limit_excludes_another_value() -> None:
    assert [(one, other) for one, other in EXCLUDED if told(one, other).relation != "excludes"] == []


@pytest.fixture(scope="module")
def judged() -> list[tuple[Pair, Comparison]]:
    return [(pair, told(pair.source, pair.claim)) for pair in read("restated")]


def test_of_free_restatements_two_thirds_are_kept_and_few_refused(judged: list[tuple[Pair, Comparison]]) -> None:
    true = [found for pair, found in judged if pair.label in PARAPHRASE]
    assert len(true) >= 300
    assert sum(found.entailed for found in true) >= 0.66 * len(true)
    assert sum(ruling(found).step == "refuse" for found in true) <= 0.02 * len(true)
    assert [pair.claim for pair, found in judged if found.relation == "excludes" and pair.label in PARAPHRASE] == []


def test_no_lie_beside_a_free_restatement_is_called_supported(judged: list[tuple[Pair, Comparison]]) -> None:
    lies = [(pair, found) for pair, found in judged if pair.label in ALTERED]
    assert len(lies) >= 100
    assert [pair.claim for pair, found in lies if found.entailed] == []
