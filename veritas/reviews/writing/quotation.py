"""Quoting: what of a claim's quote is set between quotation marks: its end, word for word, if not all of it."""

from __future__ import annotations

import re

_OPENER = re.compile(
    r"(?:However|Furthermore|Moreover|Additionally|In addition|Besides|Also|Thus|Therefore|Hence|Consequently|"
    r"Accordingly|Interestingly|Unexpectedly|Surprisingly|Notably|Importantly|Finally|Lastly|Overall|In conclusion|"
    r"In summary|To conclude|To summari[sz]e|Taken together|Together|In contrast|By contrast|Conversely|Nevertheless|"
    r"Nonetheless|On the other hand|As a result|Similarly|Likewise|In particular|Specifically),\s+"
)
_LABEL = re.compile(r"(?=[A-Z ]{12})(?:[A-Z]{3,}|OF|IN)(?: (?:[A-Z]{3,}|OF|IN))+:? (?=[A-Z][a-z]|[A-Z] )")
LEAST = 40
"""Characters that must be left."""


def quotable(verbatim: str) -> str:
    """The quote without the label of an abstract's part ("MAIN OUTCOMES AND MEASURES") and without the word that turned
    from a sentence which is not quoted ("However,"). What is left stands in the document as it is here."""
    bare = _LABEL.sub("", verbatim, count=1) if _LABEL.match(verbatim) else verbatim
    opener = _OPENER.match(bare)
    bare = bare[opener.end() :] if opener else bare
    return bare if len(bare) >= LEAST else verbatim
