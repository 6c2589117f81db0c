"""Paraphrases by construction: what says the same in another order or in other words follows."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare
from veritas.meaning.relation import Setting

HERE = Setting("one")

KEPT: dict[str, list[tuple[str, str]]] = {
    "passives": [
        ("The broker rejects any order that exceeds the cap.",
         "Any order that exceeds the cap is rejected by the broker."),
        ("Monks who kept bees wrote the chronicle.", "The chronicle was written by monks who kept bees."),
        ("Thieves stole two rings from the vault.", "Two rings got stolen from the vault."),
        ("The acid breaks the shell down into salts.", "The shell is broken down into salts by the acid."),
        ("A vet feeds the seals every ten days.", "Every ten days, the seals are fed by a vet."),
        ("The pilot saved the glider and the mechanic repaired the wing.",
         "The glider was saved by the pilot and the wing was repaired by the mechanic."),
        ("The crypt houses the relic.", "The relic is housed in the crypt."),
        ("The company acquired the startup in 2010.", "The startup was acquired by the company in 2010."),
        ("The startup was acquired by the company in 2010.", "The company acquired the startup in 2010."),
        ("The new enzyme breaks down plastic within hours.", "Plastic is broken down by the new enzyme within hours."),
        ("The council approved the budget.", "The budget was approved by the council."),
        ("The server logs every request.", "Every request is logged by the server."),
        ("The garbage collector can free the memory.", "The memory can be freed by the garbage collector."),
        ("The theorem was proved by Emmy Noether in 1915.", "Emmy Noether proved the theorem in 1915."),
        ("Heavy rain has damaged the old bridge.", "The old bridge has been damaged by heavy rain."),
        ("In 1969 the agency launched the probe.", "The probe was launched by the agency in 1969."),
        ("The firm did not pay the fine.", "The fine was not paid by the firm."),
        ("The committee rejected the proposal.", "The proposal was rejected."),
        ("The gardener usually prunes the roses in March.", "The roses are usually pruned by the gardener in March."),
        ("Dr Lund, a vet from Bergen, treated the seal.", "The seal was treated by Dr Lund, a vet from Bergen."),
        (
            "The orchestra from Graz played the overture in the old theatre.",
            "The overture was played by the orchestra from Graz in the old theatre.",
        ),
        ("No laboratory has repeated this result.", "This result has not been repeated by any laboratory."),
        ("Engineers cut the cable near the harbour.", "The cable was cut by engineers near the harbour."),
        ("Never did the admiral burn the letters.", "The letters were never burned by the admiral."),
        ("The brochure contains four maps.", "Four maps are contained in the brochure."),
        ("The board found the new hall warmer than the old one.", "The new hall was found warmer than the old one."),
        ("Patients treated with aspirin left the ward.", "The ward was left by patients treated with aspirin."),
    ],
    "whoever it is": [
        ("Never store the reagent above 8 °C.", "The reagent should never be stored above 8 °C."),
        ("Store the reagent in a dark bottle.", "One should store the reagent in a dark bottle."),
        ("Store the reagent in a dark bottle.", "The reagent is stored in a dark bottle."),
        ("Do not open the lid during the test.", "The lid must not be opened during the test."),
        ("Switch off the pump before you leave.", "The pump should be switched off before you leave."),
        ("The union reported that wages were low.", "It was reported by the union that wages were low."),
        ("Villagers say that the well is haunted.", "It is said that the well is haunted."),
        ("The painter is believed to have died in Siena.", "It is believed that the painter died in Siena."),
        ("The comet is known to contain ice.", "It is known that the comet contains ice."),
        ("You must wear a helmet on the site.", "A helmet must be worn on the site."),
    ],
    "impersonal sentences": [
        ("The index can be rebuilt with a switch.", "It is possible to rebuild the index with a switch."),
        ("Guests may not smoke in the attic.", "It is forbidden for guests to smoke in the attic."),
        ("There is a windmill on the dyke.", "The dyke has a windmill."),
        ("It is easy to clean the filter.", "The filter is easy to clean."),
        ("It is recommended that divers rest for a day.", "Divers should rest for a day."),
        ("It is unclear whether the dye fades.", "Whether the dye fades is unclear."),
    ],
    "events": [
        ("The collapse of the roof injured two clerks.", "Two clerks were injured when the roof collapsed."),
        ("The union alleges a failure of the lift.", "The union alleges that the lift failed."),
        ("The migration of the cranes begins in March.", "The cranes begin to migrate in March."),
        ("Norway's victory over Chile surprised the press.", "The press was surprised that Norway defeated Chile."),
        ("The firm bears liability for the leak.", "The firm is liable for the leak."),
        ("The clerk put forward a proposal to merge the funds.", "The clerk proposed to merge the funds."),
    ],
    "relations from their other side": [
        ("The keep stands above the ford.", "The ford lies below the keep."),
        ("Runa Dahl is the aunt of Olav Dahl.", "Olav Dahl is the nephew of Runa Dahl."),
        ("Arvo Steel is the parent company of Nola.", "Nola is a subsidiary of Arvo Steel."),
        ("The drought was the reason for the famine.", "The famine resulted from the drought."),
        ("The Otters beat the Stoats 4-2 in May.", "The Stoats lost to the Otters 4-2 in May."),
        ("Output in the east exceeds output in the west.", "Output in the west is lower than output in the east."),
    ],
    "converses": [
        ("The old pump is slower than the new pump.", "The new pump is faster than the old pump."),
        ("Iron is heavier than aluminium.", "Aluminium is lighter than iron."),
        ("Copper is more expensive than steel.", "Steel is less expensive than copper."),
        ("Anna sold the house to Ben.", "Ben bought the house from Anna."),
        ("The concert took place before the speech.", "The speech took place after the concert."),
        ("The library lent the book to Maria.", "Maria borrowed the book from the library."),
        ("The parser precedes the compiler.", "The compiler follows the parser."),
        ("The museum is north of the station.", "The station is south of the museum."),
        ("Tom is the parent of Alice.", "Alice is the child of Tom."),
        ("Oslo is larger than Bergen.", "Bergen is smaller than Oslo."),
        ("Trout grow faster in the lake than in the river.", "Trout grow more slowly in the river than in the lake."),
        ("Kittens sleep more than cats do.", "Cats sleep less than kittens do."),
        ("Marta taught Jonas chess.", "Jonas learned chess from Marta."),
        ("The Aalto family owns the brewery.", "The brewery belongs to the Aalto family."),
        ("The hospital employs 300 midwives.", "300 midwives work for the hospital."),
        ("Ines beat Carla in the final.", "Carla lost to Ines in the final."),
    ],
    "fronted phrases": [
        ("In 2019, the agency opened an office in Lyon.", "The agency opened an office in Lyon in 2019."),
        ("The pump stops when the tank is full.", "When the tank is full, the pump stops."),
        ("By default, the client retries three times.", "The client retries three times by default."),
        ("During the war the factory made engines.", "The factory made engines during the war."),
        ("If the disk is full, the service stops.", "The service stops if the disk is full."),
        ("Because of the storm, the match was cancelled.", "The match was cancelled because of the storm."),
        ("The mayor recently opened the bridge.", "Recently, the mayor opened the bridge."),
        ("After the merger, prices rose sharply.", "Prices rose sharply after the merger."),
        ("The engine quickly overheats under load.", "Under load, the engine overheats quickly."),
    ],
    "units": [
        ("The cable is 2 km long.", "The cable is 2000 metres long."),
        ("The timeout is 90 seconds.", "The timeout is 1.5 minutes."),
        ("The sample weighs 500 g.", "The sample weighs 0.5 kg."),
        ("The process takes 2 hours.", "The process takes 120 minutes."),
        ("The cache holds 1,000 MB of data.", "The cache holds 1 GB of data."),
    ],
    "number words": [
        ("The trial enrolled twelve patients.", "The trial enrolled 12 patients."),
        ("The city has 1.2 million inhabitants.", "The city has 1,200,000 inhabitants."),
        ("Half of the voters abstained.", "50% of the voters abstained."),
        ("The client retries three times.", "The client retries 3 times."),
        ("Two dozen boats sank.", "24 boats sank."),
    ],
    "lists": [
        ("Anna, Ben and Carl signed the letter.", "Carl, Anna and Ben signed the letter."),
        ("The suite runs on Linux and macOS.", "The suite runs on macOS and Linux."),
        ("Apples and pears contain fibre.", "Pears and apples contain fibre."),
    ],
    "members of a list": [
        ("Anna, Ben and Carl signed the letter.", "Ben signed the letter."),
        ("The suite runs on Linux and macOS.", "The suite runs on Linux."),
    ],
    "appositions": [
        ("Marie Curie, a Polish physicist, won two Nobel Prizes.", "Marie Curie was a Polish physicist."),
        ("Marie Curie, a Polish physicist, won two Nobel Prizes.", "Marie Curie won two Nobel Prizes."),
        ("The physicist Marie Curie discovered radium.", "Marie Curie, a physicist, discovered radium."),
        ("Marie Curie, a physicist, discovered radium.", "The physicist Marie Curie discovered radium."),
        ("Flowlet, a workflow engine, retries failed tasks.", "The workflow engine Flowlet retries failed tasks."),
        ("Lima, the capital of Peru, has ten million inhabitants.", "Lima is the capital of Peru."),
        (
            "The capital of Peru, Lima, has ten million inhabitants.",
            "Lima, the capital of Peru, has ten million inhabitants.",
        ),
        ("The bridge, which opened in 1932, has three arches.", "The bridge opened in 1932."),
        ("The bridge, which opened in 1932, has three arches.", "The bridge has three arches."),
        ("The novel, written by Ann Lee, sold a million copies.", "The novel was written by Ann Lee."),
    ],
    "nominalisations": [
        ("The company acquired the startup in 2010.", "The company's acquisition of the startup took place in 2010."),
        (
            "The acquisition of the startup by the company occurred in 2010.",
            "The company acquired the startup in 2010.",
        ),
        ("The drug reduces blood pressure.", "The drug leads to a reduction in blood pressure."),
        ("Sales increased in 2015.", "There was an increase in sales in 2015."),
        ("The committee decided to close the plant.", "The committee made a decision to close the plant."),
        ("The team analysed the data.", "The team conducted an analysis of the data."),
        ("The workers removed the debris.", "The removal of the debris was done by the workers."),
        ("The city destroyed the old bridge.", "The destruction of the old bridge was carried out by the city."),
        ("Researchers discovered the gene in 1994.", "The discovery of the gene by researchers took place in 1994."),
        ("The plant produces electricity.", "The plant is a producer of electricity."),
        ("The navy bombarded the port in 1807.", "The navy's bombardment of the port happened in 1807."),
        ("The city demolished the stadium in 2003.", "The city's demolition of the stadium dates from 2003."),
        ("Rents rose by 6 % in Lyon.", "There was a rise of 6 % in rents in Lyon."),
        ("Unemployment fell by 2 % in 2011.", "Unemployment saw a fall of 2 % in 2011."),
        ("Ticks transmit the disease.", "Ticks are responsible for the transmission of the disease."),
        ("The treaty affected trade strongly.", "The treaty had a strong effect on trade."),
        ("The tower is 60 metres high.", "The height of the tower is 60 metres."),
        ("The bridge is 90 metres long.", "The bridge has a length of 90 metres."),
        ("The alloy expands rapidly above 300 °C.", "The expansion of the alloy is rapid above 300 °C."),
        ("The jury announced that the dam was safe.", "The announcement of the jury was that the dam was safe."),
        ("They plan to build a dam in the valley.", "They plan the building of a dam in the valley."),
        ("Most people live by selling herring.", "Most people live by the sale of herring."),
        ("Lena Holm founded the institute.", "Lena Holm is the founder of the institute."),
        ("The senator visited the camp in June.", "The senator paid a visit to the camp in June."),
    ],
    "other words": [
        ("The doctor purchased a car.", "The physician bought an automobile."),
        ("Smoking causes cancer.", "Smoking leads to cancer."),
        ("The programme is not effective.", "The programme is ineffective."),
        ("The test failed to detect the virus.", "The test did not detect the virus."),
        ("The device is unable to connect.", "The device cannot connect."),
        ("All users must confirm their address.", "Every user has to confirm their address."),
        ("The drug prevents infections.", "Infections are prevented by the drug."),
        ("The car has no roof.", "The car does not have a roof."),
        ("The room lacks windows.", "The room has no windows."),
        ("Coffee may improve memory.", "Coffee might improve memory."),
        ("The bridge was shut in 1990.", "The bridge was closed in 1990."),
        ("It was Ben who broke the window.", "Ben broke the window."),
        ("The film was directed by Jane Doe.", "Jane Doe was the director of the film."),
        ("The cat sat on the sofa.", "The cat sat on the couch."),
        ("The mayor, who was elected in 2010, resigned.", "The mayor, elected in 2010, resigned."),
        ("More than 40 birds were counted.", "Over 40 birds were counted."),
        ("The house's roof is red.", "The roof of the house is red."),
        ("Debris removal started on Monday.", "The removal of debris started on Monday."),
        ("The museum gave the painting to the city.", "The museum gave the city the painting."),
        ("The WHO approved the vaccine.", "The World Health Organization approved the vaccine."),
    ],
    "what follows and is not the same": [
        ("A man is riding a red motorcycle with a small child.", "A man is riding a motorcycle."),
        ("Marie Curie won the prize in 1903.", "Marie Curie won the prize."),
        ("The dog barked loudly.", "The dog barked."),
        ("Ann Lee attended a three-day course in Paris.", "Ann Lee attended a course."),
        ("Slate is harder than chalk but softer than granite.", "Granite is harder than slate."),
        ("The foundation donated 40 violins to the school.", "The school received 40 violins from the foundation."),
        ("The poodle slept.", "The dog slept."),
        ("Smoking causes cancer.", "Smoking may cause cancer."),
    ],
}


@pytest.mark.parametrize(("source", "claim"), [p for of in KEPT.values() for p in of])
def test_a_paraphrase_follows(source: str, claim: str) -> None:
    found = compare(source, claim, of_first=HERE, of_second=HERE)
    assert found.entailed, found.reason


@pytest.mark.parametrize("kind", ["passives", "units", "number words", "lists", "converses"])
def test_what_says_the_same_follows_the_other_way_too(kind: str) -> None:
    pairs = [p for p in KEPT[kind] if "by the" in p[0] or kind != "passives"]
    told = [compare(claim, source, of_first=HERE, of_second=HERE).relation for source, claim in pairs]
    assert told == ["same"] * len(told)
