"""What a sheet may not say, and words that cannot be read: which, why, and what could stand there, all at once."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.accounts.reading import read_reports
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.plotting.reading import read_line
from rules_engine.rulebooks.vector.records.sheets import PlotLine
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.vector.duel import CRUISER, DRONE, HUNTERS, duel, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, refused

WHOLE = TacticalOptions(pieces=1)
STRONG = CRUISER.with_values(warp=60)
PF = FlightFigures(size_class=5, form="PF", turn_mode="AA", rated_speed=20)


def alone(vector: str = "6A", **values: Any) -> Tactical:
    """H1 alone, to plot a whole turn."""
    battle = {name: values.pop(name) for name in ("turn", "impulse", "options") if name in values}
    return duel(ship("H1", "1020", vector, **values), **{"options": WHOLE, **battle})


NOTATION = {"STRONG": STRONG, "TacticalOptions": TacticalOptions, "WHOLE": WHOLE, "alone": alone, "three": three}


@cases("case, proves, battle, text, told", "")
def test_what_the_rules_forbid_is_refused_with_what_would_be_legal(battle: Tactical, text: str, told: str) -> None:
    found = refused(evaluated(battle, NOTATION), text)
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
    assert refused(battle, f"{key}: accelerate 2 on 1")[0].partition(": ")[0] == "line 1"


def test_all_defects_of_all_units_are_told_at_once() -> None:
    told = refused(
        three(), "H1: accelerate 99 on 1; turn left on 2; turn left on 3\nH2: slip up; het E on 20; reserve 9"
    )
    assert [one.partition(":")[0] for one in told] == ["H1.plot", "H1.turn", "H2.plot", "H2.plot", "H2.plot"]


def test_a_unit_that_is_reported_gone_does_nothing(kept: Kept) -> None:
    assert refused(three(), "H1: accelerate 2 on 1; report destroyed") == kept()
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


# --- refused words ---------------------------------------------------------------------------------------------------
PLOTS = """
accelerate x | “x” is not a number of hexes. Legal: accelerate 6 on 1.
accelerate | a number of hexes is missing. Legal: accelerate 6 on 1.
accelerate 0 | 0 is not a number of hexes. Legal: 1 to 999.
accelerate 1000 | 1000 is not a number of hexes. Legal: 1 to 999.
accelerate 12345678901 | 123456789 is not a number of hexes. Legal: 1 to 999.
accelerate 1 on 0 | 0 is not an impulse. Legal: 1 to 32.
accelerate 1 on 33 | 33 is not an impulse. Legal: 1 to 32.
accelerate 1 by foot | “foot” is not what it is paid with. Legal: accelerate 6 on 1.
reverse x | “x” is not a number of hexes. Legal: reverse 2 on 1.
turn up | “up” is not a side. Legal: turn left on 4, turn right on 4, turn towards H2 on 4.
turn towards X9 | there is no unit “X9”. Legal: turn left on 4, turn right on 4, turn towards H2 on 4.
het up | “up” is not a direction. Legal: het E on 9.
stop now | “now” is not understood here. Legal: stop on 3.
slip up | “up” is not a side. Legal: slip left on 5.
reserve x | “x” is not a number of points. Legal: reserve 3 on 1.
reserve 0 | 0 is not a number of points. Legal: 1 to 999.
reserve 1000 | 1000 is not a number of points. Legal: 1 to 999.
launch x | there is no unit to launch “x”. Legal: launch D1 C 12 on 4.
launch | unit to launch is missing. Legal: launch D1 C 12 on 4.
launch D1 C | a number of hexes is missing. Legal: launch D1 C 12 on 4.
launch D1 C 1000 | 1000 is not a number of hexes. Legal: 0 to 999.
launch D1 1000 C | 1000 is not a number of hexes. Legal: 0 to 999.
launch D1 3 Z | “z” is not a direction. Legal: launch D1 C 12 on 4.
land x | there is no unit to land on “x”. Legal: land on H1 on 20.
weasel x | there is no unit to launch “x”. Legal: weasel on 2.
path | it says no moves. Legal: path A first, or an order of moves such as path ABAB.
path ABX | “abx” is no order of moves. Legal: path A first, or an order of moves such as path ABAB.
path AB first | “first” is not understood here. Legal: path A first, or an order of moves such as path ABAB.
energy x | “x” is not a number of points. Legal: energy 20+1 (warp and impulse), energy 20.
energy 1000 | 1000 is not a number of points. Legal: 0 to 999.
energy 20+ | a number of points of impulse power is missing. Legal: energy 20+1 (warp and impulse), energy 20.
energy 20+2 | 2 is not a number of points of impulse power. Legal: 0 to 1.
friction x | “x” is not a direction. Legal: friction A: the element that it takes from.
when R1: turn left | it says no distance. Legal: when nearest enemy within 8: turn towards.
when R1 within x: turn left | “x” is not a number of hexes. Legal: when nearest enemy within 8: turn towards.
when R1 within 1000: turn left | 1000 is not a number of hexes. Legal: 0 to 999.
when R1 within 5 from 0: turn left | 0 is not an impulse. Legal: 1 to 32.
when R1 within 5 from 33: turn left | 33 is not an impulse. Legal: 1 to 32.
when R1 within 5 to 0: turn left | 0 is not an impulse. Legal: 1 to 32.
when R1 within 5 to 33: turn left | 33 is not an impulse. Legal: 1 to 32.
when R1 within 5 from 9 to 3: turn left | impulse 9 comes after 3. Legal: from 3 to 9.
when R1 within 3: path A | path goes with no condition. Legal: when nearest enemy within 8: turn towards.
when R1 within 3: turn left on 4 | it is done on an impulse, or on a condition. Legal: one of the two.
when R1 within 3 turn left | a colon stands between a condition and what is to be done. Legal: when nearest enemy \
within 8: turn towards.
when R1 within 5 to 17: turn left | impulse 17 is not in this piece of the turn (VM-R36). Legal: impulses 1 to 16.
turn left on 17 | impulse 17 is not in this piece of the turn (VM-R36). Legal: impulses 1 to 16.
nonsense | “nonsense” is not understood. Legal: for example accelerate 6 on 1; turn right on 4; path A first; reserve 3.
"""

REPORTS = """
lost 6 | what was lost is missing. Legal: lost 6 warp, lost 1 impulse, lost 4 power, lost 2 reserve, shield 2 lost 8.
lost 0 warp | 0 is not a number of points. Legal: 1 to 999.
lost 1000 warp | 1000 is not a number of points. Legal: 1 to 999.
shield 0 lost 3 | 0 is not the number of a shield. Legal: 1 to 6.
shield 7 lost 3 | 7 is not the number of a shield. Legal: 1 to 6.
shield 2 lost 0 | 0 is not a number of points. Legal: 1 to 999.
shield 2 lost 1000 | 1000 is not a number of points. Legal: 1 to 999.
tractor | unit is missing. Legal: tractor R1 6 to 4 (its power, and the power against it).
tractor R1 6 to x | “x” is not a number of points. Legal: tractor R1 6 to 4 (its power, and the power against it).
tractor R1 1000 to 4 | 1000 is not a number of points. Legal: 0 to 999.
tractor R1 6 to 1000 | 1000 is not a number of points. Legal: 0 to 999.
weasel dead | “dead” is not what became of a weasel. Legal: weasel launched, weasel voided. Did you mean voided?
R1 lost 6 warp | that is reported in the line of R1. Legal: R1: report ….
released X | there is no unit “X”. Legal: {all}.
when R1 within 3: destroyed | what happened knows no condition. Legal: {all}.
R1 | anything that could be reported is missing. Legal: {all}.
xyz | “xyz” is not understood. Legal: {all}.
"""
ALL = "lost 6 warp; shield 2 lost 8; tractor R1 6 to 4; released R1; weasel voided; destroyed; disengaged"


def rows(text: str) -> list[tuple[str, str]]:
    """What is typed, and what is told of it."""
    pairs = [line.partition(" | ") for line in text.strip().splitlines()]
    return [(typed, told.replace("{all}", ALL)) for typed, _, told in pairs]


def quoted(typed: str) -> str:
    return typed if len(typed) <= 40 else f"{typed[:40]}…"


@pytest.mark.parametrize(("typed", "told"), rows(PLOTS))
def test_a_plot_that_cannot_be_read(typed: str, told: str) -> None:
    refusals = read_line(BattleNames(three(), HUNTERS), "H1", PlotLine(plot=typed)).refusals
    assert [str(one) for one in refusals] == [f"H1.plot: “{quoted(typed)}”: {told}"]


@pytest.mark.parametrize(("typed", "told"), rows(REPORTS))
def test_a_report_that_cannot_be_read(typed: str, told: str) -> None:
    _, refusals = read_reports(BattleNames(three(), HUNTERS), "H1", typed)
    assert [str(one) for one in refusals] == [f"H1.report: “{quoted(typed)}”: {told}"]


def test_what_contradicts_itself(kept: Kept) -> None:
    names = BattleNames(three(), HUNTERS)

    def told(plot: str) -> list[str]:
        return [str(one) for one in read_line(names, "H1", PlotLine(plot=plot)).refusals]

    assert told("coast; turn left on 1") == kept()
    assert told("coast; path A") == told("coast; turn left on 1")
    assert told("path A; path B") == ["H1.plot: “path B”: the path was said before, as A. Legal: one of them."]
    assert told("path A; path A") == []
    assert told("energy 1; energy 1") == ["H1.plot: “energy 1”: energy was said before. Legal: one of them."]
    many = [str(one) for one in read_reports(names, "H1", "lost 6 warp; lost 6 warp")[1]]
    assert many == ["H1.report: “lost 6 warp”: this was said before. Legal: once."]


def test_the_most_of_everything_is_read() -> None:
    names = BattleNames(three(), HUNTERS)
    said = "accelerate 999 on 1; reverse 1 on 16; reserve 999 on 1; launch D1 C 999 on 1; launch D1 0 C on 16"
    read = read_line(names, "H1", PlotLine(plot=f"{said}; energy 999+1; when R1 within 0 from 1 to 16: turn left"))
    assert read.refusals == []
    assert sorted(event.amount for event, _ in read.events) == [0, 0, 1, 999, 999, 999]
    assert (read.warp, read.impulse) == (999, 1)
    assert read_line(names, "H1", PlotLine(plot="energy 0")).warp == 0
    assert read_line(names, "H1", PlotLine(plot="energy 3")).impulse == 0
    found, refusals = read_reports(names, "H1", "lost 999 warp; shield 1 lost 1; shield 6 lost 999; tractor R1 0 to 0")
    assert (len(found), refusals) == (4, [])
    found, refusals = read_reports(names, "H1", "tractor R1 999 to 999")
    assert (found[0].power, found[0].resistance, refusals) == (999, 999, [])


def test_forty_letters_of_a_clause_are_told_back_and_six_digits_are_a_number() -> None:
    names = BattleNames(three(), HUNTERS)

    def told(plot: str) -> str:
        return str(read_line(names, "H1", PlotLine(plot=plot)).refusals[0])

    assert told("x" * 40).startswith(f"H1.plot: “{'x' * 40}”: “{'x' * 40}” is not understood.")
    assert told("x" * 41).startswith(f"H1.plot: “{'x' * 40}…”: ")
    assert told(f"turn towards {'y' * 41}").startswith(
        f"H1.plot: “turn towards {'y' * 27}…”: there is no unit “{'y' * 40}”."
    )
    assert told(f"stop {'z' * 41}").partition("”: ")[2].startswith(f"“{'z' * 40}” is not understood here.")
    assert read_line(names, "H1", PlotLine(plot="accelerate 000006 on 1")).refusals == []
    assert "0000006 is not a number of hexes. Legal: 1 to 999." in told("accelerate 0000006 on 1")
