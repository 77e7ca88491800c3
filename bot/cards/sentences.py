"""Words of rulebooks and people, joined to what follows: a question keeps its mark, and no sentence has two ends."""

_ENDS = ".?!…"

MOST_HEADING_WORDS = 6


def sentence(words: str) -> str:
    """Words as a sentence: with a full stop, unless they end otherwise."""
    return words if _end(words) in _ENDS else f"{words}."


def leading(words: str, then: str) -> str:
    """Words that lead to others: ``Turn 1: nothing new``, but ``Whom to search? Nothing saved yet``."""
    if _end(words) not in _ENDS:
        return f"{words}: {then}"
    return f"{words} {then[:1].upper()}{then[1:]}"


def refused(words: str) -> str:
    """The heading of what was not accepted, in six words at most."""
    said = leading(words, "not accepted")
    return said if len(said.split()) <= MOST_HEADING_WORDS else "Not accepted"


def _end(words: str) -> str:
    """The last sign of words, whatever marks of Discord's stand behind it."""
    return words.rstrip("*_ ")[-1:] or "."
