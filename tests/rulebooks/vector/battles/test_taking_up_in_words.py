"""What captains read where a battle under way is taken up, or may be over, word for word."""

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.battles.cards import card
from tests.rulebooks.vector.battles.test_placing_in_words import mixed
from tests.rulebooks.vector.battles.tracked import NORTH, SOUTH, Tracked, approach, ship, step

NORTH_STANDS = "battle: turn 5\nN1: at 5050; facing D; vector 6A+6B\nN2: unit destroyed\nN3: at 5051"
SOUTH_STANDS = "battle: turn 5\nS1: at 5010; vector 12D\nS9: unit disengaged"
HEX = "; column and row, as 0412"
OPTIONAL = f"  at: Hex (text up to 12), optional{HEX}"
IS = "  unit: It is (one of here, destroyed, disengaged, left the map) = "
FACING = "  facing: Facing (one of A, B, C, D, E, F) = "
VECTOR = "  vector: Vector (text up to 40) = {}; as 12C or 6A+6B; 0 at rest"
TURN = "  turn: Next turn (number 1-999){}; the turn to be flown"


def taken_up(**more: list[str]) -> Tracked:
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): [SOUTH_STANDS]}
    return Tracked(mixed(), sheets | {(NORTH, key.replace("_", " ")): texts for key, texts in more.items()}, late=True)


def test_who_types_positions_is_asked_so() -> None:
    (_, ask) = Tracked(mixed(), late=True).asked_now()
    assert card(ask) == [
        "Positions of the battle under way",
        "Say which turn comes next, and where your units stand. Others do so at once; then all see it.",
        "Where do they stand? The next turn, and hex, facing and vector of each unit.",
        "a unit; others stay as typed",
        "battle = The battle",
        TURN.format(""),
        "S1 = S1 Ship S1",
        f"{IS}here",
        OPTIONAL,
        f"{FACING}A",
        VECTOR.format(0),
        "S9 = S9 Ship S9: arrives on turn 3: no hex before",
        f"{IS}here",
        OPTIONAL,
        f"{FACING}A",
        VECTOR.format(0),
        "Nothing is typed yet: it is asked again.",
    ]
    assert [*ask.read_back(ask.answer_from({}))] == ["Nothing is said yet."]
    assert not any(field.optional for field in ask.form.lines[1].fields if field.key == "vector")


def test_who_is_asked_again_finds_what_was_typed() -> None:
    game = taken_up(positions_seen=["positions: so no; reason not so"]).play(2)
    (ask, _) = game.asked_now()
    assert card(ask)[4:] == [
        "battle = The battle",
        TURN.format(" = 5"),
        "N1 = N1 Ship N1: CA",
        f"{IS}here",
        f"  at: Hex (text up to 12) = 5050, optional{HEX}",
        f"{FACING}D",
        VECTOR.format("6A+6B"),
        "N2 = N2 Ship N2",
        f"{IS}destroyed",
        OPTIONAL,
        f"{FACING}A",
        VECTOR.format(0),
        "N3 = N3 Ship N3: base",
        f"{IS}here",
        f"  at: Hex (text up to 12) = 5051, optional{HEX}",
        f"{FACING}A",
        VECTOR.format(0),
        "What was typed before stands.",
    ]


def test_what_is_typed_is_told_and_read_back(kept: Kept) -> None:
    game = taken_up()
    (ask, _) = game.asked_now()
    stands: Sheet = {"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {"unit": "left the map"}, "N3": {"at": "5051"}}
    assert [*ask.read_back(ask.answer_from({**stands}))] == kept()
    game.play(2)
    north = (
        "The North: Turn 5 comes next; N1 Ship N1 in 5050, faces D, 6A+6B, speed 12; N2 Ship N2 destroyed; "
        "N3 Ship N3 in 5051, faces A, at rest."
    )
    south = "The South: Turn 5 comes next; S1 Ship S1 in 5010, faces A, 12D, speed 12; S9 Ship S9 disengaged."
    assert [(one.to, one.kind, one.text, one.why.rule if one.why else "") for one in game.reports] == [
        (("*",), "positions", north, "VM-N67"),
        (("*",), "positions", south, "VM-N67"),
        (("*",), "positions", "The positions are agreed.", "VM-N67"),
    ]


def legal_but(**lines: dict[str, Json]) -> Sheet:
    return {"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {"at": "5051"}, "N3": {"at": "5052"}, **lines}


TOO_FAR = "Legal: columns and rows from -999 to 999."
NO_VECTOR = "Legal: hexes and direction, as 12C or 6A+6B, or 0."
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


def test_the_turn_reaches_to_999() -> None:
    (ask, _) = Tracked(mixed(), late=True).asked_now()
    for turn in (0, 1000):
        with pytest.raises(Refused):
            ask.answer_from({**legal_but(battle={"turn": turn})})


def seen() -> AnyAsk:
    return taken_up().play(1).asked_now()[0]


def test_who_confirms_positions_is_asked_so(kept: Kept) -> None:
    assert card(seen()) == kept()


def test_a_word_on_the_positions_is_judged_and_read_back() -> None:
    ask = seen()
    empty = "positions.reason: it does not say what is not so. Legal: what is not so."
    strange = "x: there is no such line. Legal: positions."
    no: dict[str, Json] = {"so": "no", "reason": "S1 is in 5012"}
    assert [str(one) for one in ask.refusals_of({"positions": {"so": "no"}})] == [empty]
    assert [str(one) for one in ask.refusals_of({"positions": {"so": "no", "reason": " "}})] == [empty]
    assert [str(one) for one in ask.refusals_of({"positions": {"so": "yes"}, "x": {}})] == [strange]
    assert [str(one) for one in ask.refusals_of({"positions": {"so": "no"}, "x": {}})] == [strange, empty]
    assert ask.refusals_of({"positions": no}) == ()
    assert [*ask.read_back(ask.answer_from({"positions": no}))] == ["They are not so: S1 is in 5012"]
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
    assert state.counts["N2"].left_on == left_on
    assert state.counts["N1"].left_on == 0
    assert state.battle.fixed == ["N3"]
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
    game = Tracked(approach(ships=ships, steps=steps)).until(1)
    game.sheets[SOUTH, "plot"] = ["S1: report destroyed\nS8: report destroyed"]
    return game.play(1)


def test_whether_it_is_over_is_asked_so_and_each_side_reads_who_of_its_own_is_to_come(kept: Kept) -> None:
    north, south = one_is_left().asked_now()
    head = ["Is the battle over?", "One force at most is left here. The battle is over unless somebody flies on."]
    rest = [
        "Fly on? One force at most is left here.",
        "a battle; others stay as they are",
        "battle = Fly on",
        "  goes_on: Fly on (flag) = False",
        "The battle is over.",
    ]
    assert card(north) == [*head, *rest]
    assert card(south) == [*head, "S9 Ship S9 arrives on turn 3.", *rest]
    assert [*north.read_back(north.answer_from({}))] == ["The battle is over."]
    assert [*north.read_back(north.answer_from({"battle": {"goes_on": True}}))] == ["The battle is flown on."]
    assert [str(one) for one in north.refusals_of({"x": {}, "battle": {}})] == kept()


@pytest.mark.parametrize(
    ("text", "said"), [("", "Nothing is left to be flown."), ("battle: goes_on yes", "The battle is flown on.")]
)
def test_what_came_of_it_is_told(text: str, said: str) -> None:
    game = one_is_left()
    game.sheets[SOUTH, "battle over"] = [text]
    game.rest()
    (told,) = game.told(NORTH, "battle over")
    assert (told.text, told.to, told.why.rule if told.why else "") == (said, ("*",), "VM-N64")
    assert game.state.is_over is (not text)
