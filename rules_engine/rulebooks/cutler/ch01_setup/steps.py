"""The set-up from its first dice to the first turn. Chapter 1"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import REFEREE
from rules_engine.rulebooks.cutler.ch01_setup.draft import empires_steps, races_steps
from rules_engine.rulebooks.cutler.ch01_setup.forces import forces_steps
from rules_engine.rulebooks.cutler.ch01_setup.planets import placement_steps
from rules_engine.rulebooks.cutler.ch01_setup.star_map import StarMap, defects, generated
from rules_engine.rulebooks.cutler.ch01_setup.systems import roll_open_space, systems_steps
from rules_engine.rulebooks.cutler.records.setup import Setup
from rules_engine.rulebooks.cutler.records.state import CutlerTurn


@rule("1.1", "1.1.1", "1.1.2")
def set_up_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """Races, the map, empires, planets, what else is there, ships. 1.1"""
    state = turn.state
    turn.set_time(1, 0, "Set-up")
    yield from races_steps(turn.at("races"), setup)
    draw_map(turn.at("map"), setup)
    yield from empires_steps(turn.at("empires"), setup)
    yield from placement_steps(turn.at("planets"), setup)
    yield from systems_steps(turn.at("systems"), setup)
    roll_open_space(turn.at("space"), setup)
    yield from forces_steps(turn.at("forces"), setup)
    state.setup = None


@rule("1.1.2", "1.1.2.1")
def draw_map(turn: CutlerTurn, setup: Setup) -> None:
    """Divide the map into empires and the core: generated, with a die for its borders, or as the scenario brings it; a
    map that is not as it should be is told to the referee. 1.1.2, 1.1.2.1, CU-R02"""
    state = turn.state
    if setup.rules.empires:
        hexes = {one for empire in setup.rules.empires for one in empire}
        core = tuple(one for one in state.grid.hexes() if one not in hexes)
        star_map = StarMap(grid=state.grid, empires=setup.rules.empires, core=core)
        for defect in defects(star_map):
            turn.tell(
                REFEREE, f"The map is not as the rules have it: {defect}.", kind="setup", why=because("1.1.2, CU-R02")
            )
    else:
        roll = turn.roll("borders of the empires", faces=6)
        star_map = generated(len(turn.sides), roll.total - 1)
        state.grid = star_map.grid
        text = f"The map has {len(star_map.empires)} empires about a core of {len(star_map.core)} hexes."
        turn.tell_all(text, kind="setup", why=because("1.1.2, 1.1.2.1, CU-R02", dice=[roll]))
    setup.empires = list(star_map.empires)
    state.unsurveyed = sorted(star_map.core)
    turn.show_maps()
