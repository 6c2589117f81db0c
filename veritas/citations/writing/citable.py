"""What a document may cite, and what would mend an entry."""

from __future__ import annotations

from collections.abc import Collection
from heapq import nsmallest

from veritas.citations.bibliography.correction import corrections, entry_edits
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import parse_bibtex
from veritas.citations.marks.links import Kind
from veritas.citations.writing.entry_diagnostics import of_entry
from veritas.citations.writing.project import Project

Told = tuple[str, str, bool, str]
"""Title, detail, whether an artifact proves it, and what is known to be wrong with it."""


def key_names(text: str, path: str, project: Project, kind: Kind) -> set[str]:
    """Return the keys that a document may cite, and perhaps names of artifacts that have a key of their own."""
    resolver = project.resolver()
    listed = (bibliography.by_key for bibliography in project.bibliographies.of(path, text, kind).there)
    return set().union(*listed, resolver.map or {}, resolver.keys())


def likeliest(keys: Collection[str], begun: str, most: int) -> set[str]:
    """Return at most so many of the keys that have the letters of `begun` in their order, whatever their case: what
    begins with it first, then what has it in one piece."""
    said = begun.casefold()
    folded = ((key, key.casefold()) for key in keys)
    fitting = [(not other.startswith(said), said not in other, key) for key, other in folded if _in_order(said, other)]
    return {key for _, _, key in nsmallest(most, fitting)}


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


def keys_of(
    text: str, path: str, project: Project, kind: Kind, only: Collection[str] | None = None
) -> dict[str, Told]:
    """Return the keys that a document may cite, with what each stands for; an artifact counts before an entry. With
    `only`, those of them."""
    found: dict[str, Told] = {}
    for bibliography in project.bibliographies.of(path, text, kind).there:
        for key, entry in bibliography.by_key.items():
            if only is not None and key not in only:
                continue
            names = " ".join(entry.fields.get("author", "").split()).split(" and ")
            first = names[0].split(",")[0] + (" et al." if len(names) > 1 else "")
            title = " ".join(entry.fields.get("title", "").replace("{", "").replace("}", "").split())
            wrong = of_entry(entry, project.verdicts) if project.verdicts.knows(entry) else None
            fault = f"{wrong[0]}: {wrong[2]}" if wrong and wrong[1] == "error" else ""
            found.setdefault(key, (title, f"{first} {entry.fields.get('year', '')}".strip(), False, fault))
    resolver = project.resolver()
    artifacts = {key: resolver.mapped(name) for key, name in (resolver.map or {}).items()}
    offered = {*artifacts.values()}
    for key, where in resolver.keys().items():
        if where not in offered or key in found:  # the name of its file is a key as well
            offered.add(where)
            artifacts.setdefault(key, where)
    for key, where in artifacts.items():
        if only is not None and key not in only:
            continue
        known = project.artifacts.get(where)
        if known.digest:
            authors = known.fields.get("authors")
            authors = authors if isinstance(authors, list) else []
            first = " ".join([*map(str, authors[:1]), *(["et al."] if len(authors) > 1 else [])])
            detail = f"{first} {known.fields.get('year') or ''} (artifact)".strip()
            fault = found[key][3] if key in found else ""
            gone = next((message for rule, message in known.checked.problems if rule == "withdrawn"), fault)
            found[key] = (str(known.fields.get("title") or ""), detail, not known.checked.problems, gone)
    return found


def said_of(entry: Entry, project: Project) -> str:
    """Return the verdict on an entry with its reason, the same wherever it is shown."""
    found = of_entry(entry, project.verdicts)
    judged = project.verdicts.get(entry) if not entry.problem else None
    said = found[2] if found else judged.reason if judged else ""
    verdict = found[0] if found and found[0] == "unknown" else judged.verdict.value if judged else found and found[0]
    return f"{verdict or 'unknown'}: {said}" if said else verdict or "unknown"


def entry_mends(
    text: str, path: str, project: Project, at: int
) -> tuple[Entry, str, list[tuple[int, int, str]]] | None:
    """Return the entry at a place, what is known of it, and the replacements that would mend it."""
    entry = project.bibliographies.read(path, text).at(at)
    if entry is None or entry.span is None:
        return None
    judged = project.verdicts.get(entry) if not entry.problem else None
    changes = corrections(judged) if judged is not None else {}
    raw = next((each for each in parse_bibtex(text) if each.start == entry.span[0]), None) if changes else None
    edits = entry_edits(raw, changes) if raw is not None else []
    return entry, said_of(entry, project), edits
