"""Prefect flows, one file per thing a user runs."""

from tasks.to_server import withhold_keys

withhold_keys()
