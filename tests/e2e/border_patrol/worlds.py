"""Small worlds of Border Patrol's in a notation, as the files of a scenario.

A world is a few lines: bases, stacks with the class and the name of each ship, provinces, and convoys by their ways::

    blue base 0101 Home
    blue B1 0203 CA:Resolve[chief_engineer=3] FF:Spark
    convoy B2 turn 2: 0106 0205
    province reach blue 0301 0302

Units have their names in small letters as ids. The first ship of a Team is its captain's flagship. Square brackets set
a unit's fields. Both Teams have the same classes; the warships of the red one have cloaking devices.
"""

import re

from tests.expected.sections import section

TEAMS = {"blue": "B", "red": "R"}

_CLASS = section("class")
_FIGURES = {
    "CA": ("ship", 3, "1", 30, 4, 3, [1, 0], 8),
    "DD": ("ship", 4, "1/2", 15, 2, 2, [2, 0], 4),
    "FF": ("ship", 4, "1/3", 12, 2, 1, [2, 0], 3),
    "FT": ("freighter", 4, "1/2", 8, 1, 0, [0], 1),
    "BATS": ("base", 2, "0", 0, 0, 4, [8, 0], 9),
}
_NAMES = ("kind", "size_class", "move_cost", "warp", "impulse", "tractors", "damcon_track", "command_rating")
"""What the values of a class are."""
_WARSHIPS = ("CA", "DD", "FF")
_CLOAK = "\ncloak = true\ncloak_cost = 8"
_SCENARIO = section("scenario")


def scenario_of(world: str, *, turns: int) -> dict[str, str]:
    """The files of a scenario that lasts so many turns."""
    scenario, units, led = [_SCENARIO.format(turns=turns)], list[str](), set[str]()
    for team, emblem in TEAMS.items():
        name = team.title()
        scenario += [
            f'[[team]]\nkey = "{team}"\nname = "{name} Team"\nemblem = "{emblem}"',
            f'[[race]]\nkey = "{team}s"\nname = "{name}s"\nteam = "{team}"',
            f'[[captain]]\nkey = "{team}-one"\nname = "{name} captain"\nteam = "{team}"',
        ]
    for line in filter(None, map(str.strip, world.splitlines())):
        match line.split():
            case ["convoy", stack, "turn", turn, *route]:
                key = f"of-{stack.lower()}"
                units.append(
                    f'[[convoy]]\nkey = "{key}"\nstack = "{stack}"\nsets_out = {turn.rstrip(":")}\nroute = {route}'
                )
            case ["province", name, team, *hexes]:
                scenario.append(
                    f'[[province]]\nkey = "{name}"\nname = "{name.title()}"\nteam = "{team}"\nhexes = {hexes}'
                )
            case [team, "base", hex_id, name]:
                units.append(_unit(team, "BATS", name, f'hex = "{hex_id}"'))
            case [team, stack, hex_id, *ships]:
                units.append(f'[[stack]]\nid = "{stack}"\ncaptain = "{team}-one"\nhex = "{hex_id}"')
                for code, name, fields in re.findall(r"([A-Z]+):(\w+)(?:\[(.*)\])?", " ".join(ships)):
                    more = [f'stack = "{stack}"', *fields.split()]
                    if team not in led:
                        more.append("flagship = true")
                    led.add(team)
                    units.append(_unit(team, code, name, *more))
            case _:
                raise AssertionError(line)
    return {"scenario.toml": "\n".join(scenario), "units.toml": "\n".join(units), "ships.toml": _ships()}


def _unit(team: str, code: str, name: str, *more: str) -> str:
    lines = (f'id = "{name.lower()}"', f'name = "{name}"', f'class_id = "{team}-{code}"', f'race = "{team}s"', *more)
    return "\n".join(("[[unit]]", *lines))


def _ships() -> str:
    classes: list[str] = []
    for team in TEAMS:
        for code, values in _FIGURES.items():
            figures = "\n".join(f"{name} = {_toml(value)}" for name, value in zip(_NAMES, values, strict=True))
            cloak = _CLOAK if team == "red" and code in _WARSHIPS else ""
            classes.append(_CLASS.format(team=team, code=code, figures=figures + cloak))
    return "\n".join(classes)


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
