"""The report in a real browser: by keyboard, in the dark, on a phone, on paper, without scripts, under attack."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from report_sample import C
from report_sources import SOURCES

pytestmark = pytest.mark.browser
Visit = Callable[..., Any]


def until(page: Any, condition: str) -> None:
    """Waits for a condition of the page. (Playwright's own waiting needs `eval`, which the page's policy forbids.)"""
    end = time.monotonic() + 10
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"never came true: {condition}"
        page.wait_for_timeout(20)


def test_it_asks_for_nothing_but_itself_and_complains_of_nothing(visit: Visit, reports: Path) -> None:
    watched = visit()
    page = watched.page
    page.locator("#work > summary").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.locator("a.cite").first.click()
    page.keyboard.press("Escape")
    page.locator("#theme").click()
    page.wait_for_timeout(100)
    assert watched.requests == [(reports / "report.html").as_uri()]
    assert watched.complaints == []


def test_hostile_text_runs_nothing(visit: Visit) -> None:
    page = visit(hash="#claims").page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.dataset.owned") is None
    assert page.locator("main img, main script, main iframe").count() == 0
    assert page.locator("#source-rows", has_text="<script>document.documentElement").count() == 1


def test_even_a_script_that_got_in_would_not_run(visit: Visit) -> None:
    watched = visit()
    watched.page.evaluate("""() => {
        const s = document.createElement('script');
        s.textContent = "document.documentElement.dataset.owned = 'injected'";
        document.body.append(s);
        const d = document.createElement('div');
        d.innerHTML = '<p onclick="document.documentElement.dataset.owned = 1">x</p>';
        document.body.append(d);
        d.firstChild.click();
    }""")
    assert watched.page.evaluate("document.documentElement.dataset.owned") is None
    assert any("Content Security Policy" in complaint for complaint in watched.complaints)


def test_the_work_opens_and_closes_by_keyboard_and_the_address_says_so(visit: Visit) -> None:
    page = visit().page
    assert not page.locator("#glance").is_visible()
    page.locator("#work > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#glance").is_visible()
    assert page.locator("#work .when-open").first.is_visible()
    until(page, "location.hash === '#work'")
    page.keyboard.press("Space")
    assert not page.locator("#glance").is_visible()
    until(page, "location.hash === ''")


def test_a_marker_shows_its_claim_and_the_highlighted_passage(visit: Visit) -> None:
    page = visit().page
    marker = page.locator("#cite-t-4-2")
    marker.click()
    panel = page.locator("#evidence")
    assert panel.is_visible()
    assert panel.locator("mark").inner_text() == C["capacity"].source_passages[0]
    assert C["capacity"].claim in panel.inner_text()
    assert "climate chamber" in panel.locator("blockquote").inner_text()
    assert "P. Novák" in panel.inner_text()
    assert marker.get_attribute("aria-expanded") == "true"
    assert page.evaluate("location.hash") == ""


def test_the_panel_works_by_keyboard_alone_and_gives_the_focus_back(visit: Visit) -> None:
    page = visit().page
    marker = page.locator("#cite-t-4-2")
    marker.focus()
    page.keyboard.press("Space")
    panel = page.locator("#evidence")
    assert panel.is_visible()
    assert page.evaluate("document.getElementById('evidence').contains(document.activeElement)")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#evidence') !== null")
    page.keyboard.press("Escape")
    assert not panel.is_visible()
    until(page, "document.activeElement.id === 'cite-t-4-2'")
    until(page, "document.activeElement.getAttribute('aria-expanded') === 'false'")
    page.keyboard.press("Enter")
    panel.wait_for(state="visible")


def test_without_scripts_everything_can_be_read(visit: Visit) -> None:
    page = visit(java_script_enabled=False).page
    assert not page.locator(".tools").is_visible()
    page.locator("#work > summary").click()
    assert page.locator("#claims-title").is_visible()
    row = page.locator(f"#claim-{C['capacity'].claim_id}")
    row.locator("> summary").click()
    assert row.locator("mark").is_visible()
    page.locator("#cite-t-4-2").click()
    assert page.url.endswith("#ref-2")
    page.locator("#ref-2 a", has_text="claim").click()
    assert page.url.endswith(f"#claim-{C['capacity'].claim_id}")
    assert not page.locator("form.filter").first.is_visible()


def test_no_width_scrolls_sideways_with_everything_open(visit: Visit) -> None:
    page = visit().page
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in (320, 360, 768, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("""[...document.querySelectorAll('main *')]
            .filter(e => !e.closest('.scroll, svg') && e.getBoundingClientRect().right > innerWidth + 0.5)
            .map(e => `${e.tagName}.${e.className}`).slice(0, 5)""")
        assert (width, wide) == (width, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_passage_is_opened_in_its_document_and_left_again(visit: Visit) -> None:
    page = visit(width=390, height=844).page
    page.locator("#cite-t-4-2").click()
    page.locator("#evidence figcaption a", has_text="in the document").click()
    mark = page.locator(".document mark:target")
    assert mark.inner_text() == C["capacity"].source_passages[0]
    place = "document.querySelector('mark:target').getBoundingClientRect()"
    until(page, f"(r => r.top > 0 && r.bottom < innerHeight)({place})")
    assert not page.locator("#evidence").is_visible()
    page.keyboard.press("Escape")
    until(page, "location.hash === '' && !document.querySelector('.document:target, .document :target')")
    unscripted = visit(java_script_enabled=False).page
    unscripted.locator("#cite-t-4-2").click()
    unscripted.locator("#ref-2 a", has_text="As it was read").click()
    assert unscripted.locator(".document mark:target").is_visible()


def test_dark_is_followed_and_can_be_chosen(visit: Visit) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = visit(color_scheme="light").page, visit(color_scheme="dark").page
    assert light.evaluate(ground) != dark.evaluate(ground)
    toggle = light.locator("#theme")
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.click()
    assert toggle.get_attribute("aria-pressed") == "true"
    assert light.evaluate(ground) == dark.evaluate(ground)
    dark.locator("#theme").click()
    assert dark.evaluate(ground) != light.evaluate(ground)


def test_sources_are_filtered_by_status_tier_and_text(visit: Visit) -> None:
    page = visit(hash="#sources").page
    form, rows = page.locator("#sources form"), page.locator("#source-rows > tr:visible")
    assert rows.count() == len(SOURCES)

    def shows(numbers: list[int]) -> None:
        until(page, f"""JSON.stringify([...document.querySelectorAll('#source-rows > tr')].filter(r => !r.hidden)
            .map(r => Number(r.querySelector('th').textContent))) === '{json.dumps(numbers, separators=(",", ":"))}'""")

    form.locator("select[name=status]").select_option("rejected")
    shows([10, 11, 12])
    assert form.locator("output").inner_text() == "3 of 13"
    assert rows.count() == 3
    form.locator("input[name=planted]").check()
    shows([11])
    form.locator("select[name=status]").select_option("")
    shows([8, 11])
    form.locator("input[name=planted]").uncheck()
    form.locator("select[name=tier]").select_option("wikipedia")
    shows([9])
    form.locator("select[name=tier]").select_option("")
    form.locator("input[name=text]").fill("WHERE the meter")
    shows([6])
    form.locator("input[name=text]").fill("")
    shows(list(range(1, 14)))


def test_printing_the_answer_leaves_the_work_out_and_with_the_work_unfolds_it(visit: Visit) -> None:
    page = visit().page
    page.evaluate("window.print = () => { window.printed = { answer: document.documentElement.dataset.print,"
                  " open: document.querySelectorAll('details:not([open])').length }; }")
    page.locator("#print-answer").click()
    assert page.evaluate("window.printed.answer") == "answer"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.locator("#print-all").click()
    assert page.evaluate("window.printed") == {"answer": None, "open": 0}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#glance").is_visible()


def test_every_control_has_a_name_and_shows_its_focus(visit: Visit) -> None:
    page = visit(hash="#work").page
    nameless = page.evaluate("""() => [...document.querySelectorAll('a, button, input, select, summary')].filter(e =>
        !(e.getAttribute('aria-label') || e.innerText || e.textContent.trim() || e.labels?.length)).length""")
    assert nameless == 0
    for selector in ("#cite-t-4-2", "#work > summary", "#theme", "#claims select"):
        page.locator(selector).first.focus()
        page.keyboard.press("Shift")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", selector
    landmarks = page.evaluate("['header', 'main', 'nav', 'article'].map(n => document.querySelectorAll(n).length > 0)")
    assert all(landmarks)


def test_a_sentence_says_why_it_stands_to_a_click_and_to_the_keyboard(visit: Visit) -> None:
    watched = visit()
    page = watched.page
    sentence = page.locator(".sentence.claim").first
    mark = sentence.locator("a.why-mark")
    mark.focus()
    page.keyboard.press("Enter")
    panel = page.locator("#evidence")
    assert panel.is_visible()
    said = panel.inner_text()
    assert said.startswith("Why it stands")
    steps = ("found at rank", "admitted at tier", "drafted by", "its quote stands word for word", "found it supported")
    for step in steps:
        assert step in said
    assert mark.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    until(page, "document.activeElement.matches('a.why-mark')")
    assert mark.get_attribute("aria-expanded") == "false"
    page.keyboard.press(" ")
    until(page, "document.getElementById('evidence').matches(':popover-open')")
    page.keyboard.press("Escape")
    # The words themselves can be clicked; the claims in the panel lead on, and it stays open.
    place = page.evaluate(
        """() => { const r = document.querySelector('.sentence.claim bdi').getClientRects()[0];
                   return [r.left + r.width / 2, r.top + r.height / 2]; }"""
    )
    page.mouse.click(*place)
    until(page, "document.getElementById('evidence').matches(':popover-open')")
    panel.locator("a[data-why]").first.click()
    assert panel.is_visible()
    assert "This claim" in panel.inner_text()
    assert watched.complaints == []
