"""Members without a language model: they work by extraction alone, and say so."""
