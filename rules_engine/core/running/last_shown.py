"""What each reader may look at: play as it stood when they were last told or asked something.

Play that waits for one side stands at a moment of which the others know nothing; what they look up meanwhile must not
tell it. So a reader who is neither told nor asked goes on seeing the moment before.
"""

import pickle
from collections.abc import Iterable
from typing import Any

PUBLIC = "*"
"""Stands for everybody, among the readers."""

_UNKNOWN = b""


class LastShown:
    """The moments that readers see other than the present one. Kept in memory alone; a replay makes them again."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}
        self._opened: dict[str, Any] = {}

    def keep(self, readers: Iterable[str], moment: Any) -> None:
        """Let these readers go on seeing ``moment`` as it is now."""
        wanted = list(readers)
        if not wanted:
            return
        written = pickle.dumps(moment, pickle.HIGHEST_PROTOCOL)  # a fifth of what a deep copy takes; read by us alone
        for reader in wanted:
            self._kept[reader] = written
            self._opened.pop(reader, None)

    def forget(self, readers: Iterable[str]) -> None:
        """Note that what these readers were shown last is not known here."""
        self._kept.update(dict.fromkeys(readers, _UNKNOWN))
        self._opened.clear()

    def show_the_present(self, readers: Iterable[str]) -> None:
        """These readers were told or asked something: they see what is."""
        for reader in readers:
            self._kept.pop(reader, None)
            self._opened.pop(reader, None)

    def is_behind(self, reader: str) -> bool:
        """Whether a reader sees another moment than the present one."""
        return reader in self._kept

    def is_complete(self) -> bool:
        """Whether it is known what everybody was shown last."""
        return _UNKNOWN not in self._kept.values()

    def of(self, reader: str, present: Any) -> Any:
        """What a reader sees; nobody may change it.

        Raises:
            LookupError: when it is not known what the reader was shown last.
        """
        written = self._kept.get(reader)
        if written is None:
            return present
        if written == _UNKNOWN:
            raise LookupError("not known what was shown last; play must be restored from an older snapshot")
        if reader not in self._opened:
            self._opened[reader] = pickle.loads(written)
        return self._opened[reader]
