"""Chapter V8.70: whether cloaked units that move are found, by what, and what becomes known of them."""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.encounters import (
    OWN_PROVINCE_LESS,
    ROLL_LESS,
    ROWS,
    EncounterKind,
    adjustment,
    encounter_result,
)


class Province(NamedTuple):
    """Whose a hex's province is, and whether it is disrupted. BP-R53"""

    owner: Owner = ""
    disrupted: bool = False


class MadeKnown(NamedTuple):
    """What an encounter makes known of cloaked units. ``direction`` is whether the way that they go is told,
    ``upturned`` whether they stand open on the map, ``to_everybody`` whether others than the opposing Team learn it,
    ``terrain`` what a battle in the hex has. T8.730"""

    kind: EncounterKind
    hex: HexId
    size_classes: tuple[int, ...]
    direction: bool
    upturned: bool
    to_everybody: bool
    terrain: str

    @property
    def number(self) -> int:
        """How many units they are."""
        return len(self.size_classes)


@rule("V8.71")
def must_roll(stack: Sequence[Unit], *, moved: bool) -> bool:
    """Whether a stack rolls in a phase: it moved in it, and is under cloak. V8.71"""
    return moved and any(unit.cloaked for unit in stack)


@rule("V8.72", "T8.720")
def adjusted_roll(stack: Sequence[Unit], roll: int, province: Province) -> int:
    """A cloaked stack's roll of 2d6 with all that is added: six less, the number of the largest unit's Size Class, and
    what the table says of crews, the helmsman of the unit of the highest BPV, supply and the province. V8.72, T8.720,
    BP-R50, BP-R51, BP-R52, BP-R53, BP-N03, BP-N04"""
    total = roll - ROLL_LESS + min(unit.size_class for unit in stack)
    if all(unit.crew_quality == "outstanding" for unit in stack):
        total += adjustment("outstanding")
    if any(unit.crew_quality == "poor" for unit in stack):
        total += adjustment("poor")
    total += isqrt(max(stack, key=lambda unit: (unit.bpv, unit.helmsman)).helmsman)
    if any(not unit.in_supply for unit in stack):
        total += adjustment("out of supply")
    if province.owner and province.owner == stack[0].team and not province.disrupted:
        total += adjustment("own province")
    return total


@rule("V8.72")
def is_found(stack: Sequence[Unit], roll: int, province: Province) -> bool:
    """Whether a cloaked stack has an unexpected encounter: its roll is less than the number of the smallest unit's Size
    Class. V8.72, BP-R52"""
    return adjusted_roll(stack, roll, province) < max(unit.size_class for unit in stack)


@rule("V8.73")
def encounter_kind(team: Owner, roll: int, province: Province) -> EncounterKind:
    """What a found stack of a Team comes upon, by a roll of 1d6: three less in its own province; convoys sail in the
    opposing Team's alone. V8.73, BP-R53, BP-R54"""
    own = bool(province.owner) and province.owner == team
    kind = encounter_result(roll - (OWN_PROVINCE_LESS if own else 0))
    return "none" if kind == "convoy" and not (province.owner and not own) else kind


@rule("V8.73", "T8.730")
def made_known(stack: Sequence[Unit], kind: EncounterKind) -> MadeKnown | None:
    """What becomes known of a stack by an encounter; None where nothing does. V8.73, T8.730"""
    if kind == "none":
        return None
    row = ROWS[kind]
    classes = tuple(sorted(unit.size_class for unit in stack))
    return MadeKnown(kind, stack[0].hex, classes, row.direction, row.upturned, row.to_everybody, row.terrain)
