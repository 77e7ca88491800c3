"""Of every CPV it can be said where it is: whatever a legal sheet says, none is made or lost unsaid, in any hex."""

import random

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch04_economics.income import income, income_of
from rules_engine.rulebooks.cutler.ch04_economics.phase import collect_and_allocate
from rules_engine.rulebooks.cutler.ch04_economics.sheet import plan_of
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.worlds import kind_of, table_of
from tests.rulebooks.cutler.yards import HOME, yard

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
