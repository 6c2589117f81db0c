"""What a document may cite, and what would mend an entry."""

from __future__ import annotations

from veritas.citations.bibliography.correction import corrections, entry_edits
from veritas.citations.bibliography.formats.bibtex_entries import parse_bibtex
from veritas.citations.writing.entry_diagnostics import of_entry
from veritas.citations.writing.known_bibliographies import parsed
from veritas.citations.writing.places import Kind
from veritas.citations.writing.project import Project

Told = tuple[str, str, bool]
"""Title, detail, and whether an artifact proves it."""


def keys_of(text: str, path: str, project: Project, kind: Kind) -> dict[str, Told]:
    """Return the keys that a document may cite, with what each stands for; an artifact counts before an entry."""
    found: dict[str, Told] = {}
    for bibliography in project.bibliographies.of(path, text, kind):
        for key, entry in bibliography.by_key.items():
            names = " ".join(entry.fields.get("author", "").split()).split(" and ")
            first = names[0].split(",")[0] + (" et al." if len(names) > 1 else "")
            title = " ".join(entry.fields.get("title", "").replace("{", "").replace("}", "").split())
            found.setdefault(key, (title, f"{first} {entry.fields.get('year', '')}".strip(), False))
    resolver = project.resolver()
    artifacts = {**resolver.keys(), **{key: resolver.mapped(name) for key, name in (resolver.map or {}).items()}}
    for key, where in artifacts.items():
        known = project.artifacts.get(where)
        if known.digest:
            authors = known.fields.get("authors")
            authors = authors if isinstance(authors, list) else []
            first = " ".join([*map(str, authors[:1]), *(["et al."] if len(authors) > 1 else [])])
            detail = f"{first} {known.fields.get('year') or ''} (artifact)".strip()
            found[key] = (str(known.fields.get("title") or ""), detail, not known.checked.problems)
    return found


def entry_mends(text: str, path: str, project: Project, at: int) -> tuple[str, str, list[tuple[int, int, str]]] | None:
    """Return the entry at a place: its key, what is known of it, and the replacements that would mend it."""
    bibliography = parsed(path, text)
    entry = next((each for each in bibliography.entries if each.span and each.span[0] <= at < each.span[1]), None)
    if entry is None or entry.span is None:
        return None
    found = of_entry(entry, project.verdicts)
    judged = project.verdicts.get(entry) if not entry.problem else None
    said = found[2] if found else judged.reason if judged else ""
    verdict = judged.verdict.value if judged else found[0] if found else "unknown"
    raw = next((each for each in parse_bibtex(text) if each.start == entry.span[0]), None)
    edits = entry_edits(raw, corrections(judged)) if raw is not None and judged is not None else []
    return entry.key, f"{verdict}: {said}" if said else verdict, edits
