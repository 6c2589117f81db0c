"""The settings of a lens in a council file, and the creation of the lens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veritas import plugins
from veritas.council.connections import Connected
from veritas.errors import InputError, PluginError
from veritas.judging.lens import Lens
from veritas.policy.council_policy import JudgePolicy


@dataclass(frozen=True)
class LensSetup:
    """The settings of a judge in a council file. The lens takes `name` and `family` from here.

    `model` is the language model to ask, with its ledger, budget and limits; `folder` the folder that holds a model,
    `weights` its hash; `temperature` the calibration of the lens's probabilities; `seconds` the longest time for one
    judgment without a language model.
    """

    name: str
    family: str
    model: Connected | None
    folder: Path | None
    weights: str | None
    temperature: float
    seconds: float


def configured_lens(policy: JudgePolicy, model: Connected | None) -> Lens:
    """Return the lens that a judge's lines set up. Raises `InputError` for a lens that takes no settings or lacks some,
    `PluginError` for one that takes another name or family than it is given: the family decides whom it may judge
    (I4)."""
    named = policy.lens or ""
    if not _takes_setup(named):
        raise InputError(f"the lens {named} takes no settings: name it in verifiers: as it is")
    setup = LensSetup(
        name=policy.name,
        family=policy.family or "",
        model=model,
        folder=Path(policy.folder) if policy.folder is not None else None,
        weights=policy.weights,
        temperature=policy.calibrated or 1.0,
        seconds=policy.limits.timeout,
    )
    lens = plugins.make("lens", named, Lens, setup)
    if (lens.name, lens.family) != (setup.name, setup.family):
        raise PluginError(
            f"{plugins.named('lens', named)} calls itself {lens.name} of the family {lens.family}; "
            f"the council file says {setup.name} of the family {setup.family}: take both from the LensSetup"
        )
    return lens


def bare_lens(name: str) -> Lens:
    """Return the lens plug-in of that name, created without settings. Raises `InputError` if there is none, or if it
    needs settings from a council file."""
    if name in plugins.installed("lens") and _takes_setup(name):
        raise InputError(
            f"the lens {name} is set up in a council file, under judges: with lens: {name} and a name of its own"
        )
    return plugins.make("lens", name, Lens)


def _takes_setup(name: str) -> bool:
    """Return whether a lens's factory says that it is made of a `LensSetup`."""
    factory: Any = plugins.load("lens", name)
    return getattr(factory, "takes_setup", False) is True
