"""Maps of systems and lanes as a reader knows them: names, distances in jumps, and what may be handed on."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.grids.charts import (
    Chart,
    ChartLane,
    ChartPlanet,
    ChartSystem,
    GalaxyLane,
    LaneKind,
    Region,
    Uncharted,
)
from rules_engine.core.grids.lanes import Lane, LaneMap, System
from rules_engine.core.grids.places import UnknownPlace
from tests.expected.kept import cases

KINDS = (LaneKind(key="normal", line="single", said="normal, 1"),)


def system(name: str, at: int = 0) -> ChartSystem:
    return ChartSystem(id=name.lower().replace(" ", "-"), name=name, x=Fraction(at), y=Fraction(at * at))


def lane(a: str, b: str) -> ChartLane:
    return ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal")


ARM = Chart(
    systems=(system("Sol"), system("Wolf 359", 1), system("Minkar", 2), system("Barnard's Star", 3), system("Lost", 4)),
    planets=(ChartPlanet(id="sol/earth", system="sol", name="Earth", x=Fraction(0), y=Fraction(0)),),
    lanes=(
        lane("sol", "minkar"),
        lane("minkar", "wolf-359"),
        lane("wolf-359", "barnard's-star"),
        ChartLane(id="sol~sol/earth", a="sol", b="sol/earth", kind="normal"),
    ),
    uncharted=(Uncharted(id="sol?1", at="sol", note="easy"),),
    regions=(Region(level="sector", name="Near Arm", systems=("sol", "minkar")),),
    kinds=KINDS,
)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("sol", "sol"),
        ("SOL ", "sol"),
        ("wolf 359", "wolf-359"),
        ("Wolf-359", "wolf-359"),
        ("wolf_359", "wolf-359"),
        ("BARNARD'S star", "barnard's-star"),
        ("earth", "sol/earth"),
        ("sol~minkar", "sol~minkar"),
    ],
)
def test_a_system_is_meant_by_its_name_however_it_is_written(text: str, place: str) -> None:
    assert ARM.parse(text) == place


def test_what_is_no_system_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(UnknownPlace) as refused:
        ARM.parse("Wolf 395")
    assert refused.value.nearest[0] == "Wolf 359"
    with pytest.raises(UnknownPlace) as refused:
        ARM.parse("xyzzy")
    assert refused.value.nearest == ()


def test_places_are_called_by_their_names_and_lanes_by_their_ends() -> None:
    assert [ARM.called(one) for one in ("sol", "wolf-359", "sol/earth", "minkar~wolf-359", "elsewhere")] == [
        "Sol",
        "Wolf 359",
        "Earth",
        "Minkar–Wolf 359 lane",
        "elsewhere",
    ]


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
    with pytest.raises(UnknownPlace):
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
        Chart(
            systems=(system("Sol"), system("sol")),
            lanes=(ChartLane(id="x", a="sol", b="vega", kind="odd"),),
            uncharted=(Uncharted(id="y", at="nowhere"),),
            kinds=KINDS,
        )
    told = str(refused.value)
    assert all(part in told for part in ("two places are called 'sol'", "'vega'", "'nowhere'", "'odd', no class"))


def test_nothing_known_is_a_map_too() -> None:
    empty = Chart()
    assert (empty.ids(), empty.named_in("Sol"), "sol" in empty) == ((), "", False)


@given(st.data())
def test_jumps_are_the_hops_of_the_engines_own_maps(data: st.DataObject) -> None:
    """The same graph as a `LaneMap` has the same distances."""
    count = data.draw(st.integers(1, 9))
    names = [f"s{n}" for n in range(count)]
    pairs = [(a, b) for a in names for b in names if a < b]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14)) if pairs else []
    chart = Chart(systems=tuple(system(one) for one in names), lanes=tuple(lane(a, b) for a, b in chosen), kinds=KINDS)
    whole = LaneMap(
        systems=tuple(System(id=one, name=one, x=Fraction(0), y=Fraction(0)) for one in names),
        lanes=tuple(Lane(a=a, b=b, kind="normal") for a, b in chosen),
    )
    one, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    assert chart.distance(one, other) == whole.distance(one, other, by="hops")
    assert chart.distance(one, other) == chart.distance(other, one)
    assert chart.neighbours(one) == whole.neighbours(one)


TWO = Chart(
    systems=(system("Sol"), system("Wolf 359", 1), system("Mirach", 9)),
    lanes=(lane("sol", "wolf-359"),),
    regions=(
        Region(level="galaxy", name="Spiral", systems=("sol", "wolf-359")),
        Region(level="galaxy", name="Veil", systems=("mirach",)),
    ),
    kinds=KINDS,
    between=(GalaxyLane(id="s~v", a="Spiral", b="Veil", kind="normal"),),
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
        Chart.model_validate(TWO.model_dump() | {"between": [made]})
