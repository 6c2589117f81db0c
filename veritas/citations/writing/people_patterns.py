"""Regular expressions for the names of people as a text writes them. None of them has a group of its own."""

from __future__ import annotations

CAPITAL, SMALL = r"[^\W\d_a-zß-öø-ÿ]", r"[a-zß-öø-ÿ]"
PARTICLE = r"(?:van|von|de|der|den|del|della|di|da|du|la|le|el|al|ten|ter)"
FAMILY = rf"(?:(?:{PARTICLE}[ ]){{0,3}}{CAPITAL}['’]?{CAPITAL}?{SMALL}[\w'’-]{{0,40}})"
"""A family name in prose: it has small letters, so that an abbreviation is none."""
WORD = rf"{CAPITAL}[\w’'-]{{1,40}}"
"""A word of a name, in capitals too, as lists of references print them."""
PERSON = rf"(?:{PARTICLE}[ ]){{0,3}}{WORD}"
"""A family name in a list of references."""
INITIALS = rf"(?:{CAPITAL}\.[ -]?){{1,3}}"
