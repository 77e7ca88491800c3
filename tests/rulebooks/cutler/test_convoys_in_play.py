"""Convoys in a campaign that is entered as the bot enters it."""

from pathlib import Path

import pytest

from bot.campaigns.scenarios import InstalledScenarios
from tests.rulebooks.cutler.one_writer import only_their_own_functions_write
from tests.rulebooks.players import Match


@pytest.mark.headless
def test_random_players_send_convoys_off_and_they_arrive():
    book, scenario = InstalledScenarios(Path(__file__).resolve().parents[3] / "config").read("cutler/frontier")
    texts: list[str] = []
    for seed in range(1, 31):
        game = Match(book, scenario, seed)
        with only_their_own_functions_write():
            game.play(3)
        texts = [report.text for step in game.steps for report in step.reports]
        if any(text.startswith("Arrived in") for text in texts):
            break
    assert any(text.startswith("Arrived in") for text in texts)
