"""Worlds in players' notation, written as a scenario's files and read by the readers that read files.

So no test plays on what no file can hold. What only play brings about, damage above all, is set afterwards.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from rules_engine.core.basics.base import SideLabel
from rules_engine.rulebooks.border_patrol.records.settings import Scoring, Supply, Zones
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.rulebooks.border_patrol.fleet import FIGURES, lasting

TEAMS = (SideLabel(key="blue", name="Blue Team", emblem="B"), SideLabel(key="red", name="Red Team", emblem="R"))
POINTS = Scoring(province=1, convoy_in=2, convoy_caught=3, monster_driven_off=4, crippled=5, destroyed=6)

OF_CLASSES = {
    "cloak_cost": "cloak_cost", "warp_original": "warp", "special_sensors": "special_sensors",
    "special_sensors_ok": "special_sensors", "tractors": "tractors", "bpv": "bpv_combat",
    "command_rating": "command_rating", "sublight": "sublight", "kind": "kind",
}  # fmt: skip
"""What is set of a unit and stands in its class: the key of the class's entry."""
OF_ENTRIES = ("chief_engineer", "helmsman", "crew_quality", "orion", "flagship", "pseudo_pods")
"""What is set of a unit and stands in its own entry."""
LASTING = ("cloaks", "cloaked", "reacting", "target", "accrued")
SPARE = 99
"""The number of the stack of a ship that a Team has for as long as its files are read, if it has none else."""
NEVER_LEAD = ("freighter", "armed freighter", "Q-ship", "base", "fighter", "PF", "monster", "alien ship")


@dataclass
class Files:
    """A world's files, entry by entry, and what is to be set when they have been read."""

    scenario: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    units: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    classes: dict[str, dict[str, Any]] = field(default_factory=dict)
    later: dict[str, dict[str, Any]] = field(default_factory=dict)
    flagships: list[str] = field(default_factory=list)
    ports: dict[str, str] = field(default_factory=dict)

    def add(self, file: dict[str, list[dict[str, Any]]], table: str, **entry: Any) -> None:
        """An entry more of a table."""
        file.setdefault(table, []).append({key: value for key, value in entry.items() if value not in (None, "", [])})

    def of_class(self, ship_class: str, **given: Any) -> str:
        """The class with these figures; one more where there was none."""
        figures = dict(FIGURES[ship_class])
        boxes, dcr = figures.pop("boxes"), figures.pop("dcr")
        made = {
            "size_class": figures["size_class"],
            "move_cost": str(figures["movement_cost"]),
            "warp": boxes,
            "damcon_track": [dcr] if dcr else [],
            "tractors": 0 if figures.get("kind") == "monster" else 3,
            "kind": figures.get("kind", "ship"),
            "hull": ship_class,
            "name": given.pop("name", ship_class.title()),
            **({"pod_weights": 3, "most_pods": 2} if ship_class == "TUG" else {}),
            **given,
        }
        made["cloak"] = bool(made.get("cloak_cost"))
        number = next((key for key, one in self.classes.items() if one == made), f"{ship_class}-{len(self.classes)}")
        self.classes[number] = made
        return number


def read_world(text: str, **settings: Any) -> BorderState:
    """The state that a world's lines describe, as a file's reader makes it."""
    files = Files()
    for label in TEAMS:
        files.add(files.scenario, "team", key=label.key, name=label.name, emblem=label.emblem)
        files.add(files.scenario, "race", key=f"{label.key}s", name=f"{label.key.title()}s", team=label.key)
        captain = f"{label.name}'s captain"
        files.add(files.scenario, "captain", key=f"{label.key}-one", name=captain, team=label.key)
    files.add(files.scenario, "system", key="blue-home", name="Sol", hex="0101", team="blue")
    files.add(files.scenario, "system", key="red-home", name="Eye", hex="1212", team="red")
    for line in filter(None, (raw.split("#")[0].strip() for raw in text.replace(";", "\n").splitlines())):
        _line(files, line.split())
    places = {one["hex"] for one in (*files.scenario["system"], *files.units.get("unit", ())) if "hex" in one}
    for port, team in files.ports.items():
        if port not in places:
            files.add(files.scenario, "system", key=f"port-{port}", name=f"Port {port}", hex=port, team=team)
    spare = [label for label in TEAMS if not _lead(files, label.key)]
    for label in spare:
        stack = f"{label.emblem}{SPARE}"
        files.add(files.units, "stack", id=stack, captain=f"{label.key}-one", hex="1201")
        files.add(
            files.units, "unit", id=stack.lower(), name=stack, class_id=files.of_class("FF"), race=f"{label.key}s",
            stack=stack, flagship=True,
        )  # fmt: skip
    state = set_up(read_scenario(_texts(files, settings)))
    _settle(state, files, [f"{label.emblem}{SPARE}" for label in spare])
    return state


def _lead(files: Files, team: str) -> bool:
    """Give a Team's first ship that may be a flagship that rank for as long as files are read; False if it has none."""
    own = [one for one in files.units.get("unit", []) if one.get("race") == f"{team}s" and "stack" in one]
    if any(one.get("flagship") for one in own):
        return True
    for one in own:
        kind = files.classes[one["class_id"]]
        if kind["kind"] not in NEVER_LEAD and kind["warp"] and not kind.get("sublight"):
            one["flagship"] = True
            return True
    return False


def _settle(state: BorderState, files: Files, spare: list[str]) -> None:
    """Call units as the notation does, and set what only play brings about."""
    for stack in spare:
        del state.stacks[stack], state.units[stack.lower()]
    for team in state.teams.values():
        team.stacks_made = max((int(key[1:]) for key in state.stacks if key.startswith(team.emblem)), default=0)
    ids = {key: unit.name if key in files.later else key for key, unit in state.units.items()}
    state.units = {ids[key]: unit for key, unit in state.units.items()}
    for key, unit in state.units.items():
        unit.id = key
        unit.race, unit.flagship = "", unit.flagship and key in files.flagships
        unit.towing, unit.towed_by = [ids[one] for one in unit.towing], ids.get(unit.towed_by, "")
    for stack in state.stacks.values():
        stack.units = [ids[key] for key in stack.units]
    for key in [*state.convoys]:
        convoy = state.convoys.pop(key)
        convoy.id = key.upper()
        state.convoys[convoy.id] = convoy
    for key, values in files.later.items():
        unit = state.units[ids[key]]
        for name, value in (values | lasting(values, unit.hex)).items():
            if name not in LASTING:
                setattr(unit, name, value)


def _texts(files: Files, settings: dict[str, Any]) -> dict[str, str]:
    """The three files as texts."""
    given: dict[str, Any] = {"turns": 3, "scoring": POINTS, "supply": Supply(reach=99), "zones": Zones()} | settings
    head = ['title = "Test"', f"turns = {given.pop('turns')}"]
    if "options" in given:
        head.append(f"options = {json.dumps(list(given.pop('options')))}")
    head += [f'{name} = "{given.pop(name)}"' for name, one in [*given.items()] if isinstance(one, str)]
    tables = ["[map]\ncolumns = 12\nrows = 12"]
    for name, one in given.items():
        tables.append("\n".join([f"[{name}]", *_values(one.model_dump(exclude_none=True))]))
    scenario = "\n".join([*head, *tables, *_entries(files.scenario)])
    classes = [{"class_id": key, "empire": "", **one} for key, one in files.classes.items()]
    empire = [{**one, "empire": "Anyone", "source": "invented"} for one in classes]
    return {
        "scenario.toml": scenario,
        "units.toml": "\n".join(_entries(files.units)),
        "ships.toml": "\n".join(_entries({"class": empire})),
    }


def _entries(tables: dict[str, list[dict[str, Any]]]) -> list[str]:
    return ["\n".join([f"[[{table}]]", *_values(one)]) for table, entries in tables.items() for one in entries]


def _values(entry: dict[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in entry.items()]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(_values(value)) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value)


def _line(files: Files, words: list[str]) -> None:
    match words:
        case ["monster" | "alien" as kind, name, hex_id, habit, *settings]:
            figures: dict[str, Any] = {
                key: int(value) for key, value in (one.split("=") for one in settings if "=" in one)
            }
            figures |= {"by_hand": True} if "by-hand" in settings else {}
            class_id = files.of_class("MONSTER", kind={"monster": "monster", "alien": "alien ship"}[kind])
            files.add(files.units, "unit", id=name, name=name.title(), class_id=class_id, hex=hex_id)
            route = [one for one in settings if one.isdigit()]
            if not figures.get("by_hand"):
                figures.setdefault("driven_off_by", 999)
            if habit == "stays":
                figures.pop("allowance", None)
            files.add(files.units, "habits", unit=name, habit=habit, route=route, **figures)
        case ["convoy", _, stack, *route]:
            files.add(files.units, "convoy", key=stack.lower(), stack=stack, sets_out=1, route=route)
            files.ports[route[-1]] = "blue" if stack.startswith("B") else "red"
        case ["province", name, owner, *hexes]:
            team = None if owner == "nobody" else owner
            files.add(files.scenario, "province", key=name, name=name.title(), hexes=hexes, team=team)
        case ["system", name, owner, hex_id]:
            files.add(files.scenario, "system", key=name, name=name.title(), hex=hex_id, team=owner)
        case ["storm", name, hex_id]:
            files.add(files.scenario, "storm", key=name, hex=hex_id)
        case [team, "post", hex_id]:
            files.add(files.scenario, "post", key=f"post-{team}-{hex_id}", team=team, hex=hex_id)
        case [team, "sails", *codes]:
            ships = [files.of_class("FF", kind="freighter", name="Freighter") for _ in codes]
            files.add(files.units, "supply_convoy", team=team, class_ids=ships)
        case [team, "pod", hex_id, name, weight]:
            files.add(files.units, "pod", team=team, hex=hex_id, name=name, weight=int(weight))
        case [team, "base", hex_id, kind]:
            key = f"{team}-{hex_id}"
            class_id = files.of_class(kind)
            files.add(
                files.units, "unit", id=key, name=f"Base {hex_id}", class_id=class_id, race=f"{team}s", hex=hex_id
            )
        case [team, stack, hex_id, *ships]:
            _stack(files, team, stack, hex_id, " ".join(ships))
        case _:
            raise AssertionError(words)


def _stack(files: Files, team: str, stack: str, hex_id: str, ships: str) -> None:
    files.add(files.units, "stack", id=stack, captain=f"{team}-one", hex=hex_id)
    for code, settings in re.findall(r"([A-Z]+)(?:\[([^\]]*)\])?", ships):
        name = f"{stack}-{code}"
        alike = sum(key.startswith(name.lower()) for key in files.later)
        name = f"{name}{alike + 1}" if alike else name
        given: dict[str, Any] = dict(_field(one) for one in settings.split())
        left = "special_sensors" in given and "special_sensors_ok" in given
        whole = {"special_sensors_ok": given.pop("special_sensors_ok")} if left else {}
        kind = {OF_CLASSES[key]: given.pop(key) for key in [*given] if key in OF_CLASSES}
        special = whole or ({"special_sensors_ok": kind["special_sensors"]} if "special_sensors" in kind else {})
        entry = {key: given.pop(key) for key in [*given] if key in (*OF_ENTRIES, "towing", "pods")}
        base, extra = ("FF", {"kind": "freighter"}) if code == "FT" else (code, {})
        if entry.get("flagship"):
            files.flagships.append(name)
        files.later[name.lower()] = given | special
        files.add(
            files.units, "unit", id=name.lower(), name=name, class_id=files.of_class(base, **(extra | kind)),
            race=f"{team}s", stack=stack, **entry,
        )  # fmt: skip


def _field(setting: str) -> tuple[str, Any]:
    name, _, value = setting.partition("=")
    if name == "towing":
        return name, [value.lower()]
    if name == "pods":
        return name, [{"name": value}]
    if value in ("yes", "no"):
        return name, value == "yes"
    return name, int(value) if value.isdigit() else value
