"""Border Patrol (V8.00, 2009), operational movement: two Teams on a map of provinces, by secret sheets."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.rulebook import Ending, Rulebook, RulingNote
from rules_engine.rulebooks.border_patrol import sequence
from rules_engine.rulebooks.border_patrol.campaign import victory
from rules_engine.rulebooks.border_patrol.invariants import defects
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.rulings import RULINGS
from rules_engine.rulebooks.border_patrol.scenario import opening, reading
from rules_engine.rulebooks.border_patrol.scenario.entries import ForcesFile, ScenarioFile
from rules_engine.rulebooks.border_patrol.shown import boards, sides
from rules_engine.rulebooks.border_patrol.shown.units import roster


class BorderPatrol:
    """The rulebook object that the adjudicator drives."""

    key = "border_patrol"
    title = boards.TITLE
    version = "0.5"
    parts_play = True
    state_model = BorderState
    unit_class = BorderClass
    scenario_files: Mapping[str, Any] = {reading.SCENARIO: ScenarioFile, reading.UNITS: ForcesFile}
    rulings: Sequence[RulingNote] = RULINGS

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """See :func:`reading.read_scenario`."""
        return reading.read_scenario(files)

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The two Teams."""
        return reading.sides_of(scenario)

    def set_up(self, scenario: Mapping[str, Json]) -> BorderState:
        """The state before the first turn."""
        return opening.set_up(scenario)

    def turn_steps(self, turn: BorderTurn) -> Steps[None]:
        """One strategic turn."""
        yield from sequence.turn_steps(turn)

    def ending(self, state: BorderState) -> Ending | None:
        """How it ended."""
        return victory.ending(state)

    def out_of_play(self, state: BorderState) -> frozenset[Side]:
        """Nobody: a Team with nothing left ends the campaign. BP-N20"""
        return frozenset()

    def defects(self, state: BorderState) -> Sequence[str]:
        """What is impossible in this state."""
        return defects(state)

    def side_board(self, state: BorderState, side: Side, knowledge: Knowledge) -> Board:
        """What one Team may see."""
        return boards.side_board(state, side, knowledge)

    def side_tables(self, state: BorderState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """Its units."""
        return (sides.units_table(state, side),)

    def briefing(self, state: BorderState, side: Side) -> Briefing:
        """Aim, length, own forces, and what letters stand for."""
        return sides.briefing(state, side)

    def economy(self, state: BorderState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """What its provinces and star systems yield."""
        return sides.economy(state, side)

    def roster(self, state: BorderState, side: Side) -> Sequence[OwnShip]:
        """The units in stacks that its captains command."""
        return roster(state, side)

    def odds_menu(self, state: BorderState, side: Side, knowledge: Knowledge) -> OddsMenu:
        """The book has no odds that a Team could work out from what it knows."""
        return OddsMenu()

    def odds(self, state: BorderState, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """None: the menu is empty.

        Raises:
            Refused: always.
        """
        raise Refused([malformed("this rulebook has no odds", "own")])

    def agreements(self, state: BorderState, side: Side) -> Sequence[str]:
        """The rules have none."""
        return ()

    def public_board(self, state: BorderState) -> Board:
        """What anybody may see."""
        return boards.public_board(state)

    def omniscient_board(self, state: BorderState) -> Board:
        """Everything."""
        return boards.omniscient_board(state)


RULEBOOK: Rulebook[BorderState] = BorderPatrol()
