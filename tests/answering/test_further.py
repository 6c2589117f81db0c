"""What is searched for again: what the best parts leave open, in the words of their headings."""

from __future__ import annotations

from tests.answering.test_ranking import passage
from veritas.answering.further import further_query

CACHE = passage("Keeping answers\n\nThe cache keeps answers for ten minutes.", "cache", "Tarn handbook")
PROXY = passage("Proxies\n\nA proxy passes each request on.", "proxy", "Tarn handbook")


def test_what_no_part_meets_is_searched_for_with_words_of_the_headings() -> None:
    query = further_query("How long does the cache keep answers of a firewall?", [CACHE]).split()
    assert query[0] == "firewall"
    assert "handbook" in query
    assert "cache" not in query


def test_nothing_is_searched_for_again_where_nothing_is_missing() -> None:
    question = "How long does the cache keep answers?"
    assert not further_query(question, [CACHE, PROXY])
    assert {"cache", "handbook"} <= set(further_query(question, [CACHE, PROXY], again=True).split())


def test_where_nothing_was_found_nothing_is_learnt() -> None:
    assert not further_query("How long does the cache keep answers?", [])
    assert not further_query("?", [CACHE])


def test_a_german_question_is_completed_in_german() -> None:
    pool = [passage("Größe\n\nDie Größe des Zwischenspeichers ist eine Einstellung.", "a", "Handbuch")]
    assert further_query("Wie ändere ich die Größe der Warteschlange?", pool).split()[:2] == ["ändere", "Warteschlange"]
