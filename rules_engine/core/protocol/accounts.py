"""What is said of the accounts of a battle: who stands together, where they differ, and what of one usually changes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.forms.forms import Field, Sheet
from rules_engine.core.forms.short_forms import ShortForm, in_words
from rules_engine.core.knowledge.battle_outcome import BattleOutcome, UnitOutcome
from rules_engine.core.knowledge.battle_scene import BattleScene


def in_a_row(names: Sequence[str]) -> str:
    """``Red``, ``Red and Blue``, ``Red, Blue and Green``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def say_difference(what: str, said: Iterable[tuple[Sequence[str], str]]) -> str:
    """A line in which accounts differ: ``A1 fate: Red says intact, Blue and Green say destroyed``.

    ``said`` is what each account says, with the names of the sides that stand by it; those who say the same are named
    together, in the order in which each thing is said first.
    """
    who: dict[str, list[str]] = {}
    for names, words in said:
        who.setdefault(words, []).extend(names)
    each = [f"{in_a_row(names)} {'say' if len(names) > 1 else 'says'} {words}" for words, names in who.items()]
    return f"{what}: {', '.join(each)}"


NOTHING_LOST = "It is broken off without losses: every unit is as it was when it began."
"""How a battle ends by rule on whose account nobody agreed in time, where its book says nothing else."""


@dataclass(frozen=True)
class StatedEnd:
    """How a battle ends by rule on whose account nobody agreed in time: by this ``account``, a sheet; ``says`` is the
    same in a sentence for all its parties."""

    says: str
    account: Callable[[], Sheet]


HOW_IT_ENDED = "Fight it out by the sheet, then say how it ended."
"""What is asked of the parties of a battle, in a sentence."""


@dataclass(frozen=True)
class Difference:
    """A place in which accounts differ: these ``fields`` of a ``line`` of the sheet, or (none) the line as a whole.

    ``what`` it is about, and what each account that was sent has ``said`` there in words, by its force's first side;
    ``brief`` is the same as short as it goes, where that is shorter.
    """

    line: str
    fields: tuple[str, ...]
    what: str
    said: Mapping[Side, str]
    brief: Mapping[Side, str]


def field_difference(line: str, field: Field, what: str, values: Mapping[Side, Json]) -> Difference:
    """A difference in one field, in the words of its form."""
    said = {side: in_words(field, value) or "nothing" for side, value in values.items()}
    return Difference(line, (field.key,), what, said, said)


@dataclass(frozen=True)
class AccountGuide:
    """How an account is asked for and shown: what usually changes in it, and what became of whose ``units`` by a sheet
    that need not be finished, nor legal."""

    short: ShortForm
    units: Callable[[Sheet], tuple[UnitOutcome, ...]]

    def outcome(self, scene: BattleScene, sheet: Sheet) -> BattleOutcome:
        """What a picture shows of a sheet, with the sides where they stood on those of the set-up (``scene``)."""
        return BattleOutcome(
            parties=scene.parties, forces=tuple(force.sides for force in scene.forces), units=self.units(sheet)
        )
