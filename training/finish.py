"""The last stages of the judge: pairs written for it, the labelled claims, and the sentences of the repository.

    python training/finish.py --packed FOLDER --start WEIGHTS… --out FOLDER [--claims] [--seconds 85]

FOLDER of `--packed` holds what `data.py` wrote; WEIGHTS are what `train.py` or this script saved. The pairs of
`training/written` (free restatements and lies; a passage in eight is kept for validation) and those of
`benchmarks/meaning_pairs` (without the part kept apart) are packed here. Without `--claims` the human-labelled claims
are left out, so that the weights can be measured on them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from model import JUDGE, Encoder, load, save, unpacked
from tokenizers import Tokenizer
from train import UNLABELLED, Log, logits_of, report, train

from data import LABELS, Pairs, Row, pack, read_rows

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from benchmarks.meaning_pairs.pairs import ADVERSARIAL, FORMER, OPEN, read  # noqa: E402

SEEN = (OPEN, FORMER, ADVERSARIAL, "restated")
OWN = {"same": "supports", "entails": "supports", "excludes": "refutes", "not-entailed": "not_supports",
       "compatible": "silent"}  # fmt: skip
WRITTEN_TIMES, OWN_TIMES = 14, 2
"""How often a written pair, and one of the repository, stands in a pass over all."""


def part(text: str, share: int) -> str:
    """Return "valid" for one text in `share`, by its hash."""
    return "valid" if zlib.crc32(text.encode()) % share == 0 else "train"


def written() -> Iterator[Row]:
    """Yield the pairs of restatements and lies, a file a source."""
    for path in sorted((ROOT / "training" / "written").glob("*.jsonl.gz")):
        for row in read_rows(path):
            name = path.name.partition(".")[0]
            yield {**row, "source": f"w_{name}", "part": part(row["passage"], 8)}


def own() -> Iterator[Row]:
    """Yield the repository's pairs of sentences, those kept apart left out."""
    for pair in (pair for folder in SEEN for pair in read(folder)):
        scene = pair.template.split("/")[0]
        yield {"claim": pair.claim, "passage": pair.source, "label": OWN[pair.label], "source": "x_own",
               "part": part(scene, 12)}  # fmt: skip


def main() -> None:
    """Train on, from given weights, and save what comes out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packed", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--start", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--only-own", action="store_true", help="mostly the repository's sentences: a short pass")
    parser.add_argument("--seconds", type=float, default=85)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--tokens", type=int, default=32_768)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    log, device = Log(options.out / "log.jsonl"), "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("written", written()), ("own", own())):
            log(event="packed", name=name, **pack(rows, tokenizer, Path(folder) / f"pairs_{name}.npz"))
        pairs = Pairs.read([*sorted(options.packed.glob("pairs*.npz")), *sorted(Path(folder).glob("*.npz"))], device)
    source = np.array(pairs.sources)[pairs.rows[:, 3]]
    everything = np.arange(len(source))
    labelled = (pairs.rows[:, 2] != UNLABELLED) & (pairs.rows[:, 4] == 0)
    human, by_hand = np.char.startswith(source, "vis_"), np.char.startswith(source, "w_")
    ours = source == "x_own"
    plain = everything[labelled & ~human & ~by_hand & ~ours]
    random = np.random.default_rng(3)
    if options.only_own:
        plain = random.permutation(plain)[: 2 * int(ours.sum()) // 5]
    chosen = [plain, np.repeat(everything[labelled & ours], OWN_TIMES)]
    chosen.append(np.repeat(everything[labelled & by_hand], 1 if options.only_own else WRITTEN_TIMES))
    if options.claims:
        chosen.append(everything[human])
    model = Encoder(JUDGE)
    load(model, unpacked(options.start))
    model.to(device)
    rows = np.concatenate(chosen)
    half = device == "cuda"
    train(model, pairs, rows, log, "finish", seconds=options.seconds, epochs=2, rate=options.rate, average=0.99,
          tokens=options.tokens, device=device, half=half)  # fmt: skip
    save(model.state_dict(), options.out, "finished")
    valid = everything[(pairs.rows[:, 4] == 1) & (pairs.rows[:, 2] < len(LABELS) - 1)]
    log(event="valid", result=report(logits_of(model, pairs, valid, device, options.tokens), pairs.rows[valid],
                                     pairs.sources))  # fmt: skip


if __name__ == "__main__":
    main()
