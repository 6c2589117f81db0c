"""Choose the part of a claim's quote that is set between quotation marks: all of it, or its end, word for word."""

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
    """Return the quote without the label of an abstract's part ("MAIN OUTCOMES AND MEASURES") and without an opening
    word that refers to the sentence before ("However,"). The result stands verbatim in the document."""
    bare = _LABEL.sub("", verbatim, count=1) if _LABEL.match(verbatim) else verbatim
    opener = _OPENER.match(bare)
    bare = bare[opener.end() :] if opener else bare
    return bare if len(bare) >= LEAST else verbatim
