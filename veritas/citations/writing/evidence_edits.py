"""Edits of what proves citations: artifacts, the map of keys, and which work a key of a bibliography means."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from veritas.citations._artifact_body import ABSTRACT, EXCERPTS, excerpts, restored, sections
from veritas.citations.bibliography.entry import Entry
from veritas.citations.checking._tree import walk
from veritas.citations.checking.checker import MAPS
from veritas.citations.frontmatter import SEAL, NotFrontmatter, load, split_artifact
from veritas.citations.marks.links import kind_of
from veritas.citations.writing.diagnostic import Diagnostic, Level
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.known_bibliographies import parsed
from veritas.citations.writing.project import Project, Resolver
from veritas.text.likeness import partial_ratio

SAME_TITLE = 80.0
"""Least likeness, of 100, of two titles of one work: a preprint's and the article's, one with and without subtitle."""
_LARGEST = 2_000_000
"""Most bytes of a document that is searched for citations of an artifact."""
_WORK = ("title", "authors", "year", "doi", "arxiv_id")
_MAKE = "Make it with veritas cite"


def of_evidence(
    path: str, before: str, after: str, project: Project, proposed: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Yield what an edit does to the evidence of citations that its new text alone does not show. `proposed` has the
    texts of all files that are edited with it.

    An artifact that loses its seal, a deleted one that is cited, and a key that is led to another work are wrong. Of
    words that an edit writes into an artifact nothing here tells whether the work has them.
    """
    folder, name = os.path.split(path)
    inside = folder == os.path.normpath(os.path.join(project.root, project.folder))
    if kind_of(path) == "bibtex":
        yield from _of_keys(before, after, project.resolver(), project)
    elif path == str(project.citation_map or "") or (inside and name in MAPS):
        yield from _of_map(path, before, after, project)
    elif inside and name.endswith(".md") and name.lower() not in ("readme.md", "index.md"):
        yield from _of_artifact(path, before, after, project, proposed)


def identity(fields: Mapping[str, Any]) -> Entry | None:
    """Return the work that an artifact says it is of as an entry of a bibliography; None if it names none, or a person
    has overridden what the registries say."""
    title, authors = fields.get("title"), fields.get("authors")
    if not isinstance(title, str) or not isinstance(authors, list) or fields.get("human_overridden") is True:
        return None
    said = {"title": title, "author": " and ".join(map(str, authors)), "year": str(fields.get("year") or "")}
    if isinstance(doi := fields.get("doi"), str):
        said["doi"] = doi
    if isinstance(arxiv_id := fields.get("arxiv_id"), str):
        said |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    return Entry(file="", key="", line=1, type="article", fields=said)


def _of_artifact(
    path: str, before: str, after: str, project: Project, proposed: Mapping[str, str]
) -> Iterator[Diagnostic]:
    name = os.path.basename(path)
    old, new = _parts(before), _parts(after)
    if before and not after:
        folder = os.path.dirname(path)
        moved = any(text == before and os.path.dirname(other) == folder for other, text in proposed.items())
        where = next(_citing(path, project, proposed, moved=moved), None)
        if where is not None:
            what = "moved away" if before in proposed.values() else "deleted"
            yield _told(after, "error", f"{name} is {what}, and {os.path.relpath(where, project.root)} cites it. "
                        "Change the citation first", name)  # fmt: skip
        return
    if new is None:
        return  # the check of the artifact itself tells
    if old is not None and old[0].get(SEAL) is not None and new[0].get(SEAL) is None:
        yield _told(after, "error", f"the edit takes its {SEAL} out, so that changes would not be seen. {_MAKE}", SEAL)
    elif old is not None and _version(new[0]) < _version(old[0]):
        yield _told(after, "error", f"the edit takes its verification_version back. {_MAKE}", "verification_version")
    elif old is None or old[1] != new[1] or any(old[0].get(each) != new[0].get(each) for each in _WORK):
        yield _told(after, "unknown", "nothing here tells whether the work has the words that the edit writes into its "
                    f"artifact. {_MAKE}", "written")  # fmt: skip


def _told(text: str, level: Level, said: str, subject: str) -> Diagnostic:
    line = max(text.find("\n"), 0)
    return Diagnostic(0, line, "unknown" if level == "unknown" else "artifact", level, said, subject)


def _parts(text: str) -> tuple[Mapping[str, Any], object] | None:
    """Return an artifact's fields, and the words that it says are the work's; None for a text that is no artifact."""
    try:
        front, body = split_artifact(text)
        fields = load(front)
    except NotFrontmatter:
        return None
    parts = sections(body)
    return fields, (restored(parts.get(ABSTRACT, "")), excerpts(parts.get(EXCERPTS, "")))


def _version(fields: Mapping[str, Any]) -> int:
    major = str(fields.get("verification_version") or "").partition(".")[0]
    return int(major) if major.isdecimal() else 0


def _citing(path: str, project: Project, proposed: Mapping[str, str], *, moved: bool) -> Iterator[str]:
    """Yield the documents of the project that cite an artifact, by its path or by a key that leads to it. The keys that
    it has itself stay where it is only `moved` within its folder."""
    resolver = project.resolver()
    name = os.path.basename(path)
    keys = {key for key, where in resolver.keys().items() if where == path}
    keys -= set(project.artifacts.get(path).checked.keys) if moved else set()
    keys |= {key for key, named in (resolver.map or {}).items() if resolver.mapped(named) == path}
    for other in walk(project.root):
        if os.path.dirname(other) == os.path.dirname(path) or kind_of(other) == "bibtex":
            continue
        text = proposed[other] if other in proposed else _text(other)
        if name not in text and not any(key in text for key in keys):
            continue
        for link in resolver.finder.find(text, os.path.basename(other)):
            if (link.kind == "key" and link.target in keys) or (
                link.kind == "path" and os.path.basename(link.target) == name
            ):
                yield other
                break


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def _of_map(path: str, before: str, after: str, project: Project) -> Iterator[Diagnostic]:
    level: Level
    old, new = _map(path, before), _map(path, after)
    resolver = project.resolver()
    entries: dict[str, Entry] = {}
    for bibliography in reversed(project.bibliographies.of(os.path.join(project.root, "x.md"), "", "markdown").there):
        entries |= bibliography.by_key
    for key, named in new.items():
        if old.get(key) == named:
            continue
        start = max(after.find(key), 0)
        there = resolver.mapped(named)
        known = project.artifacts.get(there) if os.path.isfile(there) else None
        if known is None:
            level, said = "error", "no artifact is there"
        elif key in known.checked.keys or (key in entries and same_work(entries[key], known)):
            continue
        elif key in entries:
            level, said = "error", "the bibliography has another work under this key"
        else:
            level, said = "unknown", "nothing here tells that this key means that work"
        code = "unknown" if level == "unknown" else "unknown-key"
        yield Diagnostic(start, start + len(key), code, level, f"{key} → {named}: {said}", f"{key} → {named}", key)


def _map(path: str, text: str) -> dict[str, str]:
    """Return a map of keys; an empty one for a text that is none, of which the citations tell."""
    import yaml

    try:
        data = json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):
        return {}
    return {str(key): value for key, value in data.items() if isinstance(value, str)} if isinstance(data, dict) else {}


def _of_keys(before: str, after: str, resolver: Resolver, project: Project) -> Iterator[Diagnostic]:
    """Yield the keys of a bibliography that an edit gives to another work: what cites them lies from then on."""
    earlier = parsed("", before).by_key
    for key, entry in parsed("", after).by_key.items():
        old = earlier.get(key)
        if old is not None and old.fields == entry.fields:
            continue
        start, end = entry.span or (0, 0)
        where = resolver.artifact_of_key(key)
        if where is not None and not same_work(entry, project.artifacts.get(where)):
            yield Diagnostic(start, min(end, start + 80), "misattributed", "error", f"@{key}: its artifact "
                             f"{os.path.basename(where)} is of another work. Give this one a key of its own",
                             f"@{key} {entry.record.title}", key)  # fmt: skip
        elif old is not None and _other(old.record.doi, entry.record.doi, old.record.title, entry.record.title):
            yield Diagnostic(start, min(end, start + 80), "unknown", "unknown", f"@{key} meant “{old.record.title}”; "
                             "what cites it now cites another work. Give this one a key of its own",
                             f"@{key} {entry.record.title}", key)  # fmt: skip


def same_work(entry: Entry, artifact: KnownArtifact) -> bool:
    """Return whether an entry may be of the work of an artifact; it is not where identifier and title both differ."""
    doi, arxiv_id = artifact.checked.doi, artifact.checked.arxiv_id
    record = entry.record
    if arxiv_id and (record.arxiv_id or "").lower() == arxiv_id:
        return True
    return not _other(doi, record.doi, artifact.title, record.title)


def _other(doi: str | None, other_doi: str | None, title: str | None, other_title: str | None) -> bool:
    """Return whether two works are surely two."""
    if (doi and other_doi and doi.lower() == other_doi.lower()) or not title or not other_title:
        return False
    return partial_ratio(title.casefold(), other_title.casefold(), least=SAME_TITLE) < SAME_TITLE
