"""Situations of the campaign: its own nations, bases, areas, convoys and schedule, with test classes of round values.

Economic values: DN 240, CA 120, CL 90, DD 80, FF 60, freighter 50. Kzinti, Klingon and other hulls are alike.
"""

import tomllib
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from rules_engine.rulebooks.pq17.campaign.command_points import credit
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_unit
from rules_engine.rulebooks.pq17.ch10_supply.fuel import fill
from rules_engine.rulebooks.pq17.records import progress
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.entries import ScenarioFile
from rules_engine.rulebooks.pq17.tables import order_of_battle, ship_classes
from rules_engine.rulebooks.pq17.tables.schedule import Schedule, read_schedule
from tests.rulebooks.pq17.worlds.notation import ship_class, world

FOLDER = Path(__file__).parents[4] / "config" / "scenarios" / "pq17" / "campaign"
EMPIRES = {"FED": "Federation", "KZI": "Kzinti", "ORI": "Orion", "KLI": "Klingon", "LYR": "Lyran"}
NATIONS = {"FED": "federation", "KZI": "kzinti", "ORI": "orion", "KLI": "klingon", "LYR": "lyran"}


def _classes() -> dict[str, ship_classes.ShipClass]:
    found: list[ship_classes.ShipClass] = []
    for mark, empire in EMPIRES.items():
        hulls: tuple[tuple[str, str, int, int, int], ...] = (
            ("DN", "3/2", 240, 2, 45), ("CA", "1", 120, 3, 30), ("CL", "2/3", 90, 3, 20), ("DD", "1/2", 80, 4, 15),
            ("FF", "1/3", 60, 4, 10),
        )  # fmt: skip
        for name, cost, value, size, warp in hulls:
            fields: dict[str, Any] = {"empire": empire, "bpv_economic": value, "size_class": size, "warp": warp}
            found.append(ship_class(f"{mark}-{name}", cost, **fields))
        fields = {"unit_kind": "base", "impulse": 0, "awr": 18, "empire": empire}
        found.append(ship_class(f"{mark}-SB", "0", base_type="SB", size_class=1, bpv_economic=600, cargo=60, **fields))
        text = f"{mark}-BATS"
        found.append(ship_class(text, "0", base_type="BATS", size_class=2, bpv_economic=240, cargo=60, **fields))
        transport: dict[str, Any] = {"warp": 15, "cargo": 20, "is_warship": False, "bpv_economic": 60}
        found.append(ship_class(f"{mark}-AT", "1/2", empire=empire, **transport))
    civil: dict[str, Any] = {"service": "civilian", "is_freighter": True, "is_warship": False, "empire": "General"}
    found.append(ship_class("F-L", "1/2", warp=8, cargo=50, bpv_economic=50, size_class=3, **civil))
    found.append(ship_class("F-S", "1/4", warp=4, cargo=25, bpv_economic=25, **civil))
    return {kind.class_id: kind for kind in found}


CLASSES = _classes()


@cache
def scenario_file() -> ScenarioFile:
    """The shipped scenario's own file."""
    return ScenarioFile.model_validate(tomllib.loads((FOLDER / "scenario.toml").read_text(), parse_float=Decimal))


@cache
def schedule() -> Schedule:
    """The shipped schedule."""
    found, wrong = read_schedule({"schedule.toml": (FOLDER / "schedule.toml").read_text()}, scenario_file().campaign)
    assert not wrong
    return found


def campaign(turn: int = 1, **changes: Any) -> State:
    """The campaign's map with the six known bases and no ship on it; command points are credited for the period."""
    file = scenario_file()
    data: order_of_battle.OrderOfBattle = file.campaign.model_copy(update=changes)
    settings: dict[str, Any] = {"turns": 660, "flag_empires": file.flag_empires}
    lines = [f"settled {entry.hex} {entry.side} {entry.name}" for entry in file.settled]
    state = world("\n".join(lines), classes=CLASSES, campaign=data, schedule=schedule(), **settings)
    state.grid = file.map.grid()
    state.turn = turn
    for entry in file.settled:
        state.settled[entry.hex].empire = entry.empire
    for base in data.base:
        if base.hex is not None:
            kind = f"{base.nation[:3].upper()}-{'SB' if base.key in ('scapa-flow', 'kiel') else 'BATS'}"
            put(state, base.id, base.hex, kind, base=BaseRecord(name=base.name, known=True, key=base.key))
    for key in ("federation", "kzinti", "klingon"):
        state.progress.command.pop(key, None)
    credit(state)
    return state


def put(state: State, tf_id: str, hex_id: str, *kinds: str, **fields: Any) -> TaskForce:
    """A task force of new units, full and undamaged, named ``A1.FED-CA``, ``A1.FED-CA2`` …

    Freighters belong to the Federation or the Klingons unless ``nation`` says otherwise; ``tags`` mark all units."""
    nation, tags = fields.pop("nation", ""), list(fields.pop("tags", ()))
    side = "alliance" if tf_id.startswith("A") else "coalition"
    ids = list(make(state, tf_id, kinds, nation=nation, tags=tags))
    tf = TaskForce(id=tf_id, side=side, hex=hex_id, units=ids, **fields)
    if tf.base is not None:
        tf.id_level = IdLevel.ID3
    if tf.id_level > IdLevel.N:
        state.tracks[state.enemy_of(side)].issue(tf_id)
    state.put_force(tf)
    return tf


def make(state: State, stem: str, kinds: Iterable[str], *, nation: str = "", tags: Iterable[str] = ()) -> Iterable[str]:
    """New units in no task force; gives their ids."""
    side = "alliance" if stem.startswith("A") else "coalition"
    for kind in kinds:
        unit_id = next(one for n in range(1, 99) if (one := f"{stem}.{kind}{n if n > 1 else ''}") not in state.units)
        own = nation or NATIONS.get(kind[:3], "federation" if side == "alliance" else "klingon")
        unit = new_unit(state.classes[kind], unit_id=unit_id, name=unit_id, side=side, nation=own)
        unit.tags = list(tags)
        fill(state, unit)
        state.units[unit_id] = unit
        yield unit_id


MURZANK, EDGE = "A94", "0722"


def convoy(state: State, tf_id: str, hex_id: str, *escorts: str, stage: str = "out", **fields: Any) -> TaskForce:
    """Two freighters of a convoy to the Kzintis, bound for Murzank and back to 0722."""
    tf = put(state, tf_id, hex_id, "F-L", "F-L", *escorts, nation="federation", **fields)
    bought: dict[str, Any] = {"kind": "convoy", "convoy": "x", "nation": "federation", "period": 1, "original": 50}
    for unit_id in [one for one in tf.units if "F-L" in one]:
        state.progress.freighters[unit_id] = progress.Freighter(**bought)
        state.progress.permits[unit_id] = progress.Permit(kind="convoy", hexes=[EDGE])
        document = {"port": MURZANK, "unload": True, "leave": EDGE, "stage": stage}
        state.progress.errands[unit_id] = progress.Errand.from_json(document)
    return tf


def transferred(state: State, unit_id: str, key: str, *, turn: int, fit: bool = True) -> None:
    """Let a ship have left the map for a transfer."""
    left = progress.Departure(unit=unit_id, kind="transfer", key=key, hex="1719", turn=turn, fit=fit)
    state.progress.departures.append(left)
    state.progress.away[unit_id] = progress.Away(state="transferred", key=key, turn=turn, hex="1719")
    tf = state.tf_of(unit_id)
    if tf is not None:
        state.set_units(tf, [one for one in tf.units if one != unit_id])
