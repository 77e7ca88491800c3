"""What a picture of a battle's end shows, as one account has it: what became of each unit.

Made by a rulebook from an account and what all parties of the battle may know. The first force stands left, as on the
pictures of the set-up (:mod:`rules_engine.core.knowledge.battle_scene`).
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from rules_engine.core.basics.base import Frozen, Party, Side

Ending = Literal["there", "hurt", "left", "taken", "lost"]
"""What became of a unit: it is still there, or there and damaged; it left; it was captured; it is no more."""


class UnitOutcome(Frozen):
    """What became of the unit with that neutral ``code``, in a few words: ``left, turn 4``."""

    code: str
    side: Side
    says: str
    ending: Ending = "there"


class BattleOutcome(Frozen):
    """All that the picture shows: who fought, in which forces, and what became of whose units."""

    parties: tuple[Party, ...]
    forces: tuple[tuple[Side, ...], ...] = Field(min_length=2)
    units: tuple[UnitOutcome, ...] = ()

    @model_validator(mode="after")
    def _all_are_parties(self) -> Self:
        """Refuse units of a side that is no party, and parties that stand in no force or in two."""
        keys = sorted(party.label.key for party in self.parties)
        if sorted(side for force in self.forces for side in force) != keys or len(set(keys)) < len(keys):
            raise ValueError("the parties of a battle are those of its forces, each once")
        if not {unit.side for unit in self.units} <= set(keys):
            raise ValueError("the units of a battle are its parties'")
        return self

    def party(self, side: Side) -> Party:
        """The party of a side."""
        return next(party for party in self.parties if party.label.key == side)

    def units_of(self, force: tuple[Side, ...]) -> tuple[UnitOutcome, ...]:
        """The units of a force, in their order."""
        return tuple(unit for unit in self.units if unit.side in force)

    def names_of(self, force: tuple[Side, ...]) -> str:
        """The names of a force's sides: ``Hydran and Lyran``."""
        return " and ".join(self.party(side).label.name for side in force)
