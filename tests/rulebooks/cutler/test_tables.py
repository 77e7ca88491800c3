"""The book's tables and numbers, typed once more from its text; invented ones and those of rulings are typed here so
that nobody changes them by accident."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.cutler import sequence
from rules_engine.rulebooks.cutler.ch01_setup import forces, star_map, systems
from rules_engine.rulebooks.cutler.ch02_movement.navigators import OUTCOMES
from rules_engine.rulebooks.cutler.ch03_combat.steering import SHIFTS
from rules_engine.rulebooks.cutler.ch04_accessories import mine_orders, orders
from rules_engine.rulebooks.cutler.ch07_maintenance import deadlines, maintenance
from rules_engine.rulebooks.cutler.ch08_scanning import sensors
from rules_engine.rulebooks.cutler.ch09_surveying import results
from rules_engine.rulebooks.cutler.records import economy_lines, open_space, planetary, setup, tables, tacintel, yards
from rules_engine.rulebooks.cutler.records import orders as lines
from rules_engine.rulebooks.cutler.records.accessories import catalogue, mines
from rules_engine.rulebooks.cutler.records.conditions import strength, towing
from rules_engine.rulebooks.cutler.records.parts import craft, sorties
from rules_engine.rulebooks.cutler.records.shipping import convoys
from tests.expected.kept import Kept

BY_THE_BOOK: list[tuple[Any, str, Any]] = [
    # 4.1.4: capital 100, major 50, minor 25 CPV a turn; moons are none of them.
    (tables, "CPV_RATE", {"capital": 100, "major": 50, "minor": 25, "moon": 0}),
    (tables, "PLANETS_OF_A_RACE", {"capital": 1, "major": 2, "minor": 4}),  # 1.1.2.3
    (tables, "IMPULSES", 6),  # 2.1
    (tables, "RESERVE_CAP", 300),  # 6.3
    (tables, "LEAST_MISSION", 10),  # 6.4
    (tables, "MOST_MISSION", 300),
    (tables, "INSURRECTIONS_A_PLANET", 5),  # 6.4.1.7
    (
        tables,
        "TOP_SPEED",  # 2.4, 2.4.1.1, 2.4.1.4, 2.4.1.7; 2.8: police ships stay; 2.9: fighters by CU-R58
        {
            "ship": 6, "pf": 6, "interceptor": 6, "auxiliary": 3, "freighter": 3, "q_ship": 3, "monitor": 2,
            "police": 0, "base": 0, "ground_base": 0, "fighters": 6,
        },
    ),
    (tables, "TOWING_SPEED", 3),  # 2.4.1.5
    (tables, "OWN_POWER", 1),  # 2.4.1.3, CU-N144
    (tables, "EXPRESS_STEPS", 2),  # 2.4.1.8
    (tables, "CLOAKED_SPEED", 4),  # 2.4.1.2
    (tables, "PF_HEXES_A_TURN", 2),  # 2.4.1.7
    (tables, "PACKS_A_FIGHTER", 3),  # 4.2.4.7
    (tables, "SORTIE_SPEED", 5),  # 3.3.7.5
    (sorties, "SORTIE_LIMIT", 24),  # 2.9.9
    (towing, "TUG_TOWS", 2),  # CU-R21
    (convoys, "SURVEY_SHIP", 4),  # 9.1
    (
        tables,
        "COMMAND_RATING",  # CU-R29
        {
            "SCS": 10, "DN": 10, "BCH": 9, "BC": 9, "CC": 9, "CA": 8, "CVA": 8, "CL": 6, "CW": 6, "DD": 4, "DW": 4,
            "TUG": 4, "FF": 3, "other": 2,
        },
    ),
    (tables, "BOARDING_PARTY_LIMIT", {"capital": 600, "major": 300, "minor": 150, "moon": 50}),  # 4.2.4.8
    (tables, "GROUND_BASES_A_HEXSIDE", {"capital": 4, "major": 3, "minor": 2, "moon": 1}),  # 4.4.9
    (tables, "ESCAPE_LIMIT", 3),  # 3.3.7.1
    (tables, "CLOAKED_ESCAPE", -3),
    (tables, "ESCAPE_TERRAIN", {"asteroids": -2, "nebula": -3, "dust": -1}),
    (planetary, "REBEL_DICE", {"capital": 4, "major": 2, "minor": 1, "moon": 0}),  # 5.3.2
    (planetary, "GARRISON", {"capital": 50, "major": 30, "minor": 20, "moon": 0}),  # 5.3.3
    (planetary, "SALVAGED_FROM", {"SB": 1, "BATS": 4, "BS": 6, "FRD": 7}),  # 4.2.1.2, 5.1
    (yards, "BUILDS_FROM_SIZE", {"SB": 1, "BATS": 4, "BS": 6, "FRD": 7}),  # 4.2.1.2
    (yards, "LEAST_REFIT", 10),  # 4.2.3.2
    (yards, "LEAST_HYBRID", 15),  # 5.1
    (mines, "MOST_MINES", 120),  # 4.2.4.5.2
    (mines, "MINE_REACH", 25),
    (open_space, "SINGLE_STARS", 3),  # 1.1.2.5.1
    (open_space, "HOLES", 3),  # CU-R07: 1 to 3 on a second die
    (
        open_space,
        "TERRAIN",
        {4: "white_dwarf", 5: "heat", 6: "dust", 16: "asteroids", 17: "nebula", 18: "pulsar"},
    ),
    (systems, "GIANT_AT_MOST", 9),  # 1.1.2.4.1
    (systems, "RINGS_AT_MOST", 9),  # 1.1.2.4.4
    (systems, "ASTEROIDS_AT_MOST", 5),  # 1.1.2.4.5
    (systems, "MOON_DISTANCES", range(4, 31)),  # 1.1.2.4.2: from 4 to 30
    (systems, "GIANT_MOON_DISTANCES", range(8, 41)),  # 1.1.2.4.3: from 8 to 40
    (star_map, "LEAST_ACROSS", 12),  # 1.1.2.1
    (star_map, "MOST_ACROSS", 15),
    (star_map, "SIZES_APART", Fraction("0.05")),  # CU-R02
    (star_map, "CORE_APART", Fraction("0.25")),
    (
        deadlines,
        "TURNS_BY_HULL",  # 7.1; other hulls are like a CA (CU-R115)
        {
            "DN": 4, "SCS": 4, "CVA": 4, "BCH": 8, "BC": 8, "CA": 8, "CC": 8, "CL": 6, "CW": 4, "DD": 4, "FF": 4,
            "DW": 3, "TUG": 10, "other": 8,
        },
    ),
    (deadlines, "PF_TURNS", 1),
    (deadlines, "SAMS_CLASS", 5),  # 7.2
    (maintenance, "MOST_MISSED_BY_PFS", 1),  # CU-R116: two turns running are too many
    (sensors, "SHIP_REACH", 1),  # 8.3.2
    (sensors, "BASE_REACH", 3),  # 8.3.1
    (sensors, "LONGER", 1),  # 8.4.1
    (sensors, "NORMAL_LIMIT", 3),  # 8.4
    (sensors, "LONG_LIMIT", 1),  # 8.4.1
    (sensors, "CLOAK_LIMIT", 1),  # 8.6
    (
        results,
        "FINDINGS",  # 9.2
        {
            3: "major", 4: "minor", 5: "delay", 6: "open", 7: "open", 8: "open", 9: "open", 10: "open", 11: "open",
            12: "open", 13: "open", 14: "open", 15: "open", 16: "monster", 17: "minor", 18: "major",
        },
    ),
    (results, "MONSTER_LIMIT", 5),
]  # fmt: skip


INVENTED: list[tuple[Any, str, Any]] = [
    (
        star_map,
        "RADII",  # of the core and of the whole map, chosen so that empires are 12 to 15 hexes across: CU-R02
        {2: (3, 6), 3: (3, 6), 4: (3, 8), 5: (4, 10), 6: (4, 12), 7: (5, 14)},
    ),
    (setup, "GAS_GIANT_SIZES", (2, 5)),
    (forces, "MOST_SHIPS", 60),
    (mines, "RING", 8),
    (mine_orders, "MOST_OFFERED", 20),
    (orders, "LINES", 20),
    (orders, "MOST_AT_ONCE", 200),
    (orders, "PACKS", {"ewp": 3, "wbp": 3}),
    (lines, "LONGEST_COURSE", 40),
    (economy_lines, "LONGEST_NAME", 40),
    (economy_lines, "LONGEST_HEX", 20),
    (catalogue, "OFFICER_CPV", 20),
    (strength, "WHOLE", 100),
    (tacintel, "LEVEL", 5),
    (tacintel, "GRADE", 2),
    (sequence, "ECONOMICS", 1),
    (sequence, "ESPIONAGE", 2),
    (sequence, "EACH_IMPULSE", 10),
]


@pytest.mark.parametrize(("where", "name", "typed"), BY_THE_BOOK, ids=lambda one: one if isinstance(one, str) else "")
def test_a_table_is_as_the_book_or_a_ruling_has_it(where: Any, name: str, typed: Any) -> None:
    assert getattr(where, name) == typed


@pytest.mark.parametrize(("where", "name", "typed"), INVENTED, ids=lambda one: one if isinstance(one, str) else "")
def test_an_invented_figure_is_not_changed_by_accident(where: Any, name: str, typed: Any) -> None:
    """None of them stands in the book: whoever means to change one changes it here, too."""
    assert getattr(where, name) == typed


def test_the_figures_of_fighters_that_fly_alone() -> None:
    """Shuttles and fighters are of size class 6, and what they cost to move is nobody's to pay. 2.9"""
    assert (craft.FIGHTERS.size_class, craft.FIGHTERS.move_cost, craft.FIGHTERS.kind) == (6, 0, "fighters")


def test_what_a_navigator_makes_of_each_die(kept: Kept) -> None:
    """2.4.1.10: 1 and 2 lost, 3 and 4 delayed, 5 out; by how much he turns directions: 3.6.1.1.1."""
    assert kept() == OUTCOMES
    assert SHIFTS == {-1: "One lower", 0: "As rolled", 1: "One higher"}
