"""Names of flow runs: a name typed into the form stays; one that Prefect made up is replaced by a readable one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import prefect
from prefect.runtime import flow_run

from veritas.frozen import content_hash

_OF_THE_FORM = re.compile(
    "(?:Awesome|Rustic|Small|Gorgeous|Fantastic|Sleek|Intelligent|Unbranded|Refined|Licensed|Generic|Practical"
    "|Ergonomic|Handcrafted|Tasty|Handmade|Incredible)-[A-Z][A-Za-z ]{0,5}"
)
"""Names that the form of the newer Prefect UI fills in: a pattern of its bundle, Prefect 3.8."""

_OF_THE_SKY = re.compile(
    r"(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigma|tau|upsilon"
    r"|phi|chi|psi|omega)\d{0,4}-(?P<place>.+)"
)
"""Names that the form of the older UI fills in, which is shown unless somebody switches: `sigma2-kayal-v`."""
_PART_OF_THE_SKY = frozenset(
    "a b c d e f g h k m n p q r v x y z adjunct anomaly band boundary cloud cluster collapse conflux expanse field "
    "fringe instability manifold mass nebula point quadrant reach ring sector shift tensor terminus vector void "
    "warp".split()
)
_PLACES_BEGIN = "andromedae.antliae."


@cache
def _places() -> frozenset[str]:
    """Return the constellations and planets of the older UI, as its bundle lists them; none if it lists none.

    A pattern without them would take a typed `beta2-test` for made up.
    """
    for bundle in sorted((Path(prefect.__file__).parent / "server" / "ui" / "assets").glob("index*.js")):
        text = bundle.read_text(encoding="utf-8", errors="replace")
        if (begin := text.find(_PLACES_BEGIN)) >= 0:
            return frozenset(re.match(r"[a-z.-]*", text[begin:])[0].split(".")) - {""}  # type: ignore[index]
    return frozenset()


@cache
def _words() -> frozenset[str]:
    """Return the words of Prefect's own made-up names, such as `brave-otter`."""
    from coolname.data import config

    parts: dict[str, Any] = config
    return frozenset(word for part in parts.values() if part["type"] == "words" for word in part["words"])


def made_up(name: str) -> bool:
    """Return whether Prefect or its form made the name up, so that nobody chose it."""
    if sky := _OF_THE_SKY.fullmatch(name):
        place, _, part = sky["place"].rpartition("-")
        if sky["place"] in _places() or (part in _PART_OF_THE_SKY and place in _places()):
            return True
    parts = name.split("-")
    return len(parts) == 2 and (_words().issuperset(parts) or _OF_THE_FORM.fullmatch(name) is not None)


def named(template: str) -> Callable[[], str]:
    """Return a `flow_run_name`: the typed name, else the template with the run's parameters filled in, such as `cite ·
    {claim}`, on one line and short enough for a list."""

    def name() -> str:
        given = flow_run.name
        if given and not made_up(given):
            return str(given)
        shown = {key: _shown(value) for key, value in flow_run.parameters.items()}
        return template.format_map(defaultdict(str, shown)).rstrip(" ·")

    return name


def key_part(text: str) -> str:
    """Return the end of an artifact's key for `text`, so that what belongs to one thing is one history: lower-case
    letters, digits and hyphens."""
    return "-".join([*re.findall(r"[a-z0-9]+", text.lower())[:8], content_hash([text])[:8]])[-80:].lstrip("-")


def _shown(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= 80 else text[:79].rstrip() + "…"
