"""Dossiers and spies among three races: what a race reads of others, on its pages, its map and its prompts, depends on
nothing that it was not told.

``/dossier`` with all that it offers is among what the watcher asks for in every test of this folder; here spies
succeed.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

SPIES = World(
    "cutler/intro",
    ("hydran", "lyran", "klingon"),
    policies={"hydran": by_default, "lyran": by_default, "klingon": by_default},
    dice={"mission": (1,)},
    turns=2,
)
"""Hydran watches; whatever is tried, succeeds."""
VICTIM = SPIES.but(sides=("klingon", "hydran", "lyran"), turns=1)
"""The Klingon watches."""


def mission(kind: str, other: str | None, ip: int = 20, against: str = "klingon") -> dict[str, Any]:
    return {"kind": kind, "against": against, "other": other, "ip": ip}


def ordering(world: World, **sheets: Mapping[str, Any]) -> World:
    """The same, where these races order this in turn 1."""
    return world.but(policies={**world.policies, **{race: cutler_sheet(lines) for race, lines in sheets.items()}})


def texts(record: Record) -> str:
    return "\n".join(line for moment in record.moments for line in moment)


def of_dossier(record: Record) -> str:
    """What the watcher read in dossiers."""
    return "\n".join(line for moment in record.moments if moment[0] == "/dossier" for line in moment)


@pytest.mark.parametrize(
    "missions",
    [
        pytest.param(
            {"M1": mission("location", "0708"), "M2": mission("resources", "0908")}, marks=pytest.mark.thorough
        ),
        {"M1": mission("planet", "forgefall"), "M2": mission("ship", "0708")},
    ],
    ids=["location", "planet"],
)
def test_what_spies_of_one_find_of_another_is_unseen_by_the_third(missions: dict[str, Any]) -> None:
    one, other = watch(SPIES), watch(ordering(SPIES, lyran=missions))
    alike(one, other)
    assert one.hidden != other.hidden, "the missions were ordered"


@pytest.mark.thorough
def test_who_is_spied_upon_cannot_tell_with_how_much_nor_what_was_found() -> None:
    # 6.5.1: the kind, the race and the target are announced, and never the points; the result is the spy's own.
    counters = {"counter": {"points": 10}}
    few = ordering(VICTIM, hydran={"M1": mission("location", "0708", ip=12)}, klingon=counters)
    many = ordering(VICTIM, hydran={"M1": mission("location", "0708", ip=40)}, klingon=counters)
    failed = few.but(dice={"mission": (6,)})
    seen = watch(few)
    alike(seen, watch(many))
    alike(seen, watch(failed))
    assert "A Hydran spy attempts Location Detection on hex 0708." in texts(seen)
    assert "spies" in of_dossier(seen)
    assert "Location Detection: " not in texts(seen)


@pytest.mark.thorough
def test_who_is_spied_upon_does_see_what_is_tried() -> None:
    """Else the test before it could not fail."""
    counters = {"counter": {"points": 10}}
    one = watch(ordering(VICTIM, hydran={"M1": mission("location", "0708")}, klingon=counters))
    other = watch(ordering(VICTIM, hydran={"M1": mission("location", "0906")}, klingon=counters))
    assert one.first_difference(other)


def elsewhere(text: str) -> str:
    """Another ship where the spies did not look."""
    name = 'name = "Redmane"\ntype = "heavy_cruiser"'
    assert name in text
    return text.replace(name, name.replace("heavy_cruiser", "command_cruiser"))


def in_sight(text: str) -> str:
    """Another ship where they did."""
    name = 'name = "Spark"\ntype = "destroyer"'
    assert name in text
    return text.replace(name, name.replace("destroyer", "frigate"))


@pytest.mark.thorough
def test_a_spy_learns_what_it_looked_at_and_nothing_else() -> None:
    spying = ordering(SPIES, hydran={"M1": mission("location", "0708")})
    seen = watch(spying)
    alike(seen, watch(spying.but(files={"units.toml": elsewhere})))
    assert "**hex 0708** · Location Detection: 6 Klingon units" in texts(seen)
    assert "spy report" in texts(seen)
    assert seen.first_difference(watch(spying.but(files={"units.toml": in_sight})))
