"""Legal states made up at random: a few task forces close together on a scenario's map, short of fuel and in contact.

The same number makes the same world. A world is one of the campaign near the end of a period, or of the introduction's
map with the campaign's catalogue, and its first turn begins with each side being told of the contacts it holds.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from rules_engine.core.basics.base import HexId, Json, Side, SideLabel
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17 import Pq17
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_convoy, expect_reinforcements, settle
from rules_engine.rulebooks.pq17.campaign.command_points import commands, cost, need, opened_account
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit
from rules_engine.rulebooks.pq17.ch01_forces.new_units import file_unit, free_id, new_unit, new_units
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import can_match, remember_links, take_up
from rules_engine.rulebooks.pq17.contacts.detection import watched
from rules_engine.rulebooks.pq17.contacts.identification import book_of, report_contact, track_for
from rules_engine.rulebooks.pq17.contacts.minefields import all_fields, as_force, is_met
from rules_engine.rulebooks.pq17.nations.homes import is_campaign, period_of
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT, Minefield, field_key
from rules_engine.rulebooks.pq17.records.progress import Freighter, Permit
from rules_engine.rulebooks.pq17.records.standing_orders import StandingOrders
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, scenario
from tests.rulebooks.pq17.random_worlds.ships import CIVIL, FLEETS, NATIONS, damage, task_force

SIDES: tuple[Side, ...] = ("alliance", "coalition")
TURNS = 3
"""How many turns of a world are played."""
PERIOD = 30
LEVELS = (IdLevel.N, IdLevel.N, IdLevel.U, IdLevel.ID0, IdLevel.ID1, IdLevel.ID2, IdLevel.ID3, IdLevel.ID4)
HIDDEN = ("BS", "MB", "BATS")
"""Bases that nobody may have found yet."""
ORDERS = (
    "",
    "",
    "ask on contact",
    "search; shadow; attack id0; go on",
    "search fuel>1; shadow; attack id1 x1; pursue; withdraw",
    "shadow; sweep; hold; pursue shadow",
    "ask every step",
)
"""Standing orders of a side or a task force."""


@cache
def _base(key: str) -> State:
    """A scenario's state before its first turn; ships of the introduction are taken off, and its catalogue grows by
    the campaign's."""
    book, document = scenario(key)
    state: State = book.set_up(document)
    for tf in state.all_task_forces():
        if not tf.is_base:
            state.remove_force(tf.id)
            for unit_id in tf.units:
                del state.units[unit_id]
    if key == INTRO:
        state.classes |= {one.class_id: one for one in _base(CAMPAIGN).classes.values() if _is_used(one.class_id)}
    state.ready_made = {}
    return state


def _is_used(class_id: str) -> bool:
    """Whether a class of the campaign's catalogue may turn up in a random fleet; fewer classes are compared faster."""
    mark, _, kind = class_id.partition("-")
    return any({class_id, kind if mark in NATIONS else ""} & set(kinds) for kinds in (*FLEETS, HIDDEN))


def _copied(state: State) -> State:
    """A copy that shares what no campaign changes: the map, the settings and the classes."""
    return deepcopy(
        state, {id(one): one for one in (state.grid, state.settings)} | {id(state.classes): dict(state.classes)}
    )


def world(number: int) -> State:
    """The world with this number."""
    chance = Random(f"world {number}")
    key = CAMPAIGN if chance.random() < 0.5 else INTRO
    state = _copied(_base(key))
    hexes = _theatre(state, chance)
    state.turn = _turn_before(state, chance)
    state.settings = state.settings.model_copy(
        update={"turns": state.turn + chance.choice((TURNS, TURNS + 1, 100)), "battle_notes": ""}
    )
    _hidden_bases(state, chance, hexes)
    forces = [task_force(state, chance, SIDES[n % 2], chance.choice(hexes)) for n in range(chance.randint(6, 8))]
    _chains(state, chance, forces)
    _mines(state, chance, hexes)
    _contacts(state, chance, forces)
    for side in SIDES:
        text = chance.choice(ORDERS)
        state.doctrine[side] = StandingOrders(orders=read_orders(text, "", of_side=True)[0])
        state.doctrine[side].ask_every_impulse = chance.random() < 0.3
    state.initiative = chance.choice(SIDES)
    if is_campaign(state):
        _convoys(state, chance)
        _command_points(state, chance)
    if chance.random() < 0.3:
        line = VpLine(
            line="C.vp.7",
            amount=Fraction(chance.randint(1, 9), 2),
            turn=max(0, state.turn - 1),
            impulse=0,
            text="Points of old.",
        )
        state.ledger.append(line)
    return state


def _turn_before(state: State, chance: Random) -> int:
    """The turn that is over: in the campaign one of the last of a period, so that its end is soon."""
    if not is_campaign(state):
        return chance.randint(0, 4)
    return PERIOD * chance.randint(1, 20) - chance.choice((1, 2, 3, 3, 4))


def _theatre(state: State, chance: Random) -> list[HexId]:
    """Two to four hexes around a base, a settled hex or a nebula."""
    centres = [tf.hex for tf in state.all_task_forces() if tf.is_base] * 3
    centres += [*sorted(state.settled), *sorted(state.hexes)]
    centre = chance.choice(centres)
    around = sorted(state.grid.neighbours(centre))
    return [centre, centre, *chance.sample(around, chance.randint(1, 3))]


# --- what stands there ------------------------------------------------------------------------------------------------


def _hidden_bases(state: State, chance: Random, hexes: Sequence[HexId]) -> None:
    """Now and then a base that its enemy has not found."""
    for side in SIDES:
        if chance.random() < 0.3:
            mark = next(mark for mark, (owner, _) in NATIONS.items() if owner == side)
            here = chance.choice(hexes)
            if any(tf.hex == here for tf in state.all_task_forces()):
                continue
            tf_id, kind = free_id(state, side), state.classes[f"{mark}-{chance.choice(HIDDEN)}"]
            nation = CIVIL[side] if is_campaign(state) else ""
            unit = new_unit(kind, unit_id=f"{side[0]}-rock", name=f"{side[0].upper()}-ROCK", side=side, nation=nation)
            file_unit(state, unit)
            record = BaseRecord(name=f"{side.title()} Rock", known=False)
            state.put_force(TaskForce(id=tf_id, side=side, hex=here, units=[unit.id], base=record))


def _contacts(state: State, chance: Random, forces: Sequence[TaskForce]) -> None:
    """Task forces beside an enemy are held by it, at any level, and some others still are."""
    for tf in forces:
        tf.id_level = chance.choice(LEVELS)
    for side in SIDES:
        for tf in watched(state, side):
            tf.id_level = max(tf.id_level, IdLevel.U)
    for tf in state.all_task_forces():
        if tf.id_level > IdLevel.N:
            track_for(state, state.enemy_of(tf.side), tf)


def _chains(state: State, chance: Random, forces: Sequence[TaskForce]) -> None:
    """Chains of two to five links, in which each task force shadows the one before it, and now and then two do."""
    for _ in range(chance.choice((0, 1, 1, 2))):
        leader = chance.choice(forces)
        chain = [leader]
        for _ in range(chance.randint(2, 5)):
            target = chain[-1] if chance.random() < 0.85 else chance.choice(chain)
            fit = [one for one in forces if one not in chain and _may_shadow(state, one, target)]
            if not fit:
                break
            shadower = chance.choice(fit)
            state.set_hex(shadower, target.hex)
            take_up(state, shadower, target)
            chain.append(shadower)
    remember_links(state)


def _may_shadow(state: State, one: TaskForce, target: TaskForce) -> bool:
    if one.side == target.side or one.shadowing or one.in_port or one.posture.logistics or target.is_base:
        return False
    return not state.shadowers_of(one.id) and can_match(state, one, target)


def _mines(state: State, chance: Random, hexes: Sequence[HexId]) -> None:
    """Minefields of both sides where they may lie, at any level, and mines laid that are no strength point yet."""
    allowed = {tf.hex for tf in state.all_task_forces() if tf.is_base} | set(state.settled)
    for hex_id in sorted(set(hexes) & allowed):
        for side in SIDES:
            key = field_key(side, hex_id)
            if chance.random() < 0.4 and key not in state.mines.fields:
                state.mines.fields[key] = Minefield(side=side, hex=hex_id, strength=chance.randint(1, 6))
            if chance.random() < 0.2:
                state.mines.loads[key] = chance.randint(1, MINES_A_POINT - 1)
    for field in all_fields(state):
        if is_met(state, field):
            field.level = chance.choice((-1, -1, 0, 1, 2, 3))
            field.known_strength = field.strength if field.level >= 0 else None
            book_of(state, state.enemy_of(field.side)).issue(field_key(field.side, field.hex))


# --- the campaign -----------------------------------------------------------------------------------------------------


def _convoys(state: State, chance: Random) -> None:
    """Freighters of a convoy on the map, with their load and their leave to go, and others that come on soon."""
    campaign = state.settings.campaign
    period = period_of(state.turn)
    for unit in [state.units[one] for one in sorted(state.units)]:
        if not state.class_of(unit).is_freighter or chance.random() < 0.3:
            continue
        bought = unit.side == "alliance" and chance.random() < 0.6
        entry = (
            campaign.force_of("kzinti-convoy").entry if bought else campaign.convoy_of(f"{unit.nation}-supply").entry
        )
        kind = "convoy" if bought else "resupply"
        state.progress.freighters[unit.id] = Freighter(
            kind=kind,
            convoy=f"kzinti-convoy-{period}" if bought else f"{unit.nation}-supply-{period}",
            nation=unit.nation,
            period=chance.choice((period, max(1, period - 1))),
            original=unit.supply if bought else 0,
        )
        allow_exit(state, unit.id, Permit(kind=kind, hexes=list(spread(entry))))
    for convoy in campaign.convoy:
        if chance.random() < 0.3:
            units = new_units(state, convoy.nation, chance.choice(("F-L", "F-S")), chance.randint(1, 2))
            expect_convoy(state, convoy.key, units, state.turn)
        elif chance.random() < 0.3:
            mark = convoy.nation[:3].upper()
            units = new_units(state, convoy.nation, f"{mark}-{chance.choice(('FF', 'DD', 'CA'))}", chance.randint(1, 2))
            expect_reinforcements(state, convoy.nation, units, state.turn)
        else:
            continue
        if chance.random() < 0.4:
            damage(state, chance, units[0])
        settle(state, state.progress.arrivals[-1])
        state.progress.arrivals[-1].turn = state.turn + chance.randint(1, TURNS)


def _command_points(state: State, chance: Random) -> None:
    """Few points left; most ships out of port are paid for."""
    for nation in commands(state):
        account = opened_account(state, nation.key)
        account.bank = chance.choice((0, 0, 1, 2))
        if chance.random() < 0.8:
            wanted = need(state, nation.key, state.all_task_forces(nation.side))
            account.out = sorted(wanted.out)
            account.spent = cost(state, nation.key, wanted.out, 0)


# --- the rulebook with such a state -----------------------------------------------------------------------------------


class RandomWorlds(Pq17):
    """PQ-17, with a random world for its state at the start; the scenario says which: ``{"world": 7}``."""

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The sides of all these worlds."""
        return _base(CAMPAIGN).sides

    def set_up(self, scenario: Mapping[str, Json]) -> State:
        """The state before the first turn."""
        number: Any = scenario["world"]
        return world(number)

    def turn_steps(self, turn: TurnContext[State]) -> Steps[None]:
        """A turn, the first one after each side was told what it holds."""
        if not any(known.contacts for known in turn.shared.knowledge.values()):
            _tell_contacts(turn)
        yield from super().turn_steps(turn)


def _tell_contacts(turn: TurnContext[State]) -> None:
    state = turn.state
    for tf in [*state.all_task_forces(), *(as_force(field) for field in all_fields(state))]:
        report_contact(turn, tf, state.enemy_of(tf.side), because("PQ-17 6.2"))


BOOK = RandomWorlds()
