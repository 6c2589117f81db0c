"""The command line. Each command has its own file and imports what it needs only when it runs.

Exit codes: 0 done, 1 a finding that should stop a pipeline, 2 wrong usage or input, 3 something needed was unavailable.
"""

from __future__ import annotations

import sys
from typing import Any


def main(argv: list[str] | None = None) -> Any:
    """Run the command line (see `veritas.cli.app.main`). A hook's call that can touch no text is answered at once."""
    if argv is None and sys.argv[1:2] == ["guard"]:
        from veritas.editor.untouched import answer_untouched

        if answer_untouched(sys.argv[2:]):
            return None
    from veritas.cli.app import main as run

    return run(argv)


__all__ = ["main"]
