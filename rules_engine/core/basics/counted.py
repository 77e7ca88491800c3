"""Numbers with the noun they count: ``1 box``, ``3 boxes``, ``2 boarding parties``."""

_ES = ("x", "ch", "sh", "s")


def plural(thing: str) -> str:
    """The plural of a noun."""
    return f"{thing}{'es' if thing.endswith(_ES) else 's'}"


def singular(things: str) -> str:
    """The singular of a plural noun; a word without a singular is returned unchanged."""
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def counted(count: int, thing: str) -> str:
    """``1 probe``, ``2 probes``, ``0 boxes``."""
    return f"{count} {thing if count == 1 else plural(thing)}"
