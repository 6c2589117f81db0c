"""Languages: which one a text is in, and the rules by which German and French are read beside English.

English is read by the rules of the rooms themselves. A `Language` holds what another one needs instead.
"""

from veritas.text.languages.detection import foreign_language, language_named, plainly_foreign
from veritas.text.languages.language import ENGLISH, Kind, Language
from veritas.text.languages.speaking import (
    READ,
    by_language,
    read_in,
    speaking,
    spoken,
    unread_language,
)

__all__ = [
    "ENGLISH", "READ", "Kind", "Language", "by_language", "foreign_language", "language_named", "plainly_foreign",
    "read_in", "speaking", "spoken", "unread_language",
]  # fmt: skip
