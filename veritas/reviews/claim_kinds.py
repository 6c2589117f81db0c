"""Classify a claim and its evidence by rules on the words and the section of its sentence."""

from __future__ import annotations

import re

from veritas.documents.paper_parts import SectionName
from veritas.reviews.assertable import DONE, FINDS, METHOD_LABELS, METHOD_LABELS_SMALL, why_not
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind

_LIMITATION = re.compile(
    r"(?i)\b(?:limitations?\b(?! (?:to|of) the (?:use|number))|limited by|(?:small|modest|limited) (?:sample|number of "
    r"(?:patients|subjects|participants|studies|samples))|small numbers|under-?powered|(?:we|this study|the study|our "
    r"(?:study|analysis|data)) (?:could not\b|couldn't\b|did not (?:assess|measure|collect|include|adjust|control|have|"
    r"examine|account|consider|evaluate)\b)|cannot (?:be )?(?:exclude|rule|"
    r"determine|generali[sz]|infer)\w*|may not (?:be )?(?:generali[sz]|representative|appl)\w*|(?:further|more|larger|"
    r"future|additional|prospective) (?:[\w-]+ ){0,3}?(?:studies|research|work|trials?|investigations?|validation) "
    r"(?:[\w-]+ ){0,4}?(?:needed|required|warranted|necessary|essential)|interpreted? with caution|should be cautious|"
    r"low (?:quality|certainty) (?:of )?evidence|high risk of bias|(?:residual |unmeasured )?confounding (?:cannot|may|"
    r"could)|not (?:generali[sz]able|statistically powered)|insufficient (?:evidence|data)|lack of (?:data|evidence|"
    r"blinding|a control))"
)
_GAP = re.compile(
    r"(?i)\b(?:remains?|is|are|still) (?:largely |poorly |incompletely |not (?:well |fully )?|still )*(?:unknown|"
    r"unclear|"
    r"elusive|controversial|understood|undefined|debated|limited in the (?:published )?literature)\b|"
    r"\b(?:data|evidence|information) (?:is|are|was|were) (?:lacking|limited|scarce|insufficient)\b|\b(?:has|"
    r"have) not (?:yet )?"
    r"been (?:adequately |fully |systematically |formally |well |extensively )?(?:studied|validated|tested|evaluated|"
    r"assessed|"
    r"investigated|explored|characteri[sz]ed)\b"
)
# Marks of a sentence about the work of others.
CITES = re.compile(
    r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]|\([A-Z][\w'’-]+(?: (?:et al\.?|and|&) ?[A-Z]?[\w'’-]*)?,? (?:19|20)\d\d[a-z]?"
    r"(?:[;,][^)]*)?\)|\b[A-Z][\w'’-]+ (?:et al\.?|and [A-Z][\w'’-]+)?,? ?\((?:19|20)\d\d[a-z]?\)|\b(?:previous(?:ly)?|"
    r"prior|earlier|recent|other|several|many|numerous|some) (?:studies|work|reports?|research|reviews?|trials|authors|"
    r"investigators|published|reported|described|shown|demonstrated)\b|\b(?:has|have) (?:previously |recently |long |"
    r"also )?"
    r"been (?:reported|shown|described|demonstrated|suggested|proposed|implicated|linked|associated|known|used)\b"
)
_AIM = re.compile(
    r"(?i)^(?:objectives?|aims?|purpose|goals?|study objective|rationale)\b\s?[:.]?\s|\b(?:aims?|objectives?|purpose|"
    r"goals?|question) (?:of|was|were|is|here)\b|\b(?:we|this (?:study|paper|review|article|work|trial)|the authors?|"
    r"the "
    r"(?:present )?study) (?:therefore |thus |here |also |then )?(?:aims?|aimed|sought|wanted|set out|intended?|"
    r"hypothesi[sz]ed?|asked|wished|attempt(?:s|ed)?|tr(?:y|ied))\b|^to (?:determine|assess|evaluate|investigate|"
    r"examine|"
    r"compare|explore|test|identify|establish|describe|estimate|study|review|quantify|characteri[sz]e|measure|develop|"
    r"clarify|elucidate)\b|\b(?:is|are|will be) (?:discussed|described|reviewed|presented|outlined|summari[sz]ed|"
    r"considered)\b(?! by\b)|\b(?:was|were) (?:designed|undertaken|conducted|performed|initiated) to\b|"
    r"\bremains? to be "
    r"(?:determined|elucidated|established|seen)\b|^(?:we|here,? we|in this \w+,? we) (?:discuss|review|summari[sz]e|"
    r"outline|highlight|consider|focus on|argue)\b|\bthis (?:review|article|paper|chapter) (?:discusses|reviews|"
    r"summari[sz]es|"
    r"outlines|highlights|considers|focuses|describes|covers|presents|provides)\b|\brest of (?:this|the) paper\b"
)
_METHOD_LABEL = re.compile(
    rf"^\[?(?:{METHOD_LABELS}|{METHOD_LABELS_SMALL})\b" r"[^.]{0,30}?(?::|\]|\.| (?=[A-Z]))"
)
_BACKGROUND_LABEL = re.compile(r"^\[?(?:BACKGROUND|CONTEXT|INTRODUCTION|RATIONALE|IMPORTANCE|Background|Context)\b")
_FINDING_LABEL = re.compile(
    r"^\[?(?:RESULTS?|FINDINGS?|MAIN RESULTS?|CONCLUSIONS?|INTERPRETATION|DISCUSSION|SIGNIFICANCE|Results?|Findings|"
    r"Conclusions?|Interpretation|METHODOLOGY/PRINCIPAL FINDINGS|PRINCIPAL FINDINGS)\b(?=[\s:.\]/])"
)
_LABELS = (
    r"(?:BACKGROUND|CONTEXT|OBJECTIVES?|AIMS?|PURPOSE|METHODS?|DESIGN|SETTINGS?|PARTICIPANTS|PATIENTS|SUBJECTS|"
    r"INTERVENTIONS?|MATERIALS?|DATA SOURCES?|DATA EXTRACTION|DATA SYNTHESIS|STUDY SELECTION|STUDY DESIGN|MAIN OUTCOME"
    r"(?: MEASURES?)?|OUTCOME MEASURES?|MEASUREMENTS?|(?:MAIN |PRINCIPAL )?(?:RESULTS?|FINDINGS?)|CONCLUSIONS?|"
    r"INTERPRETATION|DISCUSSION|LIMITATIONS?|SIGNIFICANCE|FUNDING|TRIAL REGISTRATION)"
)
LABEL_WITHIN = re.compile(rf"(?<=[.!?)])(?P<gap>\s+)(?={_LABELS}(?:(?:,? AND |, |/){_LABELS})*[:.]?\s+[A-Z0-9])")
"""The gap between a sentence and the label of a structured abstract's next part."""
_LABELLED = re.compile(rf"^{_LABELS}(?:(?:,? AND |, |/){_LABELS})*[:.]?\s+(?=[A-Z0-9])")
_WE_DID = re.compile(
    r"\b[Ww]e (?:then |also |first |next |further )?(?:calculated|measured|used|quantified|computed|collected|"
    r"recruited|"
    r"enrolled|performed|conducted|analy[sz]ed|modell?ed|developed|adapted|extracted|obtained|followed|included|"
    r"searched|"
    r"compared|assessed|evaluated|examined|constructed|applied|fitted|trained|sampled|screened)\b"
)

_REVIEW = re.compile(
    r"(?i)\b(?:meta-?analys[ie]s|systematic(?:ally)? review|literature (?:review|search)|we review(?:ed)?|this review|"
    r"scoping review|narrative review|cochrane|pooled (?:analysis|estimates?|odds|relative|risk)|"
    r"consensus statement|data sources?|study selection|searched (?:medline|pubmed|embase))\b"
)
_REVIEW_TITLE = re.compile(r"(?i)\b(?:review|overview|guidelines? for|survey of|perspectives?)\b")
_COMPUTATIONAL = re.compile(
    r"(?i)\b(?:simulat(?:ion|ions|ed|e|ing)|in silico|computational(?:ly)?|molecular dynamics|finite[- ]element|"
    r"numerical (?:model|simulation|solution|method|experiment)s?|neural networks?|machine learning|deep learning|"
    r"algorithms?|(?:language|transformer|regression|mathematical|mechanistic|agent-based|bayesian) models?|"
    r"(?:genome-wide|bioinformatic\w*) (?:prediction|analysis|alignment)|benchmarks?|training data|datasets?|software|"
    r"monte carlo|digital twins?)\b"
)
_THEORETICAL = re.compile(
    r"(?i)\b(?:theorems?|lemmas?|corollary|we prove|proofs?|conjectures?|axioms?|theoretical(?:ly)? (?:framework|"
    r"analysis|"
    r"model|argument|predict\w*|bounds?)|we (?:argue|posit|postulate)|closed[- ]form|analytic(?:al|ally) (?:solution|"
    r"deriv\w+)|"
    r"thought experiment|conceptual framework|design principles?|architectural (?:argument|principles?))\b"
)
_EXPERIMENTAL = re.compile(
    r"(?i)\b(?:patients?|participants?|subjects?|mice|mouse|rats?|cells?|randomi[sz]ed|trials?|cohort|in vivo|in vitro|"
    r"measured|assay|samples?|placebo|p\s?[<=]\s?0?\.\d|confidence interval|\bCI\b|knock-?out|infected|expression|"
    r"experiments?|experimental(?:ly)?|survey(?:ed)?|interview\w*|observational|women|men|children|infants|adults|"
    r"tissue|"
    r"protein|temperature|laborator\w+|specimens?)\b"
)


def unlabelled(sentence: str) -> str:
    """Return a sentence without the label of a structured abstract before it."""
    return _LABELLED.sub("", sentence, count=1)


def is_aim(sentence: str) -> bool:
    """Return whether a sentence states a paper's aim or contents, and no fact."""
    return bool(_AIM.search(sentence)) and not FINDS.search(sentence)


def is_method(sentence: str) -> bool:
    """Return whether a sentence states what was done."""
    if _METHOD_LABEL.match(sentence) or why_not(sentence) == DONE:
        return True
    return bool(_WE_DID.search(sentence)) and not FINDS.search(sentence)


def claim_kind(sentence: str, section: SectionName, *, opening: bool = False) -> ClaimKind:
    """Return the kind of a sentence's claim. `opening`: no deed or finding stands before it in its document."""
    if section == "limitations" or _LIMITATION.search(sentence):
        return "limitation"
    if _GAP.search(sentence):
        return "limitation" if section in ("discussion", "conclusion", "results") else "background"
    if _METHOD_LABEL.match(sentence):
        return "method"
    if _FINDING_LABEL.match(sentence):
        return "finding"
    if _BACKGROUND_LABEL.match(sentence):
        return "background"
    if is_method(sentence):
        return "method"
    if section in ("methods", "data") and not FINDS.search(sentence):
        return "method"
    if section in ("introduction", "background", "theory"):
        own = re.match(r"(?i)(?:here,? |in this \w+,? )?we (?:find|found|show|demonstrate|report)\b", sentence)
        return "finding" if own else "background"
    if section in ("results", "conclusion"):
        return "finding"
    if FINDS.search(sentence):
        return "finding"
    return "background" if opening or CITES.search(sentence) else "finding"


def document_evidence(title: str, text: str) -> EvidenceKind:
    """Return the kind of evidence of a document: by its title, else by the commonest words of its first pages."""
    if _REVIEW.search(title) or _REVIEW_TITLE.search(title):
        return "review"
    head = text[:6000]
    if len(_REVIEW.findall(head)) >= 2:
        return "review"
    counts: dict[EvidenceKind, int] = {
        "experimental": len(_EXPERIMENTAL.findall(head)),
        "computational": 2 * len(_COMPUTATIONAL.findall(head)),
        "theoretical": 3 * len(_THEORETICAL.findall(head)),
    }
    # A word or two in passing do not characterise a whole document.
    if counts["theoretical"] < 9:
        counts["theoretical"] = 0
    best = max(counts.values())
    if best < 2:
        # Manuals and textbooks: they report what others found out.
        return "review"
    return next(kind for kind, count in counts.items() if count == best)


def evidence_kind(sentence: str, kind: ClaimKind, document: EvidenceKind) -> EvidenceKind:
    """Return the kind of evidence of a sentence: the document's, unless the sentence reports others' work, or a
    computation or a derivation without a measurement."""
    if kind == "background" and CITES.search(sentence):
        return "review"
    if not _EXPERIMENTAL.search(sentence):
        if _THEORETICAL.search(sentence):
            return "theoretical"
        if _COMPUTATIONAL.search(sentence):
            return "computational"
    if _REVIEW.search(sentence):
        return "review"
    return document
