"""Words by which a paper's main aim, test, result and conclusion are told, and words that rule a sentence out."""

from __future__ import annotations

import re

from veritas.documents.paper_parts import Main

_WORKS = (
    r"(?:paper|study|studies|work|article|review|thesis|report|survey|trial|chapter|project|investigation|research"
    r"|manuscript|software|package|library|analys[ie]s|meta-analys[ie]s|experiments?|protocol|note|letter|contribution)"
)
_OWN = rf"(?:th(?:is|ese|e (?:present|current))|our) (?:[\w-]+ ){{0,3}}?{_WORKS}"
_GOAL = r"(?:aim|objective|purpose|goal)s?"
_SEEKS = (
    r"(?:test|determin|assess|evaluat|investigat|examin|explor|identif|compar|characteri[sz]|defin|clarif|elucidat"
    r"|stud|understand|analy[sz]|estimat|address|quantif|describ|establish|measur|validat|detect|improv|develop)\w*"
)

_AIM = (
    (3.2, rf"\b(?:our|main|primary|overall|principal|specific|central) {_GOAL}\b (?:\w+ ){{0,6}}?(?:was|were|is|are)\b"
          rf"|\b{_GOAL} (?:of|for|in|behind) (?:{_OWN}|the (?:study|trial|paper|review|work|project|survey|research)"
          rf"|our)\b|^(?:thus,? |therefore,? |here,? )?the {_GOAL} (?:was|were|is|are)\b|^{_GOAL}:"
          rf"|^(?:the |our )?(?:\w+ )?(?:research )?(?:questions?|hypothes[ie]s) (?:was|were|is|are)\b"),
    (3.0, r"\bwe (?:\w+ly |also |here |therefore |thus )*(?:aim(?:s|ed)?|sought|seek|set out|attempt(?:ed)?"
          r"|intend(?:ed)?|hypothesi[sz]ed?|wanted|planned)\b"
          r"|\bwe are (?:\w+ly )?(?:investigat|evaluat|assess|test|examin|develop|explor|study)ing\b"
          r"|\bwe (?:\w+ )?ask(?:ed)? (?:whether|if|how|what|which|why)\b"
          rf"|\b(?:{_OWN}|(?:the|this) (?:study|trial|paper|review|work|project|survey|experiment)) "
          r"(?:(?:was|were|is|also|therefore|thus|specifically|here) )*(?:aim(?:s|ed|ing)?|sought|seeks?|set out"
          r"|attempt(?:s|ed)?|intend(?:s|ed)?|designed|undertaken to|conducted (?:in order )?to|carried out to"
          r"|performed to|initiated to|tests? (?:whether|if|how|the))\b"),
    (2.6, r"\bwe (?:therefore |thus |also |further |here |now )?(?:test(?:ed)?|investigate[d]?|examine[d]?|explored?"
          r"|determined?|assess(?:ed)?|evaluated?) (?:whether|if|how|the|this|these|what|which|a|an|both|its?)\b"
          rf"|\bwe (?:\w+ly |have |now |here |therefore )*(?:conduct|perform|undert[ao]|carr|design|initiat|develop)"
          rf"\w* [^.;]{{5,140}}? (?:(?:in order )?to|that|for) {_SEEKS}"
          r"|\b(?:the|our) hypothes(?:is|es) (?:is|was|were|are|that)\b"
          r"|\b(?:our|this|following) research questions?\b"),
    (2.4, rf"(?<!\bin )(?<!\bof )(?<!\bfrom )(?<!\bby )\b(?:{_OWN}|the following (?:\w+ )?{_WORKS})\b"
          r"[^.]{0,40}?\b(?:present|describe|introduce|propose|investigate|examine|explore|evaluate|assesse|analy[sz]e"
          r"|compare|review|discuss|report|provide|focuse|addresse|summari[sz]e|highlight|consider|deal|test|identifie"
          r"|determine|characteri[sz]e|studie|cover|outline|offer|demonstrate|show|use)[sd]?\b"
          r"|\b(?:this|the|these) (?:\w+ )?(?:package|library|app|tool|toolbox|software|program|module)s? (?:is|are|was"
          r"|were) (?:intended|designed|meant|built|developed|written) (?:to|for)\b"),
    (2.2, r"\bwe (?:here |also |now |therefore )?(?:present|propose|introduce|describe|report(?:ed)?"
          r"|develop(?:ed)?|review) (?:a|an|the|our|new|novel|results)\b"
          r"|\b(?:in|for|within) (?:th(?:is|e (?:present|current))|our) (?:\w+ ){0,2}(?:paper|study|work|article|review"
          r"|report|survey|trial|investigation|research|context|manuscript)\b,? |\bhere(?:in)?,? (?:we|i)\b"
          r"|\bwe here\b"),
    (2.0, rf"\bwe (?:\w+ly |have |now |here |therefore )*(?:us|adopt|appl)\w* [^.;]{{5,140}}? (?:in order )?to {_SEEKS}"
          r"|^here,? (?!is\b|are\b)[^.]{3,90}? (?:was|were|is|are)\b"
          rf"|^(?:in order )?to (?:\w+ly )?{_SEEKS}\b|^to (?:help |better )?(?:fill|tackle|answer|overcome|this end)\b"
          r"|^for (?:evaluat|assess|determin|understand|identify|test|compar|estimat)ing\b"),
    (1.6, r"\bwe (?:\w+ly |now |also |have )?(?:present|propose|introduce|describe|develop(?:ed)?|report(?:ed)?|studied"
          r"|study|analy[sz]ed?|compared?|performed|used?|review(?:ed)?|characteri[sz]ed?|identif(?:y|ied)|designed"
          r"|provide|examined?|investigated?|assess(?:ed)?|evaluated?|estimated?|explored?|tested|focus(?:ed)?"
          r"|conducted|created)\b"),
    (1.4, r"\b(?:was|were) (?:investigated|examined|evaluated|assessed|studied|compared|tested|explored"
          r"|analy[sz]ed)\b"),
)  # fmt: skip

NO_AIM = re.compile(
    r"\bfor (?:the )?(?:purposes?|aims?) of\b|\b(?:supports?|confirms?|supported|confirmed|reject\w*) (?:the|our|this)"
    r" hypothes"
    r"|\bfuture (?:work|stud(?:y|ies)|research)\b"
    r"|\b(?:results?|findings|data) (?:of|from|in) (?:this|the present) study\b"
    rf"|\bnot (?:\w+ )?(?:the|an?|our) {_GOAL} of\b|\baccording to (?:this|the|that) (?:\w+ )?(?:notion|view|theory"
    r"|hypothesis|claim|idea|belief|model)\b"
    r"|\b(?:in|from) (?:our|a|an|the|their) (?:own )?(?:previous|earlier|prior|companion|recent|former) (?:\w+ )?"
    r"(?:work|study|studies|paper|report|trial|analysis|review)\b|\bwe (?:have )?(?:previously|recently|earlier)\b"
    r"|\b(?:previous|earlier|prior|past|other|several|many|most|few|existing|recent) (?:\w+ ){0,2}(?:stud(?:y|ies)"
    r"|trials|works?|papers|reviews?|experiments?|research|authors|investigators) (?:(?:has|have|had|were|was|also) )*"
    r"(?:been |\w+ly )*(?:aim|sought|conduct|investigat|examin|perform|carried|test|attempt|explor|report|describ|show"
    r"|focus|evaluat|assess|compar|us)\w*"
    r"|\b(?:much|most|some|all|none) of (?:this|the|these) (?:\w+ )?(?:work|research|stud(?:y|ies)|literature)\b"
    r"|^(?:in order )?to\b.{0,220}\b(?:is|are|be|remains?) (?:\w+ )?(?:required|needed|necessary|essential|crucial"
    r"|important|critical)\b|\bwe (?:initially|then|next|subsequently)\b"
    rf"|\b(?:another|second|secondary|further|additional) (?:\w+ )?{_GOAL}\b"
    r"|^(?:overall|in (?:conclusion|summary)|taken together|collectively|altogether)\b"
    r"|^(?:next|then|subsequently|finally|lastly|second(?:ly)?|third(?:ly)?)\b"
    r"|\b(?:might|may|could|would) (?:also )?(?:provide|help|offer|serve|contribute)\b"
    r"|\badditional (?:\w+ )?studies have been\b|\bscale bar\b|\bin sections? \d"
    r"|\bexample (?:analysis|usage|of (?:use|usage))\b",
    re.IGNORECASE,
)
"""Aims of others and of earlier work, what a study is not meant for, and captions."""

AT_AIM = re.compile(
    r"^here(?:in)?\b|\bwe \w+ed\b|\b(?:the authors|hypothesi[sz]ed?|(?<!which )(?<!that )aim(?:s|ed)?"
    r"|objectives?|purpose|sought)\b"
    r"|\b(?:this|(?:the )?(?:present|current)|these) (?:\w+ )?(?:stud(?:y|ies)|paper|work|article|review|report|trial"
    r"|survey|investigation|analysis|thesis|experiments?|meta-analysis|package|library|software)\b"
    r"|\b(?:to|was|were) \w+ whether\b|\b(?:was|were) (?:\w+ly )?(?:examined|investigated|studied|assessed|evaluated"
    r"|determined|compared|explored)\b",
    re.IGNORECASE,
)
"""What a sentence at the place of an abstract's aim must hold, if it has no words that tell an aim."""
HERE = re.compile(
    r"\bhere(?:in)?,? we\b|\b(?:in )?th(?:is|e present) (?:paper|study|work|article|report)\b", re.IGNORECASE
)
"""Words by which a paper speaks of itself."""
PLANNED = re.compile(
    r"we (?:\w+ly |also |then |further )?(?:present|propose|introduce|describe|explore|illustrate|investigate|examine"
    r"|analy[sz]e|study|consider|outline|provide|use|apply)\b",
    re.IGNORECASE,
)
"""Opens a sentence on what a paper does, not on what follows from it."""
TOLD = re.compile(
    r"\b(?:showed|exhibited|revealed|was found|were found|we (?:found|find)|we show|significantly"
    r"|(?:study|paper|work|article) (?:shows|demonstrates|reveals|provides evidence))\b", re.IGNORECASE
)
CONCLUDED = re.compile(
    r"^(?:therefore|thus|hence|overall|taken together|in conclusion|in summary|collectively|consequently"
    r"|based on (?:our|this|these))\b|\bconclu"
    r"|\b(?:suggest|implicat|impl(?:y|ies)|promising|should be|could be|may be|recommend)", re.IGNORECASE,
)  # fmt: skip

_TEST = (
    (2.4, r"\b(?:primary|main|principal) (?:outcome|end ?point|analysis|test|comparison)\b"),
    (2.2, r"\b(?:t[- ]?tests?|anova|ancova|manova|chi[- ]squared?|mann[–-]whitney|wilcoxon|kruskal|fisher['’]s exact"
          r"|analys[ie]s of (?:co)?variance|student['’]s|dunnett|newman[–-]keuls|friedman|mcnemar|spearman|pearson['’]s"
          r"|kaplan[–-]meier|odds ratios?|hazard ratios?|(?:relative )?risk ratios?|cohen['’]s|kappa"
          r"|sensitivity (?:and|,)"
          r"|receiver operating|roc curves?|area under the (?:\w+ )?curve"
          r"|regression|mixed[- ](?:effects?|models?)|log[- ]rank|cox|correlation|tukey|duncan|bonferroni|meta-analysis"
          r"|bayes factors?|likelihood ratio|permutation tests?|bootstrap\w*|cross[- ]validation|χ)\b"),
    (1.6, r"\b(?:significan(?:ce|t)|p ?[<=≤]|confidence intervals?|statistical(?:ly)?|compared? (?:with|to|between)"
          r"|held[- ]out|benchmark(?:ed|s)?|baseline|test set|simulat(?:ed|ions?)|experiment\w*|assay\w*)\b"),
    (1.0, r"\b(?:randomi[sz]ed|randomly|trial|control (?:group|arm)|cohort|sequenc(?:ed|ing)|measured|evaluated)\b"),
)  # fmt: skip

BESIDE = re.compile(
    r"\bfunnel plots?\b|\b(?:publication|reporting) bias\b|\basymmetr\w+ (?:\w+ ){0,4}funnel|\begger|\bbegg['’]s\b"
    r"|\bsensitivity analys[ie]s\b|\bsub-?groups?\b|\bpost[- ]hoc\b(?! (?:[\w-]+ ){0,2}(?:tests?|comparisons?"
    r"|tukey|dunnett|bonferroni|\w+['’]s))|\binter-?rater|\bintraclass correlation"
    r"|\bagreement between (?:the )?(?:raters|coders|reviewers|observers)|\bheterogeneity\b|\bat baseline\b"
    r"|\bsimilar results\b|\bsecondary (?:outcomes?|end ?points?|analys[ie]s)\b|\bmanipulation check",
    re.IGNORECASE,
)
"""What is done and found beside the main question: bias of publication, subgroups, agreement of raters, baselines."""
NO_TEST = re.compile(
    r"\b(?:inclusion|exclusion|eligibility|specific|selection) criteria\b|^if (?:an?|the|any) (?:article|study|paper)"
    r"|\b(?:records?|articles?) were (?:classified|screened|excluded|included)\b|\bwould (?:show|tell|reveal)\b",
    re.IGNORECASE,
)
FOUND = re.compile(
    r"\b(?:no|not|a|any)(?: \w+ly)? (?:significant(?:ly)?|differ\w*)\b(?! (?:if|when|at|level))"
    r"|\bsignificantly (?!at\b)"
    r"|\b(?:was|were) (?:found|observed|noted|seen|detected|revealed)\b|\b(?:showed|revealed"
    r"|demonstrated) (?:that|an?|no)\b"
    r"|\bwe (?:found|observed) ",
    re.IGNORECASE,
)
"""Words of what a test gave, not of the test."""
PROGRAM = re.compile(
    r"\b(?:SPSS|SAS®?|Stata|Statistica|Minitab|Prism|GraphPad|Excel|MedCalc|Epi ?Info|JMP|MATLAB|SigmaPlot|Origin ?Pro"
    r"|software|statistical (?:package|program(?:me)?|environment)|R (?:version|package|foundation|statistical|\d))\b"
)
"""The program that a paper computed with."""

_NO_LIMIT = r"(?! (?:(?:than|or equal to) (?:or equal to )?\d|(?:common|frequent)ly\b|(?:common|frequent|rarely)\b))"
"""Behind a comparative: it compares with no number ("less than 7 hours") and orders no list ("less frequent")."""
_RESULT = (
    (2.0, r"\b(?:significant(?:ly)?|increas\w+|decreas\w+|reduc\w+|improv\w+|differ(?:ed|s|ence)?"
          rf"|associated|correlat\w+|outperform\w*|(?:higher|lower|greater|fewer|less|more|older|younger){_NO_LIMIT}"
          r"|inhibit\w+|no (?:effect|difference|evidence))\b"
          r"|\b(?:(?:odds|hazard|risk|rate) ratios?|relative risks?|mean differences?|effect sizes?|sensitivity"
          r"|specificity"
          r"|kappa|prevalence|incidence|mortality|survival|accuracy) (?:(?:of|for|in|among|between|and) [^.;]{0,120}?)?"
          r"(?:was|were|is|are|of)\b"),
    (1.8, r"\b(?:showed?|found|find|revealed|observed|demonstrated|identified|detected|indicated|exhibited|resulted"
          r"|led to|achieved|obtained|confirmed)\b"),
)  # fmt: skip

_CONCLUSION = (
    (3.2, r"\bwe (?:therefore |thus |also )?conclude|\bin conclusion\b|\bconclude[sd]? that\b"
          r"|\b(?:be|is|was) concluded\b|\bconclusion is\b"
          r"|\b(?:in summary|to (?:conclude|sum up|summari[sz]e)|summing up|in sum|in a nutshell)\b"),
    (2.4, r"\b(?:overall|taken together|altogether|collectively|together)\b,?|^(?:thus|therefore|hence|consequently)\b"
          r"|\b(?:our|these|the(?:se)?|this|present|current) (?:\w+ ){0,3}(?:results?|findings?|analys[ie]s|evidence"
          r"|data|experiments?|work|stud(?:y|ies)|observations?|review|survey) (?:\w+ ){0,2}(?:show|shown|suggest"
          r"|demonstrate|indicate|support|establish|confirm|provide|reveal|highlight|impl(?:y|ies)|point"
          r"|underscore|emphasi[sz]e"
          r"|contribute|offer|identif(?:y|ies)|emerge|illustrate|fail)s?(?:d|ed)?\b"
          r"|\bbased on (?:our|these|this) \w+,? we (?:hypothesi[sz]e|propose|suggest|argue)\b"),
    (1.6, r"\b(?:it (?:is|was|can be) (?:concluded|suggested|clear|evident|recommended|inferred|possible to conclude)"
          r"|may (?:be|help|provide|serve|contribute|represent)|can be (?:used|considered)|could (?:be|serve|help)"
          r"|potential(?:ly)?|promising|suggest(?:s|ing)?|indicat(?:es|ing)|should be|play(?:s)? an? \w+ role"
          r"|therefore|thus|hence|provides? (?:the|a|an|new|novel|important)|important (?:implications|insights?)"
          r"|we (?:have |has )?(?:shown?|presented|demonstrated|established|found|discovered|identified|introduced"
          r"|provide|propose|developed|described|believe)|(?:has|have) been shown)\b"),
)  # fmt: skip

_STUDIES = (
    r"(?:stud(?:y|ies)|trials?|research|investigations?|experiments?|work|validation|understanding|efforts?"
    r"|observations?|measurements?|analys[ie]s|data)"
)
LEFT_OPEN = re.compile(
    r"\bfuture (?:work|stud(?:y|ies)|research|investigations?|directions)\b"
    r"|(?<!provide )(?<!provides )(?<!provided )(?<!providing )(?<!lend )(?<!lends )(?<!offer )(?<!add )(?<!adds )"
    rf"\b(?:further|additional|more) (?:[\w-]+ ){{0,3}}(?:{_STUDIES}|evidence)"
    r" (?:[\w-]+ ){0,3}(?:need\w*|requir\w+|necessary|warranted|should|will|must|are|is|to)\b"
    r"|\bremains? (?:to be|unclear|unknown)\b"
    rf"|\b{_STUDIES} (?:[\w-]+ ){{0,6}}(?:should|must|needs? to|ha(?:s|ve) to) be (?:\w+ )?(?:conducted|done"
    r"|carried out|performed|undertaken|initiated|repeated)\b"
    rf"|\b{_STUDIES}\b[^.;]{{0,240}}?\b(?:is|are) (?:\w+ )?(?:warranted|needed|required|necessary)\b"
    r"|\b(?:warrants?|deserves?|merits?) (?:\w+ )?(?:further|more|additional|future)\b"
    r"|\bcan be (?:confirmed|refuted|tested) (?:or \w+ )?(?:through|by|in|with)\b|\bno clarity\b|\bsame conclusion\b"
    r"|^such (?:observations|studies|data|work|experiments|trials|research|efforts)\b"
    r"|\b(?:needs?|requires?) (?:to be )?(?:further|additional|more) (?:\w+ )?(?:stud|investigat|research"
    r"|confirm|valid)",
    re.IGNORECASE,
)
"""What is left to further work: no conclusion, though a conclusion may stand before it in the same sentence."""

NO_CONCLUSION = re.compile(
    r"\b(?:a|the|our|main|major|several|some|these|study|potential) (?:\w+ )?limitations? (?:\w+ ){0,3}(?:is|was|are"
    r"|were|of|include)\b|^limitations?\b|\b(?:has|have|had|with|several|some|these|following|study) (?:\w+ )?"
    r"limitations\b"
    r"|\b(?:the|our) first (?:\w+ ){0,4}to (?:\w+ly )?\w+|\bfor the first time\b.{0,10}\bto our knowledge"
    r"|\bwritten by (?:me|us|the authors?)\b"
    r"|\b(?:ChatGPT|Grammarly|DeepL|GPT-\d|large language models?) (?:\w+ ){0,4}(?:used|employed) (?:to|for|in)"
    r" (?:\w+ ){0,3}(?:writ|edit|languag|translat|grammar|draft|this)|\b(?:done|written|made) by me\b"
    r"|\b(?:we|i|this (?:review|paper|article)) (?:have |also |will )?(?:discuss|include|describe|outline"
    r"|summari[sz]e|examine|review)(?:s|d|ed)?\b|\b(?:is|are) (?:also )?(?:discussed|reviewed|described)\b"
    r"|\bwe (?:\w+ )*(?:thank|acknowledge)\b|\bwould like to (?:close by )?thank"
    r"|\bby thanking\b|\b(?:small|limited) sample"
    r"|\bcould not be (?:ruled|excluded|assessed)|\bthe authors? (?:declare|received)\b"
    r"|\bwe conclude (?:with|by)\b"
    r"|\b(?:codes?|light ?curves|scripts?|software|data)\b[^.]{0,140}? (?:is|are) (?:\w+ )*available\b"
    r"|\bapprovals? (?:\w+ ){0,3}obtained\b"
    r"|\bdata (?:described|used) in this"
    r"|^(?:however|but|nevertheless|although|though|while|unfortunately)\b.*\b(?:not|limited|unclear|unknown)\b",
    re.IGNORECASE,
)
PARTICULAR = re.compile(
    r"(?:[^,;]{0,60}\b(?:in particular|for example|for instance)\b|especially\b|interestingly\b|of note\b|also\b"
    r"|additionally\b|moreover\b|furthermore\b|in addition\b|.{20,400}\b(?:was|were|is|are) also \w+ed\b)",
    re.IGNORECASE,
)
"""Opens a sentence about a part of what was found."""
MEASURED = re.compile(r"\b9[059] ?% ?(?:CI|confidence|credible)|\bp ?[<=≤>]|\b(?:HR|OR|RR|aOR|aHR)s?\b|\bCI:?\b")
"""An effect with its uncertainty."""
REPORTS = re.compile(
    r"\d ?%.*\d ?%|\d/\d+[ ,;(]+\d+(?:\.\d+)? ?%|\b9[059] ?% ?(?:CI|confidence|credible)|\bp ?[<=≤>] ?0?\."
    r"|\b(?:OR|RR|HR|CI) ?[=:] ?\d",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
"""Holds the figures of a result: two shares, an interval, a level of significance."""
RECOMMENDED = re.compile(
    r"\bshould\b|\brecommend|\b(?:open|pave|point)s? (?:up )?(?:an?|the|new|interesting)\b"
    r"|\bhelp(?:s|ful)? (?:to |in )?(?:better )?understand"
    r"|\b(?:provide|offer|give|add)s? (?:\w+ ){0,3}?(?:baseline|information|insights?|guidance|background|basis"
    r"|framework)\b",
    re.IGNORECASE,
)
"""Advice and prospects, which stand behind what was concluded."""
CONTRARY = re.compile(r"(?:however|but|nevertheless|nonetheless|unfortunately|on the other hand)\b", re.IGNORECASE)
DESCRIBED = re.compile(
    r"^(?:a total (?:of|number)|of (?:the|all|these) (?:\w+ )?\d+|overall, \d+|the (?:mean|median"
    r"|average) (?:\(\w+\) )?age"
    r"|there were \d|in total,?|in group \w+,|other (?!than))|\b(?:was|were|are|had|have) (?:fe)?males?\b"
    r"|\bmean age\b|\bin some (?:\w+ )?(?:patients|participants|cases|groups|samples|subjects)\b",
    re.IGNORECASE,
)
"""Tells who was looked at, or a part of them, and not what was asked about them."""
REPORTED = re.compile(r"\b(?:et al|previous(?:ly)?|prior (?:work|stud)|reported by|other (?:authors|studies))\b")

_WRITTEN: dict[Main, tuple[tuple[float, str], ...]] = {
    "aim": _AIM,
    "test": _TEST,
    "result": _RESULT,
    "conclusion": _CONCLUSION,
}
RULES: dict[Main, tuple[tuple[float, re.Pattern[str]], ...]] = {
    main: tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in cues)
    for main, cues in _WRITTEN.items()
}
"""Patterns of each main statement with their weight, the strongest first."""
SAYS_SO = 3.2
"""Weight of a conclusion that calls itself one."""
NAMES_TEST = 2.2
"""Weight from which a pattern names a statistical test."""
STRONG = 2.4
"""Weight from which a pattern tells a main statement by itself."""


def strongest(main: Main, text: str) -> tuple[float, int]:
    """Return the weight of the strongest pattern for a main statement in the text, 0 if there is none, and how many
    of its patterns are in it."""
    found = [weight for weight, pattern in RULES[main] if pattern.search(text)]
    return max(found, default=0.0), len(found)


_BEFORE = 60
"""Least characters of a conclusion before what the same sentence leaves to further work."""
_BREAK = re.compile(r"[,;:—–] (?:and |but |although |though |however,? |while |yet )?(?:\w+ ){0,6}$|\b(?:but|although) "
                    r"(?:\w+ ){0,5}$")  # fmt: skip


def concludes_nothing(text: str) -> bool:
    """Return whether a sentence is no conclusion: a limitation, a plan, what is left to others, a note on the paper
    itself. A sentence that concludes before it leaves the rest to further work is one."""
    if NO_CONCLUSION.search(text):
        return True
    left = LEFT_OPEN.search(text)
    return left is not None and not (left.start() >= _BEFORE and _BREAK.search(text[: left.start()]))
