"""The plain judge does not support what a sentence denies, ends, bounds or excepts, or says of something else; the true
twin of each is supported as ever."""

from __future__ import annotations

import pytest

from veritas.meaning.compare import compare
from veritas.meaning.displaced import displaced, of_another_option
from veritas.meaning.embedded import EmbeddedLens
from veritas.meaning.floor import Standing
from veritas.meaning.strict import stop

DISPLACED = [
    ("Drive supports uploads.", "All of the backends but Drive support uploads."),
    ("Bavaria adopted the rule.", "All states save Bavaria adopted the rule."),
    ("The museum is open on Mondays.", "The museum used to be open on Mondays."),
    ("The clinic treats children.", "The clinic used to treat children."),
    ("The agents opened the letters.", "The agents were barred from opening the letters."),
    ("The firm sells insulin in Kenya.", "The firm was denied a licence to sell insulin in Kenya."),
    ("The plugin writes logs to disk.", "The plugin lacks permission to write logs to disk."),
    ("The passwords are encrypted.", "The passwords are only obscured, as encrypted ones would need a key."),
    ("The bridge is made of steel.", "The bridge is made of wood, as steel would have been too heavy."),
    ("Logs are compressed.", "Logs are kept as plain text because compressed logs cannot be searched."),
    ("Sync deletes files on the source.", "Sync deletes files on the target that are missing on the source."),
    ("The survey counted birds in Kenya.", "The survey counted birds in Chad that had been ringed in Kenya."),
    ("An average of 100 calls is allowed by default.", "Here, an average of 100 calls is allowed."),
    ("By default the body may have 10 MB.", "With namespace: default the body may have 10 MB."),
    ("The limit defaults to 10 MB.", "For large files, the limit is 10 MB."),
]
"""Words that a sentence has of something else."""
HELD = [
    ("Union merges directories.", "Had union been able to merge directories, this would be simple."),
    ("The bridge carries trains.", "Were the bridge to carry trains, it would need new piers."),
    ("The tool follows links.", "The tool followed links until version 1.2."),
    ("The filter removes duplicates.", "The filter was designed to remove duplicates, but it does not."),
    ("Files are read from the current directory.",
     "The tool will not look in the current directory for files; they are read only from CONFIG_PATH."),
]  # fmt: skip
SAID = [
    ("Drive supports uploads.", "All of the backends, Drive too, support uploads."),
    ("Sync deletes files.", "No command but sync deletes files."),
    ("Drive failed.", "Every test passed, but Drive failed."),
    ("The museum is open on Mondays.", "The museum, which is used to crowds, is open on Mondays."),
    ("The tool merges files.", "The tool is used to merge files."),
    ("The firm sells insulin in Kenya.", "The firm was granted a licence and sells insulin in Kenya."),
    ("The passwords are obscured.", "The passwords are only obscured, as encrypted ones would need a key."),
    ("The samples were frozen.", "The samples were cleaned and frozen, since they spoil in transit."),
    ("Sync deletes files on the target.", "Sync deletes files on the target that are missing on the source."),
    ("The survey counted birds in Kenya.", "The survey counted birds in Chad and in Kenya."),
    ("Union can merge directories.", "Union is able to merge directories."),
    ("An average of 100 calls is allowed by default.", "By default, an average of 100 calls is allowed."),
    ("The limit is 10 MB by default.", "The default of the limit is 10 MB."),
    ("Zinc reduces the duration of colds.", "In this trial zinc reduced the duration of colds."),
]


@pytest.mark.parametrize(("claim", "sentence"), DISPLACED)
def test_words_of_something_else_say_nothing_of_the_claim(claim: str, sentence: str) -> None:
    assert displaced(claim, sentence) is not None
    assert not compare(sentence, claim).entailed
    assert stop(claim, [Standing(sentence)]) is not None


@pytest.mark.parametrize(("claim", "sentence"), [*DISPLACED, *HELD])
def test_a_sentence_that_turns_the_claim_does_not_support_it(claim: str, sentence: str) -> None:
    label, _, why = EmbeddedLens().find(claim, sentence)
    assert label != "supports"
    assert why


@pytest.mark.parametrize(("claim", "sentence"), SAID)
def test_what_a_sentence_does_say_is_supported(claim: str, sentence: str) -> None:
    assert displaced(claim, sentence) is None
    assert EmbeddedLens().find(claim, sentence)[0] == "supports"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The accused did not leave the room.", "Everyone except the accused left the room."),
        ("The church was not rebuilt.", "The town hall was rebuilt, but the church was not."),
        ("Control mice received saline.", "All mice except control mice got a drug, and control mice received saline."),
    ],
)
def test_a_claim_that_tells_the_exception_is_not_displaced(claim: str, sentence: str) -> None:
    assert displaced(claim, sentence) is None


def test_an_option_is_told_by_a_sentence_that_names_it_or_stands_under_it() -> None:
    claim = "The default of --retry-sleep is 10 seconds."
    assert of_another_option(claim, "--read-retries int How many times to retry a read (default 10)") is not None
    assert of_another_option(claim, "The default is 10 seconds.", "How to set --read-retries") is not None
    assert of_another_option(claim, "The default is 10 seconds.", "### --retry-sleep") is None
    assert of_another_option(claim, "--retry-sleep waits 10 seconds by default, unlike --read-retries.") is None
    assert of_another_option("The default is 10 seconds.", "--retry-sleep waits 10 seconds by default.") is None
