"""Members without a language model: they work by extraction alone, and declare it."""

from veritas.council.embedded.members import EmbeddedMember, LeadMember, NumericMember, SalienceMember

__all__ = ["EmbeddedMember", "LeadMember", "NumericMember", "SalienceMember"]
