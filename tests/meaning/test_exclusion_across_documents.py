"""Contradictions on plain grounds: what is one, and all that looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.meaning.compare import compare
from veritas.meaning.relation import Setting


def excludes(a: str, b: str, *, of: str = "guide") -> bool:
    """Whether two sentences of two documents exclude each other, or of one that is named for both."""
    first = Setting("manual" if of == "guide" else of)
    return compare(a, b, of_first=first, of_second=Setting(of)).relation == "excludes"


EXCLUDING = [
    ("Flowlet retries a failed task three times by default.", "By default, Flowlet retries failed tasks 10 times."),
    ("HTTPX enforces a default timeout of 5 seconds.", "HTTPX enforces a default timeout of 30 seconds."),
    ("DuckDB lets a second process read the file.", "DuckDB does not let a second process read the file."),
    ("Zyrtol reduces the risk of gout.", "Zyrtol doesn't reduce the risk of gout."),
    ("The Borealis pump moves 40 litres of water per minute.", "The Borealis pump moves 4 litres of water per minute."),
    ("At full speed the Borealis pump moves 40 litres.", "The Borealis pump moves 4 litres at full speed."),
    ("The Borealis pump needs oil.", "The Borealis pump needs no oil."),
    ("In Flowlet, retries are disabled by default.", "In Flowlet, retries are enabled by default."),
    ("The archive format of Flowlet is supported.", "The archive format of Flowlet is unsupported."),
    ("Norway's economy grew by 2% in 2019.", "Norway's economy grew by 3% in 2019."),
    ("Mount Kelud is 1,731 metres high.", "Mount Kelud is 1,371 metres high."),
    ("Flowlet cannot run on Windows.", "Flowlet can run on Windows."),
    ("Overhead is about 60ns per task with flowlet.gui.", "Overhead is about 600ns per task with flowlet.gui."),
    ("The Vistra drug must be stored at 4 degrees Celsius.", "The Vistra drug must be stored at 8 degrees Celsius."),
    ("The Marlow bridge was opened in 1932.", "In 1952 the Marlow bridge was opened."),
    ("Ada Lovelace was born in 1815.", "Ada Lovelace was born in 1816."),
    ("Ada Lovelace died in 1852.", "Ada Lovelace died in 1853."),
    ("The University of Tarn was founded in 1632.", "The University of Tarn was founded in 1732."),
    ("The Borealis pump moves 40 litres per minute.", "The Borealis pump moves 40 litres per hour."),
    ("Delmar owns Sunline.", "Delmar does not own Sunline."),
    ("Zyrtol inhibits COX-2.", "Zyrtol never inhibits COX-2."),
    ("The Flowlet server listens on port 8080 by default.", "By default, the Flowlet server listens on port 9090."),
    ("Flowlet encrypts backups by default.", "Flowlet does not encrypt backups by default."),
    ("Parliament passed the Water Act in 2012.", "Parliament rejected the Water Act in 2012."),
    ("The Supreme Court upheld the Delmar ruling in 2014.", "The Supreme Court overturned the Delmar ruling in 2014."),
    ("Norway ratified the Treaty of Harn.", "Norway never ratified the Treaty of Harn."),
]

COMPATIBLE = {
    "another parameter": ("skip defaults to 0", "limit defaults to 100"),
    "another subject": ("France's economy grew by 2% in 2019.", "Germany's economy grew by 3% in 2019."),
    "two ports": ("Flowlet listens on port 8080.", "Flowlet also listens on port 9090."),
    "a later vote": ("Parliament rejected the Water Act in 2012.", "Parliament passed the Water Act in 2014."),
    "another bill": ("Parliament passed the Water Act in 2012.", "Parliament rejected the Mining Act in 2012."),
    "another step": ("Norway signed the Treaty of Harn.", "Norway never ratified the Treaty of Harn."),
    "another period": ("Norway's economy grew by 2% in 2019.", "Norway's economy grew by 3% in 2020."),
    "no period": ("Norway's economy grew by 2%.", "Norway's economy grew by 3%."),
    "another version": ("In Prefect 2, flows retry 3 times.", "In Prefect 3, flows retry 5 times."),
    "another place": ("In Oslo, Zyrtol costs 5 euros.", "In Bergen, Zyrtol costs 9 euros."),
    "another condition": ("Flowlet with 2 workers takes 10 minutes.", "Flowlet with 4 workers takes 10 minutes."),
    "a condition of one alone": ("Zyrtol is safe.", "Zyrtol is unsafe in children."),
    "another group": ("In adults the dose of Zyrtol is 5 mg.", "In children the dose of Zyrtol is 2 mg."),
    "subjects changed over": ("Ada pays Bob 5 dollars.", "Bob pays Ada 3 dollars."),
    "of some": ("Some Flowlet tasks are retried.", "Some Flowlet tasks are not retried."),
    "what may be": ("Flowlet tasks may fail.", "Flowlet tasks may not fail."),
    "what can be": ("Flowlet can wait 5 seconds.", "Flowlet can wait 10 seconds."),
    "bounds that meet": ("Flowlet waits at least 5 seconds.", "Flowlet waits at least 10 seconds."),
    "one amount in two units": ("Flowlet waits 5 seconds.", "Flowlet waits 5000 ms."),
    "a change": ("Flowlet now waits 5 seconds.", "Flowlet now waits 10 seconds."),
    "an instruction": ("Set the Flowlet timeout to 5 seconds.", "Set the Flowlet timeout to 50 seconds."),
    "an example": ("For example, Flowlet waits 5 seconds.", "For example, Flowlet waits 6 seconds."),
    "two tests": ("In our test Flowlet is 4 times faster.", "In our test Flowlet is 9 times faster."),
    "two trials": ("The Oslo trial has 24 patients.", "The Oslo trial has 30 patients."),
    "undated findings": ("Zyrtol reduced pain by 5%.", "Zyrtol reduced pain by 15%."),
    "two tables": ("Table 3 lists 5 kinds of Flowlet.", "Table 3 lists 6 kinds of Flowlet."),
    "two rows": ("Flowlet | 5 seconds", "Flowlet | 6 seconds"),
    "of no name": ("The default timeout is 5 seconds.", "The default timeout is 30 seconds."),
    "of a file's name that many have": ("The config.toml file holds 5 keys.", "The config.toml file holds 6 keys."),
    "of a common name": ("The HTTP client waits 5 seconds.", "The HTTP client waits 10 seconds."),
    "retries of whom": ("Retries are disabled by default.", "Retries are enabled by default."),
    "in a clause of which": ("Functions that return Foo are skipped.", "Functions that do not return Foo are skipped."),
    "in a condition": ("If caching is enabled, Flowlet retries.", "If caching is disabled, Flowlet retries."),
    "of the subject": ("Unsupported Flowlet plugins are listed.", "Supported Flowlet plugins are listed."),
    "with and without": ("Removal from Flowlet with notice", "Removal from Flowlet with no notice"),
    "what leans on the text before": ("It retries as Flowlet does.", "It does not retry as Flowlet does."),
    "a number that names": ("A Flowlet error of 404 is harmless.", "A Flowlet error of 500 is harmless."),
    "two codes": ("Error 1044 means that Flowlet denies access.", "Error 1045 means that Flowlet denies access."),
    "two runtimes": ("Flowlet supports Python 3.8.", "Flowlet supports Python 3.12."),
    "years": ("Flowlet is of 2012.", "Flowlet is of 2014."),
    "years of what happens again": ("The Tarn bridge was repaired in 1932.", "The Tarn bridge was repaired in 1952."),
    "years of one of several": ("A Marlow bridge was built in 1932.", "A Marlow bridge was built in 1952."),
    "years of a part": ("Part of the Tarn wall was built in 1932.", "Part of the Tarn wall was built in 1952."),
    "years of some": ("The Arden miners died in 1932.", "The Arden miners died in 1952."),
    "years of a yearly thing": ("The Tarn festival was opened in 1932.", "The Tarn festival was opened in 1952."),
    "years of two persons": ("Dr. Tarn's son was born in 1932.", "Dr. Tarn's son was born in 1952."),
    "years of nobody": ("No Marlow Bridge was built in 1932.", "No Marlow Bridge was built in 1952."),
    "two tests at": ("The Vistra drug must be tested at 4 degrees.", "The Vistra drug must be tested at 8 degrees."),
    "a unit's name": ("It is 4 degrees Celsius there.", "It is 8 degrees Celsius there."),
    "another sample": ("The gel must be kept at 4 degrees Celsius.", "The gel must be kept at 8 degrees Celsius."),
    "two numbers": ("Flowlet waits 5 seconds after 3 tasks.", "Flowlet waits 6 seconds after 4 tasks."),
    "a number and a word more": ("Flowlet waits 5 seconds.", "Flowlet patiently waits 6 seconds."),
    "the same": ("Flowlet waits 5 seconds.", "Flowlet waits five seconds."),
}


@pytest.mark.parametrize(("a", "b"), EXCLUDING)
def test_one_number_or_one_negation_excludes_either_way(a: str, b: str) -> None:
    assert excludes(a, b)
    assert excludes(b, a)


@pytest.mark.parametrize(("a", "b"), COMPATIBLE.values(), ids=COMPATIBLE.keys())
def test_what_leaves_room_for_both_is_silent(a: str, b: str) -> None:
    assert not excludes(a, b)
    assert not excludes(b, a)


def test_sentences_of_one_text_need_no_name() -> None:
    assert excludes("Dry pumps last 14 months.", "Dry pumps last 11 months.", of="manual")
    assert not excludes("Dry pumps last 14 months.", "Dry pumps last 11 months.")


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_any_two_texts_are_read_alike_either_way_and_none_excludes_itself(a: str, b: str) -> None:
    assert excludes(a, b) == excludes(b, a)
    assert not excludes(a, a, of="manual")
