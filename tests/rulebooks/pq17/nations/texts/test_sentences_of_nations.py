"""What is said of the initiative, victory points, the map's edges, base convoys and special conditions in force."""

from fractions import Fraction
from typing import Literal

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.nations.conditions_in_force import known_rows
from rules_engine.rulebooks.pq17.nations.homes import exit_refusal
from rules_engine.rulebooks.pq17.nations.initiative import determine_initiative
from rules_engine.rulebooks.pq17.nations.unloading import unloading_refusal
from rules_engine.rulebooks.pq17.nations.victory_points import close_period, ending, score
from rules_engine.rulebooks.pq17.records.progress import Departure, Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from tests.rulebooks.pq17.playing.written_scenes import heard
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import run, table, world
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, holds, seen, special_world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


@pytest.mark.rule("pq17", "4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5")
def test_the_initiative_as_it_is_told(request: Request) -> None:
    """A plain roll, a tie, and bids of both sides with a star for the Coalition."""
    lines: list[str] = []
    for rolls, bids, star in (
        ((5, 2), {}, False),
        ((4, 4), {}, False),
        ((3, 2), {"alliance": 1, "coalition": 2}, True),
    ):
        state = world("A1 0405 CA\nC1 0607 CA")
        if star:
            holds(state, "coalition", "breakout", star=True)
        at = table(state, *rolls)
        determine_initiative(at, bids)
        lines += [line for report in at.shared.reports for line in heard(at, report)]
    compare(request, lines)


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b", "2.1", "T5.victory")
def test_victory_points_public_and_secret_and_the_end(request: Request) -> None:
    state = world("A1 0405 CA\nC1 0405 DD\nturn 8", turns=8, victory_points=Fraction(2))
    at, why = table(state), because("PQ-17 T5")
    score(at, "T5.1", Fraction(3, 2), why, text="A Tester CA destroyed in 0405.")
    score(at, "C.special", Fraction(-1), why, text="Minelaying: a strength point laid in 1217.", seen_by=["coalition"])
    close_period(at)
    lines = [line for report in at.shared.reports for line in heard(at, report)]
    over = ending(state)
    assert over.scores == {"alliance": "+1/2 (0.5)", "coalition": "-1/2 (-0.5)"}
    compare(request, [*lines, f"{over.text} ({over.rule})"])


def leaving(kind: str = "", **fields: object) -> State:
    """A Federation cruiser at 0901 that may leave there or at 1001, for what ``kind`` says."""
    state = campaign()
    put(state, "A1", "0901", "FED-CA")
    if kind:
        permit = {"kind": kind, "hexes": ["0901", "1001"], **fields}
        state.progress.permits["A1.FED-CA"] = Permit.from_json(permit)
    return state


@pytest.mark.rule("pq17", "5.3", "C.schedule.note3", "C.schedule.note4", "C.cargo-supply-benefit")
def test_exits_that_are_refused(request: Request) -> None:
    """Without leave, elsewhere, damaged for a named operation, and a second time in a period."""
    named = next(one for one in campaign().settings.schedule.transfer if one.operation)
    damaged = leaving("transfer", key=named.key)
    damaged.units["A1.FED-CA"].warp = 3
    again = leaving("cargo")
    gone = Departure(unit="A1.FED-CA", kind="cargo", key="", hex="0901", turn=1, fit=True)
    again.progress.departures = [gone]
    cases = [(leaving(), "0901"), (leaving("special"), "1202"), (damaged, "0901"), (again, "0901")]
    refusals = [exit_refusal(state, state.task_forces["A1"], here, "A1.route") for state, here in cases]
    assert exit_refusal(leaving("special"), leaving("special").task_forces["A1"], "0901") is None
    compare(request, [str(one) for one in refusals])


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_unloading_that_is_refused(request: Request) -> None:
    lines: list[str] = []
    for nation, tf_id, base in (("federation", "A1", "A94"), ("kzinti", "A1", "A91"), ("klingon", "C1", "A94")):
        state = campaign()
        put(state, tf_id, "0614", "F-L", nation=nation)
        unit = state.units[f"{tf_id}.F-L"]
        state.progress.freighters[unit.id] = Freighter.from_json(
            {"kind": "resupply", "convoy": "x", "nation": nation, "period": 1, "original": 0}
        )
        lines.append(str(unloading_refusal(state, unit, state.units[state.task_forces[base].units[0]], "A1.unload")))
    compare(request, lines)


@pytest.mark.rule("pq17", "1.5", "SOP.1.e")
def test_special_conditions_as_each_side_knows_them(request: Request) -> None:
    """The Coalition strikes Murzank, which was revealed; the Alliance has used HF/DF and keeps GALE FORCE secret."""
    state = special_world("turn 31")
    holds(state, "alliance", "gale force", 1)
    holds(state, "alliance", "none", 2)
    strike = executes(state, "coalition", "port strike", "Murzank", period=2)
    strike.revealed = state.special.conditions[-1].revealed = True
    holds(state, "coalition", "reforger", 1)
    event(state, "alliance", "hf-df", 2).spent = True
    event(state, "alliance", "elusive target", 1)
    event(state, "coalition", "straggler", 2)
    compare(request, [f"{side}: {row}" for side in ("alliance", "coalition") for row in known_rows(state, side)])


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.whiskers")
@pytest.mark.parametrize("name", ["fis-ultra", "whiskers"])
@pytest.mark.unseen("pq17", reports=("special",))
def test_a_port_strike_that_is_revealed_keeps_its_base_secret(name: Literal["fis-ultra", "whiskers"]) -> None:
    """Own ruling PQ-63: neither what is told nor the board names it."""

    def revealed(target: str) -> tuple[object, ...]:
        state = special_world("turn 1")
        event(state, "alliance", name)
        executes(state, "coalition", "port strike", target)
        at = table(state)
        run(intelligence_steps(at))
        assert "Period 1: enemy: Port Strike carried out" in known_rows(state, "alliance")
        return seen(at, "alliance")

    assert revealed("Murzank") == revealed("Arzangel")
