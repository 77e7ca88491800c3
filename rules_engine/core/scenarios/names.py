"""Defects that all scenarios have in common: unknown names and doubled ones."""

from collections import Counter
from collections.abc import Iterable

from rules_engine.core.basics.refusals import Refusal, malformed, nearest

NAMED = 6
"""How many names a refusal lists."""


def unknown(key: str | None, known: Iterable[str], what: str, path: str) -> Iterable[Refusal]:
    """That a key names nothing, with those that may have been meant; None names nothing and need not."""
    keys = list(known)
    if key is not None and key not in keys:
        some = sorted(keys)[:NAMED]
        legal = f"{', '.join(some)}{' and others' if len(keys) > NAMED else ''}" or f"there is no {what} yet"
        yield malformed(f"{key} is no {what}", path, legal=legal, nearest=nearest(key, keys))


def doubled(keys: Iterable[str], path: str) -> Iterable[Refusal]:
    """That a key is given more than once."""
    for key, count in Counter(keys).items():
        if count > 1:
            yield malformed(f"{key} is given {count} times", path, legal="each once")
