"""A work that a registry has, and the entry of a bibliography that means it."""

from __future__ import annotations

from tests.citations.registry_server import Work

BARLEY = Work(title="Barley and rain in three seasons", authors=("Ann Field",), year=2018, doi="10.5555/barley")
ENTRY = "@article{a, title={Barley and rain in three seasons}, author={Field, Ann}, year={2018}, doi={10.5555/barley}}"
