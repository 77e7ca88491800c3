"""Where units may be set up, as conditions that a tracker judges. PQ-17 8.5.5.4

The Original Defender first, then all attackers, then each relieving force by itself.
"""

import re
from collections.abc import Iterator, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.conditions import Code, Condition, Distance, OneOf, SetUpStep
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_forces
from rules_engine.rulebooks.pq17.ch08_combat.tactics.forces import PlacedForce, RingRoom, by_reach, placed, said
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State

MIDDLE_MARK: Code = "middle"
"""The piece of ground that marks the middle of the map."""


@rule("8.5.5.4.3")
def deployment_of(state: State, battle: Battle) -> Iterator[SetUpStep]:
    """The steps by which a battle is set up: relieving forces come last, each by itself. PQ-17 8.5.5.4.3; rulings
    CMB-5, CMB-7, own rulings PQ-161, PQ-200."""
    forces = [placed(state, battle, title, force) for title, force in battle_forces(state, battle).items()]
    first, second = len(battle.original), len(battle.original) + len(battle.attackers)
    original, attacking, relieving = forces[:first], forces[first:second], forces[second:]
    targets = [attacking[battle.attackers.index(battle.joiners[key])] for key in sorted(battle.joiners)]
    room = RingRoom.around(original, attacking, targets)
    yield _original_step(original, _put_beside(state, battle))
    yield _attack_step(original, attacking, room)
    for number, (force, target) in enumerate(zip(relieving, targets, strict=True)):
        others = [(other, room.of_relief(target, force)) for other in original]
        others += [(other, room.of_attackers(target, other)) for other in attacking if other is not target]
        earlier = zip(relieving[:number], targets[:number], strict=True)
        others += [(other, room.of_reliefs(target, theirs, force)) for other, theirs in earlier]
        yield _relief_step(force, target, others)


# --- the Original Defender --------------------------------------------------------------------------------------------


@rule("8.5.5.4.1", "8.5.5.4.2", "1.8.12.10")
def _original_step(forces: Sequence[PlacedForce], beside: Sequence[Distance]) -> SetUpStep:
    """The Original Defender: one unit in the middle, and all others with every other in its range, however many forces
    they are in. Bases that were put beside others lie where they were plotted, whatever the ranges.

    PQ-17 8.5.5.4.1, 8.5.5.4.2, 1.8.12.10; own rulings PQ-161, PQ-200."""
    codes = tuple(code for force in forces for code in force.codes)
    lying = {code for one in beside for code in one.units}
    middle_rule = "PQ-17 8.5.5.4.1"
    in_middle = tuple(
        Distance(units=(code,), others=(MIDDLE_MARK,), most=0, rule=middle_rule, says=f"{code} in the middle")
        for code in codes
    )
    return SetUpStep(
        units=codes,
        conditions=(
            OneOf(distances=in_middle, rule=middle_rule, says="One unit is in the middle of the map."),
            *_in_range("PQ-17 8.5.5.4.2", [force.without(lying) for force in forces]),
            *beside,
        ),
        says="The Original Defender: one unit in the middle of the map, and every other unit in each one's range",
        rule="PQ-17 8.5.5.4.1, 8.5.5.4.2",
    )


def _in_range(rule_id: str, forces: Sequence[PlacedForce]) -> Iterator[Distance]:
    """That each unit of these has every other in its range."""
    for cloaked in (False, True):
        seen = tuple(code for force in forces if force.cloaked == cloaked for code in force.codes)
        for far, codes in by_reach(forces, cloaked=cloaked).items():
            if len({*seen, *codes}) > 1 and seen:
                says = f"Every other unit is within {far} hexes of {said(codes)}."
                yield Distance(units=codes, others=seen, most=far, rule=rule_id, says=says)


@rule("1.8.12.10")
def _put_beside(state: State, battle: Battle) -> list[Distance]:
    """How far bases lie from the one that they were put beside, where their owner wrote a number of hexes. Directions
    stand among the notes. PQ-17 1.8.12.10."""
    found: list[Distance] = []
    for key in battle.original:
        force = state.task_forces[key]
        if force.base is None:
            continue
        first = [unit.id for unit in state.units_of(force) if unit.id not in force.base.positions]
        if not first:
            continue  # that base is lost
        old = battle.name_of(first[0])
        for unit_id, where in force.base.positions.items():
            plotted = re.search(r"\b(\d{1,2})\s*hex", where)
            if unit_id not in force.units or plotted is None:
                continue
            code, far = battle.name_of(unit_id), int(plotted[1])
            says = f"{code} lies where it was put beside {old}: {where}."
            rule_id = "PQ-17 1.8.12.10"
            found.append(Distance(units=(code,), others=(old,), least=far, most=far, rule=rule_id, says=says))
    return found


# --- attackers and relief ---------------------------------------------------------------------------------------------


@rule("8.5.5.4.3")
def _attack_step(original: Sequence[PlacedForce], attacking: Sequence[PlacedForce], room: RingRoom) -> SetUpStep:
    """All attackers: in their own ranges, in nobody's of the Original Defender, one of each force exactly at it, and
    forces out of each other's. PQ-17 8.5.5.4.3; ruling DEP-2, own ruling PQ-200."""
    rule_id = "PQ-17 8.5.5.4.3"
    conditions: list[Condition] = []
    for number, force in enumerate(attacking):
        conditions += [*_in_range(rule_id, [force]), *_at_ranges_of(rule_id, original, force)]
        for other in attacking[:number]:
            least = room.of_attackers(force, other)
            conditions += [*_apart(rule_id, force, other, least), *_apart(rule_id, other, force, least)]
    more = "; forces out of each other's ranges" if len(attacking) > 1 else ""
    return SetUpStep(
        units=tuple(code for force in attacking for code in force.codes),
        conditions=tuple(conditions),
        says=f"The attackers: out of the Original Defender's ranges, one unit of each force exactly at one{more}",
        rule=rule_id,
    )


@rule("8.5.5.4.3")
def _relief_step(force: PlacedForce, target: PlacedForce, others: Sequence[tuple[PlacedForce, int]]) -> SetUpStep:
    """A relieving force: as attackers are, against the force that it attacked, and out of all others' ranges.

    PQ-17 8.5.5.4.3; ruling CMB-7, own ruling PQ-200."""
    rule_id = "CMB-7"
    conditions: list[Condition] = [*_in_range(rule_id, [force]), *_at_ranges_of(rule_id, [target], force)]
    for other, room in others:
        conditions += _apart(rule_id, force, other, room)
    return SetUpStep(
        units=force.codes,
        conditions=tuple(conditions),
        says=f"{force.title}: out of the ranges of {target.name} and of all others, one unit exactly at one of these",
        rule=rule_id,
    )


def _at_ranges_of(rule_id: str, holders: Sequence[PlacedForce], force: PlacedForce) -> Iterator[Condition]:
    """That no unit of a force is nearer to units of others than these see it, and that one is exactly so far: first
    from those that see farthest, where there always is such a hex, outside the ranges of the rest."""
    groups = by_reach(holders, cloaked=force.cloaked)
    for far, codes in groups.items():
        says = f"No unit of {force.name} is nearer than {far} hexes to {said(codes)}."
        yield Distance(units=force.codes, others=codes, least=far, rule=rule_id, says=says)
    farthest_first = [*groups.items()][::-1]
    exactly = tuple(
        Distance(
            units=(code,),
            others=codes,
            measure="nearest",
            least=far,
            most=far,
            rule=rule_id,
            says=f"{code} exactly {far} hexes from {said(codes)}",
        )
        for far, codes in farthest_first
        for code in force.codes
    )
    fars = " or ".join(f"{far} hexes from {said(codes)}" for far, codes in farthest_first)
    yield OneOf(distances=exactly, rule=rule_id, says=f"One unit of {force.name} is exactly {fars}.")


def _apart(rule_id: str, force: PlacedForce, other: PlacedForce, room: int) -> Iterator[Distance]:
    """That no unit of a force is in the range of one of another, as far as there is room."""
    for far, codes in by_reach([other], cloaked=force.cloaked).items():
        least = min(far + 1, room)
        says = f"Units of {force.name} are {least} hexes or more from {said(codes)}."
        yield Distance(units=force.codes, others=codes, least=least, rule=rule_id, says=says)
