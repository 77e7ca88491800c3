"""Chapter 3.4.5 for a tracker: the result filled in with what was counted, separation, and coordinated forces."""

import pytest

from rules_engine.core.grids.space import Way, hexes_between, turned
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.judging import named_in
from rules_engine.core.tactics.tallies import Fate, RangeTally, ShipTally, TacticalTally
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.ch03_combat import test_hydraxx
from tests.rulebooks.cutler.ch03_combat.tactics.fields import (
    all_set_up,
    at,
    battle_asks,
    broken,
    field_of,
    fought,
    speeds,
    step_of,
    tactics_in,
)
from tests.rulebooks.cutler.worlds import RACES, refusals
from tests.rulebooks.vector.battles.tracked import Tracked

# --- pursuits --------------------------------------------------------------------------------------------------------
RUNNERS = ("hydran-F1-CA", "hydran-F1-FF")


def caught(surround: dict[str, object] | None = None, way: int = 4, hunters: str = "CC+CW") -> TacticalBattle:
    """Two Hydran ships that run and are caught by Lyrans; a first group that surrounds succeeds, with this ``way``."""
    text = f"turn 1 impulse 3\nhydran F1 0404 CA[warp=8]+FF\nlyran F1 0404 {hunters}\n"
    dice = {"escape from": [6], "surround, group 1": [3], "surround, group 2": [4], "direction, group 1": [way]}
    run = fought(
        text, dice, wave_hydran=[{"wave": {"ships": list(RUNNERS)}}], pursuit_lyran=all_in_one_group,
        surround_lyran=surround or {},
    )  # fmt: skip
    return field_of(run)


def all_in_one_group(ask: AnyAsk) -> dict[str, object]:
    """A pursuit in which all that can go go together."""
    return {line.key: {"group": 1} for line in ask.form.lines}


@pytest.mark.rule("cutler", "3.6", "3.6.1")
def test_who_flees_is_set_up_first_at_weapon_status_0_pursuers_at_2_and_all_at_their_own_maximum():
    battle = caught(hunters="CC[imp=0]+CW")
    assert [step.units for step in battle.steps] == [("H1", "H2"), ("L1", "L2")]
    assert speeds(battle) == {"H1": (9, 9, 0), "H2": (13, 13, 0), "L1": (30, 30, 2), "L2": (25, 25, 2)}
    flight, pursuit = battle.steps
    assert (flight.one_facing, flight.faces_enemy) == (True, False)
    assert (pursuit.one_facing, pursuit.faces_enemy) == (False, True)


@cases("first, second, legal")
def test_pursuers_stand_30_to_34_from_the_nearest_enemy_and_one_at_exactly_30(first: int, second: int, legal: bool):
    battle = caught()
    spots = {"H1": at("A", 0), "H2": at("D", 10), "L1": at("A", first), "L2": at("A", second)}
    assert broken(battle, battle.steps[1], spots) == ([] if legal else ["3.6.1"])


@pytest.mark.rule("cutler", "3.6.1.1")
@pytest.mark.parametrize("facing", ["A", "C", "F"])
def test_directions_count_from_the_facing_of_who_flees(facing: Way):
    battle = caught({"lyran-F1-CW": {"group": 1}, "rest": {"direction": 2}}, way=5)
    fleeing = {"H1": at("A", 0), "H2": at("A", 0)}
    for way in range(1, 7):
        other = {"L1": at(turned(facing, 1), 30), "L2": at(turned(facing, way - 1), 30)}
        assert broken(battle, battle.steps[1], fleeing | other, facing) == ([] if way == 5 else ["3.6.1.1, CU-N94"])
    astray = {"L1": at(turned(facing, 3), 30), "L2": at(turned(facing, 4), 30)}
    assert broken(battle, battle.steps[1], fleeing | astray, facing) == ["3.6.1.1, CU-N94"]


def two_groups() -> TacticalBattle:
    """Two Lyran ships surround, a third one tries in vain, the fourth stays with the rest."""
    groups = {f"lyran-F1-{ship}": {"group": 1 if number < 2 else 2} for number, ship in enumerate(("CW", "CW2", "FF"))}
    return caught(groups, 1, "CC+CW+CW+FF")


@pytest.mark.rule("cutler", "3.6.1.1", "3.6.1")
def test_groups_that_surround_and_those_that_fail_find_their_places():
    assert all_set_up(two_groups()) == 6


@pytest.mark.rule("cutler", "3.6.1.1")
def test_six_groups_all_round_find_their_places():
    ships = ["FF", *(f"FF{number}" for number in range(2, 7))]
    text = f"turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 {'+'.join(['FF'] * 6)}\n"
    dice = {"escape from": [6]} | {f"direction, group {number}": [number] for number in range(1, 7)}
    battle = field_of(
        fought(
            text,
            dice,
            wave_hydran=[{"wave": {"ships": ["hydran-F1-CA"]}}],
            pursuit_lyran=all_in_one_group,
            surround_lyran={f"lyran-F1-{ship}": {"group": number} for number, ship in enumerate(ships, 1)},
        )
    )
    assert all_set_up(battle) == 7


# --- in the tracker --------------------------------------------------------------------------------------------------
MEETING = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
DICE = {"set-up, Hydran": [6], "set-up, Lyran": [1]}
FLANK = {"flank_lyran": {"lyran-F1-FF": {"group": 1}}}
HYDRAN, LYRAN = ("hydran", "set-up"), ("lyran", "set-up")


def begun(turn: int, pieces: int = 1) -> Tracked:
    """The Hydran in the middle, a Lyran ship 40 hexes off, and the other one to come on this turn."""
    run = fought(MEETING, DICE | {"flank 1, lyran": [min(6, turn - 1)]}, **FLANK)
    sheets = {HYDRAN: [f"H1: at {at('A', 0)}\nH2: at {at('B', 10)}"], LYRAN: [f"L1: at {at('D', 40)}"]}
    return Tracked(field_of(run), sheets, options={"pieces": pieces}, labels=RACES[:2])


@pytest.mark.rule("cutler", "3.4.3")
def test_a_set_up_is_refused_for_one_hex():
    game = begun(2)
    (ask,) = game.asked_now()
    assert ask.parties == ("hydran",)
    for apart, rules in ((10, []), (11, ["3.4.3"])):
        assert [rule for _, rule in refusals(ask, {"H1": {"at": at("A", 0)}, "H2": {"at": at("B", apart)}})] == rules
    game.play(1)
    (ask,) = game.asked_now()
    assert ask.parties == ("lyran",)
    assert {rule for _, rule in refusals(ask, {"L1": {"at": at("D", 39)}})} == {"3.4.3"}
    assert refusals(ask, {"L1": {"at": at("D", 40)}}) == []


@pytest.mark.rule("cutler", "3.7.2", "3.7.6")
def test_a_flank_comes_on_its_turn_30_hexes_off_at_its_own_speed():
    game = begun(2).until(1)
    assert "L2" not in game.state.battle.units
    (ask,) = game.asked_now()
    assert (ask.kind, ask.parties) == ("set-up", ("lyran",))
    assert "3.7.2" in {rule for _, rule in refusals(ask, {"L2": {"at": at("A", 29, game.state.battle.units["H1"].at)}})}
    game.play(1)
    units = game.state.battle.units
    assert min(hexes_between(units["L2"].at, units[code].at) for code in ("H1", "H2")) >= 30
    assert units["L2"].vector.says == f"13{units['L2'].facing}", "12 by warp and 1 by impulse, straight ahead"


@pytest.mark.rule("cutler", "3.7.8")
def test_nothing_reaches_the_others_of_a_flank_that_has_not_come():
    soon, late = begun(3).until(2), begun(7).until(2)
    assert soon.seen_by("hydran") == late.seen_by("hydran")
    assert [kind in soon.seen_by("lyran") for kind in ("on turn 3", "on turn 7")] == [True, False], "its owner's alone"
    assert soon.play(1).seen_by("hydran") != late.play(1).seen_by("hydran")


@pytest.mark.rule("cutler", "3.4.5.1")
def test_ranges_that_do_not_shrink_are_counted_and_said():
    # At full speed they fly at each other, pass in the first turn, and only draw apart from then on.
    game, tactics = begun(7), tactics_in(fought(MEETING, DICE))
    assert list(tactics.remarks(TRACKER.tally(game.until(1).state))) == []
    for turn, quiet in ((2, "1 turn"), (3, "2 turns")):
        (said,) = tactics.remarks(TRACKER.tally(game.until(turn).state))
        assert said == f"Hydran and Lyran: no range has shrunk for {quiet}; separation needs 20 (3.4.5.1)."


@pytest.mark.rule("cutler", "3.5.9", "3.6", "3.6.1")
def test_every_battle_of_the_books_example_is_set_up_in_the_tracker():
    run = test_hydraxx.played()
    for number in range(len(battle_asks(run))):
        battle = field_of(run, number)
        game = Tracked(battle, labels=[one for one in RACES if one.key in battle.sides])
        game.play(sum(not battle.ship(step.units[0]).arrives for step in battle.steps))
        assert {*game.state.battle.units} == {one.code for one in battle.ships if not one.arrives}
        # Nothing is asked but the set-up, and each default is legal.
        assert {ask.kind for ask in game.asks} == {"set-up"}
        assert [refusals(ask, {}) for ask in game.asks] == [[]] * len(game.asks)


# --- tracked accounts ------------------------------------------------------------------------------------------------
PLAIN = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
OWNERS = {"H": "hydran", "L": "lyran", "K": "klingon"}


def gone(code: str, fate: Fate, turn: int = 9, speed: int = 12) -> ShipTally:
    return ShipTally(code=code, side=OWNERS[code[0]], fate=fate, turn=turn, speed=speed)


@pytest.mark.rule("cutler", "3.4.5", "3.4.5.2")
def test_the_result_is_filled_in_with_who_was_destroyed_and_who_left(kept: Kept):
    run = fought(PLAIN)
    tally = TacticalTally(
        turns=30,
        ships=(gone("H1", "destroyed"), gone("H2", ""), gone("L1", "disengaged", 24, 6), gone("L2", "left the map")),
    )
    sheet = tactics_in(run).account(tally)
    assert sheet == {"H1": {"fate": "destroyed"}, "L1": {"fate": "disengaged"}, "L2": {"fate": "disengaged"}}
    (ask,) = battle_asks(run)
    assert refusals(ask, {key: line | sheet.get(key, {}) for key, line in ask.form.prefilled().items()}) == []
    assert tactics_in(run).remarks(tally) == kept()


@pytest.mark.rule("cutler", "3.4.5")
def test_a_base_does_not_leave():
    tactics = tactics_in(fought("turn 2 impulse 3\nhydran base 0404 Post\nlyran F1 0404 CC\n"))
    assert tactics.account(TacticalTally(ships=(gone("H1", "left the map"),))) == {}
    assert tactics.account(TacticalTally(ships=(gone("H1", "destroyed"),))) == {"H1": {"fate": "destroyed"}}


@pytest.mark.rule("cutler", "3.7.5", "3.4.5")
def test_fighters_that_flanked_and_are_lost_are_lost_to_their_carrier(kept: Kept):
    text = "turn 1 impulse 3\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 CC\n"
    run = fought(text, flank_hydran={"hydran-F1-CV/fighters": {"group": 1}})
    tactics = tactics_in(run)
    assert tactics.account(TacticalTally(ships=(gone("H1F", "disengaged"),))) == {}
    sheet = tactics.account(TacticalTally(ships=(gone("H1F", "destroyed"),)))
    assert sheet == {"H1": {"fighters_lost": 6, "boosters_lost": 6}}
    both = tactics.account(TacticalTally(ships=(gone("H1F", "destroyed"), gone("H1", "disengaged"))))
    assert both == {"H1": {"fate": "disengaged", "fighters_lost": 6, "boosters_lost": 6}}
    (ask,) = battle_asks(run)
    assert refusals(ask, {key: line | both.get(key, {}) for key, line in ask.form.prefilled().items()}) == []
    assert tactics.remarks(TacticalTally(ships=(gone("H1F", "destroyed"),))) == kept()


@cases("quiet, says")
def test_separation_takes_20_turns_without_closing(quiet: int, says: str):
    tally = TacticalTally(turns=40, ranges=(RangeTally(one="hydran", other="lyran", quiet_turns=quiet),))
    assert tactics_in(fought(PLAIN)).remarks(tally) == [says]


@pytest.mark.rule("cutler", "3.4.5.1")
@pytest.mark.parametrize(("fate", "remarks"), [("", 1), ("disengaged", 2), ("destroyed", 2)])
def test_separation_is_said_while_both_forces_have_somebody_there(fate: Fate, remarks: int):
    quiet = (RangeTally(one="hydran", other="lyran", quiet_turns=20),)
    said = tactics_in(fought(PLAIN)).remarks
    one_left = TacticalTally(turns=40, ships=(gone("H1", ""), gone("L1", fate), gone("L2", "")), ranges=quiet)
    assert len(said(one_left)) == remarks
    assert "either side may disengage by separation" in said(one_left)[-1]
    none_left = TacticalTally(
        turns=40, ships=(gone("H1", ""), gone("L1", "destroyed"), gone("L2", "disengaged")), ranges=quiet
    )
    assert not any("separation" in one for one in said(none_left))


# --- coordinated forces ----------------------------------------------------------------------------------------------
TOGETHER = "together hydran klingon\nhydran F1 0404 CA+FF\nklingon F1 0404 DD+PF\nlyran F1 0404 CC\n"


def united(*, lyran_first: bool, **answers: object) -> TacticalBattle:
    """Hydran and Klingon against Lyran."""
    dice = {"set-up, Lyran": [6 if lyran_first else 1], "set-up, Hydran": [3]}
    return field_of(fought(f"turn 1 impulse 3\n{TOGETHER}", dice, **answers))


@pytest.mark.rule("cutler", "2.10", "3.4.3")
def test_races_of_a_force_set_up_one_after_the_other_under_its_conditions():
    battle = united(lyran_first=True)
    assert battle.forces == (("hydran", "klingon"), ("lyran",))
    assert [step.units for step in battle.steps] == [("L1",), ("H1", "H2"), ("K1", "K2")]
    _, first, _ = battle.steps
    assert [condition.kind for condition in first.conditions] == ["distance", "distance"]
    assert not {"K1", "K2"} & {code for one in first.conditions for code in named_in(one)}
    assert all_set_up(battle) == 5


@pytest.mark.rule("cutler", "2.10", "3.4.4")
def test_the_slowest_of_a_force_is_the_slowest_of_all_its_races():
    battle = united(lyran_first=False)
    assert {(one.side, one.most_speed) for one in battle.ships} == {("hydran", 7), ("klingon", 7), ("lyran", 31)}


@pytest.mark.rule("cutler", "2.10", "3.7.1", "3.7.2")
def test_a_flanking_group_of_two_races_arrives_together():
    flanks = {"hydran-F1-FF": {"group": 1}}, {"klingon-F1-PF": {"group": 1}}
    battle = united(lyran_first=False, flank_hydran=flanks[0], flank_klingon=flanks[1])
    assert [step.units for step in battle.steps] == [("H1",), ("K1",), ("L1",), ("H2",), ("K2",)]
    assert battle.ship("H2").arrives == battle.ship("K2").arrives > 0
    spots = {"H1": at("A", 0), "K1": at("A", 0), "L1": at("A", 40), "H2": at("D", 0)}
    assert broken(battle, step_of(battle, "K2"), spots | {"K2": at("D", 10)}) == []
    assert broken(battle, step_of(battle, "K2"), spots | {"K2": at("D", 11)}) == ["3.7.2"]


@pytest.mark.rule("cutler", "2.10", "3.6")
def test_all_races_of_a_force_that_flees_face_one_way():
    text = f"turn 1 impulse 3\n{TOGETHER.replace('CC', 'CC+CC+CC+CC')}"
    run = fought(
        text,
        {"escape from": [6]},
        wave_hydran=[{"wave": {"ships": ["hydran-F1-CA", "hydran-F1-FF"]}}],
        wave_klingon=[{"wave": {"ships": ["klingon-F1-DD"]}}],
        pursuit_lyran={"lyran-F1-CC": {"group": 1}},
    )
    assert [step.units for step in field_of(run).steps if step.one_facing] == [("H1", "H2"), ("K1",)]


def at_the_edge() -> TacticalBattle:
    """Hydran and Klingon attack a Lyran at the edge of an asteroid belt."""
    text = (
        "turn 2 impulse 3\nasteroids 0404\ntogether hydran klingon\nlyran F1 0404 CC\n"
        "hydran F1 0404 CA[from=0505]+FF[from=0505]\nklingon F1 0404 DD[from=0505]\n"
    )
    return field_of(fought(text, allocate_lyran={"lyran-F1-CC": {"place": "asteroids"}}))


NOTATION = {"at": at, "caught": caught, "two_groups": two_groups, "united": united, "at_the_edge": at_the_edge}


@cases("proves, battle, step, spots, rules")
def test_where_pursuers_and_races_of_a_force_may_be_set_up(battle: str, step: int, spots: str, rules: list[str]):
    field = evaluated(battle, NOTATION)
    assert broken(field, field.steps[step], evaluated(spots, NOTATION)) == rules


@pytest.mark.rule("cutler", "2.10", "3.5.9")
def test_two_races_at_the_edge_of_a_location_are_set_up_one_after_the_other():
    assert [step.units for step in at_the_edge().steps] == [("L1",), ("H1", "H2"), ("K1",)]
