"""What captains read while a tracked battle is set up, word for word, and how what they leave out is filled in."""

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, FlightRecord, TacticalBattle, TacticalGroundPiece
from rules_engine.core.tactics.conditions import Distance
from rules_engine.rulebooks.vector.battles.placing import PlacedUnit, way_to
from rules_engine.rulebooks.vector.battles.placing_ask import say_placed
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.battles.cards import card
from tests.rulebooks.vector.battles.tracked import LABELS, NORTH, SOUTH, Tracked, approach, ship, step, within

BASE = FlightRecord(stays=True)
ROCK = TacticalGroundPiece(id="rock", kind="planet", name="Rock", hexes=(MIDDLE,))


def mixed() -> TacticalBattle:
    """A cruiser that may choose its speed, one that may not, and a base; against S1, and S9 that arrives on turn 3."""
    ships = (
        ship("N1", kind="CA", least_speed=4, most_speed=8),
        ship("N2", least_speed=6, most_speed=6),
        ship("N3", kind="base", flight=BASE, least_speed=0, most_speed=0),
        ship("S1", least_speed=8, most_speed=8),
        ship("S9", least_speed=8, most_speed=8, arrives=3),
    )
    first = step(("N1", "N2", "N3"), within(("N1", "N2"), 10))
    return approach(ships=ships, steps=(first, step(("S1",)), step(("S9",))))


def north_is_asked() -> AnyAsk:
    (ask,) = Tracked(mixed()).asked_now()
    return ask


def alone(*ground: TacticalGroundPiece, **values: object) -> Tracked:
    """N1, then S1, at speed 8, in steps with these values."""
    ships = tuple(ship(code, least_speed=8, most_speed=8) for code in ("N1", "S1"))
    steps = (step(("N1",), **values), step(("S1",), **values))
    return Tracked(approach(ships=ships, steps=steps, ground=ground))


FACING = "  facing: Facing (one of A, B, C, D, E, F), optional; blank: to the nearest enemy"
ASTERN = "  astern: Moves astern (flag), optional"


def test_who_places_units_is_asked_so(kept: Kept) -> None:
    assert card(north_is_asked()) == kept()
    question = north_is_asked().question
    assert question is not None
    assert question.lines == ("N1", "N2", "N3")


@pytest.mark.parametrize(
    ("speed", "said"), [(1, "speed 1 ahead"), (0, "at rest"), (-1, "speed 1 astern"), (8, "speed 8 ahead")]
)
def test_how_a_unit_moves_that_is_placed(speed: int, said: str) -> None:
    placed = PlacedUnit(ship("N1"), at="5050", facing="B", speed=speed)
    assert say_placed(placed) == f"N1 Ship N1 in 5050, faces B, {said}."


@cases("others, said")
def test_a_card_has_room_for_three_conditions_and_its_text_for_all(others: int, said: str) -> None:
    conditions = [within(("N1", "N2"), 9 - number) for number in range(others)]
    ships = tuple(ship(code, least_speed=8, most_speed=8) for code in ("N1", "N2", "S1"))
    (ask,) = Tracked(approach(ships=ships, steps=(step(("N1", "N2"), *conditions), step(("S1",))))).asked_now()
    assert ask.question is not None
    assert ask.question.situation == said
    assert all(f"Within {9 - number} hexes of each other." in ask.text.splitlines() for number in range(others))


def test_what_is_placed_is_read_back(kept: Kept) -> None:
    ask = north_is_asked()
    sheet = ask.answer_from({"N1": {"at": "5049", "facing": "B", "speed": 8, "astern": True}, "N2": {"facing": "C"}})
    assert [*ask.read_back(sheet)] == kept()


@cases("sheet, said")
def test_what_is_wrong_is_said(sheet: Sheet, said: list[str]) -> None:
    assert [str(one) for one in north_is_asked().refusals_of(sheet)] == said


@pytest.mark.parametrize(("text", "is_hex"), [("-999.-99.99", False), ("-0000999.99", True), ("-00000999.99", False)])
def test_a_hex_has_twelve_letters(text: str, is_hex: bool) -> None:
    assert (north_is_asked().refusals_of({"N3": {"at": text}}) == ()) is is_hex


def test_two_that_must_face_one_way_are_told_so(kept: Kept) -> None:
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))
    (ask,) = Tracked(battle).asked_now()
    assert [str(one) for one in ask.refusals_of({"N1": {"facing": "B"}, "N2": {"facing": "C"}})] == kept()


def test_the_set_up_is_told_step_by_step_and_how_all_turn_at_its_end() -> None:
    sheets = {
        (NORTH, "set-up"): ["N1: at 5050\nN2: facing C; at 4950\nN3: at 4951"],
        (SOUTH, "set-up"): ["S1: at 5040"],
    }
    game = Tracked(mixed(), sheets).play(2)
    north = (
        "The set-up of The North is seen. N1 Ship N1 in 5050, turned to the nearest enemy, speed 4 ahead. "
        "N2 Ship N2 in 4950, faces C, speed 6 ahead. N3 Ship N3 in 4951, turned to the nearest enemy, at rest."
    )
    south = "The set-up of The South is seen. S1 Ship S1 in 5040, turned to the nearest enemy, speed 8 ahead."
    turned = "N1 faces A, vector 4A. N3 faces A, vector 0. S1 faces D, vector 8D."
    assert [(one.kind, one.to, one.text, one.why.rule if one.why else "") for one in game.reports] == [
        ("set-up", ("*",), north, "B 0"),
        ("set-up", ("*",), south, "B 0"),
        ("set-up", ("*",), turned, "VM-N62"),
    ]


@pytest.mark.parametrize(("count", "said"), [(1, "1 unit of The South arrives."), (2, "2 units of The South arrive.")])
def test_who_arrives_is_told_by_their_number(count: int, said: str) -> None:
    late = [f"S{number}" for number in range(8, 8 + count)]
    ships = (ship("N1"), ship("S1"), *(ship(code, arrives=2) for code in late))
    battle = approach(ships=ships, steps=(step(("N1",)), step(("S1",)), step(late)))
    sheets = {(SOUTH, "set-up"): ["S1: at 5020", "\n".join(f"{code}: at 50{code[1]}0; facing D" for code in late)]}
    game = Tracked(battle, sheets, options={"pieces": 1}).until(1).play(1)
    (arrival,) = game.told(NORTH, "arrival")
    assert arrival.text.startswith(f"{said} S8 Ship S8 in 5080, faces D, at rest.")
    assert arrival.why is not None
    assert arrival.why.rule == "VM-N63, B 0"


# --- what is left out ---------------------------------------------------------------------------------------------


def test_who_chooses_a_speed_has_it() -> None:
    game = Tracked(mixed(), {(NORTH, "set-up"): ["N1: facing A; speed 7\nN2: facing A"]}).play(1)
    assert game.state.battle.units["N1"].vector.says == "7A"
    assert game.state.battle.units["N2"].vector.says == "6A"


def test_one_facing_is_that_of_the_first_of_whom_it_is_said() -> None:
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))
    units = Tracked(battle, {(NORTH, "set-up"): ["N2: facing C"]}).play(1).state.battle.units
    assert (units["N1"].facing, units["N2"].facing) == ("C", "C")


def test_without_it_each_turns_by_itself() -> None:
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2")), step(("S1",))))
    sheets = {(NORTH, "set-up"): ["N1: at 5050; facing C\nN2: at 5051"], (SOUTH, "set-up"): ["S1: at 5010"]}
    units = Tracked(battle, sheets).play(2).state.battle.units
    assert (units["N1"].facing, units["N2"].facing, units["S1"].facing) == ("C", "A", "D")


def test_a_force_that_faces_one_way_turns_as_its_first_does() -> None:
    """S1 is north of N1 and south of N2: both face as N1 must, and S1 the first of two as near."""
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))
    sheets = {(NORTH, "set-up"): ["N1: at 5050\nN2: at 5030"], (SOUTH, "set-up"): ["S1: at 5040"]}
    units = Tracked(battle, sheets).play(2).state.battle.units
    assert (units["N1"].facing, units["N2"].facing, units["S1"].facing) == ("A", "A", "D")


@pytest.mark.parametrize(("first", "says"), [(False, "facing C"), (True, "")])
def test_an_earlier_step_binds_no_later_one_if_it_wants_no_one_facing_or_nothing_was_said(
    first: bool, says: str
) -> None:
    west = SideLabel(key="west", name="The West", emblem="W")
    battle = approach(
        forces=((NORTH, "west"), (SOUTH,)),
        ships=(ship("N1"), ship("W1", side="west"), ship("S1")),
        steps=(step(("N1",), one_facing=first), step(("W1",), one_facing=True), step(("S1",))),
    )
    sheets = {(NORTH, "set-up"): [f"N1: {says}"]} if says else {}
    (ask,) = Tracked(battle, sheets, labels=(*LABELS, west)).play(1).asked_now()
    assert ask.refusals_of({"W1": {"facing": "B"}}) == ()


def facing_help(game: Tracked) -> str:
    return game.asked_now()[0].form.lines[0].fields[1].help


def test_units_face_the_ground_that_their_step_names() -> None:
    """The nearest hex of it, which is 5060 to the south of 5050 and not 5010 to the north."""
    web = TacticalGroundPiece(id="web", kind="web", hexes=("5010", "5060"))
    game = alone(web, faces="web")
    assert facing_help(game) == "blank: towards web"
    game.sheets[NORTH, "set-up"] = ["N1: at 5050"]
    assert game.play(1).state.battle.units["N1"].vector.says == "8D"
    assert game.state.unturned == []


def test_who_stands_in_that_ground_faces_a() -> None:
    game = alone(TacticalGroundPiece(id="web", kind="web", hexes=("5050",)), faces="web", faces_enemy=False)
    game.sheets[NORTH, "set-up"] = ["N1: at 5050"]
    assert game.play(1).state.battle.units["N1"].vector.says == "8A"
    assert [way_to("5050", "5050", "C"), way_to("5050", "5010", "C")] == ["C", "A"]


def test_ground_that_fills_the_sheet_is_nothing_to_face() -> None:
    game = alone(TacticalGroundPiece(id="cloud", kind="nebula"), faces="cloud").play(1)
    assert game.state.unturned == ["N1"]


def test_units_that_need_not_face_the_enemy_face_a() -> None:
    game = alone(faces_enemy=False)
    assert facing_help(game) == "blank: A"
    game.play(1)
    assert (game.state.battle.units["N1"].facing, game.state.unturned) == ("A", [])


# --- where units may be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flight", "begins"), [(BASE, "4950"), (FlightRecord(), MIDDLE)])
def test_what_must_be_in_a_planet_begins_there_if_it_stays(flight: FlightRecord, begins: str) -> None:
    """A ship cannot be set up so at all."""
    there = Distance(units=("N1",), others=("rock",), most=0, rule="B 9", says="On the rock.")
    ships = (ship("N1", flight=flight, most_speed=0), ship("S1"))
    rock = ROCK.with_values(hexes=("4950",))
    battle = approach(ships=ships, steps=(step(("N1",), there), step(("S1",))), ground=(rock,))
    assert Tracked(battle).asked_now()[0].form.lines[0].fields[0].value == begins


def test_a_planet_alone_bars_a_hex() -> None:
    stones = TacticalGroundPiece(id="stones", kind="asteroids", hexes=(MIDDLE,))
    assert alone(stones).asked_now()[0].refusals_of({"N1": {"at": MIDDLE}}) == ()


def test_in_a_planet_is_said_with_the_nearest_hex_outside() -> None:
    (found,) = alone(ROCK).asked_now()[0].refusals_of({"N1": {"at": MIDDLE}})
    assert str(found).startswith("N1.at: 5050 is in a planet (VM-N62). Legal: a hex in no planet. Did you mean ")


def test_what_no_set_up_fulfils_begins_in_the_middle_and_names_no_hex() -> None:
    never = Distance(units=("N1",), others=("rock",), least=5, most=3, rule="B 9", says="Nowhere.")
    battle = approach(ships=(ship("N1"), ship("S1")), steps=(step(("N1",), never), step(("S1",))), ground=(ROCK,))
    (ask,) = Tracked(battle).asked_now()
    assert ask.form.lines[0].fields[0].value == MIDDLE
    planet = next(one for one in ask.refusals_of({"N1": {"at": MIDDLE}}) if one.rule == "VM-N62")
    assert planet.nearest == ()


def test_a_distance_from_ground_is_judged() -> None:
    near = Distance(units=("N1",), others=("rock",), most=3, rule="B 9", says="By the rock.")
    battle = approach(ships=(ship("N1"), ship("S1")), steps=(step(("N1",), near), step(("S1",))), ground=(ROCK,))
    (ask,) = Tracked(battle).asked_now()
    assert [one.rule for one in ask.refusals_of({"N1": {"at": "5046"}})] == ["B 9"]
    assert ask.refusals_of({"N1": {"at": "5047"}}) == ()
