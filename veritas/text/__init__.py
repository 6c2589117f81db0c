"""Rules of plain text that need no model: sentences, words, quantities, polarity, and instructions hidden in prose."""
