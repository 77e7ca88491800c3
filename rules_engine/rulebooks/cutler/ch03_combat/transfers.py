"""Chapter 3.9: what is moved between ships of a hex between battles with two races, and after all of them."""

from collections.abc import Iterable
from typing import Literal

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch04_accessories.orders import (
    CARGO,
    LINES,
    MOST_AT_ONCE,
    AccessoryPlans,
    judge_accessories,
    load,
    places_of_units,
    say_order,
)
from rules_engine.rulebooks.cutler.records.accessories.catalogue import PEOPLE, SHUTTLES, Accessory, AccessoryKind
from rules_engine.rulebooks.cutler.records.accessories.holds import there
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine, TransferSheet
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, letting_go_by

Stage = Literal["between", "after"]
"""Between battles with two races, or after all combat in the hex."""
MOVED_BETWEEN: frozenset[AccessoryKind] = frozenset({*PEOPLE, *SHUTTLES, "fighter", "pack"})
"""What goes from ship to ship between battles with two races. 3.9"""


def _ships(state: CutlerState, race: Side, hex_id: HexId) -> list[Unit]:
    """A race's units in a hex that things are moved to."""
    return [unit for unit in in_own_flight(state.units_in(hex_id, race)) if not unit.is_station]


@rule("3.9")
def has_time(state: CutlerState, race: Side, hex_id: HexId, enemies: Iterable[Side]) -> bool:
    """Whether a race that is to fight these has come from a battle with another race in this impulse. 3.9"""
    last = state.fights[hex_id].work.last
    fought = [last[unit.id] for unit in state.units_in(hex_id, race) if unit.id in last]
    return any(not set(one.against).intersection(enemies) for one in fought)


@rule("3.9")
def movable(state: CutlerState, race: Side, hex_id: HexId, stage: Stage) -> dict[str, Accessory]:
    """What a race may move there, by its key: people, shuttles and fighters of ships between battles, what lies in
    cargo boxes after them; nothing where no other ship is that could take it. 3.9"""
    ships = _ships(state, race, hex_id)
    if stage == "after":
        units = state.units_in(hex_id, race) if ships else []
        return {key: lot.item for unit in units for key, lot in sorted(unit.stowed.items())}
    units = ships if len(ships) > 1 else []
    return {
        key: item
        for key, item in state.accessories.items()
        if item.kind in MOVED_BETWEEN and any(there(unit, key, item, boxes="own") for unit in units)
    }


@rule("3.9")
def transfer_steps(turn: CutlerTurn, hex_id: HexId, races: Iterable[Side], stage: Stage) -> Steps[None]:
    """Ask each of these races that has something to move what it moves, and move it. 3.9, CU-N104"""
    state = turn.state
    items = {race: found for race in races if (found := movable(state, race, hex_id, stage))}
    asks = [_ask(state, race, hex_id, stage, found) for race, found in items.items()]
    sheets = yield from ask_or_obey_steps(
        turn,
        asks,
        [
            letting_go_by(state, race, "transfers", ask, f"In {hex_id} nothing is moved between ships.")
            for race, ask in zip(items, asks, strict=True)
        ],
    )
    for race, sheet in zip(items, sheets, strict=True):
        plans = judge_transfers(state, race, hex_id, sheet, stage).plans
        for plan in plans:
            load(state, plan)
        if plans:
            text = f"Moved in {hex_id}: {'; '.join(map(say_order, plans))}."
            turn.tell([race], text, kind="stores", why=because("3.9, CU-N104"))


def fought_here(state: CutlerState, here: Fight) -> list[Side]:
    """The races that were in a battle in a hex, in the scenario's order."""
    return [race for race in state.races() if race in here.in_battle]


@rule("3.9")
def judge_transfers(
    state: CutlerState, race: Side, hex_id: HexId, sheet: TransferSheet, stage: Stage
) -> AccessoryPlans:
    """What is moved, and every defect: nothing is bought, nothing leaves the hex, only ships are given anything, and
    nothing inert comes out of cargo boxes before all combat is over. 3.9, CU-N104"""
    refusals = [
        refusal
        for key, line in sheet.root.items()
        if not line.is_blank
        for refusal in _judge_line(state, race, hex_id, key, line, stage=stage)
    ]
    if refusals:
        return AccessoryPlans(refusals=refusals)
    return judge_accessories(state, race, sheet.root, lambda _: 0)


def _judge_line(
    state: CutlerState, race: Side, hex_id: HexId, key: str, line: AccessoryLine, *, stage: Stage
) -> list[Refusal]:
    if line.origin is None:
        return [illegal("nothing is bought between battles", "3.9", f"{key}.origin", legal=f"boxes in {hex_id}")]
    places = places_of_units(state, race)
    item = state.accessories.get(line.item or "")
    refusals: list[Refusal] = []
    for path, place in ((f"{key}.origin", line.origin), (f"{key}.to", line.to or "")):
        if place in places and places[place][0].hex != hex_id:
            text = f"{places[place][0].name} is not in {hex_id}"
            refusals.append(illegal(text, "3.9", path, legal=f"a unit of yours in {hex_id}"))
    if line.to in places and (places[line.to][0].is_station or places[line.to][1] != "own"):
        text = "what is moved goes to ships, for use"
        refusals.append(illegal(text, "3.9", f"{key}.to", legal="a ship's own boxes"))
    if line.origin in places:
        unit, boxes = places[line.origin]
        if stage == "after" and boxes != "cargo":
            text = "after combat, ships are given what lies in cargo boxes"
            refusals.append(illegal(text, "3.9", f"{key}.origin", legal=f"{unit.id}{CARGO}"))
        if stage == "between" and (boxes != "own" or unit.is_station):
            text = "between battles nothing inert comes out of cargo boxes, and ships give to ships"
            refusals.append(illegal(text, "3.9", f"{key}.origin", legal="a ship's own boxes"))
    if stage == "between" and item is not None and item.kind not in MOVED_BETWEEN:
        text = f"{item.name} goes to no other ship between battles"
        legal = "boarding parties, crew units, shuttles, fighters and their packs"
        refusals.append(illegal(text, "3.9", f"{key}.item", legal=legal))
    return refusals


def _ask(
    state: CutlerState, race: Side, hex_id: HexId, stage: Stage, items: dict[str, Accessory]
) -> Ask[TransferSheet]:
    def read(sheet: TransferSheet) -> list[str]:
        plans = judge_transfers(state, race, hex_id, sheet, stage).plans
        return [f"{say_order(plan)}." for plan in plans] or ["Nothing is moved."]

    what = "what lies in cargo boxes to ships" if stage == "after" else "people, shuttles and fighters among your ships"
    when = "after all combat" if stage == "after" else "before you meet another race"
    return Ask(
        kind="transfer",
        parties=(race,),
        title=f"{hex_id}: transfers {when}",
        text=f"You may move {what} in {hex_id} now.",
        question=Question(f"Transfers in {hex_id}?", f"You may move {what} now.", (hex_id,)),
        model=TransferSheet,
        form=Form(tuple(_lines(state, race, hex_id, stage, items))),
        rule="3.9",
        default=TransferSheet({}),
        default_says="Nothing is moved.",
        pace="decision",
        check=lambda sheet: judge_transfers(state, race, hex_id, sheet, stage).refusals,
        read_back=read,
    )


def _lines(state: CutlerState, race: Side, hex_id: HexId, stage: Stage, items: dict[str, Accessory]) -> list[Line]:
    here = {place: found for place, found in places_of_units(state, race).items() if found[0].hex == hex_id}
    ships = tuple(
        Choice(place, unit.title[:80])
        for place, (unit, boxes) in here.items()
        if not unit.is_station and boxes == "own"
    )
    laden = tuple(
        Choice(place, f"Cargo boxes of {unit.title}"[:80])
        for place, (unit, boxes) in here.items()
        if unit.stowed and boxes == "cargo"
    )
    origins = laden if stage == "after" else ships
    fields = (
        Field("item", "What", "one", tuple(Choice(key, item.name) for key, item in items.items()), optional=True),
        number_field("count", "How many", range(1, MOST_AT_ONCE + 1), None, "blank: one", optional=True),
        Field("origin", "From", "one", origins, optional=True),
        Field("to", "Into", "one", ships, optional=True),
    )
    return [Line(f"A{n}", f"Transfer {n}", fields) for n in range(1, LINES + 1)]
