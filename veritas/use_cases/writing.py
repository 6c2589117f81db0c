"""What somebody writes, checked as it is written: a text as a whole, and an edit for what it brings in."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.citations.writing.diagnostic import Diagnostic as Diagnostic
from veritas.use_cases.citations import FOLDER, configured_registries

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry import Entry as Entry
    from veritas.citations.marks.links import Kind as Kind
    from veritas.citations.writing.diagnose import Resolved as Resolved
    from veritas.citations.writing.project import Project as Project

_NOT_TOLD = frozenset({"unknown", "quote-not-found", "not-checked"})


def open_project(
    path: str | Path = ".",
    *,
    root: str | Path | None = None,
    artifacts: str = FOLDER,
    citation_map: str | Path | None = None,
    profile: str | Path | None = None,
) -> Project:
    """Return the project that a file or folder is in, for `diagnose_text` and `guard_edit`.

    `root` is the nearest folder above with the artifacts' folder or `.git` in it, unless it is given. The file itself
    need not exist. `profile` is the name or the file of a profile of references: what it refuses is then an error, also
    what is slight or unconfirmed. Raises `InputError` for one that is none.
    """
    from veritas.citations.checking.check import root_of
    from veritas.citations.writing.project import Project

    base = Path(os.path.abspath(root)) if root is not None else root_of(Path(os.path.abspath(path)), artifacts)
    if profile is not None:
        from veritas.policy.reference_profile import load_profile

        load_profile(profile)
    return Project(base, folder=artifacts, citation_map=citation_map, profile=profile)


def diagnose_text(text: str, path: str | Path, project: Project, *, kind: Kind | None = None) -> list[Diagnostic]:
    """Return what is wrong with the citations of a text that is or will be at `path`, in order, at once.

    Asks nobody and works nothing out that takes long: such questions wait for `work_out`. Places are in characters of
    the text with `\\n` as its line end.
    """
    from veritas.citations.writing.diagnose import diagnose

    return diagnose(text, str(path), project, kind)


def citations_in(text: str, path: str | Path, project: Project, *, kind: Kind | None = None) -> list[Resolved]:
    """Return the citations of a text with their places and what each leads to: an artifact, an entry, or neither."""
    from veritas.citations.marks.links import kind_of
    from veritas.citations.writing.diagnose import lined, resolve

    place = os.path.abspath(path)
    kind = kind or kind_of(place)
    return resolve(lined(text), place, project, kind) if kind != "bibtex" else []


@dataclass(frozen=True, slots=True)
class Citable:
    """A key that a document may cite: what it stands for, whether an artifact proves it, and what is known to be wrong
    with it, if anything is."""

    key: str
    title: str
    detail: str
    verified: bool
    wrong: str = ""


def citable_keys(text: str, path: str | Path, project: Project, *, kind: Kind | None = None) -> list[Citable]:
    """Return the keys that a document may cite, those of its bibliographies and those of artifacts, in order."""
    from veritas.citations.marks.links import kind_of
    from veritas.citations.writing.citable import keys_of
    from veritas.citations.writing.diagnose import lined

    place = os.path.abspath(path)
    found = keys_of(lined(text), place, project, kind or kind_of(place))
    return [Citable(key, *told) for key, told in sorted(found.items())]


def some_citable_keys(
    text: str, path: str | Path, project: Project, begun: str, most: int, *, kind: Kind | None = None
) -> tuple[list[Citable], bool]:
    """Return the keys that a document may cite, and False; where they are more than `most`, those of them that have the
    letters of `begun` in their order, at most so many, what begins with it first, and True."""
    from veritas.citations.marks.links import kind_of
    from veritas.citations.writing.citable import key_names, keys_of, likeliest
    from veritas.citations.writing.diagnose import lined

    place = os.path.abspath(path)
    kind = kind or kind_of(place)
    names = key_names(lined(text), place, project, kind)
    more = len(names) > most
    chosen = likeliest(names, begun, most) if more else None
    found = keys_of(lined(text), place, project, kind, chosen)
    return [Citable(key, *told) for key, told in sorted(found.items())], more


def entry_at(
    text: str, path: str | Path, project: Project, at: int
) -> tuple[Entry, str, list[tuple[int, int, str]]] | None:
    """Return the entry of a .bib file's text at a place, its verdict with the reason, and the replacements
    `(start, end, new)` that would mend it. None where there is no entry."""
    from veritas.citations.writing.citable import entry_mends
    from veritas.citations.writing.diagnose import lined

    return entry_mends(lined(text), os.path.abspath(path), project, at)


def said_of_entry(entry: Entry, project: Project) -> str:
    """Return the verdict on an entry with its reason, as far as it is known here."""
    from veritas.citations.writing.citable import said_of

    return said_of(entry, project)


def sentence_at(text: str, at: int) -> tuple[int, int, str] | None:
    """Return the sentence at a place: where it begins and ends, and its words without citations. None where there is
    none."""
    from veritas.citations.writing.sentence_diagnostics import sentence_around

    return sentence_around(text, at)


async def work_out(
    project: Project,
    *,
    online: bool = False,
    policy: str | Path | None = None,
    going_on: Callable[[], bool] = lambda: True,
) -> bool:
    """Work out what the texts of a project left open, and return whether there was anything.

    Entries are judged as by `audit_bibliography`: from the answers that it kept, and with `online` by the registries.
    An outage leaves them unknown. Raises `PolicyError`.
    """
    if not project.waiting:
        return False
    await project.settle(lambda: configured_registries(policy, offline=not online), going_on=going_on)
    return True


async def check_text(
    text: str,
    path: str | Path,
    *,
    project: Project | None = None,
    kind: Kind | None = None,
    online: bool = False,
    policy: str | Path | None = None,
) -> list[Diagnostic]:
    """Return what is wrong with the citations of a text that is or will be at `path`, with all that can be worked out.

    Asks nobody unless `online`. Raises `PolicyError`.
    """
    project = project or open_project(path)
    found = diagnose_text(text, path, project, kind=kind)
    if await work_out(project, online=online, policy=policy):
        found = diagnose_text(text, path, project, kind=kind)
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Edit:
    """A proposed edit: the whole text of a file before (empty for a new file) and after."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Brought:
    """A fault that an edit brings into a file, and its line in the new text, from 1."""

    path: str
    line: int
    diagnostic: Diagnostic

    @property
    def blocks(self) -> bool:
        """Whether the edit should not be made: the citation is wrong, and not merely unknown here."""
        return self.diagnostic.level == "error"

    @property
    def unknown(self) -> bool:
        """Whether nothing here tells if the citation holds."""
        return self.diagnostic.code in _NOT_TOLD


async def guard_edits(
    edits: Sequence[Edit],
    *,
    project: Project | None = None,
    root: str | Path | None = None,
    artifacts: str = FOLDER,
    citation_map: str | Path | None = None,
    online: bool = False,
    policy: str | Path | None = None,
) -> list[Brought]:
    """Return the faults that edits bring in; what was wrong before is not held against them.

    The edits are taken together: a citation may lead to an entry that another of them adds. A deleted file has no text
    after. Asks nobody unless
    `online`. Raises `PolicyError`.
    """
    from veritas.citations.marks.links import is_bibliography, kind_of
    from veritas.citations.writing.diagnose import is_artifact, lined
    from veritas.citations.writing.edits import brought, of_unread
    from veritas.citations.writing.evidence_edits import of_evidence
    from veritas.text.line_index import LineNumbers

    if not edits:
        return []
    project = project or open_project(
        edits[0].path, root=root, artifacts=artifacts, citation_map=citation_map
    )
    opened = project.bibliographies.open_texts
    proposed = {_absolute(one.path): lined(one.after) for one in edits}
    found: list[Brought] = []
    for edit in edits:
        path = _absolute(edit.path)
        opened |= {_absolute(one.path): lined(one.after) for one in edits
                   if kind_of(one.path) == "bibtex" or is_bibliography(one.path, one.after)}  # fmt: skip
        prose = kind_of(path) != "bibtex" and not is_bibliography(path, edit.after)
        text, old = lined(edit.after), lined(edit.before)
        # Of a bibliography only what is new in it is judged: it may be thousands of entries long.
        with project.verdicts.leaving([] if prose else _kept(path, old, text, project)):
            try:
                evidence = [*of_evidence(path, old, text, project, proposed), *of_unread(path, old, text)]
                deleted = not text and is_artifact(path, project)
                after = [] if deleted else await check_text(text, path, project=project, online=online, policy=policy)
            finally:
                opened.clear()
            before = diagnose_text(edit.before, path, project) if edit.before else []
        lines = LineNumbers(text)
        new = sorted([*evidence, *brought(old, before, text, after, prose=prose)])
        found += [Brought(edit.path, lines.at(each.start), each) for each in new]
    return found


def _absolute(path: str) -> str:
    return os.path.abspath(path)


def _kept(path: str, before: str, after: str, project: Project) -> Collection[str]:
    """Return what the entries say that a bibliography had before and has no more often now."""
    read = project.bibliographies.read
    earlier, later = (Counter(each.subject for each in read(path, text).entries) for text in (before, after))
    return {subject for subject, number in earlier.items() if number >= later[subject]}
