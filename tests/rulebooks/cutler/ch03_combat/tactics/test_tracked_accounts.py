"""Chapter 3.4.5 for a tracker: the result filled in with what was counted, separation, and coordinated forces."""

import pytest

from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.judging import named_in
from rules_engine.core.tactics.tallies import Fate, RangeTally, ShipTally, TacticalTally
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch03_combat.tactics.fields import (
    all_set_up,
    at,
    battle_asks,
    broken,
    field_of,
    fought,
    step_of,
    tactics_in,
)
from tests.rulebooks.cutler.worlds import refusals

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
    filled = ask.form.prefilled()
    assert refusals(ask, {key: line | sheet.get(key, {}) for key, line in filled.items()}) == []
    assert tactics_in(run).remarks(tally) == kept()


@pytest.mark.rule("cutler", "3.4.5")
def test_a_base_does_not_leave():
    text = "turn 2 impulse 3\nhydran base 0404 Post\nlyran F1 0404 CC\n"
    run = fought(text)
    tactics = tactics_in(run)
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
    filled = ask.form.prefilled()
    assert refusals(ask, {key: line | both.get(key, {}) for key, line in filled.items()}) == []
    assert tactics.remarks(TacticalTally(ships=(gone("H1F", "destroyed"),))) == kept()


@pytest.mark.rule("cutler", "3.4.5.1", "3.4.5.2")
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
    _, first, second = battle.steps
    assert [condition.kind for condition in first.conditions] == ["distance", "distance"]
    assert not {"K1", "K2"} & {code for one in first.conditions for code in named_in(one)}
    spots = {"L1": at("A", 0), "H1": at("A", 41), "H2": at("A", 45)}
    # None of the first race at exactly 40: one of the others will be.
    assert broken(battle, first, spots) == []
    assert broken(battle, first, spots | {"H2": at("A", 46)}) == ["3.4.3"]
    assert broken(battle, first, spots | {"H2": at("A", 39)}) == ["3.4.3"]
    assert broken(battle, second, spots | {"K1": at("A", 40), "K2": at("A", 45)}) == []
    assert broken(battle, second, spots | {"K1": at("A", 41), "K2": at("A", 45)}) == ["3.4.3"]
    # Within 10 of the other race's units, too.
    far = {"L1": at("A", 0), "H1": at("A", 40), "H2": at("A", 40)}
    assert broken(battle, second, far | {"K1": at("C", 10, at("A", 40)), "K2": at("A", 40)}) == []
    assert broken(battle, second, far | {"K1": at("C", 11, at("A", 40)), "K2": at("A", 40)}) == ["3.4.3"]
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
    battle = field_of(run)
    flight = [step for step in battle.steps if step.one_facing]
    assert [step.units for step in flight] == [("H1", "H2"), ("K1",)]


@pytest.mark.rule("cutler", "2.10", "3.5.9")
def test_of_two_races_at_the_edge_of_a_location_the_first_leaves_the_second_a_way_to_set_up():
    text = (
        "turn 2 impulse 3\nasteroids 0404\ntogether hydran klingon\nlyran F1 0404 CC\n"
        "hydran F1 0404 CA[from=0505]+FF[from=0505]\nklingon F1 0404 DD[from=0505]\n"
    )
    sent = {"lyran-F1-CC": {"place": "asteroids"}}
    battle = field_of(fought(text, allocate_lyran=sent))
    assert [step.units for step in battle.steps] == [("L1",), ("H1", "H2"), ("K1",)]
    _, first, second = battle.steps
    for there, near, far in ((28, 68, 73), (8, 58, 63)):
        placed = {"L1": at("A", there), "H1": at("A", near + 1), "H2": at("A", far)}
        assert broken(battle, first, placed) == []
        assert broken(battle, first, placed | {"H2": at("A", far + 1)}) == ["3.5.9, 3.4.3, CU-N155"]
        assert broken(battle, second, placed | {"K1": at("A", near)}) == []
        assert broken(battle, second, placed | {"K1": at("A", near + 1)}) == ["3.5.9, 3.4.3, CU-N155"]
