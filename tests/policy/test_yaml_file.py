"""Every mistake in a policy file is a PolicyError that names file, line and key."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field, StrictBool, field_validator

from veritas import PolicyError
from veritas.frozen import Frozen
from veritas.policy.yaml_file import read_yaml_model


class Seat(Frozen):
    name: str = Field(min_length=1)
    tier: Literal[1, 2, 3, 4, "wikipedia"] = 1
    open: StrictBool = False


class House(Frozen):
    seats: tuple[Seat, ...] = ()
    notes: dict[str, str] = Field(default_factory=dict)
    either: int | Seat | None = None

    @field_validator("notes")
    @classmethod
    def _no_shouting(cls, notes: dict[str, str]) -> dict[str, str]:
        if any(v.isupper() for v in notes.values()):
            raise ValueError("do not shout")
        return notes


@pytest.fixture
def write(tmp_path: Path):
    def _write(text: str | bytes) -> Path:
        path = tmp_path / "house.yaml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return _write


def refusal(path: Path) -> str:
    with pytest.raises(PolicyError) as caught:
        read_yaml_model(path, House)
    return str(caught.value)


def test_a_good_file_becomes_the_model(write) -> None:
    house = read_yaml_model(write("# who sits\nseats:\n  - {name: ann, tier: wikipedia}\nnotes:\n  a: b\n"), House)
    assert house == House(seats=(Seat(name="ann", tier="wikipedia"),), notes={"a": "b"})


def test_a_byte_order_mark_is_no_mistake(write) -> None:
    assert read_yaml_model(write(b"\xef\xbb\xbfnotes: {a: b}\n"), House).notes == {"a": "b"}


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("seats:\n  - name: ann\n    tier: 5\n", ":3: seats.0.tier: ", "1, 2, 3, 4 or 'wikipedia'"),
        ("seats:\n  - name: ann\n    open: 1\n", ":3: seats.0.open: ", "boolean"),
        ("seats:\n\n  - name: ann\n    colour: red\n", ":4: seats.0.colour: ", "no such key"),
        ("seats: []\n\nnotes:\n  a: LOUD\n", ":3: notes: ", "do not shout"),
        ("notes: {}\nseats: []\nnotes: {}\n", ":3: notes: ", "already in line 1"),
        ("- a\n- b\n", ":1: ", ""), ("# only a comment\n", ":1: ", "empty"),
        ("seats: [\n  a,\n", ":2: ", "not YAML"),
        ("notes: {a: b}\n---\nnotes: {}\n", ":2: ", "second document"),
        ("notes: &x\n  a: *x\n", ":2: ", "alias"),
        ("notes:\n  ? [a, b]\n  : c\n", ":2: ", "plain word"),
        ("notes:\n  a: !!str b\n", ":2: ", "is a tag"),
    ],
)
def test_a_mistake_names_its_line_and_key(write, text: str, place: str, says: str) -> None:
    path = write(text)
    message = refusal(path)
    assert message.startswith(f"{path}{place}")
    assert says in message


def test_every_mistake_is_named_at_once_and_none_twice(write) -> None:
    message = refusal(write("seats:\n" + "".join(f"  - tier: {i}\n" for i in range(5, 8)) + "colour: red\n"))
    assert [line.split(":")[1] for line in message.splitlines()] == ["2", "2", "3", "3", "4", "4", "5"]


@pytest.mark.parametrize("text", ["[" * 200_000, "[" * 500 + "]" * 500, "a: " * 3000, "{a: " * 60 + "1" + "}" * 60])
def test_deep_nesting_is_refused_and_does_not_end_the_process(write, text: str) -> None:
    assert refusal(write(text))


def test_a_very_large_file_is_refused(write) -> None:
    assert "is no policy file" in refusal(write("#" * 5_000_001))


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_model_or_a_policy_error(write, raw: bytes) -> None:
    path = write(raw)
    try:
        read_yaml_model(path, House)
    except PolicyError as error:
        message = str(error)
    else:
        message = f"{path}"
    assert message.startswith(str(path))
