"""Languages: which one a text is in, and how German and French are cut and stemmed."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from veritas.text.languages import language_named, plainly_foreign, read_in, speaking, unread_language
from veritas.text.languages.language import plain_number, snowball
from veritas.text.sentences import split_sentences
from veritas.text.tokens import index_terms, weigh


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie leere ich den Zwischenspeicher?", "German"),
        ("Welche Datenbanken?", "German"),
        ("Qui a écrit Python ?", "French"),
        ("Quelle est la limite ?", "French"),
        ("¿Cómo puedo instalar el paquete?", "Spanish"),
        ("Come si installa il pacchetto?", "Italian"),
        ("Как установить пакет?", "Russian or another language in Cyrillic letters"),
        ("What does der Prozess mean in Le Petit Prince et la rose?", "English"),
        ("Was it fixed in 3.1?", "English"),
        ("Will it run on a Mac?", "English"),
        ("Python's speed", ""),
        ("timeout pool", ""),
    ],
)
def test_the_language_of_a_question_is_told_by_its_small_words(text: str, language: str) -> None:
    assert language_named(text).startswith(language) if language else not language_named(text)


def test_keywords_are_read_in_the_language_of_the_texts_beside_them() -> None:
    assert read_in("Zeitlimit Verbindung").name == "English"
    assert read_in("Zeitlimit Verbindung", ["Das Zeitlimit ist in der Datei nicht gesetzt."]).name == "German"


def test_a_language_without_rules_is_named_as_unread() -> None:
    assert unread_language("¿Cómo puedo instalar el paquete?") == "Spanish"
    assert not unread_language("Comment installer le paquet ?")


@pytest.mark.parametrize("text", ["x y z?", "o e a?", "Y?", "timeout con retry?", "Does x y z?", "Paco de Lucía?"])
def test_a_language_is_no_reason_to_refuse_unless_it_is_sure(text: str) -> None:
    assert unread_language(text) == ""


def test_an_english_sentence_with_foreign_names_is_not_plainly_foreign() -> None:
    assert not plainly_foreign("Charles de Gaulle met Ludwig van der Berg in the hall.")
    assert plainly_foreign("Der Zwischenspeicher wird nicht geleert.") == "German"


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("Das ist nicht die", "Größe", "Grösse"),
        ("Das ist nicht die", "1.234,5", "1234.5"),
        ("Ce sont les autres", "réponses", "reponse"),
        ("Ce sont les autres", "1\u00a0234", "1234"),
    ],
)
def test_forms_of_one_word_have_one_stem(language: str, one: str, other: str) -> None:
    with speaking(read_in(language)):
        assert index_terms(one) == index_terms(other)


def test_words_are_stemmed_by_the_language_in_force_and_by_no_other() -> None:
    english = index_terms("Die Verbindungen werden geschlossen")
    with speaking(read_in("Was ist das?")):
        assert index_terms("Die Verbindungen werden geschlossen") == ["verbind", "geschloss"]
    assert index_terms("Die Verbindungen werden geschlossen") == english


def test_a_german_noun_weighs_no_more_than_another_word() -> None:
    with speaking(read_in("Wie ist das?")):
        assert weigh("Wie schließe ich eine Verbindung?")["verbind"] == 1


@pytest.mark.parametrize(
    ("written", "plain"),
    [("1.234,5", "1234.5"), ("2,5", "2.5"), ("1 234 567", "1234567"), ("3.11", "3.11"), ("v1.2", "v1.2")],
)
def test_numbers_are_read_as_german_and_french_write_them(written: str, plain: str) -> None:
    assert plain_number(written) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sie gilt seit dem 3. Oktober 2023 für alle. Danach nicht.", 2),
        ("Im 19. Jahrhundert begann es. Es endete am 5. Mai.", 2),
        ("Das gilt z. B. Für alle, bzw. Einige. Sie u. a. Hunde.", 2),
        ("Die Version 3. Das ist neu.", 2),
        ("Voir p. ex. Le guide. Le 3 janv. 2020 il est sorti.", 2),
    ],
)
def test_abbreviations_and_ordinals_end_no_sentence(text: str, expected: int) -> None:
    assert len(split_sentences(text)) == expected


@pytest.mark.parametrize("language", ["German", "French"])
def test_threads_do_not_mix_up_their_stems(language: str) -> None:
    ends = ("", "en", "ungen", "lich", "heiten", "s", "ation", "ements")
    words = [begin + end for begin in ("wanderkarte", "fortzahlung", "gouvernail", "embarcadère") for end in ends]
    right = [snowball(language)(word) for word in words]

    def stems(_: int) -> list[list[str]]:
        return [[snowball(language)(word) for word in words] for _ in range(50)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = [once for each in threads.map(stems, range(4)) for once in each]
    finally:
        sys.setswitchinterval(interval)
    assert all(once == right for once in found)
