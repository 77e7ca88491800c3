"""One value, one spelling: canonical JSON and its digest."""

import hashlib
import subprocess
import sys
from enum import Enum, StrEnum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_serializer

from rules_engine.core.basics.canonical_json import canonical, digest


class Mode(StrEnum):
    CRUISE = "cruise"


class Level(Enum):
    TWO = 2


class Ship(BaseModel):
    name: str
    parts: tuple[int, ...] = ()


class Seen(BaseModel):
    sides: frozenset[str]


class SeenInOrder(Seen):
    @field_serializer("sides")
    def _sorted(self, sides: frozenset[str]) -> list[str]:
        return sorted(sides)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (-12, "-12"),
        (10**30, "1" + "0" * 30),
        ("Kzinti é 星", '"Kzinti é 星"'),
        ('a"b\\\n', '"a\\"b\\\\\\n"'),
        ({"b": 1, "a": [True, None], "B": {}}, '{"B":{},"a":[true,null],"b":1}'),
        ((1, (2, 3)), "[1,[2,3]]"),
        (Fraction(4, 6), '"2/3"'),
        (Fraction(2), '"2/1"'),
        ({Mode.CRUISE: Level.TWO}, '{"cruise":2}'),
        (Ship(name="Hood", parts=(1, 2)), '{"name":"Hood","parts":[1,2]}'),
        ([Ship(name="Hood")], '[{"name":"Hood","parts":[]}]'),
        (SeenInOrder(sides=frozenset({"b", "a", "c"})), '{"sides":["a","b","c"]}'),
    ],
)
def test_each_kind_of_value_has_its_one_spelling(value: object, text: str) -> None:
    assert canonical(value) == text.encode()
    assert digest(value) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (1.0, "value"),
        ([0, 1.5], r"value\[1\]"),
        ({"a": {"b": float("nan")}}, r"value\.a\.b"),
        ({1, 2}, "value"),
        (b"raw", "value"),
        ({1: "int key"}, "value"),
        (object(), "value"),
        ([Seen(sides=frozenset({"a"}))], r"value\[0\]\.sides"),
    ],
)
def test_what_has_no_exact_spelling_is_refused_with_its_path(value: object, path: str) -> None:
    with pytest.raises(TypeError, match=rf"^{path}:"):
        canonical(value)


def test_a_refusal_tells_the_path_and_not_the_content() -> None:
    with pytest.raises(ValueError, match=r"^value\.plot:") as refusal:
        canonical({"plot": "secret \ud800"})
    assert "secret" not in str(refusal.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), VALUES, max_size=6))
def test_the_order_of_insertion_does_not_matter(value: dict[str, object]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_the_digest_is_the_same_in_another_process() -> None:
    code = "from rules_engine.core.basics.canonical_json import digest; print(digest({'b': ['x', 'y'], 'a': 3}))"
    shown = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert shown == [hashlib.sha256(b'{"a":3,"b":["x","y"]}').hexdigest()] * 2
