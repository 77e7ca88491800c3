"""Worlds of :mod:`tests.rulebooks.cutler.worlds` with classes to build and bases with docking bays, and their turns."""

from collections.abc import Mapping
from typing import Any

from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot, Lots
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.worlds import CLASSES, Run, kind_of, refusal_words, refusals, table_of, world

HOME = "planet capital 0205 hydran\nplanet minor 0307 hydran\nplanet capital 0902 lyran\nhydran base 0205 Yard\n"
"""The Hydran make 100 CPV where they have a base, and 25 elsewhere."""
YARD = "hydran-base-0205"
REFITS: dict[str, dict[str, int]] = {"CA": {"cc": 20}, "CC": {"ca": 3}, "FF": {"sc": 30, "dd": 4}, "SC": {"ff": 0}}
"""What may be made into what, and its printed cost."""
BASES: dict[str, dict[str, Any]] = {
    "bs": {"base_type": "BS", "bpv_economic": 101, "cargo": 10, "refits": {"bats": 60, "sb": 500}},
    "bats": {"base_type": "BATS", "bpv_economic": 250, "cargo": 30, "refits": {"sb": 300}},
    "sb": {"base_type": "SB", "bpv_economic": 600, "cargo": 60},
    "frd": {"base_type": "FRD", "bpv_economic": 90},
    "blm": {"base_type": "BLM", "bpv_economic": 60},
}
TUG = {"hull_type": "TUG", "marks": ["tug"], "cargo": 40}


def yard(text: str = HOME, *, bays: tuple[int, ...] = (30, 20), base_type: str = "SB", **figures: Any) -> CutlerState:
    """A world in which every class of the notation may be built, and all bases are alike."""
    state = world(text)
    state.classes = {code.lower(): kind_of(code, refits=REFITS.get(code, {})) for code in CLASSES}
    state.classes |= {key: kind_of("base", class_id=key, name=key.upper(), **values) for key, values in BASES.items()}
    state.classes["aux"] = kind_of("AUX", **TUG)
    figures = {"docking_bays": bays, "repair": sum(bays), "cargo": 50, "base_type": base_type} | figures
    for unit in state.units.values():
        if unit.kind == "base":
            unit.record = kind_of("base", **figures)
        else:
            unit.record = state.classes[unit.record.class_id]
    return state


def turn(state: CutlerState, **lines: object) -> Run:
    """The turn's sheets carried out, with these lines of the Hydran's."""
    run = Run(table := table_of(state), turn_sheets_steps(table), {("turn", "hydran"): lines})
    assert defects(state) == []
    return run


def refused(state: CutlerState, **lines: object) -> list[tuple[str, str]]:
    """(path, rule) of what is refused of such a sheet of the Hydran's."""
    return refusals(turn_ask(state, "hydran"), lines)


def refused_in_words(state: CutlerState, **lines: object) -> list[str]:
    """All words of what is refused of such a sheet of the Hydran's."""
    return refusal_words(turn_ask(state, "hydran"), lines)


SAVING: dict[str, object] = {"economy": {"pool": 0}}
"""Nothing new goes to the Base Pool."""


def turn_saving(state: CutlerState, **lines: object) -> Run:
    """The same, in which nothing new goes to the Hydran's Base Pool."""
    return turn(state, **(SAVING | lines))


def refused_saving(state: CutlerState, **lines: object) -> list[tuple[str, str]]:
    """The same of such a sheet."""
    return refused(state, **(SAVING | lines))


def refused_saving_in_words(state: CutlerState, **lines: object) -> list[str]:
    """All words of what is refused of such a sheet."""
    return refused_in_words(state, **(SAVING | lines))


def lots(**counts: int) -> Lots:
    """So many of each accessory of the usual catalogue."""
    return {key: Lot(item=STANDARD[key], count=count) for key, count in counts.items()}


def counts(lots: Mapping[str, Lot]) -> dict[str, int]:
    """How many there are of each accessory."""
    return {key: lot.count for key, lot in lots.items()}
