"""Small worlds made up at random: task forces, bases, raiders."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from rules_engine.core.basics.base import HexId, Json, Side, SideLabel
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17 import Pq17
from rules_engine.rulebooks.pq17.campaign import arrivals, command_points, departures
from rules_engine.rulebooks.pq17.ch01_forces.new_units import file_unit, free_id, new_unit, new_units
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import can_match, remember_links, take_up
from rules_engine.rulebooks.pq17.contacts import detection, identification
from rules_engine.rulebooks.pq17.contacts.minefields import all_fields, as_force, is_met
from rules_engine.rulebooks.pq17.nations.homes import is_campaign, period_of
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records import progress, standing_orders
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT, Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, scenario
from tests.rulebooks.pq17.playing.officers import Officer, place_of
from tests.rulebooks.pq17.random_worlds.ships import CIVIL, FLEETS, NATIONS, damage, task_force

# --- generator --------------------------------------------------------------------------------------------------------
# legal states made up at random: a few task forces close together on a scenario's map, short of fuel and in contact.
# The same number makes the same world. A world is one of the campaign near the end of a period, or of the
# introduction's map with the campaign's catalogue, and its first turn begins with each side being told of the
# contacts it holds.
SIDES: tuple[Side, ...] = ("alliance", "coalition")
TURNS = 3
"""How many turns of a world are played."""
PERIOD = 30
LEVELS = (IdLevel.N, IdLevel.N, IdLevel.U, IdLevel.ID0, IdLevel.ID1, IdLevel.ID2, IdLevel.ID3, IdLevel.ID4)
HIDDEN = ("BS", "MB", "BATS")
"""Bases that nobody may have found yet."""
ORDERS = (
    "", "", "ask on contact", "search; shadow; attack id0; go on",
    "search fuel>1; shadow; attack id1 x1; pursue; withdraw", "shadow; sweep; hold; pursue shadow", "ask every step",
)  # fmt: skip
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
    update = {"turns": state.turn + chance.choice((TURNS, TURNS + 1, 100)), "battle_notes": ""}
    state.settings = state.settings.model_copy(update=update)
    _hidden_bases(state, chance, hexes)
    forces = [task_force(state, chance, SIDES[n % 2], chance.choice(hexes)) for n in range(chance.randint(6, 8))]
    _chains(state, chance, forces)
    _mines(state, chance, hexes)
    _contacts(state, chance, forces)
    for side in SIDES:
        text = chance.choice(ORDERS)
        state.doctrine[side] = standing_orders.StandingOrders(orders=read_orders(text, "", of_side=True)[0])
        state.doctrine[side].ask_every_impulse = chance.random() < 0.3
    state.initiative = chance.choice(SIDES)
    if is_campaign(state):
        _convoys(state, chance)
        _command_points(state, chance)
    if chance.random() < 0.3:
        amount = Fraction(chance.randint(1, 9), 2)
        line = VpLine(line="C.vp.7", amount=amount, turn=max(0, state.turn - 1), impulse=0, text="Points of old.")
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
    return [centre, centre, *chance.sample(sorted(state.grid.neighbours(centre)), chance.randint(1, 3))]


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
        for tf in detection.watched(state, side):
            tf.id_level = max(tf.id_level, IdLevel.U)
    for tf in state.all_task_forces():
        if tf.id_level > IdLevel.N:
            identification.track_for(state, state.enemy_of(tf.side), tf)


def _chains(state: State, chance: Random, forces: Sequence[TaskForce]) -> None:
    """Chains of two to five links, in which each task force shadows the one before it, and now and then two do."""
    for _ in range(chance.choice((0, 1, 1, 2))):
        chain = [chance.choice(forces)]
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
            identification.book_of(state, state.enemy_of(field.side)).issue(field_key(field.side, field.hex))


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
        state.progress.freighters[unit.id] = progress.Freighter(
            kind=kind,
            convoy=f"kzinti-convoy-{period}" if bought else f"{unit.nation}-supply-{period}",
            nation=unit.nation,
            period=chance.choice((period, max(1, period - 1))),
            original=unit.supply if bought else 0,
        )
        departures.allow_exit(state, unit.id, progress.Permit(kind=kind, hexes=list(spread(entry))))
    for convoy in campaign.convoy:
        if chance.random() < 0.3:
            units = new_units(state, convoy.nation, chance.choice(("F-L", "F-S")), chance.randint(1, 2))
            arrivals.expect_convoy(state, convoy.key, units, state.turn)
        elif chance.random() < 0.3:
            mark = convoy.nation[:3].upper()
            units = new_units(state, convoy.nation, f"{mark}-{chance.choice(('FF', 'DD', 'CA'))}", chance.randint(1, 2))
            arrivals.expect_reinforcements(state, convoy.nation, units, state.turn)
        else:
            continue
        if chance.random() < 0.4:
            damage(state, chance, units[0])
        arrivals.settle(state, state.progress.arrivals[-1])
        state.progress.arrivals[-1].turn = state.turn + chance.randint(1, TURNS)


def _command_points(state: State, chance: Random) -> None:
    """Few points left; most ships out of port are paid for."""
    for nation in command_points.commands(state):
        account = command_points.opened_account(state, nation.key)
        account.bank = chance.choice((0, 0, 1, 2))
        if chance.random() < 0.8:
            wanted = command_points.need(state, nation.key, state.all_task_forces(nation.side))
            account.out = sorted(wanted.out)
            account.spent = command_points.cost(state, nation.key, wanted.out, 0)


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

    def turn_steps(self, turn: turn_context.TurnContext[State]) -> asks.Steps[None]:
        """A turn, the first one after each side was told what it holds."""
        if not any(known.contacts for known in turn.shared.knowledge.values()):
            _tell_contacts(turn)
        yield from super().turn_steps(turn)


def _tell_contacts(turn: turn_context.TurnContext[State]) -> None:
    state = turn.state
    for tf in [*state.all_task_forces(), *(as_force(field) for field in all_fields(state))]:
        identification.report_contact(turn, tf, state.enemy_of(tf.side), because("PQ-17 6.2"))


BOOK = RandomWorlds()


# --- raiders ----------------------------------------------------------------------------------------------------------
# officers who look for trouble: they shadow, search, attack, pursue, tow, lay mines, go without warp, and let go.
ROUNDS = 4
"""How often a sheet is judged without the lines that were refused, before it is taken as it was filled in."""
SILENT = 0.05
"""How often a sheet is left to its default."""


@dataclass
class Raider(Officer):
    """One side's commander in a random world."""

    def answer(self, ask: asks.AnyAsk) -> Json:
        """A legal answer, or None to leave it to the default."""
        if ask.pace == "battle":
            return self.account(ask)
        if self.chance.random() < SILENT:
            return None
        sheet = ask.form.prefilled()
        bold = self.chance.choice((0.3, 0.6, 0.9))
        wanted = {line.key: self._line(ask.kind, line, sheet.get(line.key, {}), bold) for line in ask.form.lines}
        changed = {key: one for key, one in wanted.items() if one != sheet.get(key, {})}
        for _ in range(ROUNDS):
            legal, refusals = self._tried(ask, {**sheet, **changed})
            if legal is not None:
                return legal
            wrong = {one.path.partition(".")[0] for one in refusals} & set(changed)
            for key in wrong or list(changed)[: 1 + len(changed) // 2]:
                changed.pop(key, None)
        return self.judged(ask, sheet)

    @property
    def grid(self) -> Grid:
        """The map, which is open to everybody."""
        return self.adjudicator._state.grid

    # --- lines --------------------------------------------------------------------------------------------------------

    def _line(self, kind: str, line: Line, values: dict[str, Json], bold: float) -> dict[str, Json]:
        """A line with some fields changed as somebody would who wants trouble."""
        changed = dict(values)
        if line.group == "New task forces" and self.chance.random() < 0.7:
            return changed
        for field in line.fields:
            if self.chance.random() < _eagerness(kind, field.key, bold):
                value = self._value(line, field)
                if value is None:
                    changed.pop(field.key, None)
                else:
                    changed[field.key] = value
        return changed

    def _value(self, line: Line, field: Field) -> Json:
        chance = self.chance
        match field.key:
            case "route":
                here = place_of(line, self.grid)
                return None if here is None else _route(self.grid, here, line, chance, self._lays(line))
            case "tow":
                return self._tow(line)
            case "doctrine":
                return chance.choice(ORDERS) or None
            case "shadow" if field.kind == "flag":
                return chance.random() < 0.85
            case "shadow" if field.kind == "one":
                return chance.choice(("go on", "go on", "go on", "keep speed", "plotted speed"))
            case "posture":
                words = [one.value for one in field.choices]
                return chance.choice([[], [], *([one] for one in words)])
            case "move":
                steps = [one.value for one in field.choices]
                return chance.choice(
                    [one for one in ("lay", "port", "exit") if one in steps and chance.random() < 0.5] or steps
                )
            case "target" | "pursue":
                return chance.choice(field.choices).value if field.choices else None
            case "attack" if field.kind == "one":
                return chance.choice(("id0", "id0", "ask", "never"))
            case _:
                return self.any_value(field, line)

    def _lays(self, line: Line) -> bool:
        """Whether the task force of a line has a minelayer; its owner knows its ships."""
        state = self.adjudicator._state
        tf = state.task_forces.get(line.key)
        return tf is not None and any(state.class_of(unit).is_minelayer for unit in state.units_of(tf))

    def _tow(self, line: Line) -> Json:
        """A towing order for ships of the task force; its owner reads their ids on the same sheet."""
        view: Any = self.adjudicator._state
        tf = view.task_forces.get(line.key)
        if tf is None or len(tf.units) < 2 or self.chance.random() < 0.3:
            return None
        tower, towed = self.chance.sample(sorted(tf.units), 2)
        return f"{tower}>{towed}{self.chance.choice(('', '*'))}"


def _eagerness(kind: str, key: str, bold: float) -> float:
    """How often a field is changed."""
    if kind in ("search", "attack") or key == "pursue":
        return 0.75
    if kind == "planning":
        return {"route": bold, "speed": bold, "posture": bold / 3, "tow": bold / 2, "task_force": 0.1}.get(key, 0.04)
    return bold


def _route(grid: Grid, here: HexId, line: Line, chance: Random, lays: bool) -> str:
    """A few steps to and fro, with stays and ports between them; minelayers often lay mines where they are."""
    if lays and chance.random() < 0.5:
        return "lay lay stay"
    steps = ["port"] if "in port" in line.label else []
    for _ in range(chance.randint(1, 4)):
        what = chance.random()
        if what < 0.7:
            here = chance.choice(sorted(grid.neighbours(here)))
            steps.append(here)
        else:
            steps.append("stay" if what < 0.85 else "port")
    return " ".join(steps)
