"""Special conditions: what was rolled, which operations are being carried out, and what this means for other chapters.

This file only looks things up. The room ``special_conditions`` rolls (``preparatory_step``), brings ships
(``ships_brought``) and scores (``points``). PQ-17 1.5, C.special.
"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.special_conditions import Execution, RolledCondition, RolledEvent
from rules_engine.rulebooks.pq17.records.state import COALITION, State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD
from rules_engine.rulebooks.pq17.tables.special_conditions import (
    EVENT_TITLES,
    PLOTTED,
    TIMES,
    TITLES,
    Cell,
    ConditionName,
    EventName,
)

LOG = "Special conditions and random events"
"""The topic under which each side's own results are noted for it."""

KIEL, BASTION, SCAPA = "Kiel", "Bastion", "Scapa Flow"
AIKASHI, DOWNBELOW = "Aikashi", "Downbelow"
MURZANK, ARZANGEL = "Murzank", "Arzangel"
KIEL_HEX = "1715"
"""Where Coalition ships come on, even if the base is gone. PQ-17 C.schedule.note3."""

UNRESTRICTED = "unrestricted"
"""A ship with this tag is under no deployment restriction. PQ-17 C.special.reinforcements.coalition."""

TARGETS: dict[ConditionName, tuple[str, ...]] = {
    "gale force": (KIEL,),
    "clean sweep": (BASTION,),
    "reforger": (DOWNBELOW,),
    "sizilien": (AIKASHI,),
    "port strike": (MURZANK, ARZANGEL),
}
"""The bases that each operation may attack."""

LIFTING: tuple[ConditionName, ...] = ("breakout", "sizilien", "port strike")
"""Operations that lift the Coalition's deployment restrictions in the period they are carried out."""

WITH_SUICIDE_FREIGHTERS: tuple[ConditionName, ...] = ("gale force", "clean sweep", "sizilien", "port strike")
"""Operations that allow freighters to be made into suicide freighters."""


@rule("1.5.3")
def in_force(state: State) -> bool:
    """Whether this campaign has special conditions and random events. PQ-17 1.5.3."""
    return state.settings.special_tables == "pq17"


@rule("1.2.2")
def period_of(turn: int) -> int:
    """The operational period that a turn belongs to, from 1. PQ-17 1.2.2."""
    return max(1, (turn + TURNS_A_PERIOD - 1) // TURNS_A_PERIOD)


def last_turn_of(period: int) -> int:
    """The last operational turn of a period."""
    return period * TURNS_A_PERIOD


def base_called(state: State, name: str) -> TaskForce | None:
    """The base cluster whose name begins with ``name``; None once it is gone."""
    named = (tf for tf in state.all_task_forces() if tf.base is not None and tf.base.name.startswith(name))
    return next(named, None)


def is_called(tf: TaskForce, name: str) -> bool:
    """Whether a task force is the base of that name."""
    return tf.base is not None and tf.base.name.startswith(name)


# --- what has been rolled ---------------------------------------------------------------------------------------------


def held(state: State, side: Side, name: ConditionName) -> list[RolledCondition]:
    """A side's results of that name, without those that count as None."""
    return [one for one in state.special.conditions if (one.side, one.name) == (side, name)]


def condition_now(state: State, side: Side) -> RolledCondition | None:
    """What a side rolled for the present period."""
    period = period_of(state.turn)
    found = (one for one in state.special.conditions if (one.side, one.period) == (side, period))
    return next(found, None)


@rule("C.special.table")
def applies_now(state: State, side: Side, name: ConditionName) -> bool:
    """Whether a condition of one period was rolled for this one. PQ-17 C.special.table."""
    rolled = condition_now(state, side)
    return rolled is not None and rolled.name == name


def counts_as(state: State, side: Side, cell: Cell) -> ConditionName:
    """What a new result counts as: None once it has come up as often as it may. PQ-17 C.special.*, SPC-3, SPC-20."""
    most = TIMES[cell.name]
    return "none" if most is not None and len(held(state, side, cell.name)) >= most else cell.name


@rule("4.1.4", "C.special.initiative-star")
def initiative_modifier(state: State, side: Side) -> int:
    """What is added to a side's initiative rolls: 1 in a period for which it rolled a star.

    PQ-17 4.1.4, C.special.initiative-star, ruling SPC-5."""
    rolled = condition_now(state, side)
    return int(rolled is not None and rolled.star)


# --- what is being carried out ----------------------------------------------------------------------------------------


@rule("SOP.1.f")
def executing(state: State, side: Side, name: ConditionName) -> Execution | None:
    """The operation of that name that a side carries out in this period. PQ-17 SOP.1.f, ruling SPC-9."""
    period = period_of(state.turn)
    found = (one for one in state.special.executions if (one.side, one.name, one.period) == (side, name, period))
    return next(found, None)


def left_to_plot(state: State, side: Side) -> list[ConditionName]:
    """Operations that a side holds and has not carried out as often as it may. PQ-17 C.special.*, ruling SPC-20."""
    found: list[ConditionName] = []
    for name, most in PLOTTED.items():
        made = sum((one.side, one.name) == (side, name) for one in state.special.executions)
        if made < min(most, len(held(state, side, name))):
            found.append(name)
    return found


@rule("C.special.breakout", "C.special.sizilien", "C.special.port-strike", "C.special.no-restrictions")
def restrictions_lifted(state: State) -> bool:
    """Whether the Coalition's deployment restrictions do not hold in this period.

    PQ-17 C.special.breakout, C.special.sizilien, C.special.port-strike, C.special.no-restrictions.
    """
    if applies_now(state, COALITION, "no restrictions"):
        return True
    return any(executing(state, COALITION, name) is not None for name in LIFTING)


@rule("C.suicide-freighter")
def may_convert_freighters(state: State, side: Side) -> bool:
    """Whether a side holds a condition that allows suicide freighters. PQ-17 C.suicide-freighter."""
    return any(held(state, side, name) for name in WITH_SUICIDE_FREIGHTERS)


# --- random events ----------------------------------------------------------------------------------------------------


@rule("1.5.2")
def event_now(state: State, side: Side, name: EventName) -> RolledEvent | None:
    """The event of that name that a side rolled for this period and has not used. PQ-17 1.5.2, ruling SPC-1."""
    period = period_of(state.turn)
    found = (
        one
        for one in state.special.events
        if (one.side, one.name, one.period, one.spent) == (side, name, period, False)
    )
    return next(found, None)


@rule("C.random.high-command-caution", "C.special.no-restrictions")
def is_cautious(state: State, side: Side) -> bool:
    """Whether a side may attack only contacts at ID3 in this period, unless it has no restrictions at all.

    PQ-17 C.random.high-command-caution, C.special.no-restrictions; rulings RND-5, SPC-19.
    """
    if side != COALITION or applies_now(state, COALITION, "no restrictions"):
        return False
    return event_now(state, COALITION, "high command caution") is not None


# --- words ------------------------------------------------------------------------------------------------------------


def title_of(name: ConditionName, target: str = "") -> str:
    """A condition as players read it, with the base it goes against."""
    return f"{TITLES[name]} against {target}" if target and len(TARGETS.get(name, ())) > 1 else TITLES[name]


def known_rows(state: State, side: Side) -> list[str]:
    """What a side knows of special conditions: its own in force or waiting, and what it was shown of the enemy's. The
    base that an enemy operation goes against is not shown (own ruling PQ-63)."""
    rows: list[str] = []
    for one in state.special.conditions:
        whose = "" if one.side == side else "enemy: "
        if (one.side == side or one.revealed) and one.name != "none":
            rows.append(f"Period {one.period}: {whose}{TITLES[one.name]}")
    for carried in state.special.executions:
        if carried.side == side or carried.revealed:
            own = carried.side == side
            title = title_of(carried.name, carried.target if own else "")
            rows.append(f"Period {carried.period}: {'' if own else 'enemy: '}{title} carried out")
    for event in state.special.events:
        if event.side == side and event.name != "none" and event.period == period_of(state.turn):
            used = " (used)" if event.spent else ""
            rows.append(f"Period {event.period}: {EVENT_TITLES[event.name]}{used}")
    return rows
