"""Prefect flows, one file per thing a user runs."""
