"""The Preparatory Step written down whole: what each side reads of what it rolled, and what it may plot."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import (
    plot_ask,
    preparatory_steps,
    roll_condition,
    roll_event,
)
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import heard, refused, scene
from tests.rulebooks.pq17.worlds.notation import asks_of, table
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, holds, special_world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
CONDITIONS = {
    "alliance": (1, 8, 15, 22, 29, 43, 50, 57, 64, 65),
    "coalition": (1, 8, 22, 29, 36, 43, 50, 57, 64, 65, 69, 93),
}
"""A number of each row that gives a side something of its own. PQ-17 C.special.table."""


def all_told(at: TurnContext[State]) -> list[str]:
    return [line for report in at.shared.reports for line in heard(at, report)]


@pytest.mark.rule("pq17", "1.5.1", "C.special.table", "C.special.initiative-star")
@pytest.mark.parametrize("side", ["alliance", "coalition"])
def test_what_a_side_reads_of_its_special_condition(request: Request, side: str) -> None:
    lines: list[str] = []
    for rolled in CONDITIONS[side]:
        at = table(special_world("turn 31"), rolled)
        roll_condition(at, side)
        lines += all_told(at)
    compare(request, lines, f"special_conditions_of_the_{side}")


@pytest.mark.rule("pq17", "C.special.reinforcements.coalition", "C.special.gearbox", "C.special.initiative-star")
def test_what_comes_up_again(request: Request) -> None:
    """The Coalition's second Reinforcements; a second GEARBOX, with a star and without."""
    lines: list[str] = []
    for side, name, rolled in (
        ("coalition", "reinforcements", 22),
        ("alliance", "gearbox", 29),
        ("alliance", "gearbox", 43),
    ):
        state = special_world("turn 31")
        holds(state, side, name)  # type: ignore[arg-type]
        at = table(state, rolled)
        roll_condition(at, side)
        lines += all_told(at)
    compare(request, lines)


@pytest.mark.rule("pq17", "1.5.2", "C.random.table")
@pytest.mark.parametrize("side", ["alliance", "coalition"])
def test_what_a_side_reads_of_its_random_event(request: Request, side: str) -> None:
    lines: list[str] = []
    for dice in ((0, 0), (0, 1), (0, 2), (0, 3), (0, 5), (0, 6), (0, 7)):
        at = table(special_world("turn 31"), *dice)
        roll_event(at, side)
        lines += all_told(at)
    compare(request, lines, f"random_events_of_the_{side}")


# --- what comes on, and what is plotted -------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "SOP.1.a", "SOP.1.e", "C.special.sector-mobile-reserves", "C.special.sector-reserves")
@pytest.mark.rule("pq17", "C.special.gearbox", "C.special.wunderland", "C.special.agent-cobweb", "C.special.breakout")
@cases("name, alliance, coalition")
def test_ships_that_conditions_bring(request: Request, name: str, alliance: int, coalition: int) -> None:
    rolls = {"condition/alliance": alliance, "condition/coalition": coalition, "event/": 4}
    at = table(special_world("turn 1"), by_label=rolls)
    compare(request, scene(at, preparatory_steps(at)), name)


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.breakout", "C.special.sizilien", "C.special.port-strike")
def test_operations_of_the_coalition(request: Request) -> None:
    state = special_world("turn 31")
    for name in ("breakout", "sizilien", "port strike", "reforger"):
        holds(state, "coalition", name)  # type: ignore[arg-type]
    at = table(state, by_label={"condition/alliance": 70, "condition/coalition": 65, "event/": 4})
    plots = {"breakout": {"now": "yes"}, "port-strike": {"now": "Murzank"}, "reforger": {"now": "yes"}}
    compare(request, scene(at, preparatory_steps(at), {"operations coalition": [plots]}))


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.gale-force", "C.special.clean-sweep")
def test_operations_of_the_alliance(request: Request) -> None:
    state = special_world("turn 31")
    for name in ("gale force", "clean sweep"):
        holds(state, "alliance", name)  # type: ignore[arg-type]
    at = table(state, by_label={"condition/alliance": 70, "condition/coalition": 65, "event/": 4})
    plots = {"gale-force": {"now": "yes"}}
    compare(request, scene(at, preparatory_steps(at), {"operations alliance": [plots]}))


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.port-strike", "C.special.clean-sweep", "C.special.gale-force")
def test_plots_that_are_refused(request: Request) -> None:
    state = special_world("turn 1")
    holds(state, "coalition", "port strike")
    holds(state, "coalition", "sizilien")
    ask = plot_ask(table(state), "coalition")
    assert ask is not None
    wrong = [
        {"port-strike": {"now": "Kiel"}},
        {"port-strike": {"now": "Murzan"}},
        {"sizilien": {"now": "Aikashi"}},
        {"reforger": {"now": "yes"}},
        {"port-strik": {"now": "Murzank"}},
    ]
    compare(request, [*refused(ask, wrong)])


# --- intelligence -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "C.random.fis-ultra")
def test_fis_ultra_and_what_the_coalition_reveals(request: Request) -> None:
    state = special_world("turn 31")
    event(state, "alliance", "fis-ultra", 2)
    executes(state, "coalition", "port strike", "Murzank", period=2)
    holds(state, "coalition", "reinforcements", 1)
    at = table(state)
    compare(request, scene(at, intelligence_steps(at)))


@pytest.mark.rule("pq17", "C.random.kis-b")
def test_kis_b_a_second_time(request: Request) -> None:
    state = special_world("turn 31")
    event(state, "coalition", "kis-b", 1).spent = True
    event(state, "coalition", "kis-b", 2)
    holds(state, "alliance", "gale force", 1).revealed = True
    holds(state, "alliance", "reinforcements", 2)
    at = table(state)
    sheets: dict[str, list[Any]] = {"collection coalition": [{"choice": {"choice": "is gale force"}}]}
    compare(request, scene(at, intelligence_steps(at), sheets))


@pytest.mark.rule("pq17", "C.random.kis-b", "C.random.whiskers")
def test_intelligence_that_finds_nothing(request: Request) -> None:
    state = special_world("turn 31")
    event(state, "coalition", "kis-b", 2)
    event(state, "alliance", "whiskers", 2)
    at = table(state)
    compare(request, scene(at, intelligence_steps(at)))


@pytest.mark.rule("pq17", "C.random.whiskers")
def test_whiskers_and_a_port_strike(request: Request) -> None:
    state = special_world("turn 31")
    event(state, "alliance", "whiskers", 2)
    executes(state, "coalition", "port strike", "Murzank", period=2)
    at = table(state)
    compare(request, scene(at, intelligence_steps(at)))


@pytest.mark.rule("pq17", "C.random.fis-ultra")
def test_revelations_that_are_refused(request: Request) -> None:
    state = special_world("turn 1")
    event(state, "alliance", "fis-ultra")
    holds(state, "coalition", "sizilien")
    holds(state, "coalition", "reinforcements")
    (ask,) = asks_of(intelligence_steps(table(state)))
    compare(request, [*refused(ask, [{"choice": {"choice": "breakout"}}, {"choise": {"choice": "sizilien"}}])])
