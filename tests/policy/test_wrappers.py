"""The page behind archives, caches, redirects, readers, translators and proxies, and what cannot be seen through."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.policy.source_tiers import MAX_WRAPPERS, TieredSourcePolicy, load_source_policy

PAGE = "https://www.nature.com/articles/x"
BING = base64.urlsafe_b64encode(PAGE.encode()).decode().rstrip("=")


@pytest.fixture(scope="module")
def policy() -> TieredSourcePolicy:
    return load_source_policy()


@pytest.mark.parametrize(
    "url",
    [
        f"https://web.archive.org/web/20240101000000/{PAGE}",
        f"https://web.archive.org/web/20240101000000id_/{PAGE}",
        f"https://web.archive.org/web/2024*/{PAGE}",
        f"https://web.archive.org/web/{PAGE}",
        f"https://web.archive.org/save/{PAGE}",
        "https://web.archive.org/web/2024/www.nature.com/articles/x",
        "https://web.archive.org/web/2024/https:/www.nature.com/articles/x",
        "http://web.archive.org:80/web/2024/https%3A%2F%2Fwww.nature.com%2Farticles%2Fx",
        f"https://archive.ph/{PAGE}",
        f"https://archive.today/2024.01.01-123456/{PAGE}",
        f"https://archive.is/20240101123456/{PAGE}",
        f"https://archive.li/o/AbC12/{PAGE}",
        f"https://archive.md/newest/{PAGE}",
        f"https://webarchive.nationalarchives.gov.uk/ukgwa/20240101/{PAGE}",
        f"https://arquivo.pt/wayback/20240101000000/{PAGE}",
        f"https://wayback.archive-it.org/1234/20240101000000/{PAGE}",
        f"https://www.webcitation.org/5abc?url={PAGE}",
        f"https://www.google.com/url?q={PAGE}&sa=U",
        "https://www.google.de/url?sa=t&url=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&usg=1",
        "https://google.co.uk/url?Q=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx",
        "https://www.google.com/amp/s/www.nature.com/articles/x",
        "https://www.google.com/amp/www.nature.com/articles/x",
        "https://cdn.ampproject.org/c/s/www.nature.com/articles/x",
        "https://www-nature-com.cdn.ampproject.org/v/s/www.nature.com/articles/x?amp_js_v=0.1",
        "https://www-nature-com.cdn.ampproject.org/articles/x",
        "https://www-nature-com.bing-amp.com/c/s/www.nature.com/articles/x",
        f"https://www.bing.com/ck/a?!&&p=1&ptn=3&u=a1{BING}&ntb=1",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&rut=1",
        "https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU=https%3a%2f%2fwww.nature.com%2farticles%2fx/RK=2/RS=1",
        f"https://translate.google.com/translate?sl=de&tl=en&u={PAGE}",
        "https://www-nature-com.translate.goog/articles/x?_x_tr_sl=de&_x_tr_tl=en",
        f"https://webcache.googleusercontent.com/search?q=cache:AbCdEfGhIjKl:{PAGE}+some+words&hl=en",
        f"https://webcache.googleusercontent.com/search?q=cache:{PAGE}",
        f"https://r.jina.ai/{PAGE}",
        "https://r.jina.ai/www.nature.com/articles/x",
        f"https://12ft.io/{PAGE}",
        f"https://12ft.io/proxy?q={PAGE}",
        f"https://outline.com/{PAGE}",
        f"https://via.hypothes.is/{PAGE}",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&h=AT0",
        f"https://out.reddit.com/t3_1?url={PAGE}&token=x",
        f"https://www.youtube.com/redirect?event=x&q={PAGE}",
        f"https://www.linkedin.com/redir/redirect?url={PAGE}",
        f"https://slack-redir.net/link?url={PAGE}",
        f"https://eur01.safelinks.protection.outlook.com/?url={PAGE}&data=05",
        f"https://urldefense.com/v3/__{PAGE}__;!!abc!def$",
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__www.nature.com_articles_x&d=DwMF",
        f"https://href.li/?{PAGE}",
        "https://www-nature-com.ezproxy.uni.edu/articles/x",
        "https://www.nature.com.ezproxy.cam.ac.uk/articles/x",
        "https://www-nature-com.libproxy.mit.edu/articles/x",
        "https://www-nature-com.someuniversity.idm.oclc.org/articles/x",
        f"https://ezproxy.uni.edu/login?url={PAGE}",
        "https://ezproxy.uni.edu/login?qurl=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx",
        f"https://web.archive.org/web/2024/https://www.google.com/url?q={PAGE}",
        "https://r.jina.ai/https://web.archive.org/web/2024/https://cdn.ampproject.org/c/s/www.nature.com/articles/x",
    ],
)
def test_the_page_behind_a_carrier_decides(policy: TieredSourcePolicy, url: str) -> None:
    verdict = policy.classify(url)
    assert verdict.rule == "default/journals-subscription: nature.com/articles"
    assert verdict.effective_url.partition("?")[0] in (PAGE, "https://nature.com/articles/x")
    assert verdict.publisher == "nature.com"
    assert "seen through" in verdict.justification
    assert verdict.url == url


@pytest.mark.parametrize(
    ("url", "page", "tier"),
    [
        ("https://web.archive.org/web/2024/https://www.reddit.com/r/x", "https://www.reddit.com/r/x", 4),
        ("https://www-reddit-com.ezproxy.uni.edu/r/x", "https://www.reddit.com/r/x", 4),
        ("https://en-wikipedia-org.translate.goog/wiki/X", "https://en.wikipedia.org/wiki/X", "wikipedia"),
        ("https://my--site-example.translate.goog/a", "https://my-site.example/a", 4),
        ("https://scribe.rip/@somebody/post-1", "https://medium.com/@somebody/post-1", 4),
        ("https://freedium.cfd/https://medium.com/@a/b", "https://medium.com/@a/b", 4),
        ("https://freedium.cfd/some-slug-123", "https://medium.com/some-slug-123", 4),
        ("https://nitter.net/a/status/1", "https://x.com/a/status/1", 4),
        ("https://doi.org/10.1038/s41586-024-1", "https://www.nature.com/articles/s41586-024-1", 1),
        ("https://doi.org/10.1038/d41586-024-1", "https://www.nature.com/articles/d41586-024-1", 2),
        ("https://dx.doi.org/10.48550/arXiv.2305.19118", "https://arxiv.org/abs/2305.19118", 1),
        ("doi:10.48550/arXiv.hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001", 1),
        ("10.1038/nature12373", "https://www.nature.com/articles/nature12373", 1),
        ("10.48550/arXiv.2401.00001", "https://arxiv.org/abs/2401.00001", 1),
        ("arXiv:2401.00001", "https://arxiv.org/abs/2401.00001", 1),
        ("https://doi.org/10.5281/zenodo.42", "https://zenodo.org/records/42", 3),
        ("https://doi.org/10.1016/j.x.1", "https://doi.org/10.1016/j.x.1", 1),
        (
            "https://www-nature-com.translate.goog/articles/x?_x_tr_sl=de&a=1&_x_tr_tl=en",
            "https://www.nature.com/articles/x?a=1",
            1,
        ),
        (
            "https://web.archive.org/web/2024/https://www.cdc.gov/x?u=https://evil.com",
            "https://www.cdc.gov/x?u=https://evil.com",
            1,
        ),
        (
            "https://archive.ph/https://evil.com/?url=https://www.nature.com/articles/x",
            "https://evil.com/?url=https://www.nature.com/articles/x",
            4,
        ),
        ("https://web.archive.org/web/2024/https://nih.gov@evil.com/", "https://nih.gov@evil.com/", 4),
    ],
)
def test_the_address_of_the_page_is_told(policy: TieredSourcePolicy, url: str, page: str, tier: object) -> None:
    verdict = policy.classify(url)
    assert (verdict.effective_url, verdict.tier) == (page, tier)


@pytest.mark.parametrize(
    "url",
    [
        "https://archive.ph/AbC12",
        "https://outline.com/AbC12",
        "https://web.archive.org/web/2024/",
        "https://www.google.com/url?sa=t",
        "https://www.google.com/url?q=https://www.nature.com/articles/x&url=https://evil.com/",
        "https://duckduckgo.com/l/?x=1",
        "https://www.bing.com/ck/a?u=a1!!!",
        "https://www.bing.com/ck/a?u=a1_____w",
        "https://www.bing.com/ck/a?p=1",
        "https://urldefense.com/v3/x",
        "https://webcache.googleusercontent.com/search?q=nature",
        "https://t.co/abc",
        "https://lnkd.in/abc",
        "https://hdl.handle.net/10419/1",
        "https://nyti.ms/abc",
    ],
)
def test_a_carrier_that_does_not_say_which_page_is_rejected(policy: TieredSourcePolicy, url: str) -> None:
    assert policy.classify(url).tier == 4


@pytest.mark.parametrize(
    "url",
    [
        "https://www-nature-com.ezproxy.evil.com/articles/x",
        "https://www.nature.com.proxy.evil.com/articles/x",
        f"https://ezproxy.evil.com/login?url={PAGE}",
        "https://www-nature-com.evil.edu.evil.com/articles/x",
        "https://google.com.evil.com/url?q=https://www.nature.com/articles/x",
        "https://fakegoogle.com/url?q=https://www.nature.com/articles/x",
        "https://evil.com/web/2024/https://www.nature.com/articles/x",
        "https://www-nature-com.translate.goog.evil.com/articles/x",
        "https://idm.oclc.org.evil.com/articles/x",
    ],
)
def test_a_carrier_that_anybody_may_run_is_not_seen_through(policy: TieredSourcePolicy, url: str) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 4
    assert verdict.publisher == "evil.com" or "fakegoogle" in verdict.publisher


def test_carriers_within_carriers_are_followed_so_far_and_no_farther(policy: TieredSourcePolicy) -> None:
    for depth in range(1, 9):
        verdict = policy.classify("https://r.jina.ai/" * depth + PAGE)
        assert verdict.tier == (1 if depth <= MAX_WRAPPERS else 4)
    assert "more than 5 carriers" in verdict.justification


def test_what_lies_behind_a_carrier_is_judged_as_strictly_as_if_it_came_alone(policy: TieredSourcePolicy) -> None:
    for inner in ("javascript:alert(1)", "data:text/html,x", "http://127.0.0.1/", "https://n\u0430ture.com/"):
        assert policy.classify(f"https://www.google.com/url?q={inner}").tier == 4


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="+&#%;"), min_size=1, max_size=40))
@settings(max_examples=100, deadline=None)
def test_seeing_through_a_redirect_changes_no_tier(path: str) -> None:
    policy = _POLICY
    direct = policy.classify(f"https://www.nature.com/{path}")
    behind = policy.classify(f"https://duckduckgo.com/l/?uddg=https://www.nature.com/{path}")
    if direct.rule != "built-in: malformed":
        assert (behind.tier, behind.rule) == (direct.tier, direct.rule)


_POLICY = load_source_policy()
