"""Scenarios that leave the set-up to their players: reading one, its seats, and the state before the set-up.

``scenario.toml`` has a part ``[setup]``, and perhaps a ``[map]``; ``ships.toml`` (or ``ships.csv``) the classes. There
is no ``units.toml``.
"""

import tomllib
from collections.abc import Mapping

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Json, SideLabel
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.layers import read_layers
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.core.scenarios.entries import EntryTitle
from rules_engine.core.scenarios.files import parsed, refusal_of
from rules_engine.rulebooks.cutler.ch01_setup.forces import judge_force
from rules_engine.rulebooks.cutler.ch01_setup.planets import has_room
from rules_engine.rulebooks.cutler.ch01_setup.star_map import generated
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Accessory
from rules_engine.rulebooks.cutler.records.accessories.entries import catalogue_defects
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.scenario_entries import MapEntry, Victory, as_table, off_map
from rules_engine.rulebooks.cutler.records.setup import Setup, SetupRules
from rules_engine.rulebooks.cutler.records.shipping.convoys import disguise_defects
from rules_engine.rulebooks.cutler.records.state import CutlerState, Empire
from rules_engine.rulebooks.cutler.records.tables import BOARDING_PARTY_LIMIT


class OpenScenarioFile(Frozen):
    """``scenario.toml`` of a campaign whose players set it up; without a map, one is generated. Chapter 1"""

    title: EntryTitle
    source: str
    victory: Victory
    setup: SetupRules
    map: MapEntry | None = None
    accessories: dict[str, Accessory] = Field(default_factory=dict[str, Accessory])
    """Accessories beside the usual ones, or instead of them."""


def leaves_setup_open(files: Mapping[str, str]) -> bool:
    """Whether these are the files of a scenario that players set up."""
    try:
        return "setup" in tomllib.loads(files.get("scenario.toml", "").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False


@rule("1.1.3", "1.1.2")
def read_open(files: Mapping[str, str], refusals: list[Refusal]) -> dict[str, Json]:
    """A scenario that leaves the set-up to its players. 1.1.2, 1.1.3, CU-R11"""
    if "units.toml" in files:
        refusals.append(malformed("players choose the ships, so there is no such file", "units.toml"))
    scenario = parsed(files, "scenario.toml", OpenScenarioFile, refusals)
    classes, defects = read_layers(UnitClass, files)
    refusals += defects
    if scenario is not None:
        refusals += _open_map_defects(scenario)
        refusals += [] if defects else _open_force_defects(scenario.setup, classes) + disguise_defects(classes)
        refusals += catalogue_defects(scenario.accessories, "scenario.toml.accessories")
    if refusals or scenario is None:
        raise refusal_of(files, refusals)
    return {
        "open": scenario.model_dump(mode="json"),
        "classes": {key: kind.model_dump(mode="json") for key, kind in classes.items()},
    }


def _open_map_defects(scenario: OpenScenarioFile) -> list[Refusal]:
    at = "scenario.toml.setup"
    rules = scenario.setup
    refusals: list[Refusal] = []
    if len(rules.races) < (len(rules.empires) or 7):
        text = f"{len(rules.races)} races are too few"
        refusals.append(illegal(text, "1.1.1", f"{at}.races", legal=f"{len(rules.empires) or 7} and more"))
    for what in ("name", "emblem"):
        values = [getattr(race, what).casefold() for race in rules.races]
        if len(set(values)) < len(values):
            refusals.append(malformed(f"two races have the same {what}", f"{at}.races"))
    if bool(rules.empires) != (scenario.map is not None):
        refusals.append(malformed("a map of one's own needs both [map] and setup.empires", "scenario.toml.map"))
    elif scenario.map is not None:
        grid = Grid(columns=scenario.map.columns, rows=scenario.map.rows)
        held = [one for empire in rules.empires for one in empire]
        for hex_id in (*held, *scenario.map.terrain):
            refusals += off_map(grid, hex_id, f"{at}.empires")
        if len(set(held)) < len(held):
            refusals.append(illegal("a hex belongs to two empires", "1.1.2", f"{at}.empires"))
        if not 2 <= len(rules.empires) <= 7:
            refusals.append(illegal("a campaign has two to seven empires", "1.1.1", f"{at}.empires"))
        if not refusals:
            refusals += [
                illegal(f"empire {number} has no room for its planets", "1.1.2.3, CU-R04", f"{at}.empires")
                for number, empire in enumerate(rules.empires, 1)
                if not has_room(grid, tuple(sorted(empire)))
            ]
    return refusals


def _open_force_defects(rules: SetupRules, classes: Mapping[str, UnitClass]) -> list[Refusal]:
    at = "scenario.toml.setup"
    named = [(name, f"{at}.bases") for name in filter(None, rules.bases.model_dump().values())]
    named += [(name, f"{at}.ready_made") for name in rules.ready_made]
    named += [(name, f"{at}.limits") for limit in rules.limits for name in limit.classes]
    refusals = [
        malformed(f"no class {name!r}", path, nearest=nearest(name, classes))
        for name, path in named
        if name not in classes
    ]
    refusals += [
        illegal(f"a {kind} planet holds at most {limit}", "4.2.4.8", f"{at}.garrisons.{kind}", legal=f"0 to {limit}")
        for kind, parties in rules.garrisons.items()
        if parties > (limit := BOARDING_PARTY_LIMIT[kind])
    ]
    if not refusals:
        setup = Setup(rules=rules, classes=dict(classes))
        refusals += judge_force(setup, {"all": rules.ready_made})
    return refusals


@rule("1.1.1")
def seats(document: Mapping[str, Json]) -> SeatRange | None:
    """How many may play: two to seven, or one for each empire of a supplied map; None where all is set up. 1.1.1"""
    if "open" not in document:
        return None
    empires = len(OpenScenarioFile.model_validate(document["open"]).setup.empires)
    return SeatRange(least=empires, most=empires) if empires else SeatRange(least=2, most=7)


def seat_labels(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The seats, as sides that have no race yet."""
    count = int(str(document["seats"]))
    return tuple(SideLabel(key=f"seat-{n}", name=f"Seat {n}", emblem=str(n)) for n in range(1, count + 1))


def set_up_open(document: Mapping[str, Json]) -> CutlerState:
    """The state before the set-up: seats, and no map that means anything yet."""
    scenario = OpenScenarioFile.model_validate(document["open"])
    classes = {key: UnitClass.model_validate(kind) for key, kind in as_table(document["classes"]).items()}
    labels = seat_labels(document)
    given = scenario.map
    return CutlerState(
        title=scenario.title,
        turns=scenario.victory.turn,
        tie_break=scenario.victory.tie_break,
        sides=labels,
        grid=generated(len(labels), 0).grid if given is None else Grid(columns=given.columns, rows=given.rows),
        terrain={} if given is None else given.terrain,
        empires={label.key: Empire(race=label.key) for label in labels},
        planets={},
        units={},
        setup=Setup(rules=scenario.setup, classes=classes),
        classes=classes,
        accessories=STANDARD | scenario.accessories,
        gas_giants=scenario.setup.gas_giants,
        invented=scenario.source == "invented",
    )
