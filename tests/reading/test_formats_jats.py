"""JATS: the article as it is printed, and its identity from its own front."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats.jats import convert_jats

ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2//EN" "JATS-journalpublishing1.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink">
<front><journal-meta><journal-title>Never</journal-title></journal-meta><article-meta>
<article-id pub-id-type="pmid">1</article-id><article-id pub-id-type="doi">10.1000/ABC.1</article-id>
<title-group><article-title>Doses of <italic>aspirin</italic></article-title></title-group>
<contrib-group>
 <contrib contrib-type="author"><name><surname>Byron</surname><given-names>Ada</given-names></name></contrib>
 <contrib contrib-type="author"><collab>The ISIS Group</collab></contrib>
 <contrib contrib-type="editor"><name><surname>Not</surname><given-names>Me</given-names></name></contrib>
</contrib-group>
<pub-date pub-type="collection"><year>2019</year></pub-date>
<pub-date pub-type="epub"><day>7</day><month>3</month><year>2019</year></pub-date>
<permissions><license><license-p>Licence.</license-p></license></permissions>
<abstract><title>Abstract</title>
<p>We gave 10<sup>6</sup>&nbsp;doses&mdash;safely<sup><xref ref-type="bibr">12</xref></sup>.</p></abstract>
<abstract abstract-type="graphical"><p>Never.</p></abstract>
</article-meta></front>
<body><sec><title>Methods</title><p>Each <bold>group</bold> had <inline-formula><alternatives>
<mml:math><mml:mi>n</mml:mi></mml:math><tex-math>\\documentclass{x}\\begin{document}$n=3$\\end{document}</tex-math>
</alternatives></inline-formula> members.</p>
<list><list-item><p>One.</p></list-item><list-item><p>Two.</p></list-item></list>
<table-wrap><label>Table 1</label><caption><p>Doses.</p></caption>
<table><thead><tr><th>Drug</th><th>mg</th></tr></thead><tbody><tr><td>A</td><td>10</td></tr></tbody></table></table-wrap>
<fig><label>Figure 1</label><caption><title>Flow</title><p>Of people.</p></caption><graphic xlink:href="x"/></fig>
</sec></body>
<back><ack><p>Thanks.</p></ack><ref-list><ref><mixed-citation>Never.</mixed-citation></ref></ref-list></back>
<sub-article><body><p>Never: a review.</p></body></sub-article>
</article>"""


def test_an_article_is_read_in_order_with_its_identity() -> None:
    page = convert_jats(ARTICLE.encode())
    assert page.title == "Doses of aspirin"
    assert page.authors == ("Ada Byron", "The ISIS Group")
    assert (page.doi, page.published_at) == ("10.1000/abc.1", date(2019, 3, 7))
    assert page.text.split("\n\n") == [
        "Doses of aspirin",
        "Abstract",
        "We gave 10⁶ doses—safely¹².",
        "Methods",
        "Each group had $n=3$ members.",
        "- One.",
        "- Two.",
        "Table 1",
        "Doses.",
        "Drug\tmg\nA\t10",
        "Figure 1",
        "Flow",
        "Of people.",
        "Acknowledgments",
        "Thanks.",
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no well-formed XML"),
        (b"<article><body>", "no well-formed XML"),
        (b"<rss><channel/></rss>", "no JATS article"),
        (b"<article><p>Docbook.</p></article>", "no JATS article"),
        (b'<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><article><body>&z;</body></article>', "entities"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body>&x;</body></article>', "entities"),
        (b"<article><body>" + b"<sec>" * 10_000, "no well-formed XML"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        convert_jats(data)


def test_nothing_outside_the_file_is_read() -> None:
    external = b'<!DOCTYPE article SYSTEM "file:///etc/passwd"><article><body><p>Inside.</p></body></article>'
    assert convert_jats(external).text == "Inside."
