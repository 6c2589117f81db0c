"""Accuracy and calibration of a lens, measured on its answers to labelled claims.

Errors are not equally bad: `supports` for a refuted claim is the worst, `silent` for a supported one the least.
`unavailable` is no answer and is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.frozen import Frozen

BINS = 10

Answer = tuple[str, float]
"""Label, and the probability from 0 to 1 that it is right."""


class LensAccuracy(Frozen):
    """Shares from 0 to 1; None where there is nothing to divide by.

    `macro_f1` and `balanced` (mean recall) are means over the labels that occur in the truth. `calibration` is the
    expected calibration error over ten equal bins.
    """

    items: int
    accuracy: float | None
    macro_f1: float | None
    balanced: float | None
    false_supports: float | None
    """Share of the unsupported claims that the lens calls supported."""
    refuted_supported: float | None
    """Share of the refuted claims that the lens calls supported."""
    supports_kept: float | None
    """Share of the supported claims that the lens calls supported."""
    precision: float | None
    """Share of the lens's `supports` that are right."""
    calibration: float | None


def accuracy_of(truth: Sequence[str], answers: Sequence[Answer], *, two_labels: bool = False) -> LensAccuracy:
    """Return the accuracy of a lens's answers, one for each label of `truth`, in its order. To a lens that never
    refutes (`two_labels`), a refuted claim is `silent`."""
    refuted = [answer[0] for answer, true in zip(answers, truth, strict=True) if true == "refutes"]
    if two_labels:
        truth = ["silent" if label == "refutes" else label for label in truth]
    said = [label for label, _ in answers]
    pairs = list(zip(said, truth, strict=True))
    recalls, scores = [], []
    for label in sorted(set(truth)):
        right = sum(s == t == label for s, t in pairs)
        recalls.append(right / truth.count(label))
        scores.append(2 * right / (truth.count(label) + said.count(label)))
    return LensAccuracy(
        items=len(pairs),
        accuracy=_share(sum(s == t for s, t in pairs), len(pairs)),
        macro_f1=_share(sum(scores), len(scores)),
        balanced=_share(sum(recalls), len(recalls)),
        false_supports=_supported([s for s, t in pairs if t != "supports"]),
        refuted_supported=_supported(refuted),
        supports_kept=_supported([s for s, t in pairs if t == "supports"]),
        precision=_supported([t for s, t in pairs if s == "supports"]),
        calibration=calibration_error(truth, answers),
    )


def calibration_error(truth: Sequence[str], answers: Sequence[Answer], bins: int = BINS) -> float | None:
    """Return the expected calibration error: the distance of score and share of right answers, over equal bins weighed
    by size. None without answers."""
    off = [0.0] * bins
    for (label, score), true in zip(answers, truth, strict=True):
        off[min(int(score * bins), bins - 1)] += (label == true) - score
    return _share(sum(map(abs, off)), len(truth))


def _supported(labels: Sequence[str]) -> float | None:
    return _share(labels.count("supports"), len(labels))


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
