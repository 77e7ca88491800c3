"""Lane maps: checks, ways, reach and names."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.grids.lanes import Lane, LaneMap, System, UnknownSystem

COSTS = {"normal": Fraction(1), "minor": Fraction(2), "major": Fraction(1, 2)}


def system(name: str, *tags: str) -> System:
    return System(id=name.lower(), name=name, x=Fraction(0), y=Fraction(0), tags=tags)


def lane(way: str, length: Fraction | int = 1, kind: str = "normal") -> Lane:
    """`a-b` both ways, `a>b` one way."""
    a, b = way.replace(">", "-").split("-")
    return Lane(a=a, b=b, length=Fraction(length), kind=kind, one_way=">" in way)


MAP = LaneMap(
    systems=tuple(map(system, ("Aster", "Borealis", "Cygni", "Draco", "Eridani", "Fornax"))),
    lanes=(
        lane("aster-borealis", 1),
        lane("borealis-draco", 1),
        lane("aster-cygni", 1),
        lane("cygni-draco", 1),
        lane("aster-draco", Fraction(5, 2)),
        lane("draco>eridani", Fraction(1, 2), "minor"),
    ),
)
"""A diamond aster-(borealis|cygni)-draco with a long straight way across; eridani can only be entered; fornax is cut
off."""


def test_the_shorter_way_and_the_way_of_fewer_hops_differ() -> None:
    assert MAP.path("aster", "draco") == ("aster", "borealis", "draco")
    assert MAP.path("aster", "draco", "hops") == ("aster", "draco")
    assert MAP.distance("aster", "draco") == 2
    assert MAP.distance("aster", "eridani") == Fraction(5, 2)
    assert MAP.distance("aster", "eridani", "hops") == 2
    assert MAP.path("aster", "aster") == ("aster",)


def test_one_way_lanes_and_cut_off_systems_have_no_way_back() -> None:
    assert MAP.path("eridani", "draco") is None
    assert MAP.distance("aster", "fornax") is None
    assert MAP.neighbours("eridani") == ()
    assert MAP.neighbours("draco") == ("aster", "borealis", "cygni", "eridani")


def test_a_tie_falls_to_the_ids_that_come_first_however_the_lanes_are_listed() -> None:
    for lanes in permutations(MAP.lanes[:4]):
        assert LaneMap(systems=MAP.systems, lanes=lanes).path("aster", "draco") == ("aster", "borealis", "draco")


def test_equal_lengths_prefer_fewer_hops() -> None:
    straight = MAP.model_copy(update={"lanes": (*MAP.lanes[:4], lane("aster-draco", 2))})
    assert straight.path("aster", "draco") == ("aster", "draco")


def test_reach_is_told_with_its_cost() -> None:
    assert MAP.within("aster", 2) == {"aster": 0, "borealis": 1, "cygni": 1, "draco": 2}
    assert list(MAP.within("draco", Fraction(1, 2))) == ["draco", "eridani"]
    assert MAP.within("aster", 1, "hops") == {"aster": 0, "borealis": 1, "cygni": 1, "draco": 1}
    assert MAP.within("fornax", 99) == {"fornax": 0}


def test_a_travellers_own_costs() -> None:
    def by_class(lane: Lane) -> Fraction | None:
        return None if lane.kind == "minor" else COSTS[lane.kind]

    assert MAP.path("aster", "draco", cost=by_class) == ("aster", "draco")
    assert MAP.distance("aster", "eridani", cost=by_class) is None
    with pytest.raises(ValueError, match="aster-borealis must cost more than nought"):
        MAP.within("aster", 1, cost=lambda lane: Fraction(0))


def test_two_lanes_of_different_kind_may_join_the_same_systems() -> None:
    both = MAP.model_copy(update={"lanes": (lane("aster-cygni", 3, "minor"), lane("cygni-aster", 1))})
    assert [found.length for found in both.lanes_between("aster", "cygni")] == [1, 3]
    assert both.neighbours("aster") == ("cygni",)
    assert both.distance("cygni", "aster") == 1


def test_the_ends_of_a_lane() -> None:
    assert (MAP.lanes[5].leaves("draco"), MAP.lanes[5].leaves("eridani")) == (True, False)
    assert MAP.lanes[5].other("eridani") == "draco"
    with pytest.raises(ValueError, match="draco-eridani does not touch aster"):
        MAP.lanes[5].other("aster")


def test_names_are_read_tolerantly_and_misspelt_ones_suggest() -> None:
    assert MAP.parse("  BOREALIS ") == "borealis"
    with pytest.raises(UnknownSystem, match="nearest: eridani") as refusal:
        MAP.parse("Eridany")
    assert (refusal.value.text, refusal.value.nearest) == ("Eridany", ("eridani",))
    for ask in (MAP.system, MAP.neighbours, MAP.lanes_from):
        with pytest.raises(UnknownSystem, match="'Draco'"):
            ask("Draco")
    for start, end in (("aster", "nowhere"), ("nowhere", "aster")):
        with pytest.raises(UnknownSystem, match="nowhere"):
            MAP.path(start, end)
    assert "draco" in MAP
    assert "Draco" not in MAP


def test_ids_come_in_order() -> None:
    made = LaneMap(systems=(system("B"), system("A"), system("C")))
    assert made.ids() == ("a", "b", "c")


def test_all_defects_are_told_at_once_each_with_its_path() -> None:
    with pytest.raises(ValidationError) as refusal:
        LaneMap(
            systems=(system("Aster"), system("Draco"), System(id="x", name="draco", x=Fraction(0), y=Fraction(0))),
            lanes=(
                lane("aster-drako"),
                lane("aster-aster"),
                lane("aster-draco", -1),
                lane("draco>aster"),
                lane("draco>aster", 1, "minor"),
                lane("aster>draco", 1, "minor"),
            ),
        )
    text = str(refusal.value)
    for defect in (
        "systems[2]: 'draco' is already systems[1]",
        "lanes[0].b: 'drako' is not a system, perhaps draco",
        "lanes[1]: leads from aster to itself",
        "lanes[2].length: must be above 0, not -1",
        "lanes[3]: draco-aster of kind 'normal' is already lanes[2]",
    ):
        assert defect in text
    assert "lanes[4]" not in text
    assert "lanes[5]" not in text
    with pytest.raises(ValidationError, match="there is none"):
        LaneMap(systems=())
    with pytest.raises(ValidationError, match=r"systems\[0\].name: is empty"):
        LaneMap(systems=(System(id="a", name=" ", x=Fraction(0), y=Fraction(0)),))


def test_a_map_is_a_value_that_configuration_can_hold() -> None:
    assert LaneMap.model_validate_json(canonical(MAP)) == MAP
    assert b'"5/2"' in canonical(MAP)


@st.composite
def maps(draw: st.DrawFn) -> LaneMap:
    names = [f"s{number}" for number in range(draw(st.integers(2, 6)))]
    pairs = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=12))
    lengths = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=4)
    lanes = [
        Lane(a=a, b=b, length=draw(lengths), kind=str(index), one_way=draw(st.booleans()))
        for index, (a, b) in enumerate(pairs)
        if a != b
    ]
    return LaneMap(
        systems=tuple(System(id=name, name=name, x=Fraction(0), y=Fraction(0)) for name in names), lanes=lanes
    )


@given(maps())
def test_no_simple_way_is_shorter_than_the_one_found(world: LaneMap) -> None:
    """Every way without a repeat is tried by hand: the found one has the least (length, hops, ids)."""

    def every_way(here: tuple[str, ...], spent: Fraction) -> list[tuple[Fraction, int, tuple[str, ...]]]:
        found = [(spent, len(here), here)]
        for lane in world.lanes:
            for start, end in ((lane.a, lane.b), (lane.b, lane.a)):
                if start == here[-1] and end not in here and (start == lane.a or not lane.one_way):
                    found += every_way((*here, end), spent + lane.length)
        return found

    start = world.ids()[0]
    ways = every_way((start,), Fraction(0))
    reach = world.within(start, 1000)
    for end in world.ids():
        best = min((way for way in ways if way[2][-1] == end), default=None)
        assert world.path(start, end) == (best[2] if best else None)
        assert world.distance(start, end) == (best[0] if best else None)
        assert reach.get(end) == (best[0] if best else None)
