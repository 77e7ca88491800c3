"""What only the bot asks of a rulebook, for small ones that the engine's tests have."""

import tomllib
from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.odds import OddsMenu


class Installed:
    """Its scenario is one file that is taken as it is; it knows no odds."""

    unit_class = None

    def read_scenario(self, files: Mapping[str, str]) -> dict[str, Json]:
        return tomllib.loads(files["scenario.toml"])

    def odds_menu(self, *_: Any) -> OddsMenu:
        return OddsMenu()

    def odds(self, *_: Any) -> Any:
        raise AssertionError("there are none")
