"""Where forces begin: named groups that must be in place, and where all other ships may be.

A deployment is judged by where each ship stands, not by the group its owner intends: ships in a group's place count for
it in the order of the sheet, and a ship in no group must stand where the force's other ships may.
PQ-17 C.oob.*.deployment, C.oob.klingon.bastion; rulings SCN-3, SCN-4, SCN-7, SCN-30, SCN-31, SCN-33, MAP-7.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import Area, BaseEntry, OrderOfBattleForce, spread
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.unit_types import size_category, unit_type

SHOWN_HEXES = 24
"""How many hexes a refusal names."""


@dataclass(frozen=True)
class Placed:
    """A ship with the place it is to begin in."""

    unit: Unit
    force: str
    line: str
    hex: HexId = ""
    """Empty for a ship that comes on with a force from off the map."""
    port: str = ""
    """The key of the base it is in port with."""
    joins: str = ""
    """The force that it comes on with."""


@dataclass(frozen=True)
class Ground:
    """What a side's deployment is judged by: the map, and its own bases by key, including those it places itself."""

    state: State
    side: Side
    bases: Mapping[str, HexId]

    def area_of(self, area: Area, force: OrderOfBattleForce) -> frozenset[HexId]:
        """The hexes where an area lets ships of ``force`` stand."""
        return frozenset(self.hexes(area, force))

    def hexes(self, area: Area, force: OrderOfBattleForce) -> Iterable[HexId]:
        """The hexes of :meth:`area_of`, one after another and some more than once, for who looks for one alone."""
        yield from spread(area.hexes)
        yield from (self.bases[key] for key in area.bases if key in self.bases)
        centres = [area.around] if area.around else []
        centres += self._homes(area, force)
        for centre in centres:
            yield from self.state.grid.within(centre, area.within)

    def _homes(self, area: Area, force: OrderOfBattleForce) -> list[HexId]:
        campaign = self.state.settings.campaign
        nation = campaign.nation_of(force.nation)
        homes: list[HexId] = []
        if "base" in area.near:
            own = {one.key for one in campaign.base if area.any_base or one.nation == nation.key}
            homes += [hex_id for key, hex_id in self.bases.items() if key in own]
        if "settled" in area.near:
            settled = self.state.settled.values()
            homes += [one.hex for one in settled if one.side == self.side and one.empire in nation.empires]
        return homes


@dataclass(frozen=True)
class Judged:
    """The outcome of judging a deployment: each ship's group, the defects, and the groups short of ships."""

    groups: dict[str, Area] = field(default_factory=dict[str, Area])
    """The group of each unit."""
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    short: list[str] = field(default_factory=list[str])
    wanted: list[tuple[Area, Placed]] = field(default_factory=list[tuple[Area, Placed]])
    """Groups that lack ships, each with a suitable ship outside all groups."""
    astray: list[Placed] = field(default_factory=list[Placed])
    """Ships of no group in places where they may not be."""


def matches(kind: ShipClass, word: str) -> bool:
    """Whether a class meets a group's requirement: a category of warships (``DD/FF``: either), a class or a hull."""
    category = size_category(kind) if unit_type(kind) == "warship" else ""
    return any(part in (category, kind.class_id, kind.hull_group) for part in word.split("/"))


@rule("C.oob.federation.deployment", "C.oob.kzinti.deployment", "C.oob.klingon.deployment")
def judge(ground: Ground, placed: Sequence[Placed], paths: Mapping[str, str]) -> Judged:
    """Assign ships to groups, and find everything wrong with their places; ``paths`` by line.

    PQ-17 C.oob.federation.deployment, C.oob.kzinti.deployment, C.oob.klingon.deployment, ruling SCN-7."""
    result = Judged()
    for area in ground.state.settings.campaign.area:
        if area.units:
            _fill_group(ground, area, placed, result)
    _find_shortages(ground, placed, result)
    for one in placed:
        if one.unit.id not in result.groups and not _may_stand(ground, one):
            result.astray.append(one)
    alike: dict[tuple[str, ...], list[Placed]] = {}
    for one in result.astray:
        nation = ground.state.settings.campaign.force_of(one.force).nation
        key = (one.line, nation, one.hex, one.joins, *(area.key for area in open_areas(ground, one)))
        alike.setdefault(key, []).append(one)
    for ships in alike.values():
        result.refusals.append(_misplaced(ground, ships, paths.get(ships[0].line, ships[0].line)))
    return result


def _fill_group(ground: Ground, area: Area, placed: Sequence[Placed], result: Judged) -> None:
    state = ground.state
    for word, count in area.units.items():
        fitting = [
            one
            for one in placed
            if one.force in area.forces
            and one.unit.id not in result.groups
            and matches(state.class_of(one.unit), word)
            and _in_area(ground, area, one)
        ]
        for one in fitting[:count]:
            result.groups[one.unit.id] = area


def _in_area(ground: Ground, area: Area, one: Placed) -> bool:
    """Whether a ship stands in an area; where that is a base, in port with it (ruling SCN-31)."""
    if area.with_force and one.joins == area.with_force:
        return True
    if area.bases and not (area.hexes or area.near or area.around):
        return one.port in area.bases
    return one.hex in ground.hexes(area, ground.state.settings.campaign.force_of(one.force))


def _find_shortages(ground: Ground, placed: Sequence[Placed], result: Judged) -> None:
    """A group that lacks ships is wrong as long as its owner has such ships outside all groups. Ruling SCN-7."""
    state = ground.state
    for area in state.settings.campaign.area:
        mine = [one for one in placed if one.force in area.forces]
        if not area.units or not any(
            state.settings.campaign.nation_of(f.nation).side == ground.side for f in _of(state, area)
        ):
            continue
        for word, count in area.units.items():
            there = sum(
                result.groups.get(one.unit.id) is area and matches(state.class_of(one.unit), word) for one in mine
            )
            lack = count - there
            free = [one for one in mine if one.unit.id not in result.groups and matches(state.class_of(one.unit), word)]
            if lack <= 0:
                continue
            if free:
                result.wanted.extend((area, one) for one in free[:lack])
                problem = f"{area.name} needs {count} {word} and has {there}"
                where = _say_area(ground, area, state.settings.campaign.force_of(area.forces[0]))
                rule = f"PQ-17 C.oob.{_of(state, area)[0].nation}.deployment"
                result.refusals.append(
                    illegal(problem, rule, free[0].line, legal=f"{min(lack, len(free))} more {where}")
                )
            else:
                result.short.append(f"{area.name} has {there} of {count} {word}: no more were bought.")


def _of(state: State, area: Area) -> list[OrderOfBattleForce]:
    return [state.settings.campaign.force_of(key) for key in area.forces]


def _may_stand(ground: Ground, one: Placed) -> bool:
    """Whether a ship of no group may stand where it does."""
    return any(_in_area(ground, area, one) for area in open_areas(ground, one))


def open_areas(ground: Ground, one: Placed) -> list[Area]:
    """The areas for all ships of its force and category that belong to no group."""
    state = ground.state
    kind = state.class_of(one.unit)
    category = size_category(kind) if unit_type(kind) == "warship" else None
    return [
        area
        for area in state.settings.campaign.area
        if not area.units and one.force in area.forces and (not area.categories or category in area.categories)
    ]


def _misplaced(ground: Ground, ships: Sequence[Placed], path: str) -> Refusal:
    """The refusal for ships of one line that may not begin where they are; all may begin in the same places."""
    state, one = ground.state, ships[0]
    force = state.settings.campaign.force_of(one.force)
    legal = " or ".join(_say_area(ground, area, force) for area in open_areas(ground, one))
    hexes = sorted({hex_id for area in open_areas(ground, one) for hex_id in ground.area_of(area, force)})
    near: tuple[HexId, ...] = ()
    if hexes and one.hex:
        near = (min(hexes, key=lambda other: (state.grid.distance(one.hex, other), other)),)
    where = f"in {one.hex}" if one.hex else f"with the {state.settings.campaign.force_of(one.joins).name}"
    more = f" and {len(ships) - 1} more" if len(ships) > 1 else ""
    problem = f"{one.unit.name} ({state.class_of(one.unit).label}){more} may not begin {where}"
    return illegal(problem, f"PQ-17 C.oob.{force.nation}.deployment", path, legal=legal, nearest=near)


def _say_area(ground: Ground, area: Area, force: OrderOfBattleForce) -> str:
    if area.bases and not (area.hexes or area.near or area.around):
        names = [entry.name for entry in ground.state.settings.campaign.base if entry.key in area.bases]
        return f"in port at {' or '.join(names)}"
    if area.around:
        return f"within {area.within} of {area.around}"
    hexes = sorted(ground.area_of(area, force))
    if len(hexes) <= SHOWN_HEXES:
        return f"in {', '.join(hexes)}"
    if area.hexes:
        return f"in {', '.join(area.hexes)}"
    return f"within {area.within} of {', '.join(sorted(set(ground.bases.values())))} or of settled hexes"


# --- a base that its owner places -------------------------------------------------------------------------------------


@rule("C.oob.klingon.bastion")
def base_sites(state: State, entry: BaseEntry) -> list[HexId]:
    """Where a base with a zone may stand: in the zone, and far enough from enemy settled hexes.

    PQ-17 C.oob.klingon.bastion, ruling MAP-7."""
    side = state.settings.campaign.nation_of(entry.nation).side
    enemy = [one.hex for one in state.settled.values() if one.side != side]
    return sorted(
        hex_id
        for hex_id in spread(entry.zone)
        if all(state.grid.distance(hex_id, other) > entry.away_from_settled for other in enemy)
    )


@rule("C.oob.klingon.bastion")
def site_refusals(state: State, entry: BaseEntry, hex_id: HexId, path: str) -> Iterable[Refusal]:
    """Why a base may not stand there. PQ-17 C.oob.klingon.bastion."""
    sites = base_sites(state, entry)
    if hex_id in sites:
        return
    last = entry.zone[-1].rpartition("-")[2]
    legal = f"{entry.zone[0][:4]} to {last}, farther than {entry.away_from_settled} from enemy settled hexes"
    near: tuple[HexId, ...] = ()
    if hex_id in state.grid:
        near = (min(sites, key=lambda one: (state.grid.distance(one, hex_id), one)),)
    problem = f"{entry.name} may not stand in {hex_id or 'no hex'}"
    yield illegal(problem, f"PQ-17 C.oob.{entry.nation}.{entry.key}", path, legal=legal, nearest=near)
