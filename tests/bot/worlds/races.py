"""The small rulebook of races that are drawn, as the bot loads one: its sides are seats at first."""

import tomllib
from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.odds import OddsMenu
from tests.core.races import Races


class InstalledRaces(Races):
    """The same with what only the bot asks of a rulebook."""

    unit_class = None

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        return tomllib.loads(files["scenario.toml"])

    def odds_menu(self, *_: Any) -> OddsMenu:
        return OddsMenu()

    def odds(self, *_: Any) -> Any:
        raise AssertionError("there are none")


RULEBOOK = InstalledRaces()
