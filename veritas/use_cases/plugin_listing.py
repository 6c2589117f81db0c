"""Plug-ins: listed with their state, and the package of a new one written from tested templates."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from veritas import plugins
from veritas.errors import InputError, PluginError, VeritasError
from veritas.plugins import OWN_PACKAGE, Registered, make, registered, seam_names

__all__ = ["list_plugins", "seam_names"]


def list_plugins(seam: str | None = None) -> tuple[Registered, ...]:
    """Return every plug-in of one seam, or of all, by seam and name. `problem` says why one cannot be loaded, called or
    made. Those of other seams are not imported.

    A chat model, an embedder and a scholarly source are made of the settings of a council, a corpus or a registry, so
    they are loaded only; so is a lens with settings, and a search provider that lacks its key or address.
    """
    return tuple(
        each if each.problem or each.package == OWN_PACKAGE else replace(each, problem=_fault(each.seam, each.name))
        for each in registered(seam)
    )


def _fault(seam: str, name: str) -> str | None:
    """Return why a plug-in cannot be made; None where it can, or where it is not made here."""
    try:
        _make(seam, name)
    except PluginError as error:
        return str(error)
    except VeritasError:  # the plug-in's own word: something has to be set up first
        pass
    return None


def _make(seam: str, name: str) -> None:
    from veritas.council.lenses.setup import bare_lens
    from veritas.council.member import Member
    from veritas.gate.named_oracles import OracleSetup
    from veritas.gate.oracle import Oracle
    from veritas.policy.search_providers import load_providers
    from veritas.policy.source_policy import SourcePolicy
    from veritas.reading.formats import Format
    from veritas.report.renderer import Renderer
    from veritas.reviews.drafts import ClaimExtractor
    from veritas.search.configured_providers import make_provider, provider_states

    plain: dict[str, Any] = {
        "claim_extractor": ClaimExtractor, "member": Member, "reader": Format, "report_renderer": Renderer,
        "source_policy": SourcePolicy,
    }  # fmt: skip
    if seam in plain:
        make(seam, name, plain[seam])
    elif seam == "oracle":
        make(seam, name, Oracle, OracleSetup(kind="research-claim", documents=()))
    elif seam == "lens":
        bare_lens(name)
    elif seam == "search_provider":
        file = load_providers()
        if any(state.name == name and state.configured for state in provider_states(file)):
            make_provider(name, file)


KINDS = {"search-provider": "A search provider", "lens": "A lens"}
"""Names of the kinds of plug-ins that can be written."""
_NAME = re.compile(r"[a-z][a-z0-9]{0,30}(-[a-z0-9]{1,30}){0,4}")


def write_plugin(kind: str, name: str, folder: Path) -> tuple[Path, ...]:
    """Write a package `veritas-NAME` below `folder`; return its files, the folder of the package first.

    Raises `InputError` for a kind or a name that cannot be, a name that is taken, and a folder that is there.
    """
    if kind not in KINDS:
        raise InputError(f"there is no kind of plug-in {kind!r}; there are {', '.join(KINDS)}")
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name for a plug-in: small letters and digits, in words joined by dashes")
    seam = kind.replace("-", "_")
    if name in plugins.installed(seam):
        raise InputError(f"there is a {kind} {name!r} already: choose another name (veritas plugins lists them)")
    words = {
        "name": name,
        "package": f"veritas-{name}",
        "module": f"veritas_{name.replace('-', '_')}",
        "cls": "".join(word.capitalize() for word in name.split("-")),
        "constant": name.replace("-", "_").upper(),
        "seam": seam,
        "what": KINDS[kind],
    }
    package = folder / words["package"]
    if package.exists():
        raise InputError(f"{package} is there already: name another folder, or another plug-in")
    texts = {
        "pyproject.toml": _template("pyproject.toml"),
        "README.md": _template("README.md") + _template(seam, "use"),
        f"{words['module']}.py": _template(seam, "module.py"),
        f"tests/test_{words['module']}.py": _template(seam, "test.py"),
    }
    filled = {path: Template(text).substitute(words) for path, text in texts.items()}
    try:
        (package / "tests").mkdir(parents=True)
        for path, text in filled.items():
            (package / path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{package} cannot be written: {error.strerror or error}") from error
    return (package, *(package / path for path in filled))


def _template(*path: str) -> str:
    place = files("veritas.use_cases") / "plugin_templates"
    return place.joinpath(*path[:-1], f"{path[-1]}.txt").read_text(encoding="utf-8")
