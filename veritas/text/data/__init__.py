"""Data of other projects that the library ships, each with its licence and the script that builds it."""
