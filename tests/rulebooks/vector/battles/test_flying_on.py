"""Tracked battles are flown piece by piece, counted, undone, taken up late and found over."""

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from rules_engine.rulebooks.vector.tracked.state import TrackedState
from tests.expected.kept import Kept
from tests.rulebooks.vector.battles.tracked import NORTH, SOUTH, Tracked, approach, ship, step

PLACED = {
    (NORTH, "set-up"): ["N1: at 5050; facing D\nN2: at 4950; facing D"],
    (SOUTH, "set-up"): ["S1: at 5010; facing A\nS2: at 4910; facing A"],
}
"""Both move away from each other, at speed 8."""


def fled(**values: Any) -> Tracked:
    """The two forces as they fly apart."""
    return Tracked(approach(**values), PLACED, watched=False)


# --- options ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("options", "ends"), [({}, 2), ({"pieces": 1}, 1), ({"pieces": 4, "friction": True}, 4)])
def test_a_turn_is_plotted_in_as_many_pieces_as_is_chosen(options: Mapping[str, Json], ends: int) -> None:
    game = Tracked(approach(), options=options, watched=False).until(1)
    assert (game.count["plot"], game.state.battle.options.friction) == (2 * ends, bool(options.get("friction")))


@pytest.mark.parametrize("options", [{"pieces": 3}, {"pieces": True}, {"friction": 1}, {"peices": 2}, {"pieces": "2"}])
def test_other_options_are_refused(options: Mapping[str, Json]) -> None:
    with pytest.raises(Refused):
        TRACKER.begin(approach(), options, late=False)


# --- what is counted -----------------------------------------------------------------------------------------------
def test_turns_in_which_no_range_shrinks_are_quiet() -> None:
    game = fled().until(3)
    (pair,) = TRACKER.tally(game.state).ranges
    assert (pair.one, pair.other) == (NORTH, SOUTH)
    assert pair.ranges == (56, 72, 88), "each flies 8 hexes a turn, apart"
    assert pair.quiet_turns == 3
    assert TRACKER.tally(game.state).turns == 3


def test_ranges_that_stay_are_quiet_too() -> None:
    abreast = {key: [one.replace("facing D", "facing A") for one in texts] for key, texts in PLACED.items()}
    (pair,) = TRACKER.tally(Tracked(approach(), abreast, watched=False).until(2).state).ranges
    assert (pair.ranges, pair.quiet_turns) == ((40, 40), 2)


def test_a_turn_in_which_one_range_shrinks_ends_the_quiet() -> None:
    """N1 and S1 slow down in turn 3 and come towards each other in turn 4, all others fly apart."""
    game = fled().until(2)
    slows = ["{}: plot reverse 7 on 1", "", "{}: plot reverse 7 on 1", ""]
    for side, code in ((NORTH, "N1"), (SOUTH, "S1")):
        game.sheets[side, "plot"] = [one.format(code) for one in slows]
    game.until(3)
    assert TRACKER.tally(game.state).ranges[0].quiet_turns == 3, "slower, and no nearer"
    game.until(4)
    units = game.state.battle.units
    assert (units["N1"].vector.says, units["S1"].vector.says, units["N2"].vector.says) == ("6A", "6D", "8D")
    assert (TRACKER.tally(game.state).ranges[0].quiet_turns, game.until(5).state.ranges[0].quiet_turns) == (0, 0)


def test_the_shortest_ranges_of_each_unit_are_kept() -> None:
    tally = TRACKER.tally(fled().until(2).state)
    assert [one.code for one in tally.ships] == ["N1", "N2", "S1", "S2"]
    assert {one.closest for one in tally.ships} == {(56, 72)}
    assert {one.speed for one in tally.ships} == {8}


def test_only_the_last_thirty_turns_are_kept() -> None:
    (pair,) = TRACKER.tally(Tracked(approach(), PLACED, options={"pieces": 1}, watched=False).until(32).state).ranges
    assert (len(pair.ranges), pair.ranges[-1], pair.quiet_turns) == (30, 40 + 16 * 32, 32)


def test_who_is_reported_gone_has_left_on_the_turn_that_was_flown(kept: Kept) -> None:
    """With a turn's first piece it is the turn before, with a later one the turn itself."""
    game = fled().until(2)
    game.sheets[SOUTH, "plot"] = ["S1: report disengaged", "S2: report off the map"]
    game.until(3)
    tally = TRACKER.tally(game.state)
    assert [(one.fate, one.turn, one.speed) for one in tally.ships if one.side == SOUTH] == kept()
    assert game.count["reports"] == 2, "the other force was asked both times"


def test_what_others_object_to_is_not_carried_out() -> None:
    game = fled().until(1)
    game.sheets |= {(SOUTH, "plot"): ["S1: report destroyed"], (NORTH, "reports"): ["S1-1: so no"]}
    game.sheets[SOUTH, "dispute"] = ["S1-1: so no"]
    game.play(1)
    counted = TRACKER.tally(game.state).ship("S1")
    assert counted is not None
    assert counted.fate == ""
    assert {ask.pace for ask in game.asks if ask.kind in ("plot", "reports")} == {"tactical"}


def test_what_units_did_is_told_piece_by_piece() -> None:
    """Speed 8 is 4 hexes in each half of a turn."""
    game = fled().play(2)
    assert [one.text for one in game.told(NORTH, "set-up")][-1].startswith("The set-up of The South is seen.")
    for impulses, row in (("1 to 16", 54), ("17 to 32", 58)):
        before = len(game.reports)
        game.rest()
        said = {one.text for one in game.reports[before:] if one.kind == "flight"}
        assert f"N1 Ship N1, impulses {impulses}, coasts. Now in 50{row}, facing D, 8D, speed 8." in said
        assert len(said) == 4
    assert [(one.text, one.to) for one in game.told(SOUTH, "turn")] == [("Turn 1 begins.", ("*",))]
    assert [one.when.label for one in game.told(SOUTH, "turn")] == ["Turn 1, before impulse 1"]
    assert [*dict.fromkeys(one.when.label for one in game.told(SOUTH, "flight"))] == [
        "Turn 1, impulse 16", "Turn 1, end",
    ]  # fmt: skip


# --- late arrivals --------------------------------------------------------------------------------------------------
def test_a_flank_is_placed_at_the_beginning_of_its_turn() -> None:
    game = Tracked(approach(flank=3), watched=False).until(2)
    assert "S9" not in game.state.battle.units
    (ask,) = game.rest()
    assert (ask.kind, ask.parties) == ("set-up", (SOUTH,))
    assert (game.state.battle.turn, game.state.battle.units["S9"].vector.speed) == (3, 20)
    assert [one.to for one in game.told(NORTH, "arrival")] == [("*",)]
    assert [one.parties for one in game.rest()] == [(NORTH,), (SOUTH,)]


def test_opposing_groups_of_one_turn_are_placed_one_after_the_other() -> None:
    base = approach()
    late = (ship("N9", arrives=2, arrives_after=2), ship("S9", arrives=2, arrives_after=1))
    steps = (*base.steps, step(("N9",)), step(("S9",)))
    game = Tracked(approach(ships=(*base.ships, *late), steps=steps), watched=False).until(1)
    assert [ask.parties for ask in game.rest()] == [(SOUTH,)]
    assert [ask.parties for ask in game.rest()] == [(NORTH,)]


def test_its_own_side_is_told_who_is_to_come() -> None:
    game = Tracked(approach(flank=3)).play(2)
    assert "S9 Ship S9 arrives on turn 3" in game.looks[SOUTH][-1]
    assert "S9" not in game.looks[NORTH][-1]


# --- over -----------------------------------------------------------------------------------------------------------
def lost(**values: Any) -> Tracked:
    """The South has lost all that is there."""
    game = Tracked(approach(**values), PLACED, watched=False).until(1)
    game.sheets[SOUTH, "plot"] = ["S1: report destroyed\nS2: report destroyed"]
    return game.play(1)


def test_when_one_force_is_left_all_are_asked_and_silence_ends_it() -> None:
    game = lost()
    assert not TRACKER.is_over(game.state)
    assert [(ask.kind, ask.parties) for ask in game.rest()] == [("battle over", (NORTH,)), ("battle over", (SOUTH,))]
    assert TRACKER.is_over(game.state)


def test_one_of_them_may_fly_on_and_is_asked_again_after_the_turn() -> None:
    game = lost(flank=3)
    game.sheets[SOUTH, "battle over"] = ["battle: goes_on yes"]
    game.rest()
    assert not TRACKER.is_over(game.state)
    game.until(2)
    assert [ask.kind for ask in game.rest()] == ["battle over", "battle over"]


def test_who_arrives_then_is_fought() -> None:
    game = lost(flank=3)
    game.sheets[SOUTH, "battle over"] = ["battle: goes_on yes"] * 2
    game.until(3)
    assert TRACKER.tally(game.state).ship("S9") is not None
    assert [ask.kind for ask in game.rest()] == ["plot", "plot"]


# --- taken up late --------------------------------------------------------------------------------------------------
NORTH_STANDS = "battle: turn 5\nN1: at 5050; facing D; vector 6A+6B\nN2: unit destroyed"
SOUTH_STANDS = "battle: turn 5\nS1: at 5010; vector 12D\nS2: unit disengaged"


def test_a_battle_under_way_is_taken_up_from_typed_positions(kept: Kept) -> None:
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): [SOUTH_STANDS]}
    game = Tracked(approach(), sheets, late=True)
    assert [(ask.kind, ask.parties) for ask in game.rest()] == [("positions", (NORTH,)), ("positions", (SOUTH,))]
    assert [(ask.kind, ask.parties) for ask in game.rest()] == [
        ("positions seen", (NORTH,)),
        ("positions seen", (SOUTH,)),
    ]
    game.rest()
    battle = game.state.battle
    assert (battle.turn, battle.impulse) == (5, 16)
    assert (battle.units["N1"].vector.says, battle.units["N1"].warp_left) == ("6A+6B", 30)
    tally = TRACKER.tally(game.state)
    assert tally.turns == 4
    assert [(one.code, one.fate) for one in tally.ships] == kept()


def test_the_turn_must_be_agreed(kept: Kept) -> None:
    other = SOUTH_STANDS.replace("turn 5", "turn 6")
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): [other, SOUTH_STANDS]}
    game = Tracked(approach(), sheets, late=True)
    game.rest()
    assert [one.text for one in game.told(NORTH)] == kept()
    assert [ask.kind for ask in game.rest()] == ["positions", "positions"]
    assert game.state.begun == "positions seen", "the North's silence stands for what it said"


def test_who_says_nothing_is_asked_again_alone() -> None:
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): ["", SOUTH_STANDS]}
    game = Tracked(approach(), sheets, late=True)
    game.rest()
    assert "N1" not in game.looks[SOUTH][-1]
    assert [ask.parties for ask in game.rest()] == [(SOUTH,)]
    assert game.state.begun == "positions seen"


def test_an_objection_is_told_and_all_are_asked_again() -> None:
    sheets = {
        (NORTH, "positions"): [NORTH_STANDS],
        (SOUTH, "positions"): [SOUTH_STANDS, SOUTH_STANDS.replace("5010", "5012")],
        (NORTH, "positions seen"): ["positions: so no; reason S1 stands in 5012"],
    }
    game = Tracked(approach(), sheets, late=True).play(2)
    assert game.told(SOUTH)[-1].text == "The North: the positions are not so. S1 stands in 5012"
    assert not game.state.battle.units
    game.play(2)
    assert (game.state.begun, game.state.battle.units["S1"].at) == ("", "5012")
    assert game.state.battle.units["N1"].at == "5050"


def test_what_is_left_out_or_wrong_is_refused() -> None:
    (ask, _) = Tracked(approach(flank=7), late=True).asked_now()
    sheets: list[tuple[dict[str, dict[str, Json]], str]] = [
        ({"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {}}, "N2.at"),
        ({"N1": {"at": "5050"}, "N2": {"at": "5051"}}, "battle.turn"),
        ({"battle": {"turn": 5}, "N1": {"at": "50"}, "N2": {"at": "5051"}}, "N1.at"),
        ({"battle": {"turn": 5}, "N1": {"at": "5050", "vector": "6G"}, "N2": {"at": "5051"}}, "N1.vector"),
        ({"battle": {"turn": 5}, "N1": {"at": "5050"}, "N2": {"at": "5051"}, "S1": {"at": "5050"}}, "S1"),
    ]
    for sheet, path in sheets:
        with pytest.raises(Refused) as refused:
            ask.answer_from({**sheet})
        assert [one.path for one in refused.value.refusals] == [path]
    south = Tracked(approach(flank=7), late=True).asked_now()[1]
    stands: dict[str, Json] = {"at": "5010"}
    lines: Json = {"battle": {"turn": 7}, "S1": stands, "S2": stands, "S9": stands}
    with pytest.raises(Refused) as refused:
        south.answer_from(lines)
    assert [one.path for one in refused.value.refusals] == ["S9.at"]


def test_who_is_to_come_is_placed_on_its_turn() -> None:
    sheets = {(NORTH, "positions"): [NORTH_STANDS], (SOUTH, "positions"): [SOUTH_STANDS]}
    game = Tracked(approach(flank=6), sheets, late=True).play(4)
    assert game.state.battle.turn == 5
    assert "S9" not in game.seen_by(NORTH)
    (ask,) = game.rest()
    assert (ask.parties, ask.kind, game.state.battle.turn) == ((SOUTH,), "set-up", 6)


# --- rests ----------------------------------------------------------------------------------------------------------
def test_undoing_asks_the_same_again() -> None:
    game = Tracked(approach(flank=2), watched=False).play(4)
    for _ in range(4):
        before = [(ask.title, ask.text, str(ask.form.lines), str(ask.default)) for ask in game.asked_now()]
        state = game.state.to_json()
        game.rest()
        game.undo()
        assert game.state.to_json() == state
        assert [(ask.title, ask.text, str(ask.form.lines), str(ask.default)) for ask in game.asked_now()] == before
        game.rest()


WORDS = (
    "accelerate 3 on {0}", "reverse 1 on {0}", "turn left on {0}", "turn right on {0}", "stop on {0}", "het B on {0}",
)  # fmt: skip


def any_battle(seed: int) -> TacticalBattle:
    """Up to four ships a side, some of which arrive later, of which some stay."""
    dice = random.Random(seed)
    codes = [f"{letter}{number}" for letter in "NS" for number in range(1, dice.randint(2, 4))]
    ships = [
        ship(
            code,
            flight=FlightRecord(size_class=dice.randint(1, 5), stays=dice.random() < 0.1),
            arrives=0 if code.endswith("1") else dice.choice((0, 0, 1, 2, 3)),
            least_speed=0,
            most_speed=dice.choice((0, 6, 20)),
        )
        for code in codes
    ]
    still = [one if not one.flight.stays else one.with_values(most_speed=0) for one in ships]
    return approach(ships=tuple(still), steps=tuple(step((code,)) for code in codes))


def anyhow(dice: random.Random) -> Any:
    """A pilot that tries anything, and is silent if it is refused."""

    def pilot(state: TrackedState, ask: AnyAsk) -> Json | None:
        first = state.battle.impulse % 32 + 1
        sheet: dict[str, Json] = {}
        for line in ask.form.lines:
            if ask.kind == "plot":
                words = dice.choice(WORDS).format(first + dice.randint(0, 7))
                report = dice.choice([None] * 12 + ["disengaged", "destroyed", "lost 3 warp"])
                sheet[line.key] = {"plot": words, "report": report} if report != "destroyed" else {"report": report}
            elif ask.kind in ("reports", "dispute"):
                sheet[line.key] = {"so": dice.choice(("yes", "yes", "no")) if ask.kind == "reports" else "yes"}
            elif ask.kind == "battle over":
                sheet[line.key] = {"goes_on": dice.random() < 0.6}
        try:
            ask.answer_from(sheet)
        except Refused:
            return None if ask.default is not None else {line.key: {"so": "yes"} for line in ask.form.lines}
        return sheet

    return pilot


@pytest.mark.parametrize("seed", range(12))
def test_any_battle_is_flown_without_defects_and_ends_or_goes_on(seed: int) -> None:
    """Defects are looked for at each rest by the driver; a state is written and read at each."""
    game = Tracked(any_battle(seed), pilot=anyhow(random.Random(seed)), options={"pieces": 2}).play(16)
    assert TRACKER.is_over(game.state) or TRACKER.turn_of(game.state) >= 3
    assert json.loads(json.dumps(game.rests[-1])) == game.rests[-1]
    assert {one.code for one in TRACKER.tally(game.state).ships} == {*game.state.battle.units}
