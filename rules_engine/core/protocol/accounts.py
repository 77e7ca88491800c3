"""What is said of the accounts of a battle: who stands together, and where they differ."""

from collections.abc import Iterable, Sequence


def in_a_row(names: Sequence[str]) -> str:
    """``Red``, ``Red and Blue``, ``Red, Blue and Green``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def say_difference(what: str, said: Iterable[tuple[Sequence[str], str]]) -> str:
    """A line in which accounts differ: ``A1 fate: Red says intact, Blue and Green say destroyed``.

    ``said`` is what each account says, with the names of the sides that stand by it; those who say the same are named
    together, in the order in which each thing is said first.
    """
    who: dict[str, list[str]] = {}
    for names, words in said:
        who.setdefault(words, []).extend(names)
    each = [f"{in_a_row(names)} {'say' if len(names) > 1 else 'says'} {words}" for words, names in who.items()]
    return f"{what}: {', '.join(each)}"
