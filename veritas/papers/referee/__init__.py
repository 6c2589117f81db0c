"""The arithmetic referee of a paper (docs/referee.md): findings whose calculation anybody can redo."""
