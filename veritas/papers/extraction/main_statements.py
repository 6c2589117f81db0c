"""The main aim, test, result and conclusion of a paper, in its own words, or that it has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from veritas.documents.paper_parts import Main, MainStatement, SectionName
from veritas.papers.extraction._cues import ASIDE
from veritas.papers.extraction.abstract_labels import Part
from veritas.papers.extraction.statements import Statement, Statements, find_statements
from veritas.papers.reading.paper_text import PaperText

MAINS: tuple[Main, ...] = get_args(Main)

SURE = 2.0
"""Least score of a main statement; below it none is named."""

_AIM = (
    (3.0, r"\b(?:aim|objective|purpose|goal)s? (?:of|was|were|is|are)\b|\b(?:aim|objective|purpose|goal)s?:"),
    (3.0, r"\b(?:we|(?:study|paper|work|article|review|trial|investigation|report|experiment)s?) "
          r"(?:was |were |is |also |therefore |thus |specifically |here )*(?:aim(?:s|ed|ing)?|sought|seeks?|set out"
          r"|attempt(?:s|ed)?|intend(?:s|ed)?|designed|undertaken|conducted|carried out|performed|initiated"
          r"|hypothesi[sz]ed?|ask(?:ed)?|wanted|planned)\b"),
    (2.6, r"\bwe (?:therefore |thus |also |further )?(?:test(?:ed)?|investigate[d]?|examine[d]?|asked?|explored?"
          r"|determined?|assess(?:ed)?|evaluated?) (?:whether|if|how|the|this|these|what|which)\b"
          r"|\b(?:the|our) hypothes(?:is|es) (?:is|was|were|are|that)\b"
          r"|\b(?:our|this|following) research questions?\b"),
    (2.4, r"\b(?:th(?:is|e (?:present|current))|our|the following) (?:\w+ ){0,2}(?:paper|study|work|article|review"
          r"|thesis|report|survey|trial|chapter|project|investigation|research|manuscript|software|package|library)\b"
          r"[^.]{0,40}?\b(?:present|describe|introduce|propose|investigate|examine|explore|evaluate|assesse|analy[sz]e"
          r"|compare|review|discuss|report|provide|focuse|addresse|summari[sz]e|highlight|consider|deal|test|identifie"
          r"|determine|characteri[sz]e|studie|cover|outline|offer|demonstrate|show|use)[sd]?\b"),
    (2.2, r"\b(?:in|for|within) (?:th(?:is|e (?:present|current))|our) (?:\w+ ){0,2}(?:paper|study|work|article|review"
          r"|report|survey|trial|investigation|research|context|manuscript)\b,? |\bhere(?:in)?,? (?:we|i)\b"
          r"|\bwe here\b"),
    (2.0, r"^(?:in order )?to (?:\w+ly )?(?:test|determine|assess|evaluate|investigate|examine|explore|identify|compare"
          r"|characteri[sz]e|define|clarify|elucidate|study|understand|analy[sz]e|estimate|address|quantify|describe)\b"),
    (1.6, r"\bwe (?:\w+ly |now |also )?(?:present|propose|introduce|describe|develop(?:ed)?|report(?:ed)?|studied"
          r"|analy[sz]ed?|compared?|performed|used|review(?:ed)?|characteri[sz]ed?|identif(?:y|ied)|designed|provide"
          r"|focus(?:ed)?|conducted|created)\b"),
    (1.4, r"\b(?:was|were) (?:investigated|examined|evaluated|assessed|studied|compared|tested|explored|analy[sz]ed)\b"
          r"|^[A-Z][\w-]+ (?:is|provides|offers|implements) (?:a|an|the|both|functions?|tools?)\b"),
)  # fmt: skip
_NO_AIM = re.compile(
    r"\bfor (?:the )?(?:purposes?|aims?) of\b|\b(?:supports?|confirms?|supported|confirmed|reject\w*) (?:the|our|this)"
    r" hypothes"
    r"|\bfuture (?:work|stud(?:y|ies)|research)\b"
    r"|\b(?:results?|findings|data) (?:of|from|in) (?:this|the present) study\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:showed|exhibited|revealed|was found|were found|we found|we show|significantly)\b", re.IGNORECASE
)
_CONCLUDED = re.compile(
    r"^(?:therefore|thus|hence|overall|taken together|in conclusion|in summary|collectively|consequently)\b|\bconclu"
    r"|\b(?:suggest|implicat|impl(?:y|ies)|promising|should be|could be|may be|recommend)", re.IGNORECASE,
)
_TEST = (
    (2.4, r"\b(?:primary|main|principal) (?:outcome|end ?point|analysis|test|comparison)\b"),
    (2.2, r"\b(?:t[- ]?tests?|anova|ancova|manova|chi[- ]squared?|mann[–-]whitney|wilcoxon|kruskal|fisher['’]s exact"
          r"|regression|mixed[- ](?:effects?|models?)|log[- ]rank|cox|correlation|tukey|duncan|bonferroni|meta-analysis"
          r"|bayes factors?|likelihood ratio|permutation tests?|bootstrap\w*|cross[- ]validation|χ)\b"),
    (1.6, r"\b(?:significan(?:ce|t)|p ?[<=≤]|confidence intervals?|statistical(?:ly)?|compared? (?:with|to|between)"
          r"|held[- ]out|benchmark(?:ed|s)?|baseline|test set|simulat(?:ed|ions?)|experiment\w*|assay\w*)\b"),
    (1.0, r"\b(?:randomi[sz]ed|randomly|trial|control (?:group|arm)|cohort|sequenc(?:ed|ing)|measured|evaluated)\b"),
)  # fmt: skip
_RESULT = (
    (2.0, r"\b(?:significant(?:ly)?|higher|lower|increas\w+|decreas\w+|reduc\w+|improv\w+|differ(?:ed|s|ence)?"
          r"|associated|correlat\w+|outperform\w*|greater|fewer|less|more|inhibit\w+"
          r"|no (?:effect|difference|evidence))\b"),
    (1.4, r"\b(?:showed?|found|revealed|observed|demonstrated|identified|detected|indicated|exhibited|resulted|led to"
          r"|achieved|obtained|confirmed)\b"),
)  # fmt: skip
_CONCLUSION = (
    (3.0, r"\bwe (?:therefore |thus |also )?conclude|\bin conclusion\b|\bconclu(?:de|sion|ded|sively)\b"
          r"|\b(?:in summary|to (?:conclude|sum up|summari[sz]e)|summing up|in sum|in a nutshell)\b"),
    (2.4, r"\b(?:overall|taken together|altogether|collectively|together|thus|therefore|hence|consequently)\b,?"
          r"|\b(?:our|these|the(?:se)?|this|present|current) (?:\w+ ){0,3}(?:results?|findings?|analys[ie]s|evidence"
          r"|data|experiments?|work|stud(?:y|ies)|observations?|review|survey) (?:\w+ ){0,2}(?:show|suggest|demonstrate"
          r"|indicate|support|establish|confirm|provide|reveal|highlight|impl(?:y|ies)|point|underscore|emphasi[sz]e"
          r"|contribute|offer|identif(?:y|ies)|emerge)s?(?:d|ed)?\b"),
    (1.6, r"\b(?:it (?:is|was|can be) (?:concluded|suggested|clear|evident|recommended|inferred|possible to conclude)"
          r"|may (?:be|help|provide|serve|contribute|represent)|can be (?:used|considered)|could (?:be|serve|help)"
          r"|potential(?:ly)?|promising|suggest(?:s|ing)?|indicat(?:es|ing)|should be|play(?:s)? an? \w+ role"
          r"|we (?:have |has )?(?:shown?|presented|demonstrated|established|found|discovered|identified|introduced"
          r"|provide|propose|developed|described|believe)|(?:has|have) been shown)\b"),
)  # fmt: skip
_NO_CONCLUSION = re.compile(
    r"\blimitations?\b|\bfuture (?:work|stud(?:y|ies)|research|investigations?|directions)\b"
    r"|\b(?:further|additional|more) (?:\w+ ){0,3}(?:stud(?:y|ies)|research|work|investigations?|trials?"
    r"|experiments?|evidence)\b"
    r" (?:\w+ ){0,3}(?:need|requir|necessary|warranted|should|will|must|are|is|to)|\bremains? (?:to be|unclear|unknown)"
    r"|\b(?:stud(?:y|ies)|trials?|research|investigations?|experiments?|work) (?:[\w-]+ ){0,6}(?:should|must|needs? to"
    r"|ha(?:s|ve) to) be (?:\w+ )?(?:conducted|done|carried out|performed|undertaken|initiated|repeated)\b"
    r"|\b(?:the|our) first (?:\w+ ){0,4}to (?:\w+ly )?\w+|\bwritten by (?:me|us|the authors?)\b"
    r"|\b(?:ChatGPT|Grammarly|DeepL|GPT-\d|large language models?) (?:\w+ ){0,4}(?:used|employed) (?:to|for|in)"
    r" (?:\w+ ){0,3}(?:writ|edit|languag|translat|grammar|draft|this)|\b(?:done|written|made) by me\b"
    r"|\b(?:we|i|this (?:review|paper|article)) (?:have |also |will )?(?:discuss|include|describe|outline"
    r"|summari[sz]e|examine|review)(?:s|d|ed)?\b|\b(?:is|are) (?:also )?(?:discussed|reviewed|described)\b"
    r"|\bwe (?:thank|acknowledge)\b|\b(?:small|limited) sample|\bcould not be (?:ruled|excluded|assessed)"
    r"|^(?:however|but|nevertheless|although|though|while|unfortunately)\b.*\b(?:not|limited|unclear|unknown)\b",
    re.IGNORECASE,
)
_CONCLUDING = re.compile(r"^\W*(?:conclusions?|interpretation)\b", re.IGNORECASE)
_CONTRARY = re.compile(r"(?:however|but|nevertheless)\b", re.IGNORECASE)
_REPORTED = re.compile(r"\b(?:et al|previous(?:ly)?|prior (?:work|stud)|reported by|other (?:authors|studies))\b")
_Cues = tuple[tuple[float, str], ...]
_WRITTEN: dict[Main, _Cues] = {"aim": _AIM, "test": _TEST, "result": _RESULT, "conclusion": _CONCLUSION}
_RULES: dict[Main, tuple[tuple[float, re.Pattern[str]], ...]] = {
    main: tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in cues)
    for main, cues in _WRITTEN.items()
}
_PARTS: dict[Main, dict[Part, float]] = {
    "aim": {"objective": 3.0, "background": 0.2, "methods": 0.0, "results": -1.5, "conclusions": -2.0},
    "test": {"methods": 1.0, "objective": 0.0, "background": -3.0, "results": -0.5, "conclusions": -3.0},
    "result": {"results": 2.5, "methods": -1.0, "objective": -2.0, "background": -3.0, "conclusions": 0.0},
    "conclusion": {"conclusions": 3.0, "results": 0.2, "methods": -3.0, "objective": -3.0, "background": -3.0},
}
_SECTIONS: dict[Main, dict[SectionName, float]] = {
    "aim": {"abstract": 0.8, "introduction": 0.6, "background": 0.4, "theory": 0.0, "other": -0.4},
    "test": {"methods": 1.2, "data": 0.8, "abstract": 0.3, "results": 0.3, "other": 0.0, "theory": 0.0},
    "result": {"abstract": 1.2, "results": 0.8, "discussion": 0.0, "conclusion": 0.0, "other": -0.2},
    "conclusion": {"conclusion": 1.6, "abstract": 1.0, "discussion": 0.2, "other": -0.5, "results": -0.8},
}
LOOKED: dict[Main, str] = {
    "aim": "abstract and introduction",
    "test": "methods, results and abstract",
    "result": "abstract and results",
    "conclusion": "abstract, discussion and conclusion",
}


def main_statements(paper: PaperText, statements: Statements | None = None) -> tuple[MainStatement, ...]:
    """Return the paper's main aim, test, result and conclusion, in this order, one of each. A limitation, and what is
    left to further work, is no conclusion; what others found is no aim and no result."""
    statements = find_statements(paper) if statements is None else statements
    found = statements.found
    last_of, headed = _ends(found), _headed(paper)
    chosen: dict[Main, MainStatement] = {}
    taken: set[int] = set()
    for main in ("aim", "conclusion", "test", "result"):
        open_to = [s for s in found if s.order not in taken]
        under = [s for s in open_to if _concludes_under(s, headed)] if main == "conclusion" else []
        if under:
            # What stands under the abstract's own heading "Conclusions" concludes, whatever its words.
            scored = [(max(SURE, _score(main, s, last_of, statements)), -s.order, s) for s in under]
        else:
            scored = [(_score(main, s, last_of, statements), -s.order, s) for s in open_to]
        best = max((each for each in scored if each[0] >= SURE), key=lambda each: each[:2], default=None)
        if best is None:
            chosen[main] = MainStatement(kind=main, why=f"not found; looked in {LOOKED[main]}")
        else:
            chosen[main] = MainStatement(kind=main, text=best[2].text, place=best[2].place)
            taken.add(best[2].order)
    return tuple(chosen[main] for main in MAINS)


def _headed(paper: PaperText) -> tuple[tuple[int, int], ...]:
    """Return the places of the parts of the abstract that are headed "Conclusion" or the like."""
    return tuple(
        (section.place.start, section.place.end)
        for section in paper.sections
        if section.name == "abstract" and _CONCLUDING.search(section.heading)
    )


def _concludes_under(statement: Statement, headed: Sequence[tuple[int, int]]) -> bool:
    inside = any(start <= statement.place.start < end for start, end in headed)
    return inside and not (
        _NO_CONCLUSION.search(statement.text) or ASIDE.search(statement.text) or _CONTRARY.match(statement.text)
    )


def _ends(found: Sequence[Statement]) -> dict[SectionName, int]:
    """Return the order of the last statement of each kind of section."""
    return {statement.section: statement.order for statement in found}


def _score(main: Main, statement: Statement, last_of: dict[SectionName, int], statements: Statements) -> float:
    text, section = statement.text, statement.section
    if section not in _SECTIONS[main] or ASIDE.search(text):
        return 0.0
    cues = [weight for weight, pattern in _RULES[main] if pattern.search(text)]
    score = (max(cues) + 0.2 * len(cues)) if cues else 0.0
    score += _SECTIONS[main][section]
    chances = statement.chances
    if chances is not None:
        score += sum(chance * _PARTS[main][part] for part, chance in chances.items())
    left = last_of[section] - statement.order
    score -= 1.2 * statement.marked + 0.3 * statement.leans
    if main == "aim":
        if not cues and (chances is None or chances["objective"] < 0.5):
            return 0.0
        if _NO_AIM.search(text) or (_REPORTED.search(text) and statement.marked):
            return 0.0
        score -= 1.5 * bool(_TOLD.search(text))
        score += 0.8 * (section in ("introduction", "background") and left <= 4)
    elif main == "conclusion":
        if _NO_CONCLUSION.search(text):
            return 0.0
        if any(pattern.search(text) for _, pattern in _RULES["aim"][:2]) and not _CONCLUDED.search(text):
            return 0.0
        if not cues and (chances is None or chances["conclusions"] < 0.5) and section != "conclusion":
            return 0.0
        score += 1.0 * (section == "abstract" and left == 0) + 0.6 * (section == "abstract" and left == 1)
        score += 0.6 * (section == "discussion" and left <= 5) + 0.4 * (section == "conclusion" and left <= 3)
    elif main == "result":
        if not cues:
            return 0.0
        score -= 1.5 * bool(_CONCLUDED.search(text))
        score += 0.6 * bool(statement.figures) - 1.0 * bool(_REPORTED.search(text))
    elif not cues:
        return 0.0
    return score + statements.salience(statement)
