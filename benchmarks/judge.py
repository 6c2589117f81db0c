"""What the judge is worth: `python benchmarks/judge.py [--claims FOLDER] [--part first|second]`; Markdown on stdout.

On frozen samples that nobody fits on (`benchmarks/judge_cases`, the part kept apart of `benchmarks/meaning_pairs`) and,
with `--claims`, on labelled sets: look-alikes called supported; lies and free restatements of real documents, by the
judge alone and behind lenses of two families that support everything; altered and paraphrased sentences; accuracy and
calibration; agreement of the three lenses beyond chance; pairs a second of one core. The package `veritas-judge` was
trained with the labelled sets: measure weights trained without them (`--weights FOLDER`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.meaning_pairs.pairs import ALTERED, KEPT_APART, PARAPHRASE, read  # noqa: E402
from veritas.gate.lens_accuracy import accuracy_of  # noqa: E402
from veritas.gate.lens_agreement import measure  # noqa: E402
from veritas.judging import STRICT, Question, Setting, Verdict, judge_all, learned  # noqa: E402
from veritas.judging.floor import FloorPolicy, Standing, held_to  # noqa: E402
from veritas.judging.learned import Learned  # noqa: E402
from veritas.judging.lenses import builtin_lenses  # noqa: E402
from veritas.judging.sameness import exclusion  # noqa: E402
from veritas.policy.gate_policy import load_gate_policy  # noqa: E402

CASES = ROOT / "benchmarks" / "judge_cases"
SETS = ("scifact", "scitab", "wice", "citint", "counterfactual", "fever_symmetric")
MOST = 500
"""Pairs of a labelled set that are judged; a sample drawn with a fixed seed."""


def rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def percent(part: float, whole: float) -> str:
    """Return a share as a per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def look_alikes() -> None:
    """Claims that differ from their passage in one sign: none follows."""
    cases = rows(CASES / "lookalikes.jsonl")
    verdicts = judge_all([Question(case["claim"], case["passage"]) for case in cases])
    wrong = [case for case, verdict in zip(cases, verdicts, strict=True) if verdict.label == "supports"]
    print(f"\n## Look-alikes\n\n{len(wrong)} of {len(cases)} supported {Counter(case['kind'] for case in wrong) or ''}")


def passages(cases: Sequence[dict[str, str]]) -> Iterator[tuple[dict[str, str], str]]:
    """Yield each case with its passage, cut from an installed package's documentation; one that has changed is left
    out."""
    package = find_spec("numpy")
    assert package is not None
    assert package.origin is not None
    home = Path(package.origin).parents[1]
    for case in cases:
        file = home / case["document"]
        text = file.read_text("utf-8", errors="replace") if file.is_file() else ""
        start = text.find(case["start"])
        end = text.find(case["end"], max(start, 0))
        if start >= 0 <= end:
            yield case, text[start : end + len(case["end"])]


def statements(part: str) -> None:
    """Lies and restatements: by the judge alone, and behind lenses that support everything."""
    cases = [case for case in rows(CASES / "statements.jsonl") if part in ("", case["part"])]
    found = list(passages(cases))
    print(f"\n## Lies and restatements ({len(found)} of {len(cases)} passages at hand)\n")
    verdicts = judge_all([Question(case["claim"], text) for case, text in found])
    rule = load_gate_policy().floor
    print("| | lies | restatements |\n| --- | --- | --- |")

    def line(name: str, held: Sequence[bool]) -> None:
        counts = {"lie": [0, 0], "restatement": [0, 0]}
        for (case, _), yes in zip(found, held, strict=True):
            counts[case["label"]][0] += yes
            counts[case["label"]][1] += 1
        print(f"| {name} | " + " | ".join(percent(*counts[label]) for label in counts) + " |")

    line("supported, judge alone", [v.label == "supports" for v in verdicts])
    line("supported, strict", [v.label == "supports" and v.probability >= STRICT for v in verdicts])
    line("refuted", [v.label == "refutes" for v in verdicts])
    for name, doubt in (("one family", rule.alone), ("several families", rule.agreed)):
        policy = FloorPolicy(rule.refuse, doubt)
        rulings = [held_to(case["claim"], [Standing(text)], policy) for case, text in found]
        for step, word in (("pass", "cited"), ("defer", "waiting for a person"), ("refuse", "dropped")):
            line(f"{word}, where {name} of lenses support everything", [r.step == step for r in rulings])
    kinds: dict[str, list[bool]] = defaultdict(list)
    for (case, _), verdict in zip(found, verdicts, strict=True):
        kinds[f"{case['label']}: {case['kind']}"].append(verdict.label == "supports")
    print("\nSupported by kind: " + "; ".join(f"{k} {sum(v)}/{len(v)}" for k, v in sorted(kinds.items())))


def reports() -> None:
    """Statements of reports that cite pages, by `veritas factcheck`."""
    labels = {(row["report"], row["statement"].strip()): row["label"] for row in rows(CASES / "factcheck/labels.jsonl")}
    found: Counter[tuple[str, str]] = Counter()
    veritas = Path(sys.executable).with_name("veritas")
    for name in sorted({report for report, _ in labels}):
        pages = ["--corpus", str(CASES / "factcheck" / "pages"), "--offline", "--quiet", "--json"]
        command = [str(veritas), "factcheck", str(CASES / "factcheck" / name), *pages]
        told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        for statement in told["statements"]:
            said = re.sub(r" \( [^)]*\)(?=\.$)", "", statement["statement"].strip())  # the mark's own words
            if label := labels.get((name, said)):
                found[label, statement["verdict"]] += 1
    of = Counter(label for label, _ in found.elements())
    print(f"\n## Reports ({found.total()} of {len(labels)} statements found)\n")
    right = sum(n for (label, said), n in found.items() if label == said)
    accused = sum(n for (label, said), n in found.items() if said == "contradicted" != label)
    undecided = sum(n for (_, said), n in found.items() if said == "cannot_tell")
    print(f"right {percent(right, found.total())}, contradicted called supported "
          f"{percent(found['contradicted', 'supported'], of['contradicted'])}, others called contradicted "
          f"{percent(accused, found.total())}, undecided {percent(undecided, found.total())}")  # fmt: skip
    for label in sorted(of):
        said = "; ".join(f"{verdict} {n}" for (true, verdict), n in sorted(found.items()) if true == label)
        print(f"- {label}: {said}")


def pairs() -> None:
    """Altered and paraphrased sentences that were kept apart."""
    kept = read(KEPT_APART)
    asked = [Question(pair.claim, pair.source, Setting("a", pair.subject)) for pair in kept]
    verdicts = judge_all(asked)
    apart = [pair for pair in kept if pair.label == "compatible" and pair.two_documents]
    excluded = [exclusion(p.source, p.claim, of_first=Setting("a"), of_second=Setting("b")) for p in apart]

    def told(labels: Sequence[str], label: str) -> str:
        chosen = [v for pair, v in zip(kept, verdicts, strict=True) if pair.label in labels]
        return percent(sum(v.label == label for v in chosen), len(chosen))

    print(f"\n## Altered and paraphrased sentences, kept apart ({len(kept)})\n")
    print(f"altered supported {told(ALTERED, 'supports')}, paraphrases kept {told(PARAPHRASE, 'supports')}, "
          f"paraphrases refuted {told(PARAPHRASE, 'refutes')}, compatible supported "
          f"{told(('compatible',), 'supports')}, of two documents excluded "
          f"{percent(sum(one is not None for one in excluded), len(apart))} of {len(apart)}")  # fmt: skip


def labelled(folder: Path) -> None:
    """Accuracy on labelled sets, in per cent; calibration as expected error."""
    print("\n## Labelled sets\n\n| set | n | macro-F1 | false supports | supports kept | refuted supported | "
          "calibration error |\n| --- | --- | --- | --- | --- | --- | --- |")  # fmt: skip
    everything: list[tuple[str, Verdict]] = []
    scores = []
    for name in SETS:
        cases = rows(folder / f"{name}.jsonl")
        random.Random(1).shuffle(cases)
        cases = cases[:MOST]
        verdicts = judge_all([Question(case["claim"], case["passage"]) for case in cases])
        truth = [case["label"] for case in cases]
        everything += zip(truth, verdicts, strict=True)
        scores.append(_line(name, truth, verdicts))
    print(f"\nmean macro-F1 {100 * sum(scores) / len(scores):.1f}")
    _line("all", [truth for truth, _ in everything], [verdict for _, verdict in everything])


def _line(name: str, truth: Sequence[str], verdicts: Sequence[Verdict]) -> float:
    answers = [("silent" if v.label == "unavailable" else v.label, v.probability) for v in verdicts]
    found = accuracy_of(truth, answers)
    shares = (found.macro_f1, found.false_supports, found.supports_kept, found.refuted_supported, found.calibration)
    said = " | ".join("–" if share is None else f"{100 * share:.0f}" for share in shares)
    print(f"| {name} | {len(truth)} | {said} |")
    return found.macro_f1 or 0.0


async def lenses() -> None:
    """Agreement of the embedded lenses, two by two, beyond chance."""
    kept = [pair for pair in read(KEPT_APART) if not pair.two_documents][:600]
    answers = {
        name: {number: (await make().judge(pair.claim, pair.source)).label for number, pair in enumerate(kept)}
        for name, make in builtin_lenses().items()
    }
    print("\n## Agreement of the lenses beyond chance (kappa)\n")
    for pair in measure(answers).pairs:
        print(f"- {pair.first} and {pair.second}: {pair.kappa if pair.kappa is not None else '–'}")


def speed() -> None:
    """Pairs of some 64 tokens a second of one core, each judged for the first time."""
    model = learned()
    if model is None:
        return
    kept = list(read(KEPT_APART))[:400]
    texts = [(pair.claim, f"{pair.source} {pair.source} {number}") for number, pair in enumerate(kept)]
    tokens = sum(model.lengths([f"{claim} {text}" for claim, text in texts])) / len(texts)
    begun = process_time()
    model.chances(texts)
    rate = len(texts) / (process_time() - begun)
    print(f"\n## Speed\n\n{rate:.0f} pairs a second and core, {tokens:.0f} tokens each")


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=Path, help="folder of labelled sets, a file of JSON lines each")
    parser.add_argument("--part", choices=("first", "second"), default="", help="of the lies and restatements")
    parser.add_argument("--weights", type=Path, help="folder with judge.onnx, tokenizer.json and card.json")
    chosen = parser.parse_args()
    if chosen.weights is not None:
        model = Learned(chosen.weights)
        import veritas.judging.verdict as judging

        judging.learned = lambda: model  # type: ignore[assignment]
    begun = process_time()
    print("# The judge" + ("" if learned() is not None else " without its weights: words and exact terms alone"))
    if CASES.is_dir():
        look_alikes()
        statements(chosen.part)
        reports()
    pairs()
    if chosen.claims is not None:
        labelled(chosen.claims)
    asyncio.run(lenses())
    speed()
    print(f"\n{process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main()
