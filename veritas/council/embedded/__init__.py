"""Members without a language model: they work by extraction alone, and declare it."""

from collections.abc import Callable

from veritas.council.embedded.members import EmbeddedMember, LeadMember, NumericMember, SalienceMember
from veritas.council.member import Member


def builtin_members() -> dict[str, Callable[[], Member]]:
    """Return the embedded members by the name they are registered under (entry-point group `veritas.member`)."""
    return {
        "embedded-lead": LeadMember,
        "embedded-salience": SalienceMember,
        "embedded-numeric": NumericMember,
    }


__all__ = ["EmbeddedMember", "LeadMember", "NumericMember", "SalienceMember", "builtin_members"]
