"""Where the task forces of a campaign are: by hex, side, port and target, and which one a unit is in.

The index belongs to the state, whose operations on task forces (:class:`~.state.State`) keep it up to date; nothing
else may change the place, side, port, target or units of a task force that is in the state.
"""

from bisect import insort
from collections.abc import Iterable

from rules_engine.rulebooks.pq17.records.forces import TaskForce


class ForceIndex:
    """The task forces of a campaign, each list in the natural order of their ids. Ids are never empty, so what stands
    under an empty port or target is nowhere in port and shadows nobody."""

    def __init__(self, forces: Iterable[TaskForce] = ()) -> None:
        self.all: list[TaskForce] = []
        self.by_side: dict[str, list[TaskForce]] = {}
        self.by_hex: dict[str, list[TaskForce]] = {}
        self.by_port: dict[str, list[TaskForce]] = {}
        self.by_target: dict[str, list[TaskForce]] = {}
        self.by_unit: dict[str, TaskForce] = {}
        for tf in sorted(forces, key=in_order, reverse=True):  # of two that name a unit, the first has it
            self.add(tf)

    def add(self, tf: TaskForce) -> None:
        """Enter a task force."""
        insort(self.all, tf, key=in_order)
        for index, value in self._places(tf):
            insort(index.setdefault(value, []), tf, key=in_order)
        self.add_units(tf)

    def remove(self, tf: TaskForce) -> None:
        """Take a task force out."""
        _drop(self.all, tf)
        for index, value in self._places(tf):
            _drop(index[value], tf)
        self.remove_units(tf)

    def add_units(self, tf: TaskForce) -> None:
        """Enter its units."""
        self.by_unit.update(dict.fromkeys(tf.units, tf))

    def remove_units(self, tf: TaskForce) -> None:
        """Take out those of its units that are in no other task force by now."""
        for unit_id in tf.units:
            if self.by_unit.get(unit_id) is tf:
                del self.by_unit[unit_id]

    def _places(self, tf: TaskForce) -> Iterable[tuple[dict[str, list[TaskForce]], str]]:
        indexes = (self.by_side, self.by_hex, self.by_port, self.by_target)
        return zip(indexes, (tf.side, tf.hex, tf.in_port, tf.shadowing), strict=True)


def refile(index: dict[str, list[TaskForce]], tf: TaskForce, before: str, after: str) -> None:
    """Move a task force from one place of an index to another."""
    _drop(index[before], tf)
    insort(index.setdefault(after, []), tf, key=in_order)


def _drop(forces: list[TaskForce], tf: TaskForce) -> None:
    del forces[next(place for place, one in enumerate(forces) if one is tf)]


def in_order(tf: TaskForce) -> tuple[str, int]:
    """Sorts task forces by the natural order of their ids."""
    return natural_order(tf.id)


def natural_order(key: str) -> tuple[str, int]:
    """Sorts ids as people count: A2 before A10."""
    letters = key.rstrip("0123456789")
    return letters, int(key[len(letters) :] or 0)
