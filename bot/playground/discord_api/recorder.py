"""Records the bot's requests with their answers, for checks against Discord's description and for people to read."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Exchange:
    """One request and its answer; `files` lists name and size of what was uploaded."""

    method: str
    route: str
    path: str
    query: dict[str, str]
    request: Any
    files: list[dict[str, Any]]
    status: int
    response: Any
    at: float


class Recorder:
    """Keeps the last exchanges in memory and passes each on to a file and to listeners."""

    def __init__(self, path: Path | None = None, keep: int = 2_000) -> None:
        self.exchanges: deque[Exchange] = deque(maxlen=keep)
        self.listeners: list[Callable[[Exchange], None]] = []
        self._file = None if path is None else path.open("a", encoding="utf-8")

    def record(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)
        for listener in self.listeners:
            listener(exchange)
        if self._file is not None:
            self._file.write(json.dumps(asdict(exchange), separators=(",", ":")) + "\n")
            self._file.flush()

    def listed(self) -> list[dict[str, Any]]:
        return [asdict(exchange) for exchange in self.exchanges]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
