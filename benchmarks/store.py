"""How long the store takes and how its files grow, for claim graphs of 10 to 10,000 claims.

    python benchmarks/store.py [--claims 10,100,1000,10000] [--json]

The graphs are synthetic but shaped like real ones: five members, passages of some 600 characters with context, two
quotes a claim, three judgments a claim, one contestation in ten, calls with their prompts in the ledger.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from veritas.claims import (
    Answer,
    Binding,
    Call,
    Citation,
    ClaimEnvelope,
    ClaimGraph,
    ClaimJudgment,
    Contestation,
    Event,
    HitRecord,
    MemberInfo,
    Passage,
    Provenance,
    Reference,
    Round,
    Run,
    Search,
    Sentence,
    Source,
    SpanRef,
    StageTiming,
    SubQuery,
    claim_id,
    passage_id,
    source_id,
)
from veritas.claims.graph import STAGES
from veritas.claims.override import Override
from veritas.documents.document import document_id
from veritas.frozen import content_id
from veritas.store import LedgerEntry, RunStore, list_runs, merge_run, rebuild_catalogue

_WORDS = (
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which "
    "one you were her all she there would their we him been has when who will more no if out so said what up its about "
    "concurrency server deployment timeout evidence passage retrieval consensus measurement calibration hallucination "
    "reduction probability distribution estimate significant increase decrease percent kilometres temperature Zürich "
    "Ελλάδα 研究 naïve façade 12 53% 23% 1998 2026 0.05"
)


def prose(rng: random.Random, words: int) -> str:
    """Something as long and as compressible as prose."""
    return " ".join(rng.choices(_WORDS.split(), k=words)).capitalize() + "."


def synthetic_run(run_id: str, *, parent: str | None = None, finished: bool = False) -> Run:
    """A run, begun on a fixed day."""
    begun = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    return Run(
        run_id=run_id,
        parent_run_id=parent,
        replayed_from="verify" if parent else None,
        question="By how much does cross-evaluation by several models reduce hallucination?",
        tier="deep",
        seed=7,
        started_at=begun,
        finished_at=begun + timedelta(seconds=41) if finished else None,
        version="0.1.0",
        settings={"budget_usd": 1.5, "council": ["m1", "m2"], "corpus": None},
        policy_hash="0" * 64,
        degraded=("one provider fewer",) if finished else (),
        timings=tuple(StageTiming(stage=s, seconds=0.5) for s in STAGES) if finished else (),
    )


def synthetic_graph(run_id: str, claims: int, *, parent: str | None = None, seed: int = 1) -> ClaimGraph:
    """A claim graph with something in each of its parts."""
    rng = random.Random(seed)
    members = [f"m{i}" for i in range(1, 6)]
    queries = [SubQuery(sub_query_id=f"q{i}", text=prose(rng, 12), facet="rates") for i in range(4)]
    sources, passages, citations = [], [], []
    for i in range(max(3, claims // 4)):
        text = prose(rng, 400)
        url = f"https://journal-{i % 17}.example.org/articles/{i}"
        name = document_id(text)
        rejected = i % 5 == 4
        sources.append(
            Source(
                source_id=source_id(url), url=url, status="rejected" if rejected else "read", tier=4 if rejected else 1,
                admitted=not rejected, justification="a forum" if rejected else "a peer-reviewed journal", rule="r1",
                title=prose(rng, 9), authors=("A. Author", "B. Böll"), published_at=date(2024, 1 + i % 12, 3),
                doi=f"10.1000/{i}", fetch=None if rejected else date(2026, 3, 1),
                document_id=None if rejected else name, publisher=f"journal-{i % 17}.example.org",
            )
        )
        if rejected:
            continue
        citations.append(Citation(url=url, tier=1 + i % 3, fetch=date(2026, 3, 1), document_id=name))
        for start in range(0, 1800, 600):
            passages.append(
                Passage(
                    passage_id=passage_id(name, start, start + 600), document_id=name, start=start, end=start + 600,
                    text=text[start : start + 600], page=1 + start // 1200, before=text[max(0, start - 300) : start],
                    after=text[start + 600 : start + 900],
                )
            )
    envelopes, judgments, contestations, calls = [], [], [], []
    for i in range(claims):
        said, member = prose(rng, 18), members[i % 5]
        citation = citations[i % len(citations)]
        chosen = passages[3 * (i % len(citations)) :][:2]
        spans = tuple(
            SpanRef(passage_id=p.passage_id, document_id=p.document_id, start=p.start + 10, end=p.start + 210)
            for p in chosen
        )
        name = claim_id(said, member, spans)
        envelopes.append(
            ClaimEnvelope(
                claim_id=name, claim=said, claim_type="factual" if i % 3 else "numerical", confidence=rng.random(),
                citations=(citation,), source_passages=tuple(p.text[10:210] for p in chosen), asserted_by=member,
                verifier_judgment="supports", debate_status="contested" if i % 10 == 0 else "uncontested", spans=spans,
                badges=("single-source",) if i % 7 == 0 else (),
                provenance=Provenance(
                    member=member, family=f"family-{member}", sub_query_id=f"q{i % 4}", prompt="extract/3"
                ),
            )
        )
        for lens in ("numbers", "coverage", "negation"):
            judgments.append(
                ClaimJudgment(
                    label="supports", score=rng.random(), rationale=prose(rng, 14), lens=lens, family=lens,
                    subject_id=name, passage_ids=tuple(p.passage_id for p in chosen),
                )
            )
        if i % 10 == 0:
            contestations.append(
                Contestation(
                    contestation_id=content_id("k", name), claim_id=name, challenger=members[(i + 1) % 5],
                    objection=prose(rng, 20), counter_claim=prose(rng, 15), counter_citations=(citation,),
                    counter_passages=(chosen[0].text[:80],), counter_spans=(spans[0],), resolution="defended",
                    ruling="Defended with a further source.", response=prose(rng, 12), response_citations=(citation,),
                    response_passages=(chosen[0].text[:90],), response_spans=(spans[0],),
                )
            )
        calls.append(
            Call(
                call_id=f"call-{i}", request_hash=content_id("h", run_id, i), stage="verify", who="judge", model="m",
                turn="judge", input_tokens=900, output_tokens=60, cost_usd=0.0004, seconds=0.8,
            )
        )
    sentences = [
        Sentence(sentence_id=f"t{i}", paragraph=i // 5, kind="claim", text=c.claim, claim_ids=(c.claim_id,),
                 references=(1,), badges=c.badges)
        for i, c in enumerate(envelopes[:30])
    ]
    first = sources[0]
    return ClaimGraph(
        run=synthetic_run(run_id, parent=parent, finished=True),
        council=tuple(MemberInfo(name=m, family=f"family-{m}", model="model") for m in members),
        sub_queries=tuple(queries),
        schedule=tuple(Binding(member=m, sub_query_id=q.sub_query_id, slot=0, provider="corpus")
                       for m in members for q in queries),
        searches=tuple(
            Search(search_id=f"x-{m}-{q.sub_query_id}", member=m, sub_query_id=q.sub_query_id, provider="corpus",
                   query=q.text, hits=tuple(HitRecord(rank=1 + r, url=s.url, title=s.title, source_id=s.source_id)
                                            for r, s in enumerate(sources[:6])))
            for m in members for q in queries
        ),
        sources=tuple(sources),
        passages=tuple(passages),
        claims=tuple(envelopes),
        judgments=tuple(judgments),
        contestations=tuple(contestations),
        rounds=(Round(round=1, live_claims=claims, clusters=claims, agreed=0, agreement=0.19),),
        answer=Answer(
            status="answered", sentences=tuple(sentences), written_by="m1",
            bibliography=(Reference(number=1, source_id=first.source_id, url=first.url, title=first.title, tier=1,
                                    authors=first.authors, year=first.year, doi=first.doi),),
        ),
        events=tuple(Event(stage="research", kind="source-rejected", subject_id=s.source_id, reason=s.justification)
                     for s in sources if not s.admitted),
        calls=tuple(calls),
        overrides=(
            Override(claim_id=envelopes[0].claim_id, approval_id=content_id("a", run_id), name="Ada", reason="I read",
                     at=datetime(2026, 3, 1, 12, 0, tzinfo=UTC)),
        ),
    )


def synthetic_entry(name: str, rng: random.Random) -> LedgerEntry:
    """A call with a prompt of some 4,000 characters."""
    return LedgerEntry(
        request_hash=name, model="provider/model", prompt="judge/2",
        request=[{"role": "system", "content": prose(rng, 120)}, {"role": "user", "content": prose(rng, 600)}],
        answer=json.dumps({"label": "supports", "rationale": prose(rng, 30)}), input_tokens=900, output_tokens=60,
        cost_usd=0.0004, seconds=0.8, at=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
    )


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds an action took, and what it returned."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def measure(claims: int) -> dict[str, float]:
    """One run of that size in a fresh store, from creation to the catalogue."""
    graph = synthetic_graph("run", claims)
    rng = random.Random(2)
    puts = 200
    entries = [synthetic_entry(f"h{i}", rng) for i in range(puts)]
    parts = {
        "decompose": graph.sub_queries, "research": (graph.searches, graph.sources, graph.passages),
        "extract": graph.claims, "verify": (graph.claims, graph.judgments),
        "debate": (graph.claims, graph.contestations), "synthesize": graph.answer,
    }
    outputs = {stage: json.loads(json.dumps(_plain(part))) for stage, part in parts.items()}
    result: dict[str, float] = {"claims": claims, "graph_json_mb": len(graph.model_dump_json()) / 1e6}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = home / "runs" / "run.duckdb"
        result["create_s"], store = timed(lambda: RunStore.create(home, synthetic_run("run")))
        stages: Any = outputs.items()
        result["save_stages_s"], _ = timed(
            lambda: [store.save_stage(stage, "0" * 64, output, seconds=1.0) for stage, output in stages]
        )
        seconds, _ = timed(lambda: [store.ledger.put(entry) for entry in entries])
        result["ledger_put_ms"] = seconds / puts * 1000
        result["finish_s"], _ = timed(lambda: store.finish(graph))
        result["close_s"], _ = timed(store.close)
        result["run_file_mb"] = path.stat().st_size / 1e6
        result["open_read_only_s"], store = timed(lambda: RunStore.open(home, "run", read_only=True))
        result["graph_s"], read = timed(store.graph)
        assert read == graph
        result["stage_output_s"], _ = timed(lambda: store.stage_output("verify"))
        store.close()
        result["merge_s"], _ = timed(lambda: merge_run(home, "run"))
        result["merge_again_s"], _ = timed(lambda: merge_run(home, "run"))
        result["catalogue_mb"] = (home / "veritas.duckdb").stat().st_size / 1e6
        result["list_runs_s"], _ = timed(lambda: list_runs(home))
        result["rebuild_s"], _ = timed(lambda: rebuild_catalogue(home))
    result["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def _plain(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    return part.model_dump(mode="json")


def measure_many(runs: int, claims: int) -> dict[str, float]:
    """How the catalogue grows and how long listing takes with many runs in the store."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        merges = []
        for i in range(runs):
            name = f"run{i:04}"
            with RunStore.create(home, synthetic_run(name)) as store:
                store.finish(synthetic_graph(name, claims, seed=i))
            merges.append(timed(lambda name=name: merge_run(home, name))[0])
        listing, listed = timed(lambda: list_runs(home))
        assert len(listed) == runs
        size = (home / "veritas.duckdb").stat().st_size / 1e6
        rebuild, _ = timed(lambda: rebuild_catalogue(home))
        (home / "veritas.duckdb").unlink()
        from_files, _ = timed(lambda: list_runs(home))
        return {
            "runs": runs, "claims_each": claims, "first_merge_s": merges[0], "last_merge_s": merges[-1],
            "catalogue_mb": size, "list_runs_s": listing, "list_runs_without_catalogue_s": from_files,
            "rebuild_s": rebuild,
        }


def main() -> None:
    """Print a table, or JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", default="10,100,1000,10000")
    parser.add_argument("--runs", type=int, default=50, help="runs of 100 claims for the catalogue's growth; 0: none")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results = [measure(int(size)) for size in args.claims.split(",")]
    if args.runs:
        results.append(measure_many(args.runs, 100))
    for result in results:
        if args.json:
            print(json.dumps(result))
        else:
            print("  ".join(f"{key}={value:.4g}" for key, value in result.items()))


if __name__ == "__main__":
    main()
