"""One campaign turn, in the order of play of the rulings (1.1)."""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch01_setup.steps import set_up_steps
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import change_cloaks, cloaked_meetings_steps, lose_sight
from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import end_escorts, follow_convoys
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import arrive, convoy_moves, set_out
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets, watch_counters
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.navigators import navigators_steps
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plotting_steps
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.presence import before_moving, note_presence
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import keep_sites, lose_bases_adrift, note_bases
from rules_engine.rulebooks.cutler.ch04_economics.docks import keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.stores import empty_repair_boxes, unload
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.razing import recover_from_razing
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import note_revolts, rebellion_segment
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import espionage_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_sheets_steps
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import (
    announce_deadlines,
    maintain,
    miss_maintenance,
)
from rules_engine.rulebooks.cutler.ch08_scanning.phase import scanning_phase
from rules_engine.rulebooks.cutler.ch09_surveying.discoveries import discoveries_steps
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.combat.work import WorkOfImpulse
from rules_engine.rulebooks.cutler.records.state import CutlerTurn
from rules_engine.rulebooks.cutler.records.tables import IMPULSES, RESERVE_CAP
from rules_engine.rulebooks.cutler.standing.patrols import stop_for_turn

ECONOMICS, ESPIONAGE = 1, 2
EACH_IMPULSE = 10


@rule("2.1", "11.0", "1.1")
def turn_steps(turn: CutlerTurn) -> Steps[None]:
    """The whole turn; before the first the set-up, if the scenario leaves it to the players. 2.1, 11.0, CU 1.1"""
    if turn.state.setup is not None:
        yield from set_up_steps(turn.at("set-up"), turn.state.setup)
    open_turn(turn)
    # 1. Economics, 2a missions plotted, 2b counter-intelligence pool: races do not depend on each other here.
    announce_deadlines(turn)
    yield from turn_sheets_steps(turn.at("plan"))
    # 1c Razing recovery, after income.
    recover_from_razing(turn.at("recovery"))
    # 1f Maintenance.
    maintain(turn)
    # 1g Surveying.
    surveying_phase(turn)
    yield from discoveries_steps(turn.at("discovered"))
    keep_sites(turn.at("sites"))
    # 2. Espionage: 2c order, 2d missions announced, countered and rolled one at a time.
    turn.set_time(turn.state.turn, ESPIONAGE, f"Turn {turn.state.turn}, espionage")
    yield from espionage_steps(turn.at("espionage"))
    # 3. Six impulses.
    for impulse in range(1, IMPULSES + 1):
        yield from impulse_steps(turn.at(f"I{impulse}"), impulse)
    # 4. Rebellion.
    rebellion_segment(turn.at("rebellion"))
    # 5. End of turn.
    miss_maintenance(turn)
    keep_docks(turn.at("undocked"))
    empty_repair_boxes(turn)
    close_turn(turn)
    decide_who_is_out(turn)


def open_turn(turn: CutlerTurn) -> None:
    """Count the turn up and show everybody the map."""
    state = turn.state
    turn.moment_ends()
    state.turn += 1
    state.impulse = 0
    state.spent = []
    note_bases(state)
    turn.set_time(state.turn, ECONOMICS, f"Turn {state.turn}, economics")
    turn.tell_all(f"Turn {state.turn} of {state.turns} begins.", kind="turn")
    for race in turn.in_play:
        for text in stop_for_turn(state, race):
            turn.tell([race], text, kind="movement", why=because("2.2"))
    turn.show_maps()


def impulse_steps(turn: CutlerTurn, impulse: int) -> Steps[None]:
    """One impulse: plotting, movement, scanning, sorties, combat, its end."""
    state = turn.state
    turn.moment_ends()
    state.impulse = impulse
    turn.set_time(state.turn, EACH_IMPULSE * impulse, f"Turn {state.turn}, impulse {impulse}")
    # 3a Plotting.
    yield from plotting_steps(turn.at("plot"))
    # 3b Movement; cloaks first.
    note_presence(state, before_moving(state))
    change_cloaks(state)
    set_out(turn.at("convoys"))
    sailing = convoy_moves(state)
    follow_convoys(state, sailing)
    steered = yield from navigators_steps(turn.at("move"), sailing)
    execute_moves(turn.at("move"), sailing, steered)
    arrive(turn.at("convoys"))
    end_escorts(turn.at("escorts"))
    note_presence(state, state.moment())
    keep_docks(turn.at("undocked"))
    tidy_fleets(state)
    tacintel.fade(turn)
    tacintel.fade_convoys(turn)
    watch_counters(turn)
    unload(turn.at("arrival"))
    # 3c Scanning.
    scanning_phase(turn.at("scan"))
    # 3d Sorties.
    yield from sorties_steps(turn.at("sortie"))
    # 3e Combat; whoever is under cloak says first whether it takes part.
    yield from cloaked_meetings_steps(turn.at("cloaks"))
    yield from combat_phase_steps(turn.at("combat"))
    keep_docks(turn.at("docks"))
    keep_sites(turn.at("sites"))
    # 3f What follows combat.
    yield from after_combat_steps(turn.at("after"))
    return_sorties(turn.at("return"))
    unload(turn.at("after"))
    # 3g End of the impulse.
    lose_bases_adrift(turn.at("adrift"))
    end_impulse(turn)


@rule("3.3.7.4", "3.4.5.3", "3.5.6", "3.9")
def end_impulse(turn: CutlerTurn) -> None:
    """Let units that escaped or disengaged be fought again in the next impulse, and at any feature. 3.3.7.4, 3.4.5.3,
    3.5.6, 3.9"""
    turn.state.fought_at, turn.state.work = {}, WorkOfImpulse()
    for unit in turn.state.alive():
        if unit.escaped_from or unit.disengaged_from or unit.escaped_to:
            unit.escaped_from, unit.disengaged_from, unit.escaped_to = [], [], ""
    lose_sight(turn.state)
    note_revolts(turn.state)
    tacintel.fade(turn)


@rule("6.3", "6.4.1.3", "6.4.1.7", "2.4", "2.4.1.2")
def close_turn(turn: CutlerTurn) -> None:
    """Trim the reserves, and reset what counts for one turn only. 6.3, 6.4.1.3, 6.4.1.7, 2.4, 2.4.1.2"""
    state = turn.state
    for empire in state.empires.values():
        empire.reserve = min(empire.reserve, RESERVE_CAP)
        empire.lodged = {}
        empire.notices = 0
        empire.mines_found = {}
    state.insurrections = {}
    for unit in state.units.values():
        unit.hexes_moved = 0
        unit.was_cloaked = False


@rule("12.0")
def decide_who_is_out(turn: CutlerTurn) -> None:
    """Races without units and planets are out of play, and those that have got some are in play again: everybody is
    told, at the end of the turn, so that nobody learns in which impulse the last of them was lost. 12.0, CU-N15"""
    state = turn.state
    before, state.out = state.out, [race for race in state.races() if state.has_nothing(race)]
    for race in state.races():
        if race in state.out and race not in before:
            text = f"The {state.name_of(race)} is out of play: it has neither units nor planets."
            turn.tell_all(text, kind="turn", why=because("12.0, CU-N15"))
            turn.tell([race], "Your side is out of play: nothing more is asked of you. You may watch.", kind="turn")
        elif race in before and race not in state.out:
            turn.tell_all(f"The {state.name_of(race)} is in play again.", kind="turn", why=because("12.0, CU-N15"))
