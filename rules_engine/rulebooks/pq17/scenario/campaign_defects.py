"""Checks of the campaign section of a scenario file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.names import unknown
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle, spread
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

WHERE = "scenario.toml.campaign"
HULL_GROUPS_SPLIT = "/"

Classes = Mapping[str, ShipClass]


def campaign_defects(
    campaign: OrderOfBattle, grid: Grid, sides: Sequence[SideLabel], classes: Classes
) -> Iterable[Refusal]:
    """Every defect of a scenario's campaign section, each with its path."""
    if not campaign.nation:
        return
    yield from _nation_defects(campaign, grid, sides, classes)
    yield from _force_defects(campaign, grid, classes)
    yield from _convoy_defects(campaign, grid, classes)
    yield from _base_defects(campaign, grid, sides, classes)
    yield from _area_defects(campaign, grid, classes)
    if campaign.fallback_delivery is not None:
        yield from _spans([campaign.fallback_delivery], grid, f"{WHERE}.fallback_delivery")


def _nation_defects(
    campaign: OrderOfBattle, grid: Grid, sides: Sequence[SideLabel], classes: Classes
) -> Iterable[Refusal]:
    keys = [nation.key for nation in campaign.nation]
    yield from _doubled(keys, f"{WHERE}.nation")
    yield from _doubled((name for one in campaign.nation for name in one.ship_names), f"{WHERE}.nation.ship_names")
    yield from _doubled((empire for one in campaign.nation for empire in one.empires), f"{WHERE}.nation.empires")
    known = {label.key for label in sides}
    built = {one.empire for one in classes.values()}
    for index, nation in enumerate(campaign.nation):
        path = f"{WHERE}.nation.{index}"
        yield from unknown(nation.side, known, "side", f"{path}.side")
        yield from unknown(nation.commanded_by or None, keys, "nation", f"{path}.commanded_by")
        for empire in nation.empires:
            if built and empire not in built:
                yield malformed(f"no class is of {empire}", f"{path}.empires", nearest=nearest(empire, built))
        for name in nation.ship_names:
            if not 1 <= len(name) <= 32:
                yield malformed(f"{name[:40]!r}: a ship's name has 1 to 32 characters", f"{path}.ship_names")
        yield from _spans([nation.home, *nation.entry], grid, path)


def _force_defects(campaign: OrderOfBattle, grid: Grid, classes: Classes) -> Iterable[Refusal]:
    yield from _doubled((one.key for one in (*campaign.force, *campaign.convoy)), f"{WHERE}.force")
    forces = [one.key for one in campaign.force]
    for index, force in enumerate(campaign.force):
        path = f"{WHERE}.force.{index}"
        yield from _is_nation(campaign, force.nation, f"{path}.nation")
        yield from _spans(force.entry, grid, f"{path}.entry")
        if force.arrives != "deployed" and not force.entry:
            yield malformed("a force that comes on later needs hexes to come on", f"{path}.entry")
    for index, one in enumerate(campaign.mandatory):
        path = f"{WHERE}.mandatory.{index}"
        yield from unknown(one.force, forces, "force", f"{path}.force")
        yield from _are_classes(one.classes, classes, f"{path}.classes")


def _convoy_defects(campaign: OrderOfBattle, grid: Grid, classes: Classes) -> Iterable[Refusal]:
    for index, convoy in enumerate(campaign.convoy):
        path = f"{WHERE}.convoy.{index}"
        yield from _is_nation(campaign, convoy.nation, f"{path}.nation")
        yield from _spans([*convoy.entry, *convoy.unload_at], grid, path)
        yield from _are_classes(convoy.classes, classes, f"{path}.classes")
        for class_id in convoy.classes:
            if class_id in classes and not classes[class_id].cargo:
                yield illegal(f"{class_id} carries no cargo", "PQ-17 C.oob base convoy", f"{path}.classes")


def _base_defects(
    campaign: OrderOfBattle, grid: Grid, sides: Sequence[SideLabel], classes: Classes
) -> Iterable[Refusal]:
    yield from _doubled((one.key for one in campaign.base), f"{WHERE}.base")
    yield from _doubled((one.id for one in campaign.base), f"{WHERE}.base")
    emblems = {label.key: label.emblem for label in sides}
    for index, base in enumerate(campaign.base):
        path = f"{WHERE}.base.{index}"
        yield from _is_nation(campaign, base.nation, f"{path}.nation")
        owner = next((one for one in campaign.nation if one.key == base.nation), None)
        emblem = emblems.get(owner.side) if owner is not None else None
        if emblem is not None and emblem.isascii() and base.id.rstrip("0123456789") != emblem:
            yield malformed(f"{base.id} must be {emblem} and a number", f"{path}.id")
        yield from _spans([*([base.hex] if base.hex else []), *base.zone], grid, path)
        if (base.hex is None) == (not base.zone):
            yield malformed("a base needs either a hex or a zone to place it in", path)
        yield from _are_classes([base.class_id, *base.fittings, *base.choices], classes, path)
        if base.class_id in classes and not classes[base.class_id].is_base:
            yield illegal(f"{base.class_id} is no base", "PQ-17 1.6.7.1", f"{path}.class_id")
        for part in (*base.fittings, *base.choices):
            if part in classes and classes[part].unit_kind not in ("pod", "module"):
                yield illegal(f"{part} is neither pod nor module", "PQ-17 1.8.12.2", path)
        if base.choose and not base.choices:
            yield malformed("there is nothing to choose from", f"{path}.choices")


def _area_defects(campaign: OrderOfBattle, grid: Grid, classes: Classes) -> Iterable[Refusal]:
    yield from _doubled((one.key for one in campaign.area), f"{WHERE}.area")
    forces, bases = [one.key for one in campaign.force], [one.key for one in campaign.base]
    words = {one.category for one in classes.values()} | {one.hull_group for one in classes.values()} | set(classes)
    for index, area in enumerate(campaign.area):
        path = f"{WHERE}.area.{index}"
        for force in (*area.forces, *([area.with_force] if area.with_force else [])):
            yield from unknown(force, forces, "force", path)
        for base in area.bases:
            yield from unknown(base, bases, "base", f"{path}.bases")
        for word in area.units:
            strange = [one for one in word.split(HULL_GROUPS_SPLIT) if classes and one not in words]
            if strange:
                near = nearest(strange[0], words)
                yield malformed(f"{strange[0]} is neither category nor class", f"{path}.units", nearest=near)
        yield from _spans([*area.hexes, *([area.around] if area.around else [])], grid, path)


def _spans(spans: Iterable[str], grid: Grid, path: str) -> Iterable[Refusal]:
    for span in spans:
        try:
            off = [one for one in spread([span]) if one not in grid]
        except ValueError as error:
            yield malformed(str(error), path)
        else:
            if off:
                yield malformed(f"{off[0]} is not on the map", path, legal=f"{grid.hexes()[0]}-{grid.hexes()[-1]}")


def _is_nation(campaign: OrderOfBattle, key: str, path: str) -> Iterable[Refusal]:
    yield from unknown(key, [nation.key for nation in campaign.nation], "nation", path)


def _are_classes(ids: Iterable[str], classes: Classes, path: str) -> Iterable[Refusal]:
    for class_id in ids:
        if classes and class_id not in classes:
            yield malformed(f"{class_id} is no unit class", path, nearest=nearest(class_id, classes))


def _doubled(ids: Iterable[str], path: str) -> Iterable[Refusal]:
    return [malformed(f"{key} is given {count} times", path) for key, count in Counter(ids).items() if count > 1]
