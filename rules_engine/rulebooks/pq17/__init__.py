"""PQ-17 Operational Rules, revision 9.1: the operational turn, refereed double-blind."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.rulebook import Ending, Rulebook, RulingNote
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17 import scenario as scenarios
from rules_engine.rulebooks.pq17 import sequence, shown
from rules_engine.rulebooks.pq17.contacts import dossier_sources
from rules_engine.rulebooks.pq17.nations import victory_points
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

__all__ = ["RULEBOOK", "Pq17"]


class Pq17:
    """The rulebook object that the adjudicator drives."""

    key = "pq17"
    title = "PQ-17 Operational Rules 9.1"
    version = "6"
    parts_play = False
    state_model = State
    unit_class = ShipClass
    scenario_files: Mapping[str, Any] = scenarios.MODELS
    rulings: Sequence[RulingNote] = shown.RULINGS
    turn_parts = dossier_sources.TURN_PARTS

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """A scenario's files, checked. Raises Refused with all defects."""
        return scenarios.read_scenario(files)

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The sides of a validated scenario."""
        return scenarios.sides_of(scenario)

    def set_up(self, scenario: Mapping[str, Json]) -> State:
        """The state before the first turn."""
        return scenarios.set_up(scenario)

    def turn_steps(self, turn: TurnContext[State]) -> Steps[None]:
        """One operational turn. PQ-17 SOP."""
        return sequence.turn_steps(turn)

    def ending(self, state: State) -> Ending | None:
        """How the campaign ended, or None."""
        return victory_points.ending(state)

    def out_of_play(self, state: State) -> frozenset[Side]:
        """Neither side is ever out of play before the campaign ends."""
        return frozenset()

    def defects(self, state: State) -> Sequence[str]:
        """What is impossible in this state."""
        return scenarios.defects(state)

    def side_board(self, state: State, side: Side, knowledge: Knowledge) -> Board:
        """What ``side`` may see."""
        return shown.side_board(state, side, knowledge)

    def side_tables(self, state: State, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """The tables of victory points and of stores."""
        return shown.side_tables(state, side, knowledge)

    def learned(self, report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
        """What a report tells one side of the other."""
        return dossier_sources.learned(report, reader, board)

    def economy(self, state: State, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """Stores, repairs and bases under way of one side."""
        del knowledge, is_ahead
        return shown.economy(state, side)

    def briefing(self, state: State, side: Side) -> Briefing:
        """Aim, length, the side's own forces, and what letters stand for."""
        return shown.briefing(state, side)

    def roster(self, state: State, side: Side) -> Sequence[OwnShip]:
        """The side's ships and bases."""
        return shown.roster(state, side)

    def odds_menu(self, state: State, side: Side, knowledge: Knowledge) -> OddsMenu:
        """Own task forces and held contacts."""
        return shown.odds_menu(state, side, knowledge)

    def odds(self, state: State, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """The chances of a search and an attack. PQ-17 T6."""
        return shown.odds_between(state, side, knowledge, own, target)

    def agreements(self, state: State, side: Side) -> Sequence[str]:
        """None: who is on which side is fixed."""
        return ()

    def public_board(self, state: State) -> Board:
        """What anybody may see."""
        return shown.public_board(state)

    def omniscient_board(self, state: State) -> Board:
        """Everything."""
        return shown.omniscient_board(state)


RULEBOOK: Rulebook[State] = Pq17()
