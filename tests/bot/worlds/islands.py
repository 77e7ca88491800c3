"""The small rulebook of four sides on their islands, as the bot loads one: its play parts."""

import tomllib
from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.odds import OddsMenu
from tests.core.strands.islands import Islands


class InstalledIslands(Islands):
    """The same with what only the bot asks of a rulebook."""

    unit_class = None

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        return tomllib.loads(files["scenario.toml"])

    def odds_menu(self, *_: Any) -> OddsMenu:
        return OddsMenu()

    def odds(self, *_: Any) -> Any:
        raise AssertionError("there are none")


RULEBOOK = InstalledIslands(window="decision")
