"""Tracked battles are set up by their books' conditions: in secret, step by step, legally also for the silent."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.grids.space import hexes_between
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, FlightRecord, TacticalGroundPiece
from rules_engine.core.tactics.conditions import Bearing, Distance
from tests.expected.kept import cases
from tests.rulebooks.vector.battles.tracked import LABELS, NORTH, SOUTH, Tracked, approach, ship, step, within


def south_is_asked() -> AnyAsk:
    """What the South is asked once the North stands in 5050 and 5051."""
    (ask,) = Tracked(approach(), {(NORTH, "set-up"): ["N1: at 5050; facing A\nN2: at 5051"]}).play(1).asked_now()
    assert ask.parties == (SOUTH,)
    return ask


def refused(ask: AnyAsk, one: str, other: str) -> dict[str, Refusal]:
    """What is refused if the South's ships are in these hexes, by rule."""
    return {found.rule: found for found in ask.refusals_of({"S1": {"at": one}, "S2": {"at": other}})}


def test_steps_are_asked_in_their_order_and_nobody_else_is_asked() -> None:
    game = Tracked(approach())
    assert [(ask.kind, ask.parties, ask.pace) for ask in game.rest()] == [("set-up", (NORTH,), "tactical")]
    assert [(ask.kind, ask.parties) for ask in game.rest()] == [("set-up", (SOUTH,))]
    assert [(ask.kind, ask.parties) for ask in game.rest()] == [("plot", (NORTH,)), ("plot", (SOUTH,))]


@cases("one, other, rules")
def test_a_hex_too_near_or_far_is_refused_by_its_rule(one: str, other: str, rules: list[str]) -> None:
    """40 to 45 hexes from the nearest of 5050 and 5051, one of them exactly 40, within 10 of each other: 5010 is 40
    from 5050, 5011 one nearer, 5005 is 45 and 5004 one farther; 6010 is 45 away and 10 from 5010, 6110 one more."""
    assert sorted(refused(south_is_asked(), one, other)) == rules


def test_a_set_up_says_what_is_to_be_met() -> None:
    ask = south_is_asked()
    said = (
        "Place S1. Within 10 hexes of each other. 40 to 45 hexes from the nearest enemy. One unit at exactly 40 hexes."
    )
    assert ask.question is not None
    assert ask.question.situation == said
    assert all(one in ask.text for one in said.split(". "))


def test_what_arrives_later_is_explained_to_its_own_side_and_does_not_exist_for_others() -> None:
    game = Tracked(approach(flank=3), {(NORTH, "set-up"): ["N1: at 5050; facing A\nN2: at 5051"]})
    (north,) = game.asked_now()
    (south,) = game.play(1).asked_now()
    typed = "S9: at 5010"
    with pytest.raises(Refused) as to_north:
        read_sheet(north.form, typed)
    with pytest.raises(Refused) as to_south:
        read_sheet(south.form, typed)
    assert [one.problem for one in to_north.value.refusals] == ["there is no line “S9”"]
    assert [(one.problem, one.rule) for one in to_south.value.refusals] == [("S9 arrives on turn 3", "VM-N63")]
    assert south.question is not None
    assert "S9 " in south.question.situation
    assert "arrives on turn 3." in south.text
    assert "S9" not in f"{north.text}{north.question}{north.form.absent}"


def test_what_is_set_up_in_a_later_step_is_said_so() -> None:
    game = Tracked(approach(steps=((step(("N1",)), step(("N2",)), step(("S1", "S2"))))))
    (first,) = game.asked_now()
    assert [one.problem for one in first.form.absent] == ["N2 is set up in a later step"]
    game.play(1)
    (second,) = game.asked_now()
    assert second.form.absent == ()


def test_ships_far_from_each_other_are_refused() -> None:
    assert refused(south_is_asked(), "5010", "5090")["B 1"].problem == "S1 is 80 hexes from S2"


def test_a_refusal_says_what_is_legal_and_the_nearest_legal_hex() -> None:
    ask = south_is_asked()
    found = refused(ask, "5010", "5012")["B 2"]
    assert (found.path, found.problem) == ("S2.at", "S2 is 38 hexes from N1, the nearest"[: len(found.problem)])
    assert found.legal == "40 to 45 hexes from the nearest enemy"
    (near,) = found.nearest
    assert refused(ask, "5010", near) == {}
    assert hexes_between("5012", near) == 2, "and none is nearer"


def test_who_must_stand_at_exactly_a_distance_is_shown_how() -> None:
    ask = south_is_asked()
    found = refused(ask, "5008", "5007")["B 3"]
    (near,) = found.nearest
    moved = {"S1": "5008", "S2": "5007", found.path.partition(".")[0]: near}
    assert refused(ask, moved["S1"], moved["S2"]) == {}


def test_speeds_and_facings_are_judged() -> None:
    (found,) = south_is_asked().refusals_of({"S1": {"speed": 9}})
    assert (found.path, found.rule, found.legal) == ("S1.speed", "B 0", "speed 8")
    battle = approach()
    one_way = battle.with_values(steps=(battle.steps[0].with_values(one_facing=True), battle.steps[1]))
    (asked,) = Tracked(one_way).asked_now()
    (odd,) = asked.refusals_of({"N1": {"facing": "B"}, "N2": {"facing": "C"}})
    assert (odd.path, odd.nearest) == ("N2.facing", ("B",))


def test_a_force_of_several_sides_faces_one_way() -> None:
    """The West is set up after its ally, and faces as that does whether it says so or not."""
    west = SideLabel(key="west", name="The West", emblem="W")
    battle = approach(
        forces=((NORTH, "west"), (SOUTH,)),
        ships=(ship("N1"), ship("W1", side="west"), ship("S1")),
        steps=(step(("N1",), one_facing=True), step(("W1",), one_facing=True), step(("S1",))),
    )
    game = Tracked(battle, {(NORTH, "set-up"): ["N1: facing C"]}, labels=(*LABELS, west)).play(1)
    (ask,) = game.asked_now()
    assert ask.parties == ("west",)
    (found,) = ask.refusals_of({"W1": {"facing": "B"}})
    assert (found.path, found.nearest) == ("W1.facing", ("C",))
    assert game.play(1).state.battle.units["W1"].facing == "C"


def test_units_of_others_are_nobody_s_here() -> None:
    (found,) = south_is_asked().refusals_of({"N1": {"at": "5050"}})
    assert found.legal == "S1, S2"


@pytest.mark.parametrize("text", ["somewhere", "99999", "5050.3", "1000.1"])
def test_what_is_no_hex_is_refused_once(text: str) -> None:
    (found,) = south_is_asked().refusals_of({"S1": {"at": text}})
    assert found.path == "S1.at"
    assert found.legal


def test_the_silent_begin_legally_and_face_the_enemy() -> None:
    game = Tracked(approach()).play(2)
    units = game.state.battle.units
    far = {one: min(hexes_between(units[one].at, units[other].at) for other in ("N1", "N2")) for one in ("S1", "S2")}
    assert min(far.values()) == 40
    assert max(far.values()) <= 45
    assert units["S1"].vector.says == f"8{units['S1'].facing}"
    before = hexes_between(units["S1"].at, units["N1"].at)
    game.until(1)
    units = game.state.battle.units
    assert hexes_between(units["S1"].at, units["N1"].at) == before - 16


def test_who_is_said_to_face_somewhere_does_and_moves_astern_if_wanted() -> None:
    sheets = {(NORTH, "set-up"): ["N1: at 5050; facing D; astern yes\nN2: facing B"]}
    units = Tracked(approach(), sheets).play(2).state.battle.units
    assert (units["N1"].facing, units["N1"].vector.says) == ("D", "8A")
    assert (units["N2"].facing, units["N2"].vector.says) == ("B", "8B")


def test_a_step_is_seen_by_all_when_it_is_in_and_not_before() -> None:
    game = Tracked(approach())
    game.rest()
    first, last = game.looks[SOUTH][0], game.looks[SOUTH][-1]
    assert "N1" not in first
    assert "N1" in last
    assert [one.kind for one in game.told(SOUTH)] == ["set-up"]


def test_sides_of_one_step_place_at_once_and_are_judged_by_what_they_know() -> None:
    """A condition between units that are placed at the same time is nobody's to judge."""
    mark = TacticalGroundPiece(id="mark", kind="buoy", hexes=(MIDDLE,))
    near = Distance(units=("S1",), others=("N1", "mark"), most=1, rule="B 9", says="Beside N1 and the mark.")
    battle = approach(ships=(ship("N1"), ship("S1")), steps=(step(("N1", "S1"), near),), ground=(mark,))
    game = Tracked(battle, {(SOUTH, "set-up"): ["S1: at 9090"]})
    assert [ask.parties for ask in game.rest()] == [(NORTH,), (SOUTH,)]
    assert game.state.battle.units["S1"].at == "9090"


def test_nobody_is_set_up_in_a_planet_but_what_stays() -> None:
    rock = TacticalGroundPiece(id="rock", kind="planet", name="Rock", hexes=(MIDDLE,))
    base = ship("N2", flight=FlightRecord(stays=True), most_speed=0)
    (ask,) = Tracked(approach(ships=((ship("N1"), base, ship("S1"), ship("S2"))), ground=(rock,))).asked_now()
    (found,) = ask.refusals_of({"N1": {"at": MIDDLE}})
    assert (found.path, found.rule, hexes_between(MIDDLE, found.nearest[0])) == ("N1.at", "VM-N62", 1)
    assert ask.refusals_of({"N2": {"at": MIDDLE}}) == ()


def test_a_direction_from_those_ahead_is_judged() -> None:
    behind = Bearing(units=("S1", "S2"), others=("N1", "N2"), way=4, rule="B 5", says="Behind them.")
    battle = approach()
    steps = (battle.steps[0], step(("S1", "S2"), within(("S1", "S2"), 10), behind))
    sheets = {(NORTH, "set-up"): ["N1: at 5050; facing A\nN2: at 5051; facing A"]}
    (ask,) = Tracked(battle.with_values(steps=steps), sheets).play(1).asked_now()
    assert refused(ask, "5060", "5061") == {}
    assert refused(ask, "5040", "5060")["B 5"].problem == "S1 lies in another direction from N1"
    assert ask.default is not None
    assert list(ask.check(ask.default)) == []


def test_invented_figures_are_said_to_their_own_side_alone() -> None:
    game = Tracked(approach()).play(2)
    assert "Invented figures of N1: movement cost." in game.asks[0].text
    shown = "invented: movement cost"
    assert game.looks[NORTH][-1].count(shown) == 2
    known = ship("N1", flight=FlightRecord(warp=30, impulse=4, total_power=36, turn_mode="C", move_cost=Fraction(1)))
    assert Tracked(approach(ships=((known, *approach().ships[1:])))).play(2).looks[NORTH][-1].count(shown) == 1


def test_a_base_does_not_move_and_is_reported_of() -> None:
    base = ship("N2", flight=FlightRecord(stays=True), most_speed=0, least_speed=0)
    ships = (ship("N1"), base, ship("S1"), ship("S2"))
    game = Tracked(approach(ships=ships), {(SOUTH, "plot"): ["", "S1: report tractor N2"]}).play(2)
    plot = next(ask for ask in game.asked_now() if ask.parties == (NORTH,))
    line = plot.form.line("N2")
    assert line is not None
    assert [field.key for field in line.fields] == ["plot", "report"]
    for words in ("accelerate 1 on 1", "turn left on 1", "het B on 2", "stop on 1"):
        assert [one.rule for one in plot.refusals_of({"N2": {"plot": words}})] == ["VM-N61"]
    south = next(ask for ask in game.asked_now() if ask.parties == (SOUTH,))
    assert [one.rule for one in south.refusals_of({"S1": {"report": "tractor N2"}})] == ["VM-N61"]
    at = game.state.battle.units["N2"].at
    game.sheets.clear()
    assert game.until(2).state.battle.units["N2"].at == at
