"""Facets: the sides of a question that an honest answer looks at, and the words by which a sentence shows one."""

from __future__ import annotations

import re

from veritas.council.embedded.subjects import topic_of
from veritas.text.quantities import quantities

DEFINITION, MECHANISM, RESULTS, LIMITATIONS = "definition", "mechanism", "results", "limitations"

_SUFFIX = {
    MECHANISM: "mechanism",
    RESULTS: "measured results",
    LIMITATIONS: "limitations and counter-evidence",
}
_CUES = {
    MECHANISM: re.compile(
        r"(?i)\b(?:by|through|via|because|works?|mechanisms?|pathways?|mediat\w+|caus\w+|uses?|using|based\s+on|calls?|"
        r"invokes?|handles?|runs?|when|whenever|if|so\s+that|in\s+order\s+to|consists?|stores?|computes?|sends?|binds?|"
        r"regulat\w+|activat\w+|inhibit\w+|allows?|lets?)\b"
    ),
    RESULTS: re.compile(
        r"(?i)\b(?:found|show(?:s|ed|n)?|demonstrat\w+|observed|report(?:s|ed)|increas\w+|decreas\w+|reduc\w+|"
        r"improv\w+|lower\w*|higher|associated|correlat\w+|compared|significant\w*|result(?:s|ed)|faster|slower|"
        r"measured|median|mean|rates?|outperform\w*|evidence)\b"
    ),
    LIMITATIONS: re.compile(
        r"(?i)\b(?:however|although|though|limit(?:ed|ation|ations)|cannot|can't|can\s+not|(?:does|do|did|is|are|was|were|"
        r"has|have|had|will|may)\s+not|\w+n't|never|no\s+(?:effect|difference|evidence|support|association|significant|"
        r"benefit|longer|way|guarantee|clear)|except\w*|unless|fail(?:s|ed|ure|ures)?|unable|lacks?|adverse|caution|"
        r"caveats?|drawbacks?|disadvantages?|deprecated|unsupported|contradict\w*|inconsistent|unclear|unknown|"
        r"insufficient|despite|problem\w*|neither|nor)\b"
    ),
}  # fmt: skip
_PREFIXED = re.compile(rf"(?i)^(?P<topic>.+?):\s*(?P<facet>{'|'.join(_SUFFIX.values())})\s*$")
_WORDED = (
    (LIMITATIONS, re.compile(
        r"(?i)\b(?:limitations?|drawbacks?|disadvantages?|counter-?evidence|dissent\w*|critiques?|criticisms?|caveats?|"
        r"exceptions?\s+to|downsides?|weakness\w*)\b")),
    (RESULTS, re.compile(
        r"(?i)\b(?:how\s+(?:much|many|large|fast|often|long)|measured|magnitude|rates?\s+of|numbers?|evidence)\b")),
)  # fmt: skip


def facet_text(topic: str, facet: str) -> str:
    """Return a sub-query for one facet of a topic, in the topic's own words, so that the search keeps to it."""
    return f"{topic}: {_SUFFIX[facet]}"


def read_facet(text: str, facet: str) -> tuple[str, str]:
    """Return the topic of a sub-query and its facet ("" for none), in any wording."""
    match = _PREFIXED.match(text)
    if match:
        named = next(key for key, suffix in _SUFFIX.items() if suffix == match["facet"].lower())
        return match["topic"], named
    if facet in (*_CUES, DEFINITION):
        return text, facet
    worded = next((key for key, pattern in _WORDED if pattern.search(text)), "")
    return text, worded or (DEFINITION if topic_of(text) else "")


def shows(facet: str, sentence: str) -> bool:
    """Return whether a sentence shows the facet. The facets without cues (none, definition) fit every sentence."""
    if facet == RESULTS and quantities(sentence):
        return True
    cue = _CUES.get(facet)
    return cue is None or bool(cue.search(sentence))


_DEFINES = re.compile(
    r"(?i)^(?:the\s+|an?\s+)?(?P<subject>[^,;:.]{2,60}?)(?:\s+\([^)]{1,40}\))?,?\s+(?:is|are|refers?\s+to|means|"
    r"denotes|describes?|stands\s+for|provides?|lets|allows|enables|consists?\s+of|was|were\s+defined)\s+(?P<rest>\S.*)"
)


def defined_subject(sentence: str) -> str:
    """Return the subject that a sentence defines or introduces ("X is a …"), or ""."""
    match = _DEFINES.match(sentence)
    return match["subject"] if match else ""
