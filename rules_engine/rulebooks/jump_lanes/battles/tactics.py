"""A battle in space as the tactical tracker flies it: its units, how they are set up, and the account filled in by its
tally.

The chapter says nothing of how a battle begins, nor has it figures of the tactical game: both are ruling JL-N17.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalShip, TacticalTow
from rules_engine.core.tactics.conditions import Code, Distance, SetUpStep
from rules_engine.core.tactics.tactics import Tactics
from rules_engine.core.tactics.tallies import ShipTally, TacticalTally
from rules_engine.rulebooks.jump_lanes.battles.account import LaneBattleResult, unit_of
from rules_engine.rulebooks.jump_lanes.battles.results import fates_for
from rules_engine.rulebooks.jump_lanes.battles.set_up import tow_notes
from rules_engine.rulebooks.jump_lanes.battles.tows import NO_TOW, squadron_after, tow_after, tug_before, tugs_for
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import strained
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposes
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import STANDS_ALONE
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import Unit, UnitKind

RULE = "JL-N17"
TOGETHER = 10
"""Within how many hexes of each other an empire's units are, and those of who fights beside it."""
NEAREST, FARTHEST = 25, 35
"""How far those that are set up later are from the nearest enemy that is there."""
FASTEST = 31

_STAY: tuple[UnitKind, ...] = ("satellite", "starbase")
_LARGE, _MIDDLING = 5, 3
"""From which SIZ on a ship is of size class 2, and of size class 3."""


def tactics_of(state: LanesState, battle: Battle) -> Tactics | None:
    """How a battle may be tracked; one on the ground is none of ships. Ruling JL-N17"""
    if battle.kind == "ground":
        return None
    units = {code: unit_of(state, battle, code) for code in battle.lines}
    forces = forces_of(state, battle)
    tracked = TacticalBattle(
        title=f"Battle {'in' if battle.in_lane else 'at'} {battle.name}",
        forces=forces,
        ships=tuple(_ship(code, unit) for code, unit in units.items()),
        steps=tuple(_placings(state, units, in_drawn_order(battle, forces))),
        tows=tuple(_tows(units)),
        towable=tuple(code for code, unit in units.items() if unit.kind in STANDS_ALONE and not battle.in_lane),
        notes=tuple(tow_notes(state, units.values())),
    )
    return Tactics(tracked, lambda tally: account_of(state, battle, tally))


@rule("13.4.2")
def _tows(units: Mapping[Code, Unit]) -> Iterator[TacticalTow]:
    """What is in tow as the battle begins, squadron by squadron; the strongest tug decides how all move. 13.4.2,
    JL-R47"""
    for squadron in dict.fromkeys(unit.squadron for unit in units.values() if unit.towed):
        tugs = [code for code, unit in units.items() if unit.tows and unit.squadron == squadron]
        towed = [code for code, unit in units.items() if unit.towed and unit.squadron == squadron]
        yield TacticalTow(tugs=tuple(sorted(tugs, key=lambda code: -units[code].towing)), towed=tuple(towed))


@rule("13.2")
def forces_of(state: LanesState, battle: Battle) -> tuple[tuple[Side, ...], ...]:
    """Who fights as one: empires that oppose the same others, and so not each other. 13.2"""
    found: dict[tuple[Side, ...], list[Side]] = {}
    for side in battle.sides:
        opponents = tuple(other for other in battle.sides if opposes(state, side, other))
        found.setdefault(opponents, []).append(side)
    return tuple(map(tuple, found.values()))


def draw_order(turn: LanesTurn, battle: Battle) -> None:
    """Draw which force is set up first where a battle is tracked: later ones see where it stands. JL-N17"""
    left = [force[0] for force in forces_of(turn.state, battle)]
    while len(left) > 1:
        key = f"set-up/{battle.key}/{len(left)}"
        roll = turn.roll("who is set up first", faces=len(left), key=key, seen_by=battle.sides)
        battle.placed_first.append(left.pop(roll.total - 1))
    battle.placed_first += left


def in_drawn_order(battle: Battle, forces: Sequence[Sequence[Side]]) -> list[Sequence[Side]]:
    """The forces of a battle in the order in which they are set up."""
    order = battle.placed_first
    return sorted(forces, key=lambda force: order.index(force[0]) if force[0] in order else len(order))


# --- units ------------------------------------------------------------------------------------------------------------


def _ship(code: Code, unit: Unit) -> TacticalShip:
    """A unit under its neutral code."""
    stays = unit.kind in _STAY
    fastest = 0 if stays or unit.towed else strained(FASTEST) if unit.tows else FASTEST
    return TacticalShip(
        code=code,
        side=unit.empire,
        name=unit.name,
        kind=unit.kind,
        flight=FlightRecord(
            size_class=size_class(unit),
            form="shuttle" if unit.kind == "flight" else "ship",
            stays=stays,
            source="invented",
        ),
        most_speed=fastest,
    )


def size_class(unit: Unit) -> int:
    """The size class that stands in for what a unit is and its SIZ."""
    match unit.kind:
        case "flight":
            return 6
        case "satellite":
            return 5
        case "starbase":
            return 2
        case _:
            return 2 if unit.siz >= _LARGE else 3 if unit.siz >= _MIDDLING else 4


# --- set-up -----------------------------------------------------------------------------------------------------------


def _placings(state: LanesState, units: Mapping[Code, Unit], forces: Sequence[Sequence[Side]]) -> Iterator[SetUpStep]:
    """Empire by empire in this order, those that fight as one after each other."""
    enemies: list[Code] = []
    for force in forces:
        friends: list[Code] = []
        for side in force:
            own = tuple(code for code, unit in units.items() if unit.empire == side)
            name = state.empires[side].name
            conditions = (*_together(units, own, friends, name), *_away(own, enemies, name))
            where = f", {NEAREST} to {FARTHEST} hexes from the nearest enemy" if enemies else ""
            says = f"{name}: within {TOGETHER} hexes of each other{where}"
            yield SetUpStep(units=own, conditions=conditions, says=says, rule=RULE)
            friends += own
        enemies += friends


def _together(
    units: Mapping[Code, Unit], own: Sequence[Code], friends: Sequence[Code], name: str
) -> Iterator[Distance]:
    """That an empire's units are near each other and those beside which they fight, and what is in tow at a tug."""
    own, friends = tuple(own), tuple(friends)
    if len(own) > 1:
        says = f"All of {name} are within {TOGETHER} hexes of each other."
        yield Distance(units=own, others=own, most=TOGETHER, rule=RULE, says=says)
    if friends:
        says = f"Each of {name} is within {TOGETHER} hexes of one beside whom it fights."
        yield Distance(units=own, others=friends, measure="nearest", most=TOGETHER, rule=RULE, says=says)
    for code in own:
        squadron = units[code].squadron
        tugs = tuple(one for one in own if units[one].tows and units[one].squadron == squadron)
        if units[code].towed and tugs:
            says = f"{code} is in tow, beside {' or '.join(tugs)}."
            yield Distance(units=(code,), others=tugs, measure="nearest", most=1, rule=RULE, says=says)


def _away(own: Sequence[Code], enemies: Sequence[Code], name: str) -> Iterator[Distance]:
    """How far an empire's units are from enemies that are there."""
    if enemies:
        yield Distance(
            units=tuple(own),
            others=tuple(enemies),
            measure="nearest",
            least=NEAREST,
            most=FARTHEST,
            rule=RULE,
            says=f"Each of {name} is {NEAREST} to {FARTHEST} hexes from the nearest enemy.",
        )


# --- the account ------------------------------------------------------------------------------------------------------


@rule("13.2", "13.4.2")
def account_of(state: LanesState, battle: Battle, tally: TacticalTally) -> Sheet:
    """What can be said of a battle by its tally: who was destroyed, what tugs let go or took in tow, and which
    squadrons withdrew: as a whole, with what they have in tow then. Who is crippled its captains alone know. 13.2,
    13.4.2, JL-N14, JL-R47"""
    counted = {code: tally.ship(code) for code in battle.lines}
    fates = {code: "" if one is None else one.fate for code, one in counted.items()}
    sheet: Sheet = {code: {"fate": "destroyed"} for code, fate in fates.items() if fate == "destroyed"}
    for code, one in counted.items():
        if code not in sheet and one is not None and (tow := _tow_of(state, battle, code, one)):
            sheet[code] = {"tow": tow}
    said = LaneBattleResult.model_validate({code: sheet.get(code, {}) for code in battle.lines})
    there = [code for code in battle.lines if said.root[code].fate != "destroyed"]
    after = {code: squadron_after(state, battle, said, code) for code in there}
    for squadron in dict.fromkeys(after.values()):
        left = [code for code in there if squadron and after[code] == squadron]
        flown = [code for code in left if tow_after(state, battle, code, said.root[code]) == NO_TOW]
        has_left = bool(flown) and all(fates[code] in ("disengaged", "left the map") for code in flown)
        if has_left and "withdrew" in [one.value for one in fates_for(state, battle, flown[0])]:
            sheet |= {code: {**sheet.get(code, {}), "fate": "withdrew"} for code in left}
    return sheet


def _tow_of(state: LanesState, battle: Battle, code: Code, counted: ShipTally) -> str:
    """What a line says of a tow that has changed; empty where it has not, or the form has no such tow."""
    before = tug_before(state, battle, code)
    now = counted.in_tow if counted.in_tow in battle.lines else NO_TOW
    if NO_TOW not in (before, now):
        one, other = (unit_of(state, battle, tug) for tug in (before, now))
        # Tugs that pulled together are one tow, whichever of them leads it in the tracker.
        now = before if one.squadron == other.squadron and other.tows else now
    return "" if now == before or now not in (*tugs_for(state, battle, code), NO_TOW) else now
