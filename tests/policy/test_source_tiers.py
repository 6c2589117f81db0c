"""What the default policy says of pages people know, and that no URL, however hostile, breaks it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.policy.source_tiers import TieredSourcePolicy, load_source_policy


@pytest.fixture(scope="module")
def policy() -> TieredSourcePolicy:
    return load_source_policy()


KNOWN = """
1 P https://www.nature.com/articles/s41586-024-07421-0
1 - https://www.nature.com/articles/ncomms12345
2 - https://www.nature.com/nature/news
4 - https://www.nature.com/articles/d42473-023-00123-4
2 - https://www.science.org/content/article/something
1 P https://www.sciencedirect.com/science/article/pii/S0092867424000001
1 P https://www.nejm.org/doi/full/10.1056/NEJMoa2034577
2 - https://www.bmj.com/news
1 - https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000001
1 - https://export.arxiv.org/pdf/2305.19118v2
1 - https://aclanthology.org/2023.acl-long.1/
2 - https://spectrum.ieee.org/ai
1 - https://www.sec.gov/Archives/edgar/data/320193/x.htm
1 - https://www.gov.uk/guidance/x
1 - https://www.legislation.gov.uk/ukpga/2018/12
1 - https://www.mhlw.go.jp/english/
1 - https://www.boe.es/buscar/doc.php?id=x
1 - https://www.health.govt.nz/
1 - https://www.bag.admin.ch/bag/de/home.html
1 - https://www.mgm.gov.tr/
1 - https://www.rki.de/x
1 - https://eur-lex.europa.eu/eli/reg/2016/679/oj
1 - https://www.un.org/en/
1 - https://www.cam.ac.uk/research
1 - https://www.u-tokyo.ac.jp/en/
3 - https://cs.stanford.edu/~knuth/
3 - https://www.brookings.edu/articles/x
4 - https://forum.mit.edu/t/1
1 - https://www.hhs.gov/community/x
1 - https://docs.python.org/3/library/json.html
1 - https://learn.microsoft.com/en-us/dotnet/
1 - https://kubernetes.io/docs/concepts/
4 - https://discuss.kubernetes.io/t/1
1 - https://www.rfc-editor.org/rfc/rfc9110
4 - https://lists.w3.org/Archives/x
1 P https://www.iso.org/standard/27001
4 - https://somebody.readthedocs.io/en/latest/
4 - https://github.com/numpy/numpy/issues/1
4 - https://github.com/somebody/repo
4 - https://somebody.github.io/post
4 - https://huggingface.co/somebody/model
4 - https://huggingface.co/blog/somebody/post
1 - https://dockets.justia.com/docket/x
1 - https://www.law.cornell.edu/uscode/text/17
3 - https://www.findlaw.com/family/x
4 - https://lawyers.findlaw.com/x
2 - https://apnews.com/article/x
2 P https://www.ft.com/content/x
2 P https://www.nytimes.com/2024/01/02/science/x.html
2 P https://www.economist.com/x
2 - https://www.bbc.com/news/x
2 - https://www.politifact.com/factchecks/x
2 - https://my.clevelandclinic.org/health/x
2 - https://www.heart.org/en/x
2 - https://www.cancerresearchuk.org/about-cancer
1 - https://www.icrc.org/en/x
1 - https://www.bl.uk/collection/x
1 - https://gallica.bnf.fr/ark:/12148/x
1 - https://d-nb.info/x
1 - https://www.si.edu/object/x
1 - https://collections.louvre.fr/ark:/53355/x
1 - https://www.vatican.va/content/x
2 - https://babel.hathitrust.org/cgi/pt?id=x
2 - https://openstax.org/books/x
3 - https://scholar.archive.org/search?q=x
3 - https://www.google.com/books/edition/_/x
2 P https://www.consumerreports.org/cars/x
1 - https://docs.rs/serde/latest/serde/
1 - https://pkg.go.dev/net/http
1 - https://papers.ssrn.com/sol3/papers.cfm?abstract_id=1
3 - https://www.gartner.com/en/x
3 - https://theconversation.com/x
4 - https://somebody.substack.com/p/x
4 - https://medium.com/@somebody/x
3 - https://zenodo.org/records/1
4 - https://vixra.org/abs/1
4 - https://old.reddit.com/r/science/
4 - https://stackoverflow.com/questions/1
4 - https://serverfault.com/questions/1
4 - https://news.ycombinator.com/item?id=1
4 - https://m.facebook.com/groups/1
4 - https://t.me/x
4 - https://www.zhihu.com/question/1
3 - https://terrytao.wordpress.com/x
4 - https://sites.google.com/view/x
4 - https://grokipedia.com/page/x
4 - https://www.omicsonline.org/x
4 - https://www.rt.com/x
4 - https://sci-hub.se/10.1038/x
4 - https://bit.ly/abc
w - https://en.wikipedia.org/wiki/Aspirin
w - https://www.wikiwand.com/en/Aspirin
w - https://commons.wikimedia.org/wiki/File:X.jpg
1 P https://doi.org/10.1016/j.cell.2024.01.001
3 - https://doi.org/10.5281/zenodo.1234
4 - https://doi.org/10.99999/anything
"""


@pytest.mark.parametrize("line", KNOWN.strip().splitlines())
def test_a_known_page_has_its_tier(policy: TieredSourcePolicy, line: str) -> None:
    tier, paywalled, url = line.split()
    verdict = policy.classify(url)
    assert (verdict.tier, verdict.paywalled) == ("wikipedia" if tier == "w" else int(tier), paywalled == "P")
    assert verdict.admitted == (tier in "123")
    assert verdict.url == url


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/x",
        "https://www.westlaw.com/x",
        "https://www.uptodate.com/x",
        "https://gov.com/x",
        "https://www.edu.com/x",
        "https://x.gov.tk/",
        "https://x.gov.evil/",
        "https://x.go.it/",
        "https://uni-somewhere.de/",
        "https://nature.science/",
        "https://localhost/x",
        "https://somebody.substack.com/p/1",
    ],
)
def test_a_site_that_nobody_named_is_rejected_as_not_credentialed(policy: TieredSourcePolicy, url: str) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 4
    assert not verdict.admitted
    assert "not credentialed" in verdict.justification


def test_the_verdict_says_who_why_and_by_which_rule(policy: TieredSourcePolicy) -> None:
    verdict = policy.classify("https://www.nature.com/articles/s41586-1")
    assert verdict.justification == "Nature Portfolio: peer-reviewed work, read by subscription"
    assert verdict.rule == "default/journals-subscription: nature.com/articles"
    assert verdict.effective_url == verdict.url
    assert verdict.publisher == "nature.com"


@pytest.mark.parametrize(
    ("bare", "url"),
    [
        ("10.1038/nature12373", "https://doi.org/10.1038/nature12373"),
        ("10.99999/anything", "https://doi.org/10.99999/anything"),
        ("doi:10.1038/nature12373", "https://doi.org/10.1038/nature12373"),
        ("arXiv:2401.00001", "https://arxiv.org/abs/2401.00001"),
        ("arXiv:2401.00001v1 [cs.CL]", "https://arxiv.org/abs/2401.00001v1"),
        ("arXiv:math.GT/0309136", "https://arxiv.org/abs/math.GT/0309136"),
    ],
)
def test_a_bare_identifier_is_read_as_its_address(policy: TieredSourcePolicy, bare: str, url: str) -> None:
    found, meant = policy.classify(bare), policy.classify(url)
    assert found.url == bare
    assert found.model_dump(exclude={"url"}) == meant.model_dump(exclude={"url"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("10.10.10.10/x", "a bare IP address"),
        ("10.1038", "a bare IP address"),
        ("10.103/x", "a bare IP address"),
        ("http://10.1038/x", "a bare IP address"),
        ("arXiv:", "not followed by an arXiv number"),
        ("arXiv:evil.com/x", "not followed by an arXiv number"),
        ("arXiv:2401.00001/../../evil", "not followed by an arXiv number"),
        ("arXiv://nature.com/articles/x", "not followed by an arXiv number"),
    ],
)
def test_what_only_resembles_an_identifier_is_rejected(policy: TieredSourcePolicy, text: str, says: str) -> None:
    verdict = policy.classify(text)
    assert verdict.tier == 4
    assert says in verdict.justification


@pytest.mark.parametrize(
    ("url", "publisher"),
    [
        ("https://a.b.example.co.uk/x", "example.co.uk"),
        ("https://alice.github.io/x", "alice.github.io"),
        ("https://www.bbc.co.uk/news", "bbc.co.uk"),
        ("https://www.cam.ac.uk/", "cam.ac.uk"),
        ("https://gov.uk/", "gov.uk"),
        ("corpus://mine/a/b.pdf", "corpus://mine/a/b.pdf"),
        ("https://web.archive.org/web/2020/https://www.nature.com/articles/x", "nature.com"),
        ("javascript:alert(1)", ""),
    ],
)
def test_the_publisher_is_one_voice(policy: TieredSourcePolicy, url: str, publisher: str) -> None:
    assert policy.classify(url).publisher == publisher


def test_a_curated_document_is_tier_1(policy: TieredSourcePolicy) -> None:
    verdict = policy.classify("corpus://my-papers/sub folder/ä.pdf")
    assert (verdict.tier, verdict.admitted, verdict.paywalled) == (1, True, False)
    assert "curated by you" in verdict.justification
    assert verdict.effective_url == "corpus://my-papers/sub folder/ä.pdf"


@pytest.mark.parametrize(
    "url",
    [
        "corpus://",
        "corpus://mine",
        "corpus://mine/",
        "corpus:///x",
        "corpus:mine/x",
        "corpus://mi\nne/x",
        "https://r.jina.ai/corpus://mine/x",
        "https://www.google.com/url?q=corpus://mine/x",
        "https://duckduckgo.com/l/?uddg=corpus%3A%2F%2Fmine%2Fx",
    ],
)
def test_only_a_whole_and_direct_corpus_address_is_curated(policy: TieredSourcePolicy, url: str) -> None:
    assert policy.classify(url).tier == 4


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "no address"),
        ("data:text/html,<h1>nature.com</h1>", "data:"),
        ("file:///etc/passwd", "file:"), ("mailto:a@nih.gov", "mailto:"), ("http://[2001:db8::1]/", "IP address"),
        ("http://0x7f.0.0.1/", "IP address"), ("https:\\\\nih.gov/", "no //"),
        ("https://nih.gov\x00.evil.com/", "control"), ("https://nih.gov/\u202efdp.exe", "control"),
        ("https://nih.gov:99999/", "port"), ("https:///nih.gov", "no host"), ("https://nih..gov/", "host name"),
        ("https://a b.gov/", "host name"),
        ("https://" + "a." * 200 + "gov/", "host name"),
        ("https://%00.gov/", "host name"),
    ],
)
def test_what_is_no_web_page_is_rejected_with_the_reason(policy: TieredSourcePolicy, url: str, says: str) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 4
    assert "not credentialed" in verdict.justification
    assert says in verdict.justification


@pytest.mark.parametrize(
    "url",
    [
        "HTTPS://WWW.NATURE.COM/ARTICLES/X",
        "https://www.nature.com:443/articles/x",
        "https://www.nature.com./articles/x",
        "https://reader:secret@www.nature.com/articles/x",
        "https://evil.com@www.nature.com/articles/x",
        "https://n%61ture.com/articles/x",
        "https://ｎａｔｕｒｅ。com/articles/x",
        "https://www.nature.com/%61rticles/x",
        "https://www.nature.com/news/../articles/x",
        "https://www.nature.com//articles//x",
        "  https://www.nature.com/articles/x\n",
        "nature.com/articles/x",
        "//www.nature.com/articles/x",
        "www.nature.com:443/articles/x?y#z",
    ],
)
def test_one_page_has_one_verdict_however_it_is_spelled(policy: TieredSourcePolicy, url: str) -> None:
    assert policy.classify(url).rule == "default/journals-subscription: nature.com/articles"


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://nih.gov@evil.com/", "evil.com"),
        ("http://nih.gov:80@evil.com/", "evil.com"),
        ("https://evil.com/https://nih.gov", "evil.com"),
        ("https://evil.com/?u=https://nih.gov", "evil.com"),
        ("https://evil.com#@nih.gov", "evil.com"),
        ("https://evil.com?@nih.gov/", "evil.com"),
        ("https://nihgov.com/", "nihgov.com"),
        ("https://fakenih.gov.example/", "example"),
    ],
)
def test_a_name_elsewhere_in_the_address_credentials_nothing(policy: TieredSourcePolicy, url: str, site: str) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 4
    assert site in verdict.justification


@pytest.mark.parametrize(
    ("url", "imitated"),
    [
        ("https://\u0430pple.com/", "apple.com"),
        ("https://xn--pple-43d.com/", "apple.com"),
        ("https://xn--80ak6aa92e.com/", "apple.com"),
        ("https://www.n\u0430ture.com/articles/x", "nature.com"),
        ("https://n\u0456h.gov/", "nih.gov"),
        ("https://nih.g\u043ev/", "nih.gov"),
        ("https://r\u0435ddit.com/", "reddit.com"),
        ("https://nàture.com/", "nature.com"),
        ("https://naturee.com/", "nature.com"),
        ("https://natre.com/", "nature.com"),
        ("https://ntaure.com/", "nature.com"),
        ("https://nature.co/", "nature.com"),
        ("https://www.reuterz.com/", "reuters.com"),
        ("https://nytirnes.com/", "nytimes.com"),
        ("https://b1oomberg.com/", "bloomberg.com"),
        ("https://nih.gov.example.com/", "nih.gov"),
        ("https://www.nature.com.evil.net/articles/x", "nature.com"),
        ("https://nih-gov.com/", "nih.gov"),
        ("https://nature-com.evil.example/", None),
    ],
)
def test_a_look_alike_is_rejected_and_named(policy: TieredSourcePolicy, url: str, imitated: str | None) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 4
    assert "not credentialed" in verdict.justification
    if imitated is None:
        assert verdict.rule == "built-in: not-credentialed"
    else:
        assert f"look-alike of {'www.' if 'www.' + imitated in url else ''}{imitated}" in verdict.justification
        assert verdict.rule == "built-in: look-alike"


def test_a_url_of_100_kilobytes_takes_no_time(policy: TieredSourcePolicy) -> None:
    start = time.process_time()
    for url in (
        "https://www.nature.com/articles/" + "a" * 100_000,
        "https://www.nature.com/" + "../" * 33_000 + "articles/x",
        "https://www.nature.com/articles/" + "%2e%2e/" * 14_000,
        "https://" + "a." * 50_000 + "com/",
        "https://" + "ä" * 100_000,
        "https://web.archive.org/web/" + "https://web.archive.org/web/" * 3_600,
        "https://web.archive.org/web/" + "1/" * 50_000,
        "https://www.google.com/url?" + "q=x&" * 25_000,
        "data:" + "x" * 100_000,
        "https://x/" + "@" * 100_000,
        "https://" + "@" * 100_000,
        "https://medium.com/" + "-" * 100_000 + "/opinion",
        "corpus://mine/" + "x" * 100_000,
    ):
        assert policy.classify(url).url == url
    assert time.process_time() - start < 3


def test_what_a_justification_repeats_of_a_url_is_short_and_printable(policy: TieredSourcePolicy) -> None:
    for url in ("https://doi.org/%1b[31m" + "x" * 5000, "corpus://a\x9b\u202e" + "b" * 5000 + "/x"):
        justification = policy.classify(url).justification
        assert len(justification) < 300
        assert justification.isprintable()


HOSTILE = st.text(max_size=60) | st.builds(
    "".join,
    st.lists(
        st.sampled_from(
            ["https://", "http:", "//", "/", "\\", "@", ":", "?", "#", "[", "]", "%2f", "%", ".", "..", "nature.com",
             "gov", ".uk", "xn--", "xn--a", "\u0430", "。", "web.archive.org/web/", "2020", "*/", "google.com/url?q=",
             "bing.com/ck/a?u=a1", "aHR0cHM6Ly8", ".translate.goog", "ezproxy.x.edu", "-", "--", "doi.org/10.1038/",
             "doi:", "corpus://", "\ud800", "\x00", " ", "\u202e", "l.facebook.com/l.php?u=", ":80", "1.2.3.4",
             "urldefense.com/v3/__", "__;", ".cdn.ampproject.org/c/s/", "forum.", "~x", "cache:"]
        ),
        max_size=14,
    ),
)  # fmt: skip


@given(HOSTILE)
@settings(max_examples=150, deadline=None)
def test_no_text_raises_and_every_verdict_is_whole(url: str) -> None:
    policy = _default()
    verdict = policy.classify(url)
    assert verdict.tier in (1, 2, 3, 4, "wikipedia")
    assert verdict.admitted == (verdict.tier in (1, 2, 3))
    assert verdict.justification.isprintable()
    assert verdict.rule
    assert verdict.model_dump_json()
    assert policy.classify(url) == verdict
    if verdict.admitted and not verdict.rule.startswith("built-in"):
        assert policy.classify(verdict.effective_url).tier == verdict.tier


_LOADED: list[TieredSourcePolicy] = []


def _default() -> TieredSourcePolicy:
    if not _LOADED:
        _LOADED.append(load_source_policy())
    return _LOADED[0]
