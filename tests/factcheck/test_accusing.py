"""What keeps a denial or an opposite from contradicting: another clause, another thing, another time, another row."""

from __future__ import annotations

import pytest

from veritas.factcheck.judging import judge
from veritas.factcheck.pages import _read

PHASES = (
    "Value\tDescription\nRunning\tAt least one job is still running.\n"
    "Succeeded\tAll jobs have terminated in success, and are not started again.\n"
    "Failed\tAll jobs have terminated, and at least one job has terminated in failure."
)


def verdict(claim: str, page: str) -> str:
    return judge(claim, _read(page, "Page")).verdict


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Saving a file may fail with a warning.",
         "Saving the file can fail with a warning; in that case, the file is not removed from the queue."),
        ("The new job has a different number.",
         "A job is never moved to a different queue; instead, a new one with another number replaces it."),
        ("Profit fell by 12 per cent.", "Profit before capital gains (EBIT) weakened by 12 per cent."),
        ("The lake is smaller today than it was in 1980.",
         "The lake was measured in 1950 and again in 1980. It has shrunk since then."),
        ("A green light does not mean that all checks have run.",
         "A green light is shown when all checks have run."),
        ("The tower is not as high above the ground as the bridge.",
         "The tower rises higher from its base than the bridge."),
        ("Unary signs are not surrounded by spaces.",
         "Almost all signs are surrounded by spaces, the only exceptions are unary signs."),
        ("The plan was not yet a rule.", "In May the board published a plan for a new rule."),
        ("In the Succeeded phase, all jobs have terminated in success.", PHASES),
        ("Updates have no downtime.", "The cluster can perform zero-downtime updates of its nodes."),
        ("Secrets must be sealed before they are written to the repository.",
         "The repository does not take plain secrets; you must seal them before writing them to the repository."),
        ("Changing the schema is impossible without stopping the workers and the queue.",
         "It is impossible to change the schema without first stopping the workers."),
        ("Probes run every 20 minutes.", "Probes do not run for paused hosts. The interval of probes is 20 minutes."),
    ],
)  # fmt: skip
def test_a_true_statement_is_not_accused(claim: str, page: str) -> None:
    assert verdict(claim, page) != "contradicted"


def test_a_cause_needs_a_sentence_that_names_it() -> None:
    page = "The price of fuel fell by a third in May. New bases helped to drive the 15% increase in passengers."
    assert verdict("The 15% increase in passengers was caused by the fall in the price of fuel.", page) != "supported"
    assert verdict("The 15% increase in passengers was caused by new bases.",
                   "The 15% increase in passengers was caused by new bases in May.") == "supported"  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Saving a file never fails with a warning.",
         "Saving the file can fail with a warning; in that case, the copy is kept in the queue."),
        ("Profit fell by 12 per cent.", "Profit before tax gained 12 per cent."),
        ("The lake was measured in 1980.", "The lake was measured in 1950. A new road was built in 1980."),
        ("Restic does not support Windows.", "Restic supports Windows."),
        ("The server caches replies.", "The server does not cache replies."),
        ("The importer reads nested tables.", "The importer does not yet read nested tables or macros."),
        ("The repository takes plain secrets.", "The repository does not take plain secrets; you must seal them."),
        ("The hull had copper sheathing.", "The hull was sheathed with zinc, not with copper as labels long stated."),
    ],
)  # fmt: skip
def test_a_plain_contradiction_is_told(claim: str, page: str) -> None:
    assert verdict(claim, page) == "contradicted"


def test_a_measure_that_a_page_gives_elsewhere_is_not_called_missing() -> None:
    page = "Idle probes are described below. They look at hosts.\n\nThe time between two looks is 40 minutes.\n"
    assert verdict("Idle probes look at hosts for 40 minutes.", page) == "cannot_tell"
    assert verdict("Idle probes look at hosts for 45 minutes.", page) in ("contradicted", "not_in_source")


def test_what_is_so_by_default_may_be_set_otherwise() -> None:
    page = "The console listens on port 4040 by default, unless the variable PORT is set."
    assert verdict("The console listens on port 4040 by default.", page) in ("supported", "cannot_tell")
    assert verdict("The console always listens on port 4040.", page) == "not_in_source"


@pytest.mark.parametrize(
    ("claim", "page", "contradicted"),
    [
        ("A file of 1 byte is encrypted to 17 bytes.",
         "The file has chunks.\n\n1 MiB (1048576 bytes) file will encrypt to\n\n- 16 chunks of 65568 bytes\n",
         False),
        ("A file of 1 byte is encrypted to 17 bytes.", "A file of 1 byte is encrypted to 49 bytes.", True),
        ("The trail is 40 kilometres long.", "The trail is 46 kilometres long.", True),
    ],
)  # fmt: skip
def test_one_figure_opposes_only_the_one_in_whose_place_it_stands(claim: str, page: str, contradicted: bool) -> None:
    assert (verdict(claim, page) == "contradicted") is contradicted


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("With `max_tries` set to None, the job is tried forever.",
         "A value of None means the job will be tried forever. By default, max_tries is set to 3."),
        ("Nesting jobs is not allowed by default.", "By default the queue will not allow you to nest jobs."),
        ("A parcel stays in the depot until a driver collects it.",
         "A parcel is not removed from the depot until it has been collected by a driver."),
        ("Reports are ignored only if you ask for it.", "Ignore reports you don't want"),
        ("Symbolic links are not searched by default.", "# Search symbolic links by default"),
        ("If the lamp is not lit, the gate stays shut.",
         "The gate opens when the lamp is lit; otherwise the gate stays shut."),
        ("Scans take place every day if watching is enabled.",
         "Scans take place every day when watching the folder or every hour if watching is disabled."),
        ("Without a profile, anyone can query tables.", "Queries can profile tables, and anyone can query them."),
        ("The tool does not install into the system folder by default.",
         "The tool inverts the default, requiring an explicit opt-in to installing into the system folder."),
        ("Shop works with Base 2.0 and later.", "Shop works with Base versions as early as Base 2.0."),
        ("You cannot both stream the reply and load it.", "You can either stream the reply or load it."),
        ("The server was not made for copying locally.", "No. The server is not designed to copy locally."),
    ],
)  # fmt: skip
def test_other_words_for_a_denial_accuse_nobody(claim: str, page: str) -> None:
    assert verdict(claim, page) not in ("contradicted", "not_in_source")


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Nesting jobs is allowed by default.", "By default, nesting jobs is not allowed."),
        ("A parcel is removed from the depot until a driver collects it.",
         "A parcel is not removed from the depot until a driver collects it."),
        ("The lamp is enabled by default.", "The lamp is disabled by default."),
        ("Symbolic links are not searched by default.", "Symbolic links are searched by default."),
        ("The server was made for copying locally.", "No. The server is not made for copying locally."),
        ("The board still pays the crew.", "The board no longer pays the crew."),
    ],
)  # fmt: skip
def test_the_lie_beside_it_is_contradicted(claim: str, page: str) -> None:
    assert verdict(claim, page) == "contradicted"


def test_only_what_a_page_lacks_is_not_in_the_source() -> None:
    page = "Files that are moved between shared folders are most likely loaded again. Each folder has a marker."
    assert verdict("Files that are moved between two shared folders are most likely loaded again.", page) != (
        "not_in_source"
    )
    assert verdict("Files that are moved between 40 shared folders are most likely loaded again.", page) == (
        "not_in_source"
    )
