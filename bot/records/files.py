"""Files that a message is to carry, as values: what they are made from when the message leaves."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.battle_outcome import BattleOutcome
from rules_engine.core.knowledge.views import OmniscientView, PartiesView, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class SideMapFile(_Kept):
    """A picture of what one side knows."""

    kind: Literal["side_map"] = "side_map"
    view: SideView


class PublicMapFile(_Kept):
    """A picture of what everybody knows."""

    kind: Literal["public_map"] = "public_map"
    view: PublicView


class WholeMapFile(_Kept):
    """A picture of everything, made only when a campaign is over."""

    kind: Literal["whole_map"] = "whole_map"
    view: OmniscientView


class CardMapFile(_Kept):
    """The map in a card, drawn from what ``side`` sees when the card leaves: the hexes of ``area``, or all of it. What
    tells of one moment has what the side saw then as its ``view``, and its map shows that, however late it leaves.

    Where it is about a ``battle`` that is tracked, by the id of the battle's ask, it shows that.

    It is attached as ``map.png``. Nobody gets it but those who command the side when it leaves, and the side's own
    channel. For no side ("") it is drawn from what everybody may see, and anybody gets it.
    """

    kind: Literal["card_map"] = "card_map"
    side: str
    area: tuple[HexId, ...] = ()
    pins: tuple[HexId, ...] | None = None
    """Where the whole map has its pins 1, 2, 3, if not where the side has news."""
    view: SideView | PublicView | None = None
    battle: str = Field(default="", exclude_if=lambda battle: not battle)


class TacticalMapFile(_Kept):
    """A picture of a battle that is tracked, as all its parties know it; for the battle's own thread."""

    kind: Literal["tactical_map"] = "tactical_map"
    view: PartiesView


class HandedMapFile(_Kept):
    """A picture of what one side has handed on to another: the hexes of ``area``, from a ``view`` that holds them and
    nothing else."""

    kind: Literal["handed_map"] = "handed_map"
    view: SideView
    area: tuple[HexId, ...]


class BattleFile(_Kept):
    """A picture of a battle's set-up, as all its parties may see it."""

    kind: Literal["sheet"] = "sheet"
    sheet: BattleSetup


class BattleDetailsFile(_Kept):
    """A picture of a battle's figures and rules, as all its parties may see it; nothing of one that has no scene."""

    kind: Literal["battle_details"] = "battle_details"
    sheet: BattleSetup


class OwnUnitsFile(_Kept):
    """A picture of one side's own units in a battle, for that side alone; nothing where there is no more to tell."""

    kind: Literal["own_units"] = "own_units"
    sheet: BattleSetup
    side: str


class AccountFile(_Kept):
    """A picture of what became of a battle's units, as one account has it."""

    kind: Literal["account"] = "account"
    outcome: BattleOutcome


class FilmFile(_Kept):
    """A campaign that is one battle flown by vectors, turn by turn, as everybody saw it: an animated picture, or
    several where one would be too large. It is made when it leaves, from the record up to the entry ``until``.

    With the id of the ask of a ``battle`` that was tracked and ended with that entry, it is that, as all its parties
    saw it, and goes to that battle's own thread.
    """

    kind: Literal["film"] = "film"
    until: int
    battle: str = Field(default="", exclude_if=lambda battle: not battle)


class TextFile(_Kept):
    """A text file."""

    kind: Literal["text"] = "text"
    name: str
    text: str


class UnreadableFile(_Kept):
    """What was kept and is no file that is known; the words that it came with are not kept back for it."""

    kind: Literal["unreadable"] = "unreadable"


def _or_unreadable(kept: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(kept)
    except ValidationError:
        return UnreadableFile()


FileSpec = Annotated[
    Annotated[
        SideMapFile
        | PublicMapFile
        | WholeMapFile
        | CardMapFile
        | TacticalMapFile
        | HandedMapFile
        | BattleFile
        | BattleDetailsFile
        | OwnUnitsFile
        | AccountFile
        | FilmFile
        | TextFile
        | UnreadableFile,
        Field(discriminator="kind"),
    ],
    WrapValidator(_or_unreadable),
]
