"""The roster of approvers, from `policies/approvers.yaml` or the file that `VERITAS_APPROVERS` names.

An empty roster counts as none: decisions are then unsigned, and shown as such.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pydantic import Field

from veritas.approvals.approval import Kind
from veritas.claims.override import MAX_NAME
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.yaml_file import YamlFile, read_yaml
from veritas.settings import policy_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KINDS: tuple[Kind, ...] = get_args(Kind)


class Approver(Frozen):
    """A person with their keys. `may` are the kinds of findings that they may decide."""

    name: str = Field(min_length=1, max_length=MAX_NAME)
    key: str | tuple[str, ...] = Field(min_length=1)
    may: tuple[Kind, ...] = KINDS

    @property
    def keys(self) -> tuple[str, ...]:
        """The public keys, as they are written."""
        return (self.key,) if isinstance(self.key, str) else self.key


class RosterFile(Frozen):
    """The roster's file. `two_persons` are kinds that two different approvers have to approve; `heads` is the folder of
    the signed heads, relative to the file's own folder."""

    approvers: tuple[Approver, ...] = ()
    two_persons: tuple[Kind, ...] = ()
    heads: str = "approvals_head"


class Holder:
    """A key of the roster and its owner."""

    def __init__(self, approver: Approver, text: str) -> None:
        self.approver, self._text = approver, text

    @cached_property
    def key(self) -> Ed25519PublicKey:
        """The public key."""
        from veritas.approvals.signing import public_key

        return public_key(self._text)


class Roster:
    """The approvers by the fingerprints of their keys. False where there is none."""

    def __init__(self, path: Path, file: RosterFile, holders: Mapping[str, Holder]) -> None:
        self.path, self._file, self.holders = path, file, holders
        self.heads = path.parent / file.heads

    def __bool__(self) -> bool:
        return bool(self.holders)

    def needed(self, kind: Kind) -> int:
        """Return how many different persons must approve a finding of that kind."""
        return 2 if self and kind in self._file.two_persons else 1


def load_roster() -> Roster:
    """Return the roster. Raises `PolicyError` for an invalid one, `InputError` for one that is named and missing."""
    named = os.environ.get("VERITAS_APPROVERS")
    path = Path(named) if named else policy_file("approvers.yaml")
    try:
        stat = path.stat()
    except OSError as error:
        if named or not isinstance(error, FileNotFoundError):
            raise InputError(f"the roster of approvers {path} cannot be read: {error.strerror or error}") from error
        return Roster(path, RosterFile(), {})
    return _load(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)


@lru_cache(maxsize=4)
def _load(path: Path, *_changed: int) -> Roster:
    found = read_yaml(path)
    file = found.to_model(RosterFile)
    holders = _holders(found, file) if file.approvers else {}
    for number, kind in enumerate(file.two_persons if holders else ()):
        if sum(kind in a.may for a in file.approvers) < 2:
            raise found.error(("two_persons", number), f"fewer than two approvers may decide about {kind}")
    return Roster(path, file, holders)


def _holders(found: YamlFile, file: RosterFile) -> dict[str, Holder]:
    from veritas.approvals.signing import fingerprint

    holders: dict[str, Holder] = {}
    names: set[str] = set()
    for number, approver in enumerate(file.approvers):
        name = approver.name
        folded = unicodedata.normalize("NFKC", name).casefold()
        if name != " ".join(name.split()) or not name.isprintable() or not any(map(str.isalnum, name)):
            raise found.error(("approvers", number, "name"), "a name is printable, with single blanks between words")
        if folded in names:
            raise found.error(("approvers", number, "name"), f"{name} is on the roster already: two persons, two names")
        names.add(folded)
        for text in approver.keys:
            holder = Holder(approver, text)
            try:
                mark = fingerprint(holder.key)
            except ValueError as error:
                raise found.error(("approvers", number, "key"), str(error)) from error
            if mark in holders:
                whose = holders[mark].approver.name
                raise found.error(("approvers", number, "key"), f"this key is {whose}'s already: two persons, two keys")
            holders[mark] = holder
    return holders
