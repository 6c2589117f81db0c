"""Every registry on one loopback server, over real HTTP: answers put together from records, and faults on demand."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback.listening import Answering, Listening
from veritas.policy.citation_policy import CitationPolicy, SourceEntry
from veritas.registries.all_registries import Registries
from veritas.works.title_comparison import title_words

NAMES = (
    "crossref", "openalex", "semantic_scholar", "arxiv", "datacite", "doi_org", "europepmc", "dblp", "unpaywall",
)  # fmt: skip


@dataclass(frozen=True)
class Reply:
    """What is sent back; `cut` sends so many bytes fewer than announced, `seconds` is how long it thinks first."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: int = 0


def as_json(value: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value), {"Content-Type": "application/json"})


SLOW = Reply(seconds=0.6, body="{}")
HOURS = Reply(429, "slow down", {"Retry-After": "7200"})
BROKEN = Reply(503, "down")
HTML = Reply(200, "<!doctype html><html><body>Sign in</body></html>", {"Content-Type": "text/html"})
TRUNCATED = Reply(200, '{"message": {"DOI": "10.1', {"Content-Type": "application/json"})
CUT_OFF = Reply(200, "{" + " " * 500, cut=300)
PORTAL_404 = Reply(404, "<html>Page missing on this proxy</html>")
FAULTS = {
    "slow": SLOW, "429 for hours": HOURS, "5xx": BROKEN, "html": HTML, "truncated": TRUNCATED, "cut off": CUT_OFF,
    "a proxy's 404": PORTAL_404,
}  # fmt: skip


@dataclass
class Work:
    """One paper that exists. `in_` are the sources that hold it; `changes` alter what a source says of it."""

    title: str
    authors: tuple[str, ...] = ("Ann Author", "Ben Bibliographer")
    year: int = 2020
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    venue: str = "Journal of Tests"
    abstract: str | None = None
    updates: tuple[Mapping[str, Any], ...] = ()
    retracted: bool = False
    kind: str = "journal-article"
    in_: frozenset[str] = frozenset(NAMES)
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def says(self, source: str, name: str) -> Any:
        return self.changes.get(source, {}).get(name, getattr(self, name))


class RegistryServer(Listening):
    """`works` are what the registries hold; `faults` maps a source to what it answers in place of everything."""

    def __init__(self, works: list[Work]) -> None:
        self.works = works
        self.faults: dict[str, Reply | Callable[[str], Reply | None]] = {}
        self.asked: list[tuple[str, str]] = []
        outer = self

        class Handler(Answering):
            def do_POST(self) -> None:
                self.do_GET()

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                _, source, rest = parts.path.split("/", 2)
                query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                if length := int(self.headers.get("Content-Length") or 0):
                    query["body"] = self.rfile.read(length).decode()
                outer.asked.append((source, self.path))
                fault = outer.faults.get(source)
                reply = fault(self.path) if callable(fault) else fault
                if reply is None:
                    reply = getattr(outer, f"_{source}")("/" + unquote(rest), query)
                time.sleep(reply.seconds)
                self.send(reply.status, reply.body.encode(), reply.headers, cut=reply.cut)

        super().__init__(Handler)
        self.url = f"http://127.0.0.1:{self.port}"

    def environment(self) -> dict[str, str]:
        """The variables that point every registry here."""
        return {f"VERITAS_{name.upper()}_URL": f"{self.url}/{name}" for name in NAMES}

    def policy(self, **changes: Any) -> CitationPolicy:
        """A policy whose registries are all here; short waits."""
        sources = {name: SourceEntry(url=f"{self.url}/{name}", interval=0, seconds=1) for name in NAMES}
        return CitationPolicy(**({"sources": sources, "backoff": 0.01, "patience": 1} | changes))

    def registries(self, **how: Any) -> Registries:
        return Registries(self.policy(), **how)

    def count(self, source: str) -> int:
        return sum(asked == source for asked, _ in self.asked)

    # what each registry answers

    def _by(self, source: str, name: str, value: str) -> Work | None:
        for work in self.works:
            if source in work.in_ and str(getattr(work, name) or "").lower() == value.lower():
                return work
        return None

    def _search(self, source: str, query: str, least: float = 0.6) -> list[Work]:
        wanted = set(title_words(query))
        scored = []
        for work in self.works:
            words = set(title_words(work.says(source, "title")))
            if source in work.in_ and wanted and len(wanted & words) >= least * min(len(wanted), len(words)):
                scored.append((-len(wanted & words), work.title, work))
        return [work for _, _, work in sorted(scored, key=lambda each: each[:2])][:10]

    def _anywhere(self, source: str, query: str) -> list[Work]:
        """The works that share a word with the query in title or abstract, those that share most first."""
        wanted = set(title_words(query))
        shared = {
            at: len(wanted & set(title_words(f"{work.says(source, 'title')} {work.abstract or ''}")))
            for at, work in enumerate(self.works)
            if source in work.in_
        }
        return [self.works[at] for at in sorted(shared, key=lambda at: (-shared[at], at)) if shared[at]][:10]

    def _crossref(self, path: str, query: dict[str, str]) -> Reply:
        if path.startswith("/works/"):
            work = self._by("crossref", "doi", path.removeprefix("/works/"))
            return as_json({"status": "ok", "message": crossref(work)}) if work else Reply(404, "Resource not found.")
        if query.get("filter", "").startswith("doi:"):
            known = [self._by("crossref", "doi", each.removeprefix("doi:")) for each in query["filter"].split(",")]
            return as_json({"message": {"items": [crossref(work) for work in known if work]}})
        if "filter" in query:
            dois = {each.removeprefix("updates:") for each in query["filter"].split(",")}
            works = [w for w in self.works if any(u.get("DOI") in dois for u in w.says("crossref", "updates"))]
            notices = [work for work in works if work.doi not in dois]
            return as_json({"message": {"items": [crossref(work, notice=True) for work in notices]}})
        works = [work for work in self._search("crossref", query["query.bibliographic"], 0.3) if work.doi]
        return as_json({"message": {"items": [crossref(work) for work in works]}})

    def _openalex(self, path: str, query: dict[str, str]) -> Reply:
        if path.startswith("/works/https://doi.org/"):
            doi = path.removeprefix("/works/https://doi.org/")
            arxiv_id = doi.lower().removeprefix("10.48550/arxiv.")
            work = self._by("openalex", "doi", doi) or self._by("openalex", "arxiv_id", arxiv_id)
            return as_json(openalex(work)) if work else Reply(404, "<!doctype html><title>404 Not Found</title>")
        if path.startswith("/works/pmid:"):
            work = self._by("openalex", "pmid", path.removeprefix("/works/pmid:"))
            return as_json(openalex(work)) if work else Reply(404, "<!doctype html><title>404 Not Found</title>")
        if query.get("filter", "").startswith("doi:"):
            known = [self._by("openalex", "doi", doi) for doi in query["filter"].removeprefix("doi:").split("|")]
            works = [work for work in known if work]
        elif "search" in query:
            works = self._anywhere("openalex", query["search"])
        else:
            works = self._search("openalex", query["filter"].removeprefix("title.search:"))
        return as_json({"results": [openalex(work) for work in works]})

    def _semantic_scholar(self, path: str, query: dict[str, str]) -> Reply:
        rest = path.removeprefix("/graph/v1/paper/")
        if rest == "search":
            works = self._anywhere("semantic_scholar", query["query"])
            return as_json({"total": len(works), "data": [semantic_scholar(work) for work in works]})
        if rest == "batch":
            known = [self._s2(name) for name in json.loads(query["body"])["ids"]]
            return as_json([semantic_scholar(work) if work else None for work in known])
        work = self._s2(rest)
        return as_json(semantic_scholar(work)) if work else as_json({"error": f"Paper with id {rest} not found"}, 404)

    def _s2(self, rest: str) -> Work | None:
        kind, _, value = rest.partition(":")
        return self._by("semantic_scholar", {"DOI": "doi", "ARXIV": "arxiv_id", "PMID": "pmid"}[kind], value)

    def _arxiv(self, path: str, query: dict[str, str]) -> Reply:
        if "id_list" in query:
            found = [self._by("arxiv", "arxiv_id", each) for each in query["id_list"].split(",")]
            works = [work for work in found if work]
        else:
            works = [w for w in self._search("arxiv", query["search_query"].removeprefix("ti:"), 0.9) if w.arxiv_id]
        return Reply(200, atom(works), {"Content-Type": "application/atom+xml"})

    def _datacite(self, path: str, query: dict[str, str]) -> Reply:
        if path.startswith("/dois/"):
            doi = path.removeprefix("/dois/").lower()
            arxiv_id = doi.removeprefix("10.48550/arxiv.")
            work = self._by("datacite", "arxiv_id", arxiv_id) if "arxiv" in doi else None
            if work is None:
                return as_json(
                    {"errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]}, 404
                )
            return as_json({"data": datacite(work)})
        return as_json({"data": []})

    def _doi_org(self, path: str, query: dict[str, str]) -> Reply:
        doi = path.removeprefix("/api/handles/")
        if self._by("doi_org", "doi", doi):
            value = {"type": "URL", "data": {"format": "string", "value": f"https://publisher.example/{doi}"}}
            return as_json({"responseCode": 1, "handle": doi, "values": [value]})
        return as_json({"responseCode": 100, "handle": doi}, 404)

    def _europepmc(self, path: str, query: dict[str, str]) -> Reply:
        asked = query["query"]
        if asked.startswith("DOI:"):
            known = [self._by("europepmc", "doi", each[5:-1]) for each in asked.split(" OR ")]
            listed = [europepmc(work) for work in known if work and work.pmid]
            return as_json({"hitCount": len(listed), "resultList": {"result": listed}})
        if asked.startswith("EXT_ID:"):
            found = self._by("europepmc", "pmid", asked[7:].split(" ")[0])
        else:
            works = [work for work in self._search("europepmc", asked.removeprefix("TITLE:"), 0.9) if work.pmid]
            return as_json({"resultList": {"result": [europepmc(work) for work in works]}})
        works = [found] if found and found.pmid else []
        return as_json({"resultList": {"result": [europepmc(work) for work in works]}})

    def _dblp(self, path: str, query: dict[str, str]) -> Reply:
        works = self._search("dblp", query["q"], 0.9)
        return as_json({"result": {"hits": {"@total": str(len(works)), "hit": [dblp(work) for work in works]}}})

    def _unpaywall(self, path: str, query: dict[str, str]) -> Reply:
        return as_json({"doi": path, "best_oa_location": None, "oa_locations": []})


def _names(work: Work, source: str) -> list[tuple[str, str]]:
    pairs = [name.rpartition(" ")[::2] for name in work.says(source, "authors")]
    return [(given, family) for given, family in pairs]


def crossref(work: Work, *, notice: bool = False) -> dict[str, Any]:
    record: dict[str, Any] = {
        "DOI": work.says("crossref", "doi"),
        "type": work.kind,
        "title": [work.says("crossref", "title")],
        "author": [{"given": given, "family": family} for given, family in _names(work, "crossref")],
        "container-title": [work.says("crossref", "venue")],
        "issued": {"date-parts": [[work.says("crossref", "year")]]},
    }
    stated = work.changes.get("crossref", {})
    record |= {name: stated[name] for name in ("volume", "issue", "page") if name in stated}
    if work.abstract:
        record["abstract"] = f"<jats:p>{work.abstract}</jats:p>"
    for update in work.says("crossref", "updates"):
        record.setdefault("update-to" if notice or update.get("DOI") != work.doi else "updated-by", []).append(update)
    return record


def openalex(work: Work) -> dict[str, Any]:
    arxiv = {"landing_page_url": f"https://arxiv.org/abs/{work.arxiv_id}"} if work.arxiv_id else {}
    words = (work.abstract or "").split()
    doi = work.says("openalex", "doi")
    return {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{doi}" if doi else None,
        "title": work.says("openalex", "title"),
        "publication_year": work.says("openalex", "year"),
        "type": "article",
        "type_crossref": work.kind,
        "is_retracted": work.says("openalex", "retracted"),
        "primary_location": {"source": {"display_name": work.says("openalex", "venue"), "type": "journal"}},
        "locations": [arxiv] if arxiv else [],
        "authorships": [{"raw_author_name": name} for name in work.says("openalex", "authors")],
        "abstract_inverted_index": {word: [i for i, w in enumerate(words) if w == word] for word in words} or None,
    }


def semantic_scholar(work: Work) -> dict[str, Any]:
    ids = {
        "DOI": work.says("semantic_scholar", "doi"),
        "ArXiv": work.says("semantic_scholar", "arxiv_id"),
        "PubMed": work.pmid,
    }
    return {
        "paperId": "x",
        "externalIds": {name: value for name, value in ids.items() if value},
        "title": work.says("semantic_scholar", "title"),
        "year": work.says("semantic_scholar", "year"),
        "venue": work.says("semantic_scholar", "venue"),
        "authors": [{"name": name} for name in work.says("semantic_scholar", "authors")],
        "abstract": work.says("semantic_scholar", "abstract"),
    }


def atom(works: list[Work]) -> str:
    from xml.sax.saxutils import escape

    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{work.arxiv_id}v1</id><title>{escape(work.says('arxiv', 'title'))}</title>"
        f"<published>{work.says('arxiv', 'year')}-06-01T00:00:00Z</published>"
        f"<summary>{escape(work.abstract or '')}</summary>"
        + "".join(f"<author><name>{escape(name)}</name></author>" for name in work.says("arxiv", "authors"))
        + "</entry>"
        for work in works
    )
    return f"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>q</title>{entries}</feed>"


def datacite(work: Work) -> dict[str, Any]:
    return {
        "id": f"10.48550/arxiv.{work.arxiv_id}",
        "attributes": {
            "doi": f"10.48550/arxiv.{work.arxiv_id}",
            "titles": [{"title": work.says("datacite", "title")}],
            "creators": [{"name": f"{family}, {given}"} for given, family in _names(work, "datacite")],
            "publicationYear": work.says("datacite", "year"),
            "publisher": "arXiv",
            "types": {"resourceTypeGeneral": "Preprint"},
        },
    }


def europepmc(work: Work) -> dict[str, Any]:
    return {
        "source": "MED",
        "pmid": work.pmid,
        "doi": work.says("europepmc", "doi"),
        "title": work.says("europepmc", "title") + ".",
        "authorList": {
            "author": [{"firstName": given, "lastName": family} for given, family in _names(work, "europepmc")]
        },
        "pubYear": str(work.says("europepmc", "year")),
        "journalInfo": {"journal": {"title": work.says("europepmc", "venue")}},
        "abstractText": work.abstract,
    }


def dblp(work: Work) -> dict[str, Any]:
    info = {
        "authors": {"author": [{"text": name} for name in work.says("dblp", "authors")]},
        "title": work.says("dblp", "title") + ".",
        "venue": work.says("dblp", "venue"),
        "year": str(work.says("dblp", "year")),
        "type": "Journal Articles",
        "doi": work.says("dblp", "doi"),
    }
    return {"info": {name: value for name, value in info.items() if value}}


def registry_server(*works: Work) -> closing[RegistryServer]:
    """The server for the length of a `with` block."""
    return closing(RegistryServer(list(works)))
