"""Whole campaigns at random between races with tugs: bases are set aside, built, upgraded, lost and scrapped."""

from functools import cache
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.scenario_files import intro_files, own_class
from tests.rulebooks.players import Match, never_said

HOMES = {"ash": "0202", "birch": "0602"}
POSTS = {"ash": "0204", "birch": "0604"}
SEEDS = range(1, 21)
COMES_UP = ("are set aside for", "channels", "it is complete", "upgrade of", "Nobody builds on", "is scrapped")


def builders() -> dict[str, Json]:
    """Two empires with a capital, a base station elsewhere, three tugs, and a full pool."""
    scenario = [
        'title = "Builders"\nsource = "invented"\n[victory]\nturn = 5',
        "[map]\ncolumns = 7\nrows = 5\nunsurveyed = []",
    ]
    units: list[str] = []
    for race, home in HOMES.items():
        scenario.append(
            f'[races.{race}]\nname = "{race.title()}"\nemblem = "{race[0].upper()}"\nreserve = 200\nbase_pool = 400\n'
            f'territory = ["{home}", "{POSTS[race]}"]\n'
            f'[planets.{race}_home]\nname = "{race.title()} Home"\nkind = "capital"\nhex = "{home}"\nrace = "{race}"'
        )
        for number, (kind, place) in enumerate(
            [("starbase", home), ("tug", home), ("ore_tug", home), ("tug", POSTS[race]), ("base_station", POSTS[race])]
        ):
            fleet = f'\nfleet = "{number}"' if "tug" in kind else ""
            name = f'name = "{race} {kind} {number}"'
            units.append(f'[units.{race}_{number}]\nrace = "{race}"\n{name}\ntype = "{kind}"\nhex = "{place}"{fleet}')
    files = {
        "scenario.toml": "\n".join(scenario),
        "units.toml": "\n".join(units),
        "ships.toml": intro_files()["ships.toml"] + own_class("ore_tug"),
    }
    document: dict[str, Any] = RULEBOOK.read_scenario(files)
    return document


@cache
def played(seed: int) -> Match:
    game = Match(RULEBOOK, builders(), seed)
    game.play(400)
    return game


@pytest.mark.headless
def test_all_that_befalls_bases_comes_up_in_random_play() -> None:
    assert not never_said(COMES_UP, map(played, SEEDS))


@pytest.mark.headless
def test_such_a_campaign_replays_to_the_same_end() -> None:
    game = played(1)
    assert game.replayed().digest() == game.adjudicator.digest()
