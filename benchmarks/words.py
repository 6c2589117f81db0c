"""Measures the relations of words on pairs that differ in one word: `python benchmarks/words.py [CLAIMS_FOLDER]`.

Of `counterfactual` and `fever_symmetric` it takes the pairs in which one content word of the claim is not in the
passage, and the pairs of records of which people changed one word, and with it the label. Prints the share of them in
which a relation of `veritas.text.wordnet` holds between a word of the passage and the claim's, or between the word and
what it was changed to; then the changed words that would be aligned wrongly.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from veritas.text import wordnet
from veritas.text.stop_words import STOP_WORDS

LABELS = ("supports", "refutes", "silent")
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|\d[\d.,]*")
Record = dict[str, str]
Holds = Callable[[str, str], bool]


def missing(record: Record) -> tuple[str, list[str]] | None:
    """Return the one content word of the claim that the passage lacks, and the passage's words that the claim lacks."""
    claim, passage = _content(record["claim"]), _content(record["passage"])
    lacked, left = _without(claim, passage), _without(passage, claim)
    if len(claim) > 1 and len(lacked) == 1 and lacked[0].isalpha():
        return lacked[0], [word for word in left if word.isalpha()]
    return None


def changed(records: list[Record]) -> Iterator[tuple[str, str]]:
    """Yield a word of a supported pair and the one it was changed to in its place, such that the label changed.

    The second is the word of the claim or passage as changed; where the passage was changed, the two are turned round,
    so that the first always is on the passage's side.
    """
    for fixed, edited in (("passage", "claim"), ("claim", "passage")):
        same = defaultdict(list)
        for record in records:
            same[record[fixed]].append(record)
        for group in same.values():
            for one, other in itertools.permutations(group, 2):
                pair = _one_word(one[edited], other[edited])
                if one["label"] == "supports" != other["label"] and pair:
                    yield pair if edited == "claim" else (pair[1], pair[0])


def _one_word(one: str, other: str) -> tuple[str, str] | None:
    first, second = _WORD.findall(one), _WORD.findall(other)
    if len(first) != len(second):
        return None
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a.lower() != b.lower()]
    if len(pairs) != 1 or wordnet.lemmas(pairs[0][0]) & wordnet.lemmas(pairs[0][1]):
        return None
    fits = all(word.isalpha() and word.lower() not in STOP_WORDS for word in pairs[0])
    return pairs[0] if fits else None


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]


def _without(words: list[str], others: list[str]) -> list[str]:
    known = {base for other in others for base in wordnet.lemmas(other)}
    return [word for word in words if not wordnet.lemmas(word) & known]


def main() -> None:
    """Print the table and the wrong ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parents[2] / "shared" / "claims"
    parser.add_argument("folder", type=Path, nargs="?", default=shared)
    folder = parser.parse_args().folder
    files = [folder / f"{name}.jsonl" for name in ("counterfactual", "fever_symmetric")]
    if not all(file.is_file() for file in files):
        print(f"{folder} holds no labelled claims: nothing to measure")
        return
    records = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    pairs = [(record["label"], *found) for record in records if (found := missing(record))]
    edits = list(changed(records))
    of = {label: [pair for pair in pairs if pair[0] == label] for label in LABELS}
    heads = [f"{label} ({len(of[label])})" for label in LABELS]
    print(f"| | {' | '.join(heads)} | changed word ({len(edits)}) |\n| --- | ---: | ---: | ---: | ---: |")
    relations: dict[str, Holds] = {
        "synonyms": wordnet.synonyms,
        "broader than the passage's word": wordnet.broader,
        "narrower than the passage's word": lambda a, b: wordnet.broader(b, a),
        "antonyms": wordnet.antonyms,
        "siblings": wordnet.siblings,
        "derived": wordnet.derived,
    }
    for name, holds in relations.items():
        shares = [sum(any(holds(a, b) for a in left) for _, b, left in of[x]) / len(of[x]) for x in LABELS]
        shares.append(sum(holds(a, b) for a, b in edits) / len(edits))
        print(f"| {name} | {' | '.join(f'{share:.1%}' for share in shares)} |")
    wrong = sorted({f"{a} → {b}" for a, b in edits if wordnet.synonyms(a, b) or wordnet.broader(a, b)})
    print(f"\nAligned wrongly, passage's word → claim's word: {', '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
