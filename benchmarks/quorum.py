"""What several lenses let through and cost, by how alike they err: `python benchmarks/quorum.py [CLAIMS_FOLDER]`.

First simulated lenses with known error rates and correlations, exactly: the errors of a panel are a Gaussian copula (or
a beta mixture), the probability of every combination of answers is integrated, and the gate's own rule decides about
each. Then, where the labelled claims are, the three embedded lenses: how far they agree, how alike they err, and what
the gate's rules let through of them. Markdown on stdout.
"""

from __future__ import annotations

import argparse
import itertools
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist

import numpy as np

from veritas import Judgment
from veritas.gate import combine
from veritas.gate.lens_agreement import cohen
from veritas.policy.gate_policy import CombinationRule

AUTHOR = "author"
WRONG_SOURCE = 1 / 3
"""Share of the wrong findings whose passage bears them out and whose source is wrong: no lens can see that."""
ORACLE_MISSES = 0.02
"""Share of the wrong sources that the oracle confirms all the same."""
POINTS, WEIGHTS = np.polynomial.hermite_e.hermegauss(201)
NORMAL = NormalDist()

Joint = Callable[[float, int, float], np.ndarray]
"""(rate, lenses, correlation) -> probability of each number of lenses that err, 0 to all: they are exchangeable."""


def copula(rate: float, lenses: int, rho: float) -> np.ndarray:
    """Each lens errs where a normal variable falls below a threshold; the variables have correlation `rho`."""
    at = NORMAL.inv_cdf(rate)
    shared = (at - math.sqrt(rho) * POINTS) / math.sqrt(1 - rho)
    chances = np.array([NORMAL.cdf(float(x)) for x in shared])
    return _counts(chances, WEIGHTS / WEIGHTS.sum(), lenses)


def beta_mixture(rate: float, lenses: int, rho: float) -> np.ndarray:
    """Each finding has its own rate of error, from a beta distribution; `rho` is the correlation of two errors."""
    if rho == 0:
        return _counts(np.array([rate]), np.array([1.0]), lenses)
    size = 1 / rho - 1
    a, b = rate * size, (1 - rate) * size
    found = [
        math.comb(lenses, k) * math.exp(_log_beta(k + a, lenses - k + b) - _log_beta(a, b)) for k in range(lenses + 1)
    ]
    return np.array(found)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _counts(chances: np.ndarray, weights: np.ndarray, lenses: int) -> np.ndarray:
    return np.array([
        float((weights * math.comb(lenses, k) * chances**k * (1 - chances) ** (lenses - k)).sum())
        for k in range(lenses + 1)
    ])


def admitted(rule: CombinationRule) -> list[bool]:
    """Whether the gate's rule admits, by how many of the lenses support."""
    said = [
        [
            Judgment(label="supports" if i < k else "silent", score=1, rationale="", lens=str(i), family=f"house-{i}")
            for i in range(rule.lenses)
        ]
        for k in range(rule.lenses + 1)
    ]
    return [(v := combine(each, rule, AUTHOR)).label == "supports" and v.agreed for each in said]


def simulated(rule: CombinationRule, false: float, lost: float, rho: float, joint: Joint, oracle: bool) -> list[float]:
    """Share of the wrong findings admitted, of the right ones lost, calls of lenses a finding (half are wrong), and the
    share of the ungrounded claims admitted."""
    passes = np.array(admitted(rule), dtype=float)
    n = rule.lenses
    of_true = joint(lost, n, rho)[::-1]  # by how many support, not by how many err
    of_false = joint(false, n, rho)
    ungrounded = float(passes @ of_false)
    misses = ORACLE_MISSES if oracle else 1.0
    wrong_source = float(passes @ of_true) * misses
    through = (1 - WRONG_SOURCE) * ungrounded + WRONG_SOURCE * wrong_source
    calls = n * (0.5 + 0.5 * (1 - WRONG_SOURCE + WRONG_SOURCE * misses))
    return [through, 1 - float(passes @ of_true), calls, ungrounded]


def unanimity(lenses: int) -> CombinationRule:
    """All of so many lenses of different families."""
    return CombinationRule(combine="unanimity", lenses=lenses, families=lenses, oracle=False)


def majority(lenses: int) -> CombinationRule:
    """More than half of so many lenses."""
    return CombinationRule(combine="quorum", lenses=lenses, oracle=False, needed=lenses // 2 + 1)


PANELS = (
    ("one judge", unanimity(1)),
    ("two, both must agree", unanimity(2)),
    ("three, all must agree", unanimity(3)),
    ("three, two must agree", majority(3)),
    ("five, three must agree", majority(5)),
)


def simulation(false: float, lost: float) -> None:
    """The tables of the simulated lenses."""
    print(f"\nLenses that each support {false:.0%} of the ungrounded claims and lose {lost:.0%} of the grounded ones; "
          "ungrounded claims let through / grounded claims lost:\n")
    rhos = (0.0, 0.1, 0.3, 0.6, 0.9)
    for name, joint in (("Gaussian copula", copula), ("beta mixture", beta_mixture)):
        print(f"| {name}, correlation | " + " | ".join(f"{r:g}" for r in rhos) + " | calls |")
        print("| --- |" + " --- |" * (len(rhos) + 1))
        for title, rule in PANELS:
            found = [simulated(rule, false, lost, rho, joint, True) for rho in rhos]
            cells = [f"{f[3]:.1%} / {f[1]:.1%}" for f in found]
            print(f"| {title} | " + " | ".join(cells) + f" | {rule.lenses} |")
        print()
    print(f"The same with sources: a third of the wrong findings have a wrong source, which no lens sees; the oracle "
          f"misses {ORACLE_MISSES:.0%} of those. Wrong findings let through / right ones lost / calls of lenses:\n")
    print("| panel | without the oracle | with the oracle |\n| --- | --- | --- |")
    for title, rule, rho in (
        ("one judge", unanimity(1), 0.0),
        ("quorum of two, correlation 0.6", unanimity(2), 0.6),
        ("quorum of two, correlation 0.1", unanimity(2), 0.1),
        ("three correlated (0.6), two must agree", majority(3), 0.6),
        ("three decorrelated (0.1), two must agree", majority(3), 0.1),
        ("three correlated (0.6), all must agree", unanimity(3), 0.6),
        ("three decorrelated (0.1), all must agree", unanimity(3), 0.1),
    ):
        cells = []
        for oracle in (False, True):
            through, gone, calls, _ = simulated(rule, false, lost, rho, copula, oracle)
            cells.append(f"{through:.1%} / {gone:.1%} / {calls:.2f}")
        print(f"| {title} | " + " | ".join(cells) + " |")


# the lenses there are -------------------------------------------------------------------------------------------------


def phi(one: np.ndarray, other: np.ndarray) -> float:
    """Correlation of two yes-no series; NaN where one of them never varies."""
    if one.std() == 0 or other.std() == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def implied(one: np.ndarray, other: np.ndarray) -> float:
    """The copula's correlation under which two lenses with these error rates err together as often as they did."""
    a, b, both = one.mean(), other.mean(), float((one & other).mean())
    if not 0 < a < 1 or not 0 < b < 1 or both <= a * b:
        return 0.0
    low, high = 0.0, 0.999
    for _ in range(40):
        rho = (low + high) / 2
        x, y = (
            np.array([NORMAL.cdf(float(z)) for z in (NORMAL.inv_cdf(float(p)) - math.sqrt(rho) * POINTS)
                      / math.sqrt(1 - rho)])
            for p in (a, b)
        )
        low, high = (rho, high) if float((WEIGHTS / WEIGHTS.sum() * x * y).sum()) < both else (low, rho)
    return low


def measured(folder: Path) -> None:
    """The embedded lenses on the labelled claims, the learned one by models that were fitted without each claim."""
    from lenses import FORMS, folds, groups, judged, load, unseen

    from veritas.judging.lenses import EmbeddedLens, ExactLens, LexicalLens

    records = load(folder)
    truth, sets = [r["label"] for r in records], [r["source_dataset"] for r in records]
    learned = judged(unseen(records, folds(truth, sets, groups(records), 0)))
    labels = {EmbeddedLens.name: [label for label, _ in learned]}
    for lens in (LexicalLens(), ExactLens()):
        labels[lens.name] = [lens.find(r["claim"], r["passage"])[0] for r in records]
    family = {lens.name: lens.family for lens in (EmbeddedLens, LexicalLens, ExactLens)}
    true = np.array([t == "supports" for t in truth])
    print("\nThe embedded lenses on labelled claims they were not fitted on, two at a time. Correlation of errors: of "
          "false supports over refuted and silent claims, of lost supports over supported ones, and in brackets the "
          "copula's correlation that would make them err together as often:\n")
    print("| two lenses | claims | agree | Cohen's kappa | false supports: correlation (copula) "
          "| lost supports: correlation (copula) |\n| --- | --- | --- | --- | --- | --- |")
    for one, other in itertools.combinations(labels, 2):
        for name in (*FORMS, "all"):
            here = np.array([name in ("all", s) for s in sets])
            a, b = ([x for x, h in zip(labels[lens], here, strict=True) if h] for lens in (one, other))
            says = {lens: np.array([x == "supports" for x in labels[lens]]) for lens in (one, other)}
            cells = []
            for at, error in ((here & ~true, says), (here & true, {k: ~v for k, v in says.items()})):
                x, y = error[one][at], error[other][at]
                cells.append(f"{phi(x, y):.2f} ({implied(x, y):.2f})")
            agree = sum(p == q for p, q in zip(a, b, strict=True)) / len(a)
            kappa = cohen(a, b)
            shown = "–" if kappa is None else f"{kappa:.2f}"
            print(f"| `{one}`, `{other}` | {name} | {agree:.0%} | {shown} | " + " | ".join(cells) + " |")
    print("\nWhat the gate's rules let through of them: false supports / supports lost.\n")
    print("| rule | " + " | ".join((*FORMS, "all")) + " | calls |\n| --- |" + " --- |" * (len(FORMS) + 2))
    three = tuple(labels)
    panels: tuple[tuple[str, tuple[str, ...], CombinationRule], ...] = (
        *((f"`{name}` alone", (name,), unanimity(1)) for name in three),
        *((" and ".join(f"`{n}`" for n in two), two, unanimity(2)) for two in itertools.combinations(three, 2)),
        ("two of the three", three, majority(3)),
        ("all three", three, unanimity(3)),
    )
    for title, names, rule in panels:
        cells = []
        ruled = []
        for i in range(len(records)):
            said = [
                Judgment.model_validate(
                    {"label": labels[n][i], "score": 1, "rationale": "", "lens": n, "family": family[n]}
                )
                for n in names
            ]
            verdict = combine(said, rule, "embedded:salience")
            ruled.append(verdict.label == "supports" and verdict.agreed)
        passed = np.array(ruled)
        for name in (*FORMS, "all"):
            here = np.array([name in ("all", s) for s in sets])
            cells.append(f"{passed[here & ~true].mean():.0%} / {(~passed[here & true]).mean():.0%}")
        print(f"| {title} | " + " | ".join(cells) + f" | {len(names)} |")


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parents[2] / "shared" / "claims"
    parser.add_argument("folder", type=Path, nargs="?", default=shared)
    parser.add_argument("--false", type=float, default=0.1, help="a lens supports this share of ungrounded claims")
    parser.add_argument("--lost", type=float, default=0.15, help="and loses this share of the grounded ones")
    chosen = parser.parse_args()
    simulation(chosen.false, chosen.lost)
    if (chosen.folder / "scifact.jsonl").is_file():
        measured(chosen.folder)
    else:
        print(f"\n{chosen.folder} holds no labelled claims: the embedded lenses are not measured")


if __name__ == "__main__":
    warnings.simplefilter("ignore", category=UserWarning)
    main()
