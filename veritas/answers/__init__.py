"""The seven stages, as functions of their inputs and the policy."""
