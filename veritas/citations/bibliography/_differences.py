"""Differences of an entry from the records of the work it cites, each a slip or an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.author_lists import names_a_body
from veritas.citations.bibliography._registry_evidence import Candidate
from veritas.citations.bibliography.difference import Difference, changed
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.sure_names import surely_no_authors
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.text.likeness import ratio
from veritas.works.folding import words
from veritas.works.records import BibRecord
from veritas.works.title_comparison import TitleDifference, title_words

EXACT = (TitleDifference.NONE, TitleDifference.PUNCTUATION, TitleDifference.SPELLING)
"""Differences of titles that make no other title."""
TYPO = 75
"""Least similarity (0 to 100) of each changed word of a title to its original for the change to be a typo."""
_EDITION = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?: ?e| ed| edn| edition)?|(?:second|third|fourth|revised) edition")
_SAYS_NO_MORE = frozenset(("a", "an", "the", "data", "set", "sets", "dataset", "datasets", "corpus"))
"""Words by which the title of a work may be longer where it is cited as what it made."""


def decisive_differences(cited: BibRecord, best: Candidate, policy: TriangulationPolicy) -> list[Difference]:
    """Return the conflicts of the best match in title and identifiers, each marked minor or not."""
    found = best.record
    listed: list[Difference] = []
    for field in best.conflicts:
        if field == "title":
            if not _names_its_body(cited, found, policy):
                typo, code = _is_typo(cited, found, policy), title_code(cited, found, policy)
                listed.append(changed("title", cited.full_title, found.full_title, typo, code))
        elif field in ("year", "first_author_surname", "authors"):
            continue  # compared with all records of the work
        elif field == "doi" and cited.doi and not _conflicting_doi(best):
            continue  # nobody says what it leads to, so nobody says that it is wrong
        elif field == "doi" and not cited.doi:
            listed.append(changed("doi", next(iter(cited.problems), None), found.doi, True))  # no DOI at all
        else:
            listed.append(changed(field, getattr(cited, field, None), getattr(found, field, None), False))
    return listed


def title_code(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> str:
    """Return the code of a difference of titles: `near` if a word or two were changed, `other` if more."""
    return "near" if best_title(cited, found, policy).difference is TitleDifference.WORDS else "other"


def _conflicting_doi(best: Candidate) -> bool:
    return any(note.startswith(("doi_not_registered", "doi_other_work")) for note in best.notes)


def _is_typo(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether the titles differ by typos alone: each changed word nearly the same, none added or missing.

    Another number is another work of a series: `statistics 2019`, `part 2`.
    """
    title = best_title(cited, found, policy)
    if title.difference is TitleDifference.SPELLING:
        return True
    if any(mine and theirs and _numbers(mine) != _numbers(theirs) for mine, theirs in title.changed):
        return False
    return title.difference is not TitleDifference.OTHER and all(
        _adds_nothing(mine or theirs, [each.full_title or "" for each in (cited, found)])
        if not mine or not theirs
        else ratio(mine, theirs) >= TYPO or _abbreviates(mine, theirs) or _abbreviates(theirs, mine)
        for mine, theirs in title.changed
    )


def _abbreviates(short: str, long: str) -> bool:
    """Return whether a word is the initials of several (`LLMs` for `large language models`)."""
    initials = "".join(word[0] for word in long.split())
    return " " not in short and len(initials) > 2 and short in (initials, f"{initials}s")


def _numbers(run: str) -> list[str]:
    return re.findall(r"\d+|\b(?:i{1,3}|iv|vi{0,3}|ix)\b", run)


def _adds_nothing(run: str, titles: Sequence[str]) -> bool:
    """Return whether words that only one title has are an article, an edition, `data set`, or in brackets the title's
    initials."""
    if set(run.split()) <= _SAYS_NO_MORE or _EDITION.fullmatch(run):
        return True
    for title in titles:
        if f"({run})" in title.lower():
            initials = iter(word[0] for word in title_words(title))
            return all(sign in initials for sign in run)  # in this order, with gaps
    return False


def _names_its_body(cited: BibRecord, found: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether the titles differ by the name of the body that wrote the work: `OpenAI GPT-5 System Card`."""
    own = {
        word for record in (cited, found) for name in record.authors if names_a_body(name) for word in words(str(name))
    }
    runs = best_title(cited, found, policy).changed
    return bool(runs) and all(not (mine and theirs) and set((mine or theirs).split()) <= own for mine, theirs in runs)


def of_running_text(
    entry: Entry, differences: Sequence[Difference], records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Difference]:
    """Return the differences that are the reference's own: a venue or author cut out wrongly is the reader's error.

    Of its authors only those are told whom no record lists, if they and the title were surely told apart.
    """
    fields, cited = entry.fields, entry.record
    titled = cited.title is not None and any(
        best_title(cited, record, policy).difference in EXACT for record in records if record.title
    )
    kept = []
    for each in differences:
        if each.field in ("authors", "first author"):
            grave = titled and each.code == "invented" and not each.minor
            if not grave or not surely_no_authors(
                entry.text, cited, fields.get("author", ""), fields.get("title", ""), records
            ):
                continue
        elif each.field in ("venue", "volume", "issue", "pages"):
            continue
        kept.append(each)
    return kept
