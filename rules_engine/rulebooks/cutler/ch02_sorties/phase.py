"""Chapter 2.9: the sortie phase of an impulse, after movement and before combat. Targets are played side by side."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch02_movement.coordination import settle_coordination
from rules_engine.rulebooks.cutler.ch02_sorties.choosing import attack_ask, intercept_ask, targets_of
from rules_engine.rulebooks.cutler.ch02_sorties.launching import (
    announce,
    hold_back,
    launch,
    sortie_ask,
    wants_to_sortie,
)
from rules_engine.rulebooks.cutler.ch02_sorties.sortie_fights import (
    attack_steps,
    detach,
    fighters_in,
    intercept_steps,
    squads_of,
)
from rules_engine.rulebooks.cutler.ch03_combat.combat import close_fights, open_fights
from rules_engine.rulebooks.cutler.records.accessories.flown import together
from rules_engine.rulebooks.cutler.records.conditions.cloaks import faced
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.parts.craft import squadron
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie, SortieSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, letting_go_by

Force = tuple[Side, ...]


@rule("2.9", "2.9.1", "2.9.4")
def sorties_steps(turn: CutlerTurn) -> Steps[None]:
    """Sorties are ordered, announced and fought, all of it before normal combat; where no class of unit has fighters
    there are none. 2.9, 2.9.1, 2.9.4

    Where windows are fixed there is one for orders in each impulse, and one for each step of what was announced.
    """
    state = turn.state
    if not any(unit.record.fighters for unit in state.units.values()) and not any(
        kind.fighters for kind in state.classes.values()
    ):
        return
    sheets = yield from turn.window_steps(_orders_steps(turn), "decision")
    if any(not sheet.stays for sheet in sheets.values()):
        for race, sheet in sheets.items():
            if not sheet.stays:
                state.coordination.wishes[race] = []
        settle_coordination(turn.at("coordination"))
    for race, sheet in hold_back(turn, sheets).items():
        state.sorties += launch(state, race, sheet)
    if not state.sorties:
        return  # which everybody knows, since nothing is announced: so nothing is told by going on at once
    announce(turn, state.sorties)
    targets = sorted({sortie.target for sortie in state.sorties})
    parties = {hex_id: _parties(state, hex_id) for hex_id in targets}

    def there_steps(there: CutlerTurn, hex_id: HexId) -> Steps[None]:
        return _target_steps(there, hex_id)

    open_fights(state, parties)
    for sortie in state.sorties:
        _arrive(state.fights[sortie.target], sortie)
    yield from turn.parting_steps(parties, there_steps, window="decision")
    for hex_id, fight in close_fights(turn, sorties=True).items():
        _count(state, hex_id, fight)


def _orders_steps(turn: CutlerTurn) -> Steps[dict[Side, SortieSheet]]:
    state = turn.state
    asked = [race for race in turn.in_play if wants_to_sortie(state, race)]
    asks = [sortie_ask(state, race) for race in asked]
    ordered = [
        letting_go_by(state, race, "sorties", ask, "No fighters sortie.") for race, ask in zip(asked, asks, strict=True)
    ]
    sheets = yield from ask_or_obey_steps(turn, asks, ordered)
    return dict(zip(asked, sheets, strict=True))


def _parties(state: CutlerState, hex_id: HexId) -> list[Side]:
    """Who sorties into a hex, and who is there and not hidden, or was found by one of them: it may be attacked."""
    flying = {sortie.race for sortie in state.sorties if sortie.target == hex_id}
    met = {race for race in state.races_in(hex_id) if any(faced(state, hex_id, race, one) for one in flying)}
    return [race for race in state.races() if race in flying or race in met]


def _arrive(fight: Fight, sortie: Sortie) -> None:
    name = f"Fighters {sortie.key.rsplit('-', maxsplit=1)[-1]}"
    fight.flights[sortie.key] = squadron(
        sortie.key, sortie.race, name, sortie.target, dict(sortie.holds), origin=sortie.origin
    )


def _count(state: CutlerState, hex_id: HexId, fight: Fight) -> None:
    """How many fighters each sortie into a hex has left, and how many of them can fly back."""
    for sortie in [one for one in state.sorties if one.target == hex_id]:
        left = [
            unit
            for key, unit in sorted(fight.flights.items())
            if key.split(".", maxsplit=1)[0] == sortie.key and not unit.destroyed
        ]
        sortie.holds = {}
        for unit in left:
            sortie.holds = together(sortie.holds, unit.holds)


# --- one target ------------------------------------------------------------------------------------------------------


@rule("2.9.7", "2.9.7.1", "2.9.7.2")
def _target_steps(turn: CutlerTurn, hex_id: HexId) -> Steps[None]:
    """The sorties into one hex: their order by die, their interceptions, and then whom they attack, each force after
    the other. 2.9.7, 2.9.7.1, 2.9.7.2"""
    state = turn.state
    flying = [
        race for race in state.races() if any(unit.race == race for unit in state.fights[hex_id].flights.values())
    ]
    forces = _forces(state, flying)
    order, rolls = roll_order(turn, [force[0] for force in forces], "sortie order", seen_by=flying)
    if rolls:
        called = {force[0]: state.names_of(force) for force in forces}
        text = f"Sorties into {hex_id} act in this order: {', '.join(called[side] for side in order)}."
        turn.tell(flying, text, kind="combat", why=because("2.9.7.1", dice=rolls))
    ordered = [next(force for force in forces if force[0] == side) for side in order]
    for force in ordered:
        yield from _interceptions_steps(turn.at("intercept", force[0]), hex_id, force, ordered)
    plans: list[tuple[Force, dict[Force, list[str]]]] = []
    for force in ordered:
        plan = yield from _allocation_steps(turn.at("attack", force[0]), hex_id, force, flying)
        plans.append((force, plan))
    for force, plan in plans:
        for attacked, keys in plan.items():
            here = state.fights[hex_id].flights
            sent = [unit for key in keys if not (unit := here[key]).destroyed and not unit.disengaged_from]
            if sent:
                place = turn.at("attack", force[0], "on", *attacked)
                yield from attack_steps(place, hex_id, sent, attacked)


def _forces(state: CutlerState, races: Iterable[Side]) -> list[Force]:
    """These races, those of a coordinated force together. 2.10"""
    races = list(races)
    grouped = [tuple(one for one in races if one in state.coordination.force_of(race)) for race in races]
    return list(dict.fromkeys(grouped))


@rule("2.9.7.1", "2.9.7.3")
def _interceptions_steps(turn: CutlerTurn, hex_id: HexId, force: Force, forces: Sequence[Force]) -> Steps[None]:
    """A force says which opposing sortie it meets, if any; then which next, until it wants no more. Each is met once.
    2.9.7.1, 2.9.7.3, CU-N92"""
    state = turn.state
    met: list[Side] = []
    number = 0
    while True:
        number += 1
        opposing = {
            other[0]: state.names_of(other)
            for other in forces
            if other != force and other[0] not in met and squads_of(state, hex_id, other)
        }
        able = {race: squads for race in force if (squads := squads_of(state, hex_id, [race]))}
        if not opposing or not able:
            return
        place = turn.at(number)
        asks = [intercept_ask(state, race, hex_id, opposing, fighters_in(squads)) for race, squads in able.items()]
        sheets = dict(zip(able, (yield from place.ask_all_steps(asks)), strict=True))
        chosen = [side for side in opposing if any(sheet.line.against == side for sheet in sheets.values())]
        if not chosen:
            return
        for side in chosen:
            met.append(side)
            going = {race: sheet.line for race, sheet in sheets.items() if sheet.line.against == side}
            sent = [
                unit
                for race, line in going.items()
                for unit in detach(
                    state, hex_id, squads_of(state, hex_id, [race]), line.fighters or fighters_in(able[race])
                )
            ]
            other = next(one for one in forces if one[0] == side)
            there = squads_of(state, hex_id, other)
            if sent and there:
                yield from intercept_steps(place.at("of", side), hex_id, sent, there)


@rule("2.9.7.2", "2.9.7.3")
def _allocation_steps(
    turn: CutlerTurn, hex_id: HexId, force: Force, flying: Sequence[Side]
) -> Steps[dict[Force, list[str]]]:
    """A force announces whom its fighters attack, its races each for their own: the squadrons against each enemy.
    2.9.7.2, 2.9.7.3"""
    state = turn.state
    able = {
        race: squads
        for race in force
        if (squads := squads_of(state, hex_id, [race])) and targets_of(state, race, hex_id, turn.knowledge(race))
    }
    asks = [
        attack_ask(state, race, hex_id, targets_of(state, race, hex_id, turn.knowledge(race)), fighters_in(squads))
        for race, squads in able.items()
    ]
    sheets = dict(zip(able, (yield from turn.ask_all_steps(asks)), strict=True))
    plan: dict[Force, list[str]] = {}
    named: dict[Force, Side] = {}
    for race, sheet in sheets.items():
        left = able[race]
        for other, line in sheet.root.items():
            if not line.fighters:
                continue
            whole = state.coordination.force_of(other)
            attacked = whole if line.force else (other,)
            named.setdefault(attacked, other)
            sent = detach(state, hex_id, left, line.fighters)
            left = [
                unit for unit in squads_of(state, hex_id, [race]) if unit not in sent and not _planned(plan, unit.id)
            ]
            plan.setdefault(attacked, []).extend(unit.id for unit in sent)
    for attacked in plan:
        there = [race for race in attacked if any(faced(state, hex_id, race, one) for one in force)]
        text = f"The sortie of the {state.names_of(force)} into {hex_id} attacks the {state.name_of(named[attacked])}."
        turn.tell([*flying, *there], text, kind="combat", why=because("2.9.7.2"))
    return plan


def _planned(plan: dict[Force, list[str]], key: str) -> bool:
    return any(key in keys for keys in plan.values())
