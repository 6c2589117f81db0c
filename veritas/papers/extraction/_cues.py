"""Cue words of each role, with their weights. For English papers."""

from __future__ import annotations

import re
from functools import lru_cache

_CUES: dict[str, tuple[tuple[float, str], ...]] = {
    "Hypothesis": (
        (3.0, r"\bwe hypothes[ie]|\bour hypothes[ie]s|\bthe hypothesis (?:is|was|that)"),
        (
            2.6,
            r"\bresearch questions?\b|\bwe (?:ask|asked|test(?:ed)?|examine[d]?|investigate[d]?) (?:whether|if"
            r"|how)\b",
        ),
        (
            2.2,
            r"\b(?:aim|goal|objective|purpose)s? (?:of (?:this|the|our)|is|was|are|were)\b"
            r"|\bwe aim(?:ed)? to\b",
        ),
        (
            2.0,
            r"\b(?:we|this (?:paper|study|work|article|thesis)|the (?:present|current) (?:paper|study"
            r"|work))\b.{0,20}\b(?:propose|present|introduce|address|argue|posit|conjecture|seek|describe"
            r"|indicate|show|demonstrate)s?\b",
        ),
        (
            2.0,
            r"\bhere(?:in)?,?(?: [^.]{0,120},)? we\b|\bwe (?:\w+ )?here\b"
            r"|\bwe (?:therefore |thus |now )?(?:sought|set out)\b"
            r"|\b(?:this|the (?:present|current)) (?:study|paper|report|review|article|work|survey|trial)\b.{0,20}"
            r"\b(?:report|review|discuss|consider|examine|evaluate|investigate|explore|assesse|compare|reveal)[sd]?\b",
        ),
        (
            1.6,
            r"\bwe (?:argue|propose|contend|posit) that\b|\bto (?:test|determine|assess|evaluate) (?:whether"
            r"|if|the)\b|^(?:in order )?to (?:test|determine|assess|evaluate|investigate|examine|explore|identify"
            r"|characteri[sz]e|compare|define|clarify|elucidate|study|understand|analy[sz]e|estimate)\b",
        ),
        (
            1.0,
            r"\bwe (?:\w+ly |have |now )?(?:stud(?:y|ied)|report|describe|identif(?:y|ied)|determined?|compared?"
            r"|assess(?:ed)?|evaluated?|explored?|developed?|reviewe?d?|characteri[sz]ed?|analy[sz]ed?|discovered)\b",
        ),
        (0.8, r"\bin this (?:paper|study|work|article)\b"),
    ),
    "Context": (
        (
            1.4,
            r"\bin recent years\b|\bincreasingly\b|\bhas (?:become|been) (?:a|an|widely|increasingly)\b"
            r"|\bremains? (?:a|an)\b",
        ),
        (
            1.2,
            r"\bprevious (?:work|stud)|\bprior work\b|\bexisting (?:approaches|methods|systems|work)\b"
            r"|\btraditional(?:ly)?\b",
        ),
        (
            1.0,
            r"\bchallenge|\bproblem of\b|\bis (?:widely|commonly|often)\b|\bplays? (?:a|an) .{0,20}role\b"
            r"|\bthe (?:lack|need)\b",
        ),
    ),
    "Assumption": (
        (
            3.0,
            r"\bwe (?:also |further |therefore )?assume|\bit is assumed|\bunder the assumption"
            r"|\bassuming (?:that|the|a)\b",
        ),
        (
            2.4,
            r"\bassumptions? (?:is|are|that|of|was|were|made)\b|\bwe treat .{0,60} as\b"
            r"|\bwe take .{0,40} (?:as|to be)\b",
        ),
        (
            1.8,
            r"\bfor (?:simplicity|tractability|the sake of)\b|\bideali[sz]|\bpresuppos|\bprovided that\b"
            r"|\bwe restrict\b",
        ),
        (1.2, r"\bprecondition|\bpremise\b|\bby design,? .{0,30}(?:only|cannot)\b"),
    ),
    "Method": (
        (
            2.2,
            r"\bwe (?:then |first |also |next |further )?(?:use|used|collect|sampled?|train|evaluate|implement"
            r"|measure|recruit|appl(?:y|ied)|compute|estimate|fit|normali[sz]e|encode|extract|define|divide"
            r"|compare|randomi[sz]e|select|annotate|design|conduct|perform|develop|model|adopt|formali[sz]e"
            r"|construct|build|built)(?:d|ed)?\b",
        ),
        (
            1.8,
            r"\b(?:were|was|is|are) (?:then |first |randomly |subsequently )?(?:randomi[sz]ed|assigned"
            r"|recruited|measured|collected|trained|computed|estimated|sampled|administered|analy[sz]ed"
            r"|calculated|compared|tested|implemented|obtained by|processed|validated|aggregated|normali[sz]ed"
            r"|extracted|defined as|applied|parsed|generated|invoked)\b",
        ),
        (
            1.2,
            r"\balgorithm\b|\bprocedure\b|\bpipeline\b|\bprotocol\b|\busing (?:a|an|the)\b|\bimplemented (?:in"
            r"|as|with)\b",
        ),
        (0.8, r"\bconsists? of\b|\bsteps?\b|\bworkflow\b|\bmodule\b|\bprompts?\b|\bregression\b|\bsoftware\b"),
    ),
    "Evidence": (
        (
            2.0,
            r"\b(?:stud(?:y|ies)|authors?|experiments?|trials?|surveys?|analys[ie]s|reports?) (?:have "
            r"|has )?(?:shown?|found|reported|demonstrated|observed|suggested|revealed)\b|\bet al\.?,? ?(?:\("
            r"|\[)?\d{0,4}\)?\]? (?:found|show|report|demonstrat)",
        ),
        (
            1.6,
            r"\baccording to\b|\bhas been (?:shown|reported|demonstrated|observed)\b|\bevidence (?:for|that|of"
            r"|from)\b|\bknown to\b",
        ),
        (1.0, r"\bin (?:19|20)\d\d,|\bestimated (?:at|to)\b|\b\d[\d,.]* (?:%|percent|million|billion)"),
    ),
    "Result": (
        (
            2.2,
            r"\bwe (?:found|find|observed?|obtain(?:ed)?|achieved?|measured a)\b|\bresults? (?:show|indicate"
            r"|demonstrate|reveal|were)\b",
        ),
        (2.0, r"\b(?:outperform|exceed|improv|increas|decreas|reduc|declin|rose|fell|dropp)\w* .{0,60}\d"),
        (
            1.8,
            r"\bp ?[<=>] ?0?\.\d|\bCI\b|\bAUROC\b|\bF1\b|\baccuracy (?:of|was|is)\b|\bcorrelat\w+ .{0,40}\d"
            r"|\bmedian\b|\bmean (?:of|was)\b",
        ),
        (
            1.6,
            r"\b(?:achieve|reach|yield|produce|attain|complet|identif|detect|pass|fail|retriev|return)(?:s|ed"
            r"|d)?\b.{0,60}\d",
        ),
        (
            1.2,
            r"\b(?:higher|lower|faster|slower|larger|smaller|better|worse|fewer|more) than\b"
            r"|\bsignificant(?:ly)?\b|\btable \d|\bof which\b",
        ),
    ),
    "Claim": (
        (2.2, r"\bwe (?:argue|claim|contend|believe|maintain|note) that\b|\bour (?:main |key )?contributions?\b"),
        (
            1.8,
            r"\bthis (?:suggests|implies|means|indicates|shows|demonstrates|allows|enables|ensures|prevents"
            r"|makes|yields)\b",
        ),
        (
            1.6,
            r"\b(?:therefore|thus|hence|consequently|as a (?:result|consequence))\b|\bwhich (?:suggests"
            r"|implies|means|ensures)\b",
        ),
        (
            1.2,
            r"\bensur(?:es|ing)\b|\benabl(?:es|ing)\b|\bprevent(?:s|ing)\b|\bis (?:essential|necessary"
            r"|sufficient|critical|crucial|ideal)\b",
        ),
        (1.0, r"\b(?:can|should|must) be\b|\bbecause\b|\badvantage|\bunlike\b|\brather than\b"),
    ),
    "Counterevidence": (
        (2.8, r"\b(?:contradict|refut|disconfirm|inconsistent with|at odds with|contrary to|runs? counter to)"),
        (
            2.4,
            r"\bno (?:statistically )?significant (?:difference|effect|improvement|change|association"
            r"|correlation)",
        ),
        (
            2.2,
            r"\b(?:did|does|do) not (?:replicate|differ|(?:significantly )?(?:improve|reduce|increase"
            r"|outperform))\b",
        ),
        (
            2.2,
            r"\bnot (?:support|confirm|bear out) (?:the|our|this|these) (?:hypothes|claim|prediction|theory"
            r"|finding|expectation)",
        ),
        (
            2.0,
            r"\bfail(?:s|ed|ure)? (?:to (?:replicate|confirm|improve|detect|find|reproduce)|validation)"
            r"|\b\d+ .{0,20}failed\b",
        ),
        (
            1.6,
            r"\bsigns? of overfitting|\bworse than\b|\bunderperform|\bnegative result|\berrors? (?:rate"
            r"|remained)",
        ),
        # A reference to a figure is often no more than the next result: it adds to other cues, and is not enough alone.
        (1.0, r"\bhowever,.{0,80}\d"),
    ),
    "Limitation": (
        (3.0, r"\b(?:a|an|one|another|main|key|important|several|our)?\s?limitations?\b"),
        (
            2.2,
            r"\blimit(?:s|ed) (?:to|by|the|in|performance|scal|our)\b|\bmay not (?:generali[sz]e|hold|apply"
            r"|transfer)\b|\bdo not (?:generali[sz]e|claim)\b",
        ),
        (
            2.0,
            r"\bwe (?:do|did|could|can) ?not\b|\bcannot be (?:ruled out|excluded|generali[sz]ed)\b|\bcaution\b"
            r"|\bbeyond the scope\b",
        ),
        (
            1.6,
            r"\bmodest\b|\bsmall sample|\bonly (?:a|one|two|three|\d+)\b|\bthreats? to\b|\bweak(?:ness|ly)?\b"
            r"|\bsubstantial (?:computational )?resources\b",
        ),
        (
            1.2,
            r"\bfuture work (?:should|could|will)\b|\bremains? (?:to be|unclear|open|untested)\b"
            r"|\bdoes not (?:eliminate|establish|address|guarantee)\b",
        ),
    ),
    "Conclusion": (
        (3.0, r"\bwe conclude|\bin conclusion\b|\bin summary\b|\bto (?:conclude|summari[sz]e)\b|\bconcluding\b"),
        (
            2.4,
            r"\b(?:overall|taken together|altogether|collectively)\b|\bour (?:results|findings|analysis"
            r"|evidence|experiments|work) (?:show|suggest|demonstrate|indicate|support|establish|confirm)",
        ),
        (1.8, r"\b(?:these|the) (?:results|findings|data) (?:show|suggest|demonstrate|indicate|support|confirm)"),
        (
            1.4,
            r"\b(?:we|this (?:paper|study|work|article|thesis)|the (?:present|current) (?:paper|study"
            r"|work))\b (?:have |has )?(?:presented|shown|demonstrated|established|introduced)",
        ),
    ),
}
"""The cues for each role."""

_AGAINST: dict[str, tuple[tuple[float, str], ...]] = {
    "Result": (
        (
            2.2,
            r"\bwe discuss\b|\bwhere \d|\bwhere .{0,30}\bindicates?\b|\bwe (?:report|discuss|describe) (?:the"
            r"|on|here)?\b.{0,40}\bbecause\b|\bdefined as\b",
        ),
        (1.2, r"\bshould\b|\bcould\b|\bwill\b|\bfor example\b|\be\.g\.|\bintended to\b|\bdefaults? to\b"),
    ),
    "Limitation": (
        (
            3.0,
            r"\b(?:address(?:es|ed)?|overcome|overcomes|mitigat\w+|resolve\w*"
            r"|remov\w+) .{0,40}\blimitations?\b|\blimitations? (?:of|in) (?:existing|prior|previous|current"
            r"|traditional|other|these|citation|such)\b",
        ),
        (1.5, r"\blimitations? and future\b|\bdiscusses? .{0,30}limitations?\b|\bstrengths, limitations\b"),
    ),
    "Counterevidence": (
        (
            3.0,
            r"\b(?:support\w*|confirm\w*)(?:,| or| and|/) ?(?:or |and )?(?:contradict|refut)"
            r"|\bcontradict\w* (?:evidence|claims?)\b|\bif\b|\bwhether\b|\bcan (?:be )?fail|\bfor example\b"
            r"|\bsuch as\b|\bshould\b",
        ),
    ),
    "Hypothesis": (
        (1.5, r"\b(?:figure|table|section) \d|\bwe (?:report|present) (?:the|our) results\b"),
    ),
    "Claim": (
        (1.2, r"\bfuture work\b|\bfor example\b|\be\.g\.|\bcould be\b|\bmust (?:be|match|exist)\b"),
    ),
    "Method": (
        (1.2, r"\bshould\b|\bcould\b|\bfuture\b|\bwould\b"),
    ),
    "Conclusion": (
        (
            2.0,
            r"\b(?:is|are|was|were) (?:publicly |freely )?available\b|\blet us\b"
            r"|\bfuture work\b|\bnext steps?\b|\bremains? to be\b|\bremainder\b",
        ),
    ),
    "Evidence": (
        (1.5, r"\b(?:the|this|our) (?:system|architecture|proposed)\b|\bis considered\b|\bare considered\b"),
        (1.0, r"\bfor example, \b|\bwe refer\b"),
    ),
}
"""The cues against a role."""

NEEDED: dict[str, float] = {
    "Hypothesis": 2.4, "Context": 1.8, "Assumption": 2.2, "Method": 2.2, "Evidence": 1.9, "Result": 2.4, "Claim": 1.9,
    "Counterevidence": 2.8, "Limitation": 2.4, "Conclusion": 2.4,
}  # fmt: skip
"""Least score for a role. Highest where a mistake misleads most: counterevidence lowers a score."""

CUED: dict[str, float] = {"Assumption": 1.2, "Counterevidence": 1.6, "Limitation": 1.2, "Result": 1.0, "Evidence": 1.0}
"""Roles that need the words themselves, with the least score of these (figures count for a result, a citation for
evidence); the place in the paper is not enough."""
CONSEQUENCE = re.compile(
    r"^(?:therefore|thus|hence|consequently|accordingly|as a (?:result|consequence)"
    r"|this (?:suggests|implies|means|shows|indicates|demonstrates)|these (?:results|findings|data)"
    r"|it follows|so,|in turn)\b",
    re.IGNORECASE,
)
"""Openings that link a statement to the one before it."""
CONTRAST = re.compile(r"^(?:however|in contrast|by contrast|nevertheless|on the other hand|yet|but)\b", re.IGNORECASE)


ASIDE = re.compile(
    r"https?://|\bwww\.|\bclinicaltrials\.gov\b|\b(?:NCT|ISRCTN|ACTRN)\d{6,}|\bfunded by\b"
    r"|\bregistered (?:with|at|as|in)\b|\b(?:is|are) (?:freely |publicly )?available (?:at|from|on|under|online)\b",
    re.IGNORECASE,
)
"""Availability, funding and registration of a thing: these are no conclusions."""

_Patterns = dict[str, tuple[tuple[float, re.Pattern[str]], ...]]


@lru_cache(maxsize=1)
def _compiled() -> tuple[_Patterns, _Patterns]:
    def made(known: dict[str, tuple[tuple[float, str], ...]]) -> _Patterns:
        return {role: tuple((w, re.compile(p, re.IGNORECASE)) for w, p in each) for role, each in known.items()}

    return made(_CUES), made(_AGAINST)


def cue_score(role: str, text: str) -> float:
    """Return the score of the words for a role: the strongest cue and a third of the next, less the strongest cue
    against it. May be negative."""
    speaks, against = _compiled()
    found = sorted((weight for weight, pattern in speaks[role] if pattern.search(text)), reverse=True)
    less = max((weight for weight, pattern in against.get(role, ()) if pattern.search(text)), default=0.0)
    return (found[0] + sum(found[1:2]) / 3 if found else 0.0) - less
