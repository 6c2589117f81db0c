"""The worked example of section XI, played: its web, its search providers and its models on loopback, from the data."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from tests.loopback.scripted import Heard, fold, heard, judged
from tests.loopback.server import Asked, Reply
from tests.loopback_web import web as loopback_web
from veritas.search.rotation import schedule

SEED = 107
"""With this seed the first sub-query is researched as the section tells: m1 on Tavily, m2 on Exa, m3 on Brave …"""

PATHS = {
    "tavily": "/tavily/search",
    "exa": "/exa/search",
    "brave": "/brave/res/v1/web/search",
    "searxng": "/searxng/search",
    "perplexity": "/perplexity/search",
}
"""Where each provider's API answers on the loopback web. SearXNG sits where the section has Bing, which is no more."""

STANDARD = {
    "rounds": 3, "providers_per_member": 1, "hits_per_search": 6, "sources_per_search": 6,
    "claims_per_turn": 6,
}  # fmt: skip
"""What the section's Standard run differs in from Table II: it has an R3, and each member asks one provider once."""


@dataclass(frozen=True)
class Rule:
    """What a careful reader says of a statement when the passage holds the quote."""

    statement: str
    quote: str
    label: str
    why: str


class Scenario:
    """The data of `scenario.yaml`, as the answers of servers. With `failing_defence` a reader of the defence's further
    source finds nothing of the claim in it."""

    def __init__(self, port: int = 0, *, failing_defence: bool = False) -> None:
        self.data: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "scenario.yaml").read_text("utf-8"))
        self.port = port
        self.failing_defence = failing_defence
        self.question: str = self.data["question"]
        self.members: dict[str, dict[str, Any]] = self.data["members"]
        self.pages: dict[str, dict[str, Any]] = self.data["pages"]
        self._member_of = {spec["model"]: name for name, spec in self.members.items()}
        self._sub_query_of = {fold(text): key for key, text in self.data["sub_queries"].items()}

    # -- the council --------------------------------------------------------------------------------------------------

    def council(self, url: str) -> str:
        """The council file: five members of five families, and a small judge of a sixth."""

        def model(name: str, spec: dict[str, Any]) -> dict[str, Any]:
            return {
                "name": name, "model": f"openai/{spec['model']}", "family": spec["family"], "base_url": url,
                "structured": "schema", "window": 100_000, "price": spec["price"],
                "limits": {"timeout": 30, "retries": 1, "backoff": 0.01},
            }  # fmt: skip

        return yaml.safe_dump(
            {
                "members": [model(name, spec) for name, spec in self.members.items()],
                "judges": [model("judge", self.data["judge"])],
                "verifiers": ["judge"],
                "writer": self.data["writer"],
                "providers": {url: {"at_once": 16}},
            }
        )

    # -- the web ------------------------------------------------------------------------------------------------------

    def url(self, page: str) -> str:
        """The address of a page on the loopback web."""
        host, _, path = self.pages[page]["url"].partition("/")
        return f"http://{host}:{self.port}/{path}"

    def web_pages(self) -> dict[str, loopback_web.Reply | loopback_web.Script]:
        """Every page that has a text, and the providers' APIs."""
        served: dict[str, loopback_web.Reply | loopback_web.Script] = {
            path: self._search(provider) for provider, path in PATHS.items()
        }
        for key, page in self.pages.items():
            # Rejected pages are there as well: that nobody asks for them is what the test sees.
            served[page["url"].partition("?")[0]] = loopback_web.html(self._page(key))
        return served

    def _page(self, key: str) -> str:
        page = self.pages[key]
        title, said = html.escape(page["title"]), page.get("says", ["Language models hallucinate, trust me."])
        head = f"<title>{title}</title>"
        if page["url"].startswith("arxiv.org/"):
            head += f'<meta name="citation_title" content="{title}">'
            head += f'<meta name="citation_abstract" content="{html.escape(" ".join(said))}">'
        body = f"<h1>{title}</h1><p>{html.escape(' '.join(said))}</p>"
        if "references" in page:
            links = "".join(f'<li><a href="{self.url(r)}">{r}</a></li>' for r in page["references"])
            body = f'<div id="mw-content-text">{body}<ol class="references">{links}</ol></div>'
        return f"<html><head>{head}</head><body><main>{body}</main></body></html>"

    @cached_property
    def _who_searches(self) -> dict[tuple[str, str], str]:
        names, queries = list(self.members), list(self.data["sub_queries"])
        bound = schedule(names, queries, list(PATHS), 1, SEED)
        return {(b.provider, b.sub_query_id): b.member for b in bound}

    def _search(self, provider: str) -> loopback_web.Script:
        """A provider's API: it gives each member, whom it knows by the schedule, what that member finds."""

        def answer(asked: loopback_web.Asked) -> loopback_web.Reply:
            query = asked.query.get("q") or json.loads(asked.body)["query"]
            sub_query = self._sub_query_of[fold(query)]
            found = self.data["finds"][self._who_searches[provider, sub_query]][sub_query]
            results = [{"url": self.url(key), "title": self.pages[key]["title"]} for key in found]
            said = {"type": "search", "web": {"results": results}} if provider == "brave" else {"results": results}
            return loopback_web.Reply(json.dumps(said), headers={"Content-Type": "application/json"})

        return answer

    # -- the models ---------------------------------------------------------------------------------------------------

    def script(self, asked: Asked) -> Reply:
        """What the model that is asked says."""
        return Reply(json.dumps(self._said(asked.model, heard(asked))))

    def _said(self, model: str, to: Heard) -> dict[str, Any]:
        if to.turn == "judge":
            return judged(to, lambda claim, passage: self._judged(fold(claim), fold(passage)))
        member = self._member_of[model]
        turn = getattr(self, f"_{to.turn}")
        said: dict[str, Any] = turn(member, to)
        return said

    def _decompose(self, member: str, to: Heard) -> dict[str, Any]:
        return {"sub_queries": [{"text": text, "facet": key} for key, text in self.data["sub_queries"].items()]}

    def _assert(self, member: str, to: Heard) -> dict[str, Any]:
        sub_query = next(key for text, key in self._sub_query_of.items() if text in fold(to.text("sub-question")))
        claims = [
            {
                "claim": c["claim"],
                "claim_type": c.get("type", "factual"),
                "confidence": 0.9,
                "quotes": [self._quote(to, c["quote"], c["page"])],
            }
            for c in self.data["claims"][member].get(sub_query, ())
        ]
        return {"claims": claims}

    def _quote(self, to: Heard, quote: str, page: str) -> dict[str, str]:
        """A quote by the id of the passage that holds it; of several pages that say the same, the page's own."""
        whole = fold(" ".join(self.pages[page]["says"]))
        held = [(name, text) for name, text in to.under("passage") if fold(quote) in fold(text)]
        name = next((n for n, text in held if whole in fold(text)), held[0][0])
        return {"passage_id": name, "quote": quote}

    def _contest(self, member: str, to: Heard) -> dict[str, Any]:
        peers: dict[str, list[str]] = {}
        for name, text in to.under("claim"):
            peers.setdefault(fold(text), []).append(name)
        return {
            "objections": [
                {
                    "claim_id": peers[x["against"]][-1],  # of two that say the same, the later asserter's
                    "objection": x["objection"],
                    "counter_claim": x["position"],
                    "quotes": [self._quote(to, x["quote"], x["page"])] if "quote" in x else [],
                }
                for x in self.data["debate"]
                if x["member"] == member
            ]
        }

    def _respond(self, member: str, to: Heard) -> dict[str, Any]:
        contested = fold(to.text("your claim"))
        reply = next(x["reply"] for x in self.data["debate"] if x["against"] == contested and "reply" in x)
        return {
            "kind": reply["kind"],
            "statement": reply["statement"],
            "claim": reply.get("claim"),
            "claim_type": reply.get("type"),
            "confidence": 0.9 if "claim" in reply else None,
            "quotes": [self._quote(to, reply["quote"], reply["page"])] if "quote" in reply else [],
        }

    def _synthesize(self, member: str, to: Heard) -> dict[str, Any]:
        admitted = {fold(text.partition("\nStanding objection")[0]): name for name, text in to.under("claim")}
        return {
            "sentences": [
                {"text": text, "claim_ids": [admitted[text]], "paragraph": number, "kind": "claim"}
                for number, paragraph in enumerate(self.data["answer"])
                for text in paragraph
            ]
        }

    def _repair(self, member: str, to: Heard) -> dict[str, Any]:
        return {"sentence": None}

    @cached_property
    def _rules(self) -> list[Rule]:
        rules = [
            Rule(c["claim"], c["quote"], c.get("label", "supports"), c.get("why", "The passage says so."))
            for by_query in self.data["claims"].values()
            for claims in by_query.values()
            for c in claims
        ]
        for x in self.data["debate"]:
            if "quote" in x:
                label = x.get("supported", "supports")
                why = "The passage says so." if label == "supports" else "The passage says nothing of the kind."
                rules.append(Rule(x["position"], x["quote"], label, why))
                rules.append(Rule(x["against"], x["quote"], x["says"], "The passage speaks against it."))
            reply = x.get("reply", {})
            if reply.get("kind") == "refinement":
                rules.append(Rule(reply["claim"], reply["quote"], "supports", "The passage gives both rates."))
            if reply.get("kind") == "defence":
                label = "silent" if self.failing_defence else "supports"
                rules.append(Rule(x["against"], reply["quote"], label, "The passage says so."))
        return rules

    def _judged(self, claim: str, passage: str) -> dict[str, Any]:
        # The whole passage decides: of two rules for one statement the later, more particular one.
        held = [r for r in reversed(self._rules) if r.statement == claim and fold(r.quote) in passage]
        rule = held[0] if held else Rule(claim, "", "silent", "The passage does not speak of it.")
        return {"rationale": rule.why, "label": rule.label, "score": 0.95}
