"""`python -m veritas`: the command line."""

from veritas.cli import main

main()
