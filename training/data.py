"""Labelled pairs as arrays: reading, cutting long passages, packing into one archive, and batches on the device."""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

LABELS = ("supports", "refutes", "silent", "not_supports", "unlabelled")
"""`not_supports`: refuted or silent, the source does not tell which; `unlabelled`: only the teacher has a say."""
CLAIM_TOKENS, PASSAGE_TOKENS, LENGTH = 96, 240, 256
CAPITAL = 0x8000
CLAIM_SETS = ("scifact", "scitab", "wice", "citint", "counterfactual", "fever_symmetric")
SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bvs)(?<!\bFig)(?<!\bNo)(?<!\be\.g)(?<!\bi\.e)(?<!\bet al)(?<!\b[A-Z])"
    r"(?<=[.!?])[\"')\]]?\s+(?=[\"'(\[]?[A-Z0-9])"
)
BOOST = {
    "vis_scifact": 2.0,
    "vis_citint": 1.0,
    "vis_wice": 1.5,
    "vis_scitab": 1.5,
    "vis_fever_symmetric": 2.0,
    "vis_counterfactual": 1.5,
    "fever": 1.5,
    "cad": 1.3,
    "fm2": 1.5,
    "mnli": 1.3,
    "evinf": 1.3,
    "breaking": 0.4,
    "creak": 0.7,
    "entailmentbank": 0.6,
    "infotabs": 0.8,
    "x_cross": 0.7,
}

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def sentences(passage: str) -> list[str]:
    """Sentences of a text; for a table its lines."""
    if "\t" in passage:
        lines = [line for line in passage.split("\n") if line.strip()]
        return [" | ".join(cell.strip() for cell in line.split("\t")) + " ;" for line in lines]
    return [piece for line in passage.split("\n") for piece in SENTENCE_END.split(" ".join(line.split())) if piece]


def windows(units: Sequence[str], sizes: Sequence[int], room: int, head: bool) -> list[list[str]]:
    """Runs of units that fit `room` tokens, each but the first beginning with the last unit of the one before; with
    `head` the first unit (a table's caption) opens each."""
    out: list[list[str]] = []
    start = 0
    while start < len(units):
        used = sizes[0] if head and start else 0
        chosen = [units[0]] if head and start else []
        end = start
        while end < len(units) and (end == start or used + sizes[end] <= room):
            chosen.append(units[end])
            used += sizes[end]
            end += 1
        out.append(chosen)
        if end >= len(units):
            break
        start = max(end - 1, start + 1)
    return out


def read_claims(folder: Path, tokenizer: Tokenizer, names: Iterable[str] = CLAIM_SETS) -> Iterator[Row]:
    """The human-labelled claims as training rows. A passage that is too long is cut into windows: where the source
    marks the sentences that decide, the window that has most of them is kept; else the first, or all if silent."""
    for name in names:
        for row in read_rows(folder / f"{name}.jsonl"):
            out = {"source": f"vis_{name}", "part": "train", "claim": row["claim"], "label": row["label"]}
            units = sentences(row["passage"])
            sizes = [len(tokenizer.encode(unit, add_special_tokens=False).ids) for unit in units]
            room = LENGTH - 3 - min(CLAIM_TOKENS, len(tokenizer.encode(row["claim"], add_special_tokens=False).ids))
            cut = windows(units, sizes, min(room, PASSAGE_TOKENS), "\t" in row["passage"])
            deciding = [" ".join(text.split()) for text in row.get("extra", {}).get("rationale") or []]
            if row["label"] != "silent":
                found = [sum(text in " ".join(window) for text in deciding) for window in cut]
                cut = [cut[int(np.argmax(found))]] if cut else [[]]
            for window in cut[:2]:
                yield out | {"passage": " ".join(window)}


def pack(rows: Iterable[Row], tokenizer: Tokenizer, path: Path) -> dict[str, int]:
    """Word pieces of each text once (the top bit: the piece has a capital letter), and the pairs as indices."""
    index: dict[tuple[str, int], int] = {}
    pairs, names = [], {}
    for row in rows:
        claim = index.setdefault((row["claim"], 0), len(index))
        passage = index.setdefault((row["passage"], 1), len(index))
        source = names.setdefault(row["source"], len(names))
        pairs.append((claim, passage, LABELS.index(row["label"]), source, int(row["part"] == "valid")))
    texts = list(index)
    pieces, lengths = [], []
    for start in range(0, len(texts), 4096):
        chunk = texts[start : start + 4096]
        encoded = tokenizer.encode_batch([text for text, _ in chunk], add_special_tokens=False)
        for (text, side), one in zip(chunk, encoded, strict=True):
            limit = PASSAGE_TOKENS if side else CLAIM_TOKENS
            ids = np.array(one.ids[:limit], np.uint16)
            capital = [text[a:b] != text[a:b].lower() for a, b in one.offsets[:limit]]
            pieces.append(ids | np.where(capital, np.uint16(CAPITAL), np.uint16(0)).astype(np.uint16))
            lengths.append(len(ids))
    np.savez_compressed(
        path,
        pieces=np.concatenate(pieces),
        lengths=np.array(lengths, np.uint16),
        pairs=np.array(pairs, np.int32),
        sources=np.array(list(names)),
    )
    return {"pairs": len(pairs), "texts": len(texts), "pieces": int(sum(lengths))}


@dataclass
class Pairs:
    """Packed archives on the device. `rows`: claim, passage, label, source, valid."""

    pieces: Tensor
    starts: Tensor
    rows: np.ndarray
    sizes: np.ndarray
    sources: list[str]

    @classmethod
    def read(cls, paths: Sequence[Path], device: str) -> Pairs:
        pieces, lengths, rows = [], [], []
        sources: list[str] = []
        before = 0
        for path in paths:
            with np.load(path) as archive:
                own = archive["pairs"].astype(np.int64)
                own[:, :2] += before
                for name in archive["sources"].tolist():
                    if name not in sources:
                        sources.append(name)
                own[:, 3] = np.array([sources.index(name) for name in archive["sources"].tolist()])[own[:, 3]]
                before += len(archive["lengths"])
                pieces.append(archive["pieces"])
                lengths.append(archive["lengths"].astype(np.int64))
                rows.append(own)
        joined, length = np.concatenate(rows), np.concatenate(lengths)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(length)])
        sizes = np.minimum(length[joined[:, 0]] + length[joined[:, 1]] + 3, LENGTH)
        flat = torch.from_numpy(np.concatenate(pieces).astype(np.int32)).to(device)
        return cls(flat, torch.from_numpy(starts).to(device), joined, sizes, sources)

    def weights(self, chosen: np.ndarray) -> np.ndarray:
        """A pair's weight: large sources count less for each pair, some sources and the rarer side count more."""
        out = np.ones(len(self.rows), np.float32)
        for number, name in enumerate(self.sources):
            own = chosen[self.rows[chosen, 3] == number]
            if not len(own):
                continue
            yes = self.rows[own, 2] == 0
            share = min(max(float(yes.mean()), 0.05), 0.95)
            size = BOOST.get(name, 1.0) * min(1.6, (8000 / max(len(own), 500)) ** 0.35)
            up, down = min((0.42 / share) ** 0.5, 1.8), min((0.58 / (1 - share)) ** 0.5, 1.8)
            out[own] = size * (np.where(yes, up, down) if name != "x_cross" else 1.0)
        return out

    def plan(self, chosen: np.ndarray, tokens: int, random: np.random.Generator) -> list[np.ndarray]:
        """Batches of pairs of like length, about `tokens` tokens each, in random order."""
        out = []
        for chunk in np.array_split(random.permutation(chosen), max(1, len(chosen) // 30_000)):
            chunk = chunk[np.argsort(self.sizes[chunk] + random.random(len(chunk)) * 8)]
            start = 0
            while start < len(chunk):
                longest, end = 0, start
                while end < len(chunk):
                    longest = max(longest, int(self.sizes[chunk[end]]))
                    if end > start and longest * (end - start + 1) > tokens:
                        break
                    end += 1
                out.append(chunk[start:end])
                start = end
        order = random.permutation(len(out))
        return [out[number] for number in order]

    def batch(self, chosen: np.ndarray, folded: float = 0.0, shifted: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """ids, mask and types of the pairs, made on the device. `folded`: the share of pairs whose capitals are hidden
        (the case sources' never are); `shifted`: MPNet's numbering of the same vocabulary."""
        device = self.pieces.device
        width = int(min(LENGTH, (self.sizes[chosen].max() + 7) // 8 * 8))
        rows = torch.from_numpy(self.rows[chosen, :2]).to(device)
        claim, passage = self.starts[rows[:, 0]][:, None], self.starts[rows[:, 1]][:, None]
        first = (self.starts[rows[:, 0] + 1][:, None] - claim).clamp(max=CLAIM_TOKENS)
        second = torch.minimum(self.starts[rows[:, 1] + 1][:, None] - passage, LENGTH - 3 - first)
        place = torch.arange(width, device=device)[None]
        in_claim = (place >= 1) & (place <= first)
        in_passage = (place >= first + 2) & (place <= first + 1 + second)
        at = torch.where(in_claim, claim + place - 1, torch.where(in_passage, passage + place - first - 2, 0))
        raw = self.pieces[at].long()
        text = in_claim | in_passage
        ids = torch.where(text, raw & (CAPITAL - 1), 0)
        separator = (place == first + 1) | (place == first + second + 2)
        ids = torch.where(place == 0, 101, torch.where(separator, 102, ids))
        mask = (place <= first + second + 2).long()
        types = ((place >= first + 2) & (mask == 1)).long()
        capital = text & (raw >= CAPITAL)
        if folded:
            hidden = torch.rand(len(chosen), 1, device=device) < folded
            case = [name in ("y_case", "y_looks", "x_looks") for name in self.sources]
            hidden &= ~torch.tensor(case, device=device)[torch.from_numpy(self.rows[chosen, 3]).to(device)][:, None]
            capital &= ~hidden
        if shifted:
            ids = torch.where(text, ids + 4, torch.where(place == 0, 0, torch.where(mask == 1, 2, 1)))
        return ids, mask, types + 2 * capital.long()


def main() -> None:
    """Packs pairs, claims and published weights for `train.py`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="JSON lines: claim, passage, label …")
    parser.add_argument("--claims", type=Path, help="the folder of the human-labelled claims")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for path in options.pairs:
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        print(name, pack(read_rows(path), tokenizer, options.out / f"pairs_{name}.npz"))
    if options.claims:
        print("claims", pack(read_claims(options.claims, tokenizer), tokenizer, options.out / "pairs_claims.npz"))


if __name__ == "__main__":
    main()
