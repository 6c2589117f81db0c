"""The command line. Each command has its own file and imports what it needs only when it runs.

Exit codes: 0 done, 1 a finding that should stop a pipeline, 2 wrong usage or input, 3 something needed was unavailable.
"""

from veritas.cli.app import main

__all__ = ["main"]
