"""The small rulebook of races that are drawn, as the bot loads one: its sides are seats at first."""

from tests.bot.worlds.installed import Installed
from tests.core.races import Races


class InstalledRaces(Installed, Races):
    """The same with what only the bot asks of a rulebook."""


RULEBOOK = InstalledRaces()
