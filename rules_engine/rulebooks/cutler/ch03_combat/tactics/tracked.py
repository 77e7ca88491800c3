"""A battle as a tracker gets it: its units, the ground and the set-up, and what is made of what was counted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.battles import TacticalBattle, TacticalShip
from rules_engine.core.tactics.conditions import Code, SetUpStep
from rules_engine.core.tactics.tactics import Tactics
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import is_of_sortie, leaving_panel, sortie_panel
from rules_engine.rulebooks.cutler.ch03_combat.pictures import Placing
from rules_engine.rulebooks.cutler.ch03_combat.tactics.accounts import SQUAD, account_of, remarks_on
from rules_engine.rulebooks.cutler.ch03_combat.tactics.flights import TERRAIN_SPEED, slowest, tactical_ship
from rules_engine.rulebooks.cutler.ch03_combat.tactics.ground import ground_notes, ground_of
from rules_engine.rulebooks.cutler.ch03_combat.tactics.setups import (
    Ranks,
    set_up_edge,
    set_up_escape,
    set_up_flank,
    set_up_open,
    set_up_point,
)
from rules_engine.rulebooks.cutler.ch03_combat.tactics.sharing import shared_out
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.terrain import APART, BASE
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, ready_fighters
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

_MEETING_DIE = 6
"""The faces of the dice of flanks that arrive together: the higher die sets up first. 3.7.4"""


class FlankGroup(NamedTuple):
    """A flanking group: its side and number, the turn on which it arrives, and its die for a meeting."""

    side: Side
    number: int
    turn: int
    die: int


class _Field(NamedTuple):
    """All units of a battle by code, those of flanking groups also by group, and of these the fighters aboard."""

    units: dict[Code, Unit]
    late: dict[FlankGroup, list[Code]]
    aboard: dict[Code, Unit]

    def there(self, force: Sequence[Side]) -> list[Code]:
        """The units of a force that are there at the start."""
        away = {code for codes in self.late.values() for code in codes}
        return [code for code in self.of(force) if code not in away]

    def of(self, force: Sequence[Side]) -> list[Code]:
        """All units of a force."""
        return [code for code, unit in self.units.items() if unit.race in force]


def _field(state: CutlerState, battle: Battle, flanks: Sequence[FlankGroup]) -> _Field:
    units = {key: state.fighting(battle.hex, unit) for key, unit in battle.lines.items()}
    codes = {unit.id: code for code, unit in units.items()}
    aboard = {
        codes[squad.id.removesuffix(ABOARD)] + SQUAD: squad
        for squad in ready_fighters(list(units.values()))
        if squad.id in battle.flanking
    }
    units |= aboard
    groups = {(one.side, one.number): one for one in flanks}
    late: dict[FlankGroup, list[Code]] = {}
    for code, unit in units.items():
        if unit.id in battle.flanking:
            group = groups[battle.side_of(unit.race), battle.flanking[unit.id]]
            late.setdefault(group, []).append(code)
    return _Field(units, late, aboard)


@rule("3.4", "3.5", "3.6", "3.7")
def tactics_of(
    state: CutlerState, battle: Battle, placing: Placing, title: str, flanks: Sequence[FlankGroup] = ()
) -> Tactics:
    """How a tracker flies a battle, and what its result is filled in with. 3.4, 3.5, 3.6, 3.7"""
    field = _field(state, battle, flanks)
    return Tactics(
        battle=TacticalBattle(
            title=title,
            forces=tuple(map(battle.force_of, battle.sides)),
            ships=tuple(_ships(battle, placing, field)),
            ground=ground_of(state, battle, placing),
            steps=tuple(
                step
                for whole in _set_up(state, battle, placing, field)
                for step in shared_out(whole, [field.of((race,)) for race in battle.everyone])
            ),
            notes=tuple(_notes(state, battle, placing, field)),
        ),
        account=lambda tally: account_of(state, battle, field.aboard, tally),
        remarks=lambda tally: remarks_on(state, battle, field.aboard, tally),
    )


# --- units -----------------------------------------------------------------------------------------------------------


@rule("3.4.4", "3.5.9", "3.6", "3.6.1", "3.7.4", "3.7.6")
def _ships(battle: Battle, placing: Placing, field: _Field) -> Iterator[TacticalShip]:
    """Each unit with its speed and weapon status: 1, for who flees 0, for pursuers and flanks 2.

    3.4.4, 3.5.9, 3.6, 3.6.1, 3.7.4, 3.7.6
    """
    for side in battle.sides:
        own = field.there(battle.force_of(side))
        speed = _speed(battle, placing, side, [field.units[code] for code in own])
        status = {"escape": 0 if side == battle.sides[0] else 2}.get(placing.place, 1)
        for code in own:
            yield tactical_ship(code, field.units[code], status=status, speed=speed)
    for group, codes in field.late.items():
        after = _MEETING_DIE - group.die
        for code in codes:
            yield tactical_ship(code, field.units[code], status=2, arrives=group.turn, after=after)


def _speed(battle: Battle, placing: Placing, side: Side, units: Sequence[Unit]) -> int | None:
    """The speed at which a side's units begin, None where each has its own maximum."""
    if placing.place == "escape":
        return None
    if placing.place == "point":
        return TERRAIN_SPEED if side == battle.sides[0] else None
    return slowest(units)


# --- set-up ----------------------------------------------------------------------------------------------------------


def _set_up(state: CutlerState, battle: Battle, placing: Placing, field: _Field) -> Iterator[SetUpStep]:
    ranks = Ranks(
        field.units,
        {side: field.there(battle.force_of(side)) for side in battle.sides},
        {side: state.names_of(battle.force_of(side)) for side in battle.sides},
        battle.feature,
        state.fights[battle.hex].ground.named(battle.feature).name if battle.feature else "",
        _fixed(state, battle, field.units),
    )
    if placing.place == "escape":
        codes = {unit.id: code for code, unit in field.units.items()}
        ways = {way: [codes[unit] for unit in units] for way, units in placing.ways.items()}
        groups = [[codes[unit] for unit in group] for group in placing.groups]
        yield from set_up_escape(ranks, battle.sides, ways=ways, groups=groups)
    elif placing.place == "point":
        yield from set_up_point(ranks, battle.sides)
    elif placing.place == "edge":
        yield from set_up_edge(ranks, battle.sides)
    else:
        second = next(side for side in battle.sides if side != placing.first)
        rule_id = "3.5.9, 3.4.3" if placing.place == "deep" else "3.4.3"
        yield from set_up_open(ranks, (placing.first, second), rule_id)
    for group in sorted(field.late, key=lambda one: (one.turn, -one.die)):
        enemy = next(side for side in battle.sides if side != group.side)
        enemies = field.of(battle.force_of(enemy))
        yield set_up_flank(ranks, group.side, field.late[group], enemies)


def _fixed(state: CutlerState, battle: Battle, units: Mapping[Code, Unit]) -> list[Code]:
    """Ground bases, and the base that is itself the feature that is fought for."""
    bases = state.fights[battle.hex].ground.bases if battle.feature.startswith(BASE) else {}
    return [
        code
        for code, unit in units.items()
        if unit.kind == "ground_base" or bases.get(unit.id, APART) == battle.feature
    ]


# --- what else holds -------------------------------------------------------------------------------------------------


def _notes(state: CutlerState, battle: Battle, placing: Placing, field: _Field) -> Iterator[str]:
    if placing.place in ("open", "deep", "edge"):
        yield "All may turn or sideslip with their first movement (3.4.4)."
    if placing.place == "escape":
        yield "Nobody may escape from an escape battle; disengaging is allowed (3.3.2, 3.3.7.8)."
    if any(map(is_of_sortie, field.units.values())):
        yield from sortie_panel(state, battle).rows
    yield "A floating map is used (3.4.5)."
    yield from leaving_panel().rows
    yield from ground_notes(state, battle, placing)
