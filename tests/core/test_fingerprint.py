"""A fingerprint is the digest of everything, whatever is remembered of how things are spelt."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import BaseModel, Field

from rules_engine.core.base import Mutable, Record, When
from rules_engine.core.canon import digest
from rules_engine.core.fingerprint import Fingerprint, is_frozen
from rules_engine.core.rational import Rational
from rules_engine.core.reports import Lost, Noted, Removed, Report, Sighted
from rules_engine.core.views import Knowledge


class Kind(Record):
    """A class of ships, say."""

    name: str
    cost: Rational = Fraction(1, 2)
    marks: tuple[str, ...] = ()


class Ship(Mutable):
    """One that changes."""

    fuel: int = 0


class Crate(Record):
    """Frozen itself, but not what is in it."""

    ship: Ship


class World(Mutable):
    """A state with something of everything."""

    turn: int = 1
    best: Kind = Kind(name="best")
    kinds: dict[str, Kind] = Field(default_factory=dict[str, Kind])
    ships: dict[str, Ship] = Field(default_factory=dict[str, Ship])
    lines: list[Kind] = Field(default_factory=list[Kind])
    crates: list[Crate] = Field(default_factory=list[Crate])
    place: tuple[Kind, ...] = ()
    secret: list[Kind] = Field(default_factory=list[Kind], exclude=True)


def plainly(world: BaseModel, knowledge: dict[str, Knowledge], dice: dict[str, int]) -> str:
    known = {side: one.model_dump(mode="json") for side, one in knowledge.items()}
    return digest({"state": world.model_dump(mode="json"), "knowledge": known, "dice": dice})


def report(number: int, *facts: Any) -> Report:
    when = When(turn=number, step=1, label=f"turn {number} “ß”")
    return Report(number=number, place="T1", when=when, to=("red",), kind="news", text="x", why=None, facts=facts)


def test_a_fingerprint_follows_every_change():
    world, known, dice = World(), {"red": Knowledge(), "blue": Knowledge()}, {}
    ship = Ship()
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
        lambda: setattr(ship, "fuel", 3),
        lambda: world.lines.append(Kind(name="line")),
        lambda: world.lines.append(Kind(name="the next")),
        world.lines.reverse,
        world.lines.clear,
        lambda: world.crates.append(Crate(ship=ship)),
        lambda: setattr(ship, "fuel", 4),
        lambda: setattr(world, "place", (Kind(name="p"), Kind(name="q"))),
        lambda: world.secret.append(Kind(name="nobody dumps this")),
        lambda: dice.update({"T1/a": 2}),
        lambda: known["red"].learn(report(1, seen("E1", 0), seen("E10", 1), seen("E2", 2))),
        lambda: known["red"].learn(report(2, seen("E1", 1), Noted(topic="log", text="“quoted”"))),
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
    assert [number for number in range(1, len(prints)) if prints[number] == prints[number - 1]] == [16, 27]


def test_what_was_copied_is_not_learnt_by_the_copy():
    known = Knowledge()
    known.learn(report(1, Sighted(track="E1", hex="0101"), Noted(topic="log", text="one")))
    known.learn(report(2, Sighted(track="E1", hex="0102")))
    copy = known.copied()
    assert copy == known
    known.learn(report(3, Sighted(track="E1", hex="0103"), Noted(topic="log", text="two"), Lost(track="E1")))
    assert copy.contacts["E1"].latest.hex == "0102"
    assert copy.contacts["E1"].live
    assert [seen.hex for seen in copy.contacts["E1"].history] == ["0101"]
    assert copy.logs == {"log": ["one"]}


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
        (Any, False),
    ],
)
def test_only_what_can_never_change_is_remembered(kind: Any, frozen: bool):
    assert is_frozen(kind) is frozen
