"""What a sheet may not say: refused impulse by impulse, with the rule and what would be legal, all at once."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import CRUISER, DRONE, HUNTERS, duel, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, refused

WHOLE = TacticalOptions(pieces=1)
STRONG = CRUISER.with_values(warp=60)
PF = FlightFigures(size_class=5, form="PF", turn_mode="AA", rated_speed=20)


def alone(vector: str = "6A", **values: Any) -> Tactical:
    """H1 alone, to plot a whole turn."""
    battle = {name: values.pop(name) for name in ("turn", "impulse", "options") if name in values}
    return duel(ship("H1", "1020", vector, **values), **{"options": WHOLE, **battle})


@pytest.mark.parametrize(
    ("battle", "text", "told"),
    [
        pytest.param(
            alone(figures=STRONG, warp_left=60, impulse_left=1),
            "H1: accelerate 17 on 1",
            "H1.plot: “accelerate 17 on 1”: accelerate 17 takes 34 points; a turn's limit is 30 and 1 of impulse "
            "(CJD1:313). Legal: accelerate up to 16.",
            marks=pytest.mark.rule("vector", "CJD1:313"),
            id="more than 30 points",
        ),
        pytest.param(
            alone(figures=STRONG, warp_left=60, impulse_left=1),
            "H1: accelerate 1 on 1 by impulse; turn left by impulse on 9",
            "H1.turn: “turn left by impulse on 9”: the point of impulse power is used already (CJD1:313). "
            "Legal: pay with warp movement.",
            marks=pytest.mark.rule("vector", "CJD1:313"),
            id="more than one impulse point",
        ),
        pytest.param(
            alone(),
            "H1: energy 20+2",
            "H1.plot: “energy 20+2”: 2 is not a number of points of impulse power. Legal: 0 to 1.",
            marks=pytest.mark.rule("vector", "CJD1.21"),
            id="two impulse points allocated",
        ),
        pytest.param(
            alone(),
            "H1: energy 31",
            "H1.plot: 31 points of warp movement, and its engines give 30 (CJD1.21). Legal: warp 0 to 30.",
            marks=pytest.mark.rule("vector", "CJD1.21"),
            id="more than the engines give",
        ),
        pytest.param(
            alone(),
            "H1: reserve 5 on 3",
            "H1.plot: “reserve 5 on 3”: 5 points from reserve, of 4 left (CJD1.22). Legal: reserve 1 to 4.",
            marks=pytest.mark.rule("vector", "CJD1.22"),
            id="more than the reserve",
        ),
        pytest.param(
            alone(),
            "H1: accelerate 2 on 5; accelerate 2 on 12",
            "H1.plot: “accelerate 2 on 12”: it accelerated 7 impulses ago, and accelerates once in 8 impulses "
            "(CJD1.32). Legal: acceleration from impulse 13 on.",
            marks=pytest.mark.rule("vector", "CJD1.32"),
            id="a second acceleration within its interval",
        ),
        pytest.param(
            alone(turn=2, accelerated_on=30),
            "H1: accelerate 2 on 5",
            "H1.plot: “accelerate 2 on 5”: it accelerated 7 impulses ago, and accelerates once in 8 impulses "
            "(CJD1.32). Legal: acceleration from impulse 6 on.",
            marks=pytest.mark.rule("vector", "CJD1.32"),
            id="an acceleration within its interval across the turn's end",
        ),
        pytest.param(
            alone(),
            "H1: turn left on 5; turn left on 11",
            "H1.turn: “turn left on 11”: turn mode C turns once in 7 impulses (CJD1.42-rate-of-turn). "
            "Legal: a turn from impulse 12 on.",
            marks=pytest.mark.rule("vector", "CJD1.42-rate-of-turn"),
            id="a turn before its interval",
        ),
        pytest.param(
            alone(figures=STRONG.with_values(impulse=0), warp_left=60),
            "H1: accelerate 15 on 1; turn left on 5",
            "H1.turn: “turn left on 5”: a turn takes 1 point; a turn's limit is 30 and 1 of impulse, 30 of them "
            "used (CJD1:313). Legal: no turn.",
            marks=pytest.mark.rule("vector", "CJD1:313"),
            id="turns and thrust together over the limit",
        ),
        pytest.param(
            alone("3B+5C"),
            "H1: path AAAA",
            "H1.plot: move 1 of the path goes to A, which is no part of 3B+5C (CJD1.14). Legal: B or C as move 1.",
            marks=pytest.mark.rule("vector", "CJD1.14"),
            id="a path that is not of the vector",
        ),
        pytest.param(
            alone("3B+5C"),
            "H1: path BBCBCCCC",
            "H1.plot: move 2 of the path goes twice running to B, the lesser of what 3B+5C has left (CJD1.14). "
            "Legal: C as move 2.",
            marks=pytest.mark.rule("vector", "CJD1.14"),
            id="a path that moves twice in the lesser element",
        ),
        pytest.param(
            three(options=WHOLE),
            "H1: launch D1 C 13 on 4",
            "H1.plot: “launch D1 C 13 on 4”: 13 hexes of added speed, and half of D1's rated speed is 12 (CJD1.53). "
            "Legal: launch D1 with 0 to 12.",
            marks=pytest.mark.rule("vector", "CJD1.53"),
            id="launch above half the rated speed",
        ),
        pytest.param(
            alone(tumbling=True, tumbles_until=17),
            "H1: accelerate 2 on 5; turn left on 6",
            "H1.plot: “accelerate 2 on 5”: it tumbles (CJD1.431). Legal: acceleration from impulse 17 on.",
            marks=pytest.mark.rule("vector", "CJD1.431"),
            id="orders for a ship that tumbles",
        ),
        pytest.param(
            alone(),
            "H1: stop on 3; accelerate 2 on 10",
            "H1.plot: “accelerate 2 on 10”: it has decelerated in an emergency, and may not accelerate yet (CJD1.3x). "
            "Legal: acceleration from impulse 19 on.",
            marks=pytest.mark.rule("vector", "CJD1.3x"),
            id="thrust of a ship that coasts after an emergency stop",
        ),
        pytest.param(
            alone(options=TacticalOptions(pieces=2)),
            "H1: accelerate 2 on 17",
            "H1.plot: “accelerate 2 on 17”: impulse 17 is not in this piece of the turn (VM-R36). "
            "Legal: impulses 1 to 16.",
            marks=pytest.mark.rule("vector", "CJD1.2"),
            id="an impulse outside the piece",
        ),
        pytest.param(
            alone(options=TacticalOptions(pieces=2), impulse=16),
            "H1: energy 20",
            "H1.plot: energy is allocated at the turn's beginning (CJD1.21). Legal: reserve, or what was allocated "
            "then.",
            marks=pytest.mark.rule("vector", "CJD1.21"),
            id="energy in a later piece",
        ),
    ],
)  # fmt: skip
def test_what_the_rules_forbid_is_refused_with_what_would_be_legal(battle: Tactical, text: str, told: str) -> None:
    found = refused(battle, text)
    assert any(told in one for one in found), found


@pytest.mark.rule("vector", "CJD1.531")
def test_a_landing_with_another_vector_is_refused() -> None:
    lander = ship("H2", "1020", "9B", figures=PF, half_left=10)
    told = refused(duel(ship("H1", "1020", "6A"), lander, options=WHOLE), "H2: land on H1 on 1")
    assert len(told) == 1
    assert told[0].startswith("H2.plot: “land on H1 on 1”: ")
    assert "(CJD1.531)" in told[0]


@cases("key, told")
def test_orders_for_units_that_a_captain_does_not_command(key: str, told: str) -> None:
    battle = three()
    battle.units |= {
        "H3": ship("H3", "1020", out="destroyed"),
        "H4": ship("H4", "1020", waits_for=3),
        "R2": ship("R2", "1020", waits_for=3),
    }
    ask = plot_ask(battle, HUNTERS)
    with pytest.raises(Refused) as refusal:
        ask.answer_from({key: {"plot": "accelerate 2 on 1"}})
    assert [str(one) for one in refusal.value.refusals] == [told]
    typed = refused(battle, f"{key}: accelerate 2 on 1")
    assert typed[0].partition(": ")[0] == "line 1"


def test_all_defects_of_all_units_are_told_at_once() -> None:
    told = refused(
        three(), "H1: accelerate 99 on 1; turn left on 2; turn left on 3\nH2: slip up; het E on 20; reserve 9"
    )
    assert [one.partition(":")[0] for one in told] == ["H1.plot", "H1.turn", "H2.plot", "H2.plot", "H2.plot"]


def test_a_unit_that_is_reported_gone_does_nothing(kept: Kept) -> None:
    told = refused(three(), "H1: accelerate 2 on 1; report destroyed")
    assert told == kept()
    asked(three(), "H1: coast; report destroyed")


@pytest.mark.rule("vector", "CJD1.21")
def test_a_plot_is_judged_by_what_its_own_report_leaves() -> None:
    asked(three(), "H1: accelerate 10 on 1")
    told = refused(three(), "H1: accelerate 10 on 1; report lost 20 warp")
    assert "takes 20 points of warp movement, of 10 left" in told[0]


def test_nothing_of_a_sheet_changes_the_battle() -> None:
    battle = three()
    before = battle.copied()
    asked(battle, "H1: accelerate 10 on 1; launch D1 C 3 on 4; report lost 6 warp\nH2: het C on 3")
    assert battle == before


def test_what_others_have_left_does_not_matter() -> None:
    """Two worlds that differ in what the other captain alone knows: nothing that is said of a sheet differs."""
    text = "H1: accelerate 6 on 1; when R1 within 8: turn towards\nH2: turn towards R1 on 4; report tractor R1 6 to 4"
    first, second = three(), three()
    other = second.units["R1"]
    other.figures = DRONE.with_values(form="ship", size_class=CRUISER.size_class, move_cost=CRUISER.move_cost)
    other.warp_left, other.reserve_left, other.path, other.no_thrust_until = 3, 0, "A", 40
    second.units["R2"] = VectorShip(id="R2", side="racers", name="Hidden", at="1020", waits_for=2)
    second.units["R3"] = VectorShip(id="R3", side="racers", name="Aboard", at="1020", aboard="R1")
    said: list[object] = []
    for battle in (first, second):
        ask, answer = asked(battle, text)
        said.append((ask.form.lines, ask.form.absent, ask.read_back(answer), ask.warn(answer), ask.courses(answer)))
        said.append(refused(battle, "H1: when R2 within 3: stop; launch R3\nR2: coast\nR3: coast"))
    assert said[:2] == said[2:]


def test_whoever_looks_for_a_line_is_told_why_it_is_not_there() -> None:
    battle = three()
    battle.units["R2"] = ship("R2", "1020", waits_for=3)
    absent = {one.key: (one.problem, one.rule) for one in plot_ask(battle, HUNTERS).form.absent}
    assert absent == {"D1": ("D1 is aboard H1", "CJD1.53"), "R1": ("R1 is another captain's", "VM-R36")}
    battle.units["H1"].out = battle.units["H2"].out = "destroyed"
    ask = plot_ask(battle, HUNTERS)
    with pytest.raises(Refused) as refusal:
        ask.answer_from({"R1": {"plot": "coast"}})
    told = "R1: R1 is another captain's (VM-R36). Legal: no unit of yours is there."
    assert [str(one) for one in refusal.value.refusals] == [told]
