"""What units may be called by their captains: by their codes, and by names that no other unit has."""

from collections.abc import Iterable
from functools import cached_property

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.form_names import folded
from rules_engine.core.forms.meanings import near, numbered_like
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical


class BattleNames:
    """The units of a battle by name, as far as a side knows them."""

    def __init__(self, battle: Tactical, side: Side) -> None:
        self.battle, self.side = battle, side

    @cached_property
    def friendly(self) -> dict[str, str]:
        """The units of the side and its allies that are there."""
        return _named(one for one in self.battle.present() if self.battle.friends(one.side, self.side))

    @cached_property
    def seen(self) -> dict[str, str]:
        """All units that are there."""
        return _named(self.battle.present())

    @cached_property
    def aboard(self) -> dict[str, str]:
        """The side's units that are still aboard another."""
        return _named(one for one in self.battle.units.values() if one.side == self.side and one.aboard)

    def like_friendly(self, word: str) -> tuple[str, ...]:
        """Units of the side and its allies with names like a word."""
        return _like(word, self.friendly)

    def like_seen(self, word: str) -> tuple[str, ...]:
        """Units with names like a word."""
        return _like(word, self.seen)

    def like_aboard(self, word: str) -> tuple[str, ...]:
        """Units aboard others with names like a word."""
        return _like(word, self.aboard)


def _named(units: Iterable[VectorShip]) -> dict[str, str]:
    by_code: dict[str, str] = {}
    by_name: dict[str, list[str]] = {}
    for one in units:
        by_code[folded(one.id)] = one.id
        by_name.setdefault(folded(one.name), []).append(one.id)
    return {name: ids[0] for name, ids in by_name.items() if len(ids) == 1} | by_code


def _like(word: str, names: dict[str, str]) -> tuple[str, ...]:
    return numbered_like(word, sorted({*names.values()})) or tuple(dict.fromkeys(near(word, names)))[:3]
