"""A moment is the campaign as it was, and its fingerprint the digest of everything, whatever is shared with others."""

from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar

from rules_engine.core.basics import base, rational, record
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.knowledge.reports import Lost, MapNote, Removed, Report, Sighted
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.records.moments import CampaignWatch


class Kind(base.Frozen):
    """A class of ships, say."""

    name: str
    cost: rational.Rational = Fraction(1, 2)
    marks: tuple[str, ...] = ()


class Standing(base.Frozen):
    """What is replaced in what changes."""

    high: bool = False
    tall: int | None = None


class Marks(record.Record):
    """What changes in what changes."""

    moved: bool = False


class Ship(record.Record):
    """One that changes."""

    fuel: int = 0
    cost: rational.Rational = Fraction(1)
    track: list[int] = field(default_factory=list[int])
    marks: Marks = field(default_factory=Marks)
    standing: Standing = Standing()
    name: str | None = None


class Boat(record.Stamped):
    """One of many that change."""

    fuel: int = 0
    track: list[int] = field(default_factory=list[int])
    marks: Marks = field(default_factory=Marks)
    towed: Marks | None = None
    standing: Standing = Standing()


class World(record.Record):
    """A state with something of everything."""

    turn: int = 1
    best: Kind = Kind(name="best")
    kinds: dict[str, Kind] = field(default_factory=dict[str, Kind])
    ships: dict[str, Ship] = field(default_factory=dict[str, Ship])
    boats: dict[str, Boat] = field(default_factory=dict[str, Boat])
    lines: list[Kind] = field(default_factory=list[Kind])
    flag: Ship = field(default_factory=Ship)
    place: tuple[Kind, ...] = ()


def plainly(world: World, knowledge: dict[str, Knowledge], dice: dict[str, int]) -> str:
    known = {side: one.to_json() for side, one in knowledge.items()}
    return digest({"state": world.to_json(), "knowledge": known, "dice": dice})


def report(number: int, *facts: Any) -> Report:
    when = base.When(turn=number, step=1, label=f"turn {number} “ß”")
    return Report(number=number, place="T1", when=when, to=("red",), kind="news", text="x", why=None, facts=facts)


def test_a_fingerprint_follows_every_change():
    world, ship, boat = World(), Ship(), Boat()
    known: dict[str, Knowledge] = {"red": Knowledge(), "blue": Knowledge()}
    dice: dict[str, int] = {}
    watch = CampaignWatch(World)

    def seen(track: str, level: int) -> Sighted:
        return Sighted(track=track, hex="0101", level=level, headline="a cruiser, “big”")

    changes = [
        lambda: None, lambda: setattr(world, "turn", 2),
        lambda: world.kinds.update(a=Kind(name="a"), b=Kind(name="b", cost=Fraction(2))),
        lambda: world.kinds.update(a=Kind(name="another", marks=("x", "y"))), lambda: world.kinds.pop("b"),
        lambda: world.kinds.update(c=world.kinds.pop("a")), lambda: setattr(world, "best", Kind(name="better")),
        lambda: world.ships.update(one=ship), lambda: world.ships.update(two=Ship(name="“two”")),
        lambda: setattr(ship, "fuel", 3), lambda: setattr(ship, "cost", Fraction(2, 3)), lambda: ship.track.append(1),
        lambda: setattr(ship.marks, "moved", True), lambda: setattr(ship, "marks", Marks()),
        lambda: setattr(ship, "standing", ship.standing.with_values(tall=3)),
        lambda: setattr(ship, "standing", ship.standing.with_values(high=True, tall=None)),
        lambda: world.ships.update(one=world.ships["two"], two=ship), lambda: world.ships.pop("one"),
        lambda: world.boats.update(one=boat, two=Boat(fuel=2)), lambda: setattr(boat, "fuel", 1),
        lambda: boat.track.append(1), lambda: setattr(boat, "track", [2, 3]),
        lambda: boat.track.reverse(),  # noqa: PLW0108  it is another list by then
        lambda: setattr(boat.marks, "moved", True), lambda: setattr(boat, "towed", Marks()),
        lambda: setattr(boat, "standing", boat.standing.with_values(tall=3)),
        lambda: world.boats.update(one=Boat(fuel=7)), lambda: world.boats.update(one=boat),
        lambda: world.boats.update(one=world.boats["two"], two=boat), lambda: setattr(boat, "fuel", 3),
        lambda: setattr(world.boats["one"], "fuel", 4),
        lambda: world.boats.update(two=world.boats.pop("two"), three=Boat()),
        lambda: world.lines.append(Kind(name="line")), lambda: world.lines.append(Kind(name="the next")),
        world.lines.reverse, world.lines.clear, lambda: setattr(ship, "fuel", 4),
        lambda: setattr(ship.marks, "moved", True), lambda: setattr(world.flag.marks, "moved", True),
        lambda: setattr(world, "flag", ship), lambda: setattr(world, "place", (Kind(name="p"), Kind(name="q"))),
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
    ]  # fmt: skip
    prints: list[str] = []
    for number, change in enumerate(changes):
        change()
        prints.append(watch.now(world, known).fingerprint(dice))
        assert prints[-1] == plainly(world, known, dice), number
        assert prints[-1] == CampaignWatch(World).now(world, known).fingerprint(dice), number
    unchanged = [number for number in range(1, len(prints)) if prints[number] == prints[number - 1]]
    assert unchanged == [len(changes) - 1], "only the copying changed nothing"


def test_a_moment_stays_as_it_was_whatever_play_changes():
    world, known = World(ships={"one": Ship(track=[1]), "two": Ship()}), {"red": Knowledge()}
    watch = CampaignWatch(World)
    first = watch.now(world, known)
    written, seen = first.state.document, first.state.value
    world.ships["one"].track.append(2)
    world.ships["one"].marks.moved = True
    world.lines.append(Kind(name="new"))
    known["red"].learn(report(1, Sighted(track="E1", hex="0101")))
    second = watch.now(world, known)
    assert first.state.document == written == seen.to_json()
    assert (seen.ships["one"].track, seen.lines, first.knowledge["red"].value.contacts) == ([1], [], {})
    assert second.state.value == world
    assert second.knowledge["red"].value == known["red"]
    assert second.state.value.ships["two"] is seen.ships["two"], "what has not changed is not copied again"
    assert second.state.value.ships["two"] is not world.ships["two"]


def test_a_stamped_record_that_was_written_without_a_change_is_not_copied_again():
    boat = Boat(fuel=400)
    world, watch = World(boats={"one": boat}), CampaignWatch(World)
    first = watch.now(world, {}).state
    boat.fuel = 300
    boat.fuel = 400
    assert watch.now(world, {}).state is first
    boat.track.append(1)
    assert watch.now(world, {}).state is not first
    assert first.value.boats["one"].track == []


def test_a_moment_keeps_the_order_of_a_table():
    world, watch = World(ships={"b": Ship(), "a": Ship()}), CampaignWatch(World)
    assert list(watch.now(world, {}).state.document["ships"]) == ["b", "a"]
    world.ships["b"] = world.ships.pop("b")
    assert list(watch.now(world, {}).state.document["ships"]) == ["a", "b"]


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


class Grown(record.Record):
    """A state that has a collection since some version, the first of its fields by name."""

    z: int = 1
    a: dict[str, Ship] = field(default_factory=dict[str, Ship])
    LATER: ClassVar[frozenset[str]] = frozenset({"a"})


class Old(record.Record):
    """The same before."""

    z: int = 1


def test_a_collection_that_came_later_is_written_down_only_while_it_holds_something():
    def of(kind: Any, state: Any) -> str:
        return CampaignWatch(kind).now(state, {}).fingerprint({})

    assert of(Grown, Grown()) == of(Old, Old()) == digest({"state": {"z": 1}, "knowledge": {}, "dice": {}})
    grown = Grown(a={"x": Ship()})
    assert of(Grown, grown) == digest({"state": grown.to_json(), "knowledge": {}, "dice": {}})
    watch = CampaignWatch(Grown)
    before = watch.now(grown, {}).fingerprint({})
    del grown.a["x"]
    assert before != watch.now(grown, {}).fingerprint({}) == of(Old, Old())
