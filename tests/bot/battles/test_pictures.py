"""What the thread of a battle begins with: the picture to start with first, all else below it."""

import pytest

from bot.recording.battle_threads import DETAILS
from rules_engine.core.knowledge.battle_scene import OwnUnits
from tests.bot.delivery.test_compose import scene_of_two
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.toy import Toy


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles of the toy have a scene."""
    plain = Toy._battle
    labels = {"alliance": "red", "kzinti": "blue"}
    told = scene_of_two().model_dump_json()
    for name, key in labels.items():
        told = told.replace(f'"{name}"', f'"{key}"')
    scene = type(scene_of_two()).model_validate_json(told)

    def battle(table):
        ask = plain(table)
        assert ask.setup is not None
        own = {"red": OwnUnits(units=scene.units)}
        object.__setattr__(ask, "setup", ask.setup.model_copy(update={"scene": scene, "own": own}))
        return ask

    monkeypatch.setattr(Toy, "_battle", staticmethod(battle))


async def opened(here: SimulatedServer) -> list[tuple[str, list[str]]]:
    """What is said in the thread of the first battle, and the files that come with each message."""
    await here.begin()
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    thread = await here.channel("battle:t1")
    found = [(message.content, [file.filename for file in message.attachments]) for message in thread.history()]
    return sorted(found, key=lambda one: one[0] == DETAILS)


@pytest.mark.usefixtures("pictured")
async def test_the_set_up_stands_alone_in_the_first_message_and_the_rest_below(here: SimulatedServer) -> None:
    (first, shown), (second, below) = await opened(here)
    assert here.ann.mention in first
    assert shown == ["battle.png"]
    assert second == DETAILS
    assert below == ["details.png", "battle.txt"]


@pytest.mark.usefixtures("pictured")
async def test_a_sides_own_units_come_to_its_own_channel_alone(here: SimulatedServer) -> None:
    await opened(here)
    files = {
        place: [file.filename for message in (await here.channel(place)).history() for file in message.attachments]
        for place in ("side:red", "side:blue", "battle:t1")
    }
    assert "own.png" in files["side:red"]
    assert "own.png" not in files["side:blue"] + files["battle:t1"]


async def test_a_battle_that_has_words_alone_has_one_message(here: SimulatedServer) -> None:
    ((first, shown),) = await opened(here)
    assert "Battle of turn 1" in first
    assert shown == ["sheet.png", "battle.txt"]
