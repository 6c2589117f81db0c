"""The cases on disk: questions of a run for a person, in the approvals folder, each checked against the original.

Persons and forms can write that folder. The asking process keeps each case unchanged in `VERITAS_HOME/asked`; a case
that differs from it is not used.
"""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from veritas.approvals.approval import Approval, approval_id
from veritas.approvals.chain import read_regular, sha256
from veritas.errors import StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen, first_fault

logger = logging.getLogger(__name__)

_MOST_ASKED = 100
_NAME = re.compile(r"a-[0-9a-f]{12}\.json")

M = TypeVar("M", bound=Frozen)


class Cases:
    """The cases of one `VERITAS_HOME`. With `checked`, a case without a record in `asked` admits nothing."""

    def __init__(self, home: Path, *, checked: bool) -> None:
        self.path, self.asked, self.checked = home / "approvals", home / "asked", checked

    def at(self, approval: str) -> Path:
        """Return the file of a case."""
        return self.path / f"{approval}.json"

    def file(self, approval: Approval) -> bool:
        """Store a case, and its record in `VERITAS_HOME/asked`; return False if it exists already. A changed file of it
        is restored."""
        path, own, text = self.at(approval.approval_id), self.own(approval.approval_id), approval.on_file()
        if own is None and not self.checked and path.exists():
            try:
                self.read(approval.approval_id)
            except StoreUnavailable as problem:
                logger.warning("filed anew: %s", problem)
            else:
                return False
        new = own is None and write_new(self.asked / path.name, text)
        kept = text.encode() if new else self.own(approval.approval_id)
        try:
            if read_regular(path) == kept:
                return new
            logger.warning("%s was changed since it was asked, and is put back", path)
        except FileNotFoundError:
            if not new:
                logger.warning("%s was removed since it was asked, and is put back", path)
        except OSError as problem:
            logger.warning("%s is put back as it was asked: %s", path, problem)
        write_whole(path, kept or text)
        return new

    def own(self, approval: str) -> bytes | None:
        """Return the case as the asking process recorded it, outside the approvals folder; or None."""
        try:
            return read_regular(self.asked / f"{approval}.json")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise damaged(self.asked / f"{approval}.json", str(error)) from error

    def known(self) -> list[str]:
        """Return the ids of the cases that were asked here, by the record."""
        try:
            return [name[:-5] for name in os.listdir(self.asked) if _NAME.fullmatch(name)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreUnavailable(f"{self.asked} cannot be read: {error.strerror or error}") from error

    def first(self, approval: str) -> tuple[Approval, str] | None:
        """Return the recorded case with its fingerprint; None without a record."""
        try:
            own = self.own(approval)
            return None if own is None else (model_of(own, Approval), sha256(own))
        except (StoreUnavailable, ValueError):
            return None

    def says(self, approval: str, text: str) -> bool:
        """Return whether a case, as recorded if there is a record, contains the text. Raises `StoreUnavailable`."""
        own = self.own(approval)
        return text in (text_of(self.at(approval)) if own is None else own.decode(errors="replace"))

    def _damaged(self, approval: str, why: str) -> StoreUnavailable:
        own = self.asked / f"{approval}.json"
        return damaged(self.at(approval), why, own if own.exists() else None)

    def read(self, approval: str) -> Approval | None:
        """Return a case without decisions, or None. Raises `StoreUnavailable` if it is missing or differs from its
        record."""
        path = self.at(approval)
        try:
            raw = read_regular(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            if self.own(approval) is None:
                return None
            raise self._damaged(approval, f"it is gone, and was asked, by the record in {self.asked}") from error
        except OSError as error:
            raise self._damaged(approval, str(error)) from error
        try:
            case = model_of(raw, Approval)
        except ValueError as error:
            raise self._damaged(approval, str(error)) from error
        known = (approval_id(case.kind, case.run_id, case.subject_id, case.case, n) for n in range(_MOST_ASKED))
        if case.approval_id != approval or approval not in known or case.decisions:
            raise self._damaged(approval, "what it says does not belong to its id")
        own = self.own(approval)
        if own is not None and own != raw:
            try:
                model_of(own, Approval)
            except ValueError as error:
                raise self._damaged(approval, f"the record in {self.asked} cannot be read: {error}") from error
            changed = ", ".join(_differences(raw, own)) or "its bytes"
            raise self._damaged(approval, f"it is not what was asked, by the record in {self.asked}: {changed}")
        recorded = own is not None or not self.checked
        return case.model_copy(update={"fingerprint": sha256(raw), "recorded": recorded})


def _differences(one: bytes, other: bytes) -> list[str]:
    """Return the names of the fields in which two cases differ."""
    a, b = json.loads(one), json.loads(other)
    return [
        f"{key}.{inner}" if inner else key
        for key in b
        if a.get(key) != b[key]
        for inner in ([i for i in b[key] if a[key].get(i) != b[key][i]] if isinstance(b[key], dict) else [""])
    ]


def text_of(path: Path) -> str:
    """Return the text of a file. Raises `StoreUnavailable`."""
    try:
        return read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path, str(error)) from error


def parsed(path: Path, model: type[M]) -> M:
    """Return a file as a model. Raises `StoreUnavailable`."""
    try:
        return model_of(text_of(path).encode(), model)
    except ValueError as error:
        raise damaged(path, str(error)) from error


def model_of(raw: bytes, model: type[M]) -> M:
    """Return a file's bytes as a model. Raises `ValueError` with the first fault in them."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise ValueError(first_fault(error)) from error
    except RecursionError as error:
        raise ValueError(str(error)) from error


def damaged(path: Path, why: str, own: Path | None = None) -> StoreUnavailable:
    """Return the error for a file that cannot be trusted. `own` is the recorded file of the case."""
    mend = f"Copy it from {own}" if own else "Put back the file as it was, or remove it"
    return StoreUnavailable(f"{path} cannot be read as an approval ({why}): it admits nothing. {mend}")
