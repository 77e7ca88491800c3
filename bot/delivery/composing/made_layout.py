"""A message made of blocks, ready to be sent."""

from typing import Any

import discord


class MadeLayout(discord.ui.LayoutView):
    """Blocks as Discord takes them; shared, so nobody changes them. ``names`` are the files of the message they show.

    discord.py asks no more of it than what is sent: it keeps no state, and presses are routed by custom id elsewhere.
    """

    def __init__(self, sent: list[dict[str, Any]], names: tuple[str, ...] = ()) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._sent = sent
        self.names = names

    def to_components(self) -> list[dict[str, Any]]:
        """As Discord takes them."""
        return self._sent

    def has_components_v2(self) -> bool:
        """Always: also words alone are sent as a block of text."""
        return True
