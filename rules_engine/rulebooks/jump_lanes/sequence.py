"""One campaign turn, in the order of the rulings (3.1). 13.0"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn, open_turn
from rules_engine.rulebooks.jump_lanes.campaign.scoring import score_cargo, score_destroyed, score_surveys
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import explore
from rules_engine.rulebooks.jump_lanes.phases.cargo import move_cargo
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.state import LanesTurn
from rules_engine.rulebooks.jump_lanes.sightings import look_around


@rule("13.1", "13.2")
def turn_steps(turn: LanesTurn) -> Steps[None]:
    """A whole turn. 13.1, 13.2"""
    state = turn.state
    open_turn(turn)
    look_around(turn)
    # Turn Orders Phase: one secret sheet an empire.
    empires = turn.in_play
    sheets = yield from turn.ask_all_steps([sheet_ask(state, empire) for empire in empires])
    carry_out_sheets(turn.at("orders"), dict(zip(empires, sheets, strict=True)))
    # Movement Phase. 1. Disembark, then embark.
    score_cargo(state, move_cargo(turn.at("cargo")))
    # 2. Exploration checks; who explores does not move.
    holding = {state.group_of(one) for one in state.squadrons.values() if one.orders.explore}
    score_surveys(state, explore(turn.at("exploration")))
    # 3. Movement, encounters and their battles, and cargo that is lost.
    fought = yield from movement_steps(turn.at("movement"), holding)
    # 4. Invasions.
    yield from invasions_steps(turn.at("invasions"))
    for empire in state.empires:
        score_destroyed(state, empire, fought.destroyed_for(empire))
    close_turn(turn)
    look_around(turn, units=fought.met)
