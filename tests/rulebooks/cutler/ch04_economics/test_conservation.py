"""Of every CPV it can be said where it is: whatever a legal sheet says, none is made or lost unsaid, in any hex."""

import random
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch04_economics.income import base_rate, income, income_of
from rules_engine.rulebooks.cutler.ch04_economics.phase import collect_and_allocate
from rules_engine.rulebooks.cutler.ch04_economics.sheet import plan_of
from rules_engine.rulebooks.cutler.ch04_economics.soundness import economy_defects
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from rules_engine.rulebooks.cutler.sequence import close_turn
from rules_engine.rulebooks.cutler.victory import ending
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import kind_of, offered, on_sheet, set_fields, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, yard


# --- sheets ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.1.6", "4.2.1.1", "4.4.1", "4.4.5", "4.4.9", "4.2.4", "6.4", "6.4.1.8")
def test_what_the_sheet_of_a_turn_asks(kept: Kept) -> None:
    said = on_sheet(turn_ask(yard(HOME + "hydran F1 0205 CA+FF\nreserve hydran 40\n"), "hydran"))
    left_out = ("- Begin: ", "- Accessory: ", "Accessory order ", "Mission ")
    assert [
        one for one in dict.fromkeys(said) if not one.startswith(left_out) or one.endswith(" 1") or " 1 (" in one
    ] == kept()


def busy() -> CutlerState:
    """A yard in whose hex a tug is, and a frigate that is damaged."""
    state = yard(HOME + "hydran F1 0205 CA+FF[warp=9]\nhydran F2 0205 AUX\nreserve hydran 200\n")
    state.empires["hydran"].base_pool = 200
    return state


ORDERS = {
    "economy": {"reserve": 20, "pool": 10},
    "H0205": {"cargo": 5, "repair": 40},
    "D1": {"work": "build ff", "cpv": 10},
    "D2": {"work": "repair hydran-F1-FF", "cpv": 14},
    "L1": {"carry": 5, "unload": False},
    "base": {"type": "bs", "at": "0404"},
    "scrap": {},
    "G2": {"build": 1, "sides": ["C"]},
    "counter": {"points": 10},
    "M1": {"kind": "location", "against": "lyran", "other": "0404", "ip": 20},
    "M2": {"kind": "insurrection", "against": "lyran", "other": "p0902", "ip": 10},
    "F1": {"course": "0206"},
}


@pytest.mark.rule("cutler", "4.1.6", "4.2.1", "4.3", "4.4.6", "4.4.9", "6.4", "6.4.1.8")
def test_the_sheet_of_a_turn_is_read_back(kept: Kept) -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.read_back(ask.answer_from(ORDERS)) == kept()


@pytest.mark.rule("cutler", "4.1.6.1", "4.1.6.2", "4.3", "4.4.2", "6.4.1.7")
def test_a_sheet_of_a_turn_warns_of_what_is_lost_or_comes_to_nothing(kept: Kept) -> None:
    ask = turn_ask(busy(), "hydran")
    assert ask.warn(ask.answer_from(ORDERS)) == kept()


@pytest.mark.rule("cutler", "4.1.5", "4.1.7")
def test_what_a_carrier_of_cpv_may_be_told(kept: Kept) -> None:
    lines = turn_ask(busy(), "hydran").form.by_key
    assert [lines["L1"].label, lines["L1"].note, *map(repr, offered(lines["L1"]))] == kept()


# --- income ----------------------------------------------------------------------------------------------------------
LANDS = "planet capital 0205 hydran\nplanet major 0303 hydran\nplanet minor 0307 hydran\nplanet capital 0902 lyran\n"


@cases("proves, kind, values, incomes")
def test_what_a_planet_makes_in_which_turn(kind, values, incomes):
    planet = world(f"planet {kind} 0404 hydran").planets["p0404"]
    set_fields(planet, values)
    assert {turn: income_of(planet, turn) for turn in incomes} == incomes
    whole = {"capital": 100, "major": 50, "minor": 25}[kind]
    assert base_rate(planet) == (whole * 3 / 4 if planet.discovered else whole)


@pytest.mark.rule("cutler", "4.1.4", "4.1.3", "4.1.4.2")
def test_a_full_empire_starts_with_300_and_others_with_what_their_planets_make():
    assert [income(world(LANDS), race) for race in ("hydran", "klingon")] == [175, 0]
    majors = "".join(f"planet major 030{row} hydran\n" for row in (1, 3))
    minors = "".join(f"planet minor 050{row} hydran\n" for row in (1, 3, 5, 7))
    assert income(world("planet capital 0205 hydran\n" + majors + minors), "hydran") == 300


@pytest.mark.rule("cutler", "6.3")
def test_the_reserve_carries_over_and_is_trimmed_to_300(kept: Kept):
    turn = table_of(world(LANDS + "reserve hydran 120\nreserve lyran 300"))
    turn.state.empires["lyran"].reserve = 310
    close_turn(turn)
    assert {race: empire.reserve for race, empire in turn.state.empires.items()} == kept()


@cases("fleets, winners, text")
def test_a_tie_that_is_parted_by_the_value_of_fleets_says_so(fleets: dict[str, int], winners: list[str], text: str):
    hexes = {"hydran": "0205", "lyran": "0902", "klingon": "0908"}
    lines = [f"planet capital {hexes[race]} {race}" for race in fleets]
    lines += [f"{race} F1 {hexes[race]} {'+'.join(['CA'] * count)}" for race, count in fleets.items()]
    state = world("\n".join(lines))
    state.turn, state.tie_break = 3, "fleet_value"
    end = ending(state)
    assert (list(end.winners), end.text) == (winners, text)
    state.turns = state.turn = 1
    assert ending(state).text.startswith("After 1 turn the ")


# --- soundness -------------------------------------------------------------------------------------------------------
CA = "hydran-F1-CA"


def with_unit(key: str = CA, **values: Any) -> CutlerState:
    """A ship with three cargo boxes and a base with five repair boxes, one of them with these values."""
    state = yard(HOME + "hydran F1 0205 CA\n", bays=(5,))
    state.units[CA].record = kind_of("CA", cargo=3)
    set_fields(state.units[key], values)
    return state


def with_work(*, fights: bool = False, at: Any = None, hull: Any = None, key: str = "", **values: Any) -> CutlerState:
    """A work in the first bay of that base, while a hex is fought over or not; base and ship with these values."""
    state = with_unit()
    told = {"base": YARD, "bay": 1, "race": "hydran", "into": kind_of("CA"), "named": "Ox", "cost": 9, "ship": CA}
    work = DockWork(**told | values)
    state.works[key or work.key] = work
    for unit, changes in ((YARD, at or {}), (CA, hull or {})):
        set_fields(state.units[unit], changes)
    if fights:
        state.fights["0101"] = Fight()
    return state


def with_site(key: str = "hydran/B1", **values: Any) -> CutlerState:
    state = with_unit()
    told = {"key": "B1", "race": "hydran", "hex": "0404", "into": kind_of("base"), "named": "Reef", "cost": 9}
    state.sites[key] = BaseSite(**{"set_aside": 9} | told | values)
    return state


WORK = f"work {YARD}/1 is"


@cases("values, found")
def test_what_lies_in_boxes(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_unit(**values)) == found


@cases("values, found")
def test_what_is_in_docking_bays(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_work(**values)) == found


@cases("values, found")
def test_what_is_built_at_sites(values: dict[str, Any], found: list[str]) -> None:
    assert economy_defects(with_site(**values)) == found


# --- conservation ----------------------------------------------------------------------------------------------------
WORLD = (
    HOME
    + """planet major 0303 hydran
hydran base 0307 Post
hydran base 0101 Far
hydran F1 0205 AUX+FF
hydran F2 0303 AUX
"""
)


def start() -> CutlerState:
    state = yard(WORLD)
    for unit in state.units.values():
        if unit.kind == "auxiliary":
            unit.record = kind_of("AUX", cargo=12)
        unit.cargo_cpv = unit.record.cargo // 3
        unit.warp_ok, unit.cargo_lost = unit.record.warp * 2 // 3, unit.record.cargo // 4
    return state


def in_hexes(state: CutlerState) -> dict[str, int]:
    """CPV in cargo and repair boxes, and spent, by hex."""
    found: dict[str, int] = {}
    for unit in state.alive("hydran"):
        found[unit.hex] = found.get(unit.hex, 0) + unit.cargo_cpv + unit.repair_cpv
    for one in state.spent:
        found[state.units[one.base].hex] += one.cpv
    return found


def random_sheet(state: CutlerState, chance: random.Random) -> dict[str, dict[str, object]]:
    sheet: dict[str, dict[str, object]] = {}
    for line in turn_ask(state, "hydran").form.lines:
        for field in line.fields:
            if line.key[0] in "eHDL" and field.kind in ("number", "one") and chance.random() < 0.3:
                value = (
                    chance.randint(0, field.most // 3) if field.kind == "number" else chance.choice(field.choices).value
                )
                sheet.setdefault(line.key, {})[field.key] = value
    return sheet


@pytest.mark.rule("cutler", "4.1.6", "4.1.6.1", "4.1.6.2")
@pytest.mark.parametrize("seed", range(12))
def test_every_cpv_is_somewhere(seed: int) -> None:
    chance, state = random.Random(seed), start()
    kept = 0
    for _ in range(200):
        if kept == 8:
            break
        state.spent = []
        for unit in state.units.values():
            unit.repair_cpv = 0
        ask = turn_ask(state, "hydran")
        try:
            sheet = ask.answer_from(random_sheet(state, chance))
        except Refused:
            continue
        kept += 1
        before, new, empire = in_hexes(state), income(state, "hydran"), state.empires["hydran"]
        held = empire.reserve + empire.base_pool
        plan = plan_of(state, "hydran", sheet).money
        collect_and_allocate(table_of(state), "hydran", sheet)
        after = in_hexes(state)
        assert defects(state) == []
        assert plan.lost >= 0
        gained = {hex_id: after[hex_id] - before[hex_id] for hex_id in after}
        assert sum(gained.values()) + empire.reserve + empire.base_pool - held + plan.lost == new
        # Nothing leaves a hex's boxes but through repair boxes, and nothing comes in but what its planet made.
        made = {planet.hex: income_of(planet, state.turn) for planet in state.planets_of("hydran")}
        assert all(0 <= gained[hex_id] <= made.get(hex_id, 0) for hex_id in gained)
        empire.reserve = 0
    assert kept == 8
