"""A cache for pure functions of hashable values; the functions keep their types."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_CLEARERS: list[Callable[[], None]] = []


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results for the last ``most`` different arguments. Two threads may compute one; neither waits for it."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        cached: Any = lru_cache(maxsize=most)(function)
        _CLEARERS.append(cached.cache_clear)
        return cached

    return keep


def forget_all() -> None:
    """Empty every cache, as if the process had just started."""
    for clear in _CLEARERS:
        clear()
