"""Text that a page holds in another place than its visible body: read where it is lacking, once, and word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.loopback_web.web import html, reader, web
from veritas.documents.passages import cut_passages
from veritas.reading.formats.html import convert_html
from veritas.search.ranking import best

BODY = [
    "Copper melts at 1084.62 degrees Celsius under standard pressure, as measured in 1990.",
    "It is not the best conductor of heat; silver conducts better at every temperature.",
    "Its density at 20 degrees is 8.96 grams per cubic centimetre.",
]
TEXT = "\n\n".join(BODY)
MARKUP = "".join(f"<p>{paragraph}</p>" for paragraph in BODY)
NOTICE = "You need to enable JavaScript to run this app. Please turn it on in the settings of your browser."


def read(body: str, head: str = "") -> str:
    return convert_html(f"<html><head><title>Copper</title>{head}</head><body>{body}</body></html>".encode()).text


def next_data(props: Any) -> str:
    data = {"props": {"pageProps": props}, "page": "/[slug]", "query": {"slug": "copper"}, "buildId": "x1"}
    return f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(data)}</script>'


def json_ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


RICH = {
    "nodeType": "document",
    "content": [
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": BODY[0]}]},
        {
            "nodeType": "paragraph",
            "content": [
                {"nodeType": "text", "value": "It is "},
                {"nodeType": "text", "value": "not", "marks": [{"type": "bold"}]},
                {"nodeType": "text", "value": BODY[1].removeprefix("It is not")},
            ],
        },
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": BODY[2]}]},
    ],
}


@pytest.mark.parametrize(
    "held",
    [
        next_data({"article": {"body": MARKUP, "slug": "copper-is-a-metal-of-the-kind."}}),
        next_data({"a": {"paragraphs": BODY}, "cookieConsent": {"text": "We bake cookies to make it better for you."}}),
        next_data({"entry": {"fields": {"text": RICH}}}),
        json_ld({"@type": "NewsArticle", "articleBody": TEXT}),
        json_ld({"@graph": [{"@type": "WebSite"}, {"@type": "Article", "articleBody": TEXT.replace("\n\n", "\n")}]}),
        json_ld([{"@type": "Article", "articleBody": MARKUP}]),
        f"<noscript>{MARKUP}</noscript>",
        f"<div><template shadowrootmode=open><style>p{{color:red}}</style>{MARKUP}</template></div>",
    ],
)  # fmt: skip
def test_text_that_is_held_and_not_displayed_is_read(held: str) -> None:
    assert read(f"<div id=__next></div>{held}") == TEXT


def test_the_whole_page_over_the_wire_gives_verbatim_passages(tmp_path: Path) -> None:
    import asyncio

    page = f"<title>Copper</title><body><div id=__next></div>{next_data({'text': BODY})}</body>"
    with web({"/x": html(page)}) as served:
        document = asyncio.run(reader(served, tmp_path).read(served.url("/x")))
    found = best("At which temperature does copper melt?", cut_passages(document), 2)
    assert any("1084.62" in passage.text for passage in found)
    assert all(document.text[p.start : p.end] == p.text for p in found)


@pytest.mark.parametrize(
    "held",
    [
        f"<noscript>{NOTICE}</noscript>",
        "<noscript><img height=1 width=1 src='https://t.example.org/p.gif'></noscript>",
        "<noscript>Please enable JavaScript to view the <a href=x>comments powered by Disqus.</a></noscript>",
        f"<noscript><p hidden>{BODY[0]} And more of it.</p></noscript>",
        f"<div style='display:none'><noscript><p>{BODY[0]} And more.</p></noscript></div>",
        f"<div><template><p>{BODY[0]}</p></template></div>",
        next_data({"messages": {"cookie": "We use cookies on this site, and so do our many partners."}}),
        next_data({"url": f"https://x.example.org/{'a' * 90}.html", "css": "body { margin: 0 } p { color: red. }"}),
        json_ld({"@type": "Organization", "description": "A house of copper that was founded in 1901 by two sisters."}),
        '<script type="application/ld+json">{"articleBody": "cut off</script>',
        "<script id='__NEXT_DATA__' type='application/json'>[[[[[</script>",
    ],
)  # fmt: skip
def test_what_is_no_text_of_the_page_is_not_read(held: str) -> None:
    shown = "<p>The reservoir was surveyed every spring between 1998 and 2014 by the same two teams.</p>" * 3
    assert read(f"<main>{shown}</main>{held}") == read(f"<main>{shown}</main>")


def test_endless_nesting_in_data_is_no_fault() -> None:
    deep = '{"a":' * 5000 + '"x"' + "}" * 5000
    assert read(f"<p>Text.</p><script id=__NEXT_DATA__ type=application/json>{deep}</script>") == "Text."
