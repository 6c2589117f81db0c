"""robots.txt by RFC 9309."""

from __future__ import annotations

import re
import time

from hypothesis import assume, example, given
from hypothesis import strategies as st

from veritas.reading.web.robots import read_robots


def test_a_group_that_names_the_reader_counts_alone() -> None:
    everybody = b"User-agent: *\nDisallow: /\nCrawl-delay: 9\n\n"
    text = everybody + b"User-agent: Veritas\nuser-agent: other\nDisallow: /private\nCrawl-delay: 2.5\n"
    robots = read_robots(text)
    assert robots.allows("/x")
    assert not robots.allows("/private/x")
    assert robots.delay == 2.5


def test_a_rule_made_to_be_slow_is_not() -> None:
    rules = b"User-agent: *\nDisallow: /" + b"a*" * 5000 + b"$\nDisallow: /" + b"*a" * 20 + b"b\n"
    robots = read_robots(rules)
    start = time.perf_counter()
    robots.allows("/" + "a" * 8000)
    assert time.perf_counter() - start < 5  # minutes, if each star is tried everywhere


pattern = st.builds(str.__add__, st.sampled_from(["/", "/", "*"]), st.text(alphabet="ab*$", max_size=4)) | st.just("")


def as_the_rfc_says(rules: list[tuple[bool, str]], path: str) -> bool:
    """Each rule a regular expression; the longest that fits decides, and allowing wins a tie."""
    fitting = [
        (len(rule), allow)
        for allow, rule in rules
        if rule
        and re.match(
            ".*".join(map(re.escape, rule.removesuffix("$").split("*"))) + ("$" if rule.endswith("$") else ""), path
        )
    ]
    return max(fitting, default=(0, True))[1]


@given(st.lists(st.tuples(st.booleans(), pattern), max_size=6), st.text(alphabet="aab$", max_size=5))
@example([(False, "/a*a$")], "a")
def test_rules_decide_as_regular_expressions_would(rules: list[tuple[bool, str]], path: str) -> None:
    lines = "".join(f"{'Allow' if allow else 'Disallow'}: {rule}\n" for allow, rule in rules)
    robots = read_robots(f"User-agent: *\n{lines}".encode())
    assert robots.allows(f"/{path}") == as_the_rfc_says(rules, f"/{path}")


@given(st.binary(max_size=300), st.text(alphabet="/ab*$%?=", max_size=20))
def test_no_rubbish_makes_it_fail_or_hides_the_group_behind_it(data: bytes, path: str) -> None:
    assume(b"veritas" not in data.lower())
    robots = read_robots(data + b"\nUser-agent: veritas\nDisallow: /\n")
    assert not robots.allows(f"/{path}")
    assert robots.allows("/robots.txt")
    assert read_robots(b"User-agent: *\nDisallow: " + data).allows("/robots.txt")
