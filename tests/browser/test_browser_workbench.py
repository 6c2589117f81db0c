"""The workbench in Chromium: from a question to its answer by keyboard; every page readable by everybody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.pumps import QUESTION, write_corpus
from veritas import approvals
from veritas.claims.judgment import Judgment
from veritas.use_cases import living
from veritas.use_cases.sync import blocking

PAPER = """# Graphite bearings let small pumps run without oil

## Abstract

We hypothesise that graphite bearings let small pumps run without oil. We measured 40 pumps over 1,000 hours. Pumps with
graphite bearings ran 1,000 hours without oil, and none failed. We conclude that small pumps with graphite bearings need
no oil.

## Methods

We measured the flow and the temperature of 40 pumps, 20 with graphite bearings, over 1,000 hours.

## Results

Pumps with graphite bearings ran 1,000 hours without oil, and none failed.

## Conclusion

We conclude that small pumps with graphite bearings need no oil.
"""


FACTS = f"""The Borealis pump needs no oil [1]. Its price has fallen by half since the spring [3].

References

1. The Borealis pump manual. https://example.org/manual
2. {"A report whose address is longer than a small screen. https://example.org/" + "pumps-" * 30}
"""
WATCHED = """addEventListener("DOMContentLoaded", () => {
    const look = () => {
        const now = ["#sources > li", "#claims > li"].map((rows) => document.querySelectorAll(rows).length).join("/");
        localStorage.setItem("seen", `${localStorage.getItem("seen") ?? ""} ${now}`);
    };
    look();
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
});"""
"""Keeps how many sources and claims stood on the page at any time."""


@dataclass
class Bench:
    """A server with its address and token, and what is in its store by now."""

    address: str
    token: str
    made: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A server over three documents and a paper, for all tests of the module."""
    folder = tmp_path_factory.mktemp("workbench")
    root = folder / "documents"
    root.mkdir()
    write_corpus(root)
    deep = root / "2025" / "bearings"
    deep.mkdir(parents=True)
    (deep / "graphite.md").write_text(PAPER, encoding="utf-8")
    command = [sys.executable, "-m", "veritas", "serve", "--port", "0", "--no-browser", "--root", str(root)]
    environment = {**os.environ, "VERITAS_HOME": str(folder / "store")}
    log = folder / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, env=environment)
    with server, ExitStack() as cleanup:
        cleanup.callback(server.terminate)
        assert server.stdout is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", server.stdout.readline().decode())
        assert found, log.read_text()
        passage = approvals.CasePassage(text="It needs no oil.", source="The manual", url="https://example.org/manual")
        said = Judgment(label="unavailable", score=0, rationale="timed out", lens="judge", family="other")
        case = approvals.Case(claim="The pump needs no oil.", passages=(passage,), judgments=(said,))
        expected = "You probably expected this claim in the answer; nobody could judge it, so it was left out."
        asked = blocking(approvals.ask)("citation", "n-1", expected, case, home=folder / "store")
        _living(folder / "store", root)
        yield Bench(found[1], found[2], {"case": asked.approval_id})
    assert "Traceback" not in log.read_text()


def _living(home: Path, documents: Path) -> None:
    """Save a living question whose answer changed."""
    question = living.add("Does the pump need oil?", name="oil", corpus=documents, tier="quick", home=home)
    why = ("a source that was not found before: Later measurement (corpus://documents/later.md)",)
    change = living.Change(kind="answer", what="The pump needs oil.", before="", after="in the answer", why=why)
    entry = living.Entry(
        id="0123456789abcdef", name="oil", question=question.question, at=question.added_at,
        run="20260101-000000-aaaaaa",
        run_before="20251231-000000-aaaaaa", status="answered", changes=(change,), cost_usd=0.0,
    )  # fmt: skip
    living.enter(entry, home=home)


@dataclass
class Visit:
    """A page of somebody who is let in, with everything it complained of and every host it asked."""

    page: Any
    bench: Bench
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.page.goto(self.bench.address + path)


@pytest.fixture
def visit(chromium: Any, bench: Bench) -> Iterator[Callable[..., Visit]]:
    contexts = []

    def enter(**options: Any) -> Visit:
        size = {"width": 1200, "height": 850}
        context = chromium.new_context(**{"viewport": size, "reduced_motion": "reduce", **options})
        contexts.append(context)
        made = Visit(context.new_page(), bench)
        made.page.set_default_timeout(90_000)
        made.page.on("console", lambda message: made.complaints.append(f"{message.type}: {message.text}"))
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.on(
            "request",
            lambda asked: made.elsewhere.append(asked.url) if not asked.url.startswith(bench.address) else None,
        )
        made.open(f"/?token={bench.token}")
        assert "token" not in made.page.url
        return made

    yield enter
    for context in contexts:
        context.close()


def test_from_a_question_to_its_answer_with_the_keyboard_alone(visit: Callable[..., Visit], bench: Bench) -> None:
    visited = visit()
    page = visited.page
    keys = page.keyboard

    def to(what: str) -> None:
        """Go on to an element by Tab, and see that it is visibly in focus."""
        for _ in range(60):
            if page.evaluate("what => document.activeElement.matches(what)", what):
                style = page.evaluate("""() => {
                    const at = document.activeElement.closest(".tier-card") ?? document.activeElement;
                    return getComputedStyle(at).outlineStyle;
                }""")
                assert style != "none", what
                return
            keys.press("Tab")
        raise AssertionError(f"{what} is not reached by Tab")

    to("#question")
    keys.type(QUESTION)
    to(".choose summary")
    keys.press("Enter")
    to("input[value='documents/pumps.jsonl']")
    keys.press("Space")
    to("input[name=tier]")
    keys.press("ArrowLeft")
    to("#estimate")
    keys.press("Enter")
    page.wait_for_selector("#forecast table")
    keys.press("Shift+Tab")
    to("button.primary")
    visited.page.add_init_script(WATCHED)
    keys.press("Enter")
    page.wait_for_url("**/runs/*")
    page.wait_for_selector("#answer")
    bench.made["run"] = page.url.rpartition("/")[2]
    seen = (page.evaluate("localStorage.getItem('seen')") or "").split()
    assert any(re.fullmatch(r"4/[1-9]\d*", each) for each in seen), "sources and claims stand there before the answer"
    to("a.cite")
    keys.press("Enter")
    panel = page.locator("#evidence")
    assert panel.is_visible()
    assert "the Borealis pump moves 40 litres of water per minute" in panel.locator("mark").first.inner_text()
    assert "tier 1" in panel.inner_text()
    assert "supported" in panel.inner_text()
    # Of a passage that is one sentence all answers, and nothing is marked: another one has marks.
    shown = ["'.shown-passage.shown'", "'.shown-passage mark'"]
    shades = [f"getComputedStyle(document.querySelector({each})).backgroundColor" for each in shown]
    around, marked = (page.evaluate(each) for each in shades)
    assert around != marked, "the words that answer stay marked in the passage that is shown"
    keys.press("Escape")
    assert not panel.is_visible()
    assert page.evaluate("document.activeElement.matches('a.cite')")
    assert visited.complaints == []
    assert visited.elsewhere == []


def test_without_a_script_a_run_is_asked_watched_and_answered(visit: Callable[..., Visit], bench: Bench) -> None:
    page = visit(java_script_enabled=False).page
    page.fill("#question", "Does the Borealis pump need oil?")
    page.click("text=Paste a text")
    page.fill("#pasted", "The Borealis pump needs no oil, because its bearings are made of graphite.")
    page.check("input[value=quick]")
    page.click("#estimate")
    page.wait_for_selector("#forecast table")
    page.click("button.primary")
    page.wait_for_selector("#answer")
    bench.made["other"] = page.url.rpartition("/")[2]
    assert "needs no oil" in page.locator("#answer").inner_text()
    page.click("text=Ask why")
    page.fill("#about", "[1]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".because")


def test_any_text_is_checked_and_shows_what_to_distrust(visit: Callable[..., Visit], bench: Bench) -> None:
    page = visit().page
    page.goto(f"{bench.address}/check/facts")
    page.fill("#text", FACTS)
    page.click("summary:has-text('folders of this server')")
    page.check("input[name=corpus][value$='pumps.jsonl']")
    page.check("input[name=offline]")
    page.click("button.primary")
    page.wait_for_selector("#worst")
    bench.made["facts"] = page.url.removeprefix(bench.address)
    assert "to distrust" in page.locator(".lead").inner_text()
    assert "mark without a source" in page.locator("section[aria-labelledby=worst] li").first.inner_text()
    assert page.locator("mark[data-verdict=supported]").count() == 1
    lefts = {
        page.locator(part).first.evaluate("part => Math.round(part.getBoundingClientRect().left)")
        for part in (".way", "h1", ".lead", ".actions", "#worst", "#whole")
    }
    assert len(lefts) == 1, "what is read from top to bottom begins at one edge"


def test_a_paper_is_audited_and_asked_what_if(visit: Callable[..., Visit], bench: Bench) -> None:
    visited = visit()
    page = visited.page
    visited.open("/papers")
    page.locator("#document").press_sequentially("graphite")
    page.wait_for_selector("#document-known option[value='documents/2025/bearings/graphite.md']", state="attached")
    page.fill("#document", "documents/2025/bearings/graphite.md")
    page.click("button.primary")
    page.wait_for_selector(".figure-svg")
    bench.made["paper"] = page.url.rpartition("/")[2]
    page.locator(".figure-svg img").evaluate("image => image.decode()")  # it fails for one that cannot be drawn
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth)(document.querySelector('.figure-svg'))")
    page.click("summary:has-text('What if')")
    page.locator(".statements summary").first.click()
    page.locator(".statements input").first.fill("0.1")
    page.click("text=Score it again")
    page.wait_for_selector("dt:has-text('With your changes')")
    visited.open(f"/papers/{bench.made['paper']}/report")
    page.wait_for_selector("#argument")
    assert page.evaluate("window.origin") == "null", "a report runs in an origin of its own"
    assert [each for each in visited.complaints if "storage" not in each.lower()] == []


def test_dark_and_print_are_at_hand_on_a_phone(visit: Callable[..., Visit]) -> None:
    page = visit(color_scheme="light", viewport={"width": 360, "height": 740}).page
    page.evaluate("window.print = () => document.body.setAttribute('data-printed', 'yes')")
    for name in ("Print", "Dark"):
        button = page.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 360 - box["width"]
        assert box["y"] < 100
        button.click()
    assert page.locator("body").get_attribute("data-printed") == "yes"
    assert page.locator("#theme").get_attribute("aria-pressed") == "true"
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(dark) < 80


def test_every_page_is_readable_by_everybody_on_every_screen(visit: Callable[..., Visit], bench: Bench) -> None:
    """No violation that axe knows of in light and dark, nothing to be scrolled sideways at 360 px."""
    axe = (Path(str(import_module("axe_playwright_python").__file__)).parent / "axe.min.js").read_text(encoding="utf-8")
    run, other, paper = (bench.made.get(name) for name in ("run", "other", "paper"))
    pages = ["/", "/library?q=pump&within=claim&verdict=supports", "/check", "/check/claim", "/check/passage",
             "/check/facts", "/check/bibliography", "/check/source?url=https://www.reddit.com/r/x", "/papers",
             "/documents?at=documents/2025/bearings",
             "/reviews", "/living", "/approvals",
             f"/approvals/{bench.made['case']}", "/nothing", "/sources?url=corpus://pumps/manual"]  # fmt: skip
    if "facts" in bench.made:
        pages += [bench.made["facts"]]
    if run is not None:
        pages += [f"/runs/{run}#work", f"/runs/{run}/why?about=[1]", f"/runs/{run}/replay", f"/runs/{run}/compare"]
    if run is not None and other is not None:
        pages += [f"/runs/{run}/compare/{other}"]
    if paper is not None:
        pages += [f"/papers/{paper}"]
    found: list[str] = []
    for scheme, width in (("light", 1200), ("dark", 360)):
        visited = visit(color_scheme=scheme, viewport={"width": width, "height": 800})
        for path in pages:
            visited.open(path)
            place = f"{path} ({scheme}, {width} px)"
            wide = visited.page.evaluate("document.documentElement.scrollWidth")
            found += [f"{place}: {wide} px wide"] if wide > width else []
            visited.page.evaluate(axe)
            told = visited.page.evaluate("axe.run({ resultTypes: ['violations'] })")
            assert told["passes"], place
            found += [
                f"{place}: {each['id']}: {node['target']}: {node['failureSummary']}"
                for each in told["violations"] for node in each["nodes"][:3]
            ]
        assert visited.elsewhere == []
        assert [each for each in visited.complaints if "404" not in each] == []
    assert found == [], "\n".join(found)
