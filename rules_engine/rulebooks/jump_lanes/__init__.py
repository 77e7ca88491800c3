"""Jump lanes (chapter 13 of a campaign guide): empires on a graph of systems, by secret sheets."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.rulebook import Ending, Rulebook, RulingNote
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.jump_lanes import sequence
from rules_engine.rulebooks.jump_lanes.campaign import victory
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import agreements
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import LaneUnitClass
from rules_engine.rulebooks.jump_lanes.rulings import RULINGS
from rules_engine.rulebooks.jump_lanes.scenario import opening, reading
from rules_engine.rulebooks.jump_lanes.scenario.entries import FrontierForces, ScenarioFile
from rules_engine.rulebooks.jump_lanes.shown import boards, odds, sides
from rules_engine.rulebooks.jump_lanes.shown.units import roster


class JumpLanes:
    """The rulebook object that the adjudicator drives."""

    key = "jump_lanes"
    title = boards.TITLE
    version = "0.4"
    parts_play = True
    state_model = LanesState
    unit_class = LaneUnitClass
    scenario_files: Mapping[str, Any] = {reading.SCENARIO: ScenarioFile, reading.UNITS: FrontierForces}
    rulings: Sequence[RulingNote] = RULINGS

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """See :func:`reading.read_scenario`."""
        return reading.read_scenario(files)

    def seats(self, scenario: Mapping[str, Json]) -> SeatRange | None:
        """How many empires may play, where a scenario leaves that open."""
        return reading.seats(scenario)

    def with_seats(self, scenario: Mapping[str, Json], seats: int) -> dict[str, Json]:
        """The scenario for that many empires."""
        return reading.with_seats(scenario, seats)

    def labels(self, state: LanesState) -> tuple[SideLabel, ...]:
        """The empires, which are named by the scenario."""
        return boards.labels(state)

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The empires that play."""
        return reading.sides_of(scenario)

    def set_up(self, scenario: Mapping[str, Json]) -> LanesState:
        """The state before the first turn."""
        return opening.set_up(scenario)

    def turn_steps(self, turn: LanesTurn) -> Steps[None]:
        """One turn."""
        yield from sequence.turn_steps(turn)

    def ending(self, state: LanesState) -> Ending | None:
        """How it ended."""
        return victory.ending(state)

    def out_of_play(self, state: LanesState) -> frozenset[Side]:
        """The empires that have nothing left."""
        return victory.out_of_play(state)

    def defects(self, state: LanesState) -> Sequence[str]:
        """What is impossible in this state."""
        return defects(state)

    def side_board(self, state: LanesState, side: Side, knowledge: Knowledge) -> Board:
        """What one empire may see."""
        return boards.side_board(state, side, knowledge)

    def side_tables(self, state: LanesState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """Its units, and the lanes that it knows."""
        return (sides.units_table(state, side), sides.lanes_table(state, side))

    def briefing(self, state: LanesState, side: Side) -> Briefing:
        """Aim, length, own forces, and what letters stand for."""
        return sides.briefing(state, side)

    def economy(self, state: LanesState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """The chapter has no economy."""
        return Economy()

    def roster(self, state: LanesState, side: Side) -> Sequence[OwnShip]:
        """The units in squadrons that its captains command."""
        return roster(state, side)

    def odds_menu(self, state: LanesState, side: Side, knowledge: Knowledge) -> OddsMenu:
        """Squadrons that could explore, and lanes."""
        return odds.odds_menu(state, side)

    def odds(self, state: LanesState, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """The chances of an exploration check.

        Raises:
            Refused: when the squadron cannot explore that lane.
        """
        return odds.odds_of(state, side, own, target)

    def agreements(self, state: LanesState, side: Side) -> Sequence[str]:
        """What it grants others and is granted."""
        return agreements(state, side)

    def public_board(self, state: LanesState) -> Board:
        """What anybody may see."""
        return boards.public_board(state)

    def omniscient_board(self, state: LanesState) -> Board:
        """Everything."""
        return boards.omniscient_board(state)


RULEBOOK: Rulebook[LanesState] = JumpLanes()
