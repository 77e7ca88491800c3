"""The task forces of a campaign by id, with the lookups that every chapter makes: which task forces are in a hex, in
port with a base or shadowing another, and which one a ship is in.

Lookups are far more frequent than changes, so each uses an index that is built when it is first needed and dropped when
the data it was built from changes: the roster notes additions and removals, and a task force reports changes of its
place, port or target (:func:`note_change`). Each lookup returns a new list that its caller may change.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Generic, Protocol, TypeVar

INDEXED = ("side", "hex", "in_port", "shadowing")
"""The attributes of a task force that are indexed, besides its units."""


class ForceLike(Protocol):
    """What a roster needs of a task force."""

    id: str
    side: str
    hex: str
    units: list[str]
    in_port: str
    shadowing: str


F = TypeVar("F", bound=ForceLike)


class Changes:
    """When each indexed attribute of any task force was last changed: a number that is never used twice."""

    last: ClassVar[dict[str, object]] = {name: object() for name in INDEXED}


def note_change(name: str) -> None:
    """Record that this attribute of some task force was set."""
    if name in Changes.last:
        Changes.last[name] = object()


class Roster(dict[str, F], Generic[F]):
    """Task forces by id. Equal to any dict with the same content."""

    def __init__(self, forces: Any = ()) -> None:
        super().__init__(forces)
        self._forget()

    def _forget(self) -> None:
        self._ordered: list[F] = []
        self._by: dict[str, tuple[object, dict[str, list[F]]]] = {}
        self._holders: dict[str, F] = {}

    # --- lookups ------------------------------------------------------------------------------------------------------

    def ordered(self) -> list[F]:
        """All task forces, by natural order of their ids."""
        if not self._ordered:
            self._ordered = [self[key] for key in sorted(self, key=natural_order)]
        return list(self._ordered)

    def having(self, name: str, value: str) -> list[F]:
        """The task forces whose attribute ``name`` (one of ``INDEXED``) has this value, in natural order."""
        built, index = self._by.get(name, (None, None))
        if index is None or built is not Changes.last[name]:
            index = self._index(name)
            self._by[name] = Changes.last[name], index
        return list(index.get(value, ()))

    def _index(self, name: str) -> dict[str, list[F]]:
        index: dict[str, list[F]] = {}
        for force in self.ordered():
            index.setdefault(getattr(force, name), []).append(force)
        return index

    def holder_of(self, unit_id: str) -> F | None:
        """The task force that a unit is in."""
        holder = self._holders.get(unit_id)
        if holder is None or unit_id not in holder.units or self.get(holder.id) is not holder:
            self._holders = {unit: force for force in reversed(self.ordered()) for unit in force.units}
            holder = self._holders.get(unit_id)
        return holder

    # --- changes of membership ----------------------------------------------------------------------------------------

    def __setitem__(self, key: str, force: F) -> None:
        super().__setitem__(key, force)
        self._forget()

    def __delitem__(self, key: str) -> None:
        super().__delitem__(key)
        self._forget()

    def __ior__(self, other: Any) -> "Roster[F]":  # type: ignore[override]
        self.update(other)
        return self

    def pop(self, *arguments: Any) -> Any:
        """As a dict's."""
        return self._changed(super().pop, *arguments)

    def popitem(self) -> tuple[str, F]:
        """As a dict's."""
        return self._changed(super().popitem)

    def clear(self) -> None:
        """As a dict's."""
        self._changed(super().clear)

    def update(self, *arguments: Any, **more: Any) -> None:
        """As a dict's."""
        self._changed(super().update, *arguments, **more)

    def setdefault(self, *arguments: Any) -> Any:
        """As a dict's."""
        return self._changed(super().setdefault, *arguments)

    def _changed(self, work: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        self._forget()
        return work(*arguments, **more)


def natural_order(key: str) -> tuple[str, int]:
    """Sorts ids as people count: A2 before A10."""
    letters = key.rstrip("0123456789")
    return letters, int(key[len(letters) :] or 0)
