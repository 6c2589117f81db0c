"""`veritas tier`: the source policy's verdict on a URL, with its reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.errors import InputError
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.policy.source_policy import TierVerdict


def tier(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="The URLs; - alone reads them, one a line.")],
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file; by default policies/source_tiers.yaml.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a URL.")] = False,
) -> None:
    """Classify URLs by the source policy, with the reason.

    Tiers 1 to 3 may be cited; tier 4 is rejected; "wikipedia" is read for its references and never cited. Archives,
    redirects and proxies are resolved to the page behind them. Nothing is fetched. With --json each line is {url, tier,
    paywalled, admitted, justification, rule}, in the order of the URLs.
    """
    from veritas.use_cases.claims import source_policy

    if "-" in urls and len(urls) > 1:
        raise InputError("- reads the URLs from standard input and stands alone; give either - or URLs, not both")
    rules = source_policy(policy)
    any_url = False
    for url in _given(urls):
        any_url = True
        verdict = rules.classify(url)
        print(_json_line(verdict) if as_json else _for_reading(verdict))
    if not any_url:
        raise InputError("there is no URL on standard input; give one a line")


def _given(urls: list[str]) -> Iterator[str]:
    if urls != ["-"]:
        yield from urls
        return
    for line in sys.stdin.buffer:
        url = line.decode("utf-8", "replace").strip("\r\n")
        if url.strip():
            yield url


def _json_line(verdict: TierVerdict) -> str:
    # ASCII: no line separator of Unicode can then cut a line in two for a careless reader.
    return json.dumps(
        {
            "url": verdict.url,
            "tier": verdict.tier,
            "paywalled": verdict.paywalled,
            "admitted": verdict.admitted,
            "justification": verdict.justification,
            "rule": verdict.rule,
        }
    )


def _for_reading(verdict: TierVerdict) -> str:
    marks = [f"tier {verdict.tier}"] if verdict.tier != "wikipedia" else ["wikipedia"]
    marks += ["paywalled"] if verdict.paywalled else []
    marks += [] if verdict.admitted else ["orientation only" if verdict.tier == "wikipedia" else "rejected"]
    url = printable(verdict.url)
    return f"{', '.join(marks):<28}{url}\n{'':<28}{verdict.justification}\n{'':<28}rule: {verdict.rule}"
