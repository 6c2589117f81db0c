"""Questions in German and French: what answers comes first, and nothing is shown where nothing answers."""

from __future__ import annotations

import pytest

from tests.answering.test_ranking import passage
from veritas.answering.question import read_question
from veritas.answering.ranking import answering, ranked
from veritas.claims.graph import SubQuery
from veritas.council.embedded.members import SalienceMember
from veritas.council.embedded.questions import sub_queries
from veritas.documents.document import Document
from veritas.documents.passages import best_passages
from veritas.search.local import LocalIndex

GERMAN = [
    passage(
        "Größe ändern\n\nDie Größe des Zwischenspeichers wird mit der Option max_size festgelegt. Standardmäßig ist "
        "sie 2,5 GB.", "größe", "Zwischenspeicher",
    ),
    passage(
        "Leeren\n\nUm den Zwischenspeicher zu leeren, führen Sie den Befehl zum Aufräumen aus. Verbindungen werden "
        "dabei nicht unterbrochen.", "leeren", "Zwischenspeicher",
    ),
    passage(
        "Wiederholungen\n\nFehlgeschlagene Anfragen werden dreimal wiederholt, weil kurze Störungen häufig sind.",
        "wiederholungen", "Verbindungen",
    ),
    passage("Hochladen\n\nHochgeladene Dateien liegen im Ordner für Eingänge.", "hochladen", "Dateien"),
]  # fmt: skip
FRENCH = [
    passage("Taille\n\nLa taille du cache est définie par une option. Par défaut, elle a 2 Go.", "taille", "Cache"),
    passage("Vider\n\nPour vider le cache, exécutez la commande de nettoyage du service.", "vider", "Cache"),
    passage(
        "Nouvelles tentatives\n\nLes requêtes échouées sont répétées trois fois, parce que les coupures sont "
        "fréquentes.", "tentatives", "Connexions",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Wie groß ist der Zwischenspeicher standardmäßig?", "größe"),
        ("Wie leere ich den Zwischenspeicher?", "leeren"),
        ("Warum werden fehlgeschlagene Anfragen wiederholt?", "wiederholungen"),
        ("Wo liegen Dateien, die ich hochlade?", "hochladen"),
        ("Quelle est la taille du cache par défaut ?", "taille"),
        ("Comment vider le cache ?", "vider"),
        ("Pourquoi les requêtes sont-elles répétées ?", "tentatives"),
    ],
)
def test_what_answers_comes_first(question: str, document: str) -> None:
    pool = GERMAN if read_question(question).language.name == "German" else FRENCH
    found = answering(question, pool, 3)
    assert found[0].passage.document_id == document
    assert found[0].chance > 0.3


@pytest.mark.parametrize("question", ["Welche Farbe hat der Elefant?", "De quelle couleur est l'éléphant ?"])
def test_what_nothing_answers_is_refused(question: str) -> None:
    assert answering(question, GERMAN + FRENCH, 3) == []


def test_a_question_in_one_language_leaves_no_trace_in_the_ranking_of_another() -> None:
    english, german = "How large is the cache by default?", "Wie groß ist der Zwischenspeicher standardmäßig?"
    first = ranked(english, GERMAN)
    between = ranked(german, GERMAN)
    assert ranked(english, GERMAN) == first
    assert ranked(german, GERMAN) == between


def test_a_word_is_met_in_a_compound() -> None:
    pool = [passage("Das Verbindungszeitlimit gilt für alle Anfragen.", "a"), passage("Der Ordner ist leer.", "b")]
    assert ranked("Für wen gilt das Zeitlimit?", pool)[0].passage.document_id == "a"


async def test_a_german_question_finds_a_german_document_by_other_forms_of_its_words() -> None:
    made = {
        name: Document.model_validate({
            "document_id": name, "url": f"corpus://x/{name}", "title": "", "text": text, "fetched_at": "2026-01-01",
        })
        for name, text in (
            ("a", "Hochgeladene Dateien werden in dem Ordner für die Eingänge nicht verändert."),
            ("b", "Die Dateinamen der anderen Ordner werden von dem Server nicht verändert."),
        )
    }  # fmt: skip
    hits = await LocalIndex(made.values()).passages.search("Wie lade ich sie hoch?", limit=2)
    assert [hit.url for hit in hits] == ["corpus://x/a"]
    assert best_passages(made["a"], "Wie lade ich sie hoch?", 3)


def test_joined_questions_are_parted_and_a_part_without_a_subject_gets_the_noun() -> None:
    drafts = sub_queries("Wie leere ich den Zwischenspeicher und wie groß ist er?")
    assert [draft.text for draft in drafts] == [
        "Wie leere ich den Zwischenspeicher?", "Wie groß ist er (zwischenspeicher)?",
    ]  # fmt: skip
    assert len(sub_queries("Comment vider le cache et quelle est la taille du journal ?")) == 2


async def test_a_sentence_that_begins_with_a_pronoun_is_claimed_with_the_one_before() -> None:
    text = "Das Zeitlimit bestimmt, wie lange gewartet wird. Es wird in der Datei der Einstellungen auf 30 gesetzt."
    asked = SubQuery(sub_query_id="q", text="Wo wird es in der Datei der Einstellungen gesetzt?", facet="")
    (draft,) = await SalienceMember().assert_claims(asked, [passage(text, "a")])
    assert draft.claim == text


async def test_a_question_in_a_language_without_rules_is_answered_by_no_claim() -> None:
    asked = SubQuery(sub_query_id="q", text="¿Cuál es la taille du cache por defecto?", facet="")
    assert list(await SalienceMember().assert_claims(asked, FRENCH)) == []
