"""Worlds for special conditions, random events and raids: the campaign's map size, bases and ship classes."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rules_engine.core.catalogues.files import load_toml
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, LogisticsPlan
from rules_engine.rulebooks.pq17.records.special_conditions import Execution, RolledCondition, RolledEvent
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables.order_of_battle import Nation, OrderOfBattle
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.special_conditions import ConditionName, EventName
from tests.form_documents import form_document
from tests.rulebooks.pq17.worlds.notation import CLASSES, world

CAMPAIGN = Path(__file__).parents[4] / "config" / "scenarios" / "pq17" / "campaign"
SHIPS: dict[str, ShipClass] = {
    row.class_id: row for row in load_toml(ShipClass, (CAMPAIGN / "ships.toml").read_text(), "ships.toml").rows
}
MAP = Grid(columns=22, rows=17, orientation="pointy", numbering="RRCC", origin="top-right", stagger="even")

BASES = """
C90 1715 BATS base Kiel known LC1
C91 1308 BATS base Bastion LC4
A90 1217 BATS base Scapa known LC1
A91 0419 BATS base Aikashi known LC1
A92 0617 DOCK base Downbelow known LC1
A93 0806 BATS base Murzank known LC1
A94 1105 BATS base Arzangel known LC1
"""
"""The campaign's bases, where the text puts them, in the notation of worlds."""

NATIONS = OrderOfBattle(
    nation=(
        Nation(key="federation", name="Federation", side="alliance", empires=("Federation",), home="1217", entry=()),
        Nation(key="kzinti", name="Kzinti", side="alliance", empires=("Kzinti",), home="1105", entry=()),
        Nation(key="klingon", name="Klingon", side="coalition", empires=("Klingon",), home="1715", entry=()),
    )
)


def special_world(text: str = "", *, bases: str = BASES, **settings: Any) -> State:
    """A world on the campaign's map, with its bases (or others) and both catalogues, and its tables in force.

    Lines of what was rolled: ``holds alliance: gale force, 2`` in period 2 (1 if left out), ``event coalition: kis-b``,
    ``executes coalition: port strike at Murzank, 2``; ``revealed`` and ``spent`` at the end of a line say so.
    """
    usual: dict[str, Any] = {"special_tables": "pq17", "raid_table": "pq17", "campaign": NATIONS}
    lines = (bases + text).replace(" / ", "\n").splitlines()
    rolled = [line for line in lines if line.startswith(("holds ", "event ", "executes "))]
    state = world("\n".join(line for line in lines if line not in rolled), classes=CLASSES | SHIPS, **usual | settings)
    state.grid = MAP
    for line in rolled:
        _read_rolled(state, line)
    return state


ROLLED = re.compile(
    r"(?P<verb>holds|event|executes) (?P<side>\w+): (?P<name>.+?)(?: at (?P<target>\w+))?(?:, (?P<period>\d+))?"
    r"(?P<known> revealed| spent)?"
)


def _read_rolled(state: State, line: str) -> None:
    found = ROLLED.fullmatch(line)
    assert found is not None, line
    side, name, period = found["side"], found["name"], int(found["period"] or 1)
    match found["verb"]:
        case "holds":
            holds(state, side, name, period).revealed = bool(found["known"])  # pyright: ignore[reportArgumentType]
        case "event":
            event(state, side, name, period).spent = bool(found["known"])  # pyright: ignore[reportArgumentType]
        case _:
            executes(state, side, name, found["target"] or "", period)  # pyright: ignore[reportArgumentType]
            state.special.conditions[-1].revealed = bool(found["known"])


def holds(state: State, side: str, name: ConditionName, period: int = 1, *, star: bool = False) -> RolledCondition:
    """Let a side hold a condition that it rolled in ``period``."""
    rolled = RolledCondition(side=side, name=name, period=period, star=star)
    state.special.conditions.append(rolled)
    return rolled


def executes(state: State, side: str, name: ConditionName, target: str = "", period: int = 1) -> Execution:
    """Let a side carry out an operation in ``period``."""
    holds(state, side, name, period)
    state.special.executions.append(Execution(side=side, name=name, period=period, target=target))
    return state.special.executions[-1]


def event(state: State, side: str, name: EventName, period: int = 1) -> RolledEvent:
    """Let a side hold a random event of ``period``."""
    state.special.events.append(RolledEvent(side=side, name=name, period=period))
    return state.special.events[-1]


def with_entry(state: State, *hexes: str) -> State:
    """The state with nations that come on in these hexes."""
    campaign = state.settings.campaign
    nations = tuple(one.model_copy(update={"entry": hexes}) for one in campaign.nation)
    update = {"campaign": campaign.model_copy(update={"nation": nations})}
    state.settings = state.settings.model_copy(update=update)
    return state


def harbour(*, condition: Any = "gale force", base: int = 0, own: int = 20) -> State:
    """A freighter of 25 boxes docked to Scapa Flow, which has 50; they hold so many supply points."""
    state = special_world("A1 1217 UFS port A90 logistics / A2 1217 CA port A90 logistics / turn 3")
    if condition:
        holds(state, "alliance", condition)
    freighter, host = state.units["A1.UFS"], state.units["A90.BATS"]
    freighter.cargo, freighter.supply, host.cargo, host.supply = 25, own, 50, base
    state.logistics["alliance"] = LogisticsPlan(groups=[DockedGroup(host=host.id, docked=[freighter.id, "A2.CA"])])
    return state


def seen(at: TurnContext[State], side: str) -> tuple[object, ...]:
    """All that a side can see of a world: its board and its reports, dice and all. For two-world tests."""
    reports = [
        (report.kind, report.text, report.why, report.facts) for report in at.shared.reports if report.is_for(side)
    ]
    return side_board(at.state, side, at.knowledge(side)).model_dump(mode="json"), reports


def asked_of(asks: Iterable[Any], side: str) -> list[tuple[str, str, Any]]:
    """The asks put to a side, as it sees them."""
    return [(ask.title, ask.text, form_document(ask.form)) for ask in asks if side in ask.parties]
