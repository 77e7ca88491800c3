"""The small rulebook of four sides on their islands, as the bot loads one: its play parts."""

from tests.bot.worlds.installed import Installed
from tests.core.strands.islands import Islands


class InstalledIslands(Installed, Islands):
    """The same with what only the bot asks of a rulebook."""


RULEBOOK = InstalledIslands(window="decision")
