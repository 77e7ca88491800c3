"""Whose lines are being run: a test's, or those of something that is made once and that several tests draw upon.

A function that remembers its results runs for the first test that asks, and for no other; so does a fixture of a whole
module. Their lines belong to all who use them. Each is therefore a context of its own, and who used it is kept.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.checkout import ROOT

AT_IMPORT = "import"
"""The context of what runs before any test."""


OURS = (str(ROOT / "rules_engine"), str(ROOT / "tests"))


class Contexts:
    """The contexts of one process. ``switch`` is told of each change."""

    def __init__(self, switch: Callable[[str], None]) -> None:
        self._switch = switch
        self._stack = [AT_IMPORT]
        self.uses: dict[str, set[str]] = {}
        """Which contexts each has drawn upon."""
        self.opened: dict[str, set[str]] = {}
        """Which files each has opened, as paths from the checkout."""
        switch(AT_IMPORT)

    @contextmanager
    def entered(self, name: str) -> Iterator[None]:
        """What runs meanwhile belongs to ``name``."""
        self._stack.append(name)
        self._switch(name)
        try:
            yield
        finally:
            self._stack.pop()
            self._switch(self._stack[-1])

    def used(self, name: str) -> None:
        """The present context draws upon ``name``."""
        self.uses.setdefault(self._stack[-1], set()).add(name)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Hears of files that are opened (a hook of :func:`sys.addaudithook`)."""
        if event == "open" and isinstance(arguments[0], str | Path):
            text = str(arguments[0])
            if "config" in text and (file := Path(text).absolute()).is_relative_to(ROOT / "config"):
                path = file.relative_to(ROOT).as_posix()
                self.opened.setdefault(self._stack[-1], set()).add(path)

    # --- what remembers -----------------------------------------------------------------------------------------------

    def remembered(self, function: Callable[..., Any], remember: Callable[..., Any]) -> Any:
        """``remember(function)`` whose misses are a context of their own, and whose every call is a use of it."""
        name = f"cache:{function.__module__}.{function.__qualname__}"

        @functools.wraps(function)
        def missed(*arguments: Any, **named: Any) -> Any:
            with self.entered(name):
                return function(*arguments, **named)

        inner = remember(missed)

        @functools.wraps(function)
        def asked(*arguments: Any, **named: Any) -> Any:
            self.used(name)
            return inner(*arguments, **named)

        for part in ("cache_clear", "cache_info", "cache_parameters"):
            setattr(asked, part, getattr(inner, part))
        return asked

    def watch_caches(self) -> None:
        """From now on functions of this checkout that are decorated by :mod:`functools` are watched."""
        lru_cache, contexts = functools.lru_cache, self

        def of_ours(function: Callable[..., Any]) -> bool:
            code = getattr(function, "__code__", None)
            return code is not None and code.co_filename.startswith(OURS)

        def watched_lru(maxsize: Any = 128, typed: bool = False) -> Any:
            if callable(maxsize):
                return contexts.remembered(maxsize, lru_cache) if of_ours(maxsize) else lru_cache(maxsize)
            remember = lru_cache(maxsize, typed)
            return lambda one: contexts.remembered(one, remember) if of_ours(one) else remember(one)

        class WatchedProperty(functools.cached_property[Any]):
            """Asked each time, since it takes part in setting, too."""

            def __get__(self, instance: Any, owner: Any = None) -> Any:
                if instance is None or self.attrname is None or not of_ours(self.func):
                    return super().__get__(instance, owner)
                name = f"cache:{self.func.__module__}.{self.func.__qualname__}"
                contexts.used(name)
                if self.attrname not in instance.__dict__:
                    with contexts.entered(name):
                        instance.__dict__[self.attrname] = self.func(instance)
                return instance.__dict__[self.attrname]

            def __set__(self, instance: Any, value: Any) -> None:
                instance.__dict__[self.attrname or ""] = value

            def __delete__(self, instance: Any) -> None:
                del instance.__dict__[self.attrname or ""]

        WatchedProperty.__module__ = "functools"  # by which models know what is no field of theirs
        functools.lru_cache = watched_lru  # type: ignore[assignment]
        functools.cache = watched_lru(None)  # type: ignore[assignment]
        functools.cached_property = WatchedProperty  # type: ignore[misc]


def drawn_upon(name: str, uses: Mapping[str, Iterable[str]]) -> set[str]:
    """``name`` and every context that it draws upon, however indirectly."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += uses.get(one, ())
    return found
