"""Pictures of a battle: those its thread begins with, and the film when it is over."""

import io
from typing import Any

import pytest
from PIL import Image

from bot.delivery.composing.making import UNFILMED
from bot.recording.battle_threads import DETAILS, FILM, OVER
from bot.records.effects import BattleThread, Post
from bot.records.files import FilmFile
from bot.store.tables import CampaignRow, JournalRow, OutboxRow
from rules_engine.core.knowledge.battle_scene import OwnUnits
from rules_engine.core.records.journal import JournalEntry
from tests.bot.battles.test_threads import go_back, settle
from tests.bot.battles.test_tracking import account, drop, fly, to_tracked, wish
from tests.bot.delivery.test_compose import scene_of_two
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.toy import Toy
from tests.toy_tracker import TRACKER

DAY = 24 * 3600.0
BACK = "Take back the last piece"


async def messages(here: SimulatedServer, place: str = "battle:t1") -> list[Any]:
    """What was posted in a place, in its order."""
    return [*(await here.channel(place)).history()]


async def films(here: SimulatedServer) -> list[Any]:
    """The messages of the battle's thread that are for the sake of a film."""
    return [one for one in await messages(here) if one.content.startswith(FILM)]


async def frames(message: Any) -> int:
    """How many moments the one film of a message has."""
    (file,) = message.attachments
    assert file.filename == "battle.gif"
    with Image.open(io.BytesIO(await file.read())) as film:
        assert film.format == "GIF"
        return getattr(film, "n_frames", 1)


async def last_entry(here: SimulatedServer) -> JournalEntry:
    """The journal's last entry."""
    seq = max(await here.rows(JournalRow.seq))
    return JournalEntry.model_validate_json((await here.rows(JournalRow.entry, JournalRow.seq == seq))[0])


async def closing(here: SimulatedServer) -> FilmFile:
    """The film that was queued last, as it was."""
    posts = [Post.model_validate(one) for one in (await here.rows(OutboxRow.payload, OutboxRow.kind == "post"))[::-1]]
    return next(file for post in posts for file in post.files if isinstance(file, FilmFile))


async def flown_twice(here: SimulatedServer) -> str:
    """A battle of two turns."""
    campaign = await to_tracked(here)
    await fly(here, 1)
    await fly(here, 2)
    return campaign


# --- when it is over --------------------------------------------------------------------------------------------------
async def test_it_stands_in_the_thread_once_before_that_is_closed(here: SimulatedServer) -> None:
    await flown_twice(here)
    assert await films(here) == [], "not before it is over"
    await settle(here)
    last, over = (await messages(here))[-2:]
    assert over.content.startswith(OVER)
    assert await films(here) == [last]
    assert last.content == FILM
    assert await frames(last) == 3, "its set-up, and the end of two turns"
    assert last.attachments[0].description.startswith("3 moments from the set-up on")
    assert "R1 from 5050 ends in 5650" in last.attachments[0].description


async def test_it_reaches_nobody_who_is_not_in_the_battle(here: SimulatedServer) -> None:
    """Its parties have it in its thread alone."""
    await flown_twice(here)
    await settle(here)
    assert len(await films(here)) == 1
    for place in ("public", "referee", "side:red", "side:blue"):
        for one in await messages(here, place):
            assert not one.content.startswith(FILM), place
            assert not any(file.filename.endswith(".gif") for file in one.attachments), place
    for who in (here.ann, here.leo, here.sam, here.rita, here.zoe):
        assert not any(FILM in one.content for one in here.dms(who))


async def test_at_the_deadline_it_is_posted_too_also_of_what_was_dropped(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    await drop(here, here.leo)
    assert await films(here) == []
    await account(here, here.ann, "4", "2")
    await here.later(8 * DAY)
    assert "Battle: 4 to 2." in await here.texts("public")
    (film,) = await films(here)
    assert await frames(film) == 2


async def test_what_was_taken_back_is_not_in_it(here: SimulatedServer) -> None:
    await flown_twice(here)
    await wish(here, here.ann, BACK)
    await wish(here, here.leo, f"Agree: {BACK.lower()}")
    await settle(here)
    (film,) = await films(here)
    assert await frames(film) == 2
    assert "ends in 5350" in film.attachments[0].description


@pytest.mark.parametrize("how", ["begun", "dropped"])
async def test_of_less_than_a_turn_there_is_none_and_no_word_of_it(here: SimulatedServer, how: str) -> None:
    await to_tracked(here)
    if how == "dropped":
        await drop(here, here.ann)
    said = len(await messages(here))
    await settle(here)
    texts = [one.content for one in (await messages(here))[said:]]
    assert not any(FILM in one for one in texts)
    assert texts[-1].startswith(OVER)
    assert await here.rows(OutboxRow.id, OutboxRow.status.in_(("queued", "sending", "failed"))) == []


async def test_a_battle_that_nobody_tracked_has_none(game: SimulatedServer) -> None:
    for who in (game.ann, game.leo):
        await game.press(who, "Orders for turn 1", "Ready")
    await settle(game)
    assert await films(game) == []
    assert not any('"film"' in str(one) for one in await game.rows(OutboxRow.payload))


# --- the referee goes back --------------------------------------------------------------------------------------------
async def test_where_its_end_alone_is_taken_back_it_is_not_posted_again(here: SimulatedServer) -> None:
    await flown_twice(here)
    flown = (await last_entry(here)).seq
    await settle(here)
    await go_back(here, flown)
    await settle(here)
    assert len(await films(here)) == 1
    assert (await messages(here))[-1].content.startswith(OVER)


async def test_where_it_is_flown_anew_the_film_is_of_what_stands(here: SimulatedServer) -> None:
    await to_tracked(here)
    await fly(here, 1)
    back = (await last_entry(here)).seq
    await fly(here, 2)
    await settle(here)
    old = await closing(here)
    await go_back(here, back)
    queries, campaign = here.bot.services.queries.films, (await here.rows(CampaignRow.id))[0]
    assert await queries.scenes(campaign, old, "battle:t1") is None, "had it not left yet, it would not"
    await fly(here, 2, 4, 4)
    await settle(here)
    first, second = await films(here)
    assert "ends in 5650" in first.attachments[0].description
    assert "ends in 6150" in second.attachments[0].description
    assert [await frames(one) for one in (first, second)] == [3, 3]


# --- whose it is ------------------------------------------------------------------------------------------------------
async def test_it_is_made_for_the_thread_of_its_parties_alone(here: SimulatedServer) -> None:
    campaign = await flown_twice(here)
    await settle(here)
    film, queries = await closing(here), here.bot.services.queries.films
    assert film.battle
    assert len(await queries.scenes(campaign, film, "battle:t1") or ()) == 3
    async with here.store.write() as tx:
        await tx.outbox.put(campaign, BattleThread(key="t2", name="Next", sides=("red", "blue")), now=here.now())
    for place in ("public", "side:red", "referee", "battle:t2", "side:t1", "t1", ""):
        assert await queries.scenes(campaign, film, place) is None, place
    for sides in (("red",), ("red", "blue", "green"), ()):
        others = BattleThread(key="t1", name="Another", sides=sides)
        async with here.store.write() as tx:
            await tx.outbox.put(campaign, others, now=here.now())
        assert await queries.scenes(campaign, film, "battle:t1") is None, sides


# --- a tracker that fails ---------------------------------------------------------------------------------------------
async def test_a_tracker_that_fails_now_costs_the_film_alone(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("the tracker breaks on purpose")

    await flown_twice(here)
    monkeypatch.setattr(type(TRACKER), "steps", fails)
    await settle(here)
    film, over = (await messages(here))[-2:]
    assert (film.content, film.attachments) == (f"{FILM}\n{UNFILMED}", [])
    assert over.content.startswith(OVER)
    assert "halted" not in await here.texts("public")
    assert ("red", "Orders for turn 2") in await here.open_titles()


# --- what the thread of a battle begins with: the picture to start with first, all else below it ----------------------
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
