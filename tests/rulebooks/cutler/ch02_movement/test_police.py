"""Chapter 2.8: a police ship that was lost is built anew and sails to its planet."""

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import (
    nearest_posts,
    next_step,
    police_speed,
    send_to_post,
    unpoliced,
)
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import arrive, convoy_moves, set_out
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, stacked
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import turns_between
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, table_of, world

TEXT = """
turn 0
planet capital 0302 hydran home
planet minor 0306 hydran front
planet minor 0602 hydran side
hydran base 0302 Yard
hydran police 0302
lyran F1 1101 CC
klingon F1 1109 CA
"""


def yard(text: str = TEXT) -> CutlerState:
    """The base has two bays of 60 repair boxes, and CPV for two police ships."""
    state = world(text)
    state.classes["police"] = kind_of("police")
    for unit in state.alive("hydran"):
        if unit.kind == "base":
            unit.record = kind_of("base", cargo=50, repair=120, docking_bays=[60, 60])
            unit.cargo_cpv = 50
    return state


def built(**lines: object) -> tuple[CutlerState, Run]:
    """A turn in which these bays work."""
    state = yard()
    turn = table_of(state)
    return state, Run(turn, turn_steps(turn), {("turn", "hydran"): lines})


@pytest.mark.rule("cutler", "2.8")
def test_a_new_police_ship_sails_home_in_a_straight_line_and_is_never_seen() -> None:
    state, run = built(D1={"work": "build police for front"})
    (new,) = [unit for unit in state.alive("hydran") if unit.name == "Police 1"]
    # At a speed of 6 it is there after four impulses; it left no trace on the map, and it stays where it is.
    assert (new.hex, new.entered_from, new.entered_at and new.entered_at.impulse) == ("0306", "0305", 4)
    assert "Arrived in 0306: Police 1" in run.texts("hydran")
    assert "Police" not in run.texts("lyran")
    assert "→" not in run.texts("lyran")
    assert (state.convoys, state.fleets.keys() & {"hydran/F1"}, state.counters()) == (
        {},
        set(),
        [("lyran", "1101"), ("klingon", "1109")],
    )
    assert turns_between(new.record) is None  # it needs no maintenance


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_is_built_for_a_planet_without_one(kept: Kept) -> None:
    state = yard()
    assert [planet.key for planet in unpoliced(state, "hydran")] == ["front", "side"]
    state.turn = 1
    ask = turn_ask(state, "hydran")
    offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
    # The nearest is meant if none is named: 0602 is three hexes from the yard, 0306 four.
    assert [one for one in offered if one.startswith("build")] == ["build police", "build police for front"]
    assert refusal_words(ask, {"D1": {"work": "build police for home"}}) == kept("#1")
    twice = {"D1": {"work": "build police for front"}, "D2": {"work": "build police for front"}}
    assert refusal_words(ask, twice) == kept("refusal_words(ask, twice)")
    assert refusals(ask, {"D1": {"work": "build police"}, "D2": {"work": "build police"}}) == []
    assert refusal_words(ask, {"D1": {"work": "build police"}, "D2": {"work": "build police for side"}}) == kept("#2")
    state, _ = built(D1={"work": "build police", "cpv": 10})
    assert [work.post for work in state.works.values()] == ["side"]
    assert [planet.key for planet in unpoliced(state, "hydran")] == ["front"]


@pytest.mark.rule("cutler", "2.8")
def test_where_each_planet_has_one_none_is_built(kept: Kept) -> None:
    state = yard(f"{TEXT}hydran police 0306\nhydran police 0602\n")
    state.turn = 1
    assert refusal_words(turn_ask(state, "hydran"), {"D1": {"work": "build police"}}) == kept()
    state.units["hydran-police-0306"].destroyed = True
    assert refusals(turn_ask(state, "hydran"), {"D1": {"work": "build police"}}) == []


@pytest.mark.rule("cutler", "2.5")
def test_police_ships_are_not_plotted_and_one_in_a_hex_does_not_count() -> None:
    state = yard(f"{TEXT}hydran F1 0302 FF\n")
    sheet = {"F1": {"ships": ["hydran-F1-FF", "hydran-police-0302"]}}
    assert [path for path, _ in refusals(plot_ask(state, "hydran"), sheet)] == ["F1.ships"]
    assert stacked(state.units_in("0302", "hydran")) == 1


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_on_its_way_is_met_like_any_other_and_goes_on() -> None:
    state, _ = built(D1={"work": "build police for front"})
    (new,) = [unit for unit in state.alive("hydran") if unit.name == "Police 1"]
    new.hex, new.hexes_moved = "0304", 0
    send_to_post(state, new, "front")
    state.units["lyran-F1-CC"].hex = "0304"
    state.turn, state.impulse = 2, 1
    assert defects(state) == []
    turn = table_of(state)
    board = RULEBOOK.side_board(state, "hydran", turn.knowledge("hydran"))
    assert [one.hexes for one in board.courses if one.counter == f"own/{new.id}"] == [("0304", "0305", "0306")]
    run = Run(turn, combat_phase_steps(turn), {("card", "lyran"): {"force": {"card": "combat"}}})
    assert "1 Hydran unit (size 4: police)" in run.texts("lyran")
    assert "announces a convoy" not in run.texts("lyran")
    assert not [ask for ask in run.asked("hydran") if ask.kind == "wave"]  # it does not run
    (contact,) = turn.knowledge("lyran").contacts.values()
    assert contact.form == "convoy"
    assert [planet.key for planet in unpoliced(state, "hydran")] == ["side"]  # one is on its way to the other
    # A Movement Plot shows it as any ship of the hex: it goes on in impulse 1 (6.4.1.3).
    assert (next_step(state, new), next_step(state, state.units["hydran-police-0302"])) == ("0305", "")
    set_out(turn)
    execute_moves(turn, convoy_moves(state))
    arrive(turn)
    assert (new.hex, state.convoys["hydran/V2"].course) == ("0305", ["0306"])
    assert [police_speed(unit) for unit in [new, *yard().alive("hydran")] if unit.kind == "police"] == [6, 6]
    new.warp_ok = 8  # of 12: two sixths are lost
    assert police_speed(new) == 4
    new.warp_ok = 0
    assert police_speed(new) == 1


# --- on both sides of each bound -------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.8", "2.4.1.6")
@cases("warp, impulse, speed")
def test_damage_slows_a_police_ship_on_its_way_as_any_ship(warp: int, impulse: int, speed: int) -> None:
    (unit,) = world(f"hydran police 0302 Blue[warp={warp},imp={impulse}]").alive()
    assert police_speed(unit) == speed


PLANETS = (
    "planet minor 0302 hydran a\nplanet minor 0306 hydran b\nplanet minor 0304 hydran c\nplanet minor 0606 lyran d\n"
)


def trip(race: str, course: list[str], unit: str = "x", kind: str = "police") -> PlottedConvoy:
    return PlottedConvoy.from_json(
        {"key": "V1", "race": race, "kind": kind, "units": [unit], "at": "0101", "embarked": "0101", "course": course}
    )


@pytest.mark.rule("cutler", "2.8")
def test_for_which_planets_police_may_be_built() -> None:
    state = world(PLANETS + "hydran police 0302\nlyran police 0306\nhydran F1 0304 FF")
    keys = {race: [planet.key for planet in unpoliced(state, race)] for race in ("hydran", "lyran", "klingon")}
    # A police ship of another race is no post's, nor is another ship of its own.
    assert keys == {"hydran": ["b", "c"], "lyran": ["d"], "klingon": []}
    for made, left in (
        (trip("hydran", ["0305", "0306"]), ["c"]),
        (trip("hydran", ["0306", "0305"]), ["b", "c"]),  # bound elsewhere
        (trip("hydran", []), ["b", "c"]),
        (trip("lyran", ["0305", "0306"]), ["b", "c"]),
        (trip("hydran", ["0305", "0306"], kind="convoy"), ["b", "c"]),
        (trip("hydran", ["0303", "0304"], "hydran-police-0302"), ["a", "b"]),  # under way it has no post where it is
    ):
        state.convoys = {f"{made.race}/V1": made}
        assert [planet.key for planet in unpoliced(state, "hydran")] == left
    # The nearest first: 0304 is as far from 0305 as 0306; of two as near the lower hex.
    state.convoys = {}
    assert [planet.key for planet in nearest_posts(state, "hydran", "0306")] == ["b", "c"]
    assert [planet.key for planet in nearest_posts(state, "hydran", "0305")] == ["c", "b"]


@pytest.mark.rule("cutler", "2.8", "6.4.1.3")
def test_where_a_police_ship_goes_next() -> None:
    state = world(PLANETS + "hydran police 0302\nlyran police 0306")
    one, other = state.units["hydran-police-0302"], state.units["lyran-police-0306"]
    for made, goal in (
        (trip("hydran", ["0303", "0304"], one.id), "0303"),
        (trip("hydran", [], one.id), ""),
        (trip("hydran", ["0303"], one.id, kind="convoy"), ""),
    ):
        state.convoys = {"hydran/V1": made}
        assert (next_step(state, one), next_step(state, other)) == (goal, "")


@pytest.mark.rule("cutler", "2.8")
@pytest.mark.parametrize(
    ("post", "courses"), [("c", [["0303", "0304"]]), ("a", []), ("gone", []), ("b", [["0303", "0304", "0305", "0306"]])]
)
def test_a_police_ship_is_sent_to_its_planet_unless_it_is_there(post: str, courses: list[list[str]]) -> None:
    state = world(PLANETS + "hydran police 0302")
    state.empires["hydran"].convoys_named = 4
    unit = state.units["hydran-police-0302"]
    send_to_post(state, unit, post)
    trips = list(state.convoys.items())
    assert [one.course for _, one in trips] == courses
    assert [(name, one.key, one.kind, one.units, one.at, one.embarked) for name, one in trips] == [
        ("hydran/V5", "V5", "police", [unit.id], "0302", "0302")
    ] * len(courses)
    assert state.empires["hydran"].convoys_named == 4 + len(courses)
