"""What each reader may look at: play as it stood when they were last told or asked something.

Play that waits for one side stands at a moment of which the others know nothing; what they look up meanwhile must not
tell it. So a reader who is neither told nor asked goes on seeing the moment before.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

M = TypeVar("M")

PUBLIC = "*"
"""Stands for everybody, among the readers."""


class LastShown(Generic[M]):
    """The moments that readers see other than the present one. Kept in memory alone; a replay makes them again."""

    def __init__(self) -> None:
        self._kept: dict[str, M | None] = {}
        """None: it is not known what the reader was shown last."""

    def keep(self, readers: Iterable[str], moment: M) -> None:
        """Let these readers go on seeing ``moment``."""
        self._kept.update(dict.fromkeys(readers, moment))

    def forget(self, readers: Iterable[str]) -> None:
        """Note that what these readers were shown last is not known here."""
        self._kept.update(dict.fromkeys(readers))

    def show_the_present(self, readers: Iterable[str]) -> None:
        """These readers were told or asked something: they see what is."""
        for reader in readers:
            self._kept.pop(reader, None)

    def is_behind(self, reader: str) -> bool:
        """Whether a reader sees another moment than the present one."""
        return reader in self._kept

    def is_complete(self) -> bool:
        """Whether it is known what everybody was shown last."""
        return None not in self._kept.values()

    def of(self, reader: str) -> M | None:
        """The moment that a reader sees; None for the present one.

        Raises:
            LookupError: when it is not known what the reader was shown last.
        """
        if reader not in self._kept:
            return None
        moment = self._kept[reader]
        if moment is None:
            raise LookupError("not known what was shown last; play must be restored from an older snapshot")
        return moment
