"""Trains the teacher, lets it label the pairs, and trains the judge on labels and the teacher's opinion.

    python training/train.py --packed FOLDER --out FOLDER [--stages teacher,first,second] [--seconds 130,240,45]

FOLDER of `--packed` holds what `data.py` wrote. Stage `first` is trained without the human-labelled claims, so that
it can be measured on them; `second` goes on from it with them. `--smoke` runs everything on a CPU in a minute with
tiny models and made-up pairs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from model import JUDGE, TEACHER, TINY, Encoder, load, save, unpacked
from torch import Tensor

from data import LABELS, Pairs

START = time.time()
NOT_SUPPORTS, UNLABELLED = LABELS.index("not_supports"), LABELS.index("unlabelled")


class Log:
    def __init__(self, path: Path) -> None:
        self.file = path.open("a", encoding="utf-8")

    def __call__(self, **fields: Any) -> None:
        line = json.dumps(fields | {"t": round(time.time() - START, 1)})
        print(line, flush=True)
        self.file.write(line + "\n")
        self.file.flush()


def loss_of(logits: Tensor, label: Tensor, soft: Tensor | None, share: float, smooth: float) -> Tensor:
    """The loss of each pair: the label's, mixed with the divergence from the teacher's opinion by `share`."""
    logs = F.log_softmax(logits.float(), -1)
    gold = -logs.gather(1, label.clamp(max=2)[:, None])[:, 0]
    gold = (1 - smooth) * gold - smooth * logs.mean(-1)
    gold = torch.where(label == NOT_SUPPORTS, -torch.logsumexp(logs[:, 1:], -1), gold)
    if soft is None:
        return gold
    taught = -(soft * logs).sum(-1)
    return torch.where(label == UNLABELLED, taught, (1 - share) * gold + share * taught)


def mixed_precision(device: str) -> Any:
    return torch.autocast("cuda", dtype=torch.bfloat16) if device == "cuda" else contextlib.nullcontext()


@torch.no_grad()
def logits_of(model: Encoder, pairs: Pairs, chosen: np.ndarray, device: str, tokens: int) -> np.ndarray:
    model.eval()
    out = np.zeros((len(chosen), 3), np.float32)
    where = np.full(len(pairs.rows), -1, np.int64)
    where[chosen] = np.arange(len(chosen))
    for rows in pairs.plan(chosen, tokens, np.random.default_rng(0)):
        with mixed_precision(device):
            got = model(*pairs.batch(rows, shifted=model.config.relative))
        out[where[rows]] = got.float().cpu().numpy()
    model.train()
    return out


def report(logits: np.ndarray, rows: np.ndarray, sources: list[str]) -> dict[str, Any]:
    """By source, per cent: pairs, right, false supports, supports kept, refuted called supported, true ones refuted."""
    out: dict[str, Any] = {}
    best = logits.argmax(1)
    shown = {source: rows[:, 3] == number for number, source in enumerate(sources)}
    shown["all"] = np.ones(len(rows), bool)
    for source, own in shown.items():
        own = own & (rows[:, 2] != UNLABELLED)
        label, got = rows[own, 2], best[own]
        if not len(label):
            continue
        right = np.where(label == NOT_SUPPORTS, got != 0, got == label)

        def share(of: np.ndarray, that: np.ndarray) -> float | None:
            return round(100 * float(that[of].mean()), 1) if of.any() else None

        yes = label == 0
        out[source] = [
            len(label),
            share(yes | True, right),
            share(~yes, got == 0),
            share(yes, got == 0),
            share(label == 1, got == 0),
            share(yes, got == 1),
        ]
    return out


def train(
    model: Encoder,
    pairs: Pairs,
    chosen: np.ndarray,
    log: Log,
    name: str,
    *,
    seconds: float,
    epochs: float,
    rate: float,
    tokens: int,
    device: str,
    half: bool = False,
    soft: np.ndarray | None = None,
    share: float = 0.5,
    smooth: float = 0.03,
    average: float = 0.998,
    new: tuple[str, ...] = ("pool", "head"),
) -> None:
    """Leaves the model with its weights averaged over the last steps.

    The learning rate falls with the share of the steps or of the time that has passed, whichever is more, so that the
    schedule always ends.
    """
    random = np.random.default_rng(1)
    weight = torch.from_numpy(pairs.weights(chosen)).to(device)
    label = torch.from_numpy(pairs.rows[:, 2]).to(device)
    taught = torch.from_numpy(soft).to(device) if soft is not None else None
    # the model computes in bf16, the optimizer steps on weights in fp32
    names = [key for key, _ in model.named_parameters()]
    exact = {key: value.detach().float().clone() for key, value in model.named_parameters()}
    if half:
        model.bfloat16()
    groups: dict[tuple[bool, bool], list[Tensor]] = {}
    for key, value in exact.items():
        groups.setdefault((value.ndim > 1, key.startswith(new)), []).append(value)
    options = [
        {"params": values, "weight_decay": 0.01 if matrix else 0.0, "factor": 2.0 if fresh else 1.0}
        for (matrix, fresh), values in groups.items()
    ]
    optimizer = torch.optim.AdamW(options, lr=rate, betas=(0.9, 0.98), eps=1e-6, fused=device == "cuda")
    mean = {key: value.clone() for key, value in exact.items()}
    batches = pairs.plan(chosen, tokens, random)
    total = max(2, int(epochs * len(batches)))
    log(event="start", stage=name, pairs=len(chosen), steps=total, each_epoch=len(batches), seconds=seconds)
    begun, step, done, running = time.time(), 0, 0.0, None
    model.train()
    while done < 1:
        if not batches:
            batches = pairs.plan(chosen, tokens, random)
        rows = batches.pop()
        done = max((step + 1) / total, (time.time() - begun) / seconds)
        factor = min(1.0, (step + 1) / max(5, 0.05 * total)) * max(0.02, 0.5 * (1 + math.cos(math.pi * min(1, done))))
        for group in optimizer.param_groups:
            group["lr"] = rate * factor * group["factor"]
        at = torch.from_numpy(rows).to(device)
        shifted = model.config.relative
        logits = model(*pairs.batch(rows, folded=0.25, shifted=shifted))
        each = loss_of(logits, label[at], taught[at] if taught is not None else None, share, smooth)
        loss = (each * weight[at]).sum() / weight[at].sum()
        loss.backward()
        for key, value in model.named_parameters():
            exact[key].grad = value.grad.float() if value.grad is not None else None
            value.grad = None
        torch.nn.utils.clip_grad_norm_(exact.values(), 1.0)
        optimizer.step()
        with torch.no_grad():
            torch._foreach_copy_(list(model.parameters()), [exact[key] for key in names])
        step += 1
        if step % 4 == 0:
            keep = min(average, (1 + step) / (10 + step)) ** 4
            with torch.no_grad():
                torch._foreach_lerp_([mean[key] for key in names], [exact[key] for key in names], 1 - keep)
        if step % 100 == 0 or done >= 1:
            now = float(loss.detach())
            running = now if running is None else 0.8 * running + 0.2 * now
            if step % 500 == 0 or done >= 1 or step == 100:
                log(event="step", stage=name, step=step, done=round(done, 3), loss=round(running, 4))
    model.float().load_state_dict(mean)


def run(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    log = Log(options.out / "log.jsonl")
    device = options.device
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    packed = options.packed
    pairs = Pairs.read(sorted(packed.glob("pairs*.npz")), device)
    human = np.array([name.startswith("vis_") for name in pairs.sources])[pairs.rows[:, 3]]
    part, label = pairs.rows[:, 4], pairs.rows[:, 2]
    everything = np.arange(len(pairs.rows))
    valid = everything[(part == 1) & (label != UNLABELLED)]
    plain = everything[(part == 0) & ~human]
    labelled = plain[label[plain] != UNLABELLED]
    if options.limit:
        random = np.random.default_rng(2)
        plain, labelled, valid = (random.permutation(rows)[: options.limit] for rows in (plain, labelled, valid))
        human &= np.isin(everything, random.permutation(everything[human])[: options.limit // 4])
    both = np.concatenate([plain, everything[human]])
    log(event="read", device=device, torch=torch.__version__, pairs=len(both), tokens=int(pairs.sizes[both].sum()))
    seconds = dict(zip(("teacher", "first", "second"), map(float, options.seconds.split(",")), strict=True))
    soft: dict[str, np.ndarray | None] = {"first": None, "second": None}

    def measure(model: Encoder, stage: str) -> None:
        got = logits_of(model, pairs, valid, device, options.tokens)
        log(event="valid", stage=stage, result=report(got, pairs.rows[valid], pairs.sources))
        if human.any():
            got = logits_of(model, pairs, everything[human], device, options.tokens)
            log(event="claims", stage=stage, result=report(got, pairs.rows[human], pairs.sources))

    random = np.random.default_rng(3)
    few = random.permutation(plain if "teacher" in options.stages else labelled)[: 6 * int(human.sum())]
    continued = np.concatenate([few, everything[human]])
    with_claims = np.concatenate([random.permutation(labelled)[: len(labelled) // 4], np.repeat(everything[human], 2)])
    if "teacher" in options.stages:
        teacher = Encoder(TINY["teacher"] if options.tiny else TEACHER)
        if not options.tiny:
            missing = load(teacher, unpacked(sorted(options.teacher.glob("teacher*.npz"))))
            log(event="loaded", stage="teacher", without_weights=missing)
        teacher.to(device)
        plans = (
            ("first", labelled, options.teacher_epochs, options.teacher_rate, 0.86),
            ("second", with_claims, 1.0, 0.4 * options.teacher_rate, 0.14),
        )
        for stage, rows, epochs, rate, part_of_time in plans:
            if stage not in options.stages:
                continue
            train(
                teacher,
                pairs,
                rows,
                log,
                f"teacher, {stage}",
                seconds=seconds["teacher"] * part_of_time,
                epochs=epochs,
                rate=rate,
                average=0.99,
                tokens=options.tokens,
                device=device,
                half=options.half,
            )
            measure(teacher, f"teacher, {stage}")
            opinion = np.zeros((len(pairs.rows), 3), np.float32)
            told = plain if stage == "first" else continued
            got = logits_of(teacher, pairs, told, device, 2 * options.tokens)
            opinion[told] = torch.softmax(torch.from_numpy(got / options.heat), -1).numpy()
            soft[stage] = opinion
            log(event="labelled", stage=stage, pairs=len(told), mean=opinion[told].mean(0).round(3).tolist())
        del teacher
    student = Encoder(TINY["judge"] if options.tiny else JUDGE)
    if not options.tiny:
        log(event="loaded", stage="judge", without_weights=load(student, unpacked(sorted(packed.glob("base*.npz")))))
    student.to(device)
    if "second" in options.stages and "first" not in options.stages:
        load(student, unpacked(sorted(options.out.glob("first_*.npz"))))
    steps = (
        ("first", labelled if soft["first"] is None else plain, options.epochs, options.rate, 0.998),
        ("second", continued, options.more_epochs, 0.3 * options.rate, 0.99),
    )
    for stage, rows, epochs, rate, average in steps:
        if stage not in options.stages:
            continue
        train(
            student,
            pairs,
            rows,
            log,
            stage,
            seconds=seconds[stage],
            epochs=epochs,
            rate=rate,
            soft=soft[stage],
            share=options.share,
            average=average,
            tokens=options.tokens,
            device=device,
            half=options.half,
        )
        files = save(student.state_dict(), options.out, stage)
        log(event="saved", stage=stage, files=[path.name for path in files])
        measure(student, stage)


def made_up(folder: Path) -> None:
    """Random pairs: the claim is a run of the passage (supports), of other words (silent), or marked (refutes)."""
    random = np.random.default_rng(5)
    folder.mkdir(parents=True, exist_ok=True)
    for name, count in (("x_made", 400), ("x_cross", 60), ("vis_made", 60)):
        texts, pairs = [], []
        for number in range(count):
            passage = random.integers(1000, 30_000, random.integers(10, 60)).astype(np.uint16)
            claim = passage[3:9].copy()
            label = number % 3
            if label == 1:
                claim[0] = 2025
            elif label == 2:
                claim = random.integers(1000, 30_000, 6).astype(np.uint16)
            texts += [claim, passage]
            label = label if name != "x_cross" else UNLABELLED
            pairs.append((2 * number, 2 * number + 1, label, 0, int(number % 10 == 0 and name == "x_made")))
        np.savez(
            folder / f"pairs_{name}.npz",
            pieces=np.concatenate(texts),
            lengths=np.array([len(text) for text in texts], np.uint16),
            pairs=np.array(pairs, np.int32),
            sources=np.array([name]),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packed", type=Path, help="the folder that data.py wrote")
    parser.add_argument("--teacher", type=Path, help="the folder of the teacher's packed weights, if another")
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--stages", default="teacher,first,second")
    parser.add_argument("--seconds", default="130,240,45", help="at most, for the teacher and either stage")
    parser.add_argument("--epochs", type=float, default=7)
    parser.add_argument("--more-epochs", type=float, default=3)
    parser.add_argument("--teacher-epochs", type=float, default=2)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--teacher-rate", type=float, default=5e-5)
    parser.add_argument("--share", type=float, default=0.5, help="the teacher's share of the loss")
    parser.add_argument("--heat", type=float, default=1.5, help="the temperature of the teacher's opinion")
    parser.add_argument("--tokens", type=int, default=32_768, help="tokens in a step")
    parser.add_argument("--limit", type=int, default=0, help="train on so many pairs only")
    parser.add_argument("--tiny", action="store_true", help="models of 1 M parameters with random weights")
    parser.add_argument("--smoke", action="store_true", help="made-up pairs, tiny models, a CPU")
    options = parser.parse_args()
    options.stages = options.stages.split(",")
    options.device = "cuda" if torch.cuda.is_available() and not options.smoke else "cpu"
    options.half = options.device == "cuda"
    if options.smoke:
        with tempfile.TemporaryDirectory() as folder:
            options.packed, options.out, options.tiny = Path(folder) / "packed", Path(folder) / "out", True
            options.tokens, options.seconds, options.rate, options.teacher_rate = 1024, "15,15,5", 2e-3, 2e-3
            made_up(options.packed)
            run(options)
        return
    options.teacher = options.teacher or options.packed
    run(options)


if __name__ == "__main__":
    main()
