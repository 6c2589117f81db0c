"""Other checkers of bibliographies beside VERITAS: the same entries, the same recorded answers, one table.

    python benchmarks/bib_tools.py [SHARED] [--tools FOLDER] [--install] [--each N] [--real N] [--only WORDS] [--json]

SHARED (default `../shared`) holds the recorded answers that `bib_adversarial.py` reads; its entries are used here. Each
tool stands in an environment of its own, FOLDER/NAME (default `~/.cache/veritas-bib-tools`); `--install` makes those
that are missing with pip. What cannot be installed or started is named below the table and left out, and the column of
VERITAS is made all the same.

A tool runs unchanged, as its own command. Its Python is told by a `sitecustomize` module (`replayed_addresses.py`) to
send each request for a registry's address to the server on this machine that replays the recorded answers, and to wait
for none of its limits; any other address answers 404. So a
tool that asks for more than was recorded (arXiv, OpenReview, books) finds nothing there. "Accused" of VERITAS are
verdicts that stop a pipeline by default, and "strict" what `--strict` refuses; a tool's are the entries that its report
calls anything but confirmed, as `flagged` below reads it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bib_adversarial import cases, judged, refused  # noqa: E402
from benchmarks.recorded_registries import RecordedServer, pools_of, read_references  # noqa: E402
from tests.citations.registry_server import Reply, as_json  # noqa: E402
from tests.loopback_web.web import Web, html, reader  # noqa: E402

REDIRECT = ROOT / "benchmarks" / "replayed_addresses.py"
SECONDS = 400
"""Time that a tool has for the entries of one kind."""
KINDS = (
    "**real, the record agrees**", "invented subtitle", "half-invented authors", "invented last author",
    "year off by 1", "year off by 2", "year off by 3", "HALLMARK: placeholder authors", "HALLMARK: chimeric title",
    "HALLMARK: near-miss title", "HALLMARK: invented DOI", "HALLMARK: wrong venue", "@misc with a URL", "to appear",
    "link only", "fake as @book", "fake as @techreport",
)  # fmt: skip

class ReplayServer(RecordedServer):
    """The recorded answers in further forms of the same questions that other tools ask."""

    def _crossref(self, path: str, query: dict[str, str]) -> Reply:
        asked = query.get("query.bibliographic") or query.get("query.title") or query.get("query")
        if not path.startswith("/works"):
            return Reply(404, "Resource not found.")
        return super()._crossref(path, query | ({"query.bibliographic": asked} if asked else {}))

    def _openalex(self, path: str, query: dict[str, str]) -> Reply:
        if path.startswith("/works/doi:"):
            path = "/works/https://doi.org/" + path.removeprefix("/works/doi:")
        if not path.startswith("/works") or ("filter" not in query and "search" not in query and path == "/works"):
            return as_json({"results": [], "meta": {"count": 0}})
        for name in ("display_name.search:", "default.search:"):
            if query.get("filter", "").startswith(name):
                query = query | {"search": query["filter"].removeprefix(name)}
        if "search" in query and not query.get("filter", "").startswith("doi:"):
            query = {name: value for name, value in query.items() if name != "filter"}
        return super()._openalex(path, query)

    def _semantic_scholar(self, path: str, query: dict[str, str]) -> Reply:
        if path.endswith("/paper/search/match"):
            found = self.pools["semantic_scholar"].search(query["query"], 0.8, 1)
            return as_json({"data": found}) if found else as_json({"error": "Title match not found"}, 404)
        if not path.startswith("/graph/v1/paper/") or path.endswith(("/references", "/citations")):
            return as_json({"error": "not found"}, 404)
        return super()._semantic_scholar(path, query)

    def _dblp(self, path: str, query: dict[str, str]) -> Reply:
        if "publ" not in path or "q" not in query:
            return as_json({"result": {"hits": {"@total": "0"}}})
        return super()._dblp(path, query)

    def _doi_org(self, path: str, query: dict[str, str]) -> Reply:
        doi = path.removeprefix("/api/handles").strip("/")
        if path.startswith("/api/handles/"):
            return super()._doi_org(path, query)
        return Reply(200, "<title>found</title>") if doi.lower() in self.dois else Reply(404, "DOI not found")

    def _nowhere(self, path: str, query: dict[str, str]) -> Reply:
        return Reply(404, "not recorded")


class Tool(NamedTuple):
    """A tool: what pip installs, how it is called on a file and a report, and which keys its report flags."""

    packages: tuple[str, ...]
    command: Callable[[str, str], list[str]] | None
    flagged: Callable[[Any], set[str]] | None


def _updater(report: Any) -> set[str]:
    sure = ("verified", "published_version_exists")
    entries = report.get("entries") or report.get("results") or []
    return {each.get("key") or each.get("entry_key") for each in entries if each.get("status", "").lower() not in sure}


def _refchecker(report: Any) -> set[str]:
    """Errors and works that it could not verify; its warnings and hints are not counted."""
    keys = set()
    for each in report["records"]:
        errors = [one.get("error_type") for one in each.get("_original_errors", [])]
        if each["error_type"] == "unverified" or any(errors):
            keys.add(each["original_reference"]["bibtex_key"])
    return keys


TOOLS = {
    "bibtex-updater": Tool(
        ("bibtex-updater", "bibtexparser<2"),
        lambda file, report: [
            "bibtex-check", file, "--report", report, "--strict", "--no-cache", "--rate-limit", "60000"
        ],
        _updater,
    ),
    "academic-refchecker": Tool(
        ("academic-refchecker",),
        lambda file, report: [
            "academic-refchecker", "--paper", file, "--report-file", report, "--report-format", "json"
        ],
        _refchecker,
    ),
    "citeguard": Tool(("citeguard",), None, None),
    "hallucinator": Tool(("hallucinator",), None, None),
}  # fmt: skip


def environment(name: str, tool: Tool, folder: Path, install: bool) -> str:
    """Return why a tool is left out; empty if it can be run. With `install`, make its environment if there is none."""
    own = folder / name
    if install and not (own / "bin" / "python").is_file():
        subprocess.run([sys.executable, "-m", "venv", str(own)], check=True)
        pip = [str(own / "bin" / "pip"), "install", "-q", *tool.packages]
        if subprocess.run(pip, capture_output=True, check=False).returncode:
            (own / "failed").touch()
    if (own / "failed").is_file():
        return "pip cannot install it here"
    if not (own / "bin" / "python").is_file():
        return "not installed (--install)"
    return "" if tool.command is not None else "installed, but its command reads no .bib file or has no report to read"


def run(name: str, tool: Tool, folder: Path, entries: Sequence[str], server: ReplayServer) -> int | str:
    """Return how many entries a tool flags; why it could not be told otherwise."""
    assert tool.command is not None
    assert tool.flagged is not None
    with TemporaryDirectory() as scratch:
        file, report = Path(scratch) / "references.bib", Path(scratch) / "report.json"
        file.write_text("\n".join(entries), encoding="utf-8")
        (Path(scratch) / "sitecustomize.py").write_text(REDIRECT.read_text(encoding="utf-8"), encoding="utf-8")
        command, *more = tool.command(str(file), str(report))
        env = {**os.environ, "REPLAY_AT": server.url, "PYTHONPATH": scratch, "HOME": scratch}
        try:
            subprocess.run(
                [str(folder / name / "bin" / command), *more],
                env=env, cwd=scratch, capture_output=True, timeout=SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "too slow"
        if not report.is_file():
            return "no report"
        return len(tool.flagged(json.loads(report.read_text(encoding="utf-8"))))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=str(ROOT / ".." / "shared"))
    parser.add_argument("--tools", default=str(Path.home() / ".cache" / "veritas-bib-tools"), help="their environments")
    parser.add_argument("--install", action="store_true", help="make the environments that are missing")
    parser.add_argument("--each", type=int, default=20, help="entries of a kind")
    parser.add_argument("--real", type=int, default=60, help="real references")
    parser.add_argument("--only", default="", help="kinds with these words in their name")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    file = Path(given.shared) / "citations/refchecker_replay/references.jsonl"
    if not file.is_file():
        print(f"{file} is not there: nothing to measure")
        return
    folder = Path(given.tools)
    left_out = {name: why for name, tool in TOOLS.items() if (why := environment(name, tool, folder, given.install))}
    runnable = [name for name in TOOLS if name not in left_out]
    references = read_references(file)
    pools = pools_of(references)
    server, body = ReplayServer(pools), html("<title>Opening hours</title>" + "<p>The shop opens at nine.</p>" * 40)
    web, cache = Web({f"/other/fake{at}": body for at in range(given.each)}), TemporaryDirectory()
    rows: dict[str, dict[str, int | str]] = {}
    try:
        made = cases(references, pools, given.each, web.url(""))
        for kind in KINDS:
            if given.only not in kind:
                continue
            entries = made[kind][: given.real] if kind.startswith("**") else made[kind]
            pages = reader(web, Path(cache.name))
            verdicts = [asyncio.run(judged(server, entries, profile, pages)) for profile in ("lenient", "strict")]
            rows[kind] = {
                "n": len(entries),
                "VERITAS": sum(each.is_finding for each in verdicts[0]),
                "VERITAS --strict": sum(map(refused, verdicts[1])),
                **{name: run(name, TOOLS[name], folder, entries, server) for name in runnable},
            }
            print(kind, rows[kind], file=sys.stderr)
    finally:
        server.close()
        web.close()
        cache.cleanup()
    if given.json:
        print(json.dumps({"rows": rows, "left_out": left_out}))
        return
    columns = ["n", "VERITAS", "VERITAS --strict", *runnable]
    print(f"| | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
    for kind, row in rows.items():
        print(f"| {kind} | {' | '.join(str(row[name]) for name in columns)} |")
    for name, why in left_out.items():
        print(f"\n{name}: {why}.")


if __name__ == "__main__":
    main()
