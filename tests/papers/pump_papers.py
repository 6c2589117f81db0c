"""A paper made up for the tests: a trial of pumps, with a slip in it, and documents that speak of what it says."""

from __future__ import annotations

import json
from pathlib import Path

HYPOTHESIS = "We hypothesize that dry pumps last longer than oiled pumps in clean rooms."
EVIDENCE = "Previous studies have shown that oil vapour contaminates wafers in 12% of runs [2]."
METHOD = "We randomly assigned 120 pumps to a dry arm and an oiled control arm, 60 each."
ASSUMPTION = "We assume that bearings from one batch are alike."
RESULT = "Dry pumps lasted 14.2 months on average, oiled pumps 11.8 months (p = 0.003)."
LIMITATION = "A limitation of this study is that all pumps came from one maker."
CONCLUSION = "We conclude that dry pumps last longer than oiled pumps in clean rooms."

PAPER = f"""A Randomised Trial of Dry Pumps in Clean Rooms

Ada Author and Bert Builder

Abstract

Pumps wear out. {HYPOTHESIS} We tested 120 pumps for one year. {RESULT} {CONCLUSION}

1 Introduction

Oil has been used in pumps for more than a century, and its removal remains a challenge for clean rooms [1]. {EVIDENCE}

2 Methods

{METHOD} Each pump ran at 1,450 revolutions per minute until its bearing failed. {ASSUMPTION} Lifetimes were compared
with a log-rank test using R version 4.2.

Table 1: Lifetimes of the pumps in months.

3 Results

Mean lifetime was 14.2 months in the dry arm and 11.8 months in the oiled arm, so the dry pumps lasted longer.
The failure rate of the seals was 3% in both arms.

4 Discussion

{LIMITATION} Our findings suggest that oil does not protect bearings in clean air. Others found it too [3].

5 Conclusion

Dry pumps outlast oiled ones in clean rooms, and oil can be left out there. Our data are available at
https://zenodo.org/record/1.

References

[1] A. Smith. Oil in pumps: a history of lubrication. Journal of Pumps, 12(3):1-9, 1990.

[2] B. Jones and C. Roy. Oil vapour on wafers in clean rooms. Journal of Clean Rooms, 5:20-29, 2005.
"""

JONES = {
    "id": "jones",
    "title": "Oil vapour on wafers in clean rooms",
    "authors": ["B. Jones", "C. Roy"],
    "text": "We inspected wafers after 400 runs. Oil vapour contaminates wafers in 12% of runs. Cleaning helps.",
}
SUPPORTING = {
    "id": "field",
    "title": "Field data on pumps",
    "text": "We followed pumps in nine factories. Dry pumps last longer than oiled pumps in clean rooms. Seals did not "
    "matter.",
}
OPPOSING = {
    "id": "counter",
    "title": "A second trial of pumps",
    "text": "We repeated the trial elsewhere. Dry pumps do not last longer than oiled pumps in clean rooms. Oil "
    "protects the bearing.",
}


def write_paper(folder: Path, text: str = PAPER, name: str = "pumps.txt") -> Path:
    """The paper as a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def write_documents(folder: Path, *records: dict[str, object], name: str = "library.jsonl") -> Path:
    """Documents as a corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path
