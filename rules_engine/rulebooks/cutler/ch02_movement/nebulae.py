"""Chapter 2.4.1.10: the groups that would leave a nebula, their rolls, and where they come out."""

from collections.abc import Mapping
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.conditions.towing import leaders
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

Moves = dict[str, HexId]
"""Destinations by unit id."""

OUT = 5
"""The lowest result at which a group leaves as plotted. 2.4.1.10"""
RANDOM = "random"
"""What a unit is free to do that must come out somewhere."""


class Group(NamedTuple):
    """Units of one fleet that leave a nebula for one goal. ``promised`` is what an earlier roll allowed them."""

    race: Side
    fleet: str
    goal: HexId
    promised: str
    units: list[Unit]

    @property
    def key(self) -> str:
        """Its key, after which its dice are named."""
        return f"{self.fleet}>{self.goal}{self.promised and '+'}"

    @property
    def here(self) -> HexId:
        """The nebula's hex."""
        return self.units[0].hex

    @property
    @rule("2.4.1.10")
    def rolls(self) -> bool:
        """Whether it needs a roll: an earlier one may have set it free, for this goal or for any. 2.4.1.10, CU-R26"""
        return self.promised not in (self.goal, RANDOM)


class Steered(NamedTuple):
    """A roll that was made already, and what the navigator adds to it."""

    die: Roll
    added: int


@rule("2.4.1.10")
def nebula_groups(state: CutlerState, moves: Moves) -> list[Group]:
    """The groups among these moves that must leave a nebula; a fleet is its owner's group. What is towed goes with its
    tower. 2.4.1.10, CU-R26"""
    groups: dict[tuple[Side, str, HexId, str], list[Unit]] = {}
    together = (*state.fleets.values(), *state.convoys.values())
    fleet_of = {key: group.key for group in together for key in group.units}
    lead = leaders(state, moves)
    for key, goal in moves.items():
        unit = state.units[key]
        if state.terrain.get(unit.hex) == "nebula":
            groups.setdefault((unit.race, fleet_of[key], goal, lead[key].nebula_exit), []).append(unit)
    return [Group(*key, units) for key, units in groups.items()]


def at_nebula(turn: CutlerTurn, group: Group) -> CutlerTurn:
    """The place of a group's dice."""
    return turn.at("nebula", group.race, group.key)


def roll_for(place: CutlerTurn, group: Group) -> Roll:
    """A group's roll, which its owner alone sees."""
    return place.roll("nebula", faces=6, seen_by=[group.race])


@rule("2.4.1.10")
def through_nebulae(turn: CutlerTurn, moves: Moves, steered: Mapping[tuple[Side, str], Steered]) -> Moves:
    """Moves after rolls to leave nebulae, one for each group; those of ``steered`` were made already. What an earlier
    roll allowed lapses with this impulse. 2.4.1.10, CU-R26"""
    state = turn.state
    kept = {key: goal for key, goal in moves.items() if state.terrain.get(state.units[key].hex) != "nebula"}
    groups = nebula_groups(state, moves)
    for unit in state.units.values():
        unit.nebula_exit = ""
    for group in groups:
        way_out = _way_out(at_nebula(turn, group), group, steered.get((group.race, group.key)))
        if way_out:
            kept.update({unit.id: way_out for unit in group.units})
    return kept


@rule("2.4.1.10")
def _way_out(turn: CutlerTurn, group: Group, steered: Steered | None) -> HexId:
    """The hex where a group leaves its nebula, or "" if it does not. 2.4.1.10, CU-R26"""
    race, here, goal = group.race, group.here, group.goal
    names = ", ".join(unit.title for unit in group.units)
    if group.promised == goal:
        return goal
    if group.promised == RANDOM:
        return random_hex(turn, race, here, "drift")
    die, added = steered or Steered(roll_for(turn, group), 0)
    inputs: dict[str, str | int] = {"nebula": here, "to": goal}
    inputs |= {"legendary navigator": f"+{added}"} if added else {}
    why = because("2.4.1.10, CU-R26", inputs, [die])
    result = die.total + added
    if result >= OUT:
        return goal
    if result == 2:
        out = random_hex(turn, race, here, "drift")
        turn.tell([race], f"Lost in the nebula, coming out at {out}: {names}.", kind="movement", why=why)
        return out
    outcome = {
        1: ("", "lost, and must try again"),
        3: (goal, f"delayed, free to leave for {goal} in the next impulse"),
        4: (RANDOM, "delayed, and will drift out somewhere if they leave in the next impulse"),
    }[result]
    for unit in group.units:
        unit.nebula_exit = outcome[0]
    turn.tell([race], f"In the nebula at {here}, {outcome[1]}: {names}.", kind="movement", why=why)
    if group.units[0].in_fleets:
        turn.state.empires[race].alerts.append(f"the nebula at {here} held your ships")
    return ""


def random_hex(turn: CutlerTurn, race: Side, here: HexId, purpose: str) -> HexId:
    """A random neighbour; directions off the map are rolled again. G-3"""
    while True:
        die = turn.roll(f"{purpose} direction", faces=6, seen_by=[race])
        out = turn.state.grid.neighbour(here, die.total - 1)
        if out is not None:
            return out
