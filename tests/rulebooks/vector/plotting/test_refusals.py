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
def quoted(typed: str) -> str:
    return typed if len(typed) <= 40 else f"{typed[:40]}…"


@cases("typed, told", "")
def test_a_plot_that_cannot_be_read(typed: str, told: str) -> None:
    refusals = read_line(BattleNames(three(), HUNTERS), "H1", PlotLine(plot=typed)).refusals
    assert [str(one) for one in refusals] == [f"H1.plot: “{quoted(typed)}”: {told}"]


@cases("typed, told", "")
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
