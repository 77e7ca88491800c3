"""What a text, or anything else, must hold and must not: checked in one line, and missed by name."""

from collections.abc import Container, Iterable
from typing import Any


def has_words(text: Container[Any], *words: Any, never: Iterable[Any] | str = ()) -> None:
    """Check that all of these words stand in a text, and none of those that may not."""
    missing = [word for word in words if word not in text]
    surplus = [word for word in ((never,) if isinstance(never, str) else never) if word in text]
    assert not missing, f"{missing} should stand in: {text}"
    assert not surplus, f"{surplus} should not stand in: {text}"
