"""Defects of ``scenario.toml``: Teams, races, seats, places and figures."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.border_patrol.scenario.entries import SCENARIO, ScenarioFile
from rules_engine.rulebooks.border_patrol.scenario.hexes import off_map

TEAMS = 2
MOST_CAPTAINS = 4
MOST_RACES = 2
"""Captains and races of a Team. BP-N13"""


def map_defects(file: ScenarioFile) -> Iterable[Refusal]:
    """Every defect, each with its path."""
    yield from _team_defects(file)
    yield from _place_defects(file, file.map.grid())
    yield from _province_defects(file, file.map.grid())
    yield from _figure_defects(file)


def _team_defects(file: ScenarioFile) -> Iterable[Refusal]:
    where = f"{SCENARIO}.team"
    keys = [one.key for one in file.team]
    if len(keys) != TEAMS:
        yield illegal(f"there are {len(keys)} Teams", "BP-N13", where, legal=f"{TEAMS}")
    yield from doubled(keys, where)
    yield from doubled((one.emblem for one in file.team), f"{where}.emblem")
    yield from doubled((one.name.casefold() for one in file.team), f"{where}.name")
    for what, entries, most in (("race", file.race, MOST_RACES), ("captain", file.captain, MOST_CAPTAINS)):
        path = f"{SCENARIO}.{what}"
        yield from doubled((one.key for one in entries), path)
        yield from doubled((one.name.casefold() for one in entries), f"{path}.name")
        for index, one in enumerate(entries):
            yield from unknown(one.team, keys, "Team", f"{path}.{index}.team")
        for key in dict.fromkeys(keys):
            count = sum(one.team == key for one in entries)
            if not 1 <= count <= most:
                yield illegal(f"{key} has {count} of them", "BP-N13", path, legal=f"1 to {most} for each Team")


def _place_defects(file: ScenarioFile, grid: Grid) -> Iterable[Refusal]:
    keys = [one.key for one in file.team]
    yield from doubled((one.hex for one in file.terrain), f"{SCENARIO}.terrain")
    yield from doubled((one.hex for one in file.system), f"{SCENARIO}.system.hex")
    for index, one in enumerate(file.terrain):
        yield from off_map([one.hex], grid, f"{SCENARIO}.terrain.{index}.hex")
    for what, entries in (("system", file.system), ("storm", file.storm), ("post", file.post)):
        yield from doubled((one.key for one in entries), f"{SCENARIO}.{what}")
        for index, one in enumerate(entries):
            yield from off_map([one.hex], grid, f"{SCENARIO}.{what}.{index}.hex")
    for index, one in enumerate(file.system):
        yield from unknown(one.team, keys, "Team", f"{SCENARIO}.system.{index}.team")
    for index, one in enumerate(file.post):
        yield from unknown(one.team, keys, "Team", f"{SCENARIO}.post.{index}.team")


def _province_defects(file: ScenarioFile, grid: Grid) -> Iterable[Refusal]:
    where = f"{SCENARIO}.province"
    yield from doubled((one.key for one in file.province), where)
    yield from doubled((one.name.casefold() for one in file.province), f"{where}.name")
    owners: dict[HexId, str] = {}
    for index, one in enumerate(file.province):
        path = f"{where}.{index}"
        yield from unknown(one.team, (team.key for team in file.team), "Team", f"{path}.team")
        yield from off_map(one.hexes, grid, f"{path}.hexes")
        yield from doubled(one.hexes, f"{path}.hexes")
        for hex_id in dict.fromkeys(one.hexes):
            if owners.setdefault(hex_id, one.key) != one.key:
                text = f"{hex_id} is in {owners[hex_id]} already"
                yield malformed(text, f"{path}.hexes", legal="a hex in one province")
        apart = _apart([hex_id for hex_id in one.hexes if hex_id in grid], grid)
        if apart:
            text = f"{apart} touches no hex that is joined to {one.hexes[0]}"
            yield malformed(text, f"{path}.hexes", legal="hexes in one piece")


def _apart(hexes: list[HexId], grid: Grid) -> HexId:
    """The first hex that no way inside joins to the first of all; "" for none."""
    inside = set(hexes)
    reached, ahead = set(hexes[:1]), hexes[:1]
    while ahead:
        near = [one for one in grid.neighbours(ahead.pop()) if one in inside and one not in reached]
        reached.update(near)
        ahead += near
    return next((one for one in hexes if one not in reached), "")


def _figure_defects(file: ScenarioFile) -> Iterable[Refusal]:
    scores = (one for name, one in file.scoring.model_dump().items() if name not in ("lead", "source"))
    if not any(scores):
        yield malformed("nothing scores a point", f"{SCENARIO}.scoring", legal="a figure above 0")
    zones = file.zones
    if not zones.restricted <= zones.reach <= zones.at_bases:
        legal = "restricted, reach and at_bases in rising order"
        yield malformed("a zone that is restricted reaches farther", f"{SCENARIO}.zones", legal=legal)
