"""Small campaigns with the special conditions and random events of the tables, in which chosen ones are rolled."""

from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

from bot.settings import BUILT_IN
from rules_engine.core.basics.dice import DiceStream, Die
from tests.rulebooks.pq17.playing.ordered import HERE, Force, files

NATION = """
[[campaign.nation]]
key = "{0}"
name = "{1}"
side = "{2}"
empires = ["{1}"]
home = "{3}"
entry = ["{3}"]
command_points = 9
"""
NATIONS = (("federation", "alliance", "1719"), ("kzinti", "alliance", "1001"), ("klingon", "coalition", "1715"))
CONDITION = "T1/preparatory/condition/{0}"
EVENT = "T1/preparatory/event/{0}"


@cache
def ships() -> str:
    """The classes of the shipped campaign."""
    return (BUILT_IN / "scenarios" / "pq17" / "campaign" / "ships.toml").read_text(encoding="utf-8")


def special_files(*forces: Force, hex_id: str = HERE, turns: int, more: str = "", tables: str = "") -> dict[str, str]:
    """The files of a campaign with special conditions on the campaign's own map; all forces begin in one hex."""
    nations = "".join(NATION.format(key, key.title(), side, home) for key, side, home in NATIONS)
    made = files(*forces, turns=turns, more=f'special_tables = "pq17"\n{more}', tables=nations + tables)
    scenario = made["scenario.toml"].replace(f'"{HERE}"', f'"{hex_id}"')
    return {
        "scenario.toml": scenario.replace("columns = 9\nrows = 8", "columns = 22\nrows = 17"),
        "ships.toml": ships(),
    }


def seed_of(conditions: Mapping[str, range], events: Mapping[str, tuple[int, ...]] | None = None) -> bytes:
    """The first seed under which the sides roll such special conditions (a D100) and events (two dice of 0 to 9)."""
    for number in count(1):
        seed = number.to_bytes(4, "big") * 8
        dice = DiceStream(seed)
        if all(
            dice.draw(CONDITION.format(side), 0, Die(100), 1)[0] in wanted for side, wanted in conditions.items()
        ) and all(
            sum(dice.draw(EVENT.format(side), 0, Die(10, 0), 2)) in sums for side, sums in (events or {}).items()
        ):
            return seed
    raise AssertionError("count() has no end")


def lines_of(ask: Any, **changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """An ask's sheet with these lines changed; keys with ``_`` for ``-``."""
    sheet = ask.form.prefilled()
    return {**sheet, **{key: {**sheet.get(key, {}), **line} for key, line in changes.items()}}
