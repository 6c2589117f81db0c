"""The audit of a whole project, at the pace that registries allow; an interrupted audit is resumed (section 8)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from veritas.citations.artifacts import artifact_files
from veritas.citations.auditing._fresh_look import audit_artifact, identifiers_in
from veritas.citations.auditing.drift import Audited, AuditReport
from veritas.errors import InputError
from veritas.files import write_whole
from veritas.frozen import content_hash
from veritas.keys import withheld
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.registries.all_registries import Registries
from veritas.settings import home

ROUND = 7 * 86_400.0
"""Seconds after which an interrupted round is begun anew instead of resumed."""


class _Journal:
    """The artifacts already audited in this round: a file of JSON lines, from which an interrupted audit is resumed."""

    def __init__(self, path: Path, now: float) -> None:
        self._path = path
        self.began, self.done = now, dict[str, Audited]()
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
            began = float(json.loads(lines[0])["began"])
            if not now - ROUND < began <= now:
                raise ValueError("too old")
            self.began = began
            for line in lines[1:]:
                entry = json.loads(line)
                self.done[entry["key"]] = Audited.model_validate(entry["audited"])
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            if not self.done:
                write_whole(path, json.dumps({"began": self.began}) + "\n")

    def add(self, key: str, audited: Audited) -> None:
        """Store an audit that is complete; an incomplete one is made again."""
        if audited.complete:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(withheld(json.dumps({"key": key, "audited": audited.model_dump(mode="json")})) + "\n")

    def close(self) -> None:
        """End the round: the next audit asks for everything anew."""
        self._path.unlink(missing_ok=True)


def journal_of(folder: Path) -> Path:
    """Return the path of the journal of a folder's audit, below `VERITAS_HOME`."""
    return home() / "audits" / f"{content_hash(str(folder.resolve()))[:16]}.jsonl"


async def audit_existing_citations(
    root: Path,
    *,
    folder: str = "docs/citations",
    registries: Callable[[float], Registries] | None = None,
    policy: TriangulationPolicy | None = None,
    journal: Path | None = None,
    now: datetime | None = None,
    done: Callable[[Audited, int, int], None] = lambda audited, count, total: None,
) -> AuditReport:
    """Audit every artifact of a project at the pace the registries allow. Identifiers are asked for many at a time
    where a registry takes them so; then the artifacts follow one by one.

    `registries` makes them, given the moment (seconds since 1970) before which no cached answer counts. With a
    `journal` an interrupted audit is resumed within a week. Raises `InputError` if there is no artifact.
    """
    place = root / folder
    paths = artifact_files(place)
    if not paths:
        raise InputError(f"{place}: there are no artifacts, so there is nothing to audit; veritas cite writes them")
    moment = now or datetime.now(UTC)
    rounds = _Journal(journal, time.time()) if journal is not None else None
    began = rounds.began if rounds is not None else time.time()
    sources = (registries or (lambda newer: Registries(newer_than=newer)))(began)
    rules = policy or load_triangulation_policy()
    keys = {path: content_hash([path.relative_to(root).as_posix(), path.read_bytes().hex()]) for path in paths}
    known_keys = rounds.done if rounds is not None else {}
    await sources.look_ahead([each for path in paths if keys[path] not in known_keys for each in identifiers_in(path)])
    audited: list[Audited] = []
    for path in paths:
        shown, key = path.relative_to(root).as_posix(), keys[path]
        known = known_keys.get(key)
        each = known or await audit_artifact(path, shown, sources, rules, moment)
        if rounds is not None and known is None:
            rounds.add(key, each)
        audited.append(each)
        done(each, len(audited), len(paths))
    began_at = datetime.fromtimestamp(began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    report = AuditReport(root=str(root), begun_at=began_at, artifacts=tuple(audited))
    if rounds is not None and report.complete:
        rounds.close()
    return report
