"""Commanders of whole PQ-17 campaigns: a plain one, and for each side one that differs in everything it can do in
secret.

By the rules the other side cannot notice any of it: prices, places and plans are a side's own (C.purchase, C.oob, SOP
2.a), forces are detected in a shared hex only (6.3.1), and here they keep to the middle of the map while the Alliance
stands at its edges. What is in the open stays alike: the initiative (a special condition's star counts for both), the
bids, and what is scored. Every sheet is as a person would type it; one that the rules refuse fails the test.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any

from rules_engine.core.basics import base, refusals
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.asks import AnyAsk

Sheet = dict[str, dict[str, base.Json]]
Changes = Mapping[str, Mapping[str, base.Json]]
Order = Callable[[Any, str, AnyAsk], Sheet]
"""From (adjudicator, side, ask) to a filled-in sheet."""

COLUMNS: Mapping[str, frozenset[int]] = {
    "alliance": frozenset((*range(1, 8), *range(17, 23))),
    "coalition": frozenset(range(8, 16)),
}
"""Where each side's forces stand and move. Within these few turns no force enters the other side's columns."""
TRIES = 12
"""Pairs of ships of which one is to give the other something, before a commander leaves it."""
OPENING = "Order of battle"
"""How the title of the purchase before turn 1 begins."""


def plain(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Say aloud what is filled in."""
    return ask.form.prefilled()


def campaigner(**orders: Order) -> Any:
    """A commander who answers these kinds of asks (underscores for spaces) in its own way, the others as filled in."""
    by_kind = {kind.replace("_", " "): order for kind, order in orders.items()}

    def policy(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
        order = by_kind.get(ask.kind)
        sheet = ask.form.prefilled() if order is None else order(adjudicator, side, ask)
        adjudicator.try_answer(side, ask.id, sheet)  # a world that is not what it says proves nothing
        return sheet

    return policy


def wishful(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Say aloud what is filled in, and wish for every logistics sheet and for being asked what supply becomes, as the
    others do: news that come before and after a rest come in two messages, so both worlds rest there."""
    wishes: dict[str, dict[str, base.Json]] = {"planning": {"sheet": "always"}, "logistics": {"convert": True}}
    return changed(ask.form.prefilled(), {"stores": wishes[ask.kind]} if ask.kind in wishes else {})


# --- small changes ----------------------------------------------------------------------------------------------------
def changed(sheet: Sheet, changes: Changes) -> Sheet:
    """The sheet with some fields filled in again; each must be one of its own."""
    unknown = set(changes) - set(sheet)
    assert not unknown, unknown
    return {key: {**line, **changes.get(key, {})} for key, line in sheet.items()}


def lines_with(ask: AnyAsk, key: str) -> Iterator[tuple[Line, Field]]:
    """The lines that have a field of this name, with the field."""
    for line in ask.form.lines:
        for field in line.fields:
            if field.key == key:
                yield line, field


def if_legal(adjudicator: Any, side: str, ask: AnyAsk, sheet: Sheet, changes: Changes) -> Sheet:
    """The sheet with these changes where the rules allow them, else as it is."""
    tried = changed(sheet, changes)
    try:
        adjudicator.try_answer(side, ask.id, tried)
    except refusals.Refused:
        return sheet
    return tried


# --- orders of both sides ---------------------------------------------------------------------------------------------
def operations(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Carry out what can be carried out."""
    chosen = {line.key: {"now": field.choices[-1].value} for line, field in lines_with(ask, "now")}
    return changed(ask.form.prefilled(), chosen)


def period(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Convoys come on elsewhere, faster, and wait there; other ships go on transfers and are Patrol White."""
    sheet = ask.form.prefilled()
    for line, field in lines_with(ask, "hex"):
        for entry in [one.value for one in field.choices if one.value not in ("hold", field.value)][-1:]:
            sheet = if_legal(adjudicator, side, ask, sheet, {line.key: {"hex": entry, "speed": "2", "goal": "none"}})
    for line, field in lines_with(ask, "ships"):
        chosen = field.value if isinstance(field.value, (list, tuple)) else ()
        others = [one.value for one in field.choices if one.value not in chosen][: len(chosen)]
        sheet = if_legal(adjudicator, side, ask, sheet, {line.key: {"ships": others}})
    return sheet


def planning(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Other names, postures, speeds and standing orders; routes within one's own columns; mines are laid where somebody
    can; a ship goes into a task force of its own; and the logistics sheet is wished for every turn.

    Forces that have a route or an errand keep it.
    """
    sheet = ask.form.prefilled()
    sheet = changed(sheet, {"side": {"doctrine": "shadow; probes 1"}, "stores": {"sheet": "always", "refuel": "full"}})
    grid: Grid = adjudicator.view(side).board.grid
    for line, field in lines_with(ask, "route"):
        if "if you form it" in line.label or "errand" in line.note or field.value:
            continue
        here = next(word.strip(",") for word in line.label.split() if word.strip(",") in grid)
        sheet = if_legal(adjudicator, side, ask, sheet, {line.key: {"name": f"Band {line.key}"}})
        wishes: list[dict[str, base.Json]] = [{"speed": "1", "route": "lay"}]
        if "port" in line.label:
            wishes.append({"posture": ["logistics"], "speed": "0", "route": ""})
        elif route := walk(grid, here, COLUMNS[side]):
            wishes.append({"speed": "2", "route": route, "posture": ["passive"]})
        for wish in wishes:
            tried = if_legal(adjudicator, side, ask, sheet, {line.key: wish})
            if tried is not sheet:
                sheet = tried
                break
    return regrouped(adjudicator, side, ask, sheet)


def regrouped(adjudicator: Any, side: str, ask: AnyAsk, sheet: Sheet) -> Sheet:
    """One ship goes into a task force of its own."""
    for line, field in lines_with(ask, "task_force"):
        fresh = next((one.value for one in field.choices if one.label.endswith("(new)")), None)
        if fresh is not None:
            detached = {line.key: {"task_force": fresh}, fresh: {"name": "Detached"}}
            tried = if_legal(adjudicator, side, ask, sheet, detached)
            if tried is not sheet:
                return tried
    return sheet


def walk(grid: Grid, here: str, columns: frozenset[int]) -> str:
    """Two steps and back again within these columns; empty for a force elsewhere."""
    around = [one for one in sorted(grid.neighbours(here)) if int(one[2:]) in columns]
    return f"{around[0]} {here} {around[-1]} {here}" if around and int(here[2:]) in columns else ""


def logistics(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Who has supply gives a point of it to the next ship that takes it, each turn; what becomes of it is asked."""
    sheet = changed(ask.form.prefilled(), {"stores": {"convert": True, "lose": True, "stands": "yes"}})
    for giver, taker in islice(permutations([line.key for line, _ in lines_with(ask, "give")], 2), TRIES):
        tried = if_legal(adjudicator, side, ask, sheet, {giver: {"give": f"> {taker} 1 supply"}})
        if tried is not sheet:
            return tried
    return sheet


def conversions(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Every freighter is filled with explosives."""
    return changed(ask.form.prefilled(), {line.key: {"convert": True} for line in ask.form.lines})


def no_conversions(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Other stores, and nothing to say at the turn's end."""
    return changed(logistics(adjudicator, side, ask), {"stores": {"convert": False}})


BOTH: dict[str, Order] = {
    "operations": operations, "period": period, "planning": planning, "logistics": logistics,
    "suicide_freighters": conversions,
}  # fmt: skip

PERIOD = campaigner(period=period)
PLANNING = campaigner(planning=planning)
LOGISTICS = campaigner(planning=planning, logistics=logistics)


ORDERS_OF_BATTLE = tomllib.loads(Path(__file__).with_name("orders_of_battle.toml").read_text(encoding="utf-8"))


# --- orders of battle -------------------------------------------------------------------------------------------------
def bought(opening: Changes, later: Changes) -> Order:
    """Buy this before turn 1, and that at a period's end."""
    return lambda _, side, ask: changed(ask.form.prefilled(), opening if ask.title.startswith(OPENING) else later)


def deployed(lines: Changes) -> Order:
    """Deploy with these lines; task forces that are not named are not formed."""

    def order(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        gone = {key: {"units": None, "hex": None, "port": False, "name": None} for key in sheet if "port" in sheet[key]}
        return changed(sheet, {**gone, **lines})

    return order


def equipped(side: str) -> Any:
    """The side's other commander, with the order of battle that is written down."""
    found = ORDERS_OF_BATTLE[side]
    purchase = bought(found["opening"], found["later"])
    return campaigner(**BOTH, purchase=purchase, deployment=deployed(found["deployment"]))


COALITION = equipped("coalition")
"""Another fleet in other places, with another hidden base."""

ALLIANCE = equipped("alliance")
"""Other convoys, escorts, stations and modules."""

OPERATIONS = campaigner(
    operations=operations, planning=planning, logistics=no_conversions, suicide_freighters=conversions
)
"""What is asked in windows of its own."""


def later(order: Order) -> Order:
    """This order from the second period on, before that as it is filled in."""

    def chosen(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
        return ask.form.prefilled() if "period 1" in ask.title.casefold() else order(adjudicator, side, ask)

    return chosen


def renamed(adjudicator: Any, side: str, ask: AnyAsk) -> Sheet:
    """Other names for all task forces, and the logistics sheet every turn."""
    sheet = changed(ask.form.prefilled(), {"stores": {"sheet": "always"}})
    named = [line.key for line, _ in lines_with(ask, "name") if "if you form it" not in line.label]
    return changed(sheet, {key: {"name": f"Band {key}"} for key in named})


UNSCORED = {
    "alliance": campaigner(
        purchase=bought({}, ORDERS_OF_BATTLE["alliance"]["later"]),
        operations=later(operations),
        period=later(period),
        planning=renamed,
        logistics=logistics,
        suicide_freighters=conversions,
    ),
    "coalition": COALITION,
}
"""Nothing that a period's end scores in the open is done otherwise: what is delivered and transferred, and how many of
whose ships were out of port. The Coalition has nothing of the kind but the number of its ships, which stays."""
