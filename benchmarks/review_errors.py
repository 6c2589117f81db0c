"""Errors planted into drafts of a review: what code, the reviewer and the remarks for a person each catch.

    python benchmarks/review_errors.py [--data ../shared/claims] [--sentences 120] [--one-family] [--json]

The corpus is made of abstracts, the clean sentences are experts' claims that one of them supports: paraphrases, not
quotes. Each planted error is one change to a clean sentence; the last kind needs no change, an abstract refutes it.
"Stopped" is what does not reach the text; "remarked" reaches it with a remark that a person is asked about. The row
"clean" is the price: sound sentences that are stopped. Judged without a language model, by the embedded lenses, whose
weights were fitted on claims like these: read the last kind beside docs/lens.md. Stops where the data are absent.

With `--one-family` the sentences are of one language model with no other beside it (gate.yaml, one_family), and besides
the experts' paraphrases there are sentences that keep to the words of their quotes, and misstatements of those.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from veritas.gate import Gate, council_gate
from veritas.judging.lenses import EmbeddedLens, ExactLens, LexicalLens
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.conclude import FOR_A_PERSON
from veritas.reviews.corpus_claim import CorpusClaim, Filters
from veritas.reviews.manuscript import ReviewDraft
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.reviewing.quote_oracle import CorpusOracle
from veritas.reviews.reviewing.review_verdicts import Line
from veritas.reviews.reviewing.reviewer import review
from veritas.reviews.writing.resolve_citations import fault
from veritas.reviews.writing.writer import EmbeddedWriter

Row = dict[str, Any]
FILLERS = 60
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")
_CONDITION = re.compile(r"(?i)\b(?:after|before|during|without|among|in|under) [\w -]+?(?=\s*[,.;]|$)")
_TURNED = {"after": "before", "before": "after", "during": "before", "with": "without", "without": "with"}


def read(path: Path) -> list[Row]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_documents(data: Path, wanted: set[str], folder: Path, seed: int) -> None:
    """The abstracts that are cited, and some others among which to be found, a file each."""
    rows = read(data / "scifact_documents.jsonl")
    others = [row["id"] for row in rows if row["id"] not in wanted]
    kept = wanted | set(random.Random(seed).sample(others, min(FILLERS, len(others))))
    for row in rows:
        if row["id"] in kept:
            text = f"# {row['title']}\n\n## Abstract\n\n{row['text']}\n"
            (folder / f"{row['id']}.md").write_text(text, encoding="utf-8")


def another_number(text: str, rng: random.Random) -> str | None:
    """One number made another: doubled, or a digit changed."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    spot = rng.choice(found)
    value = float(spot[0])
    made = f"{value * rng.choice((2, 3, 0.5)):g}" if value else "7"
    return text[: spot.start()] + made + text[spot.end() :]


def another_condition(text: str, rng: random.Random) -> str | None:
    """One condition turned into its opposite, or one put on that nobody stated."""
    for word, other in _TURNED.items():
        if re.search(rf"(?i)\b{word}\b", text):
            return re.sub(rf"(?i)\b{word}\b", other, text, count=1)
    added = ("after fasting overnight", "during the second trimester", "in zebrafish")
    return f"{text.rstrip('.')} {rng.choice(added)}."


def no_condition(text: str, rng: random.Random) -> str | None:
    """The sentence without one of its conditions: where, on whom or when it holds is lost."""
    for found in _CONDITION.finditer(text):
        cut = (text[: found.start()] + text[found.end() :]).strip(" ,")
        if len(cut.split()) > 4:
            return cut[:1].upper() + cut[1:]
    return None


def altered(
    change: Callable[[str, random.Random], str | None],
) -> Callable[[Row, random.Random, list[str]], Row | None]:
    """An error in the words."""

    def made(row: Row, rng: random.Random, keys: list[str]) -> Row | None:
        text = change(row["text"], rng)
        return None if text is None else {**row, "text": text}

    return made


def another_paper(row: Row, rng: random.Random, keys: list[str]) -> Row | None:
    """The claim pinned on a paper that does not make it."""
    return {**row, "keys": [rng.choice([key for key in keys if key not in row["keys"]])]}


def invented_key(row: Row, rng: random.Random, keys: list[str]) -> Row | None:
    """A paper that is in no corpus."""
    return {**row, "keys": [f"miller{rng.randint(1990, 2025)}"], "ids": [f"q-{rng.randrange(16**12):012x}"]}


def no_key(row: Row, rng: random.Random, keys: list[str]) -> Row | None:
    """No citation at all."""
    return {**row, "keys": [], "ids": []}


KINDS: dict[str, Callable[[Row, random.Random, list[str]], Row | None]] = {
    "clean": lambda row, rng, keys: row,
    "another number": altered(another_number),
    "another condition": altered(another_condition),
    "condition dropped": altered(no_condition),
    "another paper": another_paper,
    "invented paper": invented_key,
    "no citation": no_key,
}


_OTHER_WORDS = {
    " showed ": " demonstrated ", " found ": " observed ", " used ": " employed ", " large ": " big ",
    " many ": " numerous ", " compared with ": " relative to ", " associated with ": " linked to ",
    " such as ": " like ", " because ": " since ",
}  # fmt: skip
_DENIALS = {" was ": " was not ", " were ": " were not ", " is ": " is not ", " are ": " are not ", " can ": " cannot "}
_OPPOSITES = {
    "increase": "decrease", "higher": "lower", "reduced": "increased", "improve": "worsen", "lower": "higher",
    "decrease": "increase", "positive": "negative",
}  # fmt: skip


def replaced(words: dict[str, str], most: int = 1) -> Callable[[str, random.Random], str | None]:
    """Some of the words in a sentence replaced, as many as `most`; None where it holds none."""

    def change(text: str, rng: random.Random) -> str | None:
        found = [(word, other) for word, other in words.items() if word in text][:most]
        for word, other in found:
            text = text.replace(word, other, 1)
        return text if found else None

    return change


def without_opener(text: str, rng: random.Random) -> str | None:
    """The sentence without "However," and "we show that"."""
    cut = re.sub(r"^(?:However|Furthermore|Moreover|In addition|Thus|Therefore|Here),? ", "", text)
    cut = re.sub(r"^(?:[Hh]ere,? )?[Ww]e (?:show|found|find|report|demonstrate|conclude)(?:ed)? that ", "", cut)
    return None if cut == text else cut[:1].upper() + cut[1:]


def first_half(text: str, rng: random.Random) -> str | None:
    """The first of two clauses that "and", "but" or "while" joins."""
    found = re.match(r"(.{60,}?),? (?:and|but|while|whereas) .{20,}$", text)
    return f"{found[1].rstrip(',')}." if found else None


NEAR: dict[str, Callable[[Row, random.Random, list[str]], Row | None]] = {
    "in its quote's words": lambda row, rng, keys: row,
    "without an opener": altered(without_opener),
    "its first half": altered(first_half),
    "two words by others": altered(replaced(_OTHER_WORDS, 2)),
    "and another number": altered(another_number),
    "and denied": altered(replaced(_DENIALS)),
    "and the opposite": altered(replaced(_OPPOSITES)),
}
"""Changes to sentences of the papers themselves: the first four say the same, the others do not."""


def one_family(corpus: Corpus) -> tuple[Gate, str]:
    """The gate where one language model sits beside the lenses without one, and the model's family."""
    return Gate(CorpusOracle(corpus), [EmbeddedLens(), LexicalLens(), ExactLens()]), "local"


async def measure(data: Path, sentences: int, seed: int, alone: bool = False) -> dict[str, dict[str, float]]:
    """For each kind: how many there were, and the share each layer caught. `alone`: one family of language models."""
    labelled = read(data / "scifact_retrieval.jsonl")
    sound, refuted, outside = [], [], []
    for row in labelled:
        supports = [d for d, label in row["labels"].items() if label == "supports"]
        against = [d for d, label in row["labels"].items() if label == "refutes"]
        if supports and not against:
            sound.append((row["claim"], supports[:1]))
        elif against and not supports:
            refuted.append((row["claim"], against[:1]))
    rng = random.Random(seed)
    rng.shuffle(sound)
    rng.shuffle(refuted)
    outside = sound[sentences : 2 * sentences]
    sound, refuted = sound[:sentences], refuted[:sentences]
    with tempfile.TemporaryDirectory() as home:
        os.environ["VERITAS_HOME"] = home
        folder = Path(home) / "papers"
        folder.mkdir()
        write_documents(data, {d for _, docs in (*sound, *refuted) for d in docs}, folder, seed)
        await add_wanted(Wanted(name="errors", paths=(folder,)))
        corpus = Corpus.open("errors")
        by_document = {Path(paper.source).stem: paper.paper_key for paper in corpus.papers()}
        every = [paper.paper_key for paper in corpus.papers()]

        def rows(pairs: list[tuple[str, list[str]]]) -> list[Row]:
            made = []
            for text, docs in pairs:
                keys = [by_document[d] for d in docs if d in by_document]
                ids = [c.claim_id for key in keys for c in corpus.claims(Filters(papers=frozenset({key})))]
                if ids:
                    made.append({"text": text, "keys": keys, "ids": ids})
            return made

        clean = rows(sound)
        planted = {
            kind: [m for row in clean if (m := make(row, rng, every)) is not None] for kind, make in KINDS.items()
        }
        planted["claim from outside"] = [
            {"text": text, "keys": (key := [rng.choice(every)]), "ids": _ids(corpus, key)} for text, _ in outside
        ]
        planted["the paper refutes it"] = rows(refuted)
        if alone:
            told = [c for c in corpus.claims() if 8 <= len(c.verbatim.split()) <= 40]
            words = [
                {"text": c.verbatim, "keys": [c.paper_key], "ids": [c.claim_id]}
                for c in rng.sample(told, min(sentences, len(told)))
            ]
            near = {k: [m for row in words if (m := make(row, rng, every)) is not None] for k, make in NEAR.items()}
            planted = {**near, **planted}
        gate, family = one_family(corpus) if alone else (council_gate(CorpusOracle(corpus)), EmbeddedWriter.family)
        return {kind: await _caught(found, corpus, gate, family) for kind, found in planted.items()}


def _ids(corpus: Corpus, keys: list[str]) -> list[str]:
    return [c.claim_id for key in keys for c in corpus.claims(Filters(papers=frozenset({key})))]


async def _caught(rows: list[Row], corpus: Corpus, gate: Gate, family: str) -> dict[str, float]:
    claims: dict[str, CorpusClaim] = {c.claim_id: c for c in corpus.claims()}
    by_layer: Counter[str] = Counter()
    lines: list[Line] = []
    for number, row in enumerate(rows):
        draft = ReviewDraft(text=row["text"], claim_ids=tuple(row["ids"]))
        if fault(draft, claims) is not None:
            by_layer["code"] += 1
            continue
        lines.append(
            Line(sentence_id=f"s-{number}", section=str(number), paragraph=number, kind="claim", text=row["text"],
                 keys=tuple(row["keys"]))
        )  # fmt: skip
    began = time.perf_counter()
    report = await review(lines, corpus, gate, family)
    seconds = time.perf_counter() - began
    for verdict in report.verdicts:
        if verdict.verdict != "VERIFIED":
            by_layer["reviewer"] += 1
        elif any(flag.kind in FOR_A_PERSON for flag in verdict.flags):
            by_layer["remarked"] += 1
    total = max(len(rows), 1)
    found = {name: by_layer[name] / total for name in ("code", "reviewer", "remarked")}
    return {
        "sentences": len(rows),
        **found,
        "stopped": found["code"] + found["reviewer"],
        "through": 1 - sum(found.values()),
        "seconds": round(seconds, 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "claims")
    parser.add_argument("--sentences", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--one-family", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not (given.data / "scifact_retrieval.jsonl").is_file():
        print(f"no labelled claims in {given.data}: name their folder with --data", file=sys.stderr)
        return
    found = asyncio.run(measure(given.data, given.sentences, given.seed, given.one_family))
    if given.json:
        print(json.dumps(found))
        return
    print("| planted | sentences | by code | by the reviewer | stopped | remarked to a person | through |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, row in found.items():
        shares = [f"{100 * row[name]:.0f} %" for name in ("code", "reviewer", "stopped", "remarked", "through")]
        print(f"| {kind} | {row['sentences']:.0f} | {' | '.join(shares)} |")
    pace = sum(r["sentences"] for r in found.values()) / max(sum(r["seconds"] for r in found.values()), 1e-9)
    print(f"\n{pace:.0f} sentences a second reviewed")


if __name__ == "__main__":
    main()
