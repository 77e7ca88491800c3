"""Chapter 2.9: battles of fighters that sortie, with each other and with those whom they attack."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch03_combat.battle import sortie_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import is_of_sortie
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.encounter import (
    note_features_for_sortie,
    sortie_encounter_steps,
)
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.accessories.flown import flown, without
from rules_engine.rulebooks.cutler.records.conditions.cloaks import faced
from rules_engine.rulebooks.cutler.records.parts.craft import recover, squadron
from rules_engine.rulebooks.cutler.records.parts.seen import counter_of, owners_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

Squads = list[Unit]


def squads_of(state: CutlerState, hex_id: HexId, force: Sequence[Side]) -> Squads:
    """The squadrons of a force's sorties that are still in the hex to fight: neither lost nor gone."""
    craft = state.fights[hex_id].flights
    flying = [craft[key] for key in sorted(craft) if is_of_sortie(craft[key])]
    return [unit for unit in flying if unit.race in force and not unit.destroyed and not unit.disengaged_from]


def fighters_in(squads: Squads) -> int:
    """How many fighters they are."""
    return sum(unit.fighters for unit in squads)


@rule("2.9.7.3")
def detach(state: CutlerState, hex_id: HexId, squads: Squads, fighters: int) -> Squads:
    """So many fighters out of these squadrons, of which one is split if need be: a sortie need not stay together.
    2.9.7.3"""
    craft = state.fights[hex_id].flights
    sent: Squads = []
    for unit in squads:
        taken = min(fighters, unit.fighters)
        fighters -= taken
        if 0 < taken < unit.fighters:
            base = unit.id.split(".", maxsplit=1)[0]
            number = 2 + sum(key.startswith(f"{base}.") for key in craft)
            name = f"{craft[base].name if base in craft else unit.name}, part {number}"
            holds = flown(unit.holds, taken, taken)
            part = squadron(f"{base}.{number}", unit.race, name, hex_id, holds, origin=unit.entered_from)
            unit.holds = without(unit.holds, holds)
            craft[part.id] = part
            sent.append(part)
        elif taken:
            sent.append(unit)
    return sent


def _as_one(turn: CutlerTurn, hex_id: HexId, forces: Mapping[Side, list[Unit]]) -> None:
    """Let the races that have units in this encounter fight as one with their partners in it."""
    state = turn.state
    groups = [[race for race in state.races() if any(u.race == race for u in units)] for units in forces.values()]
    state.fights[hex_id].forces = [group for group in groups if len(group) > 1]


def _by_side(state: CutlerState, *parties: list[Unit]) -> dict[Side, list[Unit]]:
    """Each party by the first of its races."""
    return {next(race for race in state.races() if any(u.race == race for u in units)): units for units in parties}


@rule("2.9.7")
def intercept_steps(turn: CutlerTurn, hex_id: HexId, sent: Squads, met: Squads) -> Steps[None]:
    """Some fighters fight an opposing sortie, before both go on. 2.9.7"""
    forces = _by_side(turn.state, sent, met)
    _as_one(turn, hex_id, forces)
    one, other = forces
    yield from sortie_battle_steps(turn.at("battle"), hex_id, (one, other), forces)
    turn.state.fights[hex_id].forces = []


@rule("2.9.8", "3.5.3", "3.5.4")
def _is_placed(state: CutlerState, hex_id: HexId, attackers: Sequence[Side], attacked: Squads) -> bool:
    """Whether the attack is fought relative to the features of the hex. Where a planet there is the sortie's own, it
    flies out to meet the others, as an approach battle is: in open space. 2.9.8, 3.5.3, 3.5.4, CU-N101"""
    if any(planet.hex == hex_id and planet.owner in attackers for planet in state.planets.values()):
        return False
    return note_features_for_sortie(state, hex_id, attacked)


@rule("2.9.4", "2.9.8", "3.3.7.5", "2.6.2.1")
def attack_steps(turn: CutlerTurn, hex_id: HexId, sent: Squads, attacked: Sequence[Side]) -> Steps[None]:
    """Fighters attack what one side has in the hex, before normal combat: both see S1-S5, the attacked may escape, and
    what is left fights. No other unit of their race takes part, and none that is hidden from them; who was found under
    cloak is met where ships of its finder are. 2.9.4, 2.9.8, 3.3.7.5, 2.6.2.1, CU-R46"""
    state, here = turn.state, turn.state.fights[hex_id]
    attackers = [race for race in state.races() if any(unit.race == race for unit in sent)]
    enemies = [
        unit
        for race in attacked
        for unit in state.units_in(hex_id, race)
        if any(unit in faced(state, hex_id, race, attacker) for attacker in attackers)
        and not set(unit.disengaged_from).intersection(attackers)
    ]
    if not enemies:
        text = f"Your sortie finds nobody to attack in {hex_id}."
        turn.tell(attackers, text, kind="combat", why=because("2.9.8"))
        return
    forces = _by_side(state, sent, enemies)
    _as_one(turn, hex_id, forces)
    one, other = forces
    defenders = here.force_of(other)
    words = tacintel.in_words(owners_of(state, sent), sent)
    text = f"Sortie against you in {hex_id}: {words}."
    turn.tell(defenders, text, kind="combat", why=because("3.1.3, CU-R49"))
    counter = counter_of(state, defenders, hex_id)
    for race in attackers:
        # A contact is made of what is left when all have ended: its number comes from a counter that strands share.
        if not tacintel.same_as_known(turn, race, counter, hex_id, enemies):
            text = f"In {hex_id}: {tacintel.in_words(owners_of(state, enemies), enemies)}."
            turn.tell([race], text, kind="contact", why=because("3.1.3, CU-R48"))
    here.pairs += [(race, foe) for race in attackers for foe in defenders]
    if _is_placed(state, hex_id, attackers, enemies):
        yield from sortie_encounter_steps(turn, hex_id, (one, other), forces)
        recover(state, hex_id, here)
        here.forces = []
        return
    yield from escape_steps(turn, hex_id, (one, other), forces, sortie=True)
    left = {
        side: [unit for unit in units if not unit.destroyed and unit.race in here.force_of(side)]
        for side, units in forces.items()
    }
    if left[one] and left[other]:
        yield from sortie_battle_steps(turn.at("main"), hex_id, (one, other), left)
    else:
        text = f"In {hex_id} nobody is left for the sortie to fight."
        turn.tell(here.races_of(one, other), text, kind="combat", why=because("3.3.7.5"))
    here.forces = []
