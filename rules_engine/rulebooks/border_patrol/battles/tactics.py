"""A battle as the tactical tracker flies it: its units, how they are set up, and the account filled in by its tally.

The chapter says nothing of how a battle begins: the set-up is ruling BP-N32. What is left of a unit its own Team alone
knows (BP-R57), so the tracker shows movement figures to nobody else.
"""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.tactics.battles import FlightRecord, Form, TacticalBattle, TacticalGroundPiece, TacticalShip
from rules_engine.core.tactics.conditions import Code, Distance, SetUpStep
from rules_engine.core.tactics.tactics import Tactics
from rules_engine.core.tactics.tallies import TacticalTally
from rules_engine.rulebooks.border_patrol.battles.monsters import side_of
from rules_engine.rulebooks.border_patrol.battles.results import UnitAccount, can_leave, unit_of
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import Unit

RULE = "BP-N32"
TOGETHER = 10
"""Within how many hexes of each other a Team's units are."""
NEAREST, FARTHEST = 25, 35
"""How far those that are set up later are from the nearest that are there."""
FASTEST = 31

_FORMS: dict[str, Form] = {"fighter": "shuttle", "PF": "PF"}
_FILLING = {"asteroids": "Asteroids", "dust": "Dust", "nebula": "Nebula"}
"""Ground that fills the whole map; of other ground a note tells."""


def tactics_of(state: BorderState, battle: Battle, ground: str) -> Tactics:
    """How a battle may be tracked. Ruling BP-N32"""
    units = {code: unit_of(state, battle, code) for code in battle.lines}
    tracked = TacticalBattle(
        title=f"Battle in {battle.hex}",
        forces=tuple((team,) for team in state.teams),
        ships=tuple(_ship(battle, code, unit) for code, unit in units.items()),
        ground=tuple(_ground(ground)),
        steps=tuple(_placings(state, units)),
        notes=tuple(_notes(ground)),
    )
    return Tactics(tracked, lambda tally: account_of(state, battle, tally))


def _ground(ground: str) -> Iterator[TacticalGroundPiece]:
    match ground:
        case "asteroids" | "dust" | "nebula":
            yield TacticalGroundPiece(id=ground, kind=ground, name=_FILLING[ground])
        case _:
            return


def _notes(ground: str) -> Iterator[str]:
    if ground != "open space" and ground not in _FILLING:
        yield f"The ground: {ground}. It is not on the map; agree between you what it does."


# --- units ------------------------------------------------------------------------------------------------------------


def _ship(battle: Battle, code: Code, unit: Unit) -> TacticalShip:
    """A unit under its neutral code; its Weapon Status and what is left of it are its Team's alone. BP-R57"""
    return TacticalShip(
        code=code,
        side=side_of(battle, unit),
        name=unit.name,
        kind=unit.ship_class,
        flight=flight_of(unit),
        most_speed=most_speed(unit),
    )


def flight_of(unit: Unit) -> FlightRecord:
    """A unit's movement figures: warp boxes that work. Of who has none in its record, as monsters, there is nothing."""
    has_engines = bool(unit.warp_original) or unit.sublight
    return FlightRecord(
        size_class=unit.size_class,
        form=_FORMS.get(unit.kind, "ship"),
        move_cost=unit.movement_cost or None,
        warp=_warp(unit) if has_engines else None,
        stays=unit.kind == "base",
    )


def _warp(unit: Unit) -> int:
    return 0 if unit.warp_dropped or unit.sublight else unit.warp_ok


def most_speed(unit: Unit) -> int:
    """How fast a unit may be at the start: what its warp boxes give, and one hex by impulse."""
    if unit.kind == "base":
        return 0
    if not unit.movement_cost or not (unit.warp_original or unit.sublight):
        return FASTEST
    return min(FASTEST, int(_warp(unit) / unit.movement_cost) + 1)


# --- set-up -----------------------------------------------------------------------------------------------------------


def _placings(state: BorderState, units: dict[Code, Unit]) -> Iterator[SetUpStep]:
    """Monsters first, then the Teams in the order in which they moved in the phase: the lower initiative first.
    BP-N32"""
    monsters = tuple(code for code, unit in units.items() if not unit.team)
    if monsters:
        yield SetUpStep(units=monsters, says="Monsters and alien ships, anywhere", rule=RULE)
    there = monsters
    for team in sorted(state.teams, key=lambda team: (state.now.initiative.get(team, 0), team)):
        own = tuple(code for code, unit in units.items() if unit.team == team)
        if not own:
            continue
        name = state.teams[team].name
        where = f", {NEAREST} to {FARTHEST} hexes from the nearest of the others" if there else ""
        yield SetUpStep(
            units=own,
            conditions=tuple(_conditions(units, own, there, name)),
            says=f"The {name}: within {TOGETHER} hexes of each other{where}",
            rule=RULE,
        )
        there = (*there, *own)


def _conditions(units: dict[Code, Unit], own: Sequence[Code], there: Sequence[Code], name: str) -> Iterator[Distance]:
    """Where a Team's units stand: together, who is in tow beside its tower, and away from those that are there."""
    own, codes = tuple(own), {unit.id: code for code, unit in units.items()}
    if len(own) > 1:
        says = f"All of the {name} are within {TOGETHER} hexes of each other."
        yield Distance(units=own, others=own, most=TOGETHER, rule=RULE, says=says)
    for code in own:
        if tower := codes.get(units[code].towed_by):
            says = f"{code} is in tow, beside {tower}."
            yield Distance(units=(code,), others=(tower,), most=1, rule=RULE, says=says)
    if there:
        says = f"Each of the {name} is {NEAREST} to {FARTHEST} hexes from the nearest of the others."
        yield Distance(
            units=own,
            others=tuple(there),
            measure="nearest",
            least=NEAREST,
            most=FARTHEST,
            rule=RULE,
            says=says,
        )


# --- the account ------------------------------------------------------------------------------------------------------


@rule("V8.14")
def account_of(state: BorderState, battle: Battle, tally: TacticalTally) -> Sheet:
    """What can be said of a battle by its tally: who was destroyed and who left, if it is able to leave as far as both
    Teams see. Damage and captures its captains alone know. V8.14, BP-N25"""
    sheet: Sheet = {}
    for code in battle.lines:
        counted, unit = tally.ship(code), unit_of(state, battle, code)
        if counted is None:
            continue
        if counted.fate == "destroyed":
            sheet[code] = {"fate": "destroyed"}
        elif counted.fate and can_leave(unit, UnitAccount()):
            sheet[code] = {"fate": "disengaged"}
    return sheet
