"""The check of a text while it is written: what is wrong, where, and what would mend it. Imports nothing heavy."""
