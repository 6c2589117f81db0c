"""Statements of a sentence: what it says beside each other and beside its main clause follows, and nothing else."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare, compare_passage, stands_whole
from veritas.meaning.relation import Setting

KEPT: dict[str, list[tuple[str, str, str]]] = {
    "relative clauses": [
        (
            "The orchestra, which was founded in 1923, tours Asia every spring.",
            "The orchestra was founded in 1923.",
            "",
        ),
        (
            "The orchestra, which was founded in 1923, tours Asia every spring.",
            "The orchestra tours Asia every spring.",
            "",
        ),
        (
            "Marta Ruiz, who trained as a nurse in Quito, now directs the clinic.",
            "Marta Ruiz trained as a nurse in Quito.",
            "",
        ),
        (
            "The valve that controls the coolant opens at 80 °C.",
            "The valve controlling the coolant opens at 80 °C.",
            "",
        ),
        (
            "The bridge opened in 1931. It was designed by Karl Holm.",
            "The bridge, which was designed by Karl Holm, opened in 1931.",
            "",
        ),
        (
            "The bridge, designed by Karl Holm, opened in 1931.",
            "The bridge, which was designed by Karl Holm, opened in 1931.",
            "",
        ),
        (
            "Lena Brandt won the prize in 2004 and later taught at Basel.",
            "Lena Brandt, who won the prize in 2004, later taught at Basel.",
            "",
        ),
        (
            "The letter that the minister signed was published in June.",
            "The letter signed by the minister was published in June.",
            "",
        ),
        (
            "The letter signed by the minister was published in June.",
            "The letter which the minister signed was published in June.",
            "",
        ),
        (
            "The commission praised the harbour, whose cranes run on electricity.",
            "The cranes of the harbour run on electricity.",
            "",
        ),
        ("The parser, which reads UTF-8, skips empty lines.", "The parser reads UTF-8 and skips empty lines.", ""),
        (
            "Glaciers in the valley, which lost a third of their ice, feed the river.",
            "Glaciers in the valley feed the river.",
            "",
        ),
        ("The village where the poet was born has 900 inhabitants.", "The poet was born in the village.", ""),
        ("The film was shot by Ruth Ode, who also wrote the script.", "Ruth Ode wrote the script.", ""),
        ("The enzyme is a protein that breaks down starch.", "The enzyme breaks down starch.", ""),
        ("The tower, in which the archive is kept, burned in 1904.", "The archive is kept in the tower.", ""),
        ("The plant, which grows on lime, flowers in May.", "The plant flowers in May and grows on lime.", ""),
        (
            "The firm bought a mill that had stood empty for ten years.",
            "The firm bought a mill which had stood empty for ten years.",
            "",
        ),
        (
            "Her brother, with whom she founded the school, died in 1950.",
            "She founded the school with her brother.",
            "",
        ),
    ],
    "appositions": [
        ("Its founder, the chemist Ida Lund, died in 1950.", "The chemist Ida Lund died in 1950.", ""),
        ("Vaduz, the capital of Liechtenstein, has 5,700 inhabitants.", "Vaduz is the capital of Liechtenstein.", ""),
        (
            "Vaduz, the capital of Liechtenstein, has 5,700 inhabitants.",
            "The capital of Liechtenstein, Vaduz, has 5,700 inhabitants.",
            "",
        ),
        ("The composer Erik Solberg conducted the premiere.", "Erik Solberg, a composer, conducted the premiere.", ""),
        (
            "Erik Solberg, a Norwegian composer, conducted the premiere.",
            "The Norwegian composer Erik Solberg conducted the premiere.",
            "",
        ),
        ("Erik Solberg, a Norwegian composer, conducted the premiere.", "Erik Solberg is a Norwegian composer.", ""),
        (
            "Erik Solberg is a Norwegian composer. He conducted the premiere.",
            "Erik Solberg, a Norwegian composer, conducted the premiere.",
            "",
        ),
        (
            "A native of Turin, Elsa Rota opened a school in 1912.",
            "Elsa Rota, a native of Turin, opened a school in 1912.",
            "",
        ),
        (
            "Mount Ferra (2,310 m) is the highest peak of the island.",
            "Mount Ferra is the highest peak of the island.",
            "",
        ),
        ("The treaty ended the war with Tarsia, a kingdom in the south.", "Tarsia is a kingdom in the south.", ""),
        (
            "Python, a programming language, was first released in 1991.",
            "Python is a programming language that was first released in 1991.",
            "",
        ),
        ("The ferry Aurora sank in 1961.", "The Aurora, a ferry, sank in 1961.", ""),
        ("Her husband, Otto Klein, was a judge.", "Otto Klein was a judge.", ""),
        (
            "The largest moon of the planet, Arda, has an atmosphere.",
            "Arda, the largest moon of the planet, has an atmosphere.",
            "",
        ),
        ("The largest moon of the planet, Arda, has an atmosphere.", "Arda is the largest moon of the planet.", ""),
        ("The company – a maker of bicycle parts – employs 40 people.", "The company is a maker of bicycle parts.", ""),
        ("The painter, born in Riga in 1880, moved to Paris.", "The painter was born in Riga in 1880.", ""),
        ("Mayor Tilda Hoss opened the fair.", "Tilda Hoss is the mayor.", ""),
        (
            "The disease is caused by Borrelia, a genus of bacteria.",
            "Borrelia, a genus of bacteria, causes the disease.",
            "",
        ),
    ],
    "fronted phrases": [
        ("According to the coroner, the driver was sober.", "The coroner said that the driver was sober.", ""),
        ("The coroner said that the driver was sober.", "The driver was sober, the coroner said.", ""),
        ("The coroner said that the driver was sober.", "The driver was sober, according to the coroner.", ""),
        ("The driver, the coroner said, was sober.", "The coroner said that the driver was sober.", ""),
        (
            "A report by the bank warned that prices could double.",
            "Prices could double, a report by the bank warned.",
            "",
        ),
        ("Only in winter does the lake freeze.", "The lake freezes only in winter.", ""),
        ("Among the survivors was the ship's cook.", "The ship's cook was among the survivors.", ""),
        (
            "On the northern wall hangs a portrait of the founder.",
            "A portrait of the founder hangs on the northern wall.",
            "",
        ),
        ("In 1987, in Lima, the two groups merged.", "The two groups merged in Lima in 1987.", ""),
        (
            "With a capacity of 800 seats, the hall is the largest in the region.",
            "The hall has a capacity of 800 seats.",
            "",
        ),
        (
            "With a capacity of 800 seats, the hall is the largest in the region.",
            "The hall is the largest in the region, with a capacity of 800 seats.",
            "",
        ),
        (
            "Were the dam to fail, two villages would be flooded.",
            "Two villages would be flooded if the dam were to fail.",
            "",
        ),
        (
            "Had the pilot turned back, the crash would have been avoided.",
            "If the pilot had turned back, the crash would have been avoided.",
            "",
        ),
        (
            "If stored in the dark, the seeds keep for ten years.",
            "The seeds keep for ten years if they are stored in the dark.",
            "",
        ),
        ("When heated, the powder turns red.", "The powder turns red when it is heated.", ""),
        ("Although it was raining, the match went ahead.", "The match went ahead although it was raining.", ""),
        (
            "While the north is dry, the south has a wet climate.",
            "The south has a wet climate, while the north is dry.",
            "",
        ),
        (
            "For three years, from 1911 to 1914, she studied in Bonn.",
            "She studied in Bonn for three years, from 1911 to 1914.",
            "",
        ),
        ("Rarely does the comet come closer than 0.5 AU.", "The comet rarely comes closer than 0.5 AU.", ""),
        ("The longest river of the island is the Tamba.", "The Tamba is the longest river of the island.", ""),
        (
            "Because the filter was clogged, the engine stopped.",
            "The engine stopped because the filter was clogged.",
            "",
        ),
        ("To save weight, the engineers removed the seats.", "The engineers removed the seats to save weight.", ""),
        ("Founded in 1880, the club has 300 members.", "The club, founded in 1880, has 300 members.", ""),
        ("Founded in 1880, the club has 300 members.", "The club was founded in 1880.", ""),
        (
            "In the second trial, with 90 patients, the dose was halved.",
            "The dose was halved in the second trial, with 90 patients.",
            "",
        ),
    ],
    "lists": [
        (
            "The kit contains a lamp, two batteries and a strap.",
            "The kit contains two batteries, a strap and a lamp.",
            "",
        ),
        ("The kit contains a lamp, two batteries and a strap.", "The kit contains a lamp and a strap.", ""),
        ("The kit contains a lamp, two batteries and a strap.", "The kit contains two batteries.", ""),
        ("The choir sang in Bern, Basel and Chur.", "The choir sang in Chur and Basel.", ""),
        ("Neither the guard nor the driver was hurt.", "Neither the driver nor the guard was hurt.", ""),
        ("Neither the guard nor the driver was hurt.", "The driver was not hurt.", ""),
        ("Both iron and zinc are absorbed in the gut.", "Zinc is absorbed in the gut.", ""),
        (
            "Maize, beans and squash were grown on the terraces.",
            "On the terraces, squash, beans and maize were grown.",
            "",
        ),
        (
            "The causes of the delay were fog, a strike and a broken signal.",
            "Fog, a strike and a broken signal were the causes of the delay.",
            "",
        ),
        ("He worked as a porter, a cook and a guard.", "He worked as a cook, a guard and a porter.", ""),
        ("The plugin supports macOS as well as Windows.", "The plugin supports Windows and macOS.", ""),
        (
            "The fee is 20 euros for adults and 12 euros for children.",
            "The fee is 12 euros for children and 20 euros for adults.",
            "",
        ),
        ("The fee is 20 euros for adults and 12 euros for children.", "The fee is 12 euros for children.", ""),
        (
            "The river carries sand, gravel and silt, and floods every spring.",
            "The river carries silt, sand and gravel.",
            "",
        ),
        ("The alloy consists of 60 % copper and 40 % zinc.", "The alloy consists of 40 % zinc and 60 % copper.", ""),
        ("She speaks French, German, and some Danish.", "She speaks German and French.", ""),
        ("The museum shows coins, and also weapons.", "The museum shows weapons and coins.", ""),
        (
            "The council bought three buses and hired nine drivers.",
            "The council hired nine drivers and bought three buses.",
            "",
        ),
    ],
    "pronouns": [
        (
            "The lighthouse stands on a cliff and its lamp is visible for 30 km.",
            "The lamp of the lighthouse is visible for 30 km.",
            "",
        ),
        (
            "The lighthouse was built in 1870, and it was automated in 1985.",
            "The lighthouse was automated in 1985.",
            "",
        ),
        ("When the minister arrived, he greeted the crew.", "The minister greeted the crew when he arrived.", ""),
        ("The printer jams if it is overloaded.", "If the printer is overloaded, it jams.", ""),
        ("The lighthouse is visible for 30 km.", "It is visible for 30 km.", "The lighthouse"),
        ("Its lamp is visible for 30 km.", "The lamp of the lighthouse is visible for 30 km.", "The lighthouse"),
        (
            "Anna Berg moved to Rome because she had lost her job.",
            "She moved to Rome because she had lost her job.",
            "Anna Berg",
        ),
        ("The committee published its report in May.", "The report of the committee was published in May.", ""),
        ("The two brothers sold their farm in 1950.", "They sold their farm in 1950.", "The two brothers"),
        ("The bees leave the hive when they are disturbed.", "When the bees are disturbed, they leave the hive.", ""),
    ],
    "abbreviations": [
        ("The World Health Organization (WHO) revised the limit in 2021.", "The WHO revised the limit in 2021.", ""),
        ("The WHO revised the limit in 2021.", "The World Health Organization revised the limit in 2021.", ""),
        ("Magnetic resonance imaging showed a lesion.", "MRI showed a lesion.", ""),
        ("The CPU runs at 2 GHz.", "The central processing unit runs at 2 GHz.", ""),
        ("The interview took approx. 40 minutes.", "The interview took approximately 40 minutes.", ""),
        ("The interview took approximately 40 minutes.", "The interview took approx. 40 min.", ""),
        ("The Dept. of Physics hired two lecturers.", "The Department of Physics hired two lecturers.", ""),
        ("Prof. Elsa Kern opened the session.", "Professor Elsa Kern opened the session.", ""),
        ("St. Olaf's church burned in 1931.", "Saint Olaf's church burned in 1931.", ""),
        ("The office is open from Mon. to Thurs.", "The office is open from Monday to Thursday.", ""),
        ("The meeting was held in Jan. 2014.", "The meeting was held in January 2014.", ""),
        (
            "Dr. Kane treated 40 patients with chronic obstructive pulmonary disease.",
            "Dr. Kane treated 40 patients with COPD.",
            "",
        ),
        ("The United Nations vetoed the plan.", "The UN vetoed the plan.", ""),
        ("The tests ran on the graphics processing unit (GPU).", "The tests ran on the GPU.", ""),
        ("Max. speed is 40 km/h.", "Maximum speed is 40 km/h.", ""),
        ("The firm, Acme Ltd., pays no tax.", "The firm, Acme Limited, pays no tax.", ""),
        ("The sample was heated, e.g. in an oven.", "The sample was heated, for example in an oven.", ""),
        ("The team beat Leeds vs. all odds.", "The team beat Leeds versus all odds.", ""),
    ],
    "statements": [
        ("If the lid is open, the fan stops and a lamp blinks.", "A lamp blinks if the lid is open.", ""),
        ("The jury included two men, a woman and a child.", "The jury included a woman and two men.", ""),
        ("Critics say that the dam is unsafe.", "According to critics, the dam is unsafe.", ""),
        ("Ida, a baker, married Otto, a smith.", "Otto is a smith.", ""),
        ("Ida married Otto, who was a baker, and later she ran a mill.", "Ida later ran a mill.", ""),
        ("The ferry sails only on weekdays, and it carries no cars.", "The ferry carries no cars.", ""),
        ("The moth, which lays its eggs in June, flies at night and feeds on oak.", "The moth feeds on oak.", ""),
        (
            "The moth flies at night and feeds on oak. It lays its eggs in June.",
            "The moth, which lays its eggs in June, feeds on oak.",
            "",
        ),
        (
            "Born in Cork in 1901, the architect studied in Delft and built three churches.",
            "The architect was born in Cork in 1901 and built three churches.",
            "",
        ),
        (
            "The senator voted against the bill, arguing that it was too costly.",
            "The senator voted against the bill.",
            "",
        ),
        (
            "Kiel, which lies on the Baltic, has a large port; its university was founded in 1665.",
            "The university of Kiel was founded in 1665.",
            "",
        ),
        ("The telescope is 12 m long, weighs 40 tonnes and stands on a hill.", "The telescope weighs 40 tonnes.", ""),
        ("Whereas gold does not rust, iron does.", "Gold does not rust.", ""),
        ("The strait, 12 km wide, separates the island from the mainland.", "The strait is 12 km wide.", ""),
        ("The dancer, then aged 19, won the contest.", "The dancer won the contest.", ""),
        ("The law was passed in May despite protests, but it was never applied.", "The law was never applied.", ""),
    ],
}
ALTERED: dict[str, list[tuple[str, str, str]]] = {
    "relative clauses": [
        (
            "The orchestra, which was founded in 1923, tours Asia every spring.",
            "The orchestra, which tours Asia every spring, was founded in 1932.",
            "",
        ),
        (
            "Marta Ruiz, who trained as a nurse in Quito, now directs the clinic.",
            "Marta Ruiz, who directs a clinic in Quito, trained as a nurse.",
            "",
        ),
        ("The valve that controls the coolant opens at 80 °C.", "The coolant controls the valve.", ""),
        ("Students who had slept badly scored lower in the test.", "Students scored lower in the test.", ""),
        ("The director of the museum, who lives in Graz, bought a painting.", "The museum lives in Graz.", ""),
        ("Lena Brandt, who had taught Paul Meer, won the prize.", "Paul Meer won the prize.", ""),
        (
            "Lena Brandt, who had taught Paul Meer, won the prize.",
            "Paul Meer, who won the prize, had taught Lena Brandt.",
            "",
        ),
        ("The drug that was tested in mice reduced pain.", "The drug reduced pain in mice.", ""),
        ("If the pump, which is old, fails, the alarm sounds.", "The pump, which is old, fails.", ""),
        (
            "The film was shot by Ruth Ode, who also wrote the script.",
            "Ruth Ode, who shot the film, also wrote the music.",
            "",
        ),
    ],
    "appositions": [
        (
            "Vaduz, the capital of Liechtenstein, has 5,700 inhabitants.",
            "Liechtenstein, the capital of Vaduz, has 5,700 inhabitants.",
            "",
        ),
        ("Vaduz, the capital of Liechtenstein, has 5,700 inhabitants.", "Liechtenstein has 5,700 inhabitants.", ""),
        ("Erik Solberg, a Norwegian composer, conducted the premiere.", "Erik Solberg is a Norwegian conductor.", ""),
        ("Erik Solberg, a pupil of Anton Reger, conducted the premiere.", "Anton Reger conducted the premiere.", ""),
        (
            "Erik Solberg, a pupil of Anton Reger, conducted the premiere.",
            "Anton Reger, a pupil of Erik Solberg, conducted the premiere.",
            "",
        ),
        ("The mayor of Lyon, a doctor, resigned.", "Lyon is a doctor.", ""),
        ("Erik Solberg, a former composer, conducted the premiere.", "Erik Solberg is a composer.", ""),
        ("Tom Haller, a friend of the composer Erik Solberg, died.", "The composer Tom Haller died.", ""),
        ("In Lyon, the firm sells cars, boats and planes.", "Cars are boats.", ""),
        ("The museum owns two paintings by Rota, a portrait and a landscape.", "Rota is a portrait.", ""),
    ],
    "fronted phrases": [
        ("According to the coroner, the driver was sober.", "The driver was sober.", ""),
        ("The coroner said that the driver was sober.", "The coroner was sober, according to the driver.", ""),
        ("Only in winter does the lake freeze.", "Only the lake freezes in winter.", ""),
        ("In 1987, in Lima, the two groups merged.", "In 1987 the two groups merged in Quito.", ""),
        (
            "Had the pilot turned back, the crash would have been avoided.",
            "The pilot turned back and the crash was avoided.",
            "",
        ),
        ("When heated, the powder turns red.", "The powder turns red.", ""),
        ("Although it was raining, the match went ahead.", "Although the match went ahead, it was not raining.", ""),
        (
            "If stored in the dark, the seeds keep for ten years.",
            "The seeds are stored in the dark and keep for ten years.",
            "",
        ),
        ("The coroner doubted that the driver was sober.", "According to the coroner, the driver was sober.", ""),
        ("In spring the birds fly north and in autumn they fly south.", "In autumn the birds fly north.", ""),
    ],
    "lists": [
        (
            "The fee is 20 euros for adults and 12 euros for children.",
            "The fee is 12 euros for adults and 20 euros for children.",
            "",
        ),
        ("The fee is 20 euros for adults and 12 euros for children.", "The fee is 12 euros for adults.", ""),
        (
            "The kit contains a lamp, two batteries and a strap.",
            "The kit contains two lamps, a battery and a strap.",
            "",
        ),
        ("The kit consists of a lamp, two batteries and a strap.", "The kit consists of a lamp and a strap.", ""),
        ("The kit contains a lamp or a torch.", "The kit contains a lamp.", ""),
        ("The fund holds French bonds and German shares.", "The fund holds French shares.", ""),
        ("The choir sang in Bern on Monday and in Chur on Friday.", "The choir sang in Bern on Friday.", ""),
        ("Rents fell in Oslo and rose in Bergen.", "Rents rose in Oslo.", ""),
        ("The alloy consists of 60 % copper and 40 % zinc.", "The alloy consists of 60 % zinc and 40 % copper.", ""),
        ("The colours of the flag are red, white and green.", "The colours of the flag are red and white.", ""),
        ("The plugin supports macOS but not Windows.", "The plugin supports Windows but not macOS.", ""),
        ("Ana met Ben and Carl met Dora.", "Ana met Dora.", ""),
        ("The soup needs 2 carrots and 3 onions.", "The soup needs 3 carrots and 2 onions.", ""),
        ("The menu lists soup, bread and either fish or lamb.", "The menu lists fish.", ""),
        ("The jury consists of two men, a woman and a child.", "The jury consists of two men and a woman.", ""),
        ("The red lamp warns of fire and the blue lamp of flooding.", "The blue lamp warns of fire.", ""),
        ("Tea from Assam and coffee from Kenya are sold.", "Tea from Kenya is sold.", ""),
        ("The north gate opens at six, and the south gate at eight.", "The south gate opens at six.", ""),
        ("Peter, Paul and Mary were born in 1960, 1962 and 1965 respectively.", "Paul was born in 1960.", ""),
        ("Ida married Otto, a baker, and Karl, a smith, married Eva.", "Karl is a baker.", ""),
        ("Ida, a baker, married Otto, a smith.", "Otto is a baker.", ""),
        ("Ida married Otto, who was a baker, and later she ran a mill.", "Ida was a baker.", ""),
        ("The king's brother, who led the army, died.", "The king led the army.", ""),
        ("The king's brother, who led the army, died.", "The king died.", ""),
    ],
    "pronouns": [
        (
            "The lighthouse was built in 1870, and the keeper's house was moved in 1985.",
            "The lighthouse was built in 1870, and it was moved in 1985.",
            "",
        ),
        ("When the minister met the envoy, he was ill.", "The envoy was ill.", ""),
        ("Anna thanked Berta for her help.", "Berta thanked Anna for her help.", ""),
    ],
    "abbreviations": [
        ("The WHO revised the limit in 2021.", "The WTO revised the limit in 2021.", ""),
        ("Magnetic resonance imaging showed a lesion.", "Magnetic resonance spectroscopy showed a lesion.", ""),
        ("The World Trade Organization revised the limit in 2021.", "The WHO revised the limit in 2021.", ""),
        ("The Dept. of Physics hired two lecturers.", "The Dean of Physics hired two lecturers.", ""),
        ("The office is open from Mon. to Thurs.", "The office is open from Monday to Tuesday.", ""),
        ("The meeting was held in Jan. 2014.", "The meeting was held in June 2014.", ""),
    ],
    "only": [
        ("The ferry sails only on weekdays.", "The ferry sails every day.", ""),
        ("The ferry sails on weekdays.", "The ferry sails only on weekdays.", ""),
        ("Only members, who pay 40 euros, may borrow books.", "Members pay 40 euros and guests may borrow books.", ""),
        ("Only children under six travel free and get a seat.", "Children travel free.", ""),
        ("The grant, which covers rent, is paid to students only.", "The grant is paid to students and teachers.", ""),
        ("Few nurses smoke and drink.", "Few nurses smoke.", ""),
        ("No patient fell and broke a hip.", "No patient fell.", ""),
    ],
    "additions": [
        ("The mill, built in 1802, grinds rye.", "The mill, built in 1802 by Jan Voss, grinds rye.", ""),
        ("The mill, built in 1802, grinds rye.", "The mill, a listed monument, grinds rye.", ""),
        ("Ana Reis, a lawyer, founded the party.", "Ana Reis, a lawyer from Porto, founded the party.", ""),
        ("The lake is 40 m deep and freezes in winter.", "The lake is 40 m deep, freezes in winter and is salty.", ""),
        ("The mill grinds rye.", "The mill, which belongs to the town, grinds rye.", ""),
    ],
    "scope": [
        ("Trees on the northern slope are damaged.", "Trees are damaged.", ""),
        ("The soils of the delta, which are fertile, are used for rice.", "Soils are fertile.", ""),
        ("Sailors who drank the water fell ill.", "Sailors fell ill.", ""),
        ("Some of the bridges, which date from 1900, are unsafe.", "The bridges are unsafe.", ""),
        ("Most of the towers that stand on the hill were rebuilt.", "The towers were rebuilt.", ""),
        ("The club's members, most of whom are retired, meet weekly.", "The club's members are retired.", ""),
    ],
    "conditions": [
        ("If the lid is open, the fan stops and a lamp blinks.", "A lamp blinks.", ""),
        ("If the lid is open, the fan stops and a lamp blinks.", "The fan stops.", ""),
        ("The fan stops and a lamp blinks if the lid is open.", "The fan stops.", ""),
        ("The cream, if kept cold, lasts a week.", "The cream lasts a week.", ""),
        ("Unless it rains, the market opens at eight and closes at two.", "The market opens at eight.", ""),
        (
            "The bond pays interest, provided that the firm makes a profit, and matures in 2030.",
            "The bond pays interest.",
            "",
        ),
        ("The fee is waived when the guest is a member, and breakfast is free.", "The fee is waived.", ""),
        (
            "Had the vote passed, the mayor would have resigned and the council would have been dissolved.",
            "The mayor resigned.",
            "",
        ),
    ],
    "attribution": [
        ("Critics say the dam is unsafe and that it leaks.", "The dam leaks.", ""),
        ("Critics say that the dam, a concrete wall, is unsafe.", "The dam is unsafe.", ""),
        ("The dam, critics say, is unsafe, and it leaks.", "The dam is unsafe.", ""),
        ("According to its owner, the horse, a mare, won twice and was sold.", "The horse was sold.", ""),
        ("The guide believes that the cave was a temple; it is dry.", "The cave was a temple.", ""),
        ("The dam is unsafe, critics say.", "The dam is unsafe.", ""),
        (
            "Rossi claimed that he had seen the comet, which no other observer reported.",
            "Rossi had seen the comet.",
            "",
        ),
        ("The owner denied that the horse was sold.", "The owner said that the horse was sold.", ""),
        (
            "It was hoped that the vaccine, developed in Oslo, would stop the outbreak.",
            "The vaccine stopped the outbreak.",
            "",
        ),
        ("The owner, who is said to be rich, bought the farm.", "The owner is rich.", ""),
        ("By his own account, the general won the battle.", "The general won the battle.", ""),
        ("The strike was legal in the view of the union.", "The strike was legal.", ""),
        ("As the author tells it, the general won the battle.", "The general won the battle.", ""),
        ("Legend has it that the king drowned in the lake.", "The king drowned in the lake.", ""),
        ("The king drowned in the lake, it is said.", "The king drowned in the lake.", ""),
        ("The king drowned in the lake, so the story goes.", "The king drowned in the lake.", ""),
        ("Minister: taxes will fall in May.", "Taxes will fall in May.", ""),
        ("The strike was legal, a union lawyer argued on Monday.", "The strike was legal.", ""),
        ("A union lawyer, Anna Berg, told the court the strike was legal.", "The strike was legal.", ""),
        ("The owners left the talks, saying the strike was illegal.", "The strike was illegal.", ""),
        ("Believing that the bridge was unsafe, the mayor resigned.", "The bridge was unsafe.", ""),
        ("The battery, the maker's website states, lasts 10 hours.", "The battery lasts 10 hours.", ""),
        (
            "The guard was arrested for what police called a theft of the painting.",
            "The guard was arrested for a theft of the painting.",
            "",
        ),
    ],
}


def entailed(source: str, claim: str, subject: str) -> bool:
    """Return whether the claim follows from the source, as a sentence or as a passage about the subject."""
    at = Setting("one", subject)
    found = compare(source, claim, of_first=at, of_second=at)
    return found.entailed or compare_passage(source, claim, setting=at).entailed


@pytest.mark.parametrize("kind", KEPT)
def test_what_a_sentence_says_follows(kind: str) -> None:
    assert [pair for pair in KEPT[kind] if not entailed(*pair)] == []


@pytest.mark.parametrize("kind", ALTERED)
def test_what_it_does_not_say_does_not_follow(kind: str) -> None:
    assert [pair for pair in ALTERED[kind] if entailed(*pair)] == []


@pytest.mark.parametrize(
    "said",
    [
        "The pump failed to start although his engineers had oiled it in January and",
        "Colonel Strand failed to take the town of Akers although his troops had crossed the river and besieged",
        "and", "it", "The pump, which", "The pump is not only", "than than than", "According to", "No, nor",
    ],
)  # fmt: skip
def test_what_is_cut_off_is_no_error(said: str) -> None:
    whole = "it the weeks. 3 Akers Colonel troops although his Strand had"
    for first, second in ((said, whole), (whole, said), ("The lamp burns for 12 hours.", said)):
        assert not compare(first, second).entailed


def test_a_text_with_its_program_stands_in_a_passage_whole_and_no_part_of_a_sentence_does() -> None:
    passage = "Events may look like this:\n\nevents = frame([1, 2])\n\nprint(events)\n\n id E1\n0 1 NaN\n...\n\nMore."
    claim = "Events may look like this: events = frame([1, 2]) print(events) id E1 0 1 NaN ..."
    assert stands_whole(passage, claim)
    assert not stands_whole("Nearly all tests passed. It is so.", "all tests passed. It is so.")
    assert not stands_whole("All tests passed. It is not so.", "All tests passed. It is")
