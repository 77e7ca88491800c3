"""Defects of ``scenario.toml``: empires, their homes and treaties, colonies, derelicts, and who may play."""

from collections.abc import Iterator

from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.jump_lanes.records.places import is_planet, system_of
from rules_engine.rulebooks.jump_lanes.scenario.entries import SCENARIO, ColonyEntry, ScenarioFile
from rules_engine.rulebooks.jump_lanes.scenario.map_defects import places_of

FEWEST = 2


def empire_defects(file: ScenarioFile) -> Iterator[Refusal]:
    """Every defect, each with its path."""
    keys = [one.key for one in file.empire]
    where = f"{SCENARIO}.empire"
    if len(keys) < FEWEST:
        yield malformed(f"too few empires: {len(keys)}", where, legal=f"{FEWEST} or more")
    yield from doubled(keys, where)
    yield from doubled((one.emblem for one in file.empire), f"{where}.emblem")
    yield from doubled((one.name.casefold() for one in file.empire), f"{where}.name")
    yield from _emblem_defects(file)
    yield from _home_defects(file)
    yield from _seat_defects(file)
    for index, one in enumerate(file.treaty):
        path = f"{SCENARIO}.treaty.{index}.between"
        for key in one.between:
            yield from unknown(key, keys, "empire", path)
        if one.between[0] == one.between[1]:
            yield malformed("an empire and itself", path, legal="two empires")
    yield from doubled((" and ".join(sorted(one.between)) for one in file.treaty), f"{SCENARIO}.treaty")
    yield from doubled((one.key for one in file.colony), f"{SCENARIO}.colony")
    yield from doubled((one.at for one in file.colony), f"{SCENARIO}.colony.at")
    for index, one in enumerate(file.colony):
        yield from unknown(one.empire, keys, "empire", f"{SCENARIO}.colony.{index}.empire")
        yield from _colony_defects(file, one, f"{SCENARIO}.colony.{index}")
    yield from doubled((one.key for one in file.derelict), f"{SCENARIO}.derelict")
    for index, one in enumerate(file.derelict):
        yield from unknown(one.at, places_of(file), "place", f"{SCENARIO}.derelict.{index}.at")


def _emblem_defects(file: ScenarioFile) -> Iterator[Refusal]:
    """Emblems with which the squadrons of one empire would be called as the fleets of another."""
    emblems = [one.emblem for one in file.empire]
    for index, one in enumerate(file.empire):
        if len(one.emblem) > 1 and one.emblem.endswith("F") and one.emblem[:-1] in emblems:
            text = f"{one.emblem}1 would be a squadron, and a fleet of {one.emblem[:-1]}"
            yield malformed(text, f"{SCENARIO}.empire.{index}.emblem", legal="letters that do not end in F")


def _home_defects(file: ScenarioFile) -> Iterator[Refusal]:
    places = places_of(file)
    colonies = {(one.at, one.empire) for one in file.colony}
    yield from doubled((one.home for one in file.empire), f"{SCENARIO}.empire.home")
    for index, one in enumerate(file.empire):
        path = f"{SCENARIO}.empire.{index}.home"
        yield from unknown(one.home, places, "place", path)
        if one.home in places and (one.home, one.key) not in colonies:
            yield malformed(f"{one.name} has no colony at {one.home}", path, legal="a [[colony]] of it there")


def _seat_defects(file: ScenarioFile) -> Iterator[Refusal]:
    if file.seats is not None and not file.seats.least <= file.seats.most <= len(file.empire):
        legal = f"least and most in rising order, {len(file.empire)} at most, for so many empires are in the file"
        yield malformed("more may play than there are empires", f"{SCENARIO}.seats", legal=legal)


@rule("13.1.1", "13.3.2.3-officers")
def _colony_defects(file: ScenarioFile, one: ColonyEntry, path: str) -> Iterator[Refusal]:
    """A colony nowhere, in the outskirts of a system with planets, or with experience points that nobody carries.
    13.1.1, 13.3.2.3-officers"""
    yield from unknown(one.at, places_of(file), "place", f"{path}.at")
    with_planets = {system.key for system in file.system if system.planet}
    if not is_planet(one.at) and system_of(one.at) in with_planets and file.rules.system_maps:
        legal = "a planet of the system"
        yield illegal(f"{one.at} is the outskirts of a system map", "13.1.1, JL-R06", f"{path}.at", legal=legal)
    if one.experience and not file.rules.experience:
        text = "experience points are not carried in this scenario"
        yield illegal(text, "13.3.2.3", f"{path}.experience", legal="rules.experience = true, or 0")
    if one.rebellion and one.empire is None:
        yield malformed("rebels against nobody", f"{path}.rebellion", legal="an empire, or no rebellion")
