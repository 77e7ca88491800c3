"""What stands beside a map in words: its numbered places, by the same numbers as on its pins."""

from collections.abc import Sequence

from rules_engine.core.knowledge.glance import News

_PINS = "❶❷❸"


def pins(news: Sequence[News]) -> str:
    """A line for each numbered place, in the order of the pins; empty where there are none."""
    return "\n".join(
        f"{_PINS[place]} **{one.fact}**{f' · {one.aside}' if one.aside else ''}" for place, one in enumerate(news)
    )
