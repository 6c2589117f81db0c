"""SARIF 2.1.0 as its schema and code hosts want it: every required field, indexes that fit, places that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.citations.registry_server import registry_server
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.judging import verify
from veritas.citations.checking.findings import RULES as OF_CHECK
from veritas.report.bibliography_verdicts import RULES as OF_BIB
from veritas.report.bibliography_verdicts import as_sarif
from veritas.report.sarif import sarif

PLACES = [("a b/ä#?.py", 3, 7), ("refs.bib", 0, 0), ("C%3A.md", 1, 1)]


def hold(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Assert what SARIF 2.1.0 requires (sections 3.13, 3.14, 3.19, 3.27 to 3.30, 3.49) and give the results."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert driver["version"]
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["shortDescription"]["text"] for rule in rules)
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"].strip()
        for location in result["locations"]:
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~/%:+-]+", uri), "characters that a URI may not hold"
            assert urlsplit(uri).scheme in ("", "file")
            assert not uri.startswith("/"), "a code host knows no such path"
            assert place["region"]["startLine"] >= 1
            assert place["region"]["startColumn"] >= 1
    found: list[dict[str, Any]] = run["results"]
    return found


@pytest.mark.parametrize("rules", [OF_CHECK, OF_BIB], ids=["check", "bib"])
def test_every_rule_and_level_is_valid(rules: dict[str, str]) -> None:
    results = [
        (rule, level, "why", place) for rule in rules for level in ("error", "warning", "note") for place in PLACES
    ]
    assert len(hold(json.loads(sarif("check", rules, results)))) == len(results)


def test_nothing_found_is_a_valid_log_too() -> None:
    assert hold(json.loads(sarif("check", OF_CHECK, []))) == []


def test_a_file_is_named_as_a_code_host_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = tmp_path / "papers" / "my refs.bib", tmp_path.parent / "other.bib"
    found = [(next(iter(OF_BIB)), "error", "why", (str(path), 1, 1)) for path in (inside, outside)]
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in hold(json.loads(sarif("bib", OF_BIB, found)))
    ]
    assert uris[0] == "papers/my%20refs.bib"
    assert unquote(uris[1]) == outside.as_uri()


async def test_a_bibliography_becomes_a_valid_log() -> None:
    text = (
        '@article{a"<b>, title={x}}\n@article{made, title={Recursive Lattice Gating for Weather}, author={A, B},\n'
        "journal={Nature}, year={2020}}\n@book{book, title={On Gardens}, author={A, B}}\n"
    )
    with registry_server() as server:
        judged = await verify(read_bibtex(text, "refs.bib"), server.registries(cached=False))
    results = hold(json.loads(as_sarif(judged)))
    assert [(result["ruleId"], result["level"]) for result in results] == [
        ("veritas/cannot_confirm", "note"),
        ("veritas/fabricated", "error"),
        ("veritas/cannot_confirm", "note"),
    ]
