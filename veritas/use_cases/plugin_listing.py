"""Plug-ins, listed with their state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veritas.errors import PluginError, VeritasError
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
