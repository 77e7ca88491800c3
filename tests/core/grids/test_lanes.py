"""Maps of lanes and charts of systems: ways, reach, names and distances in jumps."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.grids import charts, places
from rules_engine.core.grids.lanes import Lane, LaneMap, System, UnknownSystem
from tests.expected.kept import cases

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
    assert LaneMap(systems=(system("B"), system("A"), system("C"))).ids() == ("a", "b", "c")


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
    systems = tuple(System(id=name, name=name, x=Fraction(0), y=Fraction(0)) for name in names)
    return LaneMap(systems=systems, lanes=lanes)


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


# --- maps of systems and lanes as a reader knows them: names, distances in jumps, and what may be handed on -----------
KINDS = (charts.LaneKind(key="normal", line="single", said="normal, 1"),)


def charted_system(name: str, at: int = 0) -> charts.ChartSystem:
    return charts.ChartSystem(id=name.lower().replace(" ", "-"), name=name, x=Fraction(at), y=Fraction(at * at))


def charted_lane(a: str, b: str) -> charts.ChartLane:
    return charts.ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal")


ARM = charts.Chart(
    systems=(
        charted_system("Sol"),
        charted_system("Wolf 359", 1),
        charted_system("Minkar", 2),
        charted_system("Barnard's Star", 3),
        charted_system("Lost", 4),
    ),
    planets=(charts.ChartPlanet(id="sol/earth", system="sol", name="Earth", x=Fraction(0), y=Fraction(0)),),
    lanes=(
        charted_lane("sol", "minkar"),
        charted_lane("minkar", "wolf-359"),
        charted_lane("wolf-359", "barnard's-star"),
        charts.ChartLane(id="sol~sol/earth", a="sol", b="sol/earth", kind="normal"),
    ),
    uncharted=(charts.Uncharted(id="sol?1", at="sol", note="easy"),),
    regions=(charts.Region(level="sector", name="Near Arm", systems=("sol", "minkar")),),
    kinds=KINDS,
)


@cases("text, place")
def test_a_system_is_meant_by_its_name_however_it_is_written(text: str, place: str) -> None:
    assert ARM.parse(text) == place


def test_what_is_no_system_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(places.UnknownPlace) as refused:
        ARM.parse("Wolf 395")
    assert refused.value.nearest[0] == "Wolf 359"
    with pytest.raises(places.UnknownPlace) as refused:
        ARM.parse("xyzzy")
    assert refused.value.nearest == ()


def test_places_are_called_by_their_names_and_lanes_by_their_ends() -> None:
    found = [ARM.called(one) for one in ("sol", "wolf-359", "sol/earth", "minkar~wolf-359", "elsewhere")]
    assert found == ["Sol", "Wolf 359", "Earth", "Minkar–Wolf 359 lane", "elsewhere"]


@cases("text, place")
def test_the_first_system_that_a_text_names(text: str, place: str) -> None:
    assert ARM.named_in(text) == place


def test_distances_are_jumps_by_the_lanes_that_are_known() -> None:
    """By hand: Sol, Minkar, Wolf 359 and Barnard's Star lie in a row; no lane leads to Lost."""
    assert [ARM.distance("sol", one) for one in ("sol", "minkar", "wolf-359", "barnard's-star", "lost")] == [
        0, 1, 2, 3, None,
    ]  # fmt: skip
    assert ARM.distance("sol/earth", "sol") == 0
    assert ARM.distance("sol/earth", "minkar") == 1
    assert ARM.distance("sol~minkar", "sol") == ARM.distance("minkar", "sol~minkar") == 1
    assert ARM.distance("sol~minkar", "wolf-359") == 2
    assert ARM.distance("sol~minkar", "sol~minkar") == 0
    assert (ARM.away("sol", "minkar"), ARM.away("sol", "wolf-359")) == ("1 jump", "2 jumps")
    assert (ARM.away("sol", "lost"), ARM.away("sol", "sol/earth"), ARM.away("sol", "sol")) == (
        "no way is known", "the same system", "",
    )  # fmt: skip
    with pytest.raises(places.UnknownPlace):
        ARM.distance("sol", "vega")


def test_what_lies_within_so_many_jumps() -> None:
    assert ARM.within("sol", 0) == ("sol", "sol/earth", "sol~sol/earth")
    assert ARM.within("sol", 1) == ("minkar", "sol", "sol/earth", "sol~minkar", "sol~sol/earth")
    assert ARM.within("sol~minkar", 0) == ("sol~minkar",)
    assert ARM.neighbours("minkar") == ("sol", "wolf-359")
    assert ARM.neighbours("sol") == ("minkar", "sol/earth")
    assert ARM.neighbours("sol/earth") == ("sol",)
    assert ARM.neighbours("sol~minkar") == ("minkar", "sol")
    assert ARM.neighbours("lost") == ()


def test_what_is_handed_on_holds_nothing_but_the_area_and_what_is_common() -> None:
    common = ARM.around({"barnard's-star"})
    made = ARM.part(["sol", "minkar", "sol~minkar"], common)
    assert [one.id for one in made.systems] == ["sol", "minkar", "barnard's-star"]
    assert [one.id for one in made.lanes] == ["sol~minkar"]
    assert (made.uncharted, made.regions, made.planets) == ((), (), ())
    assert "wolf" not in made.model_dump_json().lower()


def test_the_map_of_some_systems_has_all_that_is_within_and_between_them() -> None:
    made = ARM.around({"sol", "minkar"})
    assert [one.id for one in made.lanes] == ["sol~minkar", "sol~sol/earth"]
    assert [one.id for one in made.uncharted] == ["sol?1"]
    assert [one.systems for one in made.regions] == [("sol", "minkar")]


def test_all_defects_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as refused:
        charts.Chart(
            systems=(charted_system("Sol"), charted_system("sol")),
            lanes=(charts.ChartLane(id="x", a="sol", b="vega", kind="odd"),),
            uncharted=(charts.Uncharted(id="y", at="nowhere"),),
            kinds=KINDS,
        )
    told = str(refused.value)
    assert all(part in told for part in ("two places are called 'sol'", "'vega'", "'nowhere'", "'odd', no class"))


def test_nothing_known_is_a_map_too() -> None:
    empty = charts.Chart()
    assert (empty.ids(), empty.named_in("Sol"), "sol" in empty) == ((), "", False)


@given(st.data())
def test_jumps_are_the_hops_of_the_engines_own_maps(data: st.DataObject) -> None:
    """The same graph as a `LaneMap` has the same distances."""
    names = [f"s{n}" for n in range(data.draw(st.integers(1, 9)))]
    pairs = [(a, b) for a in names for b in names if a < b]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14)) if pairs else []
    systems = tuple(charted_system(one) for one in names)
    chart = charts.Chart(systems=systems, lanes=tuple(charted_lane(a, b) for a, b in chosen), kinds=KINDS)
    whole = LaneMap(
        systems=tuple(System(id=one, name=one, x=Fraction(0), y=Fraction(0)) for one in names),
        lanes=tuple(Lane(a=a, b=b, kind="normal") for a, b in chosen),
    )
    one, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    assert chart.distance(one, other) == whole.distance(one, other, by="hops")
    assert chart.distance(one, other) == chart.distance(other, one)
    assert chart.neighbours(one) == whole.neighbours(one)


TWO = charts.Chart(
    systems=(charted_system("Sol"), charted_system("Wolf 359", 1), charted_system("Mirach", 9)),
    lanes=(charted_lane("sol", "wolf-359"),),
    regions=(
        charts.Region(level="galaxy", name="Spiral", systems=("sol", "wolf-359")),
        charts.Region(level="galaxy", name="Veil", systems=("mirach",)),
    ),
    kinds=KINDS,
    between=(charts.GalaxyLane(id="s~v", a="Spiral", b="Veil", kind="normal"),),
)


def test_a_lane_between_galaxies_is_a_place_that_is_near_to_none() -> None:
    assert "s~v" in TWO
    assert TWO.ids()[-1] == "s~v"
    assert TWO.called("s~v") == "Spiral–Veil lane"
    assert (TWO.ends_of("s~v"), TWO.neighbours("s~v"), TWO.within("s~v", 2)) == ((), (), ("s~v",))
    assert TWO.within("sol", 5) == ("sol", "sol~wolf-359", "wolf-359")
    assert (TWO.distance("sol", "s~v"), TWO.distance("s~v", "s~v")) == (None, 0)


def test_a_part_has_a_lane_between_galaxies_where_something_of_both_is_on_it() -> None:
    assert TWO.around({"sol", "mirach"}).between == TWO.between
    assert TWO.around({"sol", "wolf-359"}).between == ()
    assert TWO.part({"sol", "mirach", "s~v"}, TWO).between == ()


@cases("change, defect", "")
def test_what_is_wrong_with_a_lane_between_galaxies_is_said(change: dict[str, str], defect: str) -> None:
    made = {"id": "s~v", "a": "Spiral", "b": "Veil", "kind": "normal"} | change
    with pytest.raises(ValueError, match=defect):
        charts.Chart.model_validate(TWO.model_dump() | {"between": [made]})
