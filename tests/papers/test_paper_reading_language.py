"""The language of a paper: named where it is plainly not English, since the embedded members read nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.papers.pump_papers import PAPER, write_paper
from veritas import aio
from veritas.papers.reading import read_file
from veritas.text.languages import foreign_language

GERMAN = """Beschattete Komposthaufen verlieren weniger Stickstoff. Wir vermuten, dass Beschattung den Ammoniakverlust
eines Komposthaufens senkt. In einem randomisierten Versuch mit 48 Haufen verloren beschattete Haufen 11,2 g je kg. Wir
haben 24 Haufen zufällig beschattet und 24 Haufen offen gelassen und das Ammoniak mit Säurefallen gemessen. Die
Temperatur der Haufen war um 9 Grad niedriger, und der Sauerstoff in ihrem Kern war nicht geringer als im Freien."""
OTHERS = {
    "German": GERMAN,
    "French": """Les pompes sèches durent plus longtemps que les pompes à huile. Nous avons réparti au hasard vingt
    pompes entre deux groupes et mesuré la durée de leur marche jusqu'à la panne. La différence entre les groupes est
    significative, et nous concluons que l'huile ne protège pas les paliers dans une salle propre et sèche.""",
    "Spanish": """Las bombas secas duran más que las bombas de aceite. Asignamos al azar veinte bombas a dos grupos y
    medimos las horas hasta el fallo de cada una. La diferencia entre los grupos es significativa, y concluimos que el
    aceite no protege los cojinetes en una sala limpia, como se pensaba en los trabajos anteriores.""",
    "Italian": """Le pompe a secco durano più a lungo delle pompe a olio. Abbiamo assegnato a caso venti pompe a due
    gruppi e misurato le ore di marcia fino al guasto. La differenza tra i gruppi è significativa, e concludiamo che
    l'olio non protegge i cuscinetti in una camera pulita, come si pensava nei lavori che sono stati citati.""",
    "Portuguese": """As bombas secas duram mais do que as bombas de óleo. Distribuímos ao acaso vinte bombas por dois
    grupos e medimos as horas até à falha de cada uma. A diferença entre os grupos é significativa, e concluímos que o
    óleo não protege os rolamentos em uma sala limpa, como se pensava nos trabalhos anteriores.""",
    "Dutch": """Droge pompen gaan langer mee dan andere pompen. Wij hebben twintig pompen willekeurig over twee groepen
    verdeeld en de uren tot het falen van elke pomp gemeten. Het verschil tussen de groepen is significant, en wij
    besluiten dat olie de lagers niet beschermt in een schone kamer, zoals in eerder werk werd gedacht.""",
    "Chinese": "干式泵的寿命比油泵长。我们将二十台泵随机分配到两组，并测量每台泵发生故障之前的运行小时数。" * 3,
    "Japanese": "乾式ポンプはオイルポンプよりも長持ちする。二十台を無作為に二つの群に割り付けた。" * 3,
    "Russian": "Сухие насосы служат дольше масляных. Мы случайно распределили двадцать насосов по двум группам." * 3,
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_language_that_is_plainly_not_english_is_named(name: str) -> None:
    found = foreign_language(OTHERS[name])
    assert found is not None
    assert found.startswith(name)


@pytest.mark.parametrize(
    "text",
    [
        PAPER,
        f"{GERMAN}\n\n{PAPER}",  # a summary in the authors' language
        "\n".join(f"Pump {n}\t{n}.2\t{n}.9\tde la Cruz" for n in range(60)),
        "de la Cruz, van der Berg, von dem Bussche. " * 4,
        "",
        "1 2 3 " * 200,
        "$x \\in \\alpha$ " * 200,
    ],
)
def test_english_and_what_is_not_plain_is_no_other_language(text: str) -> None:
    assert foreign_language(text) is None


def test_a_german_paper_is_read_and_its_language_given_as_a_reason(tmp_path: Path) -> None:
    references = "\n\n## Literatur\n\n[1] A. Smith. The life of the pump in the room of the house. Journal, 1990.\n"
    paper = read_file(write_paper(tmp_path, f"# Komposthaufen\n\n## Methoden\n\n{GERMAN}{references}", "paper.md"))
    (event,) = [e for e in paper.events if e.kind == "language"]
    assert "German" in event.reason
    assert "English" in event.reason
    assert "model" in event.reason


async def test_where_no_argument_was_read_the_language_is_the_reason(tmp_path: Path) -> None:
    paper = write_paper(tmp_path, f"# Komposthaufen\n\n## Methoden\n\n{GERMAN}", "paper.md")
    audit = await aio.audit_paper(str(paper), graphs=1)
    assert audit.scoring() is None
    assert audit.open_points[0].why.startswith("no argument could be read: it is in German")


def test_an_english_paper_has_no_such_reason(tmp_path: Path) -> None:
    assert not [e for e in read_file(write_paper(tmp_path)).events if e.kind == "language"]


@given(st.text(max_size=400))
@settings(max_examples=60, deadline=None)
def test_nothing_before_an_english_paper_makes_it_another(text: str) -> None:
    assert foreign_language(text + "\n\n" + PAPER) is None
