"""The Neutral Zone for Teams of fewer captains: who is left takes over the stacks of those who are not."""

from copy import deepcopy
from typing import Any

from rules_engine.core.basics.base import Json
from tests.rulebooks.test_every_rulebook import SHELF

MOST = 4
"""Captains of a Team in the scenario that comes with the bot."""


def crewed(west: int, east: int, *, name: str = "neutral_zone", turns: int = 0) -> dict[str, Json]:
    """A scenario in which so many captains command each Team, and that lasts so many turns, if any are said."""
    document: dict[str, Any] = deepcopy(SHELF.read(f"border_patrol/{name}")[1])
    file, forces = document["file"], document["units"]
    file["turns"] = turns or file["turns"]
    seats: dict[str, str] = {}
    for team, count in zip((one["key"] for one in file["team"]), (west, east), strict=True):
        own = [one["key"] for one in file["captain"] if one["team"] == team]
        seats |= {key: own[index % count] for index, key in enumerate(own)}
    file["captain"] = [one for one in file["captain"] if one["key"] in seats.values()]
    commanders = {one["id"]: one["captain"] for one in forces["stack"]}
    for stack in forces["stack"]:
        stack["captain"] = seats[stack["captain"]]
    for unit in forces["unit"]:  # who lost the seat lost the flagship
        commander = commanders.get(unit["stack"] or "", "")
        unit["flagship"] = unit["flagship"] and seats.get(commander, "") == commander
    forces["convoy"] = [one for one in forces["convoy"] if one["sets_out"] <= file["turns"]]
    return document
