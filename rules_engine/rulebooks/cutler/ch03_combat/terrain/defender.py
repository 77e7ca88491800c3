"""Who defends a hex with terrain: who holds the base or the planet there, else the race that was there first. 3.5.4"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.rulebooks.cutler.ch02_movement.passage import owner_by_passage
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in
from rules_engine.rulebooks.cutler.records.conditions.cloaks import seen
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.parts.moons import is_held
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Moment, Unit

_WAS, _HAS = ("was", "were"), ("has", "have")
"""The verbs of the reasons, of one race and of a coordinated force."""


class Designated(NamedTuple):
    """The defender and the attacker, and why they are."""

    defender: Side
    attacker: Side
    reason: str
    why: Why


@rule("3.5.4", "3.5.4.1", "3.5.9", "9.7", "2.10")
def designate(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side]) -> Designated:
    """Who holds a base or the planet there defends, however and whenever it got it. Else it is who has been in the hex
    longest without a break, of a coordinated force any of its races. If both came at once, it is the last race that
    moved through surveyed neutral space before, else the one with a legendary navigator, else a die decides, for this
    impulse. 3.5.4, 3.5.4.1, 3.5.9, 9.7, 2.10, CU-R65, CU-N181"""
    state, here = turn.state, turn.state.fights.get(hex_id, Fight())
    one, other = pair
    forces = {side: here.force_of(side) for side in pair}
    since = {one: _since(state, hex_id, forces[one], forces[other])}
    since[other] = _since(state, hex_id, forces[other], forces[one])
    was, has = ({side: verb(len(forces[side]), *forms) for side in pair} for forms in (_WAS, _HAS))
    host = _host(state, hex_id, forces)
    if host is not None and since[host.side] >= max(since.values()):
        holds = verb(len(forces[host.side]), "holds", "hold")
        return _designated(pair, host.side, f"{holds} {host.what}", because("3.5.4, 3.5.9, CU-R65"))
    if since[one] != since[other]:
        first = min(pair, key=since.__getitem__)
        return _designated(pair, first, f"{was[first]} here first", because("3.5.4, CU-R65"))
    owner = owner_by_passage(state, hex_id)
    if owner in here.races_of(*pair):
        side = next(side for side in pair if owner in here.force_of(side))
        return _designated(pair, side, f"{was[side]} the last to move through here alone", because("9.7, CU-R124"))
    shown = [unit for unit in state.units_in(hex_id) if not (unit.cloaked or unit.docked_at)]
    guided = [side for side in pair if has_navigator(unit for unit in shown if unit.race in here.force_of(side))]
    if len(guided) == 1:
        return _designated(pair, guided[0], f"{has[guided[0]]} a legendary navigator", because("3.5.4.1, CU-R65"))
    order, rolls = roll_order(turn, list(pair), "defender", seen_by=here.races_of(*pair))
    return _designated(pair, order[0], f"{has[order[0]]} the higher die", because("3.5.4.1, CU-R65", dice=rolls))


class _Host(NamedTuple):
    """The side that holds something in a hex that the other side has nothing like, and what that is."""

    side: Side
    what: str


@rule("3.5", "3.5.4", "3.5.9")
def _host(state: CutlerState, hex_id: HexId, forces: Mapping[Side, tuple[Side, ...]]) -> _Host | None:
    """Who holds a base there, else the planet, else a moon or ground bases; None if nobody does, or both sides do. A
    base comes first, for it never enters the battle at its own feature. 3.5, 3.5.4, 3.5.9, CU-R65, CU-N181"""
    stations = bases_in(state, hex_id)
    planet = next((one for one in state.planets.values() if one.hex == hex_id), None)
    moons = [moon.owner for moon in filter(is_held, state.moons.values()) if moon.hex == hex_id]
    name = planet.name if planet is not None else ""
    for what, owners in (
        ("a base there", {unit.race for unit in stations if unit.kind == "base"}),
        (name, {planet.owner} if planet is not None else set[Side]()),
        ("a ground base there", {unit.race for unit in stations}),
        (f"a moon of {name}", {*moons}),
    ):
        holders = [side for side, force in forces.items() if owners.intersection(force)]
        if len(holders) == 1:
            return _Host(holders[0], what)
    return None


@rule("3.5", "3.5.9")
def host_of(here: Fight, pair: tuple[Side, Side], feature: str, units: Iterable[Unit]) -> Side:
    """Whose base is at a feature, and so is there when the other side comes; the first of the pair, the defender of the
    hex, where neither or both have one. ``units`` are all that meet there. 3.5, 3.5.9, CU-R65"""
    owners = {unit.race for unit in units if here.ground.bases.get(unit.id) == feature}
    holders = [side for side in pair if owners.intersection(here.force_of(side))]
    return holders[0] if len(holders) == 1 else pair[0]


@rule("3.5.4")
def _since(state: CutlerState, hex_id: HexId, force: tuple[Side, ...], enemies: tuple[Side, ...]) -> tuple[int, int]:
    """Turn and impulse since when a force is in a hex: each of its races as noted, else since the first of its units
    came that the enemy sees; a race that has none left there counts for nothing. 3.5.4, 2.6.2.1"""
    came: list[Moment | None] = []
    for race in force:
        noted = state.presence.get(hex_id, {}).get(race)
        shown = [unit for enemy in enemies for unit in seen(state, hex_id, race, enemy)]
        came += [unit.entered_at for unit in shown] if noted is None else [noted]
    came = came or [unit.entered_at for race in force for unit in state.units_in(hex_id, race)]
    return min(((one.turn, one.impulse) if one is not None else (0, 0) for one in came), default=(0, 0))


def _designated(pair: tuple[Side, Side], defender: Side, reason: str, why: Why) -> Designated:
    return Designated(defender, next(race for race in pair if race != defender), reason, why)
