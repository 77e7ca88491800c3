"""Star Fleet Battles Campaign Rules (D. Cutler, 1996): two to seven empires, economy, espionage, secret movement."""

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
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.cutler import boards, sequence, victory
from rules_engine.rulebooks.cutler import scenario as scenarios
from rules_engine.rulebooks.cutler.ch01_setup.scenario_files import OpenScenarioFile, seats
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_rows
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.scenario_entries import ScenarioFile, UnitsFile
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.rulings import RULINGS
from rules_engine.rulebooks.cutler.shown import dossiers
from rules_engine.rulebooks.cutler.shown.briefing import briefing
from rules_engine.rulebooks.cutler.shown.economy import economy
from rules_engine.rulebooks.cutler.shown.odds import odds_menu, odds_of
from rules_engine.rulebooks.cutler.shown.tables_of_side import side_tables


class Cutler:
    """The rulebook object that the adjudicator drives."""

    key = "cutler"
    title = boards.TITLE
    version = "0.7"
    parts_play = True
    state_model = CutlerState
    unit_class = UnitClass
    scenario_files: Mapping[str, Any] = {"scenario.toml": ScenarioFile | OpenScenarioFile, "units.toml": UnitsFile}
    rulings: Sequence[RulingNote] = RULINGS
    turn_parts = dossiers.TURN_PARTS

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """See :func:`scenario.read_scenario`."""
        return scenarios.read_scenario(files)

    def seats(self, scenario: Mapping[str, Json]) -> SeatRange | None:
        """Two to seven, or as many as a supplied map has empires, where the scenario leaves the set-up to players."""
        return seats(scenario)

    def with_seats(self, scenario: Mapping[str, Json], seats: int) -> dict[str, Json]:
        """The scenario for that many players."""
        return {**scenario, "seats": seats}

    def labels(self, state: CutlerState) -> tuple[SideLabel, ...]:
        """The seats, or the races that they have drawn. 1.1.1"""
        return state.sides

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The races."""
        return scenarios.sides_of(scenario)

    def set_up(self, scenario: Mapping[str, Json]) -> CutlerState:
        """The state before the first turn."""
        return scenarios.set_up(scenario)

    def turn_steps(self, turn: CutlerTurn) -> Steps[None]:
        """One turn."""
        yield from sequence.turn_steps(turn)

    def ending(self, state: CutlerState) -> Ending | None:
        """How it ended."""
        return victory.ending(state)

    def out_of_play(self, state: CutlerState) -> frozenset[Side]:
        """The races that have neither units nor planets. CU-N15"""
        return frozenset(state.out)

    def defects(self, state: CutlerState) -> Sequence[str]:
        """What is impossible in this state."""
        return defects(state)

    def side_board(self, state: CutlerState, side: Side, knowledge: Knowledge) -> Board:
        """What one race may see."""
        return boards.side_board(state, side, knowledge)

    def side_tables(self, state: CutlerState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """Its ships, forces, stores and planets."""
        return side_tables(state, side, knowledge)

    def learned(self, report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
        """What a report tells one race of the others."""
        return dossiers.learned(report, reader, board)

    def briefing(self, state: CutlerState, side: Side) -> Briefing:
        """Aim, length, the race's own forces, and what letters stand for."""
        return briefing(state, side)

    def economy(self, state: CutlerState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """What one race owns in CPV, place by place."""
        return economy(state, side, is_ahead=is_ahead)

    def roster(self, state: CutlerState, side: Side) -> Sequence[OwnShip]:
        """The ships of one race's fleets."""
        return boards.roster(state, side)

    def odds_menu(self, state: CutlerState, side: Side, knowledge: Knowledge) -> OddsMenu:
        """Its fleets, bases that scan and spies; contacts, the way out of a nebula, and points."""
        return odds_menu(state, side, knowledge)

    def odds(self, state: CutlerState, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """The chance of an escape, a scan, a mission, or of leaving a nebula."""
        return odds_of(state, side, knowledge, own, target)

    def agreements(self, state: CutlerState, side: Side) -> Sequence[str]:
        """Coordinated forces, agreed and offered."""
        return coordination_rows(state, side)

    def public_board(self, state: CutlerState) -> Board:
        """What anybody may see."""
        return boards.public_board(state)

    def omniscient_board(self, state: CutlerState) -> Board:
        """Everything."""
        return boards.omniscient_board(state)


RULEBOOK: Rulebook[CutlerState] = Cutler()
