"""Whole campaigns at random in which PFs begin docked. 2.4.1.7, 2.6.1, CU-R23"""

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.armed import files
from tests.rulebooks.cutler.one_writer import only_their_own_functions_write
from tests.rulebooks.cutler.scenario_files import own_class
from tests.rulebooks.players import Match, never_said

# --- scenarios -------------------------------------------------------------------------------------------------------

TENDERS = own_class("tender") + own_class("patrol")


def with_tenders(change: str = "", to: str = "", *, turns: int = 2) -> dict[str, str]:
    """The files of a scenario of three empires, each of whose fleets is a tender with docked PFs and a cruiser."""
    stands = {"Ash": ["0403", "0504"], "Birch": ["0404", "0405"], "Cedar": ["0404", "0503"]}
    made = files(stands, turns=turns)
    text = made["units.toml"].replace('type = "destroyer"', 'type = "tender"')
    text = text.replace('type = "frigate"', 'type = "patrol"')
    parts = text.split("\n[units.")
    for number, part in enumerate(parts):
        if 'type = "patrol"' in part:
            key = part.removeprefix("[units.").partition("]")[0]
            parts[number] = f'{part}\ndocked_on = "{key[:-1]}1"'
    made["units.toml"] = "\n[units.".join(parts).replace(change, to, 1) if change else "\n[units.".join(parts)
    made["ships.toml"] += TENDERS
    return made


COMES_UP = ("Lost in the docks of", "Got away from", "and captured with it:")


@pytest.mark.headless
@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1", "3.3.7")
def test_all_that_befalls_docked_pfs_comes_up_in_random_play():
    games: list[Match] = []
    for seed in range(1, 31):
        game = Match(RULEBOOK, RULEBOOK.read_scenario(with_tenders()), seed)
        with only_their_own_functions_write():
            game.play(400)
        games.append(game)
        if not never_said(COMES_UP, games):
            break
    assert not never_said(COMES_UP, games)
    assert games[0].replayed().digest() == games[0].adjudicator.digest()
