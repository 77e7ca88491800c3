"""A fingerprint is the digest of everything, whatever is remembered of how things are spelt."""

from dataclasses import field
from fractions import Fraction
from typing import Any

import pytest
from pydantic import BaseModel, Field

from rules_engine.core.basics.base import Frozen, When
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record, record
from rules_engine.core.knowledge.reports import Lost, MapNote, Removed, Report, Sighted
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.records.fingerprint import Fingerprint, is_frozen, model_in_table


class Kind(Frozen):
    """A class of ships, say."""

    name: str
    cost: Rational = Fraction(1, 2)
    marks: tuple[str, ...] = ()


@record
class Marks(Record):
    """What changes in what changes."""

    moved: bool = False


@record
class Ship(Record):
    """One that changes."""

    fuel: int = 0
    cost: Rational = Fraction(1)
    track: list[int] = field(default_factory=list[int])
    marks: Marks = field(default_factory=Marks)
    name: str | None = None


@record
class Odd(Record):
    """One whose values can be equal and yet be spelt otherwise."""

    value: int | bool = 0


class Crate(Frozen):
    """Frozen itself, but not what is in it."""

    ship: Ship


class Chart(Frozen):
    """Another, with a table in it."""

    costs: dict[str, int] = Field(default_factory=dict[str, int])


class Atlas(Frozen):
    """A third, with such charts in it."""

    charts: tuple[Chart, ...] = ()


@record
class World(Record):
    """A state with something of everything."""

    turn: int = 1
    best: Kind = Kind(name="best")
    kinds: dict[str, Kind] = field(default_factory=dict[str, Kind])
    ships: dict[str, Ship] = field(default_factory=dict[str, Ship])
    odd: dict[str, Odd] = field(default_factory=dict[str, Odd])
    lines: list[Kind] = field(default_factory=list[Kind])
    crates: list[Crate] = field(default_factory=list[Crate])
    atlas: Atlas = field(default_factory=lambda: Atlas(charts=(Chart(),)))
    charts: dict[str, Chart] = field(default_factory=dict[str, Chart])
    flag: Ship = field(default_factory=Ship)
    place: tuple[Kind, ...] = ()
    secret: list[Kind] = field(default_factory=list[Kind], exclude=True)


def plainly(world: BaseModel, knowledge: dict[str, Knowledge], dice: dict[str, int]) -> str:
    known = {side: one.model_dump(mode="json") for side, one in knowledge.items()}
    return digest({"state": world.model_dump(mode="json"), "knowledge": known, "dice": dice})


def report(number: int, *facts: Any) -> Report:
    when = When(turn=number, step=1, label=f"turn {number} “ß”")
    return Report(number=number, place="T1", when=when, to=("red",), kind="news", text="x", why=None, facts=facts)


def test_a_fingerprint_follows_every_change():
    world, ship = World(), Ship()
    known: dict[str, Knowledge] = {"red": Knowledge(), "blue": Knowledge()}
    dice: dict[str, int] = {}
    fingerprint = Fingerprint()

    def seen(track: str, level: int) -> Sighted:
        return Sighted(track=track, hex="0101", level=level, headline="a cruiser, “big”")

    changes = [
        lambda: None,
        lambda: setattr(world, "turn", 2),
        lambda: world.kinds.update(a=Kind(name="a"), b=Kind(name="b", cost=Fraction(2))),
        lambda: world.kinds.update(a=Kind(name="another", marks=("x", "y"))),
        lambda: world.kinds.pop("b"),
        lambda: world.kinds.update(c=world.kinds.pop("a")),
        lambda: setattr(world, "best", Kind(name="better")),
        lambda: world.ships.update(one=ship),
        lambda: world.ships.update(two=Ship(name="“two”")),
        lambda: setattr(ship, "fuel", 3),
        lambda: setattr(ship, "cost", Fraction(2, 3)),
        lambda: ship.track.append(1),
        lambda: setattr(ship.marks, "moved", True),
        lambda: setattr(ship, "marks", Marks()),
        lambda: world.ships.update(one=world.ships["two"], two=ship),
        lambda: world.ships.pop("one"),
        lambda: world.odd.update(one=Odd(value=1)),
        lambda: setattr(world.odd["one"], "value", True),
        lambda: world.lines.append(Kind(name="line")),
        lambda: world.lines.append(Kind(name="the next")),
        world.lines.reverse,
        world.lines.clear,
        lambda: world.crates.append(Crate(ship=ship)),
        lambda: setattr(ship, "fuel", 4),
        lambda: world.atlas.charts[0].costs.update(hull=2),
        lambda: setattr(world, "atlas", Atlas()),
        lambda: world.charts.update(one=Chart(costs={"hull": 1})),
        lambda: world.charts["one"].costs.update(hull=3),
        lambda: setattr(world.flag.marks, "moved", True),
        lambda: setattr(world, "flag", ship),
        lambda: setattr(world, "place", (Kind(name="p"), Kind(name="q"))),
        lambda: world.secret.append(Kind(name="nobody dumps this")),
        lambda: dice.update({"T1/a": 2}),
        lambda: known["red"].learn(report(1, seen("E1", 0), seen("E10", 1), seen("E2", 2))),
        lambda: known["red"].learn(report(2, seen("E1", 1), MapNote(topic="log", text="“quoted”"))),
        lambda: known["blue"].learn(report(3, seen("E1", 3))),
        lambda: known["red"].learn(report(4, Lost(track="E1"))),
        lambda: known["red"].learn(report(5, seen("E1", 2), seen("E1", 3))),
        lambda: known["red"].learn(report(6, Removed(track="E1"))),
        lambda: known["red"].learn(report(7, seen("E1", 2), seen("E2", 1))),
        lambda: setattr(known["red"].contacts["E2"], "owner", "blue"),
        lambda: known["red"].contacts["E2"].history.clear(),  # noqa: PLW0108  there is no E2 yet
        lambda: known.update(red=known["red"].copied()),
    ]
    prints: list[str] = []
    for number, change in enumerate(changes):
        change()
        prints.append(fingerprint.take(world, known, dice))
        assert prints[-1] == plainly(world, known, dice), number
        assert prints[-1] == Fingerprint().take(world, known, dice), number
    # Only what is left out of every dump, and the copying, changed nothing.
    assert [number for number in range(1, len(prints)) if prints[number] == prints[number - 1]] == [31, 42]


def test_what_was_copied_is_not_learnt_by_the_copy():
    known = Knowledge()
    known.learn(report(1, Sighted(track="E1", hex="0101"), MapNote(topic="log", text="one")))
    known.learn(report(2, Sighted(track="E1", hex="0102")))
    copy = known.copied()
    assert copy == known
    known.learn(report(3, Sighted(track="E1", hex="0103"), MapNote(topic="log", text="two"), Lost(track="E1")))
    assert copy.contacts["E1"].latest.hex == "0102"
    assert copy.contacts["E1"].live
    assert [seen.hex for seen in copy.contacts["E1"].history] == ["0101"]
    assert copy.logs == {"log": ["one"]}


def test_only_tables_whose_equal_values_are_spelt_alike_are_remembered():
    assert model_in_table(dict[str, Ship]) is Ship
    assert model_in_table(dict[str, Odd]) is None
    assert model_in_table(dict[str, Kind]) is None, "frozen ones are kept whole"
    assert model_in_table(dict[str, Chart]) is Chart
    assert model_in_table(dict[int, Ship]) is None
    assert model_in_table(list[Ship]) is None


@pytest.mark.parametrize(
    ("kind", "frozen"),
    [
        (int, True),
        (tuple[str, ...], True),
        (Kind, True),
        (tuple[Kind, int] | None, True),
        (When, True),
        (float, False),
        (list[int], False),
        (tuple[list[int], ...], False),
        (Ship, False),
        (Crate, False),
        (Chart, False),
        (Any, False),
    ],
)
def test_only_what_can_never_change_is_remembered(kind: Any, frozen: bool):
    assert is_frozen(kind) is frozen
