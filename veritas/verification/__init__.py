"""Open verification: one claim against a whole corpus."""
