"""Two races in a hex with terrain features: the approach battle, the ways past it, and a battle at each feature. 3.5"""

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch03_combat.battle import (
    main_battle_steps,
    sortie_battle_steps,
    terrain_battle_steps,
)
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.allocation import (
    allocate_steps,
    attackers_posting,
    defenders_posting,
    with_docked,
)
from rules_engine.rulebooks.cutler.ch03_combat.terrain.choices import join_steps, order_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.defender import designate, host_of
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of, features_of_bases
from rules_engine.rulebooks.cutler.ch03_combat.terrain.setup import setup_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.combat.battles import Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import APPROACH, TerrainFeature, WaysOut
from rules_engine.rulebooks.cutler.records.conditions.docking import docked_on
from rules_engine.rulebooks.cutler.records.parts.seen import owners_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS

Forces = dict[Side, list[Unit]]


class HexEncounter(NamedTuple):
    """Who meets where: the hex, the defender and the attacker, which may be a sortie."""

    hex: HexId
    defender: Side
    attacker: Side
    sortie: bool = False

    @property
    def pair(self) -> tuple[Side, Side]:
        """Both, the defender first."""
        return (self.defender, self.attacker)


@rule("3.5.1", "3.5.2", "3.5.10")
def note_features(state: CutlerState, hex_id: HexId) -> bool:
    """Note the hex's features before its first encounter of an impulse; whether it has any. 3.5.1, 3.5.2, 3.5.10"""
    ground = state.fights[hex_id].ground
    if not ground.features:
        _note(state, hex_id, bases_in(state, hex_id))
    return bool(ground.features)


@rule("2.9.8", "3.5.3")
def note_features_for_sortie(state: CutlerState, hex_id: HexId, attacked: Sequence[Unit]) -> bool:
    """Note the features of a hex for a sortie's attack: what everybody sees, and the bases of those attacked, for who
    flies in meets no others; whether there are any. 2.9.8, 3.5.3, CU-N101"""
    _note(state, hex_id, [unit for unit in bases_in(state, hex_id) if unit in attacked])
    return bool(state.fights[hex_id].ground.features)


def _note(state: CutlerState, hex_id: HexId, bases: Sequence[Unit]) -> None:
    ground = state.fights[hex_id].ground
    ground.features = features_of(state, hex_id, bases)
    ground.bases = features_of_bases(ground.features, bases)


@rule("3.5", "3.5.3", "3.8")
def terrain_encounter_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """Defenders are allocated, an approach battle is fought if they force one, what is left of the attackers goes to
    the features, and each of these has its own battle. 3.5, 3.5.3, 3.8"""
    here = turn.state.fights[hex_id]
    found = designate(turn, hex_id, pair)
    force = here.force_of(found.defender)
    text = f"In {hex_id} the {turn.state.names_of(force)} {found.reason} and {verb(len(force), 'defends', 'defend')}."
    turn.tell(here.races_of(*pair), text, kind="combat", why=found.why)
    yield from _meet_steps(turn, HexEncounter(hex_id, found.defender, found.attacker), forces)


@rule("2.9.1", "3.5.3", "3.5.4")
def sortie_encounter_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """A sortie attacks where there are features: it has come last, so whom it attacks defends. ``pair`` is (sortie,
    attacked). 2.9.1, 3.5.3, 3.5.4, CU-N101"""
    here, (sortie, attacked) = turn.state.fights[hex_id], pair
    force = here.force_of(attacked)
    does = verb(len(force), "was here before the sortie and defends", "were here before the sortie and defend")
    text = f"In {hex_id} the {turn.state.names_of(force)} {does}."
    turn.tell(here.races_of(*pair), text, kind="combat", why=because("2.9.1, 3.5.4"))
    yield from _meet_steps(turn, HexEncounter(hex_id, attacked, sortie, sortie=True), forces)


@rule("3.5.3", "3.5.4.2", "3.5.5.3")
def _meet_steps(turn: CutlerTurn, meeting: HexEncounter, forces: Forces) -> Steps[None]:
    """Allocation, the approach battle if one is forced, and the battles at the features. 3.5.3, 3.5.4.2, 3.5.5.3"""
    here, hex_id = turn.state.fights[meeting.hex], meeting.hex
    seen_by = here.races_of(*meeting.pair)
    force = here.force_of(meeting.defender)
    forces_it = f"The {turn.state.names_of(force)} {verb(len(force), 'forces', 'force')}"
    here.ground.places = {key: place for key, place in here.ground.bases.items() if key in _ids(forces)}
    defenders = forces[meeting.defender]
    flights = yield from _allocate_defenders_steps(turn.at("posts"), meeting, defenders)
    forward = [unit for unit in [*defenders, *flights] if here.ground.places[unit.id] == APPROACH]
    # An attacker's ships that are worked on stay in their docks as well. CU-R129
    staying = {*here.ground.bases, *_docks(turn.state, here)}
    left = [unit for unit in forces[meeting.attacker] if unit.id not in staying]
    if forward:
        text = f"{forces_it} an approach battle in {hex_id}."
        turn.tell(seen_by, text, kind="combat", why=because("3.5.3"))
        left = yield from _approach_steps(turn.at("approach"), meeting, forward, left)
    else:
        text = f"{forces_it} no approach battle in {hex_id}."
        turn.tell(seen_by, text, kind="combat", why=because("3.5.3, 3.5.5.3"))
    yield from _allocate_attackers_steps(turn.at("sent"), meeting, left, forced=bool(forward))
    yield from _features_steps(turn, meeting)


@rule("2.5")
def _docks(state: CutlerState, here: Fight) -> dict[str, str]:
    """The feature of the dock of each ship that lies in a docking bay of a base there. 2.5, CU-R129"""
    bases = here.ground.bases
    return {work.ship: bases[work.base] for work in state.works.values() if work.ship and work.base in bases}


def _ids(forces: Forces) -> set[str]:
    return {unit.id for units in forces.values() for unit in units}


@rule("3.5.4.2")
def _allocate_defenders_steps(turn: CutlerTurn, meeting: HexEncounter, defenders: list[Unit]) -> Steps[list[Unit]]:
    """The defender's secret allocation; the attacker has had S1 to S5 of them all. Who is sent away from its dock is
    docked no more. 3.5.4.2, CU-R67, CU-N47"""
    state, here = turn.state, turn.state.fights[meeting.hex]
    ground = here.ground
    text = (
        f"You defend {meeting.hex}. Send each unit to a feature or to the approach battle; the "
        f"{state.names_of(here.force_of(meeting.attacker))} learns of neither. Who fights the approach battle does not "
        "come back."
    )
    docked = _docks(state, here)
    postings = {
        race: with_docked(here, defenders_posting(here, own, docked), docked_on(state, own))
        for race in here.force_of(meeting.defender)
        for own in [[unit for unit in defenders if unit.race == race]]
    }
    flights = yield from allocate_steps(turn, meeting.hex, postings, title="your defence", text=text)
    for ship in [unit for unit in defenders if unit.id in docked]:
        ship.sailed = ship.sailed or ground.places[ship.id] != docked[ship.id]
    return flights


@rule("3.5.5", "3.5.5.1", "3.5.5.2", "3.5.5.3", "3.4.5.5")
def _approach_steps(
    turn: CutlerTurn, meeting: HexEncounter, forward: list[Unit], attackers: list[Unit]
) -> Steps[list[Unit]]:
    """The approach battle, fought as in open space; attackers may escape past it to a feature, which is the way by,
    while who disengages is out of the hex's battles. The attackers that are left.

    3.5.5, 3.5.5.1, 3.5.5.2, 3.5.5.3, 3.4.5.5, CU-R66
    """
    here, pair = turn.state.fights[meeting.hex], meeting.pair
    ways = WaysOut(pair, meeting.attacker, tuple(here.ground.features), "", "3.5.5.2")
    forces = {meeting.defender: forward, meeting.attacker: attackers}
    waves = yield from escape_steps(turn, meeting.hex, pair, forces, ways, sortie=meeting.sortie)
    for wave in waves:
        if wave.to:
            able = _followers(turn, wave, meeting)
            hunters = here.force_of(meeting.defender)
            yield from join_steps(turn.at("join", wave.number), meeting.hex, hunters, wave, able)
    main = {side: _still(here, forces[side], side, _other(pair, side)) for side in pair}
    if all(main.values()):
        battle_steps = sortie_battle_steps if meeting.sortie else main_battle_steps
        yield from battle_steps(turn.at("main"), meeting.hex, pair, main)
    else:
        text = f"In {meeting.hex} nobody is left for an approach battle."
        turn.tell(here.races_of(*pair), text, kind="combat", why=because("3.5.5, 3.3.5"))
    return _still(here, main[meeting.attacker], meeting.attacker, meeting.defender)


@rule("3.5.5.1", "3.5.8")
def _followers(turn: CutlerTurn, wave: Wave, meeting: HexEncounter) -> list[Unit]:
    """The pursuers of a wave that may go on to the feature: neither fighters nor PFs, who fight the approach battle or
    at a feature, and nobody that was lost or disengaged. 3.5.5.1, 3.5.8"""
    ships = [turn.state.fighting(meeting.hex, key) for _, group in wave.in_order() for key in group]
    able = [unit for unit in ships if unit.kind not in ("fighters", *PFS)]
    here = turn.state.fights[meeting.hex]
    able = [unit for unit in able if here.ground.where_fought(unit.id) in ("", wave.to)]
    return _still(here, able, meeting.defender, meeting.attacker)


def _still(here: Fight, units: list[Unit], side: Side, enemy: Side) -> list[Unit]:
    """Those of a side's units that are in play, and have not disengaged from this enemy."""
    own = [unit for unit in units if not unit.destroyed and unit.race in here.force_of(side)]
    return [unit for unit in own if enemy not in unit.disengaged_from]


def _other(pair: tuple[Side, Side], race: Side) -> Side:
    return pair[1] if race == pair[0] else pair[0]


@rule("3.5.5.3", "3.5.7")
def _allocate_attackers_steps(
    turn: CutlerTurn, meeting: HexEncounter, left: list[Unit], *, forced: bool
) -> Steps[None]:
    """What is left of the attackers goes to the features. Where no approach battle was forced, they escape there; who
    disengaged from it arrives nowhere. 3.5.5.3, 3.5.7, CU-R66"""
    here = turn.state.fights[meeting.hex]
    text = f"Send each unit to a terrain feature of {meeting.hex}. A ship fights at one feature in an impulse (3.5.6)."
    postings = {
        race: with_docked(here, attackers_posting(here, own), docked_on(turn.state, own))
        for race in here.force_of(meeting.attacker)
        for own in [[unit for unit in left if unit.race == race]]
    }
    pfs = yield from allocate_steps(turn, meeting.hex, postings, title="your attack", text=text)
    for unit in [*left, *pfs]:
        if not forced and unit.id in here.ground.places:
            unit.escaped_to = here.ground.places[unit.id]


# --- the battles at the features -------------------------------------------------------------------------------------


@rule("3.5.6", "3.5.7", "3.5.10")
def _features_steps(turn: CutlerTurn, meeting: HexEncounter) -> Steps[None]:
    """Defenders may escape from each feature to which attackers have come; then the attacker says which battles are
    fought first. 3.5.6, 3.5.7, 3.5.10"""
    state, here = turn.state, turn.state.fights[meeting.hex]
    battles: dict[str, Forces] = {}
    for feature in here.ground.features:
        forces = _forces_at(state, meeting, feature.key)
        came = [unit for unit in forces[meeting.attacker] if unit.id not in here.ground.bases]
        if not forces[meeting.attacker] or not (came or forces[meeting.defender]):
            continue  # a base of the attacker's at its own feature has not come from anywhere
        if not forces[meeting.defender]:
            nobody = f"Nobody of the {state.names_of(here.force_of(meeting.defender))}"
            text = f"{nobody} is at {feature.name} in {meeting.hex}."
            turn.tell(here.force_of(meeting.attacker), text, kind="combat", why=because("3.5.4.2"))
            continue
        if came:
            yield from _leave_steps(turn.at("from", feature.key), meeting, feature, forces)
        if all(forces.values()):
            battles[feature.key] = forces
    order = yield from order_steps(turn.at("order"), meeting.hex, meeting.attacker, list(battles))
    for key in order:
        yield from _battle_steps(turn.at("at", key), meeting, battles[key], key)


def _forces_at(state: CutlerState, meeting: HexEncounter, key: str) -> Forces:
    """Who is at a feature of both sides."""
    here = state.fights[meeting.hex]
    units = [state.fighting(meeting.hex, one) for one in here.ground.of(key)]
    return {side: _still(here, units, side, _other(meeting.pair, side)) for side in meeting.pair}


@rule("3.5.10", "3.5.7")
def _leave_steps(turn: CutlerTurn, meeting: HexEncounter, feature: TerrainFeature, forces: Forces) -> Steps[None]:
    """The defenders at a feature see S1 to S5 of who has come, and may escape to avoid all combat, but to no other
    feature. ``forces`` is left with those who stay. 3.5.10, 3.5.7, CU-R49"""
    here = turn.state.fights[meeting.hex]
    words = tacintel.in_words(owners_of(turn.state, forces[meeting.attacker]), forces[meeting.attacker])
    text = f"At {feature.name} in {meeting.hex}: {words}."
    turn.tell(here.force_of(meeting.defender), text, kind="combat", why=because("3.5.10, CU-R49"))
    ways = WaysOut((meeting.defender,), at=feature.key, why_not="3.5.10")
    yield from escape_steps(turn, meeting.hex, meeting.pair, forces, ways, sortie=meeting.sortie)
    forces |= {side: _still(here, forces[side], side, _other(meeting.pair, side)) for side in meeting.pair}


@rule("3.5.6", "3.5.9")
def _battle_steps(turn: CutlerTurn, meeting: HexEncounter, forces: Forces, key: str) -> Steps[None]:
    """The battle at one feature. Whose base is there defends it, for a base never enters. 3.5.6, 3.5.9, CU-R65"""
    here = turn.state.fights[meeting.hex]
    feature = here.ground.named(key)
    host = host_of(here, meeting.pair, key, [unit for units in forces.values() for unit in units])
    pair = (host, _other(meeting.pair, host))
    setup = yield from setup_steps(turn, meeting.hex, pair, feature)
    text = f"Battle at {feature.name} in {meeting.hex}."
    turn.tell(here.races_of(*meeting.pair), text, kind="battle", why=because("3.5.9"))
    yield from terrain_battle_steps(turn, meeting.hex, pair, forces, feature=key, setup=setup)
