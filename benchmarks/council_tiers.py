"""What each cost tier of a council of models spends and finds, on the documentation of real packages.

    python benchmarks/council_tiers.py PACKAGE=FOLDER... [--questions 4] [--tiers quick,standard,deep]

Questions are the answerable ones of questions/unseen.jsonl about that package. Three members of three families sit on a
loopback server. Each quotes the sentences that match its sub-question best and name their subject, up to the number
that it is asked for, word for word, restated, or (every seventh) misstated. No two choose alike. It objects where a
passage of its own says another number of the same, and concedes. As a judge it is the embedded one, so what is counted
is the machinery and no model's judgement. Tokens are those of questions and answers at four characters a token, at $1
and $4 a million; seconds are processor time of client and server together.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from documentation_restated import HONEST, LIES  # noqa: E402

from tests.loopback.scripted import Heard, answer, fold, heard, judged  # noqa: E402
from tests.loopback.server import Asked, Loopback, Reply, loopback  # noqa: E402
from veritas import ClaimGraph, aio  # noqa: E402
from veritas.judging.verdict import judge  # noqa: E402
from veritas.meaning.compare import unnamed  # noqa: E402
from veritas.text.sentences import sentences  # noqa: E402
from veritas.text.tokens import weigh  # noqa: E402

FAMILIES = ("crimson", "olive", "navy")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MOST = re.compile(r"\b(?:at most|no more than) (two|three|four|five|six|seven|eight|\d+) claims", re.IGNORECASE)
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


def told(text: str) -> list[str]:
    """The sentences of a passage that a model would quote."""
    found = [text[s.start : s.end] for s in sentences(text) if s.kind in ("prose", "item")]
    return [s for s in found if 6 <= len(s.split()) <= 45 and not unnamed(s)]


def near(text: str, about: Mapping[str, float]) -> float:
    return sum(about.get(word, 0.0) for word in weigh(text))


def verdict(claim: str, passage: str) -> dict[str, Any]:
    """The embedded judge's verdict, as a model would word it."""
    found = judge(claim, passage)
    return {"rationale": found.reason, "label": found.label, "score": round(found.probability, 2)}


class Reader:
    """A model that reads; what it does depends on the request alone."""

    def script(self, asked: Asked) -> Reply:
        to = heard(asked)
        said = answer(to)
        if to.turn == "decompose":
            whole = to.text("question")
            said = {"sub_queries": [{"text": whole, "facet": "as asked"},
                                    {"text": f"Limits and exceptions: {whole}", "facet": "limits"}]}  # fmt: skip
        elif to.turn == "assert":
            most = _MOST.search(asked.text)
            said = {"claims": self.claims(to, asked.model, _WORDS.get(most[1]) or int(most[1]) if most else 6)}
        elif to.turn == "contest":
            said = {"objections": self.objections(to)}
        elif to.turn == "judge":
            said = judged(to, verdict)
        return Reply(json.dumps(said))

    def claims(self, to: Heard, model: str, most: int) -> list[dict[str, Any]]:
        about = weigh(to.text("sub-question"))

        def liked(said: str) -> float:
            """How well a sentence answers, to this model: no two models choose alike."""
            return near(said, about) * (0.5 + crc32(f"{model} {said}".encode()) / 2**33)

        every = [(liked(s), name, s) for name, text in to.under("passage") for s in told(text)]
        made = []
        for at, (_, name, quote) in enumerate(sorted(every, key=lambda e: (-e[0], e[2]))[:most]):
            kinds = LIES if sum(quote.encode()) % 7 == 0 else HONEST if at % 2 else {}
            said = next((m for edit in kinds.values() if (m := edit(fold(quote)))), fold(quote))
            made.append({
                "claim": said, "claim_type": "numerical" if _NUMBER.search(said) else "factual", "confidence": 0.9,
                "quotes": [{"passage_id": name, "quote": quote}], "stands_on": [],
            })  # fmt: skip
        return made

    def objections(self, to: Heard) -> list[dict[str, Any]]:
        made = []
        mine = [(name, s) for name, text in to.under("passage") for s in told(text)]
        for claim_id, claim in to.under("claim"):
            about = weigh(_NUMBER.sub("", claim))
            whole = sum(about.values()) or 1.0
            for name, said in mine:
                one, other = set(_NUMBER.findall(claim)), set(_NUMBER.findall(said))
                if one and other and one != other and near(said, about) / whole > 0.6:
                    made.append({"claim_id": claim_id, "quotes": [{"passage_id": name, "quote": said}],
                                 "counter_claim": fold(said), "objection": "Another number is given."})  # fmt: skip
                    break
        return made


def council(folder: Path, server: Loopback) -> Path:
    members = [
        {"name": f"m{n}", "model": f"openai/{family}", "family": family, "base_url": server.url, "window": 32000,
         "structured": "schema", "price": {"input": 1, "output": 4}, "limits": {"timeout": 120, "retries": 0}}
        for n, family in enumerate(FAMILIES, 1)
    ]  # fmt: skip
    path = folder / "council.yaml"
    path.write_text(json.dumps({"members": members, "verifiers": ["m1", "m2", "m3"], "writer": "m2"}))
    return path


def supported(graph: ClaimGraph) -> set[str]:
    """The texts of the claims that stand at the end: supported, and neither conceded nor replaced."""
    gone = ("conceded", "refined")
    return {fold(c.claim) for c in graph.claims if c.verifier_judgment == "supports" and c.debate_status not in gone}


async def measured(packages: Mapping[str, Path], tiers: Sequence[str], count: int) -> None:
    rows = [json.loads(line) for line in (ROOT / "benchmarks/questions/unseen.jsonl").read_text().splitlines()]
    print("| documentation | tier | calls | tokens | supported | tokens each | printed | $ | s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    turns: dict[str, Counter[str]] = defaultdict(Counter)
    asks: dict[str, Counter[str]] = defaultdict(Counter)
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    whole: dict[str, list[float]] = {tier: [0.0] * 6 for tier in tiers}
    with tempfile.TemporaryDirectory() as home, loopback(Reader().script) as server:
        path = council(Path(home), server)
        for package, folder in packages.items():
            questions = [r["question"] for r in rows if r["package"] == package and r["answerable"]][:count]
            for tier in tiers:
                sums = [0.0] * 6
                for question in questions:
                    start = time.process_time()
                    graph = await aio.research(
                        question, corpus=(folder,), tier=tier, council=str(path), home=Path(home) / tier / package
                    )
                    spent = time.process_time() - start
                    calls = [c for c in graph.calls if c.model and not c.from_ledger]
                    for call in calls:
                        turns[tier][call.turn] += call.input_tokens + call.output_tokens
                        asks[tier][call.turn] += 1
                    rows_of = (e.kind for e in graph.events if e.kind.startswith(("claim-", "draft-", "contest")))
                    ends[tier].update(rows_of)
                    ends[tier].update(f"resolution {x.resolution}" for x in graph.contestations)
                    tokens = sum(c.input_tokens + c.output_tokens for c in calls)
                    printed = sum(s.kind == "claim" for s in graph.answer.sentences)
                    usd = sum(c.cost_usd or 0.0 for c in calls)
                    of_run = [len(calls), tokens, len(supported(graph)), printed, usd, spent]
                    sums = [one + more for one, more in zip(sums, of_run, strict=True)]
                whole[tier] = [one + more for one, more in zip(whole[tier], sums, strict=True)]
                print(row(package, tier, sums), flush=True)
        for tier in tiers:
            print(row("all", tier, whole[tier]))
        for tier in tiers:
            print(f"{tier}: " + ", ".join(f"{t} {asks[tier][t]} calls {n:,}" for t, n in turns[tier].most_common()))
            print(f"  {dict(ends[tier])}")


def row(package: str, tier: str, sums: Sequence[float]) -> str:
    calls, tokens, kept, printed, usd, spent = sums
    each = tokens / max(1, kept)
    found = f"{kept:.0f} | {each:,.0f} | {printed:.0f}"
    return f"| {package} | {tier} | {calls:.0f} | {tokens:,.0f} | {found} | {usd:.3f} | {spent:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", metavar="PACKAGE=FOLDER")
    parser.add_argument("--questions", type=int, default=4)
    parser.add_argument("--tiers", default="quick,standard,deep")
    given = parser.parse_args()
    packages = {name: Path(folder) for name, _, folder in (p.partition("=") for p in given.packages)}
    asyncio.run(measured(packages, given.tiers.split(","), given.questions))


if __name__ == "__main__":
    main()
