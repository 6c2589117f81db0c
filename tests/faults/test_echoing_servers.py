"""Servers that hand back the keys they were sent: nothing that is kept or printed holds one, in whatever writing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.leaks import leaks
from tests.loopback.echoing import ECHOES, council, echo
from tests.loopback.server import loopback
from tests.loopback_web.web import Asked, Reply, html, redirect, web
from tests.pumps import QUESTION, write_corpus
from tests.search.test_web_research import FACTS, policies
from veritas import ClaimGraph

CHECKOUT = Path(__file__).resolve().parents[2]
KEYS = {
    "OF_THE_HOUSE": "Zq7-Wb%2x/Lk9+Vt4=Hn6&Yc3_sJ8d",  # named by the council file alone
    "TAVILY_API_KEY": "tvly-9f8Gh2Jk4Lm6Np8Qr0St",
    "OPENALEX_API_KEY": "c0ffee1234deadbeef5678aa",
    "SEMANTIC_SCHOLAR_API_KEY": "S2.Rv5Tz8Yx1Wq4",
    "VERITAS_ZOTERO_KEY": "P9gNf7Hq2LmXw3Kd",
    "VERITAS_EMBEDDINGS_KEY": "emb/Xy12+Zz34==Qw56",
}
DRIVER = """
import json, sys, traceback
from veritas.cli import main
from veritas.reading.web import destination

async def resolve(host, port):
    return ("127.0.0.1",)

destination.resolve = resolve
for given in json.load(open(sys.argv[1])):
    print("$", given[0])
    try:
        main(given)
    except SystemExit as end:
        print("exit", end.code)
    except BaseException:
        traceback.print_exc()
"""


@dataclass(frozen=True)
class Left:
    """What the commands left behind: the folder in which they wrote, what they printed, and how each ended."""

    folder: Path
    out: str
    err: str

    @property
    def ends(self) -> list[tuple[str, str]]:
        return re.findall(r"^\$ (.*)\n(?:(?!\$ ).*\n)*?exit (\S+)$", self.out, re.MULTILINE)


def _sent(asked: Asked) -> str:
    """The key in a request to a provider or a registry, wherever it stands."""
    for name in ("x-api-key", "zotero-api-key", "authorization"):
        if name in asked.headers:
            return asked.headers[name].removeprefix("Bearer ")
    return asked.query.get("api_key", "nothing")


def _found(port: int, path: str) -> list[str]:
    return [f"http://www.nature.com:{port}{path}", f"http://www.nist.gov:{port}{path}"]


def _tavily(asked: Asked) -> Reply:
    key, port = _sent(asked), int(asked.headers["host"].rpartition(":")[2])
    urls = [*_found(port, f"/copper?asked={quote(key, safe='')}"), *_found(port, f"/moved/{key}")]
    results = [
        {"url": url, "title": f"Copper {key}", "content": f"Copper melts. {key} &#x{ord(key[0]):x};{key[1:]}"}
        for url in urls
    ]
    return Reply(json.dumps({"results": results}))


def _refused(asked: Asked) -> Reply:
    said = f"no such key: {_sent(asked)}, or {_sent(asked)[:20]}"
    return Reply(json.dumps({"error": said, "message": said}), 403, {"Content-Type": "application/json"})


def _scholar(asked: Asked) -> Reply:
    key = _sent(asked)
    paper = {
        "paperId": key, "title": f"Copper and its melting {key}", "abstract": f"{FACTS} {key}", "year": 2020,
        "url": f"https://www.semanticscholar.org/paper/{key}", "authors": [{"name": f"Ann {key}"}], "venue": key,
        "externalIds": {"DOI": "10.1000/182"},
    }  # fmt: skip
    return Reply(json.dumps({"total": 1, "data": [paper], **paper}), headers={"Content-Type": "application/json"})


def _page(asked: Asked) -> Reply:
    """A page by the people who were sent the key to search with."""
    key = KEYS["TAVILY_API_KEY"]
    coded = "".join(f"&#{ord(sign)};" for sign in key)
    return html(
        f"<html><head><title>Copper {key}</title></head><body><main><h1>Copper</h1><p>{FACTS * 3}</p>"
        f"<p>The key of the reader is {key[:6]}<b>{key[6:]}</b>, which was {coded}.</p></main></body></html>"
    )


def _moved(asked: Asked) -> Reply:
    return redirect(f"/copper?key={KEYS['TAVILY_API_KEY']}")


PAGES = {
    "/tavily/search": _tavily, "/openalex/works": _refused, "/copper": _page,
    "/semantic-scholar/paper/search": _scholar, "/semantic-scholar/paper/search/match": _scholar,
    "/semantic-scholar/paper/DOI:10.1000/182": _scholar, "/semantic-scholar/paper/batch": _scholar,
    "/zotero/users/0/items": _refused, "/moved/TAVILY_API_KEY-withheld": _moved,
}  # fmt: skip
NAMES = (
    "TAVILY", "OPENALEX", "SEMANTIC_SCHOLAR", "CROSSREF", "ARXIV", "EUROPEPMC", "WIKIPEDIA", "DATACITE", "DBLP",
    "UNPAYWALL", "ZOTERO",
)  # fmt: skip
PAPER = f"# Copper\n\n## Abstract\n\nWe measured copper. {FACTS}\n\n## Results\n\n{FACTS * 3}\n"


def _commands(folder: Path, url: str) -> list[list[str]]:
    corpus, cases = str(write_corpus(folder)), folder / "cases.jsonl"
    cases.write_text(json.dumps({"id": 1, "claim": "Copper melts.", "passage": "Copper melts."}) + "\n")
    (folder / "paper.md").write_text(PAPER)
    (folder / "refs.bib").write_text(
        "@article{a, title={Copper and its melting}, author={Ann A}, year={2020}, doi={10.1000/182}}\n"
    )
    councils = {}
    for kinds in ([], *([kind] for kind in ECHOES), ["claims", "escapes"]):
        path = folder / f"{'-'.join(kinds) or 'honest'}.yaml"
        path.write_text(council(kinds, url, "OF_THE_HOUSE"))
        councils["-".join(kinds)] = str(path)
    both = councils["claims-escapes"]
    return [
        *(
            ["research", QUESTION, "--tier", "quick", "--corpus", corpus, "--council", councils[kind],
             "--out", str(folder / "out" / kind), "--record", str(folder / "records" / kind)]
            for kind in ECHOES
        ),
        ["research", QUESTION, "--tier", "deep", "--corpus", corpus, "--council", both, "--json"],
        ["export", "latest", "--format", "parquet", "--out", str(folder / "parquet")],
        ["show", "latest", "--json"],
        ["approvals"],
        ["council", "--council", both],
        ["providers", "--check"],
        ["judge", str(cases)],
        ["verify", "The Borealis pump needs no oil.", "--corpus", corpus],
        ["research", "At which temperature does copper melt?", "--tier", "quick"],
        ["cite", "Copper melts at 1084.62 degrees Celsius", "--root", str(folder / "project"), "--model", both],
        ["bib", str(folder / "refs.bib"), "--report", str(folder / "bib.html"), "--json"],
        ["paper", str(folder / "paper.md"), "--council", both, "--web", "-k", "1", "--samples", "1", "-o",
         str(folder / "audit"), "--yes", "--record", str(folder / "records" / "paper")],
        ["corpus", "add", "drawn", corpus, "--extractor", "claims"],
        ["corpus", "add", "pumps", corpus, "--extractor", "embedded"],
        ["review", "Borealis pumps", "--corpus", "pumps", "--council", both, "--out", str(folder / "review")],
        ["corpus", "add", "zotero", "--zotero", "all"],
        ["corpus", "add", "meaning", corpus, "--extractor", "embedded", "--embedder", "litellm:openai/echo-refusal"],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What is left of one process that carried out every command, each against servers that echo."""
    folder = tmp_path_factory.mktemp("echoes")
    with loopback(echo, tuple(KEYS.values())) as models, web(PAGES) as served:
        (folder / "commands.json").write_text(json.dumps(_commands(folder, models.url)))
        (folder / "driver.py").write_text(DRIVER)
        places = {f"VERITAS_{name}_URL": served.url(f"/{name.lower().replace('_', '-')}") for name in NAMES}
        environment: Mapping[str, str] = {
            **os.environ, **KEYS, **places, "PYTHONPATH": str(CHECKOUT), "VERITAS_HOME": str(folder / "home"),
            "VERITAS_POLICIES": str(policies(served.port, folder / "policies")), "PYTHONWARNINGS": "default",
            "VERITAS_FETCH_ALLOW": f"127.0.0.1:{served.port}", "VERITAS_EMBEDDINGS_URL": models.url,
            "VERITAS_COUNCIL": str(folder / "claims-escapes.yaml"), "LITELLM_LOG": "INFO",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, str(folder / "driver.py"), str(folder / "commands.json")], cwd=folder, env=environment,
            capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        asked = {_sent(a) for a in served.asked}
    assert {KEYS[n] for n in ("TAVILY_API_KEY", "OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY")} <= asked
    for name in ("commands.json", "driver.py"):
        (folder / name).unlink()
    return Left(folder, done.stdout, done.stderr)


def test_no_file_and_nothing_printed_holds_a_key_that_servers_echoed(left: Left) -> None:
    assert leaks(list(KEYS.values()), folders=[left.folder], texts=[left.out, left.err]) == []


def test_the_commands_went_on_and_say_which_key_was_withheld(left: Left) -> None:
    ends = left.ends
    assert [end for name, end in ends if name == "research"] == ["0"] * (len(ECHOES) + 2)
    assert {name for name, _ in ends} >= {
        "judge", "verify", "cite", "bib", "paper", "corpus", "review", "council", "providers", "export"
    }
    assert "Traceback" not in left.out + left.err
    assert "no such key: OPENALEX_API_KEY-withheld" in left.out
    graphs = [path.read_text() for path in left.folder.rglob("graph.json")]
    assert sum("OF_THE_HOUSE-withheld" in text for text in graphs) >= 6
    assert any("TAVILY_API_KEY-withheld" in text for text in graphs)


def test_what_a_page_says_without_the_key_is_still_its_very_words(left: Left) -> None:
    found = [ClaimGraph.model_validate_json(path.read_bytes()) for path in left.folder.rglob("graph.json")]
    graph = next(g for g in found if any("nist" in s.url or "nature" in s.url for s in g.sources))
    texts = {p.passage_id: p.text for p in graph.passages}
    assert any("TAVILY_API_KEY-withheld" in text for text in texts.values())
    for claim in graph.claims:
        for quoted, span in zip(claim.source_passages, claim.spans, strict=True):
            assert quoted in texts[span.passage_id]
