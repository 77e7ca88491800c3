"""What must never be true of what a race stores and builds: each fault alone, and nothing where there is none."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch04_economics.soundness import economy_defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.expected.kept import cases
from tests.rulebooks.cutler.worlds import kind_of
from tests.rulebooks.cutler.yards import HOME, YARD, yard

CA = "hydran-F1-CA"


def with_unit(key: str = CA, **values: Any) -> CutlerState:
    """A ship with three cargo boxes and a base with five repair boxes, one of them with these values."""
    state = yard(HOME + "hydran F1 0205 CA\n", bays=(5,))
    state.units[CA].record = kind_of("CA", cargo=3)
    for name, value in values.items():
        setattr(state.units[key], name, value)
    return state


def with_work(*, fights: bool = False, base: Any = None, ship: Any = None, key: str = "", **values: Any) -> CutlerState:
    """A work in the first bay of that base, while a hex is fought over or not; base and ship with these values."""
    state = with_unit()
    told = {"base": YARD, "bay": 1, "race": "hydran", "into": kind_of("CA"), "named": "Ox", "cost": 9, "ship": CA}
    work = DockWork(**told | values)
    state.works[key or work.key] = work
    for unit, changes in ((YARD, base or {}), (CA, ship or {})):
        for name, value in changes.items():
            setattr(state.units[unit], name, value)
    if fights:
        state.fights["0101"] = Fight()
    return state


def with_site(key: str = "hydran/B1", **values: Any) -> CutlerState:
    state = with_unit()
    told = {"key": "B1", "race": "hydran", "hex": "0404", "into": kind_of("base"), "named": "Reef", "cost": 9}
    state.sites[key] = BaseSite(**{"set_aside": 9} | told | values)
    return state


LOST = f"unit {CA} lost more or fewer cargo boxes than it has"
STORES = f"unit {CA} stores more or less CPV than it can"
WORK = f"work {YARD}/1 is"
NOT_ITS_RACES, PAID = f"{WORK} in a bay that is not its race's", f"{WORK} paid for, or costs nothing"


@pytest.mark.rule("cutler", "4.1.8", "4.1.5")
@cases("values, found")
def test_what_lies_in_boxes(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_unit(**values)) == found


@pytest.mark.rule("cutler", "4.2.1.1", "4.2.3")
@cases("values, found")
def test_what_is_in_docking_bays(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_work(**values)) == found


@pytest.mark.rule("cutler", "4.2.3")
def test_a_work_is_on_a_ship_that_there_is_or_on_none() -> None:
    state = with_work()
    (work,) = state.works.values()
    for ship, found in (("", []), ("ghost", [f"{WORK} on a ship that is not there"])):
        work.ship = ship
        assert economy_defects(state) == found
    state.fights["0101"] = Fight()
    assert economy_defects(state) == [f"{WORK} on a ship that is not there"]
    work.ship, work.base = "", "ghost"
    state.works = {work.key: work}
    assert economy_defects(state) == ["work ghost/1 is in no docking bay"]


@pytest.mark.rule("cutler", "4.4.2")
@cases("values, found")
def test_what_is_built_at_sites(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_site(**values)) == found
