"""What captains read while a tracked battle is set up, is taken up under way, or may be over, word for word."""

import pytest

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, FlightRecord, TacticalBattle, TacticalGroundPiece
from rules_engine.core.tactics.conditions import Distance
from rules_engine.rulebooks.vector.battles.placing import PlacedUnit, way_to
from rules_engine.rulebooks.vector.battles.placing_ask import say_placed
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.battles.tracked import LABELS, NORTH, SOUTH, Tracked, approach, card, ship, step, within

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
    return Tracked(approach(ships=ships, steps=((step(("N1",), **values), step(("S1",), **values))), ground=ground))


def test_who_places_units_is_asked_so(kept: Kept) -> None:
    assert card(north_is_asked()) == kept()
    question = north_is_asked().question
    assert question is not None
    assert question.lines == ("N1", "N2", "N3")


@cases("speed, said", "")
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
    line = ask.form.line("N1")
    assert line is not None
    assert line.fields[0].help == "column and row, as 0412"


@cases("sheet, said")
def test_what_is_wrong_is_said(sheet: Sheet, said: list[str]) -> None:
    assert [str(one) for one in north_is_asked().refusals_of(sheet)] == said


@pytest.mark.parametrize(("text", "is_hex"), [("-999.-99.99", False), ("-0000999.99", True), ("-00000999.99", False)])
def test_a_hex_has_twelve_letters(text: str, is_hex: bool) -> None:
    assert (north_is_asked().refusals_of({"N3": {"at": text}}) == ()) is is_hex


def test_two_that_must_face_one_way_are_told_so(kept: Kept) -> None:
    ships = (ship("N1"), ship("N2"), ship("S1"))
    (ask,) = Tracked(approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))).asked_now()
    assert [str(one) for one in ask.refusals_of({"N1": {"facing": "B"}, "N2": {"facing": "C"}})] == kept()


def test_the_set_up_is_told_step_by_step_and_how_all_turn_at_its_end(kept: Kept) -> None:
    sheets = {
        (NORTH, "set-up"): ["N1: at 5050\nN2: facing C; at 4950\nN3: at 4951"],
        (SOUTH, "set-up"): ["S1: at 5040"],
    }
    game = Tracked(mixed(), sheets).play(2)
    assert {one.to for one in game.reports} == {("*",)}
    assert [(one.kind, one.text, one.why.rule if one.why else "") for one in game.reports] == kept()


@pytest.mark.parametrize(("count", "said"), [(1, "1 unit of The South arrives."), (2, "2 units of The South arrive.")])
def test_who_arrives_is_told_by_their_number(count: int, said: str) -> None:
    late = [f"S{number}" for number in range(8, 8 + count)]
    ships = (ship("N1"), ship("S1"), *(ship(code, arrives=2) for code in late))
    battle = approach(ships=ships, steps=(step(("N1",)), step(("S1",)), step(late)))
    sheets = {(SOUTH, "set-up"): ["S1: at 5020", "\n".join(f"{code}: at 50{code[1]}0; facing D" for code in late)]}
    (arrival,) = Tracked(battle, sheets, options={"pieces": 1}, watched=False).until(1).play(1).told(NORTH, "arrival")
    assert arrival.text.startswith(f"{said} S8 Ship S8 in 5080, faces D, at rest.")
    assert arrival.why is not None
    assert arrival.why.rule == "VM-N63, B 0"


# --- what is left out ---------------------------------------------------------------------------------------------
def test_who_comes_on_turn_1_arrives_and_is_not_set_up() -> None:
    ships = (ship("N1"), ship("S1"), ship("S8", arrives=1))
    battle = approach(ships=ships, steps=tuple(step((one.code,)) for one in ships))
    game = Tracked(battle, options={"pieces": 1}, watched=False).until(1)
    (arrival,) = game.told(NORTH, "arrival")
    assert arrival.text.startswith("1 unit of The South arrives. S8 Ship S8 in ")
    assert [one.text.partition(" is seen.")[0] for one in game.told(NORTH, "set-up")][:2] == [
        "The set-up of The North", "The set-up of The South",
    ]  # fmt: skip


def test_who_chooses_a_speed_has_it() -> None:
    game = Tracked(mixed(), {(NORTH, "set-up"): ["N1: facing A; speed 7\nN2: facing A"]}).play(1)
    assert (game.state.battle.units["N1"].vector.says, game.state.battle.units["N2"].vector.says) == ("7A", "6A")


def test_one_facing_is_that_of_the_first_of_whom_it_is_said() -> None:
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))
    units = Tracked(battle, {(NORTH, "set-up"): ["N2: facing C"]}).play(1).state.battle.units
    assert (units["N1"].facing, units["N2"].facing) == ("C", "C")


def test_without_it_each_turns_by_itself() -> None:
    battle = approach(ships=((ship("N1"), ship("N2"), ship("S1"))), steps=(step(("N1", "N2")), step(("S1",))))
    sheets = {(NORTH, "set-up"): ["N1: at 5050; facing C\nN2: at 5051"], (SOUTH, "set-up"): ["S1: at 5010"]}
    units = Tracked(battle, sheets).play(2).state.battle.units
    assert (units["N1"].facing, units["N2"].facing, units["S1"].facing) == ("C", "A", "D")


def test_a_force_that_faces_one_way_turns_as_its_first_does() -> None:
    """S1 is north of N1 and south of N2: both face as N1 must, and S1 of two as near the first clockwise from A."""
    ships = (ship("N1"), ship("N2"), ship("S1"))
    battle = approach(ships=ships, steps=(step(("N1", "N2"), one_facing=True), step(("S1",))))
    sheets = {(NORTH, "set-up"): ["N1: at 5050\nN2: at 5030"], (SOUTH, "set-up"): ["S1: at 5040"]}
    units = Tracked(battle, sheets).play(2).state.battle.units
    assert (units["N1"].facing, units["N2"].facing, units["S1"].facing) == ("A", "A", "A")


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
    game = alone(TacticalGroundPiece(id="web", kind="web", hexes=("5010", "5060")), faces="web")
    assert facing_help(game) == "blank: towards web"
    game.sheets[NORTH, "set-up"] = ["N1: at 5050"]
    assert (game.play(1).state.battle.units["N1"].vector.says, game.state.unturned) == ("8D", [])


def test_who_stands_in_that_ground_faces_a() -> None:
    game = alone(TacticalGroundPiece(id="web", kind="web", hexes=("5050",)), faces="web", faces_enemy=False)
    game.sheets[NORTH, "set-up"] = ["N1: at 5050"]
    assert game.play(1).state.battle.units["N1"].vector.says == "8A"
    assert [way_to("5050", ["5050"], "C"), way_to("5050", ["5010"], "C"), way_to("5050", [], "C")] == ["C", "A", "C"]
    for order in (["5060", "5040", "5030"], ["5030", "5040", "5060"]):
        assert way_to("5050", order, "C") == "A", "of 5040 and 5060, which are equally near, the first clockwise from A"


def test_ground_that_fills_the_sheet_is_nothing_to_face() -> None:
    assert alone(TacticalGroundPiece(id="cloud", kind="nebula"), faces="cloud").play(1).state.unturned == ["N1"]


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
    assert next(one for one in ask.refusals_of({"N1": {"at": MIDDLE}}) if one.rule == "VM-N62").nearest == ()


def test_a_distance_from_ground_is_judged() -> None:
    near = Distance(units=("N1",), others=("rock",), most=3, rule="B 9", says="By the rock.")
    battle = approach(ships=(ship("N1"), ship("S1")), steps=(step(("N1",), near), step(("S1",))), ground=(ROCK,))
    (ask,) = Tracked(battle).asked_now()
    assert [one.rule for one in ask.refusals_of({"N1": {"at": "5046"}})] == ["B 9"]
    assert ask.refusals_of({"N1": {"at": "5047"}}) == ()


# --- taking up in words ----------------------------------------------------------------------------------------------
NORTH_STANDS = "battle: turn 5\nN1: at 5050; facing D; vector 6A+6B\nN2: unit destroyed\nN3: at 5051"
SOUTH_STANDS = "battle: turn 5\nS1: at 5010; vector 12D\nS9: unit disengaged"


def taken_up(**more: list[str]) -> Tracked:
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): [SOUTH_STANDS]}
    return Tracked(mixed(), sheets | {(NORTH, key.replace("_", " ")): texts for key, texts in more.items()}, late=True)


def test_who_types_positions_is_asked_so(kept: Kept) -> None:
    (_, ask) = Tracked(mixed(), late=True).asked_now()
    assert card(ask) == kept()
    assert [*ask.read_back(ask.answer_from({}))] == ["Nothing is said yet."]
    assert not any(field.optional for field in ask.form.lines[1].fields if field.key == "vector")


def test_who_is_asked_again_finds_what_was_typed(kept: Kept) -> None:
    (ask, _) = taken_up(positions_seen=["positions: so no; reason not so"]).play(2).asked_now()
    assert card(ask)[4:] == kept()


def test_what_is_typed_is_told_and_read_back(kept: Kept) -> None:
    game = taken_up()
    (ask, _) = game.asked_now()
    stands: Sheet = {"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {"unit": "left the map"}, "N3": {"at": "5051"}}
    assert [*ask.read_back(ask.answer_from({**stands}))] == kept()
    game.play(2)
    assert {one.to for one in game.reports} == {("*",)}
    assert [(one.kind, one.text, one.why.rule if one.why else "") for one in game.reports] == kept("reports")


def legal_but(**lines: dict[str, Json]) -> Sheet:
    return {"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {"at": "5051"}, "N3": {"at": "5052"}, **lines}


AS = "Legal: column and row, as 0412 or -3.12."


@cases("lines, said")
def test_what_cannot_be_is_refused(lines: Sheet, said: list[str]) -> None:
    (ask, _) = Tracked(mixed(), late=True).asked_now()
    assert [str(one) for one in ask.refusals_of(legal_but(**lines))] == said


@pytest.mark.parametrize(("turn", "is_to_come"), [(1, True), (3, True), (4, False)])
def test_who_arrives_on_that_turn_or_later_has_no_hex_and_all_others_have(turn: int, is_to_come: bool) -> None:
    (_, ask) = Tracked(mixed(), late=True).asked_now()
    here: Sheet = {"battle": {"turn": turn}, "S1": {"at": "5010"}, "S9": {"at": "5011"}}
    late = "S9.at: S9 arrives at the beginning of turn 3 (VM-N67). Legal: no hex of S9 before turn 3."
    assert [str(one) for one in ask.refusals_of(here)] == [late] * is_to_come
    without: Sheet = {"battle": {"turn": turn}, "S1": {"at": "5010"}}
    missing = f"S9.at: it does not say where S9 is. {AS}"
    assert [str(one) for one in ask.refusals_of(without)] == [missing] * (not is_to_come)


def test_unit_of_turn_1_has_no_hex_before_it_when_no_turn_is_said() -> None:
    """A turn that is not said is refused; units are judged as before the first."""
    ships = (ship("N1"), ship("S1"), ship("S9", arrives=1))
    (_, ask) = Tracked(approach(ships=ships, steps=tuple(step((one.code,)) for one in ships)), late=True).asked_now()
    assert [str(one) for one in ask.refusals_of({"S1": {"at": "5010"}, "S9": {"at": "5011"}})] == [
        "battle.turn: it does not say which turn comes next. Legal: 1 to 999.",
        "S9.at: S9 arrives at the beginning of turn 1 (VM-N67). Legal: no hex of S9 before turn 1.",
    ]


def test_the_turn_reaches_to_999() -> None:
    (ask, _) = Tracked(mixed(), late=True).asked_now()
    for turn in (0, 1000):
        with pytest.raises(Refused):
            ask.answer_from({**legal_but(battle={"turn": turn})})


def seen() -> AnyAsk:
    return taken_up().play(1).asked_now()[0]


def test_who_confirms_positions_is_asked_so(kept: Kept) -> None:
    assert card(seen()) == kept()


@cases("word, refused")
def test_a_word_on_the_positions_is_judged(word: Sheet, refused: list[str]) -> None:
    assert [str(one) for one in seen().refusals_of(word)] == refused


def test_a_word_on_the_positions_is_read_back() -> None:
    ask = seen()
    no: Sheet = {"positions": {"so": "no", "reason": "S1 is in 5012"}}
    assert [*ask.read_back(ask.answer_from(no))] == ["They are not so: S1 is in 5012"]
    assert [*ask.read_back(ask.answer_from({"positions": {"so": "yes"}}))] == ["The positions are so."]


@pytest.mark.parametrize(("letters", "is_legal"), [(200, True), (201, False)])
def test_a_reason_has_two_hundred_letters(letters: int, is_legal: bool) -> None:
    assert (seen().refusals_of({"positions": {"so": "no", "reason": "x" * letters}}) == ()) is is_legal


@pytest.mark.parametrize(("turn", "impulse", "flown", "left_on"), [(1, 0, 0, 1), (2, 16, 1, 1), (5, 16, 4, 4)])
def test_time_is_that_before_the_turn_that_comes_next(turn: int, impulse: int, flown: int, left_on: int) -> None:
    stands = {NORTH: NORTH_STANDS, SOUTH: SOUTH_STANDS if turn > 3 else SOUTH_STANDS.partition("\nS9")[0]}
    sheets = {(side, "positions"): [text.replace("turn 5", f"turn {turn}")] for side, text in stands.items()}
    state = Tracked(mixed(), sheets, late=True).play(1).state
    assert (state.battle.turn, state.battle.impulse, state.turns_flown) == (turn - 1, 32 if impulse else 0, flown)
    assert (state.counts["N2"].left_on, state.counts["N1"].left_on, state.battle.fixed) == (left_on, 0, ["N3"])
    assert state.placed == ([0, 1, 2] if turn > 3 else [0, 1])


def test_an_objection_puts_all_back() -> None:
    state = taken_up(positions_seen=["positions: so no; reason not so"]).play(2).state
    assert (state.battle.turn, state.battle.impulse, state.turns_flown, state.placed) == (0, 0, 0, [])
    assert (state.battle.units, state.battle.fixed, state.counts, state.invented) == ({}, [], {}, {})
    assert state.silent == [NORTH, SOUTH]


# --- over ---------------------------------------------------------------------------------------------------------
def one_is_left() -> Tracked:
    """The South's S1 is gone after the first piece; S8 and S9 are to come on turns 2 and 3."""
    ships = (ship("N1"), ship("S1"), ship("S8", arrives=1, most_speed=0), ship("S9", arrives=3))
    steps = tuple(step((one.code,)) for one in ships)
    game = Tracked(approach(ships=ships, steps=steps), watched=False).until(1)
    game.sheets[SOUTH, "plot"] = ["S1: report destroyed\nS8: report destroyed"]
    return game.play(1)


def test_whether_it_is_over_is_asked_so_and_each_side_reads_who_of_its_own_is_to_come(kept: Kept) -> None:
    north, south = one_is_left().asked_now()
    assert card(north) == kept("north")
    assert card(south) == kept("south")
    assert [*north.read_back(north.answer_from({}))] == ["The battle is over."]
    assert [*north.read_back(north.answer_from({"battle": {"goes_on": True}}))] == ["The battle is flown on."]
    assert [str(one) for one in north.refusals_of({"x": {}, "battle": {}})] == kept()


@cases("text, said", "")
def test_what_came_of_it_is_told(text: str, said: str) -> None:
    game = one_is_left()
    game.sheets[SOUTH, "battle over"] = [text]
    game.rest()
    (told,) = game.told(NORTH, "battle over")
    assert (told.text, told.to, told.why.rule if told.why else "") == (said, ("*",), "VM-N64")
    assert game.state.is_over is (not text)
