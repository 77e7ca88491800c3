"""Pictures in messages: maps in cards, and several pictures in one message."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.delivery import exit as way_out
from bot.delivery.composing.layouts import with_wide_pictures
from bot.delivery.composing.making import UNDRAWN, Audience, FileMaking, MadeFiles
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import Attachment, Message
from bot.errors import Sorry
from bot.interactions.late_pictures import LatePictures
from bot.orders.pictures import PicturesToFollow
from bot.records.components import Card
from bot.records.effects import Effect, Post, Refresh, Revoke
from bot.records.files import CardMapFile
from bot.store.tables import OutboxRow
from bot.store.transaction import Transaction
from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, Course, SideView
from rules_engine.core.running.position import Position
from tests.bot.delivery.frames import png, shape, shown
from tests.bot.delivery.test_compose import pressed
from tests.bot.delivery.world import World
from tests.bot.worlds.framed import Drawn, frame_cards, framed, note_maps
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.message_words import pressable, words_of
from tests.patience import PATIENCE

MAP = framed(Card("A map."), "red")
TURN = "Orders for turn 1"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """What is drawn."""
    return note_maps(monkeypatch)


async def put(here: SimulatedServer, campaign: str, *effects: Effect) -> None:
    async with here.store.write() as tx:
        await tx.outbox.put(campaign, *effects, now=here.now())
    await asyncio.wait_for(here.bot.delivery.settled(), PATIENCE)
    await here.env.settle()


def stored(here: SimulatedServer, message: Any) -> Any:
    return here.env.backend.get_message(message.channel.id, message.id)


async def test_a_map_shows_what_its_reader_sees_when_it_leaves(here: SimulatedServer, drawn: Drawn) -> None:
    campaign = await here.begin()
    await put(here, campaign, Post(dm=here.ann.id, content="A map.", card=MAP, fallback="side:red"))
    message = stored(here, here.dms(here.ann)[-1])
    assert shape(message) == [17, 10, 12]
    (item,) = message.components[0]["components"][1]["items"]
    assert item["description"] == "A map of red."
    assert shown(message) == [message.attachments[0]["filename"]]
    assert drawn == [(await here.bot.services.queries.views.of_side(campaign, here.ann.id), ("0101",), "")]


@pytest.mark.parametrize("where", ["leo", "rita", "public", "side:blue", "referee"])
async def test_nobody_else_gets_a_sides_map(here: SimulatedServer, drawn: Drawn, where: str) -> None:
    campaign = await here.begin()
    at = {"dm": here.people[where].id} if where in here.people else {"place": where}
    await put(here, campaign, Post(content="A map.", card=MAP, **at))
    messages = here.dms(here.people[where]) if where in here.people else (await here.channel(where)).history()
    message = stored(here, messages[-1])
    assert (words_of(message), message.attachments) == (f"A map.\n{UNDRAWN}", [])
    assert drawn == []


async def test_the_sides_channel_gets_it_while_only_the_side_sees_that(here: SimulatedServer, drawn: Drawn) -> None:
    campaign = await here.begin()
    await put(here, campaign, Post(place="side:red", content="A map.", card=MAP))
    assert len((await here.channel("side:red")).history()[-1].attachments) == 1
    views = here.bot.services.queries.views
    assert (await views.shown_in(campaign, "red", "side:red")).side == "red"
    await here.bot.delivery.stop()
    await put(here, campaign, Revoke(user_id=here.abe.id, role="side:red"))
    with pytest.raises(Sorry) as refused:
        await views.shown_in(campaign, "red", "side:red")
    assert "may still see" in refused.value.text
    assert (await views.shown_in(campaign, "blue", "side:blue")).side == "blue"


async def test_what_tells_of_a_moment_shows_that_moment_however_late_it_leaves(here: SimulatedServer, drawn: Drawn):
    campaign = await here.begin()
    views = here.bot.services.queries.views
    then, theirs = await views.of_side(campaign, here.ann.id), await views.of_side(campaign, here.leo.id)
    await here.fill(here.ann, TURN, "0.0", f0="7")
    for _ in ("the orders", "the spoils"):
        await here.resolve_now()
    told = replace(MAP, files=(CardMapFile(side="red", area=("0101",), view=then),))
    await put(here, campaign, Post(place="side:red", content="Then.", card=told))
    await put(here, campaign, Post(place="side:red", content="Now.", card=MAP))
    assert [view.board.heading for view, *_ in drawn] == ["Turn 1", "Turn 2"]
    wrong = replace(MAP, files=(CardMapFile(side="red", area=("0101",), view=theirs),))
    for place, card in (("side:blue", told), ("public", told), ("side:red", wrong)):
        await put(here, campaign, Post(place=place, content="A map.", card=card))
        assert UNDRAWN in words_of((await here.channel(place)).history()[-1])
    assert len(drawn) == 2


async def test_whoever_left_a_side_is_shown_nothing_of_it_any_more(here: SimulatedServer, drawn: Drawn) -> None:
    """A card that was on its way, or is shown anew, when its reader handed the seat over."""
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start", campaign=campaign)
    token = await here.token("red", "orders")
    before = {who: stored(here, here.prompt(who, TURN)) for who in (here.ann, here.abe)}
    await here.slash(here.ann, "campaign leave", campaign=campaign)
    await put(here, campaign, *(Refresh(token=token, card=MAP, dm=who.id) for who in before))
    assert {who: len(message.attachments) for who, message in before.items()} == {here.ann: 0, here.abe: 1}
    assert UNDRAWN in words_of(before[here.ann])
    assert [view.side for view, *_ in drawn] == ["red"]


async def test_a_map_on_which_nothing_changed_is_not_drawn_again(here: SimulatedServer, drawn: Drawn) -> None:
    campaign = await here.begin()
    post = Post(dm=here.ann.id, content="A map.", card=MAP, fallback="side:red")
    await put(here, campaign, post, post)
    assert len(drawn) == 1
    await here.fill(here.ann, TURN, "0.0", f0="7")
    for _ in ("the orders", "the spoils"):
        await here.resolve_now()
    await put(here, campaign, post)
    assert [view.board.heading for view, *_ in drawn] == ["Turn 1", "Turn 2"]


async def test_a_map_that_somebody_gets_alone_looks_as_they_chose(here: SimulatedServer, drawn: Drawn) -> None:
    campaign = await here.begin()
    await here.bot.services.seats.map_themes.choose_for_all(campaign, here.rita.id, "dark")
    await here.bot.services.seats.map_themes.choose(here.ann.id, "paper")
    await put(here, campaign, Post(dm=here.ann.id, content="A map.", card=MAP))
    await put(here, campaign, Post(place="side:red", content="A map.", card=MAP))
    assert [theme for *_, theme in drawn] == ["paper", "dark"]


async def test_a_press_shows_the_map_as_it_is_by_then(
    here: SimulatedServer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame_cards(monkeypatch)
    await here.begin()
    await here.press(here.ann, TURN, "Ready")
    assert [view.side for view, *_ in drawn].count("red") == 1, "what did not change"
    assert len(here.prompt(here.ann, TURN).attachments) == 1


@pytest.fixture
def plotted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hexes to which the fleet of red is to go, by its own saved orders: the last of these."""
    plots: list[str] = []
    plain = Position.view

    def view(self: Any, side: str) -> SideView:
        seen = plain(self, side)
        courses = tuple(Course(counter="red1", kind="plotted", hexes=("0101", where)) for where in plots[-1:])
        return seen.model_copy(update={"board": seen.board.model_copy(update={"courses": courses})})

    monkeypatch.setattr(Position, "view", view)
    return plots


async def when_drawn(here: SimulatedServer) -> None:
    """The moment after the last press is over, and all that was put off is done."""
    await here.later(3700)
    here.bot.delivery.kick()
    await here.bot.delivery.settled()
    await here.env.settle()


async def test_an_answer_waits_for_no_picture_of_what_was_saved_just_now(
    here: SimulatedServer, drawn: Drawn, plotted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture before stays, and one comes a moment behind the last of several presses, though the bot ended."""
    frame_cards(monkeypatch)
    monkeypatch.setattr(PicturesToFollow, "after", timedelta(hours=1))
    await here.begin()
    before = stored(here, here.prompt(here.ann, TURN)).attachments
    drawn.clear()
    for where, number in (("0102", "3"), ("0103", "4")):
        plotted.append(where)
        await here.fill(here.ann, TURN, "0.0", f0=number)
        message = stored(here, here.prompt(here.ann, TURN))
        assert f"number {number}" in words_of(message)
        assert (message.attachments, drawn) == (before, [])
    await here.restart()
    await when_drawn(here)
    assert [view.board.courses[0].hexes[-1] for view, *_ in drawn] == ["0103"]
    assert (message.attachments[0]["filename"] != before[0]["filename"], shape(message)[:3]) == (True, [17, 10, 12])
    assert "number 4" in words_of(message)
    plotted.append("0102")
    await here.fill(here.ann, TURN, "0.0", f0="5")
    await here.press(here.ann, TURN, "Ready")
    await here.press(here.leo, TURN, "Ready")
    await when_drawn(here)
    assert (message.attachments, pressable(message)) == ([], []), "closed meanwhile, it is left alone"
    assert here.failures() == []


async def test_a_picture_that_follows_is_put_down_with_the_answer_itself(
    here: SimulatedServer, drawn: Drawn, plotted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One commit for both, and no wish where the picture is at hand."""
    frame_cards(monkeypatch)
    monkeypatch.setattr(PicturesToFollow, "after", timedelta(hours=1))
    await here.begin()
    drawn.clear()
    commits: list[list[str]] = []
    tell = here.store._tell

    def told(tx: Transaction) -> None:
        commits.append([name for name in ("journal", "outbox") if name in tx.__dict__])
        tell(tx)

    here.store.tell_of_commits(told)
    plotted.append("0102")
    await here.fill(here.ann, TURN, "0.0", f0="3")
    assert commits == [["journal", "outbox"]]
    (wish,) = await here.rows(OutboxRow.payload, OutboxRow.kind == "redraw")
    assert "number 3" in json.dumps(wish)
    await here.fill(here.ann, TURN, "0.0", f0="5")
    wishes = await here.rows(OutboxRow.id, OutboxRow.kind == "redraw")
    assert len(wishes) == 2, "the same course, still not drawn"
    await when_drawn(here)
    assert len(drawn) == 1
    commits.clear()
    await here.fill(here.ann, TURN, "0.0", f0="6")
    assert commits[0] == ["journal", "outbox"]
    assert {*await here.rows(OutboxRow.id, OutboxRow.kind == "redraw")} <= {*wishes}, "nothing but words changed"
    assert here.failures() == []


async def test_an_answer_for_one_pair_of_eyes_gets_its_picture_a_moment_later(
    here: SimulatedServer, drawn: Drawn, plotted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row can reach it; what it is answered with is as good a way."""
    frame_cards(monkeypatch)
    here.bot.late = LatePictures(after=3600)
    await here.begin()
    plotted.append("0102")
    drawn.clear()
    answer = (await here.slash(here.ann, "orders show", sheet=TURN)).response
    assert answer is not None
    (before,) = answer.attachments
    assert drawn == []
    ((user_id, timer),) = here.bot.late._timers.items()
    _, bring = timer._args  # type: ignore[attr-defined]
    timer.cancel()
    here.bot.late._begin(user_id, bring)
    await asyncio.gather(*here.bot.late._tasks)
    await here.env.settle()
    (after,) = here.env.backend.get_message(here.hall.id, answer.id).attachments
    assert ([view.board.courses[0].hexes[-1] for view, *_ in drawn], after != before) == (["0102"], True)
    assert await here.rows(OutboxRow.id, OutboxRow.kind == "redraw") == []


async def test_a_map_on_which_more_than_own_plots_changed_is_never_shown_in_haste(here: SimulatedServer, drawn: Drawn):
    campaign = await here.begin()
    files, audience = here.bot.files, Audience(here.ann.id)
    first = await files.made(MAP.files, campaign, audience, "", in_haste=True)
    await here.fill(here.ann, TURN, "0.0", f0="7")
    for _ in ("the orders", "the spoils"):
        await here.resolve_now()
    second = await files.made(MAP.files, campaign, audience, "", in_haste=True)
    assert (first.current, second.current, len(drawn)) == (True, True, 2)
    assert first.files != second.files


@pytest.mark.pictures
@pytest.mark.parametrize("area", [(), ("0203",)], ids=["whole", "crop"])
async def test_the_picture_is_the_map_of_that_view(area: tuple[str, ...]) -> None:
    """Drawn in earnest: two worlds that differ in nothing that the side sees give the same bytes."""
    sides = (SideLabel(key="red", name="Red", emblem="R"), SideLabel(key="blue", name="Blue", emblem="B"))
    board = Board(
        campaign="c", rulebook="pq17", heading="Turn 1", when=When(turn=1), sides=sides, grid=Grid(columns=6, rows=6),
        counters=(Counter(id="A1", hex="0203", owner="red", label="A1"),),
    )  # fmt: skip
    moved = board.model_copy(update={"counters": (Counter(id="A1", hex="0204", owner="red", label="A1"),)})

    async def made(seen: Board) -> Any:
        async def look_up(*_: Any) -> SideView:
            return SideView(side="red", board=seen)

        made = await FileMaking(Drawing(), look_up).made([CardMapFile(side="red", area=area)], "c", Audience(1), "")
        assert made.notes == ()
        return made.files

    assert await made(board) == await made(Board.model_validate_json(board.model_dump_json()))
    assert await made(board) != await made(moved)


# --- messages with several pictures: frames in which each has a line of its own, since clients would halve them -------
SEVERAL = Message("A map.", (png(), replace(png("white"), name="map-1.png"), Attachment("list.txt", b"all of it")))


async def test_several_pictures_stand_below_each_other_and_one_is_an_ordinary_message() -> None:
    """Clients show those of an ordinary message side by side, half as wide."""
    made = with_wide_pictures(SEVERAL).layout
    assert made is not None
    found = [(one["type"], len(one.get("items", ()))) for one in made.to_components()]
    assert found == [(10, 0), (12, 1), (12, 1), (13, 0)]
    pictures = [one["items"][0] for one in made.to_components() if "items" in one]
    assert [one["media"]["url"] for one in pictures] == ["attachment://map.png", "attachment://map-1.png"]
    assert [one["description"] for one in pictures] == ["A map.", "A map."]
    for message in (replace(SEVERAL, files=SEVERAL.files[1:]), replace(SEVERAL, text="")):
        assert with_wide_pictures(message) is message


async def test_what_discord_would_not_take_as_a_frame_stays_ordinary() -> None:
    wordy = tuple(replace(png(), name=f"map-{n}.png", alt="é" * 1_024) for n in range(2))
    for message in (Message("A map.", wordy), replace(SEVERAL, text="line\n" * 500)):
        assert with_wide_pictures(message) is message


async def test_a_post_with_several_pictures_notifies_in_words_and_becomes_a_frame(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def made(*_: Any) -> MadeFiles:
        return MadeFiles(SEVERAL.files)

    monkeypatch.setattr("bot.delivery.effects.files_of", made)
    await world.carried_out(Post(place="public", content="A map."))
    channel = await world.place("public")
    (posted,) = world.bodies("POST", f"/channels/{channel}/messages")
    assert (posted["content"], posted.get("flags")) == ("A map.", None)
    (message,) = world.messages_in(channel)
    assert (message.content, words_of(message)) == ("", "A map.")
    assert shape(message) == [10, 12, 12, 13]
    assert shown(message) == ["map.png", "map-1.png", "list.txt"]


async def test_an_answer_with_several_pictures_is_a_frame_for_the_caller_only(world: World) -> None:
    result = await pressed(world, lambda i: way_out.reply(i, SEVERAL))
    assert result.response.ephemeral
    assert shape(result.response) == [10, 12, 12, 13]
    assert words_of(result.response).endswith("A map.")
