"""Languages: which one a text is in, and the rules by which German and French are read beside English.

A `Language` holds the function words of one and its stemmer; there is no grammar of any.
"""

from veritas.text.languages.detection import foreign_language, language_named, plainly_foreign
from veritas.text.languages.language import ENGLISH, Language
from veritas.text.languages.speaking import (
    READ,
    by_language,
    read_in,
    speaking,
    spoken,
    unread_language,
)

__all__ = [
    "ENGLISH", "READ", "Language", "by_language", "foreign_language", "language_named", "plainly_foreign",
    "read_in", "speaking", "spoken", "unread_language",
]  # fmt: skip
