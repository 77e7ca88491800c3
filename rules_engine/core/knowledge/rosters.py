"""A side's own ships by name, so that its commanders can share them out among themselves."""

from typing import NamedTuple


class OwnShip(NamedTuple):
    """A ship of a side, or a base, as its own sheets name it.

    ``id`` and ``force`` are keys of lines on those sheets; ``force`` is empty for a ship that is in none.
    """

    id: str
    name: str
    force: str = ""
