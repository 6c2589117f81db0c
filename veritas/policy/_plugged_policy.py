"""A source policy of another package, named by a policy file; its answers are checked."""

from __future__ import annotations

import re
from pathlib import Path

from veritas.errors import InputError, PluginError, VeritasError
from veritas.frozen import Frozen, content_hash
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.policy.yaml_file import read_yaml

SEAM = "source_policy"
_KEY = re.compile(rb"(?m)^plugin[ \t]*:")


class PluginFile(Frozen):
    """A policy file that names a plug-in."""

    plugin: str


def plugin_named(path: Path) -> str | None:
    """Return the plug-in that a policy file names under `plugin:`; None for a file of tiers. Raises `PolicyError`."""
    try:
        if _KEY.search(path.read_bytes()) is None:  # a file of tiers is long, and is parsed once
            return None
    except OSError:
        return None  # the code that reads the file reports the error
    from veritas import plugins  # it reads the metadata of every package, which a file of tiers does not need

    file = read_yaml(path)
    name = file.to_model(PluginFile).plugin
    if name not in plugins.installed(SEAM):
        there = ", ".join(sorted(plugins.installed(SEAM)))
        raise file.error(("plugin",), f"no {SEAM} plug-in is called {name!r}; installed: {there}")
    return name


class PluggedSourcePolicy:
    """The policy of a plug-in. An error or an invalid answer raises `PluginError`, because an unclassified URL is
    neither admitted nor rejected."""

    def __init__(self, name: str) -> None:
        from veritas import plugins

        self.name = name
        self._inner = plugins.make(SEAM, name, SourcePolicy)
        said = getattr(self._inner, "fingerprint", None)
        self.fingerprint = content_hash([name, plugins.release(SEAM, name), said if isinstance(said, str) else ""])
        """SHA-256 over the plug-in, its release and, if it has one, its own fingerprint."""

    def classify(self, url: str) -> TierVerdict:
        """See `SourcePolicy`. Raises `PluginError` for no verdict, and for one that contradicts itself."""
        from veritas import plugins

        try:
            verdict = self._inner.classify(url)
        except (VeritasError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a stranger's code
            raise PluginError(plugins.failed(SEAM, self.name, error)) from error
        if not isinstance(verdict, TierVerdict):
            said = InputError(f"{type(verdict).__name__}, which is no TierVerdict")
            raise PluginError(plugins.failed(SEAM, self.name, said))
        if verdict.admitted != (verdict.tier in (1, 2, 3)):
            said = InputError(f"tier {verdict.tier} with admitted={verdict.admitted}: tiers 1 to 3 are, others not")
            raise PluginError(plugins.failed(SEAM, self.name, said))
        return verdict
