"""Odds by Cutler's rules, worked out by hand from the book's tables, and of what a race may know alone."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.odds import Odds
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch03_combat.combat import exchange
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.shown.odds import escape_chance
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.standing.test_answers import given
from tests.rulebooks.cutler.worlds import table_of, world

# --- tables of side --------------------------------------------------------------------------------------------------

TEXT = """
turn 1 impulse 3
planet capital 0205 hydran throne
hydran F1 0404 CA[warp=15]+DD course 0405
hydran base 0205 Rock
lyran F1 0606 CC
reserve hydran 40
"""


def tables(state: CutlerState, side: str = "hydran") -> dict[str, SideTable]:
    return {one.key: one for one in RULEBOOK.side_tables(state, side, Knowledge())}


def test_ships_have_what_is_left_of_them() -> None:
    table = tables(world(TEXT))["ships"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["Unit"], row["Fleet"], row["Hex"], row["Speed"], row["Warp"]) for row in rows] == [
        ("Hydran F1 Ca", "F1", "0404", "3", "15 of 30"),
        ("Hydran F1 Dd", "F1", "0404", "6", "18 of 18"),
        ("Rock", "", "0205", "0", "0 of 0"),
    ]


def test_forces_have_their_courses_and_orders() -> None:
    state = given(world(TEXT), hydran_F1="combat x1.5; go on")
    assert tables(state)["forces"].rows == (
        ("F1", "0404", "2", "3", "0405", "Hydran F1 Ca, Hydran F1 Dd", "combat x1.5; go on"),
    )
    state.standing["hydran/F1"].loop = ["0405", "0404"]
    assert tables(state)["forces"].rows[0][4] == "loop 0404 0405" or tables(state)["forces"].rows[0][4].startswith(
        "0405"
    )


def test_stores_and_planets() -> None:
    found = tables(world(TEXT))
    assert found["stores"].rows == (
        ("0205", "CPV", "0", "50 cargo boxes"),
        ("", "Base Pool", "0", ""),
        ("", "Intelligence Reserve", "40", "300 at the end of a turn"),
        ("", "Counter-intelligence", "0", ""),
    )
    assert [row[:4] for row in found["planets"].rows] == [("Throne", "capital", "0205", "100")]


def test_nothing_of_the_others_stands_in_them() -> None:
    one, other = world(TEXT), given(world(TEXT + "lyran F2 0404 CW\nreserve lyran 77"), lyran="bypass")
    assert tables(one) == tables(other)


# --- odds ------------------------------------------------------------------------------------------------------------

MET = "turn 1 impulse 3\nhydran F1 0404 CA+DD+SC\nhydran base 0505 Rock[sensors=1]\nlyran F1 0404 CC+FF+FF\n"


def odds(own: str, target: str, text: str = MET, state: CutlerState | None = None) -> Odds:
    """The Hydran's odds, who has met whom it shares 0404 with: that is C1."""
    state = state or world(text)
    turn = table_of(state)
    for race in ("lyran",):
        if units := [unit for unit in state.units_in("0404", race) if not unit.cloaked]:
            exchange(turn, "hydran", race, "0404", units)
    return RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own, target)


def refused(own: str, target: str) -> str:
    with pytest.raises(Refused) as found:
        odds(own, target)
    return str(found.value.refusals[0])


# --- escapes (3.3.7.1: a die of 3 or less escapes) --------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.3.7.1")
@pytest.mark.parametrize(
    ("modifiers", "sixths"), [(-9, 6), (-3, 6), (-2, 5), (-1, 4), (0, 3), (1, 2), (2, 1), (3, 0), (9, 0)]
)
def test_the_chance_of_an_escape_by_hand(modifiers: int, sixths: int) -> None:
    assert escape_chance(modifiers) == Fraction(sixths, 6)


@pytest.mark.rule("cutler", "3.3.7.1")
def test_a_fleet_runs_from_a_contact_and_the_contact_from_it(kept: Kept) -> None:
    # Three ships: +1 for each two. Die 1-2 of 6 for pursuers as fast; for pursuers of speed 5 one more.
    lines = odds("F1", "C1").lines
    assert lines[1:6] == kept()
    assert lines[6:8] == kept("lines(6:8)")
    assert lines[8] == "• runners of speed 5: **17 %** (33 % if they have a navigator)"  # 6 less their speed is added


@pytest.mark.rule("cutler", "3.3.7.1")
@cases("ships, terrain, said")
def test_what_is_added_is_said(ships: str, terrain: str, said: str) -> None:
    text = f"turn 1 impulse 3\nhydran F1 0404 {ships}\nlyran F1 0404 CC\n{terrain}"
    (line,) = [one for one in odds("F1", "C1", text).lines if one.startswith("F1 runs")]
    assert line.endswith(said)


def test_a_navigator_that_nobody_can_have_is_not_spoken_of() -> None:
    state = world(MET)
    state.accessories = {}
    assert "• pursuers of speed 6: **33 %**" in odds("F1", "C1", state=state).lines


def test_who_cannot_run_is_told_so() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA[warp=0]\nlyran F1 0404 CC\n"
    assert "None of F1's ships can run (3.3.2)." in odds("F1", "C1", text).lines


# --- scans (8.4: 1-3; 8.4.1: a hex farther, 1) ------------------------------------------------------------------------


@pytest.mark.rule("cutler", "8.4", "8.4.1")
@cases("own, target, said")
def test_a_scan_by_hand(own: str, target: str, said: str) -> None:
    assert odds(own, target).lines[0] == said


def test_who_has_no_sensors_or_is_under_cloak_does_not_scan() -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nhydran F2 0404 SC[cloak=up]\nlyran F1 0404 CC\n"
    assert odds("F1", "0404", text).lines == ("No scan: no special sensor there works (8.1).",)
    assert odds("F2", "0404", text).lines[0] == "No scan: under cloak nobody scans (8.1)."


# --- missions (6.5.2: 10 to 20 net need 1-4, more 1-5, fewer fail) ----------------------------------------------------


LIKELY = "nothing against it: **67 %**, 1-4 on a die"


@pytest.mark.rule("cutler", "6.5.2")
@cases("points, cases")
def test_a_mission_by_hand(points: str, cases: list[str]) -> None:
    assert [line.removeprefix("• ") for line in odds("spies", points).lines[1:]] == cases


# --- nebulae (2.4.1.10) -----------------------------------------------------------------------------------------------

CLOUD = "turn 1 impulse 3\nnebula 0404\nhydran F1 0404 CA\nhydran F2 0404 CW[officers=navigator]\nhydran F3 0405 FF\n"


@pytest.mark.rule("cutler", "2.4.1.10")
def test_leaving_a_nebula_by_hand() -> None:
    assert odds("F1", "nebula", CLOUD).lines[1] == "• 5 or 6: it leaves as plotted, **33 %**"
    assert odds("F2", "Nebula", CLOUD).lines[1] == "• 5 or 6, or 4 with its navigator: it leaves as plotted, **50 %**"
    for own in ("F1", "F2"):  # every result of the die is told of once
        shares = [line.rsplit(", ", 1)[1].strip("*") for line in odds(own, "nebula", CLOUD).lines[1:]]
        assert sum({"17 %": 1, "33 %": 2, "50 %": 3}[one] for one in shares) == 6
    with pytest.raises(Refused, match="F3 is in no nebula"):
        odds("F3", "nebula", CLOUD)


# --- what may be asked ------------------------------------------------------------------------------------------------


def test_the_menu_has_what_is_ones_own_and_what_one_knows() -> None:
    state = world(MET + "klingon F1 0606 CW\n")
    turn = table_of(state)
    exchange(turn, "hydran", "lyran", "0404", state.units_in("0404", "lyran"))
    menu = RULEBOOK.odds_menu(state, "hydran", turn.knowledge("hydran"))
    assert [one.value for one in menu.own] == ["F1", "S1", "spies"]
    assert [one.value for one in menu.targets][:2] == ["C1", "10 IP"]
    assert menu.targets[0].label == "C1, Lyran in 0404"
    for own in menu.own:
        for target in menu.targets:
            if (own.value == "spies") is (" IP" in target.value):
                assert all(RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own.value, target.value).lines)
            else:  # spies are no use against a counter, nor points to a fleet
                with pytest.raises(Refused) as found:
                    RULEBOOK.odds(state, "hydran", turn.knowledge("hydran"), own.value, target.value)
                assert all(one.legal for one in found.value.refusals)


@cases("own, target, said")
def test_what_cannot_be_asked_is_refused_in_a_sentence(own: str, target: str, said: str) -> None:
    assert refused(own, target).startswith(said)


def test_odds_tell_nothing_of_what_is_hidden() -> None:
    """Two worlds that differ in the others' engines, crews and hidden ships."""
    one = world(MET)
    other = world(MET + "lyran F2 0404 CW[cloak=up]\n")
    for unit in other.alive("lyran"):
        unit.warp_ok, unit.crew_quality = unit.warp_ok // 2, "poor"
    for own, target in (("F1", "C1"), ("S1", "C1"), ("F1", "0404")):
        told, again = odds(own, target, state=one), odds(own, target, state=other)
        assert told.lines[:1] == again.lines[:1]
        assert [line for line in again.lines if line not in told.lines] in (
            [],
            ["It finds who is under cloak with 17 % (8.6)."],  # whether there are cloaks at all, all know
        )
