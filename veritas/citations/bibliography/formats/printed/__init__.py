"""Printed references: where each begins, who wrote the work, what it is called, and whether that is sure."""
