"""Inertial vectors (CJD1.0): movement by vectors, and a duel of its own that is flown by it."""

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
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.vector import sequence
from rules_engine.rulebooks.vector.campaign import victory
from rules_engine.rulebooks.vector.invariants import defects
from rules_engine.rulebooks.vector.records.ships import VectorShipClass
from rules_engine.rulebooks.vector.records.state import VectorState, VectorTurn
from rules_engine.rulebooks.vector.rulings import RULINGS
from rules_engine.rulebooks.vector.scenario import opening, reading
from rules_engine.rulebooks.vector.scenario.entries import DuelFile
from rules_engine.rulebooks.vector.shown import boards, sides
from rules_engine.rulebooks.vector.shown.units import roster


class InertialVectors:
    """The rulebook object that the adjudicator drives."""

    key = "vector"
    title = boards.TITLE
    version = "0.3"
    parts_play = False
    state_model = VectorState
    unit_class = VectorShipClass
    scenario_files: Mapping[str, Any] = {"scenario.toml": DuelFile}
    rulings: Sequence[RulingNote] = RULINGS

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """See :func:`reading.read_scenario`."""
        return reading.read_scenario(files)

    def seats(self, scenario: Mapping[str, Json]) -> SeatRange | None:
        """How many captains may play, where a scenario leaves that open."""
        return reading.seats(scenario)

    def with_seats(self, scenario: Mapping[str, Json], seats: int) -> dict[str, Json]:
        """The scenario for that many captains."""
        return reading.with_seats(scenario, seats)

    def labels(self, state: VectorState) -> tuple[SideLabel, ...]:
        """The captains, who are named by the scenario."""
        return boards.labels(state)

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The captains who play."""
        return reading.sides_of(scenario)

    def set_up(self, scenario: Mapping[str, Json]) -> VectorState:
        """The state before the first turn."""
        return opening.set_up(scenario)

    def turn_steps(self, turn: VectorTurn) -> Steps[None]:
        """One turn."""
        yield from sequence.turn_steps(turn)

    def ending(self, state: VectorState) -> Ending | None:
        """How it ended."""
        return victory.ending(state)

    def out_of_play(self, state: VectorState) -> frozenset[Side]:
        """The captains who have no ships left."""
        return victory.out_of_play(state)

    def defects(self, state: VectorState) -> Sequence[str]:
        """What is impossible in this state."""
        return defects(state)

    def side_board(self, state: VectorState, side: Side, knowledge: Knowledge) -> Board:
        """What one captain may see."""
        return boards.side_board(state, side)

    def side_tables(self, state: VectorState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """Ships, and ranges between them."""
        return (sides.ships_table(state, side), sides.ranges_table(state, side))

    def briefing(self, state: VectorState, side: Side) -> Briefing:
        """Aim, length and own ships."""
        return sides.briefing(state, side)

    def economy(self, state: VectorState, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """The book has no economy."""
        return Economy()

    def roster(self, state: VectorState, side: Side) -> Sequence[OwnShip]:
        """A captain's ships."""
        return roster(state, side)

    def odds_menu(self, state: VectorState, side: Side, knowledge: Knowledge) -> OddsMenu:
        """The book has no odds that a captain is asked for."""
        return OddsMenu()

    def odds(self, state: VectorState, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """None: the menu is empty.

        Raises:
            Refused: always.
        """
        raise Refused([malformed("this rulebook has no odds", "own")])

    def agreements(self, state: VectorState, side: Side) -> Sequence[str]:
        """The book has no agreements."""
        return ()

    def public_board(self, state: VectorState) -> Board:
        """What anybody may see."""
        return boards.public_board(state)

    def omniscient_board(self, state: VectorState) -> Board:
        """Everything."""
        return boards.omniscient_board(state)


RULEBOOK: Rulebook[VectorState] = InertialVectors()
