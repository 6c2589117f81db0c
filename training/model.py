"""The judge and its teacher: one plain encoder in torch alone, its weights read from and written to numpy archives.

The judge is a BERT encoder (absolute positions), the teacher an MPNet encoder (relative positions). Both read
`[CLS] claim [SEP] passage [SEP]` and give three logits: supports, refutes, silent. A token's type is 0 in the claim
and 1 in the passage, plus 2 where its text has a capital letter: the vocabulary is lower case, so this is the only
trace of case.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file
from torch import Tensor, nn

DROPOUT = 0.1
GROUP = 64
PART_BYTES = 16_600_000


@dataclass(frozen=True)
class Config:
    vocabulary: int
    hidden: int
    layers: int
    heads: int
    positions: int
    eps: float
    relative: bool


JUDGE = Config(30522, 384, 6, 12, 512, 1e-12, relative=False)
TEACHER = Config(30527, 768, 12, 12, 514, 1e-5, relative=True)
TINY = {"judge": Config(30522, 32, 2, 4, 512, 1e-12, False), "teacher": Config(30527, 32, 2, 4, 514, 1e-5, True)}

RENAMED = (
    ("encoder.layer.", "layers."),
    ("attention.self.", ""),
    ("attention.output.dense", "out"),
    ("attention.output.LayerNorm", "norm1"),
    ("attention.attn.q.", "query."),
    ("attention.attn.k.", "key."),
    ("attention.attn.v.", "value."),
    ("attention.attn.o.", "out."),
    ("attention.LayerNorm", "norm1"),
    ("intermediate.dense", "up"),
    ("output.dense", "down"),
    ("output.LayerNorm", "norm2"),
    ("encoder.relative_attention_bias", "relative"),
    ("embeddings.word_embeddings", "word"),
    ("embeddings.position_embeddings", "position"),
    ("embeddings.token_type_embeddings", "segment"),
    ("embeddings.LayerNorm", "norm"),
)


def renamed(name: str) -> str:
    """A published checkpoint's parameter name as it is called here."""
    for old, new in RENAMED:
        name = name.replace(old, new)
    return name


class Layer(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        width, inner = config.hidden, 4 * config.hidden
        self.heads = config.heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width, config.eps), nn.LayerNorm(width, config.eps)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        rows, length, width = x.shape
        query, key, value = (
            part(x).view(rows, length, self.heads, width // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        drop = DROPOUT if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype), dropout_p=drop)
        mixed = self.out(mixed.transpose(1, 2).reshape(rows, length, width))
        x = self.norm1(x + F.dropout(mixed, DROPOUT, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), DROPOUT, self.training))


class Encoder(nn.Module):
    """`forward(ids, mask, types)` gives (rows, 3) logits, read off the first token and the mean of all."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        width = config.hidden
        self.word = nn.Embedding(config.vocabulary, width)
        self.position = nn.Embedding(config.positions, width)
        self.segment = nn.Embedding(4, width)
        self.norm = nn.LayerNorm(width, config.eps)
        self.relative = nn.Embedding(32, config.heads) if config.relative else None
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.pool, self.head = nn.Linear(2 * width, width), nn.Linear(width, 3)
        for part in (self.pool, self.head):
            nn.init.normal_(part.weight, std=0.02)
            nn.init.zeros_(part.bias)
        nn.init.zeros_(self.segment.weight)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        first = 2 if self.config.relative else 0
        steps = torch.arange(ids.shape[1], device=ids.device)
        x = self.word(ids) + self.position(steps + first)[None] + self.segment(types)
        x = F.dropout(self.norm(x), DROPOUT, self.training)
        bias = ((1.0 - mask.to(x.dtype)) * -10000.0)[:, None, None, :]
        if self.relative is not None:
            near = self.relative(buckets(steps)).detach().permute(2, 0, 1)[None]
            bias = bias + near
            bias = bias.to(torch.bfloat16) if x.is_cuda else bias
        for layer in self.layers:
            x = layer(x, bias)
        kept = mask.to(x.dtype)[:, :, None]
        pooled = torch.cat([x[:, 0], (x * kept).sum(1) / kept.sum(1)], -1)
        pooled = F.dropout(torch.tanh(self.pool(pooled)), DROPOUT, self.training)
        return self.head(pooled)


def buckets(steps: Tensor) -> Tensor:
    """MPNet's bucket of the distance between each two positions: 16 either way, the far ones on a log scale."""
    distance = steps[:, None] - steps[None, :]
    after = (distance < 0).long() * 16
    distance = distance.abs()
    far = 8 + (torch.log(distance.clamp(min=1).float() / 8) / math.log(128 / 8) * 8).long()
    return after + torch.where(distance < 8, distance, far.clamp(max=15))


def packed(tensors: dict[str, np.ndarray], levels: int) -> dict[str, np.ndarray]:
    """Published weights, small enough to carry: matrices as integers of at most `levels`, with a scale for each 64."""
    out: dict[str, np.ndarray] = {}
    for name, value in tensors.items():
        key = renamed(name)
        if key.startswith("pooler") or "position_ids" in key:
            continue
        if value.ndim == 2 and value.size > 100_000:
            groups = value.astype(np.float32).reshape(value.shape[0], -1, GROUP)
            scale = (np.abs(groups).max(-1, keepdims=True) / levels).astype(np.float16)
            scale[scale == 0] = 1
            whole = np.rint(groups / scale.astype(np.float32))
            out[f"{key}|q"] = np.clip(whole, -levels, levels).astype(np.int8).reshape(value.shape)
            out[f"{key}|s"] = scale[..., 0]
        else:
            out[key] = value.astype(np.float16)
    return out


def unpacked(archives: list[Path]) -> dict[str, np.ndarray]:
    """What `packed` or `save` wrote, in fp32; matrices cut into rows are joined."""
    raw: dict[str, np.ndarray] = {}
    for path in archives:
        with np.load(path) as archive:
            raw.update({name: archive[name] for name in archive.files})
    out: dict[str, np.ndarray] = {}
    slices: dict[str, list[tuple[str, np.ndarray]]] = {}
    for name, value in raw.items():
        key, _, mark = name.partition("|")
        if mark == "q":
            groups = value.astype(np.float32).reshape(value.shape[0], -1, GROUP)
            out[key] = (groups * raw[f"{key}|s"].astype(np.float32)[..., None]).reshape(value.shape)
        elif mark.isdigit():
            slices.setdefault(key, []).append((mark, value))
        elif not mark:
            out[key] = value.astype(np.float32)
    for key, parts in slices.items():
        ordered = sorted(parts, key=lambda part: part[0])
        out[key] = np.concatenate([value for _, value in ordered]).astype(np.float32)
    return out


def load(model: Encoder, weights: dict[str, np.ndarray]) -> list[str]:
    """Puts the weights into the model; the names of the parameters that had none. Two types become four."""
    state = model.state_dict()
    missing = []
    for name in state:
        if name not in weights:
            missing.append(name)
            continue
        value = torch.from_numpy(weights[name])
        if name == "segment.weight" and value.shape[0] == 2:
            value = torch.cat([value, value])
        state[name] = value.reshape(state[name].shape)
    model.load_state_dict(state)
    return missing


def save(state: dict[str, Tensor], folder: Path, name: str) -> list[Path]:
    """fp16 archives of less than 16 MB each; a large matrix is cut by rows."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: list[dict[str, np.ndarray]] = [{}]
    size = 0
    for key, tensor in state.items():
        value = tensor.detach().float().cpu().numpy().astype(np.float16)
        pieces = {key: value}
        if value.ndim == 2 and value.shape[0] > 2000:
            pieces = {f"{key}|{row:06d}": value[row : row + 2000] for row in range(0, value.shape[0], 2000)}
        for piece, rows in pieces.items():
            if size + rows.nbytes > PART_BYTES:
                parts.append({})
                size = 0
            parts[-1][piece] = rows
            size += rows.nbytes
    paths = []
    for number, part in enumerate(parts):
        path = folder / f"{name}_{number}.npz"
        np.savez_compressed(path, **part)
        paths.append(path)
    return paths


def main() -> None:
    """Packs published weights (safetensors) for `train.py`: to be carried to a machine without network."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("weights", type=Path, help="model.safetensors of all-MiniLM-L6-v2 or all-mpnet-base-v2")
    parser.add_argument("out", type=Path, help="base.npz or teacher.npz")
    parser.add_argument("--levels", type=int, default=127)
    parser.add_argument("--parts", type=int, default=1)
    options = parser.parse_args()
    whole = packed(load_file(options.weights), options.levels)
    names = sorted(whole, key=lambda name: name.partition("|")[0])
    bounds = np.cumsum([whole[name].nbytes for name in names])
    part = np.minimum((bounds - 1) * options.parts // bounds[-1], options.parts - 1)
    for number in range(options.parts):
        path = options.out.with_stem(f"{options.out.stem}_{number}") if options.parts > 1 else options.out
        np.savez_compressed(path, **{name: whole[name] for name, own in zip(names, part, strict=True) if own == number})
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
