"""What a rulebook must offer. The adjudicator, the bot and the renderer know rulebooks by this interface only."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.catalogues.catalogue import UnitClassBase
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.knowledge.odds import Odds, OddsMenu
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext

S = TypeVar("S", bound=Record)


class Ending(Frozen):
    """How a campaign ended: the winners (none: a draw), the scores by side, and the rule."""

    winners: tuple[Side, ...]
    scores: dict[Side, str]
    text: str
    rule: str


class RulingNote(Frozen):
    """A ruling that players may read: where the rules are silent or ambiguous, and what was decided."""

    id: str
    rules: str
    text: str


def rulings_in(text: str) -> tuple[RulingNote, ...]:
    """Rulings from a text of paragraphs, each with its id and, in brackets, its rules before it."""
    notes: list[RulingNote] = []
    for paragraph in text.strip().split("\n\n"):
        heading, _, words = " ".join(paragraph.split()).partition("] ")
        ruling_id, _, rules = heading.partition(" [")
        notes.append(RulingNote(id=ruling_id, rules=rules, text=words))
    return tuple(notes)


class Rulebook(Protocol[S]):
    """A rulebook: a scenario model, a state, a sequence of play, and what each side may know.

    A new rulebook is a package with an object of this shape and one line in the registry.
    """

    @property
    def key(self) -> str:
        """The package's name, e.g. ``"pq17"``."""
        ...

    @property
    def title(self) -> str:
        """The printed name."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever a running turn could come out differently. A campaign pins it."""
        ...

    @property
    def parts_play(self) -> bool:
        """Whether play may part into strands: then nobody is told in public when anything closes."""
        ...

    @property
    def state_model(self) -> type[S]:
        """The record of the state; what matters lives in it, never in generator locals."""
        ...

    @property
    def rulings(self) -> Sequence[RulingNote]:
        """The package's own rulings."""
        ...

    @property
    def unit_class(self) -> type[UnitClassBase] | None:
        """The record of its scenarios' catalogue of unit classes, where ``core.catalogues.layers`` reads it."""
        ...

    @property
    def scenario_files(self) -> Mapping[str, Any]:
        """What each file of a scenario is read as, by name: a model, or a union of them; unit classes apart."""
        ...

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        """Validate a scenario given as texts by file name (``scenario.toml``, ``ships.csv`` …).

        Raises:
            Refused: with all defects of all files, each with file, line and field.
        """
        ...

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        """The sides of a validated scenario."""
        ...

    def set_up(self, scenario: Mapping[str, Json]) -> S:
        """The state before the first turn."""
        ...

    def turn_steps(self, turn: TurnContext[S]) -> Steps[None]:
        """One turn of the sequence of play."""
        ...

    def ending(self, state: S) -> Ending | None:
        """How it ended, or None while it goes on. Asked at turn boundaries."""
        ...

    def out_of_play(self, state: S) -> frozenset[Side]:
        """The sides that are out of play: they are asked nothing, and nobody waits for them.

        Who is out is public. It changes only where everybody is told so, and not within a strand.
        """
        ...

    def defects(self, state: S) -> Sequence[str]:
        """What is impossible in this state: a unit in two places, stores below zero. Empty when all is well."""
        ...

    def side_board(self, state: S, side: Side, knowledge: Knowledge) -> Board:
        """What ``side`` may see: its own assets, its ``knowledge`` and public facts; no more of ``state`` is read."""
        ...

    def side_tables(self, state: S, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
        """What ``side`` may look up as tables, besides its contacts and its dice; from the sources of its board."""
        ...

    def briefing(self, state: S, side: Side) -> Briefing:
        """What a commander of ``side`` should know before the first order; from its own assets and public facts."""
        ...

    def economy(self, state: S, side: Side, knowledge: Knowledge, *, is_ahead: bool) -> Economy:
        """What ``side`` owns, place by place, from the sources of its board; empty where the rules have no economy.

        ``is_ahead``: its budget of this turn is still to be carried out.
        """
        ...

    def roster(self, state: S, side: Side) -> Sequence[OwnShip]:
        """The ships of ``side``, in the order in which its sheets name them; empty where sheets name none."""
        ...

    def odds_menu(self, state: S, side: Side, knowledge: Knowledge) -> OddsMenu:
        """What ``side`` may ask the odds of; empty where the rulebook has no odds."""
        ...

    def odds(self, state: S, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
        """The chances of ``own`` against ``target``, both from the menu; from the same sources as the board.

        Raises:
            Refused: when one of them is not in the menu.
        """
        ...

    def agreements(self, state: S, side: Side) -> Sequence[str]:
        """What ``side`` has agreed with others by these rules, offered and been offered, in lines, as far as it knows;
        empty where the rules have no agreements."""
        ...

    def public_board(self, state: S) -> Board:
        """What anybody may see."""
        ...

    def omniscient_board(self, state: S) -> Board:
        """Everything."""
        ...
