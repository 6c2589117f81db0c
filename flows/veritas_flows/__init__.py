"""Prefect flows, a file for each thing a user runs."""

import veritas_tasks  # noqa: F401  (from its import on, nothing that this process sends to a server holds a key)
