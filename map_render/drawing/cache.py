"""A cache for pure functions of hashable values; the functions keep their types."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

KEPT: list[Any] = []
"""Every cache, as `functools.lru_cache` makes them: what is kept can be counted and forgotten."""


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results for the last ``most`` different arguments. Two threads may compute one; neither waits for it."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        cached: Any = lru_cache(maxsize=most)(function)
        KEPT.append(cached)
        return cached

    return keep
