"""Faults on demand: a test asks that the next requests of a kind fail, are delayed or lose their connection."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

_PARAMETER = re.compile(r"\{[^}]*\}")


def normal_route(route: str) -> str:
    """A route without its parameters' names: `GET /channels/{id}` and `GET /channels/{channel}` are the same."""
    return _PARAMETER.sub("{}", route.strip())


@dataclass(slots=True)
class Fault:
    """One kind of fault for the next `count` requests on `route` (None: on any)."""

    kind: Literal["rate_limit", "error", "cut_before", "cut_after", "delay"]
    count: int
    route: str | None = None
    status: int = 500
    seconds: float = 0.0
    everywhere: bool = False
    scope: str = "user"

    def matches(self, route: str) -> bool:
        if self.count <= 0:
            return False
        if self.route is None:
            return True
        wanted = normal_route(self.route)
        return wanted == (normal_route(route) if " " in wanted else route.split(" ", 1)[0])


class Faults:
    """The pending faults, oldest first."""

    def __init__(self) -> None:
        self._pending: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._pending.append(fault)

    def clear(self) -> None:
        self._pending.clear()

    def take(self, route: str) -> Fault | None:
        """The oldest pending fault that matches this request, if any; its count goes down by one."""
        if not self._pending:
            return None
        for fault in self._pending:
            if fault.matches(route):
                fault.count -= 1
                if not fault.count:
                    self._pending.remove(fault)
                return fault
        return None

    def listed(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self._pending]
