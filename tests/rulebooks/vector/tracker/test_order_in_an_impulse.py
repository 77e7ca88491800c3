"""Who and what comes first within an impulse. CJD1.32, VM-R09"""

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.vector.plotting.judging import plots_of
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.flying import fly_piece
from tests.expected.kept import cases
from tests.rulebooks.vector.duel import three
from tests.rulebooks.vector.plotting.sheets import asked, read_back, warned
from tests.rulebooks.vector.skies import fly, plot, sky, what

SHUTTLE = "form=shuttle size_class=6 turn_mode=shuttle"


def flown(battle: Tactical, text: str, last: int = 1) -> list[Happened]:
    """What happens when the hunters' sheet is flown as it was typed."""
    _, sheet = asked(battle, text)
    return fly_piece(battle, plots_of(battle, "hunters", sheet), last, None)


@pytest.mark.rule("vector", "CJD1.32", "CJD1.531")
@pytest.mark.parametrize("host", ["A1", "Z1"])
@pytest.mark.parametrize(("rated", "lands"), [(8, True), (6, False)])
def test_landing_is_judged_by_what_accelerations_made_of_the_host_whatever_the_codes(
    host: str, rated: int, lands: bool
):
    """The host flies 10A by then: the shuttle needs 4 of half its rated speed, which is 4 or 3."""
    battle = sky(f"{host} h 2020 A 6A\nS1 h 2020 A 6A {SHUTTLE} rated_speed={rated}")
    happened = fly(battle, {host: plot("accelerate 4 on 1"), "S1": plot(f"land {host} on 1")}, 1)
    assert battle.units[host].vector.says == "10A"
    assert (battle.units["S1"].out, battle.units["S1"].vector.says) == (("landed", "10A") if lands else ("", "6A"))
    refused = [(one.rule, one.to) for one in happened if one.what == "refused"]
    assert refused == ([] if lands else [("CJD1.53", ("h",))])
    assert battle.units["S1"].half_left == (0 if lands else 3)


@cases("events")
def test_launched_unit_starts_with_the_vector_after_acceleration_in_whatever_order_it_is_said(events: tuple[str, str]):
    battle = sky("H1 h 2020 A 6A\nD1 h 2020 A 0 form=drone size_class=7 rated_speed=24 aboard=H1")
    fly(battle, {"H1": plot(*events)}, 1)
    assert (battle.units["H1"].vector.says, battle.units["D1"].vector.says) == ("10A", "12A")


@pytest.mark.rule("vector", "CJD1.32", "CJD1.51")
@pytest.mark.parametrize("events", [("accelerate 4 on 1", "weasel on 1"), ("weasel on 1", "accelerate 4 on 1")])
def test_weasel_is_not_voided_by_the_acceleration_of_the_impulse_on_which_it_goes_out(events: tuple[str, str]):
    battle = sky("H1 h 2020 A 6A")
    assert what(fly(battle, {"H1": plot(*events)}, 1)) == [(1, "H1", "accelerated"), (1, "H1", "weasel")]
    assert battle.units["H1"].weasel == "out"


@pytest.mark.rule("vector", "CJD1.32", "CJD1.531")
@pytest.mark.parametrize("carrier", ["A1", "Z1"])
def test_two_landings_on_one_impulse_are_judged_at_once_when_one_lands_on_the_other(carrier: str):
    """The PF lands on its ship with 2 hexes of acceleration; the shuttle lands on the PF as it flew before that."""
    pf = f"{carrier} h 2020 A 4A form=PF size_class=5 turn_mode=A rated_speed=20"
    battle = sky(f"H1 h 2020 A 6A\n{pf}\nS1 h 2020 A 4A {SHUTTLE} rated_speed=6")
    fly(battle, {carrier: plot("land H1 on 1"), "S1": plot(f"land {carrier} on 1")}, 1)
    assert [battle.units[one].out for one in (carrier, "S1")] == ["landed", "landed"]
    assert (battle.units["S1"].vector.says, battle.units["S1"].half_left) == ("4A", 3)


@cases("text, vector", "")
def test_own_actions_on_one_impulse_are_done_as_they_were_typed(text: str, vector: str):
    battle = three()
    flown(battle, text)
    assert (battle.units["H1"].vector.says, battle.units["H1"].facing) == (vector, "F")


@cases("text", "")
def test_plot_that_is_read_back_is_done_in_the_same_order_when_it_is_typed_again(text: str):
    said = read_back(three(), f"H1: {text}")[0]
    assert read_back(three(), said)[0] == said
    first, again = three(), three()
    flown(first, f"H1: {text}")
    flown(again, said)
    assert first.units["H1"].vector == again.units["H1"].vector


@pytest.mark.rule("vector", "CJD1.32")
def test_fields_keep_their_texts_when_the_order_makes_no_difference():
    _, sheet = asked(three(), "H1: turn left on 4; thrust 3 on 1; report lost 6 warp")
    line = sheet.of("H1")
    assert (line.thrust, line.turn, line.plot, line.report) == ("3 on 1", "left on 4", None, "lost 6 warp")


@pytest.mark.rule("vector", "CJD1.32")
def test_what_stands_in_the_plot_stays_when_texts_become_one_plot():
    ask, _ = asked(three(), "")
    stands = {"H1": {"plot": "reserve 2 on 3"}}
    read = read_sheet(ask.form, "H1: turn left on 1; thrust 3 on 1", ask.refusals_of, stands=stands)
    assert read == {"H1": {"turn": None, "thrust": None, "plot": "reserve 2 on 3; turn left on 1; accelerate 3 on 1"}}


@cases("stands, text, read")
def test_what_is_typed_later_comes_after_what_stands(stands: dict[str, str], text: str, read: dict[str, str | None]):
    ask, _ = asked(three(), "")
    assert read_sheet(ask.form, text, ask.refusals_of, stands={"H1": {**stands}}) == {"H1": read}


@pytest.mark.rule("vector", "CJD1.32")
def test_captain_is_warned_when_thrust_comes_before_the_turn():
    assert warned(three(), "H1: turn left on 1; thrust 3 on 1") == []
    assert len(warned(three(), "H1: thrust 3 on 1; turn left on 1")) == 1


@pytest.mark.rule("vector", "CJD1.32", "CJD1.142")
def test_slips_come_last_since_they_depend_on_whether_the_unit_moves():
    battle = sky("H1 h 2020 A 31A slip_ready=True")
    happened = fly(battle, {"H1": plot("slip right on 2", "accelerate 1 on 2")}, 2)
    assert what(happened, "accelerated", "slipped") == [(2, "H1", "accelerated"), (2, "H1", "slipped")]
    assert battle.units["H1"].vector.says == "32A"


# --- enemies that are equally near: VM-N46 ----------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.41", "CJD1.32")
@pytest.mark.parametrize(("one", "other"), [("C1", "C2"), ("C2", "C1")])
@pytest.mark.parametrize(
    ("places", "hand", "facing"),
    [
        (("2024", "2416"), "towards", "B"),  # astern, and at the hexside to the right
        (("2016", "2024"), "towards", "A"),  # ahead, and astern
        (("1616", "2416"), "towards", "B"),  # to the left, and as far to the right
        (("1624", "2424"), "away", "B"),  # a turn to either side brings one of them astern
    ],
)
def test_unit_turns_to_the_nearest_enemy_for_which_it_turns_least_whatever_the_codes(
    one: str, other: str, places: tuple[str, str], hand: str, facing: str
):
    """H1 in 2020 faces A; from an even column 2416 is 6 hexes to B-C and 1616 as many to F-E."""
    battle = sky(f"H1 h 2020 A 0\n{one} c {places[0]} A 0\n{other} c {places[1]} A 0")
    fly(battle, {"H1": plot(f"turn {hand} on 1")}, 1)
    assert battle.units["H1"].facing == facing
