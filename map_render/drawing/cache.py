"""A cache for pure functions of hashable values; the functions keep their types.

All pictures that are kept have one bound in bytes, however many themes, maps and rulebooks one process draws.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

from PIL import Image

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 64 * 1024 * 1024
"""What all pictures that are kept may take together. A map of the largest kind needs some ten megabytes."""
LOOKED_AFTER = 4 * 1024 * 1024
"""Bytes of new pictures after which it is looked whether too many are kept."""

KEPT: list[Any] = []
"""Every cache, as `functools.lru_cache` makes them: what is kept can be counted and forgotten."""


class _Account:
    """What the pictures of one cache take. Those that a cache has dropped for newer ones are not told from those that
    it keeps: each counts as much as they do on average."""

    def __init__(self) -> None:
        self.cached: Any = None
        self.made = 0
        """Bytes of the pictures that were made since the cache was empty."""

    def held(self) -> float:
        """Bytes of the pictures that are kept, about."""
        info = self.cached.cache_info()
        return self.made * info.currsize / info.misses if info.misses else 0.0

    def forget(self) -> None:
        """Empty the cache."""
        self.cached.cache_clear()
        self.made = 0


_accounts: list[_Account] = []
_looking = Lock()
_new = 0


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep the results for the last ``most`` different arguments. Two threads may compute one; neither waits for it."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        account = _Account()

        @wraps(function)
        def weighed(*args: P.args, **options: P.kwargs) -> T:
            made = function(*args, **options)
            if weight := weight_of(made):
                _note(account, weight)
            return made

        account.cached = lru_cache(maxsize=most)(weighed)  # outside, so that what is found is given as fast as ever
        _accounts.append(account)
        KEPT.append(account.cached)
        return account.cached

    return keep


def weight_of(made: object) -> int:
    """The bytes of the pictures in a result."""
    if isinstance(made, Image.Image):
        return made.width * made.height * len(made.getbands())
    return sum(map(weight_of, cast("tuple[object, ...]", made))) if isinstance(made, tuple) else 0


def bytes_kept() -> float:
    """What all pictures that are kept take, about."""
    return sum(account.held() for account in _accounts)


def _note(account: _Account, weight: int) -> None:
    global _new  # noqa: PLW0603  one figure for the whole process, under one lock
    with _looking:
        account.made = weight if account.cached.cache_info().misses <= 1 else account.made + weight
        _new += weight
        if _new < LOOKED_AFTER:
            return
        _new = 0
        held = sorted(((one.held(), number) for number, one in enumerate(_accounts)), reverse=True)
        total = sum(size for size, _ in held)
        for size, number in held:  # few are large; what was thrown away and is wanted again is drawn again
            if total <= MOST_BYTES:
                return
            _accounts[number].forget()
            total -= size
