"""The page behind archives, caches, redirects, readers, translators and proxies, and what cannot be seen through."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.policy.source_tiers import TieredSourcePolicy, load_source_policy

PAGE = "https://www.nature.com/articles/x"
BING = base64.urlsafe_b64encode(PAGE.encode()).decode().rstrip("=")


@pytest.fixture(scope="module")
def policy() -> TieredSourcePolicy:
    return load_source_policy()


@pytest.mark.parametrize(
    "url",
    [
        f"https://web.archive.org/web/20240101000000/{PAGE}",
        f"https://web.archive.org/web/{PAGE}",
        "https://web.archive.org/web/2024/https:/www.nature.com/articles/x",
        f"https://archive.today/2024.01.01-123456/{PAGE}",
        f"https://archive.md/newest/{PAGE}",
        f"https://wayback.archive-it.org/1234/20240101000000/{PAGE}",
        "https://www.google.de/url?sa=t&url=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&usg=1",
        "https://www.google.com/amp/www.nature.com/articles/x",
        "https://www-nature-com.cdn.ampproject.org/articles/x",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&rut=1",
        "https://www-nature-com.translate.goog/articles/x?_x_tr_sl=de&_x_tr_tl=en",
        f"https://r.jina.ai/{PAGE}", f"https://12ft.io/proxy?q={PAGE}",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.nature.com%2Farticles%2Fx&h=AT0",
        f"https://www.linkedin.com/redir/redirect?url={PAGE}",
        f"https://urldefense.com/v3/__{PAGE}__;!!abc!def$",
        "https://www-nature-com.ezproxy.uni.edu/articles/x",
        "https://www-nature-com.someuniversity.idm.oclc.org/articles/x",
        f"https://web.archive.org/web/2024/https://www.google.com/url?q={PAGE}",
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
        ("https://my--site-example.translate.goog/a", "https://my-site.example/a", 4),
        ("https://freedium.cfd/some-slug-123", "https://medium.com/some-slug-123", 4),
        ("https://doi.org/10.1038/d41586-024-1", "https://www.nature.com/articles/d41586-024-1", 2),
        ("10.1038/nature12373", "https://www.nature.com/articles/nature12373", 1),
        ("https://doi.org/10.5281/zenodo.42", "https://zenodo.org/records/42", 3),
        (
            "https://web.archive.org/web/2024/https://www.cdc.gov/x?u=https://evil.com",
            "https://www.cdc.gov/x?u=https://evil.com",
            1,
        ),
    ],
)
def test_the_address_of_the_page_is_told(policy: TieredSourcePolicy, url: str, page: str, tier: object) -> None:
    verdict = policy.classify(url)
    assert (verdict.effective_url, verdict.tier) == (page, tier)


@pytest.mark.parametrize(
    "url",
    [
        "https://archive.ph/AbC12", "https://web.archive.org/web/2024/",
        "https://www.google.com/url?q=https://www.nature.com/articles/x&url=https://evil.com/",
        "https://www.bing.com/ck/a?u=a1!!!", "https://www.bing.com/ck/a?p=1",
        "https://webcache.googleusercontent.com/search?q=nature",
        "https://lnkd.in/abc", "https://nyti.ms/abc",
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


def test_what_lies_behind_a_carrier_is_judged_as_strictly_as_if_it_came_alone(policy: TieredSourcePolicy) -> None:
    for inner in ("javascript:alert(1)", "data:text/html,x", "http://127.0.0.1/", "https://n\u0430ture.com/"):
        assert policy.classify(f"https://www.google.com/url?q={inner}").tier == 4


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="+&#%;"), min_size=1, max_size=40))
@settings(max_examples=30, deadline=None)
def test_seeing_through_a_redirect_changes_no_tier(path: str) -> None:
    policy = _POLICY
    direct = policy.classify(f"https://www.nature.com/{path}")
    behind = policy.classify(f"https://duckduckgo.com/l/?uddg=https://www.nature.com/{path}")
    if direct.rule != "built-in: malformed":
        assert (behind.tier, behind.rule) == (direct.tier, direct.rule)


_POLICY = load_source_policy()
