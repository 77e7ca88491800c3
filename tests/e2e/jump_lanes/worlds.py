"""Small worlds of the jump lanes in a notation, as the files of a scenario.

A world is a few lines: lanes between systems, of a class or not explored; homes, colonies; squadrons with the class and
the name of each unit and what they carry; and what stands by itself::

    lane Sol Wolf normal
    lane Sol Regulus ? easy
    terran home Sol 9
    terran colony Wolf 1
    terran T1 Sol FT:Hermes CA:Ajax aboard GUARD:Rangers census 1
    terran stands Sol BASE:Bastion

Systems are where lanes say that they are; units have their names in small letters as ids. All empires have the same
classes, and every figure is invented.
"""

import re

from tests.expected.sections import section

EMPIRES = {"terran": "T", "kraz": "K", "vela": "V"}
"""Their emblems; those play that have a home."""

_FIGURES: dict[str, tuple[str, int, dict[str, int]]] = {
    "FT": ("starship", 1, {"engines": 1, "ftl": 1, "cargo": 20}),
    "CA": ("starship", 3, {"engines": 3, "ftl": 1}),
    "DD": ("starship", 2, {"engines": 4, "ftl": 3}),
    "SURVEY": ("starship", 2, {"engines": 3, "ftl": 2, "science": 10}),
    "TUG": ("starship", 2, {"engines": 3, "ftl": 2, "towing": 4}),
    "BASE": ("starbase", 1, {}),
    "GUARD": ("troop", 2, {}),
}
"""Of each class its kind, its SIZ, and the ratings that it has."""
_SCENARIO = section("scenario")


def scenario_of(world: str, *, turns: int) -> dict[str, str]:
    """The files of a scenario that lasts so many turns."""
    rows, lanes, units = list[str](), list[str](), list[str]()
    systems: dict[str, None] = {}
    homes: dict[str, str] = {}
    for line in filter(None, map(str.strip, world.splitlines())):
        match line.split():
            case ["lane", a, b, *how]:
                systems |= {a: None, b: None}
                known = f'difficulty = "{how[1]}"' if how[0] == "?" else f'lane_class = "{how[0]}"'
                lanes.append(f'[[lane]]\na = "{a.lower()}"\nb = "{b.lower()}"\n{known}')
            case [empire, "home" | "colony" as what, at, census]:
                if what == "home":
                    homes[empire] = at.lower()
                place = f'key = "{at.lower()}"\nname = "{at}"\nat = "{at.lower()}"'
                rows.append(f'[[colony]]\n{place}\nempire = "{empire}"\ncensus = {census}')
            case [empire, "stands", at, *named]:
                units += _units(empire, " ".join(named), f'at = "{at.lower()}"')
            case [empire, squadron, at, *named]:
                members, _, cargo = " ".join(named).partition(" aboard ")
                census = re.search(r"census (\d+)", cargo)
                units.append(
                    f'[[squadron]]\nid = "{squadron}"\nname = "{squadron}"\nempire = "{empire}"\nat = "{at.lower()}"\n'
                    f"census = {census[1] if census else 0}"
                )
                units += _units(empire, members, f'squadron = "{squadron}"')
                units += _units(empire, cargo, f'aboard = "{squadron}"')
            case _:
                raise AssertionError(line)
    places = [
        f'[[system]]\nkey = "{name.lower()}"\nname = "{name}"\nx = {number % 4 * 10}\ny = {number // 4 * 10 + number}'
        for number, name in enumerate(systems)
    ]
    empires = [
        f'[[empire]]\nkey = "{key}"\nname = "{key.title()} Empire"\nemblem = "{emblem}"\nhome = "{homes[key]}"'
        for key, emblem in EMPIRES.items()
        if key in homes
    ]
    scenario = "\n".join((_SCENARIO.format(turns=turns), *empires, *places, *lanes, *rows))
    return {"scenario.toml": scenario, "units.toml": "\n".join(units), "ships.toml": _ships()}


def _units(empire: str, named: str, where: str) -> list[str]:
    return [
        f'[[unit]]\nid = "{name.lower()}"\nname = "{name}"\nclass_id = "{code}"\nempire = "{empire}"\n{where}'
        for code, name in re.findall(r"([A-Z]+):(\w+)", named)
    ]


def _ships() -> str:
    classes: list[str] = []
    for code, (kind, siz, ratings) in _FIGURES.items():
        rows = [f'class_id = "{code}"\nname = "{code}"\nempire = "All"\nsource = "invented"', f'kind = "{kind}"']
        rows += [f"siz = {siz}\nworth = {siz}", *(f"{name} = {value}" for name, value in ratings.items())]
        classes.append("\n".join(("[[class]]", *rows)))
    return "\n".join(classes)
