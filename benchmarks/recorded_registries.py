"""Scholarly registries on loopback that answer from recorded records: searches by words of titles, look-ups by id."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.citations.registry_server import RegistryServer, Reply, as_json
from veritas.policy.citation_policy import CitationPolicy, SourceEntry
from veritas.registries.all_registries import Registries
from veritas.registries.records import normalise
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord
from veritas.works.title_comparison import title_words

ANSWERING = ("crossref", "openalex", "semantic_scholar", "dblp")
"""Sources whose answers were recorded, and which are therefore asked."""


class Pool:
    """Records of one source: each once, found by identifier and by the words of its title."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.items: list[tuple[Any, BibRecord, frozenset[str]]] = []
        self._kept: dict[str, int] = {}
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._by_id: dict[str, int] = {}

    def add(self, item: Any) -> BibRecord | None:
        """Keep a record. The fullest answer stays where a record was recorded several times."""
        record = normalise(self.source, item)
        if record.title is None:
            return None
        own = json.dumps(
            [record.doi, record.arxiv_id, record.dblp_key, record.title, [str(name) for name in record.authors[:3]]]
        )
        at = self._kept.get(own)
        if at is None:
            at = self._kept[own] = len(self.items)
            self.items.append((item, record, frozenset(title_words(record.full_title or ""))))
            for word in self.items[at][2]:
                self._by_word[word].add(at)
        elif len(json.dumps(item)) > len(json.dumps(self.items[at][0])):
            self.items[at] = (item, record, self.items[at][2])
        names = {f"doi:{record.doi}", f"arxiv:{record.arxiv_id or arxiv_of_doi(record.doi)}", f"pmid:{record.pmid}"}
        for name in names:
            self._by_id.setdefault(name, at)
        return record

    def under(self, kind: str, value: str) -> Any | None:
        """Return the record with an identifier."""
        at = self._by_id.get(f"{kind}:{value.lower()}")
        return None if at is None else self.items[at][0]

    def search(self, query: str, least: float = 0.5, limit: int = 10) -> list[Any]:
        """Return the records that share most words with the query."""
        wanted = frozenset(title_words(query))
        near: dict[int, int] = defaultdict(int)
        for word in wanted:
            for at in self._by_word.get(word, ()):
                near[at] += 1
        scored = []
        for at, count in near.items():
            own = self.items[at][2]
            if count >= least * min(len(wanted), len(own)):
                scored.append((-count / (len(wanted) + len(own) - count), at))
        return [self.items[at][0] for _, at in sorted(scored)[:limit]]


class RecordedServer(RegistryServer):
    """A registry server whose answers are recorded records."""

    def __init__(self, pools: Mapping[str, Pool]) -> None:
        self.pools = pools
        self.dois = {record.doi for pool in pools.values() for _, record, _ in pool.items if record.doi}
        super().__init__([])

    def policy(self, **changes: Any) -> CitationPolicy:
        """A policy with the recorded sources and doi.org alone."""
        names = (*ANSWERING, "doi_org")
        sources = {name: SourceEntry(url=f"{self.url}/{name}", interval=0, seconds=5) for name in names}
        return CitationPolicy(**({"sources": sources, "backoff": 0.01, "patience": 1} | changes))

    def registries(self, **how: Any) -> Registries:
        return Registries(self.policy(), **how)

    def _crossref(self, path: str, query: dict[str, str]) -> Reply:
        pool = self.pools["crossref"]
        if path.startswith("/works/"):
            found = pool.under("doi", path.removeprefix("/works/"))
            return as_json({"status": "ok", "message": found}) if found else Reply(404, "Resource not found.")
        if query.get("filter", "").startswith("doi:"):
            known = [pool.under("doi", each.removeprefix("doi:")) for each in query["filter"].split(",")]
            return as_json({"message": {"items": [item for item in known if item]}})
        if "filter" in query:
            return as_json({"message": {"items": []}})
        return as_json({"message": {"items": pool.search(query["query.bibliographic"], 0.3)}})

    def _openalex(self, path: str, query: dict[str, str]) -> Reply:
        pool = self.pools["openalex"]
        if path.startswith("/works/https://doi.org/"):
            found = self._doi_or_arxiv(pool, path.removeprefix("/works/https://doi.org/"))
            return as_json(found) if found else Reply(404, "<!doctype html><title>404 Not Found</title>")
        if path.startswith("/works/pmid:"):
            return Reply(404, "<!doctype html><title>404 Not Found</title>")
        if query.get("filter", "").startswith("doi:"):
            known = [self._doi_or_arxiv(pool, doi) for doi in query["filter"].removeprefix("doi:").split("|")]
            return as_json({"results": [item for item in known if item]})
        words = query.get("search") or query["filter"].removeprefix("title.search:")
        return as_json({"results": pool.search(words)})

    def _doi_or_arxiv(self, pool: Pool, doi: str) -> Any | None:
        arxiv_id = arxiv_of_doi(doi.lower())
        return pool.under("doi", doi) or (pool.under("arxiv", arxiv_id) if arxiv_id else None)

    def _semantic_scholar(self, path: str, query: dict[str, str]) -> Reply:
        pool = self.pools["semantic_scholar"]
        rest = path.removeprefix("/graph/v1/paper/")
        if rest == "search":
            found = pool.search(query["query"])
            return as_json({"total": len(found), "data": found})
        if rest == "batch":
            return as_json([self._named(pool, name) for name in json.loads(query["body"])["ids"]])
        one = self._named(pool, rest)
        return as_json(one) if one else as_json({"error": f"Paper with id {rest} not found"}, 404)

    def _named(self, pool: Pool, name: str) -> Any | None:
        kind, _, value = name.partition(":")
        return pool.under({"DOI": "doi", "ARXIV": "arxiv", "PMID": "pmid"}.get(kind, "doi"), value)

    def _dblp(self, path: str, query: dict[str, str]) -> Reply:
        found = self.pools["dblp"].search(query["q"], 0.9)
        return as_json({"result": {"hits": {"@total": str(len(found)), "hit": found}}})

    def _doi_org(self, path: str, query: dict[str, str]) -> Reply:
        doi = path.removeprefix("/api/handles/")
        if doi.lower() in self.dois:
            value = {"type": "URL", "data": {"format": "string", "value": f"https://publisher.example/{doi}"}}
            return as_json({"responseCode": 1, "handle": doi, "values": [value]})
        return as_json({"responseCode": 100, "handle": doi}, 404)


def read_references(path: Path) -> list[dict[str, Any]]:
    """Return the recorded references: what was cited, and what each source answered."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pools_of(references: Iterable[Mapping[str, Any]]) -> dict[str, Pool]:
    """Return all recorded records, by source."""
    pools = {name: Pool(name) for name in ANSWERING}
    for reference in references:
        for answer in reference["responses"]:
            for item in answer["results"]:
                if item:
                    pools[answer["api"]].add(item)
    return pools


def recorded_server(references: Iterable[Mapping[str, Any]]) -> closing[RecordedServer]:
    """The server for the length of a `with` block."""
    return closing(RecordedServer(pools_of(references)))
