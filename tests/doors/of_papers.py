"""The use cases of papers: audited, gone on with, replayed, read, scored otherwise; corpora of claims, and reviews."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import veritas
from tests.doors.table import UseCase, fields
from tests.doors.world import World
from veritas.use_cases import corpora, papers

TOPIC = "Borealis pump oil"


def _audit(found: Any) -> dict[str, Any]:
    """What an audit says, without ids and times."""
    return {
        "title": found["paper"]["title"],
        "nodes": [(each["role"], each["text"]) for each in found["nodes"]],
        "flaws": [each["why"] for each in found["flaws"]],
    }


def _of(audit: Any) -> dict[str, Any]:
    return _audit(audit.model_dump(mode="json"))


def _http(world: World, path: str, **body: Any) -> dict[str, Any]:
    return _audit(world.http("GET", f"/papers/{world.work(path, **body)['audit_id']}"))


def _shown(found: dict[str, Any]) -> list[str]:
    return [found["title"], *(text for _, text in found["nodes"])]


def _ids(world: World, found: list[Any]) -> list[tuple[str, str]]:
    return [(each["audit_id"], each["title"]) for each in found if each["audit_id"] == world.audit]


def _changes(world: World) -> dict[str, Any]:
    node = veritas.load_paper_audit(world.audit).nodes[0]
    return {node.id: {next(iter(node.metrics)): 0.0}}


def _review(found: Any) -> dict[str, Any]:
    return {"topic": found["topic"], "sentences": [each["text"] for each in found["manuscript"]["sentences"]]}


def _review_http(world: World, path: str, **body: Any) -> dict[str, Any]:
    return _review(world.http("GET", f"/reviews/{world.work(path, **body)['review_id']}"))


def _written(world: World) -> str:
    """The id of a finished review, written from the corpus `pumps`; both are made when they are first wanted."""
    if not world.review:
        veritas.add_to_corpus("pumps", world.paper, extractor="embedded")
        world.review = veritas.write_review(TOPIC, "pumps").review_id
    return world.review


def _slipped(world: World) -> str:
    """The file of a paper whose numbers do not hold together."""
    path = world.library / "slipped.txt"
    slip = "Seals failed in 12 of 60 dry pumps (25.0%)."
    path.write_text(Path(world.paper).read_text().replace("The failure rate of the seals was 3% in both arms.", slip))
    return str(path)


def _texts(found: dict[str, Any]) -> list[str]:
    return [found["topic"]]


def _added(found: Any) -> dict[str, Any]:
    return fields(found, "added", "claims")


def _hits(found: Any) -> list[str]:
    return [each["claim"]["text"] for each in found]


def _unplaced(audit: dict[str, Any]) -> dict[str, Any]:
    """An audit without the place where its paper lay, which a server does not tell."""
    return {**audit, "paper": {**audit["paper"], "asked": Path(audit["paper"]["asked"]).name}}


USE_CASES = [
    UseCase(
        "audit of a paper", ("audit_paper", "paper"),
        lambda w: _of(veritas.audit_paper(w.paper, graphs=1)),
        lambda w: _audit(w.cli_json("paper", w.paper, "--graphs", "1", "--json", "-q")),
        lambda w: _http(w, "/papers", document="library/pumps.txt", graphs=1),
        lambda w: w.page("/papers", document="library/pumps.txt", graphs="1"),
        shown=lambda found: [found["title"]],
    ),
    UseCase(
        "arithmetic of a paper", ("referee_paper", "referee"),
        lambda w: veritas.referee_paper(_slipped(w)).model_dump(mode="json"),
        lambda w: w.cli_json("referee", _slipped(w), "--json", exits=(1,)),
        lambda w: w.http("POST", "/referees", json={"document": f"library/{Path(_slipped(w)).name}"}),
        "the page of an audit shows its findings",
    ),
    UseCase(
        "resume of an audit", ("resume_paper_audit",),
        lambda w: _of(veritas.resume_paper_audit(w.stopped_audit())),
        lambda w: _audit(w.cli_json("paper", "--resume", w.stopped_audit(), "--json", "-q")),
        lambda w: _http(w, f"/papers/{w.stopped_audit()}/resume"),
        lambda w: w.page(f"/papers/{w.stopped_audit()}/go-on", yes="yes"),
        shown=_shown,
    ),
    UseCase(
        "replay of an audit", ("replay_paper_audit",),
        lambda w: _of(veritas.replay_paper_audit(w.audit, "propagate", changes={"rules": "paper"})),
        lambda w: _audit(w.cli_json("paper", "--replay", w.audit, "--from", "propagate", "--rules", "paper", "--json",
                                    "-q")),
        lambda w: _http(w, f"/papers/{w.audit}/replay", from_stage="propagate", rules="paper"),
        lambda w: w.page(f"/papers/{w.audit}/replay", from_stage="propagate", rules="paper"),
        shown=_shown,
    ),
    UseCase(
        "list of audits", ("list_paper_audits",),
        lambda w: _ids(w, [each.model_dump(mode="json") for each in veritas.list_paper_audits()]),
        lambda w: _ids(w, w.cli_lines("paper", "--list", "--json")),
        lambda w: _ids(w, w.http("GET", "/papers")),
        lambda w: w.page("/papers"),
        shown=lambda found: [title for _, title in found],
    ),
    UseCase(
        "load an audit", ("load_paper_audit",),
        lambda w: _unplaced(veritas.load_paper_audit(w.audit).model_dump(mode="json")),
        lambda w: _unplaced(w.cli_json("paper", "--show", w.audit, "--json", "-q")),
        lambda w: _unplaced(w.http("GET", f"/papers/{w.audit}")),
        lambda w: w.page(f"/papers/{w.audit}"),
        shown=lambda found: _shown(_audit(found)),
    ),
    UseCase(
        "what if", (),
        lambda w: {"score": papers.what_if(veritas.load_paper_audit(w.audit), _changes(w)).as_json()["score"]},
        "veritas score takes an audit as JSON, with other metrics in it",
        lambda w: fields(w.http("POST", f"/papers/{w.audit}/what-if", json={"changes": _changes(w)}), "score"),
        lambda w: w.page(f"/papers/{w.audit}", **{
            f"m:{node}:{metric}": str(value) for node, given in _changes(w).items() for metric, value in given.items()
        }),
        shown=lambda found: ["With your changes", f"{found['score']:.2f}"],
    ),
    UseCase(
        "fill a corpus", ("add_to_corpus", "corpus"),
        lambda w: _added(veritas.add_to_corpus("of-python", w.paper, extractor="embedded")[0].model_dump(mode="json")),
        lambda w: _added(w.cli_json("corpus", "add", "of-cli", w.paper, "--extractor", "embedded", "--json", "-q")
                         [0]),
        lambda w: _added(w.work("/corpora/of-http/papers", documents=["library/pumps.txt"])["additions"][0]),
        lambda w: w.page("/reviews/corpora", name="of-page", corpus="library/pumps.txt"),
        shown=lambda found: ["of-page", str(found["claims"])],
    ),
    UseCase(
        "search a corpus", (),
        lambda w: _hits([each.model_dump(mode="json") for each in asyncio.run(
            corpora.search_corpus("oil", _written(w) and "pumps", lexical_only=True))]),
        lambda w: [each["text"] for each in w.cli_json(
            "corpus", "search", "oil", "-c", "pumps", "--lexical", "--json")["hits"]],
        lambda w: _hits(w.http("GET", "/corpora/pumps/search", params={"q": "oil"})),
        lambda w: w.page("/reviews/corpora/pumps?q=oil"),
        shown=lambda found: found,
    ),
    UseCase(
        "review", ("write_review", "review"),
        lambda w: _written(w) and _review(veritas.write_review(TOPIC, "pumps").model_dump(mode="json")),
        lambda w: _review(w.cli_json("review", TOPIC, "--corpus", "pumps", "--json", "-q")),
        lambda w: _review_http(w, "/reviews", topic=TOPIC, corpus="pumps"),
        lambda w: w.page("/reviews", topic=TOPIC, corpus="pumps"),
        shown=_texts,
    ),
    UseCase(
        "resume of a review", ("resume_review",),
        lambda w: _review(veritas.resume_review(_written(w)).model_dump(mode="json")),
        lambda w: _review(w.cli_json("review", "--resume", _written(w), "--json", "-q")),
        lambda w: _review_http(w, f"/reviews/{_written(w)}/resume"),
        lambda w: w.page(f"/reviews/{_written(w)}/go-on", yes="yes"),
        shown=_texts,
    ),
    UseCase(
        "replay of a review", ("replay_review",),
        lambda w: _review(veritas.replay_review(_written(w), "write").model_dump(mode="json")),
        lambda w: _review(w.cli_json("review", "--replay", _written(w), "--from", "write", "--json", "-q")),
        lambda w: _review_http(w, f"/reviews/{_written(w)}/replay", from_stage="write"),
        lambda w: w.page(f"/reviews/{_written(w)}/replay", from_stage="write"),
        shown=_texts,
    ),
    UseCase(
        "list of reviews", ("list_reviews",),
        lambda w: _written(w) and [each.review_id for each in veritas.list_reviews()][-1:],
        lambda w: [each["review_id"] for each in w.cli_lines("review", "--list", "--json")][-1:],
        lambda w: [each["review_id"] for each in w.http("GET", "/reviews")][-1:],
        lambda w: w.page("/reviews"),
        shown=lambda found: [TOPIC],
    ),
]  # fmt: skip
