"""An answer of each search provider: three results, of which the second is old and the third has no date."""

from __future__ import annotations

import json

from tests.loopback_web.web import Reply


def as_json(answer: object, status: int = 200) -> Reply:
    return Reply(json.dumps(answer), status, {"Content-Type": "application/json"})


def feed(*entries: tuple[str, str, str]) -> Reply:
    said = "".join(
        f"<entry><id>http://arxiv.org/abs/{i}</id><title>{t}</title><published>{d}</published><summary>S</summary></entry>"
        for i, t, d in entries
    )
    return Reply(f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{said}</feed>')


# name -> path, an answer with three results (the second of them old), and the URLs of the hits
ANSWERS: dict[str, tuple[str, Reply, list[str]]] = {
    "tavily": (
        "/search",
        as_json(
            {
                "results": [
                    {
                        "url": "https://a.example.org/1",
                        "title": "One",
                        "content": "text",
                        "published_date": "Mon, 06 May 2024 08:00:00 GMT",
                    },
                    {
                        "url": "https://a.example.org/2",
                        "title": "Two",
                        "content": "text",
                        "published_date": "2019-01-01",
                    },
                    {"url": "https://a.example.org/3", "title": "Three", "content": "text"},
                ]
            }
        ),
        ["https://a.example.org/1", "https://a.example.org/2", "https://a.example.org/3"],
    ),
    "exa": (
        "/search",
        as_json(
            {
                "results": [
                    {
                        "url": "https://a.example.org/1",
                        "title": "One",
                        "publishedDate": "2024-05-06T00:00:00.000Z",
                        "highlights": ["a", "b"],
                    },
                    {"url": "https://a.example.org/2", "title": None, "publishedDate": "2019-05-06"},
                    {"url": "https://a.example.org/3", "title": "Three", "publishedDate": None},
                ]
            }
        ),
        ["https://a.example.org/1", "https://a.example.org/2", "https://a.example.org/3"],
    ),
    "brave": (
        "/res/v1/web/search",
        as_json(
            {
                "type": "search",
                "web": {
                    "results": [
                        {
                            "url": "https://a.example.org/1",
                            "title": "<strong>One</strong>",
                            "description": "t",
                            "page_age": "2024-05-06T10:00:00",
                        },
                        {"url": "https://a.example.org/2", "title": "Two", "page_age": "2019-05-06T10:00:00"},
                        {"url": "https://a.example.org/3", "title": "Three"},
                    ]
                },
            }
        ),
        ["https://a.example.org/1", "https://a.example.org/2", "https://a.example.org/3"],
    ),
    "perplexity": (
        "/search",
        as_json(
            {
                "results": [
                    {
                        "url": "https://a.example.org/1",
                        "title": "One",
                        "snippet": "t",
                        "date": "2024-05-06",
                        "last_updated": "2024-06-01",
                    },
                    {"url": "https://a.example.org/2", "title": "Two", "snippet": "t", "date": "2019-05-06"},
                    {"url": "https://a.example.org/3", "title": "Three", "snippet": "t", "date": None},
                ]
            }
        ),
        ["https://a.example.org/1", "https://a.example.org/2", "https://a.example.org/3"],
    ),
    "searxng": (
        "/search",
        as_json(
            {
                "query": "q",
                "results": [
                    {
                        "url": "https://a.example.org/1",
                        "title": "One",
                        "content": "t",
                        "publishedDate": "2024-05-06T00:00:00",
                    },
                    {
                        "url": "https://a.example.org/2",
                        "title": "Two",
                        "content": "t",
                        "publishedDate": "2019-05-06 00:00:00",
                    },
                    {"url": "https://a.example.org/3", "title": "Three", "content": "t"},
                ],
                "unresponsive_engines": [],
            }
        ),
        ["https://a.example.org/1", "https://a.example.org/2", "https://a.example.org/3"],
    ),
    "wikipedia": (
        "/w/api.php",
        as_json(
            {
                "query": {
                    "search": [
                        {
                            "title": "Aspirin",
                            "snippet": 'a <span class="searchmatch">drug</span>',
                            "timestamp": "2024-05-06T00:00:00Z",
                        },
                        {"title": "Stroke (disease)", "snippet": "", "timestamp": "2019-05-06T00:00:00Z"},
                        {"title": "Côte d'Ivoire/100% #1?", "snippet": "", "timestamp": None},
                    ]
                }
            }
        ),
        ["{url}/wiki/Aspirin", "{url}/wiki/Stroke_(disease)", "{url}/wiki/C%C3%B4te_d%27Ivoire/100%25_%231%3F"],
    ),
    "openalex": (
        "/works",
        as_json(
            {
                "meta": {"count": 3},
                "results": [
                    {
                        "display_name": "One",
                        "publication_date": "2024-05-06",
                        "doi": "https://doi.org/10.1/1",
                        "best_oa_location": {
                            "landing_page_url": "https://pmc.example.org/1",
                            "pdf_url": "https://pmc.example.org/1.pdf",
                        },
                        "primary_location": {"landing_page_url": "https://doi.org/10.1/1"},
                        "abstract_inverted_index": {"hits": [1, 3], "It": [0], "and": [2]},
                    },
                    {
                        "display_name": "Two",
                        "publication_date": "2019-05-06",
                        "doi": "https://doi.org/10.1/2",
                        "best_oa_location": None,
                        "primary_location": {"landing_page_url": "https://journal.example.org/2"},
                    },
                    {
                        "display_name": "Three",
                        "publication_date": None,
                        "doi": "https://doi.org/10.1/3",
                        "primary_location": None,
                    },
                ],
            }
        ),
        ["https://pmc.example.org/1", "https://journal.example.org/2", "https://doi.org/10.1/3"],
    ),
    "semantic-scholar": (
        "/graph/v1/paper/search",
        as_json(
            {
                "total": 3,
                "data": [
                    {
                        "title": "One",
                        "abstract": "a",
                        "publicationDate": "2024-05-06",
                        "year": 2024,
                        "externalIds": {"ArXiv": "2405.1", "DOI": "10.1/1"},
                    },
                    {
                        "title": "Two",
                        "abstract": None,
                        "publicationDate": None,
                        "year": 2019,
                        "externalIds": {"DOI": "10.1/2"},
                        "openAccessPdf": {"url": "https://repo.example.org/2.pdf", "status": "GREEN"},
                    },
                    {
                        "title": "Three",
                        "abstract": None,
                        "publicationDate": None,
                        "year": None,
                        "externalIds": {"DOI": "10.1/3"},
                        "openAccessPdf": {"url": "https://closed.example.org/3.pdf", "status": "CLOSED"},
                    },
                ],
            }
        ),
        ["https://arxiv.org/abs/2405.1", "https://repo.example.org/2.pdf", "https://doi.org/10.1/3"],
    ),
    "crossref": (
        "/works",
        as_json(
            {
                "status": "ok",
                "message": {
                    "items": [
                        {
                            "DOI": "10.1/1",
                            "title": ["One &amp; only"],
                            "issued": {"date-parts": [[2024, 5, 6]]},
                            "abstract": "<jats:p>a</jats:p>",
                        },
                        {"DOI": "10.1/2", "title": ["Two"], "issued": {"date-parts": [[2019, 5, 6]]}},
                        {"DOI": "10.1/3", "title": [], "issued": {"date-parts": [[None]]}},
                        {"DOI": "10.1/4", "title": ["A figure"], "type": "component"},
                    ]
                },
            }
        ),
        ["https://doi.org/10.1/1", "https://doi.org/10.1/2", "https://doi.org/10.1/3"],
    ),
    "arxiv": (
        "/api/query",
        feed(
            ("2405.00001v2", "One", "2024-05-06T00:00:00Z"),
            ("1905.00001v1", "Two", "2019-05-06T00:00:00Z"),
            ("math/0309136v1", "Three", ""),
        ),
        [
            "https://arxiv.org/abs/2405.00001v2",
            "https://arxiv.org/abs/1905.00001v1",
            "https://arxiv.org/abs/math/0309136v1",
        ],
    ),
    "europepmc": (
        "/search",
        as_json(
            {
                "resultList": {
                    "result": [
                        {
                            "title": "One",
                            "firstPublicationDate": "2024-05-06",
                            "doi": "10.1/1",
                            "pmcid": "PMC1",
                            "inEPMC": "Y",
                            "isOpenAccess": "Y",
                        },
                        {
                            "title": "Two",
                            "firstPublicationDate": "2019-05-06",
                            "doi": "10.1/2",
                            "pmcid": "PMC2",
                            "inEPMC": "Y",
                            "isOpenAccess": "N",
                        },
                        {"title": "Three", "pmid": "77"},
                    ]
                }
            }
        ),
        ["https://europepmc.org/article/PMC/PMC1", "https://doi.org/10.1/2", "https://pubmed.ncbi.nlm.nih.gov/77/"],
    ),
}
