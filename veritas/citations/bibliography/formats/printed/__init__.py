"""Printed references: their starts, authors and titles, and whether these are sure."""
