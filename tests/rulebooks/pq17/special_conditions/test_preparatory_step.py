"""The Preparatory Step: rolls, secret results, announcements, operations; and its texts written down whole."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.campaign.period_ends import give_points
from rules_engine.rulebooks.pq17.nations.conditions_in_force import (
    executing,
    initiative_modifier,
    left_to_plot,
    restrictions_lifted,
)
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import turn_steps
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import (
    plot_ask,
    preparatory_steps,
    roll_condition,
    roll_event,
)
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle, OrderOfBattleForce
from rules_engine.rulebooks.pq17.tables.schedule import Reinforcement, Schedule
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import all_heard, refused_as_written, scene
from tests.rulebooks.pq17.worlds.notation import LoadedDice, asks_of, run, table, told, world
from tests.rulebooks.pq17.worlds.special_conditions import NATIONS, asked_of, holds, seen, special_world, with_entry
from tests.rulebooks.written_texts import compare

NOTHING = 5, 4  # the faces of two dice whose sum of 9 is no event


def prepared(
    alliance: int, coalition: int, *, state: State | None = None, answer: Any = None, events: tuple[int, ...] = ()
) -> turn_context.TurnContext[State]:
    """The step played with these D100 results; the two dice of each event fall 5 and 4 unless told otherwise."""
    dice = events or NOTHING * 2
    at = table(state or special_world(), alliance, *dice[:2], coalition, *dice[2:])
    run(preparatory_steps(at), answer)
    return at


@pytest.mark.rule("pq17", "SOP.1.a", "SOP.1.b", "SOP.1.c", "SOP.1.d", "1.5", "1.5.1", "1.5.2")
def test_each_side_rolls_a_condition_and_an_event_the_alliance_first() -> None:
    at = prepared(15, 65, events=(0, 2, 9, 9))  # sums 2 and 18
    dice = at.shared.dice
    assert isinstance(dice, LoadedDice)
    assert dice.asked == ["T1/condition/alliance", "T1/event/alliance", "T1/condition/coalition", "T1/event/coalition"]
    rolled = [(one.side, one.name, one.period) for one in at.state.special.conditions]
    assert rolled == [("alliance", "gale force", 1), ("coalition", "no restrictions", 1)]
    events = [(one.side, one.name) for one in at.state.special.events]
    assert events == [("alliance", "hf-df"), ("coalition", "residual minefield")]
    found = [(roll.faces, roll.low, len(roll.dice)) for roll in at.shared.rolls]
    assert found == [(100, 1, 1), (10, 0, 2), (100, 1, 1), (10, 0, 2)]


@pytest.mark.rule("pq17", "1.5.1", "1.5.2", "1.5.3")
def test_both_are_rolled_once_a_period_and_only_where_the_scenario_has_the_tables() -> None:
    rolls: list[int] = []
    for turn in range(1, 62):
        bare = special_world(f"turn {turn - 1}", campaign=OrderOfBattle())  # nothing to deploy on turn 1
        at = table(bare, by_label={"condition": 64, "event": 4, "initiative": 3})
        next(turn_steps(at))
        rolls.append(sum("condition" in roll.label or "event" in roll.label for roll in at.shared.rolls))
    assert [turn for turn, count in enumerate(rolls, start=1) if count] == [1, 31, 61]
    assert set(rolls) == {0, 4}
    plain = table(world("A1 0405 CA"))
    run(preparatory_steps(plain))
    assert (plain.state.special.conditions, plain.shared.reports) == ([], [])


@pytest.mark.rule("pq17", "SOP.1.e")
@pytest.mark.parametrize("coalition", [1, 8, 23, 30, 37, 50, 60, 64, 65, 80, 95])
@pytest.mark.unseen("pq17", reports=("special",))
def test_what_the_coalition_rolled_changes_nothing_that_the_alliance_sees(coalition: int) -> None:
    one = prepared(70, coalition, events=(*NOTHING, 9, 9))
    other = prepared(70, 43, events=(*NOTHING, 0, 2))
    assert seen(one, "alliance") == seen(other, "alliance")
    assert seen(one, "coalition") != seen(other, "coalition")


@pytest.mark.rule("pq17", "SOP.1.e")
@pytest.mark.parametrize("alliance", [1, 8, 15, 23, 30, 43, 50, 64, 66])
@pytest.mark.unseen("pq17", reports=("special",))
def test_what_the_alliance_rolled_changes_nothing_that_the_coalition_sees(alliance: int) -> None:
    one = prepared(alliance, 70, events=(1, 0, *NOTHING))
    other = prepared(69, 70, events=(1, 1, *NOTHING))
    assert seen(one, "coalition") == seen(other, "coalition")
    assert seen(one, "alliance") != seen(other, "alliance")


@pytest.mark.rule("pq17", "SOP.1.e", "C.special.agent-cobweb")
def test_agent_cobweb_is_announced_at_once_to_everybody() -> None:
    public = [report.text for report in prepared(57, 70).shared.reports if report.is_public()]
    assert len(public) == 1
    assert public[0].startswith("Agent Cobweb is at work: Aikashi Outstation, Downbelow Station and Scapa Flow")
    assert prepared(58, 70).state.special.conditions[0].revealed


@pytest.mark.rule("pq17", "C.special.initiative-star")
def test_a_star_gives_one_to_initiative_in_its_period_only() -> None:
    at = prepared(69, 8)  # None with a star; Coalition Convoy without
    assert (initiative_modifier(at.state, "alliance"), initiative_modifier(at.state, "coalition")) == (1, 0)
    at.state.turn = 30
    assert initiative_modifier(at.state, "alliance") == 1
    at.state.turn = 31
    assert initiative_modifier(at.state, "alliance") == 0


@pytest.mark.rule("pq17", "C.special.initiative-star", "C.special.gearbox")
def test_a_result_that_may_not_come_again_counts_as_none_but_keeps_its_star() -> None:
    state = special_world("turn 31 / holds alliance: gearbox")
    at = prepared(36, 70, state=state)
    fresh = at.state.special.conditions[1]
    assert (fresh.name, fresh.star) == ("none", True)
    assert "it counts as none" in told(at, "alliance")[0]
    assert at.state.special.projects == []


@pytest.mark.rule("pq17", "C.special.sector-mobile-reserves", "C.special.sector-reserves", "C.special.reforger")
@cases("side, name, rolled, most")
def test_how_often_each_condition_may_come(side: str, name: Any, rolled: int, most: int) -> None:
    for before, counts in ((most - 1, True), (most, most == 9)):
        state = special_world("turn 301")
        for period in range(before):
            holds(state, side, name, period + 1)
        at = prepared(rolled if side == "alliance" else 64, rolled if side == "coalition" else 60, state=state)
        fresh = [one for one in at.state.special.conditions if (one.side, one.period) == (side, 11)]
        assert [one.name == name for one in fresh] == [counts]


# --- the plot ---------------------------------------------------------------------------------------------------------
def plot(state: State, side: str) -> asks.AnyAsk | None:
    return plot_ask(table(state), side)


@pytest.mark.rule("pq17", "SOP.1.f")
def test_only_who_holds_an_operation_is_asked_and_silence_waits() -> None:
    state = special_world("turn 31 / holds coalition: sizilien / holds alliance: mobile reserves")
    assert plot(state, "alliance") is None
    assert [line.key for line in plot(state, "coalition").form.lines] == ["sizilien"]
    at = prepared(70, 70, state=state)
    assert executing(at.state, "coalition", "sizilien") is None
    assert left_to_plot(at.state, "coalition") == ["sizilien"]


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.sizilien", "C.special.breakout", "C.special.port-strike")
@cases("name, line, now, target, lifts", "target")
def test_an_operation_is_carried_out_in_the_period_that_is_plotted(
    name: Any, line: str, now: str, target: str, lifts: bool
) -> None:
    state = special_world("turn 31")
    holds(state, "coalition", name)
    assert not restrictions_lifted(state)
    at = prepared(70, 70, state=state, answer=lambda ask: {line: {"now": now}})
    execution = executing(at.state, "coalition", name)
    assert (execution.period, execution.target) == (2, target)
    assert restrictions_lifted(at.state) is lifts
    at.state.turn = 61
    assert executing(at.state, "coalition", name) is None
    assert not restrictions_lifted(at.state)
    assert left_to_plot(at.state, "coalition") == []


@cases("case, proves, turn, rolled, left")
def test_what_is_left_to_plot(turn: int, rolled: str, left: list[str]) -> None:
    state = special_world(f"turn {turn}\n{rolled}")
    assert [*left_to_plot(state, "alliance"), *left_to_plot(state, "coalition")] == left


@pytest.mark.rule("pq17", "C.special.no-restrictions")
def test_no_restrictions_lasts_for_the_period_it_was_rolled_in() -> None:
    at = prepared(70, 65)
    assert restrictions_lifted(at.state)
    at.state.turn = 31
    assert not restrictions_lifted(at.state)


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.port-strike", "C.special.clean-sweep", "C.special.gale-force")
@cases("side, sheet, said", "")
def test_illegal_plots_are_refused(side: str, sheet: dict[str, Any], said: str) -> None:
    state = special_world("holds coalition: port strike / holds alliance: gale force")
    ask = plot(state, side)
    assert ask is not None
    with pytest.raises(Refused, match=said):
        ask.answer_from(sheet)


def with_a_plot(side: str, name: str, plotted: bool) -> turn_context.TurnContext[State]:
    """The step in which a side holds a condition and carries it out, or not."""
    now = "Murzank" if name == "port strike" else "yes"
    sheet = {name.replace(" ", "-"): {"now": now}}
    state = special_world(f"turn 31\nholds {side}: {name}")
    return prepared(70, 70, state=state, answer=lambda ask: sheet if plotted else None)


@pytest.mark.rule("pq17", "SOP.1.f")
@pytest.mark.parametrize("name", ["gale force", "clean sweep"])
@pytest.mark.unseen("pq17", reports=("special",), asks=("operations",))
def test_what_the_alliance_plots_is_neither_told_nor_shown_to_the_coalition(name: Any) -> None:
    carried, kept = (with_a_plot("alliance", name, plotted) for plotted in (True, False))
    assert seen(carried, "coalition") == seen(kept, "coalition")
    assert seen(carried, "alliance") != seen(kept, "alliance")


@pytest.mark.rule("pq17", "SOP.1.f")
@pytest.mark.parametrize("name", ["reforger", "sizilien", "breakout", "port strike"])
@pytest.mark.unseen("pq17", reports=("special",), asks=("operations",))
def test_what_the_coalition_plots_is_neither_told_nor_shown_to_the_alliance(name: Any) -> None:
    carried, kept = (with_a_plot("coalition", name, plotted) for plotted in (True, False))
    assert seen(carried, "alliance") == seen(kept, "alliance")
    assert seen(carried, "coalition") != seen(kept, "coalition")


@pytest.mark.unseen("pq17", asks=("operations",))
def test_whether_the_enemy_is_asked_changes_nothing_of_what_one_is_asked() -> None:
    def asked(enemy_holds: bool) -> list[Any]:
        state = special_world("turn 31")
        holds(state, "alliance", "clean sweep")
        if enemy_holds:
            holds(state, "coalition", "sizilien")
        return asked_of(asks_of(preparatory_steps(table(state, 70, *NOTHING, 70, *NOTHING))), "alliance")

    assert asked(True) == asked(False)
    assert len(asked(True)) == 1


# --- reinforcements ---------------------------------------------------------------------------------------------------
def scheduled(turn: int) -> State:
    """A campaign whose second period gives the Federation 430 and the Klingons 500 points of FF."""
    given = tuple(
        Reinforcement(period=2, nation=nation, points={"FF": Fraction(points)})
        for nation, points in (("federation", 430), ("klingon", 500))
    )
    forces = tuple(OrderOfBattleForce(key=key, nation=key, name=key) for key in ("federation", "klingon"))
    campaign = NATIONS.model_copy(update={"force": forces})
    return special_world(f"turn {turn}", campaign=campaign, schedule=Schedule(reinforcement=given))


def held_points(state: State, side: str, force: str) -> Any:
    return state.pools.get(side, {}).get(force, {}).get("FF", 0)


@pytest.mark.rule("pq17", "C.special.reinforcements.alliance")
def test_the_alliances_reinforcements_come_at_the_periods_beginning_and_not_again_at_its_end() -> None:
    asked: list[tuple[str, str]] = []
    state = scheduled(31)

    def answer(ask: asks.AnyAsk) -> Any:
        asked.append((ask.parties[0], ask.kind))
        assert ask.title == "Reinforcements, beginning of period 2"
        said = "Your special condition lets you spend this period's points now; what you buy comes on at once."
        assert ask.text.startswith(said)
        return {"federation-FF": {"buy": ""}}

    prepared(22, 70, state=state, answer=answer)
    assert asked == [("alliance", "purchase")]
    assert (held_points(state, "alliance", "federation"), held_points(state, "coalition", "klingon")) == (430, 0)
    state.turn = 60
    give_points(state, 2)
    assert (held_points(state, "alliance", "federation"), held_points(state, "coalition", "klingon")) == (430, 500)


@pytest.mark.rule("pq17", "C.special.reinforcements.alliance")
def test_what_is_bought_then_may_come_on_in_the_same_period() -> None:
    state = with_entry(scheduled(31), "1719-1721")
    buys = {"federation-FF": {"buy": "1 FF"}}
    prepared(22, 70, state=state, answer=lambda ask: buys if ask.kind == "purchase" else None)
    assert [one.opens for one in state.progress.arrivals if one.kind == "reinforcement"] == [31]


@pytest.mark.rule("pq17", "C.special.reinforcements.coalition")
def test_the_coalitions_second_result_brings_its_reinforcements() -> None:
    for before, points in ((0, 0), (1, 500)):
        state = scheduled(31)
        for _ in range(before):
            holds(state, "coalition", "reinforcements")
        prepared(70, 22, state=state, answer=lambda ask: {"klingon-FF": {"buy": ""}})
        assert held_points(state, "coalition", "klingon") == points


@pytest.mark.rule("pq17", "1.5", "C.special.minelaying")
def test_a_new_period_begins_without_points_for_mines_and_early_answers() -> None:
    state = special_world()
    state.special.mines_scored = 3
    prepared(1, 1, state=state)
    assert (state.special.mines_scored, state.special.tallies, state.special.early) == (0, [], [])


# --- the Preparatory Step written down whole: what each side reads of what it rolled, and what it may plot ------------
Request = pytest.FixtureRequest
@cases("case, proves, side, rolled, dice, said")
def test_what_a_side_reads(side: str, rolled: str, dice: list[int], said: list[str]) -> None:
    """One number is rolled for a special condition, two for a random event: a number for each row of the tables."""
    at = table(special_world(f"turn 31\n{rolled}"), *dice)
    (roll_condition if len(dice) == 1 else roll_event)(at, side)
    assert all_heard(at) == said


# --- what comes on, and what is plotted -------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.1.a", "SOP.1.e", "C.special.sector-mobile-reserves", "C.special.sector-reserves")
@pytest.mark.rule("pq17", "C.special.gearbox", "C.special.wunderland", "C.special.agent-cobweb", "C.special.breakout")
@cases("name, alliance, coalition")
def test_ships_that_conditions_bring(request: Request, name: str, alliance: int, coalition: int) -> None:
    rolls = {"condition/alliance": alliance, "condition/coalition": coalition, "event/": 4}
    at = table(special_world("turn 1"), by_label=rolls)
    compare(request, scene(at, preparatory_steps(at)), name)


@cases("case, proves, name, rolled, side, plots", "")
def test_operations(request: Request, name: str, rolled: str, side: str, plots: dict[str, dict[str, str]]) -> None:
    rolls = {"condition/alliance": 70, "condition/coalition": 65, "event/": 4}
    at = table(special_world(f"turn 31\n{rolled}"), by_label=rolls)
    compare(request, scene(at, preparatory_steps(at), {f"operations {side}": [plots]}), name)


@pytest.mark.rule("pq17", "SOP.1.f", "C.special.port-strike", "C.special.clean-sweep", "C.special.gale-force")
def test_plots_that_are_refused(request: Request) -> None:
    state = special_world("turn 1 / holds coalition: port strike / holds coalition: sizilien")
    ask = plot_ask(table(state), "coalition")
    assert ask is not None
    refused_as_written(request, ask)


# --- intelligence -----------------------------------------------------------------------------------------------------
@cases("case, proves, name, rolled, sheets", "")
def test_intelligence(request: Request, name: str, rolled: str, sheets: dict[str, list[Any]]) -> None:
    at = table(special_world(f"turn 31\n{rolled}"))
    compare(request, scene(at, intelligence_steps(at), sheets), name)


@pytest.mark.rule("pq17", "C.random.fis-ultra")
def test_revelations_that_are_refused(request: Request) -> None:
    state = special_world("turn 1 / event alliance: fis-ultra / holds coalition: sizilien")
    holds(state, "coalition", "reinforcements")
    (ask,) = asks_of(intelligence_steps(table(state)))
    refused_as_written(request, ask)
