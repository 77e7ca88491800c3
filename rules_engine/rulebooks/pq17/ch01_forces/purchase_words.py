"""How purchases are written: ``6 CA, 2 CAC + AWR refit, DDS drones 4 options 5``.

Items are separated by commas: a count (1 if none is given), a class with or without its builder's mark, refits after
plus signs, and points for a ship's drones and commander's options. The same notation gives the units a task force
begins with; there ships may also be given by name. Reading is pure; whether it may be bought is judged elsewhere.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.refusals import Refusal, ambiguous, malformed, nearest
from rules_engine.core.forms.item_lists import ItemNotation, named_additions, pieces
from rules_engine.core.forms.misfits import listed
from rules_engine.rulebooks.pq17.ch01_forces.new_units import short_class
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

_NOTATION = ItemNotation(("drones", "options"), "points")
MOST_LISTED = 60
"""The most classes that a refusal lists."""
Offered = Callable[[], Sequence[ShipClass]]
"""The classes to be listed where one is not understood; worked out only then."""


@dataclass(frozen=True)
class Item:
    """One item of a purchase. ``drones`` and ``options`` are points for each ship."""

    count: int
    kind: ShipClass
    refits: tuple[str, ...] = ()
    drones: Fraction = Fraction(0)
    options: Fraction = Fraction(0)

    def __str__(self) -> str:
        """As it is written."""
        words = [f"{self.count} {short_class(self.kind.class_id)}", *(f"+ {refit}" for refit in self.refits)]
        words += [f"drones {self.drones}"] if self.drones else []
        words += [f"options {self.options}"] if self.options else []
        return " ".join(words)


def read_items(
    text: str, catalogue: Sequence[ShipClass], path: str, offered: Offered | None = None
) -> tuple[list[Item], list[Refusal]]:
    """The items of a text, classes taken from ``catalogue``, and a refusal for each part that cannot be read. It lists
    what is ``offered``, or else the catalogue."""
    items: list[Item] = []
    refusals: list[Refusal] = []
    for part in pieces(text):
        item, wrong = _read_item(part, catalogue, path, offered)
        refusals += wrong
        if item is not None:
            items.append(item)
    return items, refusals


def write_items(items: Iterable[Item]) -> str:
    """The reverse of :func:`read_items`."""
    return ", ".join(map(str, items))


def _read_item(
    part: str, catalogue: Sequence[ShipClass], path: str, offered: Offered | None
) -> tuple[Item | None, list[Refusal]]:
    listed_item, refusals = _NOTATION.read(part, path, "a class")
    kind, wrong = find_class(listed_item.name, catalogue, path, offered)
    refusals += wrong
    if kind is None:
        return None, refusals
    refits, wrong = _refits(kind, listed_item.additions, path)
    refusals += wrong
    zero, extras = Fraction(0), listed_item.extras
    return Item(listed_item.count, kind, refits, extras.get("drones", zero), extras.get("options", zero)), refusals


def said_twice(text: str, path: str) -> list[Refusal]:
    """Points of an item that are said twice, of which one alone would count."""
    return _NOTATION.said_twice(text, path)


def find_class(
    word: str, catalogue: Sequence[ShipClass], path: str, offered: Offered | None = None
) -> tuple[ShipClass | None, list[Refusal]]:
    """The class that a word means: by id, by id without its builder's mark, or by name, in any case."""
    wanted = word.casefold().replace(" ", "-")
    for name in (_full_id, _short_id, _name):
        found = [kind for kind in catalogue if name(kind) == wanted]
        if len(found) == 1:
            return found[0], []
        if found:
            return None, [ambiguous(f"“{word}” names several classes", path, nearest=[one.class_id for one in found])]
    listed_here = catalogue if offered is None else offered()
    near = nearest(word, {short_class(kind.class_id): kind for kind in listed_here})
    problem = f"“{word}” is no class that can be had here"
    return None, [malformed(problem, path, legal=_legal(listed_here), nearest=near)]


def _legal(catalogue: Sequence[ShipClass]) -> str:
    """How an item is written, by an example, and the classes there are."""
    if not catalogue:
        return "nothing can be had here"
    names = [short_class(kind.class_id) for kind in catalogue]
    return f"a number and a class, such as “2 {names[0]}”, several with commas; classes: {listed(names, MOST_LISTED)}"


def _full_id(kind: ShipClass) -> str:
    return kind.class_id.casefold()


def _short_id(kind: ShipClass) -> str:
    return short_class(kind.class_id).casefold()


def _name(kind: ShipClass) -> str:
    return kind.name.casefold().replace(" ", "-")


def _refits(kind: ShipClass, wanted: Sequence[str], path: str) -> tuple[tuple[str, ...], list[Refusal]]:
    known = list({refit.name.casefold(): refit.name for refit in kind.refits}.values())

    def unknown(word: str) -> Refusal:
        problem = f"{short_class(kind.class_id)} has no refit “{word}”"
        return malformed(problem, path, legal=", ".join(known) or "it has none", nearest=nearest(word, known))

    return named_additions(wanted, known, path, each="refit", unknown=unknown)
