"""Scholarly works: identifiers, names, titles and bibliographic records, and how they are compared."""
