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
from veritas.policy.yaml_file import read_yaml, read_yaml_model


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
        ("seats:\n  - name: ann\n    tier: '1'\n", ":3: seats.0.tier: ", ""),
        ("seats:\n  - name: ann\n    open: 1\n", ":3: seats.0.open: ", "boolean"),
        ("seats:\n  - name: ann\n  - tier: 1\n", ":3: seats.1: ", "the key 'name' is missing"),
        ("seats:\n\n  - name: ann\n    colour: red\n", ":4: seats.0.colour: ", "no such key"),
        ("notes:\n  a: b\n  c: 7\n", ":3: notes.c: ", "string"),
        ("seats: []\n\nnotes:\n  a: LOUD\n", ":3: notes: ", "do not shout"),
        ("notes:\n  a: b\n  c: d\n  a: e\n", ":4: a: ", "already in line 2"),
        ("notes: {}\nseats: []\nnotes: {}\n", ":3: notes: ", "already in line 1"),
        ("just words\n", ":1: ", ""),
        ("- a\n- b\n", ":1: ", ""),
        ("", ":1: ", "empty"),
        ("# only a comment\n", ":1: ", "empty"),
        ("seats:\n  - name: ann\n tier: 1\n", ":3: ", "not YAML"),
        ("seats: [\n  a,\n", ":2: ", "not YAML"),
        ("notes:\n\ta: b\n", ":2: ", "not YAML"),
        ("notes: {a: b}\n---\nnotes: {}\n", ":2: ", "second document"),
        ("notes:\n  a: &x b\n  c: *x\n", ":3: ", "alias"),
        ("notes: &x\n  a: *x\n", ":2: ", "alias"),
        ("notes:\n  c: *nobody\n", ":2: ", "alias"),
        ("notes:\n  ? [a, b]\n  : c\n", ":2: ", "plain word"),
        ("seats: !!python/object/apply:os.system [ls]\n", ":1: ", "is a tag"),
        ("notes:\n  a: !!str b\n", ":2: ", "is a tag"),
        ("notes:\n  a: \x00\n", ":2: ", "not YAML"),
    ],
)
def test_a_mistake_names_its_line_and_key(write, text: str, place: str, says: str) -> None:
    path = write(text)
    message = refusal(path)
    assert message.startswith(f"{path}{place}")
    assert says in message


def test_where_one_of_two_models_fits_each_says_what_it_misses_with_its_line(write) -> None:
    path = write("either:\n  name: x\n  wrong: y\n")
    assert f"{path}:3: either.wrong: there is no such key" in refusal(path).splitlines()


def test_every_mistake_is_named_at_once_and_none_twice(write) -> None:
    message = refusal(write("seats:\n" + "".join(f"  - tier: {i}\n" for i in range(5, 8)) + "colour: red\n"))
    assert [line.split(":")[1] for line in message.splitlines()] == ["2", "2", "3", "3", "4", "4", "5"]


def test_a_file_full_of_mistakes_shows_ten(write) -> None:
    message = refusal(write("notes:\n" + "".join(f"  k{i}: 1\n" for i in range(30))))
    assert len(message.splitlines()) == 11
    assert message.endswith("and 20 more")


def test_text_that_is_not_utf8_names_the_line(write) -> None:
    assert ":2: this is not UTF-8" in refusal(write(b"notes:\n  a: caf\xe9\n"))


def test_words_stay_words_and_keys_stay_strings(write) -> None:
    text = "notes: {no: yes, on: off, '1': 2024-13-45, 2: 1_000, a: 0123x, b: '7', c: 'true'}\n"
    assert read_yaml_model(write(text), House).notes == {
        "no": "yes", "on": "off", "1": "2024-13-45", "2": "1_000", "a": "0123x", "b": "7", "c": "true"
    }  # fmt: skip


def test_numbers_truth_and_nothing_are_read_as_such(write) -> None:
    data = read_yaml(write("[1, -2, 1.5, 1e3, .5, true, False, null, ~, '', 1.2.3, 99999999999999999999]\n")).data
    assert data == [1, -2, 1.5, 1000.0, 0.5, True, False, None, None, "", "1.2.3", 1e20]


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    assert "there is no such file" in refusal(tmp_path / "none.yaml")
    assert "cannot be read" in refusal(tmp_path)
    assert "cannot be read" in refusal(Path("a\0b"))


@pytest.mark.parametrize("text", ["[" * 200_000, "[" * 500 + "]" * 500, "a: " * 3000, "{a: " * 60 + "1" + "}" * 60])
def test_deep_nesting_is_refused_and_does_not_end_the_process(write, text: str) -> None:
    assert refusal(write(text))


def test_a_very_large_file_is_refused(write) -> None:
    assert "is no policy file" in refusal(write("#" * 5_000_001))


def test_the_caller_can_name_a_line_for_what_it_finds_itself(write) -> None:
    file = read_yaml(write("notes:\n  a: b\n  'x/y': d\n"))
    assert str(file.error(("notes", "x/y"), "nobody knows it")).endswith("house.yaml:3: notes.x/y: nobody knows it")
    assert file.line(("notes", "a")) == 2
    assert file.line(("nothing",)) == 1


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_model_or_a_policy_error(write, raw: bytes) -> None:
    path = write(raw)
    try:
        read_yaml_model(path, House)
    except PolicyError as error:
        message = str(error)
    else:
        message = f"{path}"
    assert message.startswith(str(path))
