"""Assertable sentences: can a sentence stand alone as a claim, and which part of it is the claim?"""

from __future__ import annotations

import re

from veritas.text.blocks import BlockKind, code_like
from veritas.text.instructions import is_instruction
from veritas.text.stems import stem
from veritas.text.wordlist import words

VERBS = words(
    """
    accept achieve act activate add affect allow appear apply assume attach avoid become behave bind block break
    bring build bundle cache call cause change check choose claim cleave collect combine compare compile compose
    compute confer configure connect consist consume contain control convert cope copy correct correlate count
    cover create deal decrease defer define deliver demonstrate deny depend derive describe detect determine
    differ display divide do drive drop emit enable encode encounter enforce enhance ensure evolve exceed
    execute exhibit exist expect explain expose express extend extract facilitate fail find fit fix follow form
    function generate get grow guarantee handle happen have help hold host identify ignore implement imply
    import improve include increase indicate induce influence inherit inhibit insert install interact introduce
    invoke involve iterate join keep kill know lack last lead lie limit live load lock look lower make manage
    mark match mean measure mediate migrate modify modulate move need occur offer open operate outperform
    override own parse participate pass perform persist persuade play point possess precede predict prefer
    preserve prevent print proceed process produce promote propose protect provide query raise range reach read
    receive recognize recommend record recover reduce refer reflect regulate reject relate release rely remain
    remove render repair repeat replace report represent request require reside resolve respond restore restrict
    result retry return reveal rewrite rise run save scale search seem send separate serve set share shift ship
    show simplify skip slow solve sort specify split spread start stay stem stimulate stop store stream submit
    succeed suggest supply support suppress survive switch take target tend test throw track transform translate
    transmit treat trigger try turn underlie update upgrade use validate vary verify wait work wrap write yield
    """
)
"""Verbs of papers and documentation, in their base form."""
LEAST_WORDS, MOST_WORDS = 4, 60
"""A shorter sentence says too little to be checked, a longer one says too many things at once."""
MOST_CHARACTERS = 420
DONE = "it says what was done, not what was found"
"""The reason why a sentence about methods cannot be asserted."""
ORDERS, SPEAKS = "it is an instruction to its reader", "it speaks to its reader"
"""The reasons why an instruction cannot be asserted, unless one is asked for."""
NO_END, SHORT, NO_VERB, ELSEWHERE = (
    "it has no end", "it is too short", "it has no verb", "it points elsewhere in its document"
)  # fmt: skip
POINTS = "it points to a sentence before it"
BOILERPLATE, REFERENCE = "it is boilerplate", "it is a reference"
LEADING = frozenset({NO_END, SHORT, NO_VERB, ELSEWHERE})
"""The reasons that do not count for a line that stands before its list."""

_ENDS = re.compile(r"(?<!\.)[.!](?:[\"'”’)\]]|\[\d+(?:[,–-]\s?\d+)*\]|\d{1,3})*$")
METHOD_LABELS = (
    r"METHODS?|DESIGN|SETTINGS?|PARTICIPANTS|PATIENTS|SUBJECTS|INTERVENTIONS?|MATERIALS?|DATA SOURCES?|"
    r"DATA EXTRACTION|STUDY SELECTION|MAIN OUTCOME\w*|OUTCOME MEASURES?|MEASUREMENTS?"
)
METHOD_LABELS_SMALL = (
    r"Methods?|Design|Setting|Participants|Data (?:abstraction|sources?|extraction|synthesis)|Study selection|"
    r"Main outcome measures?|Interventions?"
)
"""Labels before the methods in structured abstracts, in capitals and in small letters: alternatives of a pattern."""
# Section labels of structured abstracts: what stands behind one of the first kind is no finding.
_PLAN = re.compile(
    rf"^(?:OBJECTIVES?|AIMS?|PURPOSE|GOALS?|{METHOD_LABELS}|DATA SYNTHESIS|EXPERIMENTAL DESIGN|STUDY DESIGN|"
    r"TRIAL REGISTRATION|FUNDING|REGISTRATION|REVIEW METHODS)\b(?=[\s:.,/A-Z])(?!/PRINCIPAL)|"
    rf"^\[?(?:Objectives?|Aims?|Purpose|Subjects|{METHOD_LABELS_SMALL})\]?(?::|\]| (?=[A-Z][a-z]* [a-z]))"
)
_LABEL = re.compile(
    r"^(?:\d{1,2}[.)]\s+(?=[A-Z])|\[?(?:BACKGROUND|CONTEXT|INTRODUCTION|METHODOLOGY/PRINCIPAL FINDINGS|RESULTS?|"
    r"FINDINGS?|PRINCIPAL FINDINGS|MAIN RESULTS?|CONCLUSIONS?|INTERPRETATION|DISCUSSION|SIGNIFICANCE|IMPORTANCE|"
    r"RELEVANCE|OBSERVATIONS|SUMMARY|KEY POINTS?|RATIONALE|UNLABELLED)(?:\s*(?:AND|/|"
    r"&)\s*[A-Z]+)*\]?\s*[:.]?\s+(?=[A-Z0-9\"“])|\[?(?:Background|Results?|Findings|Conclusions?|Interpretation|"
    r"Summary)\]?(?:[:.]\s+(?=[A-Z0-9\"“])|\s+(?=[A-Z][a-z]* [a-z]))|(?:Note|Warning|Tip|Important|"
    r"Caution):\s+(?=[A-Z0-9]))"
)
_DANGLING = re.compile(
    r"(?i)^(?:which|who|whose|whom|it|its|they|them|their|theirs|he|she|his|her|hers|him|former|latter|the (?:former|"
    r"latter|same|above|following|below|other|others)|neither|either|both|so|such(?: an?)?|here(?!,? we (?:show|report|"
    r"find|found|demonstrate|identify|provide)\b)|hence|there(?!\s+(?:is|are|was|were|has|have)\b)|that|"
    r"this(?! (?:[\w-]+ )?(?:study|trial|analysis|meta-analysis|review|work|paper|cohort|research)\b)|these(?! (?:data|"
    r"results|findings|observations|experiments|studies) (?:\w+ly )?(?:suggest|show|indicate|demonstrate|reveal|"
    r"establish|confirm|imply) that(?: \S+){6})|those|one|another|then|thereby|otherwise|likewise|similarly|conversely|"
    r"for (?:example|instance)|e\.g|i\.e|as (?:above|before|mentioned|noted|described|discussed|a result|such|shown)|"
    r"in (?:this|that|these|those|such|the (?:above|following|latter|former|same))\b(?! (?:[\w-]+ )?(?:study|trial|"
    r"cohort|review|analysis))|to (?:this|that|do (?:this|so|that))|because of (?:this|that)|for this|at this|"
    r"with (?:this|that|these)|if (?:so|not|this|that|it)\b|(?:all|each|some|many|most|any|none|two|three|several|"
    r"one) of (?:them|these|those|this)|(?:first|second|third|last|next)(?:ly)?(?=,))\b"
)
# Of what dangles, what one sentence before can make plain.
_POINTER = re.compile(
    r"(?:It|Its|They|Their|He|She|His|Her|(?:This|These) (?:[\w-]+ ){0,2}?[\w-]+|This|These) (?!(?:is|are) why\b)\S"
)
# "By default it is 0": what stands before the pronoun names nothing that it could stand for.
_HIDDEN_POINTER = re.compile(
    r"(?:By default|If (?:not )?(?:set|unset|given|specified|omitted|present|missing|true|false|enabled|disabled)|"
    r"When (?:not )?(?:set|used|given|called|enabled|disabled|true|false|omitted|specified)|"
    r"In (?:most|some|many|all|both|either|rare|other) (?:cases|situations)|As of \S+|Since \S+|On \w+|"
    r"In (?:version )?\d\S*),? (?:it|they|this|these|that|those)\b"
    r"(?! (?:is|was|may|can|might|will be|would be|seems?)(?: be)? (?:not )?(?:\w+ ){1,2}?(?:to|that)\b)"
)
# An opening "However, it …" hides the pronoun behind a connective.
_CONNECTIVE = re.compile(
    r"(?i)^(?:however|moreover|furthermore|in addition|additionally|also|thus|therefore|consequently|nevertheless|"
    r"nonetheless|instead|indeed|interestingly|notably|importantly|overall|finally|and|but|or|yet|still|meanwhile|"
    r"by contrast|in contrast|on the other hand|accordingly|specifically|surprisingly|remarkably|again|besides|in fact|"
    r"as expected|to date),?\s+"
)
_REFERS = re.compile(
    r"(?i)\b(?:see (?:also|below|above|the|section|figure|table|our|this)|(?:described|shown|listed|discussed|"
    r"mentioned|given|noted|defined|explained|outlined) (?:above|below|here|earlier|later|previously|"
    r"in (?:the )?(?:next|previous|following|section))|(?:the|as) (?:follows|following)\b|(?:examples?|code|snippets?|"
    r"sections?|figures?|tables?|lists?) (?:below|above)\b|this (?:page|document|section|chapter|guide|tutorial|"
    r"example|file|readme|article|post|book|table|figure|list|option|parameter|argument|setting|function|method|class|"
    r"module|is|was|means|can|will|may|does|allows|makes|works|should)\b|the (?:above|below) \w+|above-?mentioned|"
    r"aforementioned|\b(?:this|these|those)(?=\s*(?:[:;,.)]|and\b|or\b|but\b|$))|(?:click|tap) (?:here|on)|"
    r"read more|learn more|more information|for (?:more|further) (?:details?|"
    r"information)|in the (?:next|previous|following) section)"
)
_READER = re.compile(
    r"(?i)^(?:you|your|we (?:recommend|suggest|strongly|also recommend|advise|will|'ll|can now|encourage|hope|thank|"
    r"plan)|we'(?:ll|ve|d|re)|let's|let us|i|i'm|my|our (?:team|docs|documentation|community)|thanks?|welcome|please|"
    r"if you(?:'re| are| want|'d like| need| would| have (?:any )?questions?| find| wish| prefer| encounter| run into)|"
    r"feel free|don't|do not|make sure|be sure|be aware|be careful|to (?!date\b)[a-z]+(?: \S+){0,8}?, (?:you|use|run|"
    r"call|set|see|add|pass|type|click|simply|just|first|we)|(?:if|when|for|in|once|after|before|on|"
    r"with) [^,]+, (?:then )?(?:import|construct|use|add|set|run|call|see|install|pass|create|make|ask|try|check|"
    r"ensure|choose|specify|configure|consider|prefer|click|select|open|don't|do not))\b|\bplease\b"
)
_IMPERATIVE = words(
    """
    use see note call add set run install click open read make try consider ensure check create visit remember avoid
    specify pass return get download import go keep choose select enter type press follow refer contact report file
    submit wait define declare write put start stop enable disable configure replace remove delete copy move save load
    build test verify compare list find look take give turn apply provide include exclude treat assume suppose imagine
    recall observe notice let allow change update upgrade join subscribe share star fork clone fix bump drop rename
    reach prefer combine ask wrap fetch attach assert
    document mention clarify improve support raise print show display explain describe discuss identify
    """
)
# "Open reading frames are …", "Contact sites may …": the first word is no order.
_NOUN_FIRST = re.compile(
    r"^\w+(?: (?!that\b|which\b|if\b|when\b|to\b|where\b|what\b|how\b)[\w()/-]+){1,9}? (?:is|are|was|were|may|can|has|"
    r"have|had)\b"
)
_NOT_ORDERS = words("of is are was were has have had can may")
_ORDERS = words("the a an all any your this that each every it them these to for from with only more new when if")
_STUDY_PLAN = re.compile(
    r"(?i)^(?:(?:here|in (?:this|the present|our) \w+(?: \w+)?|to \w+[^,]*|thus|therefore|using [^,]*),?\s+)?(?:we|"
    r"the authors?|the (?:present )?(?:study|paper|review|article)|this (?:study|paper|review|article|work|trial|"
    r"analysis|research))\s+(?:then |also |have |has |further |first |next |therefore |thus |here |sought |aimed |"
    r"wanted |set out |prospectively |retrospectively |systematically |comprehensively |was |were )*(?:measured?|"
    r"performed|used|collected|enrolled|recruited|conducted|analy[sz]ed?|studied|investigated?s?|examined?s?|"
    r"assess(?:ed|es)?|evaluate[ds]?|sought|aims?|aimed|to|tested|describes?d?|presents?|presented|reviews?|reviewed|"
    r"discuss(?:ed|es)?|proposed?s?|introduced?s?|developed|searched|included|randomly|randomi[sz]ed|applied|employed|"
    r"explored?s?|considers?|focus(?:es|ed)?|summari[sz]e[sd]?|designed|undertook|undertaken|generated|established|"
    r"outlines?|provides?|asked|hypothesi[sz]ed?|compared?|obtained|followed|estimated|carried out|characteri[sz]ed|"
    r"cover(?:ed|s)?|incorporated|previously|recently|now|will)\b(?!.*\b(?:and|,) (?:we )?(?:found|show(?:ed)?|"
    r"demonstrat\w+|observed|identified|report|conclude\w*)\b)(?!.*\b(?:found|shows?|showed) that\b)|\b(?:aims?|"
    r"objectives?|purpose|goals?) (?:of|was|were|is)\b|\bremains? to be (?:determined|elucidated|established|seen)\b|"
    r"\b(?:is|are|will be) (?:discussed|described|reviewed|presented|outlined|summari[sz]ed)\b(?! by\b)|"
    r"\bof these (?:findings|results|observations|data)\b|\bwe (?:have |then |also |therefore )?(?:investigated|"
    r"examined|sought|aimed|assessed|evaluated|asked|tested|explored) (?:whether|the|if|how|to)\b(?!.*\b(?:and|"
    r",) (?:we )?(?:found|show(?:ed)?|demonstrat\w+|observed|identified|report)\b)|\b(?:is|are) intended to\b|"
    r"\bwas (?:designed|undertaken|conducted|performed) to\b|\bwhether\b.*\b(?:is|was|remains?) (?:unknown|unclear|"
    r"controversial)\b"
)
FINDS = re.compile(
    r"(?i)\b(?:we (?:found|show(?:ed)?|demonstrate[ds]?|observed|identified|report|conclude[ds]?)|(?:results?|data|"
    r"findings?|study|studies|analys[ie]s) (?:show|showed|shows|indicate[sd]?|demonstrate[sd]?|suggest(?:s|ed)?|"
    r"reveal(?:s|ed)?|confirm(?:s|ed)?|support(?:s|ed)?)|in conclusion|conclusions?|therefore|thus|overall|"
    r"significant(?:ly)?|compared (?:with|to)|associated with|resulted in|leads? to|led to)\b"
)
"""Words by which a sentence says that something was found."""
_PROCEDURE = re.compile(
    r"(?i)\b(?:was|were) (?:then |also |randomly |prospectively |retrospectively |further )*(?:evaluated|assessed|"
    r"measured|assigned|randomi[sz]ed|enrolled|recruited|analy[sz]ed|followed|included|collected|obtained|administered|"
    r"performed|examined|searched|screened|selected|interviewed|studied|treated|tested|combined|pooled|calculated|"
    r"computed|estimated|defined|determined|offered|asked|carried out)\b"
)
_BOILERPLATE = re.compile(
    r"(?i)©|\bcopyright\b|all rights reserved|\b(?:cookies?|subscribe|newsletter|sign up|log in|terms of (?:use|"
    r"service)|privacy policy)\b|table of contents|back to top|next page|pull requests?|\bwarrant(?:y|ies)\b|"
    r"as[ -]is\b.*\bbasis|hereby granted|(?:without|with) (?:or without )?modification, are permitted|\b(?:sponsors?|"
    r"backers?|donat\w+|discord|slack channel|mailing list|issue tracker|bug reports?|changelog|release notes)\b|"
    r"\btrademarks?\b|contributed equally|conflicts? of interest|ClinicalTrials\.gov|funded by|"
    r"supported by (?:a )?grants?"
)
_BIBLIOGRAPHY = re.compile(
    r"(?:^\[\d+\]|\bdoi:|\barXiv:\d|\bpp?\.\s?\d|\bvol\.\s?\d|\b(?:19|20)\d\d;\d+|\bIn Proc(?:eedings|\.)|\bISBN\b|"
    r"(?:[A-Z][\w'’-]+,? (?:[A-Z]\.[ -]?){1,3}(?:,| and| &|;)\s*){2,}|^[A-Z][\w'’-]+, (?:[A-Z]\.\s?)+[\"“]|"
    r"\b\d+\(\d+\),|\bProceedings of\b.*\d{4}\.$|^[A-Z][\w'’-]+ et al\.,? \(?\d{4}\)?\.$)"
)
_LINK = re.compile(r"https?://|www\.|\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b|\]\(")
_CODE_MARKS = re.compile(
    r"->|=>|==|!=|::|\{\{|\}\}|[{}|\\]|[<>](?!=?\s?[\d.])|\w\(\w*=|\$[a-zA-Z]|^\s*[@#$]|\(\)\s*\.|\bpip install\b|[→⇒]|"
    r"\s#\s"
)
_IDENTIFIER_START = re.compile(r"^(?:[a-z]{1,3}[A-Z0-9]|[`'\"“(]?[a-z][\w.]*(?:_|\.|\(|::)[\w.()]*|`)")
_CHANGE = re.compile(
    r"(?i)^(?:(?P<item>changed|deprecated|updated|improved|introduced|implemented|moved|closes|fixes|resolves|made|"
    r"switched|new|version)|fixed|added|removed|bumped|dropped|renamed|refactored|merged|reverted|"
    r"v?\d+\.\d+\.\S*)\b(?!.*\b(?:is|are|was|were|has|have|can)\b)"
)


def claim_part(sentence: str) -> str:
    """Return the sentence without the label of a structured abstract before it ("RESULTS Mortality fell …"),
    verbatim."""
    return _LABEL.sub("", sentence, count=1)


def points_back(sentence: str) -> bool:
    """Return whether a sentence begins with a pronoun, or "this" and a noun, for what the sentence before it speaks
    of."""
    return bool(_POINTER.match(sentence) or _HIDDEN_POINTER.match(sentence))


def why_not(
    sentence: str, kind: BlockKind = "prose", *, beside: bool = False, methods: bool = False
) -> str | None:
    """Return why a sentence, with its whitespace folded, cannot be asserted as it stands, in a few words; None if it
    can. With `beside` it is to stand behind the sentence before it and may point to it; with `methods` methods count
    too."""
    return next(iter(faults(sentence, kind, beside=beside, methods=methods)), None)


def faults(
    sentence: str, kind: BlockKind = "prose", *, beside: bool = False, methods: bool = False
) -> tuple[str, ...]:
    """Return all reasons of `why_not`, the first that it gives first."""
    if kind not in ("prose", "item"):
        return (f"it is {kind}, not a sentence",)
    bare = claim_part(sentence)
    if len(bare) > MOST_CHARACTERS or len(bare.split()) > MOST_WORDS:
        return ("it is too long",)
    opening = _CONNECTIVE.sub("", bare, count=1)
    count = len(bare.split())
    letters = sum(c.isalpha() for c in bare)
    first = re.split(r"[^A-Za-z']", opening, maxsplit=1)[0].lower()
    second = opening.split()[1].lower().strip(",.:;") if len(opening.split()) > 1 else ""
    orders = (first in _IMPERATIVE and second not in _NOT_ORDERS) or (first in VERBS and second in _ORDERS)
    change = _CHANGE.match(bare)
    checks: tuple[tuple[bool, str], ...] = (
        (is_instruction(sentence), "it gives orders to a language model"),
        (not _ENDS.search(bare) or bare.endswith(("e.g.", "i.e.", "vs.")), NO_END),
        (count < LEAST_WORDS, SHORT),
        (not _begins(bare), "its beginning is missing"),
        (not methods and (bool(_PLAN.match(sentence)) or _tells_a_plan(bare)), DONE),
        (not beside and bool(_DANGLING.match(opening) or _HIDDEN_POINTER.match(opening)), POINTS),
        (bool(_lacks_subject(bare)), "its subject is missing"),
        (bool(_REFERS.search(bare)), ELSEWHERE),
        (bool(_READER.search(opening)), SPEAKS),
        (orders and not _NOUN_FIRST.match(opening), ORDERS),
        (change is not None and (kind == "item" or not change["item"]), "it is a line of a list of changes"),
        (bool(_BOILERPLATE.search(bare)), BOILERPLATE),
        (bool(_BIBLIOGRAPHY.search(bare)), REFERENCE),
        (bool(_LINK.search(bare)), "it is a link"),
        (code_like(bare) or 12 * len(_CODE_MARKS.findall(bare)) > count, "it is code"),
        (letters < 0.5 * len(bare.replace(" ", "")), "it is hardly language"),
        (sum(c.isupper() for c in bare) > 0.4 * letters, "it is in capitals"),
        (bool(_ENTRY.match(bare)), "it is an entry of a list, not a sentence"),
        (kind == "item" and bool(_GERUND.match(bare)), "it is an entry of a list, not a sentence"),
        (kind == "item" and not _has_verb(bare), NO_VERB),
        (kind == "prose" and count < 12 and _verbless(bare), NO_VERB),
        (bare.count("(") != bare.count(")") or bare.count("“") != bare.count("”"), "a bracket or quote is cut open"),
    )  # fmt: skip
    return tuple(reason for failed, reason in checks if failed)


def _lacks_subject(sentence: str) -> bool:
    """Return whether a sentence begins with its verb, as the text under a name does: "Returns the path."."""
    first, _, rest = sentence.partition(" ")
    verb = first.lower()
    if not first.isalpha() or not re.search(r"[^s]s$", verb) or stem(verb) not in _VERB_STEMS:
        return False
    return bool(_OBJECT.match(rest))


# What stands behind a verb and not behind a plural noun.
_OBJECT = re.compile(
    r"(?:the|a|an|its|their|all|any|each|every|whether|if|this|that|these|to|how|what|when|one|no|which)\b"
)


def _tells_a_plan(sentence: str) -> bool:
    """Return whether a sentence tells an intention or a procedure, and no finding."""
    if _STUDY_PLAN.search(sentence):
        return True
    return bool(_PROCEDURE.search(sentence)) and not FINDS.search(sentence) and "than" not in sentence.split()


def _begins(sentence: str) -> bool:
    """Return whether a sentence begins as one: with a capital, a digit, a quote, or an identifier that is written
    small."""
    first = sentence[:1]
    return (
        first.isupper() or first.isdigit() or not first.isascii() or first in "\"“'(*"
        or bool(_IDENTIFIER_START.match(sentence))
    )  # fmt: skip


# "parser.py: Handles …", "- Exposing the raw connection …"
_ENTRY = re.compile(r"^[\w./-]*[._/][\w./()-]*:\s|.*[→⇒]")
_GERUND = re.compile(r"^(?!During|Bring|String|Spring|King|Thing|Ring)[A-Z][a-z]+ing\b(?! is| are| was)")
_AUXILIARY = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|should|would|will|shall|"
    r"cannot|\w+n't|show|found|made|led|rose|fell|grew|kept|took|gave|ran|held|began|became|comes?|came|goes|went|lets|"
    r"means)\b"
)
# "… weighs 13 kg", "… reduced the risk": an inflected word before a number or an article governs it.
_GOVERNS = re.compile(
    r"(?<=\w )(?:[a-z]+[a-rt-z]s|[a-z]{2,}ed) (?:\d|(?:the|a|an|its|their|no|every|each|about|up to)\b)"
)
# "The Nile flows north": one thing, then a word in -s that another word follows.
_AFTER_NOUN = re.compile(
    r"^(?:The|An?|Each|Every) (?:[\w-]+ ){0,2}?[\w-]*[^\Ws] [a-z]+[a-rt-z]s (?!and\b|or\b|of\b|for\b)\w"
)
# One thing: its verb would end in -s or -ed, be an auxiliary, or irregular.
_NAMES_ONE = re.compile(r"^(?:An?|Each|Every|Another) ")
_INFLECTED = re.compile(r"(?<=\w )[a-z]+(?:(?<![su])s|ed)\b")
_ACTIVITIES = re.compile(r"^[A-Z][a-z]+(?:tion|sion|ment|ing|ance|ence)s? and (?:[a-z-]+ ){0,2}[a-z-]+[.!]$")
_IRREGULAR = re.compile(
    r"\b(?:ate|beat|bent|bit|bled|blew|bore|bought|broke|brought|built|burst|came|cast|caught|chose|clung|cost|crept|cut|"
    r"dealt|drank|drew|drove|dug|fed|felt|fled|flew|forbade|forgot|fought|froze|got|grew|heard|hid|hit|hung|hurt|knew|"
    r"laid|lay|left|lent|lit|lost|meant|met|overcame|paid|put|quit|rang|read|rode|rose|said|sang|sank|sat|saw|sent|set|"
    r"shed|shone|shook|shot|shrank|shut|slept|slid|sold|sought|spent|split|spoke|spread|sprang|spun|stole|stood|stuck|"
    r"struck|swam|swept|swore|swung|taught|thought|threw|thrust|told|took|tore|understood|underwent|wept|woke|won|wore|"
    r"wound|wrote)\b"
)
# "Models hallucinate": endings that only verbs have, after a plural.
_VERBAL = re.compile(r"(?<=s )[a-z]{3,}(?:ate|ize|ise|ify)\b")
_THIRD = re.compile(r"(?<=\S )([a-z]{2,}s)\b|(?<=s )([a-z]{3,})\b|(?<=we )([a-z]{3,})\b|(?<=they )([a-z]{3,})\b")
_VERB_STEMS = frozenset(stem(verb) for verb in VERBS)


def _has_verb(item: str) -> bool:
    """Return whether a list item shows a finite verb: an auxiliary, a known verb in the third person or after a plural,
    or a verb's ending where only a verb can stand."""
    if _AUXILIARY.search(item) or _VERBAL.search(item) or _GOVERNS.search(item) or _AFTER_NOUN.match(item):
        return True
    return any(stem(next(filter(None, match.groups()))) in _VERB_STEMS for match in _THIRD.finditer(item))


def _verbless(sentence: str) -> bool:
    """Return whether a sentence surely has no verb: it names one thing or an activity, and no word of it could be a
    verb. No list holds all verbs, so a plural subject gets the benefit of the doubt."""
    if _AUXILIARY.search(sentence) or _IRREGULAR.search(sentence):
        return False
    return bool(_NAMES_ONE.match(sentence) and not _INFLECTED.search(sentence)) or bool(_ACTIVITIES.match(sentence))
