"""The deployment sheet as it is filled in before its owner touches it. PQ-17 C.oob.*.deployment."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.forms.item_lists import pieces, with_count
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.deployment_groups import Ground, Placed, base_sites, matches, open_areas
from rules_engine.rulebooks.pq17.ch01_forces.deployment_plan import (
    DeploymentPlan,
    DeploySheet,
    Troops,
    called_by_name,
    deployed,
    free_keys,
    sites_of,
    strike,
    take,
    understand,
)
from rules_engine.rulebooks.pq17.records.forces import Unit, force_name
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import MOST_UNITS_TEXT, Area, DeployLine, spread


class Spot(NamedTuple):
    """A place for a ship that makes the deployment legal."""

    hex: HexId
    port: bool


def default_lines(
    turn: TurnContext[State], side: Side, troops: Troops, ready: Mapping[str, DeployLine]
) -> dict[str, DeployLine]:
    """The ready-made lines as far as the ships bought allow, or, without any, the scenario's named groups; then ships
    are moved until the deployment is legal, for any purchase.

    The hex of a hidden base is drawn by lot, since a printed one would be no secret. PQ-17 C.oob, ruling MAP-7."""
    state = turn.state
    wanted = dict(ready or group_lines(state, side))
    sites: dict[str, DeployLine] = {}
    for entry in sites_of(state, side):
        hexes = base_sites(state, entry)
        lot = turn.roll(f"{entry.name}'s hex unless its owner chooses", faces=len(hexes), seen_by=[side])
        said = wanted.pop(entry.key, None)
        sites[entry.key] = said if said is not None and said.hex else DeployLine(hex=hexes[lot.total - 1])
    moved: dict[str, Spot] = {}
    while True:
        lines = sites | _filled_in(state, side, troops, wanted, moved)
        more = _moves(state, side, understand(state, side, troops, DeploySheet(lines)), moved)
        if not more:
            return lines
        moved |= more


def _filled_in(
    state: State, side: Side, troops: Troops, wanted: Mapping[str, DeployLine], moved: Mapping[str, Spot]
) -> dict[str, DeployLine]:
    """The wanted lines with the ships available; ships in ``moved`` are put, by name, into a line that begins at their
    new place if there is one."""
    stock = [unit for force in deployed(state, side) for unit in troops.get(force.key, ())]
    apart = [unit for unit in stock if unit.id in moved]
    strike(stock, apart)
    named = called_by_name((line.units or "" for line in wanted.values()), stock)
    texts = {key: _as_far_as_there_are(state, line.units or "", stock, named) for key, line in wanted.items()}
    lines = dict(wanted)
    spare = free_keys(state, side, wanted)
    for unit in apart:
        spot = moved[unit.id]
        room = MOST_UNITS_TEXT - len(f", {unit.name}")
        here = (key for key, line in lines.items() if Spot(line.hex or "", bool(line.port)) == spot)
        key = next((one for one in here if len(texts[one]) <= room), None) or next(spare)
        lines.setdefault(key, DeployLine(hex=spot.hex, port=spot.port))
        texts[key] = ", ".join(filter(None, (texts.get(key, ""), unit.name)))
    return {key: line.model_copy(update={"units": texts[key]}) for key, line in lines.items() if texts[key]}


def _moves(state: State, side: Side, plan: DeploymentPlan, moved: Mapping[str, Spot]) -> dict[str, Spot]:
    """New places for ships that a named group lacks, or that may not be where they are. Each is moved once."""
    ground = Ground(state, side, plan.bases)
    found: dict[str, Spot] = {}
    astray = ((area, one) for one in plan.judged.astray for area in open_areas(ground, one)[:1])
    for area, one in (*plan.judged.wanted, *astray):
        if one.unit.id not in moved and one.unit.id not in found:
            found[one.unit.id] = _spot_in(ground, area, one)
    return found


def _spot_in(ground: Ground, area: Area, one: Placed) -> Spot:
    """A hex of an area: its own if it names any, at home, at a base of the side, or the first; in port where a base
    is."""
    campaign = ground.state.settings.campaign
    force = campaign.force_of(one.force)
    hexes = ground.area_of(area, force)
    bases = [ground.bases[key] for key in area.bases if key in ground.bases]
    liked = [*bases, area.around or "", campaign.nation_of(force.nation).home, *sorted(ground.bases.values())]
    hex_id = next((one for one in (*liked, *sorted(hexes)) if one in hexes), "")
    return Spot(hex_id, hex_id in ground.bases.values())


def group_lines(state: State, side: Side) -> dict[str, DeployLine]:
    """A task force for each named group of the side's forces."""
    campaign = state.settings.campaign
    mine = {one.key for one in deployed(state, side)}
    emblem = next(label.emblem for label in state.sides if label.key == side)
    lines: dict[str, DeployLine] = {}
    for area in campaign.area:
        if area.units and mine & set(area.forces):
            nation = campaign.nation_of(campaign.force_of(area.forces[0]).nation)
            units = ", ".join(_group_words(state, area, nation.empires))
            base = next((one for one in campaign.base if one.key in area.bases), None)
            hex_id = base.hex if base is not None else area.around or spread(area.hexes)[0]
            line = DeployLine(units=units, hex=hex_id, port=base is not None, name=force_name(area.name))
            lines[f"{emblem}{len(lines) + 1}"] = line
    return lines


def _group_words(state: State, area: Area, empires: Sequence[str]) -> Iterable[str]:
    for word, count in area.units.items():
        first = word.split("/")[0]
        kinds = [kind for kind in state.classes.values() if kind.empire in empires and matches(kind, first)]
        yield f"{count} {kinds[0].class_id if kinds else first}"


def _as_far_as_there_are(state: State, text: str, stock: list[Unit], named: Collection[str]) -> str:
    """A line's text cut to the ships in stock, which are taken from it."""
    kept: list[str] = []
    for part in pieces(text):
        taken = take(state, part, stock, named)
        strike(stock, taken)
        if taken:
            is_name = taken[0].name.casefold() == part.casefold()
            kept.append(part if is_name else f"{len(taken)} {with_count(part)[1]}")
    return ", ".join(kept)
