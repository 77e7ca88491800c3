"""Numbers with the thing counted: ``1 box``, ``3 boxes``, ``2 boarding parties``."""

_ES = ("x", "ch", "sh", "s")


def plural(thing: str) -> str:
    """More than one of a thing."""
    return f"{thing}{'es' if thing.endswith(_ES) else 's'}"


def singular(things: str) -> str:
    """One of what is named in the plural; words that have none stay as they are."""
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def counted(count: int, thing: str) -> str:
    """``1 probe``, ``2 probes``, ``0 boxes``."""
    return f"{count} {thing if count == 1 else plural(thing)}"
