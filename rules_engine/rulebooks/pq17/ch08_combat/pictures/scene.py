"""What the pictures of a battle show, from what both sides read on its sheet: forces, start, steps and units.

Both sides hold each other's status sheets by now (8.5.4), so all of it is common; ships' own names are not in it.
"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Party, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.battle_scene import (
    BattleForce,
    BattleScene,
    BattleStart,
    BattleStep,
    OwnUnits,
    Spot,
    Station,
)
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import CONDITION_NAMES
from rules_engine.rulebooks.pq17.ch08_combat.pictures.notes import notes_of
from rules_engine.rulebooks.pq17.ch08_combat.pictures.ranges import Forces, distances, of_original
from rules_engine.rulebooks.pq17.ch08_combat.pictures.rows import rank, row_of, table_of
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State

_REMARK = "Nobody can accelerate away; leave by separation only."


def battle_scene(turn: TurnContext[State], battle: Battle, forces: Forces) -> BattleScene:
    """The scene of a battle between two sides, the defender first."""
    state = turn.state
    placed = [unit for force in forces.values() for unit in state.units_of(force)]
    units = sorted(placed, key=lambda unit: rank(state, battle, unit))
    force_of = {unit.id: force for force in forces.values() for unit in state.units_of(force)}
    table = table_of(state, battle, forces, ranges_differ=len(distances(state, battle)) > 1)
    surprised = f"{turn.name_of(battle.defender)} is surprised: weapon status 1. " if battle.surprised else ""
    return BattleScene(
        title=f"Battle in {battle.hex}",
        when=_when(state, battle),
        parties=tuple(
            Party(label=label, seat=seat)
            for seat, label in enumerate(turn.shared.labels)
            if label.key in (battle.attacker, battle.defender)
        ),
        forces=(
            BattleForce(sides=(battle.defender,), does="defends", title="original defender" + _and_more(battle)),
            BattleForce(sides=(battle.attacker,), does="attacks", title="attacker"),
        ),
        start=_start(state, battle, units),
        steps=tuple(_order(state, battle)),
        units=tuple(row_of(state, battle, unit, force_of[unit.id], table) for unit in units),
        columns=table.columns,
        remark=surprised + _REMARK,
        notes=tuple(notes_of(state, battle, forces)),
    )


@rule("1.6.4.1")
def own_units(state: State, battle: Battle, scene: BattleScene) -> dict[Side, OwnUnits]:
    """Each side's units under their own names, which it alone may know. PQ-17 1.6.4.1."""
    found: dict[Side, OwnUnits] = {}
    for side in (battle.defender, battle.attacker):
        own = [(row, state.units[battle.names[row.code]]) for row in scene.units]
        rows = [
            row.model_copy(update={"kind": unit.name, "aside": row.kind, "cells": ()})
            for row, unit in own
            if unit.side == side
        ]
        found[side] = OwnUnits(units=tuple(rows))
    return found


def _and_more(battle: Battle) -> str:
    return " and relief" if battle.joiners else ""


def _when(state: State, battle: Battle) -> str:
    terrain = {"nebula": "nebula", "planet": "a planet"}.get(state.terrain(battle.hex), "open space")
    conditions = f"{CONDITION_NAMES[battle.conditions].lower()} conditions"
    pursuit = " · pursuit" if battle.depth else ""
    return f"Turn {state.turn}, impulse {state.impulse} · {terrain} · {conditions}{pursuit}"


# --- where they start -------------------------------------------------------------------------------------------------


def _spread(figures: Sequence[int]) -> str:
    return str(figures[0]) if len(figures) == 1 else f"{figures[0]}–{figures[-1]}"


@rule("8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
def _start(state: State, battle: Battle, units: Sequence[Unit]) -> BattleStart:
    """Who starts where. PQ-17 8.5.5.4.1-.3; ruling CMB-7."""
    steps = _numbers(state, battle)

    def codes(keys: Iterable[str]) -> tuple[str, ...]:
        held = {unit.id for key in keys for unit in state.units_of(state.task_forces[key])}
        return tuple(battle.name_of(unit.id) for unit in units if unit.id in held)

    first, *rest = codes(battle.original)
    stations = [Station(side=battle.defender, spot="middle", codes=(first,), step=steps["middle"])]
    if rest:
        stations.append(Station(side=battle.defender, spot="near", codes=tuple(rest), step=steps["near"]))
    others: tuple[tuple[Side, Spot, Iterable[str]], ...] = (
        (battle.attacker, "far", battle.attackers),
        (battle.defender, "beyond", sorted(battle.joiners)),
    )
    stations += [
        Station(side=side, spot=spot, codes=codes([key]), step=steps[spot])
        for side, spot, keys in others
        for key in keys
    ]
    return BattleStart(distance=_spread(distances(state, battle)), stations=tuple(stations))


def _numbers(state: State, battle: Battle) -> dict[str, int]:
    """The number of the step that places those at each spot."""
    alone = sum(len(state.units_of(state.task_forces[key])) for key in battle.original) == 1
    spots = ["middle", *([] if alone else ["near"]), "far", *(["apart"] if len(battle.attackers) > 1 else []), "beyond"]
    return {spot: number for number, spot in enumerate(spots, start=1)}


@rule("8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
def _order(state: State, battle: Battle) -> Iterable[BattleStep]:
    """The order in which forces are placed, in a few words each. PQ-17 8.5.5.4.1-.3; ruling CMB-7."""
    figures = distances(state, battle)
    numbers = _numbers(state, battle)
    alike_ranges = len(figures) == 1
    yield BattleStep(
        side=battle.defender, says="one unit in the middle" if "near" in numbers else "its unit in the middle"
    )
    if "near" in numbers:
        own = of_original(state, battle, cloaks={state.task_forces[key].posture.cloak for key in battle.original})
        each = f"the rest in each other's range, {own[0]}" if len(own) == 1 else "the rest, all others in its range"
        yield BattleStep(side=battle.defender, says=each)
    at = f"not nearer than {figures[0]}, one at exactly {figures[0]}"
    if not alike_ranges:
        at = "in no unit's range, one exactly at it"
    yield BattleStep(side=battle.attacker, says=at)
    if len(battle.attackers) > 1:
        yield BattleStep(side=battle.attacker, says="forces out of each other's range")
    if battle.joiners:
        yield BattleStep(side=battle.defender, says="relief last, one at its target's range")
