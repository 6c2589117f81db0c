"""Plug-ins of strangers that are broken: the error names the plug-in, where it points and the package it is of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import preloaded
from tests.pumps import QUESTION, write_corpus
from veritas.settings import home, policy_file
from veritas.store.journal import read_journal
from veritas.store.paths import run_ids

MODULE = """
import asyncio, time
from veritas.claims.judgment import Judgment
from veritas.search.provider import SearchHit


class Lens:
    name, family = "odd", "odd-house"
    async def judge(self, claim, passage):
        return "supports"


class Needs(Lens):
    def __init__(self, model):
        self.model = model


class Half:
    name = "odd"


class Nameless(Lens):
    name, family = None, 7


class Poses(Lens):
    async def judge(self, claim, passage):
        return Judgment(label="supports", score=1, rationale="", lens="embedded-lead", family="embedded:lead")



class Ponders:
    media_type = "text/plain"
    def convert(self, data):
        time.sleep(600)


class Leaves(Lens):
    async def judge(self, claim, passage):
        raise SystemExit(0)


def nothing():
    return None


def leaves():
    raise SystemExit(0)


class Liar:
    name = "odd"
    def __init__(self, setup):
        pass
    async def search(self, query, *, limit, since=None):
        return ["https://example.org/"]



class Picky(Liar):
    def __init__(self):
        pass


class Stumbling:
    media_type = "text/plain"
    def convert(self, data):
        raise KeyError("a page")


class Quitting(Stumbling):
    def convert(self, data):
        raise KeyboardInterrupt


class Wordless(Stumbling):
    def convert(self, data):
        return "just text"


class Policy:
    def classify(self, url):
        return "tier 1"


class Crasher(Liar):
    async def search(self, query, *, limit, since=None):
        raise KeyError("results")


class Endless(Liar):
    async def search(self, query, *, limit, since=None):
        return (SearchHit(url="https://example.org/", title="again") for _ in iter(int, 1))


class Quits(Liar):
    async def search(self, query, *, limit, since=None):
        raise SystemExit(0)


class Cancels(Liar):
    async def search(self, query, *, limit, since=None):
        raise asyncio.CancelledError


class Sleeps(Liar):
    async def search(self, query, *, limit, since=None):
        time.sleep(600)


class Talks(Liar):
    print("I am imported")
    async def search(self, query, *, limit, since=None):
        print("I am asked")
        return []


class Stops:
    model = "odd:x"
    def __init__(self, model):
        pass
    async def embed(self, texts, kind):
        raise SystemExit(0)


class Source:
    name, knows, searches = "odd", frozenset({"doi"}), True
    def __init__(self, service):
        pass
    async def look_up(self, identifier):
        return {"title": "a dictionary"}
    async def search(self, words, *, limit, anywhere=False):
        raise KeyError("results")


class Embedder:
    model = "odd:x"
    def __init__(self, model):
        pass
    async def embed(self, texts, kind):
        return "a vector"


class Mumbler:
    name, family = "odd", "odd-house"
    async def decompose(self, question):
        return ["what?"]
    async def assert_claims(self, sub_query, passages):
        return ["zinc shortens colds"]
    async def contest(self, peer_claims, passages):
        return 7
    async def respond(self, contested, passages):
        return None
    async def synthesize(self, question, claims):
        return None
    async def repair(self, sentence, claims, fault):
        return "better"
"""


@pytest.fixture
def install(tmp_path: Path):
    """Installs a package `odd-things` with one plug-in; gives a `veritas` that sees it."""
    site = tmp_path / "site"

    def run(group: str, points_at: str, *args: object, module: str = MODULE) -> subprocess.CompletedProcess[str]:
        info = site / "odd_things-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-things\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[veritas.{group}]\nodd = {points_at}\n")
        (site / "odd_things.py").write_text(module)
        return preloaded.run(
            ["-m", "veritas", *args],
            env={**os.environ, "PYTHONPATH": str(site)},
            given='{"id": 1, "claim": "Zinc shortens colds.", "passage": "Zinc shortens colds."}\n',
        )

    return run


@pytest.mark.parametrize(
    ("points_at", "said"),
    [
        ("odd_things:Lenz", "cannot be loaded: AttributeError"),
        ("odd_thingz:Lens", "cannot be loaded: ModuleNotFoundError"),
        ("odd_things:Needs", "(it is called with nothing)"),
        ("odd_things:Half", "makes a Half without family, judge, which is no Lens"),
        ("odd_things:leaves", "cannot be made: SystemExit: 0"),
        ("odd_things:Nameless", "makes a Nameless whose family and name is no text"),
        ("odd_things:nothing", "makes a NoneType without family, judge, name, which is no Lens"),
    ],
)
def test_a_lens_that_cannot_be_had_is_named(install, points_at: str, said: str) -> None:
    ended = install("lens", points_at, "judge", "--lens", "odd")
    assert ended.returncode == 2, ended.stderr
    assert f"the lens plug-in 'odd' ({points_at}, of the package odd-things)" in ended.stderr
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_lens_that_answers_with_something_else_is_unavailable_by_name(install) -> None:
    ended = install("lens", "odd_things:Lens", "judge", "--lens", "odd")
    row = json.loads(ended.stdout)
    assert row["label"] == "unavailable"
    assert row["lens"] == "odd"
    assert "odd answered with str, which is no Judgment" in row["rationale"]
    assert ended.returncode != 1


def changed(name: str, was: str, now: str) -> str:
    """A policy file of the package with one thing in it changed."""
    whole = policy_file(name).read_text(encoding="utf-8")
    assert whole.count(was) == 1
    return whole.replace(was, now)


def test_a_reader_that_hangs_is_named_while_it_is_waited_for_and_given_up(
    install, tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = changed("providers.yaml", "plugin_seconds: 60", "plugin_seconds: 7")
    policies(tmp_path, monkeypatch, "providers.yaml", whole)
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "one.odd").write_text("Zinc shortens colds.")
    (folder / "two.txt").write_text("Zinc is a metal.")
    ended = install("reader", "odd_things:Ponders", "research", QUESTION, "-c", documents, "-c", folder, "-t", "quick")
    assert ended.returncode == 0, ended.stderr
    named = "the reader plug-in 'odd' (odd_things:Ponders, of the package odd-things)"
    assert f"veritas: waiting for {named}, 7 s at most" in ended.stderr
    assert f"one.odd takes longer than 7 s to read, and {named} was given up" in ended.stderr
    (run,) = run_ids(home())
    waits = [event.fields["who"] for event in read_journal(home(), run) if event.event == "waits"]
    assert waits == [f"waiting for {named}, 7 s at most"]
    ended = install("reader", "odd_things:Ponders", "paper", folder / "one.odd")
    assert ended.returncode == 2
    told, given_up = f"veritas: waiting for {named}, 7 s at most", "takes longer than 7 s"
    assert ended.stderr.index(told) < ended.stderr.index(given_up)


@pytest.mark.parametrize(
    ("points_at", "said"),
    [
        ("odd_things:Leaves", "odd failed: SystemExit: 0"),
        ("odd_things:Poses", "the answer is in the name of embedded-lead (embedded:lead)"),
    ],
)
def test_a_lens_that_ends_the_program_or_speaks_for_another_is_unavailable_by_name(
    install, points_at: str, said: str
) -> None:
    ended = install("lens", points_at, "judge", "--lens", "odd")
    assert ended.returncode == 3, ended.stderr
    row = json.loads(ended.stdout)
    assert (row["label"], row["lens"]) == ("unavailable", "odd")
    assert said in row["rationale"]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    return write_corpus(folder)


def test_a_member_that_answers_with_something_else_costs_its_turns_and_not_the_run(
    install, tmp_path: Path, documents: Path
) -> None:
    council = tmp_path / "council.yaml"
    council.write_text(
        "members:\n  - {name: a, member: embedded-lead, judge: embedded-entailment}\n"
        "  - {name: b, member: odd, judge: embedded-numeric}\nverifiers: [embedded-coverage]\nwriter: a\n"
    )
    ended = install(
        "member", "odd_things:Mumbler",
        "research", QUESTION, "-c", documents, "--council", council, "--json",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    graph = json.loads(ended.stdout)
    assert any(claim["asserted_by"] for claim in graph["claims"])
    reasons = " ".join(event["reason"] for event in graph["events"])
    assert "b failed at assert" in reasons
    assert "b failed at contest" in reasons


@pytest.mark.parametrize(("points_at", "said"), [("odd_things:Liar", "SearchHit"), ("odd_things:Crasher", "KeyError")])
def test_a_search_provider_that_answers_with_something_else_is_unavailable_by_name(
    install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points_at: str, said: str
) -> None:
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "providers.yaml").write_text("providers:\n  odd: {}\n")
    monkeypatch.setenv("VERITAS_POLICIES", str(policies))
    ended = install("search_provider", points_at, "research", "How long do colds last?", "--json", "-t", "quick")
    assert ended.returncode == 3, ended.stderr
    graph = json.loads(ended.stdout)
    reasons = [event["reason"] for event in graph["events"] if event["stage"] == "research"]
    assert reasons
    assert all("odd failed at search" in reason and said in reason for reason in reasons)


@pytest.mark.parametrize(
    ("points_at", "said"),
    [
        ("odd_things:Quits", "odd failed: SystemExit: 0"),
        ("odd_things:Cancels", "odd failed: CancelledError: it was cancelled, not by its asker"),
        ("odd_things:Sleeps", "odd gave no answer (2 s)"),
        ("odd_things:Endless", "odd answered with generator, which is no sequence of SearchHit"),
        ("odd_things:Talks", None),
    ],
)
def test_a_search_provider_that_ends_the_program_blocks_it_or_prints_harms_no_other(
    install, tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch, points_at: str, said: str | None
) -> None:
    reading = "reading: {plugin_seconds: 2}"
    policies(
        tmp_path, monkeypatch, "providers.yaml", f"with_corpus: true\nproviders:\n  odd: {{}}\n{reading}\n"
    )
    ended = install("search_provider", points_at, "research", QUESTION, "-c", documents, "--json", "-t", "standard")
    assert ended.returncode == 0, ended.stderr
    graph = json.loads(ended.stdout)
    assert graph["answer"]["status"] == "answered"
    reasons = [event["reason"] for event in graph["events"] if event["kind"] == "search-unavailable"]
    assert any(said in reason for reason in reasons) if said else not reasons
    assert "I am imported" in ended.stderr
    assert ("I am asked" in ended.stderr) == (said is None)


def test_a_scholarly_source_that_answers_with_something_else_is_unavailable_by_name(
    install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "citations.yaml").write_text("sources:\n  odd: {enabled: true, url: 'http://127.0.0.1:9/'}\n")
    monkeypatch.setenv("VERITAS_POLICIES", str(policies))
    entry = tmp_path / "one.bib"
    entry.write_text("@article{a, title={Zinc and colds of the winter}, author={Ash, Jo}, year=2001, doi={10.5555/ab}}")
    ended = install("scholarly_source", "odd_things:Source", "bib", entry, "--json")
    assert ended.returncode == 3, ended.stderr
    assert "odd failed" in ended.stdout
    assert "Traceback" not in ended.stderr


def test_an_embedder_that_answers_with_something_else_is_unavailable_by_name(install, documents: Path) -> None:
    ended = install("embedder", "odd_things:Embedder", "corpus", "add", "zinc", documents, "--embedder", "odd:x")
    assert ended.returncode == 3, ended.stderr
    assert "the embedder odd:x failed: ValueError" in ended.stdout
    assert "Traceback" not in ended.stderr
    ended = install("embedder", "odd_things:Stops", "corpus", "add", "iron", documents, "--embedder", "odd:x")
    assert ended.returncode == 3, ended.stderr
    assert "the embedder odd:x failed: SystemExit: 0" in ended.stdout


def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / name).write_text(text)
    monkeypatch.setenv("VERITAS_POLICIES", str(folder))


@pytest.mark.parametrize(
    ("points_at", "said"), [("odd_things:Picky", "cannot be made"), ("odd_thingz:Liar", "cannot be loaded")]
)
def test_a_broken_search_provider_is_said_and_the_others_are_asked(
    install, tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch, points_at: str, said: str
) -> None:
    policies(
        tmp_path, monkeypatch, "providers.yaml",
        "with_corpus: true\nproviders:\n  odd: {}\n  wikipedia: {url: 'http://127.0.0.1:9/'}\n",
    )  # fmt: skip
    listed = install("search_provider", points_at, "providers")
    assert listed.returncode == 0, listed.stderr
    ended = install(
        "search_provider", points_at,
        "research", QUESTION, "-c", documents, "--json", "-t", "standard", "--no-preflight",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    graph = json.loads(ended.stdout)
    assert graph["answer"]["status"] == "answered"
    reasons = " ".join(event["reason"] for event in graph["events"])
    assert f"the search_provider plug-in 'odd' ({points_at}, of the package odd-things)" in reasons
    assert said in reasons


@pytest.mark.parametrize(
    ("points_at", "said"),
    [
        ("odd_things:Stumbling", ("cannot be read", "failed: KeyError: 'a page'")),
        ("odd_things:Quitting", ("makes the converter crash", "")),
        ("odd_things:Wordless", ("cannot be read", "failed: TypeError: it gave str")),
        ("odd_things:Lenz", ("cannot be read", "cannot be loaded: AttributeError")),
    ],
)
def test_a_broken_reader_costs_its_own_files_and_no_other(
    install, tmp_path: Path, documents: Path, points_at: str, said: tuple[str, str]
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "one.odd").write_text("Zinc shortens colds.")
    (folder / "two.txt").write_text("Zinc is a metal.")
    ended = install("reader", points_at, "research", QUESTION, "-c", documents, "-c", folder, "--json", "-t", "quick")
    assert ended.returncode == 0, ended.stderr
    assert f"the reader plug-in 'odd' ({points_at}, of the package odd-things)" in ended.stderr
    assert f"one.odd {said[0]}: the reader" in ended.stderr
    assert said[1] in ended.stderr


def test_a_source_policy_that_gives_no_verdict_admits_nothing(install, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text("plugin: odd\n")
    ended = install(
        "source_policy", "odd_things:Policy", "tier", "--policy", tmp_path / "policy.yaml", "https://www.nature.com/"
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "the source_policy plug-in 'odd' (odd_things:Policy, of the package odd-things) failed" in ended.stderr


def test_a_listing_names_the_broken_one_and_shows_the_rest(install) -> None:
    ended = install("lens", "odd_things:Lenz", "plugins", "--json")
    assert ended.returncode == 1, ended.stderr
    found = json.loads(ended.stdout)["plugins"]
    broken = [each for each in found if each["problem"]]
    assert [(each["seam"], each["name"], each["package"]) for each in broken] == [("lens", "odd", "odd-things")]
    seams = {"search_provider", "reader", "scholarly_source", "embedder", "member", "oracle", "report_renderer"}
    assert seams <= {each["seam"] for each in found}


def test_a_built_in_keeps_its_name(tmp_path: Path) -> None:
    site = tmp_path / "site"
    info = site / "odd_things-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-things\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[veritas.lens]\nembedded = odd_things:Lens\n")
    (site / "odd_things.py").write_text("raise RuntimeError('imported')")
    ended = preloaded.run(["-m", "veritas", "plugins", "lens"], env={**os.environ, "PYTHONPATH": str(site)})
    assert ended.returncode == 1
    assert "is not used: veritas-cite has a plug-in of this name" in ended.stdout
    assert "imported" not in ended.stdout + ended.stderr


def test_a_quick_command_imports_no_plug_in(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "veritas", "tier", "https://www.nature.com/articles/x"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    imported = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines() if line.startswith("import time")}
    assert imported & {"veritas.policy.source_tiers"}
    for room in ("veritas.search", "veritas.reading", "veritas.registries", "veritas.judging", "veritas.council"):
        assert not [name for name in imported if name.startswith(room)]


@pytest.mark.parametrize(
    ("group", "points_at", "said"),
    [
        ("lens", "odd_things:Needs", "(it is called with nothing)"),
        ("member", "odd_things:Lens", "makes a Lens without assert_claims"),
        ("oracle", "odd_things:Lens", "cannot be made: TypeError"),
    ],
)
def test_what_cannot_be_made_is_listed_as_broken(install, group: str, points_at: str, said: str) -> None:
    ended = install(group, points_at, "plugins", group, "--json")
    (odd,) = [each for each in json.loads(ended.stdout)["plugins"] if each["name"] == "odd"]
    assert ended.returncode == 1
    assert said in odd["problem"]


BREAKING = """
class Breaks:
    def __init__(self, setup):
        self.name = setup.name
    async def search(self, query, *, limit, since=None):
        raise RuntimeError("the disk is gone")


class Nothing(Breaks):
    async def search(self, query, *, limit, since=None):
        return None


class Plain(Breaks):
    def search(self, query, *, limit, since=None):
        return []
"""


@pytest.mark.parametrize(
    ("points_at", "said"),
    [
        ("odd_things:Breaks", "odd failed at search: RuntimeError: the disk is gone"),
        ("odd_things:Nothing", "what it answered is no tuple[SearchHit, ...]: Input should be"),
        ("odd_things:Plain", "can't be used in 'await' expression"),
        ("odd_things:missing", "cannot be loaded: AttributeError"),
    ],
)
def test_a_check_says_what_is_wrong_with_a_provider_and_checks_the_others(
    install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points_at: str, said: str
) -> None:
    lines = "providers:\n  odd: {}\n  wikipedia: {url: 'http://127.0.0.1:9/'}\n"
    policies(tmp_path, monkeypatch, "providers.yaml", lines)
    ended = install("search_provider", points_at, "providers", "--check", "--json", module=BREAKING)
    assert ended.returncode == 3, ended.stderr
    odd, wikipedia = json.loads(ended.stdout)["providers"]
    assert said in odd["problem"]
    assert "odd" not in wikipedia["problem"]


SHELF = """
from veritas.gate import OracleAnswer


class Shelf:
    name = "odd"
    def __init__(self, setup):
        self.kind, self.documents = setup.kind, setup.documents
    async def confirm(self, finding):
        why = f"a {self.kind}, one of {len(self.documents)} documents, stands on no shelf of ours"
        return OracleAnswer(oracle=self.name, verdict="cannot-confirm", rationale=why)


class Lost(Shelf):
    async def confirm(self, finding):
        raise KeyError("the shelf")


class Speechless:
    name = "odd"
    def __init__(self, setup):
        pass


class Count:
    ending = "txt"
    def render(self, graph):
        return f"{len(graph.claims)} claims"


class Torn(Count):
    def render(self, graph):
        return None


class Stumbling(Count):
    def render(self, graph):
        raise SystemExit(0)


class Driving(Count):
    def render(self, graph):
        print("drawing")
        raise ValueError("\x1b[2J\u202eevil")
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A question over a corpus, in a store of its own; `gate.yaml` asks the oracle `odd` about research claims."""
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VERITAS_POLICIES", str(tmp_path / "policies"))
    (tmp_path / "policies").mkdir()
    gate = (Path(__file__).parents[1] / "policies/gate.yaml").read_text(encoding="utf-8")
    (tmp_path / "policies/gate.yaml").write_text(f"{gate}\noracles: {{research-claim: [odd]}}\n", encoding="utf-8")
    return ["research", QUESTION, "--corpus", write_corpus(tmp_path), "--tier", "quick", "--json", "--quiet"]


def test_an_oracle_that_the_gate_names_keeps_out_what_it_does_not_confirm(install, asked) -> None:
    ended = install("oracle", "odd_things:Shelf", *asked, module=SHELF)
    graph = json.loads(ended.stdout)
    assert graph["answer"]["status"] == "unavailable", ended.stderr  # nobody could confirm anything
    assert not [sentence for sentence in graph["answer"]["sentences"] if sentence["kind"] == "claim"]
    reasons = [event["reason"] for event in graph["events"]]
    assert any("a research-claim, one of" in said and "stands on no shelf of ours" in said for said in reasons)


def test_an_oracle_that_fails_halts_the_finding_and_is_named(install, asked) -> None:
    graph = json.loads(install("oracle", "odd_things:Lost", *asked, module=SHELF).stdout)
    assert graph["answer"]["status"] == "unavailable"
    assert any("odd failed: KeyError" in event["reason"] for event in graph["events"])


def test_a_report_renderer_is_a_format_of_export(install, asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERITAS_POLICIES")
    install("report_renderer", "odd_things:Count", *asked, module=SHELF)
    ended = install("report_renderer", "odd_things:Count", "export", "--format", "odd", module=SHELF)
    assert ended.stdout.strip().endswith(" claims"), ended.stderr
    waiting = f"{SHELF}\n\nclass Waiting(Count):\n    async def render(self, graph):\n        return 'x'\n"
    for broken, said in (
        ("Torn", "failed: TypeError: NoneType is no text"),
        ("Stumbling", "failed: SystemExit: 0"),
        ("Driving", "failed: ValueError: ⟦U+001B⟧[2J⟦U+202E⟧evil"),
        ("Waiting", "has an asynchronous render: it must be a plain def\n"),
    ):
        ended = install("report_renderer", f"odd_things:{broken}", "export", "--format", "odd", module=waiting)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert f"'odd' (odd_things:{broken}, of the package odd-things) {said}" in ended.stderr
        assert "Warning" not in ended.stderr
    ended = install("report_renderer", "odd_things:Count", "export", "--format", "even", module=SHELF)
    assert "a run is written as html, json, markdown, odd, terminal, parquet" in ended.stderr
