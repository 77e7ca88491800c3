"""Invariants: what must never be true of a campaign's state."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Owner
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import entitled_in_turn
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import judge_cloak
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turned_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import MOST_CARRIED
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import judge_reaction
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import judge_pods, judge_tug_tow
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy
from rules_engine.rulebooks.border_patrol.records.state import BorderState, number_of
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS, Unit

LEAST = (
    "bpv",
    "warp_original",
    "warp_ok",
    "tractors_ok",
    "special_sensors_ok",
    "dcr",
    "emergency_used",
    "carried",
)
"""What no unit has less of than nothing."""


def defects(state: BorderState) -> Sequence[str]:
    """Everything that is impossible in this state, in words."""
    return [
        *_places(state),
        *(defect for key in sorted(state.units) for defect in _unit_defects(state, key, state.units[key])),
        *(defect for key in sorted(state.units) for defect in _burdens(state, state.units[key])),
        *_captains(state),
        *_map_defects(state),
        *(defect for key in sorted(state.convoys) for defect in _convoy_defects(state, key, state.convoys[key])),
        *_habits(state),
        *_pods(state),
        *_tracks(state),
        *(
            f"{key} has {what} {amount}"
            for key, team in sorted(state.teams.items())
            for what, amount in (("a score of", team.score), ("a treasury of", team.treasury))
            if amount < 0
        ),
    ]


def _places(state: BorderState) -> Iterable[str]:
    """Each unit stands in one stack of its Team and in that stack's hex; bases, monsters and alien ships in none."""
    count = Counter(unit for stack in state.stacks.values() for unit in stack.units)
    for key in sorted({*count, *state.units}):
        unit = state.units.get(key)
        wanted = 0 if unit is None or unit.kind in ("base", *NEUTRALS) else 1
        if count[key] != wanted:
            yield f"{key} is in {count[key]} stacks instead of {wanted}"
    for key, stack in sorted(state.stacks.items()):
        if stack.id != key:
            yield f"{key} is filed as {stack.id}"
        if not stack.units:
            yield f"{key} has no units"
        captain = state.captains.get(stack.captain)
        if captain is None or captain.team != stack.team:
            yield f"{key} is commanded by nobody of its Team"
        for unit in (state.units[one] for one in stack.units if one in state.units):
            if unit.team != stack.team:
                yield f"{unit.id} is in {key}, which is of another Team"
            if unit.hex != stack.hex:
                yield f"{unit.id} is in {unit.hex} and its stack {key} in {stack.hex}"
        units = [state.units[one] for one in stack.units if one in state.units]
        if any(unit.cloaked for unit in units) and not all(unit.cloaked for unit in units):
            yield f"{key} is under cloak in part"
        if len({unit.target for unit in units if unit.target}) > 1:
            yield f"{key} is after several units at once"
        yield from (
            f"{unit.id} is after {unit.target}, which is not there"
            for unit in units
            if unit.target and unit.target not in state.units
        )


def _unit_defects(state: BorderState, key: str, unit: Unit) -> Iterable[str]:
    if unit.id != key:
        yield f"{key} is filed as {unit.id}"
    if unit.hex not in state.grid:
        yield f"{key} is off the map"
    if unit.kind in NEUTRALS and unit.team:
        yield f"{key} is a {unit.kind} of a Team"
    if unit.kind not in NEUTRALS and unit.team not in state.teams:
        yield f"{key} is of no Team"
    yield from (f"{key} has {name} of {getattr(unit, name)}" for name in LEAST if getattr(unit, name) < 0)
    for name, most in (
        ("warp_ok", unit.warp_original),
        ("dcr", unit.dcr_original),
        ("tractors_ok", unit.tractors_original),
        ("special_sensors_ok", unit.special_sensors_original),
        ("carried", MOST_CARRIED),
    ):
        if getattr(unit, name) > most:
            yield f"{key} has {name} of {getattr(unit, name)} and {most} at most"
    if unit.flagship and unit.kind in (*CARRIED, *NEUTRALS, "base"):
        yield f"{key} is a {unit.kind} and a flagship"
    if (unit.cloaks or unit.cloaked) and not unit.cloak_cost:
        yield f"{key} is cloaked without a cloaking device"
    moved, had = sum(unit.moved_in.values()), entitled_in_turn(unit.allowed_in)
    if moved > had + (MOST_CARRIED if unit.left_station else 0):
        yield f"{key} has moved {moved} hexes by {had} points"
    yield from _reaction_defects(unit)
    yield from (f"{key} is under cloak: {one.problem}" for one in judge_cloak(unit) if unit.cloaked)


def _reaction_defects(unit: Unit) -> Iterable[str]:
    """Who reacts may react still: not when it uses Emergency Movement, was crippled, or has no engines or a tow, and
    where it never left its station it is there. BP-R60"""
    if unit.reaction is None:
        return
    trial = unit.changed(sensors_damaged=False)
    yield from (f"{unit.id} reacts: {one.problem}" for one in judge_reaction(trial))
    if unit.carried:
        yield f"{unit.id} reacts and has {unit.carried} points for another reaction"
    if not unit.left_station and (unit.hex != unit.reaction.station or unit.reaction.entered):
        yield f"{unit.id} lies in wait at {unit.reaction.station}, and is in {unit.hex}"


def _burdens(state: BorderState, unit: Unit) -> Iterable[str]:
    """Pods and tows are what the unit may have; tower and towed name each other and are together."""
    yield from (f"{unit.id}: {one.problem}" for one in judge_pods(unit, unit.pods))
    known = [state.units[key] for key in unit.towing if key in state.units]
    if len(known) < len(unit.towing):
        yield f"{unit.id} tows what is not there"
    yield from (f"{unit.id}: {one.problem}" for one in judge_tug_tow(unit, known))
    for towed in known:
        if towed.towed_by != unit.id:
            yield f"{unit.id} tows {towed.id}, which does not know it"
    tower = state.units.get(unit.towed_by)
    if unit.towed_by and (tower is None or unit.id not in tower.towing):
        yield f"{unit.id} is in tow of {unit.towed_by}, which does not tow it"
    if unit.kind in CARRIED:
        together = next((one.units for one in state.stacks.values() if unit.id in one.units), list[str]())
        if all(one not in state.units or state.units[one].kind in CARRIED for one in together):
            yield f"{unit.id} is aboard nothing"


def _pods(state: BorderState) -> Iterable[str]:
    """Pods that lie somewhere are a Team's, on the map."""
    for key, pod in sorted(state.pods_lying.items()):
        if pod.id != key or pod.team not in state.teams or pod.hex not in state.grid or not pod.weight:
            yield f"{key} lies in {pod.hex} as a pod of {pod.team} with a weight of {pod.weight}"


def _captains(state: BorderState) -> Iterable[str]:
    """At most one flagship for each captain."""
    for key in sorted(state.captains):
        own = [unit for stack in state.stacks.values() if stack.captain == key for unit in stack.units]
        flagships = sum(one in state.units and state.units[one].flagship for one in own)
        if flagships > 1:
            yield f"{key} has {flagships} flagships"


def _map_defects(state: BorderState) -> Iterable[str]:
    held: Counter[str] = Counter()
    owners: list[tuple[str, Owner]] = []
    for key, province in sorted(state.provinces.items()):
        held.update(province.hexes)
        owners.append((key, province.owner))
        yield from (f"{key} has {one}, which is off the map" for one in province.hexes if one not in state.grid)
    yield from (f"{hex_id} is in {count} provinces" for hex_id, count in sorted(held.items()) if count > 1)
    owners += [(key, one.owner) for key, one in sorted(state.systems.items())]
    owners += [(key, one.team) for key, one in sorted(state.posts.items())]
    yield from (
        f"{key} is owned by {owner}, who is no Team" for key, owner in owners if owner not in ("", *state.teams)
    )
    places = [(key, one.hex) for part in (state.systems, state.storms, state.posts) for key, one in part.items()]
    yield from (f"{key} is off the map" for key, hex_id in sorted(places) if hex_id not in state.grid)


def _convoy_defects(state: BorderState, key: str, convoy: BorderConvoy) -> Iterable[str]:
    """A convoy that is on its way is a stack of its Team, in the hex of its route that it has come to."""
    stack = state.stacks.get(convoy.stack)
    if convoy.fate not in ("waiting", "under way"):
        return
    if stack is None or stack.team != convoy.team:
        yield f"{key} is no stack of its Team"
    elif convoy.gone >= len(convoy.route) or convoy.route[convoy.gone] != stack.hex:
        yield f"{key} is in {stack.hex}, and not where its way has led it"
    if convoy.fate == "waiting" and convoy.gone:
        yield f"{key} has gone {convoy.gone} hexes and waits"


def _habits(state: BorderState) -> Iterable[str]:
    """Every monster and alien ship has habits, and nobody else."""
    neutral = {key for key, unit in state.units.items() if unit.kind in NEUTRALS}
    yield from (f"{key} has no habits" for key in sorted(neutral - {*state.habits}))
    yield from (f"{key} has habits and is no monster" for key in sorted({*state.habits} - neutral))


def _tracks(state: BorderState) -> Iterable[str]:
    """A Team follows only such stacks of others as stand open on the map; numbers of stacks are counted on."""
    for key, team in sorted(state.teams.items()):
        for stack in sorted(team.tracks.current):
            held = state.stacks.get(stack)
            if held is None or held.team == key or not turned_up(state.members(held)):
                yield f"{key} follows {stack}, which is not turned up"
        made = [number_of(one.id)[0] for one in state.stacks.values() if one.team == key]
        if max(made, default=0) > team.stacks_made:
            yield f"{key} has a stack with a number above {team.stacks_made}"
