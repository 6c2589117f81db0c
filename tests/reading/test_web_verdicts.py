"""Pages that are no sources, recognised; honest pages about the same things, left in peace."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loopback_web.web import Reply, html, reader, redirect, web
from veritas import Unavailable
from veritas.reading.reader import Changed

PROSE = (
    "<p>The trial enrolled 4,021 adults in nine hospitals between 2015 and 2019 and followed them for four years. "
    "Those who took the drug had 12 percent fewer strokes than those who took a placebo, and no more bleeding.</p>"
) * 9


def page(body: str, title: str = "Site", head: str = "") -> Reply:
    return html(f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>")

MORE = "<h2>Most read</h2>" + "".join(
    f"<p>Study {i} of the heart under stress, with {37 * i} patients over {i + 2} years, was read by most.</p>"
    for i in range(30)
)


NO_SOURCE = {
    "soft 404 by its heading": (page("<h1>Page not found</h1><p>Try the search.</p>"), "soft 404"),
    "soft 404 by its words": (
        page("<p>Sorry, the page you requested could not be found. It may have been moved.</p>"),
        "soft 404",
    ),
    "soft 404 in German": (page("<h1>Seite nicht gefunden</h1>"), "soft 404"),
    "maintenance": (page("<h1>Under maintenance</h1><p>We are back soon.</p>"), "soft 404"),
    "a captcha": (
        page('<form id="captcha"><div class="g-recaptcha"></div>Please verify you are a human.</form>'),
        "captcha",
    ),
    "Akamai": (
        page("<h1>Access Denied</h1><p>You don't have permission to access this page. Reference #18.2f</p>"),
        "access is denied",
    ),
    "a consent wall": (
        page(
            "<h1>Before you continue to Example</h1><p>We use cookies to deliver our services. Accept all cookies "
            "or manage cookies.</p>"
        ),
        "consent to cookies",
    ),
    "a login": (
        page("<h1>Welcome</h1><form>User <input><input type=password></form><p>Please sign in to continue.</p>"),
        "login",
    ),
    "an empty shell": (page('<div id="root"></div><script src="/main.js"></script>'), "empty shell"),
    "nothing": (page("<p>Home</p>"), "no text to speak of"),
    "soft 404 beside much else": (
        page(f"<h1>Page not found</h1><p>Sorry, the page you requested could not be found.</p>{MORE}", "Journal"),
        "soft 404",
    ),
    "a captcha beside much else": (
        page(f"<h1>Just a moment...</h1><p>Verify you are human by completing this.</p>{MORE}", "Just a moment..."),
        "captcha",
    ),
    "a long consent wall": (
        page(
            "<h1>We value your privacy</h1>"
            + "<p>We and our 842 partners store and/or access information on a device, such as cookies, and process "
            "personal data. You may manage your choices, and object where legitimate interest is used.</p>" * 10
        ),
        "consent to cookies",
    ),
}


@pytest.mark.parametrize("name", NO_SOURCE)
async def test_a_page_that_is_no_source_is_unavailable_with_its_reason(tmp_path: Path, name: str) -> None:
    reply, why = NO_SOURCE[name]
    with web({"/research/paper": reply}) as served, pytest.raises(Unavailable, match=why):
        await reader(served, tmp_path).read(served.url("/research/paper"))


@pytest.mark.parametrize("status", [400, 404, 410, 418, 500, 502])
async def test_an_error_is_unavailable_whatever_its_body_says(tmp_path: Path, status: int) -> None:
    good = page(PROSE)
    with web({"/x": Reply(good.body, status, good.headers)}) as served, pytest.raises(Unavailable, match=str(status)):
        await reader(served, tmp_path).read(served.url("/x"))


HONEST = {
    "on captchas": page(
        "<h1>How CAPTCHAs became hard</h1><p>A captcha asks you to verify you are human. "
        + "Solving one takes ten seconds. " * 60
        + "</p>"
    ),
    "with a cookie banner": page(
        '<div class="cookie-banner">We use cookies. Accept all cookies</div><article>' + PROSE + "</article>"
    ),
    "with Cloudflare's script": page(PROSE + "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"),
    "on a missing page": page(
        f"<h1>Page not found: a history of the 404 error</h1><p>The page could not be found, it said.</p>{MORE}"
    ),
    "on cookie banners": page(
        "<h1>Cookie consent in nine countries</h1><p>Most sites ask to accept all cookies. "
        + "We counted how many clicks it took to refuse in each of them. " * 40
        + "</p>"
    ),
}


@pytest.mark.parametrize("name", HONEST)
async def test_an_honest_page_is_read(tmp_path: Path, name: str) -> None:
    with web({"/x/y": HONEST[name]}) as served:
        document = await reader(served, tmp_path).read(served.url("/x/y"))
    assert len(document.text) > 150
    assert not document.abstract_only


async def test_a_meta_refresh_is_followed_and_not_for_ever(tmp_path: Path) -> None:
    def refreshing(to: str) -> Reply:
        return html(
            f'<html><head><meta http-equiv="Refresh" content="0; URL=\'{to}\'"></head><body>Moving on</body></html>'
        )

    with web({"/a": refreshing("/b"), "/b": page(PROSE), "/c": refreshing("/d"), "/d": refreshing("/c")}) as served:
        assert (await reader(served, tmp_path).read(served.url("/a"))).url == served.url("/b")
        with pytest.raises(Unavailable, match="on and on"):
            await reader(served, tmp_path).read(served.url("/c"))
        served.pages["/inner"] = refreshing("http://169.254.169.254/")
        with pytest.raises(Unavailable, match="no public address"):
            await reader(served, tmp_path).read(served.url("/inner"))


async def test_a_page_that_changed_since_is_no_longer_confirmed(tmp_path: Path) -> None:
    with web({"/x": page(PROSE)}) as served:
        live = reader(served, tmp_path, confirm_hours=0)
        document = await live.read(served.url("/x"))
        await live.confirm(document)
        served.pages["/x"] = page(PROSE.replace("12 percent", "2 percent"))
        assert (await live.read(served.url("/x"))).document_id == document.document_id  # kept, and still fresh
        with pytest.raises(Unavailable, match=rf"has changed since it was read on {document.fetched_at}"):
            await live.confirm(document)
        served.pages["/x"] = Reply("gone", 404)
        with pytest.raises(Unavailable, match="404"):
            await live.confirm(document)


async def test_a_page_that_goes_on_saying_what_is_quoted_is_confirmed_and_one_that_does_not_has_changed(
    tmp_path: Path,
) -> None:
    quote = "Those who took the drug had 12 percent fewer strokes than those who took a placebo"
    with web({"/x": page(PROSE), "/old": redirect("/x")}) as served:
        live = reader(served, tmp_path, confirm_hours=0)
        document = await live.read(served.url("/old"))
        served.pages["/x"] = page("<p>Now with a remark in front of it, which nobody had read before.</p>" + PROSE)
        await live.confirm(document, (quote,))
        served.pages["/x"] = page(PROSE.replace("12 percent", "2 percent"))
        with pytest.raises(Changed, match="no longer says what is quoted"):
            await live.confirm(document, (quote,))
        served.pages["/x"] = page("<h1>Page not found</h1><p>Try the search.</p>")
        with pytest.raises(Changed, match="has gone since it was read"):
            await live.confirm(document, (quote,))
        served.pages["/x"] = Reply("busy", 500)
        with pytest.raises(Unavailable) as busy:
            await live.confirm(document, (quote,))
        assert not isinstance(busy.value, Changed)  # that it cannot be asked says nothing
