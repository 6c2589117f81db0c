"""VERITAS: research answers in which every claim traces to a verbatim passage that an independent verifier judged.

The package is a library of nouns and rules; it imports no Prefect and can be used from any Python program.
"""

__version__ = "0.1.0"
