"""Numbers with the noun they count."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 hex``, ``2 hexes``, ``0 points``; ``plural`` where an s is not enough."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"
