"""What the default policy says of pages people know, and that no URL, however hostile, breaks it."""

from __future__ import annotations

import pickle
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.policy.source_policy import SourcePolicy
from veritas.policy.source_tiers import TieredSourcePolicy, load_source_policy


@pytest.fixture(scope="module")
def policy() -> TieredSourcePolicy:
    return load_source_policy()


KNOWN = """
1 P https://www.nature.com/articles/s41586-024-07421-0
1 - https://www.nature.com/articles/s41746-025-01234-5
1 - https://www.nature.com/articles/ncomms12345
2 - https://www.nature.com/articles/d41586-024-00001-1
2 - https://www.nature.com/nature/news
2 - https://www.nature.com/
4 - https://www.nature.com/articles/d42473-023-00123-4
1 P https://www.science.org/doi/10.1126/science.adk1234
2 - https://www.science.org/content/article/something
3 - https://www.science.org/content/blog-post/pipeline
1 P https://www.sciencedirect.com/science/article/pii/S0092867424000001
4 - https://www.sciencedirect.com/topics/medicine/aspirin
1 P https://www.nejm.org/doi/full/10.1056/NEJMoa2034577
1 P https://gut.bmj.com/content/70/1/1
2 - https://www.bmj.com/news
3 - https://blogs.bmj.com/bmj/2024/01/01/x
1 - https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000001
1 - https://arxiv.org/abs/2305.19118
1 - https://export.arxiv.org/pdf/2305.19118v2
1 - https://www.biorxiv.org/content/10.1101/2020.01.01.000001v1
1 - https://aclanthology.org/2023.acl-long.1/
1 P https://ieeexplore.ieee.org/document/1
2 - https://spectrum.ieee.org/ai
1 - https://pubmed.ncbi.nlm.nih.gov/12345/
1 - https://www.sec.gov/Archives/edgar/data/320193/x.htm
1 - https://www.army.mil/article/1
1 - https://www.gov.uk/guidance/x
1 - https://gov.uk/guidance/x
1 - https://www.legislation.gov.uk/ukpga/2018/12
1 - https://www.economie.gouv.fr/x
1 - https://www.mhlw.go.jp/english/
1 - https://www.gob.mx/salud
1 - https://www.boe.es/buscar/doc.php?id=x
1 - https://www.mapa.gob.es/x
1 - https://www.health.govt.nz/
1 - https://laws-lois.justice.gc.ca/eng/
1 - https://www.bag.admin.ch/bag/de/home.html
1 - https://www.bmf.gv.at/
1 - https://www.mgm.gov.tr/
1 - https://www.gov.br/saude
1 - https://www.rki.de/x
1 - https://www.defensa.mil.co/
1 - https://eur-lex.europa.eu/eli/reg/2016/679/oj
1 - https://www.who.int/news
1 - https://www.un.org/en/
1 - https://www.mit.edu/research
1 - https://www.cam.ac.uk/research
1 - https://www.sydney.edu.au/research
1 - https://www.u-tokyo.ac.jp/en/
1 - https://ethz.ch/en.html
3 - https://cs.stanford.edu/~knuth/
3 - https://blogs.harvard.edu/x
3 - https://www.brookings.edu/articles/x
4 - https://www.academia.edu/12345/x
4 - https://forum.mit.edu/t/1
4 - https://www.mit.edu/forum/1
1 - https://www.hhs.gov/community/x
4 - https://www.regulations.gov/comment/EPA-1
1 - https://docs.python.org/3/library/json.html
1 - https://developer.mozilla.org/en-US/docs/Web
1 - https://learn.microsoft.com/en-us/dotnet/
4 - https://learn.microsoft.com/en-us/answers/questions/1
1 - https://kubernetes.io/docs/concepts/
3 - https://kubernetes.io/blog/2024/01/01/x
4 - https://discuss.kubernetes.io/t/1
4 - https://www.python.org/community/
1 - https://www.rfc-editor.org/rfc/rfc9110
1 - https://www.w3.org/TR/wcag/
4 - https://lists.w3.org/Archives/x
3 - https://datatracker.ietf.org/doc/draft-ietf-x/
1 P https://www.iso.org/standard/27001
1 - https://requests.readthedocs.io/en/latest/
4 - https://somebody.readthedocs.io/en/latest/
1 - https://github.com/numpy/numpy
4 - https://github.com/numpy/numpy/issues/1
4 - https://github.com/numpy/numpy/wiki
4 - https://github.com/somebody/repo
4 - https://gist.github.com/somebody/1
4 - https://somebody.github.io/post
1 - https://huggingface.co/docs/transformers
4 - https://huggingface.co/somebody/model
3 - https://huggingface.co/blog/rlhf
4 - https://huggingface.co/blog/somebody/post
1 - https://www.courtlistener.com/opinion/1/x/
1 - https://dockets.justia.com/docket/x
1 - https://caselaw.findlaw.com/court/x
1 - https://www.law.cornell.edu/uscode/text/17
3 - https://www.justia.com/injury/
3 - https://www.findlaw.com/family/x
4 - https://answers.justia.com/question/x
4 - https://lawyers.findlaw.com/x
2 - https://www.reuters.com/world/x
2 - https://apnews.com/article/x
2 P https://www.bloomberg.com/news/articles/x
2 P https://www.ft.com/content/x
2 P https://www.wsj.com/articles/x
2 P https://www.nytimes.com/2024/01/02/science/x.html
3 P https://www.nytimes.com/2024/01/02/opinion/x.html
2 P https://www.economist.com/x
2 - https://www.bbc.co.uk/news/x
2 - https://www.bbc.com/news/x
3 - https://www.theguardian.com/commentisfree/2024/x
2 - https://www.politifact.com/factchecks/x
2 - https://www.mayoclinic.org/x
2 - https://my.clevelandclinic.org/health/x
2 - https://www.cancer.org/cancer/x
2 - https://www.heart.org/en/x
2 - https://www.alz.org/alzheimers-dementia
2 - https://www.cancerresearchuk.org/about-cancer
2 - https://www.redcross.org/about-us
1 - https://www.icrc.org/en/x
1 - https://www.ifrc.org/x
1 - https://www.bl.uk/collection/x
3 - https://blogs.bl.uk/x
1 - https://gallica.bnf.fr/ark:/12148/x
1 - https://portal.dnb.de/x
1 - https://d-nb.info/x
1 - https://www.loc.gov/item/1/
1 - https://www.si.edu/object/x
1 - https://www.britishmuseum.org/collection/object/x
1 - https://collections.louvre.fr/ark:/53355/x
1 - https://www.rijksmuseum.nl/en/collection/x
1 - https://www.vatican.va/content/x
2 - https://www.metmuseum.org/art/collection/search/1
2 - https://babel.hathitrust.org/cgi/pt?id=x
2 - https://www.gutenberg.org/ebooks/1342
2 - https://openstax.org/books/x
3 - https://search.worldcat.org/title/1
3 - https://scholar.archive.org/search?q=x
3 - https://books.google.com/books?id=x
3 - https://www.google.com/books/edition/_/x
4 - https://archive.org/details/x
2 P https://www.consumerreports.org/cars/x
2 P https://www.which.co.uk/reviews/x
1 - https://docs.rs/serde/latest/serde/
4 - https://docs.rs/somebodys-crate/latest/x
1 - https://pkg.go.dev/net/http
4 - https://pkg.go.dev/github.com/somebody/x
1 - https://papers.ssrn.com/sol3/papers.cfm?abstract_id=1
2 - https://community.cochrane.org/x
3 - https://www.gartner.com/en/x
3 - https://www.britannica.com/topic/x
3 - https://theconversation.com/x
3 - https://erictopol.substack.com/p/x
4 - https://somebody.substack.com/p/x
3 - https://medium.com/netflix-techblog/x
4 - https://medium.com/@somebody/x
4 - https://somebody.medium.com/x
3 - https://zenodo.org/records/1
3 - https://openreview.net/forum?id=x
4 - https://vixra.org/abs/1
4 - https://www.reddit.com/r/science/
4 - https://old.reddit.com/r/science/
4 - https://www.quora.com/x
4 - https://stackoverflow.com/questions/1
4 - https://math.stackexchange.com/questions/1
4 - https://serverfault.com/questions/1
4 - https://mathoverflow.net/questions/1
4 - https://news.ycombinator.com/item?id=1
4 - https://x.com/somebody/status/1
4 - https://m.facebook.com/groups/1
4 - https://youtu.be/x
4 - https://t.me/x
4 - https://boards.4chan.org/x
4 - https://www.zhihu.com/question/1
4 - https://somebody.wordpress.com/x
3 - https://terrytao.wordpress.com/x
4 - https://somebody.blogspot.com/x
4 - https://sites.google.com/view/x
4 - https://chatgpt.com/share/x
4 - https://grokipedia.com/page/x
4 - https://www.wikihow.com/x
4 - https://www.omicsonline.org/x
4 - https://www.dailymail.co.uk/x
4 - https://www.rt.com/x
3 - https://tass.com/x
4 - https://sci-hub.se/10.1038/x
4 - https://t.co/abc
4 - https://bit.ly/abc
4 - https://perma.cc/ABCD-1234
w - https://en.wikipedia.org/wiki/Aspirin
w - https://de.m.wikipedia.org/wiki/Aspirin
w - https://www.wikiwand.com/en/Aspirin
w - https://www.wikidata.org/wiki/Q18216
w - https://commons.wikimedia.org/wiki/File:X.jpg
4 - https://en.wikipedia.org/wiki/Talk:Aspirin
1 P https://doi.org/10.1016/j.cell.2024.01.001
1 - https://dx.doi.org/10.1371/journal.pone.0000001
3 - https://doi.org/10.5281/zenodo.1234
4 - https://doi.org/10.13140/RG.2.1
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


SPECTRUM = "heritage.org cato.org aei.org hoover.org brookings.edu epi.org americanprogress.org ippr.org iea.org.uk"


@pytest.mark.parametrize("site", SPECTRUM.split())
def test_think_tanks_are_treated_alike_whatever_they_argue_for(policy: TieredSourcePolicy, site: str) -> None:
    verdict = policy.classify(f"https://www.{site}/report/x")
    assert (verdict.tier, verdict.rule) == (3, f"default/think-tanks: {site}")


@pytest.mark.parametrize("url", ["https://papers.ssrn.com/x", "https://arxiv.org/abs/2401.00001", "10.2139/ssrn.1"])
def test_preprints_are_said_to_be_unreviewed_and_not_to_be_vetted(policy: TieredSourcePolicy, url: str) -> None:
    verdict = policy.classify(url)
    assert verdict.tier == 1
    assert "not peer-reviewed" in verdict.justification
    assert "screen" not in verdict.justification


@pytest.mark.parametrize(
    ("bare", "url"),
    [
        ("10.1038/nature12373", "https://doi.org/10.1038/nature12373"),
        (" 10.1016/j.cell.2024.01.001\n", "https://doi.org/10.1016/j.cell.2024.01.001"),
        ("10.99999/anything", "https://doi.org/10.99999/anything"),
        ("10.1000.10/123", "https://doi.org/10.1000.10/123"),
        ("doi:10.1038/nature12373", "https://doi.org/10.1038/nature12373"),
        ("DOI: 10.1038/nature12373", "https://doi.org/10.1038/nature12373"),
        ("arXiv:2401.00001", "https://arxiv.org/abs/2401.00001"),
        ("arxiv: 2401.00001v2", "https://arxiv.org/abs/2401.00001v2"),
        ("arXiv:2401.00001v1 [cs.CL]", "https://arxiv.org/abs/2401.00001v1"),
        ("arXiv:hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001"),
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


def test_a_doi_that_no_line_names_is_named_in_the_reason(policy: TieredSourcePolicy) -> None:
    assert "doi.org/10.99999" in policy.classify("https://doi.org/10.99999/x").justification


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
        ("   ", "no address"),
        ("data:text/html,<h1>nature.com</h1>", "data:"),
        ("javascript:alert('https://nature.com')", "javascript:"),
        ("file:///etc/passwd", "file:"),
        ("ftp://ftp.ncbi.nlm.nih.gov/x", "ftp:"),
        ("mailto:a@nih.gov", "mailto:"),
        ("http://93.184.216.34/", "IP address"),
        ("http://[2001:db8::1]/", "IP address"),
        ("http://2130706433/", "IP address"),
        ("http://0x7f.0.0.1/", "IP address"),
        ("https://nih.gov\\@evil.com/", "backslash"),
        ("https:\\\\nih.gov/", "no //"),
        ("https://evil.com\\.nih.gov/", "backslash"),
        ("https://nih.gov\x00.evil.com/", "control"),
        ("https://nih.\ngov/", "control"),
        ("https://nih.gov/\u202efdp.exe", "control"),
        ("https://evil.com@a@nih.gov/", "two @"),
        ("https://nih.gov:99999/", "port"),
        ("https://nih.gov:x/", "port"),
        ("https:///nih.gov", "no host"),
        ("https://", "no host"),
        ("https://nih..gov/", "host name"),
        ("https://.gov/", "host name"),
        ("https://a b.gov/", "host name"),
        ("https://" + "a" * 64 + ".gov/", "host name"),
        ("https://" + "a." * 200 + "gov/", "host name"),
        ("http:nih.gov", "no //"),
        ("https://%00.gov/", "host name"),
        ("https://☃\u0301.\u0301gov/", "host name"),
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
    "url",
    [
        "https://www.nature.com/articles/../nature/x",
        "https://www.nature.com/articlesx/1",
        "https://www.nature.com/x/articles/1",
        "https://www.nature.com/?x=/articles/1",
        "https://www.nature.com/#/articles/1",
    ],
)
def test_a_path_rule_holds_for_that_path_alone(policy: TieredSourcePolicy, url: str) -> None:
    assert policy.classify(url).rule == "default/science-news: nature.com"


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


def test_lone_surrogates_are_replaced_so_that_the_verdict_can_be_stored(policy: TieredSourcePolicy) -> None:
    verdict = policy.classify("https://nih.gov/\udcff")
    assert verdict.tier == 4
    assert verdict.model_dump_json()


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
@settings(max_examples=600, deadline=None)
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


def test_it_is_a_source_policy_that_can_travel_to_a_worker(policy: TieredSourcePolicy) -> None:
    assert isinstance(policy, SourcePolicy)
    copy = pickle.loads(pickle.dumps(policy))
    assert copy.classify("https://naturee.com/") == policy.classify("https://naturee.com/")
    assert copy.fingerprint == policy.fingerprint


def test_thousands_of_urls_a_second_are_classified(policy: TieredSourcePolicy) -> None:
    urls = [f"https://www.site{n}.co.uk/articles/{n}" for n in range(2000)]
    start = time.process_time()
    for url in urls:
        policy.classify(url)
    assert len(urls) / (time.process_time() - start) > 2000
