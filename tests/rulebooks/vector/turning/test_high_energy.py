"""High energy turns and tumbling. CJD1.43, CJD1.431"""

import pytest

from rules_engine.rulebooks.vector.ch4_turning.high_energy import breaks_down, recover
from rules_engine.rulebooks.vector.records.plots import PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.duel import three
from tests.rulebooks.vector.plotting.sheets import asked, read_back, refused
from tests.rulebooks.vector.skies import fly, judged, plot, sky, unit, ways, what

TUMBLING = "H1 h 2020 A 8B tumbling=True tumbles_until=17 tumbles_to=right"


@pytest.mark.rule("vector", "CJD1.43")
def test_it_turns_to_any_facing_and_leaves_vector_and_interval():
    battle = sky("H1 h 2020 A 8B breakdown=5")
    happened = fly(battle, {"H1": plot("turn left on 1", "het to C on 2", "turn left on 8")}, 32, 4)
    assert what(happened) == [(1, "H1", "turned"), (2, "H1", "high energy turn"), (8, "H1", "turned")]
    ship = battle.units["H1"]
    assert (ship.facing, ship.vector.says, ship.hets, ship.warp_used) == ("B", "8B", 1, 2)
    assert happened[1].dice[0].total == 4
    assert happened[1].to == ()


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(("breakdown", "breaks"), [(2, [2, 3, 4, 5, 6]), (5, [5, 6]), (6, [6]), (7, [])])
def test_it_may_break_down(breakdown: int, breaks: list[int]):
    ship = unit(f"H1 h 2020 A 0 breakdown={breakdown}")
    assert [rolled for rolled in range(1, 7) if breaks_down(ship, rolled)] == breaks


@pytest.mark.rule("vector", "CJD1.43", "CJD1.431")
def test_a_ship_that_breaks_down_keeps_its_vector_and_tumbles_until_it_is_over():
    battle = sky("H1 h 2020 A 8B")
    happened = fly(battle, {"H1": plot("het to C on 2", "turn left on 17", "turn left on 18")}, 32, 5, 4)
    assert [(one.impulse, one.what, one.facing) for one in happened if one.what != "moved"] == [
        (2, "tumbling", "A"),
        (6, "tumbling", "B"),
        (10, "tumbling", "C"),
        (14, "tumbling", "D"),
        (17, "refused", "D"),
        (18, "recovered", "D"),
        (18, "turned", "C"),
    ]
    assert ways(happened, "H1") == "BBBBBBBB"
    refused = next(one for one in happened if one.what == "refused")
    assert (refused.rule, refused.legal_on, refused.to) == ("CJD1.431", 18, ("h",))
    assert [one.total for one in happened[0].dice] == [5, 4]


@pytest.mark.rule("vector", "CJD1.431")
def test_a_low_die_tumbles_to_the_left():
    battle = sky("H1 h 2020 A 8B")
    fly(battle, {"H1": plot("het to C on 2")}, 6, 6, 3)
    assert (battle.units["H1"].facing, battle.units["H1"].hets) == ("F", 1)


@pytest.mark.rule("vector", "CJD1.431")
@pytest.mark.parametrize(
    "event", ["accelerate 2 on 3", "reverse 2 on 3", "turn left on 3", "het to B on 3", "stop on 3"]
)
def test_who_tumbles_neither_accelerates_nor_turns(event: str):
    assert judged(sky(TUMBLING), "H1", event) == [(0, "CJD1.431", 17)]


@pytest.mark.rule("vector", "CJD1.431")
def test_a_captain_may_recover_by_report():
    battle = sky(TUMBLING)
    recover(battle.units["H1"])
    assert judged(battle, "H1", "turn left on 3") == []
    assert what(fly(battle)) == []


@pytest.mark.rule("vector", "CJD1.43")
def test_what_is_refused():
    assert judged(sky("H1 h 2020 A 8B"), "H1", "het on 3") == [(0, "CJD1.43", 0)]
    for size, found in ((5, []), (6, [(0, "CJD1.43", 0)]), (7, [(0, "CJD1.43", 0)])):
        assert judged(sky(f"H1 h 2020 A 8B size_class={size}"), "H1", "het to B on 3") == found


@pytest.mark.rule("vector", "CJD1.43")
def test_what_is_foreseen_does_not_break_down_but_says_that_it_may():
    found = foresee(sky("H1 h 2020 A 8B"), "H1", plot("het to C on 2"), 32)
    assert (found.facing, found.doubts) == ("C", ("impulse 2: it breaks down on a D6 of 5 or more",))
    assert foresee(sky("H1 h 2020 A 8B breakdown=7"), "H1", plot("het to C on 2"), 32).doubts == ()


@pytest.mark.rule("vector", "CJD1.431")
def test_who_tumbles_no_more_is_as_if_it_never_had():
    battle = sky("H1 h 2020 A 8B", tumble_pause=5)
    fly(battle, {"H1": plot("het to C on 2")}, 6, 5, 4)
    ship = battle.units["H1"]
    assert (ship.tumbling, ship.tumbles_until, ship.tumbles_to, ship.hets) == (True, 7, "right", 1)
    fly(battle, {}, 7)
    assert (ship.tumbling, ship.tumbles_until, ship.tumbles_to, ship.hets) == (False, 0, "", 1)


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(
    ("figures", "energy", "left", "refused"),
    [
        ("warp=30", None, (25, 1), False),  # 5 where nothing is said
        ("warp=30", 7, (23, 1), False),
        ("warp=30", 0, (30, 1), False),
        ("warp=4", None, (0, 0), False),  # the point of impulse power pays what warp does not
        ("warp=3", None, (3, 1), True),
        ("warp=4 impulse=0", None, (4, 0), True),
        ("warp=15 move_cost=1/2", 30, (0, 1), False),  # 30 points of warp movement
        ("warp=15 move_cost=1/2", 32, (30, 1), True),
        ("form=PF size_class=5 turn_mode=A rated_speed=20", None, (0, 0), False),
    ],
)
def test_its_energy_is_taken_from_what_accelerations_are_paid_with(
    figures: str, energy: int | None, left: tuple[int, int], refused: bool
):
    battle = sky(f"H1 h 2020 A 8B breakdown=7 {figures}")
    turn = UnitPlot(events=(PlotEvent(action="het", impulse=2, facing="C", energy=energy),))
    found = foresee(battle, "H1", turn, 32)
    assert [one.refusal.rule for one in found.defects] == (["CJD1.43"] if refused else [])
    fly(battle, {"H1": turn}, 32, 1)
    ship = battle.units["H1"]
    assert (ship.facing, ship.hets) == (("A", 0) if refused else ("C", 1))
    assert (ship.warp_left, ship.impulse_left) == left
    assert ship.warp_used == 0
    assert ship.half_left == (5 if "PF" in figures else 0)


@pytest.mark.rule("vector", "CJD1.43", "CJD1:313")
def test_what_a_turn_may_use_at_most_does_not_count_it():
    """Of 36 points 30 accelerate, which is the most; a high energy turn takes 5 more, and a second one is too much."""
    battle = sky("H1 h 2020 A 8B breakdown=7 warp=36")
    plotted = plot("accelerate 15 on 1", "het to C on 2", "het to A on 3")
    assert judged(battle, "H1", "accelerate 15 on 1", "het to C on 2", "het to A on 3") == [(2, "CJD1.43", 0)]
    fly(battle, {"H1": plotted}, 32, 1)
    ship = battle.units["H1"]
    # the second takes the last point of warp and would need 4 more: with the point of impulse power that is too little
    assert (ship.facing, ship.warp_left, ship.warp_used, ship.hets) == ("C", 1, 30, 1)


@pytest.mark.rule("vector", "CJD1.43")
def test_its_energy_is_gone_also_when_the_unit_breaks_down():
    battle = sky("H1 h 2020 A 8B")
    fly(battle, {"H1": plot("het to C on 2")}, 32, 6, 4)
    assert (battle.units["H1"].hets, battle.units["H1"].warp_left) == (1, 25)


@pytest.mark.rule("vector", "CJD1.43", "CJD1.22")
def test_acceleration_and_reserve_share_its_energy():
    lines = "H1 h 2020 A 8B breakdown=7"
    assert judged(sky(lines), "H1", "accelerate 14 on 1", "het to C on 2") == [(1, "CJD1.43", 0)]
    assert judged(sky(lines), "H1", "accelerate 14 on 1", "reserve 1 on 2", "het to C on 2") == [(2, "CJD1.43", 0)]
    assert judged(sky(lines), "H1", "accelerate 14 on 1", "reserve 2 on 2", "het to C on 2") == []
    assert judged(sky(lines), "H1", "het to C on 2", "accelerate 13 on 3") == []
    assert judged(sky(lines), "H1", "het to C on 2", "accelerate 14 on 3") == [(1, "CJD1.31", 0)]


@pytest.mark.rule("vector", "CJD1.3x", "CJD1.43")
def test_emergency_stop_leaves_the_energy_of_high_energy_turns_that_are_plotted():
    """Of 30+1 points the first turn takes 3, and 12 are kept for those to come: 15 and 1 go to the shields."""
    battle = sky("H1 h 2020 A 8B breakdown=7")
    turn = UnitPlot(
        events=(
            PlotEvent(action="het", impulse=2, facing="B", energy=3),
            PlotEvent(action="stop", impulse=3),
            PlotEvent(action="het", impulse=4, facing="C"),
            PlotEvent(action="het", impulse=5, facing="D", energy=7),
            PlotEvent(action="het", impulse=6, facing="E", energy=0),
        )
    )
    happened = fly(battle, {"H1": turn}, 32, 1, 1, 1, 1)
    assert [one.amount for one in happened if one.what == "stopped"] == [16]
    assert (battle.units["H1"].facing, battle.units["H1"].warp_left, battle.units["H1"].impulse_left) == ("E", 0, 0)


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(
    ("text", "typed", "bill"),
    [
        ("het E on 9", "het E on 9", "5 points"),
        ("het E energy 6 on 9", "het E energy 6 on 9", "6 points"),
        ("het to E for 6 points on 9", "het E energy 6 on 9", "6 points"),
        ("het E on 9; energy for it 7", "het E energy 7 on 9", "7 points"),
        ("het E energy 6 on 9; energy for it 7", "het E energy 6 on 9", "6 points"),
        ("energy 20+1; het E on 9; energy for it 7", "het E energy 7 on 9; energy 20+1", "7 points"),
        ("het E energy 0 on 9", "het E energy 0 on 9", ""),
    ],
)
def test_its_energy_is_entered_on_the_line_that_orders_it(text: str, typed: str, bill: str):
    said = read_back(three(), f"H1: {text}")
    assert said[0] == f"H1: {typed}"
    paid = f" for {bill}" if bill else ""
    assert any(f"on 9: {typed.partition(' on ')[0]}{paid}: vector 6A, faces E" in one for one in said)
    assert read_back(three(), said[0]) == said


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("H1: energy for it 7", "energy 7 is for a high energy turn, and none is plotted"),
        ("H1: het E energy 100 on 9", "100 is not a number of points"),
        ("H1: het E on 9; energy for it 32", "a high energy turn takes 32 points of energy, of 31 left"),
    ],
)
def test_energy_that_cannot_be_is_refused(text: str, problem: str):
    assert any(problem in one for one in refused(three(), text))


@pytest.mark.rule("vector", "CJD1.43")
def test_field_for_it_stands_on_the_lines_of_units_that_can_turn_so():
    form, _ = asked(three(), "")
    keys = {line.key: [field.label for field in line.fields] for line in form.form.lines}
    assert keys["H1"] == ["Thrust", "Turn", "Plot", "Report", "Energy for it"]
    small = three()
    small.units["H2"].figures = small.units["H2"].figures.with_values(size_class=6)
    form, _ = asked(small, "")
    assert [field.label for line in form.form.lines if line.key == "H2" for field in line.fields] == [
        "Thrust", "Turn", "Plot", "Report",
    ]  # fmt: skip
