"""Messages with files that follow: copies of prompts that are edited again, and films of battles."""

import asyncio
import contextlib
import io
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from bot import faults
from bot.delivery import compose, prepared
from bot.delivery.calls.at_work import files_now
from bot.delivery.compose import message_of
from bot.delivery.composing.making import UNFILMED, Audience, FileMaking, MadeFiles
from bot.delivery.drawing import Drawing
from bot.delivery.exit import Exit
from bot.delivery.worker import Delivery
from bot.records import components, effects
from bot.records.files import CardMapFile, FilmFile
from bot.settings import BUILT_IN
from map_render import FilmPart, MapImage
from rules_engine.core.basics.base import When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge import tactical_scene, views
from tests.bot.delivery.frames import PICTURED, png, shown
from tests.bot.delivery.world import CAMPAIGN, KillAt, Killed, World, scenes
from tests.map_render.tactical.duels import course
from tests.message_words import pressable, words_of
from tests.patience import PATIENCE

GRID = Grid(columns=4, rows=4)
CARD = replace(PICTURED, files=(CardMapFile(side="alliance"),))


def saying(words: str) -> components.Card:
    """The card with other words in its frame."""
    assert CARD.layout is not None
    return replace(CARD, layout=replace(CARD.layout, blocks=({"type": "text", "text": words}, *CARD.layout.blocks)))


class Plotted:
    """A world in which ann has a sheet with a map, of what ``plots`` her side has saved."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world, self.plots = world, ["0101"]

        def card_map(_: Drawing, view: Any, *__: Any, **___: Any) -> MapImage:
            where = view.board.courses[0].hexes[0]
            return MapImage(where.encode(), 8, 10, f"To {where}.")

        monkeypatch.setattr(Drawing, "card_map", card_map)

    async def look_up(self, campaign: str, side: str, audience: Audience, _: str) -> views.SideView:
        course = views.Course(counter="A1", kind="plotted", hexes=(self.plots[-1],))
        when = When(turn=1)
        board = views.Board(campaign="C", rulebook="r", heading="T", when=when, sides=(), grid=GRID, courses=(course,))
        return views.SideView(side=side, board=board)

    def new_delivery(self) -> Delivery:
        files = FileMaking(Drawing(), self.look_up)
        return Delivery(self.world.store, self.world.env.bot, files=files, now=self.world.now, backoff=lambda _: 0.0)

    async def post(self) -> None:
        world = self.world
        await world.delivery.stop()
        world.new_delivery = self.new_delivery  # type: ignore[method-assign]
        await world.restart()
        await world.open_prompt("tok")
        await world.carried_out(effects.Post(dm=world.ann.id, content="Plot.", card=CARD, prompt="tok"))

    def message(self) -> Any:
        (message,) = self.world.messages_in(self.world.direct(self.world.ann))
        return message

    def map(self) -> str:
        (name,) = shown(self.message())
        assert [one["filename"] for one in self.message().attachments] == [name]
        return self.message().attachments[0]["description"]

    def redraw(self, card: components.Card = CARD) -> effects.Redraw:
        return effects.Redraw(token="tok", card=card, message=self.message().id)


@pytest.fixture
async def plotted(world: World, monkeypatch: pytest.MonkeyPatch) -> Plotted:
    made = Plotted(world, monkeypatch)
    await made.post()
    return made


@pytest.mark.parametrize("where", ["sending.after_commit", "edit.before", "edit.after", "done.before_commit"])
async def test_a_picture_that_follows_comes_though_the_process_dies(plotted: Plotted, kill_at: KillAt, where: str):
    """Also where the card is shown anew and closed behind it: neither waits for the other for ever."""
    world = plotted.world
    assert plotted.map() == "To 0101."
    plotted.plots.append("0202")
    died = asyncio.Event()
    kill_at(where, 1)
    point = faults.point

    def dying(name: str) -> None:
        try:
            if died.is_set():
                raise Killed(name)
            point(name)
        except Killed:
            died.set()
            raise

    faults.point = dying
    with contextlib.suppress(Killed):
        await world.put(plotted.redraw())
    await asyncio.wait_for(died.wait(), PATIENCE)
    await world.delivery.stop(grace=0)
    kill_at()
    await world.put(effects.Refresh(token="tok", card=saying("Paused."), dm=world.ann.id))
    await world.restarted()
    assert (plotted.map(), words_of(plotted.message()).splitlines()[0]) == ("To 0202.", "Paused.")
    await world.carried_out(effects.ClosePrompt(token="tok", content="Closed.", dm=world.ann.id), plotted.redraw())
    assert (words_of(plotted.message()), plotted.message().attachments) == ("Closed.", [])


async def test_of_several_that_follow_the_last_one_is_drawn_and_no_words_change(plotted: Plotted) -> None:
    world = plotted.world
    await world.delivery.stop()
    await world.put(plotted.redraw(), plotted.redraw(), plotted.redraw())
    plotted.plots.append("0202")
    edits = len(world.bodies("PATCH", "/messages/"))
    await world.restarted()
    assert (len(world.bodies("PATCH", "/messages/")) - edits, plotted.map()) == (1, "To 0202.")
    plotted.plots.append("0303")
    await world.carried_out(plotted.redraw(saying("What it said before.")))
    assert (plotted.map(), bool(pressable(plotted.message()))) == ("To 0202.", True), "it says something else by now"


async def test_of_several_cards_for_one_reader_the_last_alone_is_shown(plotted: Plotted) -> None:
    """The others would take back, for a moment, what their reader has done since."""
    world = plotted.world
    await world.open_prompt("other")
    await world.delivery.stop()
    edits = len(world.bodies("PATCH", "/messages/"))
    cards = [effects.Refresh(token="tok", card=saying(words), dm=world.ann.id) for words in ("Saved.", "Ready.")]
    await world.put(*cards, effects.Refresh(token="other", card=CARD, dm=world.ann.id))
    await world.restarted()
    assert len(world.bodies("PATCH", "/messages/")) - edits == 1
    assert words_of(plotted.message()).splitlines()[0] == "Ready."


async def test_a_card_and_its_picture_are_never_on_their_way_at_once(plotted: Plotted, monkeypatch: pytest.MonkeyPatch):
    """The one that is sent first may arrive last, and would stay."""
    world, under_way, most = plotted.world, [0], [0]
    begun, released = asyncio.Event(), asyncio.Event()
    edit = world.env.bot.http.edit_message

    async def slow(*args: Any, **options: Any) -> Any:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        begun.set()
        await released.wait()
        under_way[0] -= 1
        return await edit(*args, **options)

    monkeypatch.setattr(world.env.bot.http, "edit_message", slow)
    plotted.plots.append("0202")
    await world.put(plotted.redraw())
    await asyncio.wait_for(begun.wait(), PATIENCE)
    async with world.store.read() as tx:
        assert await tx.outbox.is_card_under_way(CAMPAIGN, "tok"), "so that what is saved now comes behind it"
    await world.put(effects.Refresh(token="tok", card=saying("Saved."), dm=world.ann.id))
    await asyncio.sleep(0.2)
    released.set()
    await world.deliver()
    assert (most, words_of(plotted.message()).splitlines()[0], plotted.map()) == ([1], "Saved.", "To 0202.")


async def test_a_picture_comes_after_the_answer_however_slow_that_is(plotted: Plotted) -> None:
    """Until the answer is there the message says what it said before, and would be left without its picture."""
    world = plotted.world
    before = world.bodies("PATCH", "/messages/")
    used: Any = SimpleNamespace(message=plotted.message(), extras={})
    with world.delivery.at_work.answering(used):
        plotted.plots.append("0202")
        await world.put(plotted.redraw(saying("Saved.")))
        await world.delivery.settled()
        assert world.bodies("PATCH", "/messages/") == before
        answered = plotted.message()
        answer = message_of(saying("Saved."), [png("red")])
        await Exit(world.env.bot).edit(answered.channel_id, answered.id, answer)
    await world.deliver()
    assert (words_of(plotted.message()).splitlines()[0], plotted.map()) == ("Saved.", "To 0202.")


async def test_a_picture_waits_for_whoever_uses_its_message_while_it_is_drawn(
    plotted: Plotted, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, asked, drawn = plotted.world, asyncio.Event(), asyncio.Event()
    look_up = world.env.bot.http.get_message

    async def slow(*args: Any) -> Any:
        asked.set()
        await drawn.wait()
        return await look_up(*args)

    monkeypatch.setattr(world.env.bot.http, "get_message", slow)
    plotted.plots.append("0202")
    used: Any = SimpleNamespace(message=plotted.message(), extras={})
    before = len(world.bodies("PATCH", "/messages/"))
    await world.put(plotted.redraw())
    await asyncio.wait_for(asked.wait(), PATIENCE)
    with world.delivery.at_work.answering(used):
        drawn.set()
        await world.delivery.settled()
        assert len(world.bodies("PATCH", "/messages/")) == before
    await world.deliver()
    assert plotted.map() == "To 0202."


async def test_an_answer_keeps_the_files_that_an_edit_under_way_brings(
    plotted: Plotted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was asked for when the message had its old picture, which is gone when the answer comes."""
    world, begun, released = plotted.world, asyncio.Event(), asyncio.Event()
    edit = world.env.bot.http.edit_message

    async def slow(*args: Any, **options: Any) -> Any:
        begun.set()
        await released.wait()
        return await edit(*args, **options)

    monkeypatch.setattr(world.env.bot.http, "edit_message", slow)
    message, old = plotted.message(), shown(plotted.message())
    used: Any = SimpleNamespace(message=message, extras={})
    plotted.plots.append("0202")
    await world.put(plotted.redraw())
    await asyncio.wait_for(begun.wait(), PATIENCE)
    with world.delivery.at_work.answering(used):
        names = asyncio.create_task(files_now(used))
        await asyncio.sleep(0)
        assert not names.done(), "what the message has then is not known yet"
        released.set()
        assert [file.filename for file in await names] == shown(plotted.message()) != old
    file = SimpleNamespace(id=1, filename="as pressed")
    pressed = SimpleNamespace(id=message.id, attachments=[file], components=[])
    later: Any = SimpleNamespace(message=pressed, extras={})
    with world.delivery.at_work.answering(later):
        assert await files_now(later) == [file], "no edit was under way"


# --- the film of a battle in a message: made of what is looked up when it leaves, an album where it is large ----------
EVERYBODY = Audience(place="public")
MOMENTS = 3


async def made(drawing: Drawing, moments: int = MOMENTS, theme: str = "") -> MadeFiles:
    """The files of a film of so many moments."""
    return await FileMaking(drawing, scenes=scenes).made([FilmFile(until=moments)], CAMPAIGN, EVERYBODY, theme)


def frames(gif: bytes) -> int:
    """How many pictures an animated one has."""
    with Image.open(io.BytesIO(gif)) as film:
        assert film.format == "GIF"
        return getattr(film, "n_frames", 1)


async def test_it_comes_with_words_for_who_does_not_see_it(world: World) -> None:
    await world.carried_out(effects.Post(place="public", content="All of it.", files=(FilmFile(until=MOMENTS),)))
    (message,) = world.messages_in(await world.place("public"))
    (file,) = message.attachments
    assert (message.content, file["filename"]) == ("All of it.", "battle.gif")
    assert file["description"].startswith(f"{MOMENTS} moments from turn ")


async def test_it_has_all_moments_and_the_theme_that_is_wanted() -> None:
    themes = Drawing(others={"paper": BUILT_IN / "themes" / "paper.toml"})
    dark, light = await made(themes), await made(themes, theme="paper")
    assert [frames(file.data) for one in (dark, light) for file in one.files] == [MOMENTS, MOMENTS]
    assert dark.files[0].data != light.files[0].data
    assert dark.notes == light.notes == ()


async def test_an_album_is_shared_out_among_messages_and_its_words_are_said_once(monkeypatch: pytest.MonkeyPatch):
    sizes = [7_900_000, 7_900_000, 100, *[10] * prepared.FILES_LIMIT]

    def film(*_: object, **__: object) -> tuple[FilmPart, ...]:
        return tuple(FilmPart(b"x" * size, f"Part {n}.", f"battle-{n}.gif") for n, size in enumerate(sizes, 1))

    monkeypatch.setattr(Drawing, "film", film)
    found = await made(Drawing())
    parts = compose.message_of(components.Card("All of it."), found.files, found.notes).parts()
    assert [one.text for one in parts] == ["All of it.", "", ""]
    assert [len(one.files) for one in parts] == [1, prepared.FILES_LIMIT, 2]
    assert all(sum(len(file.data) for file in one.files) <= prepared.SIZE_LIMIT for one in parts)
    assert [file.alt for one in parts for file in one.files] == [f"Part {n}." for n in range(1, len(sizes) + 1)]


@pytest.mark.parametrize("of", ["nothing", "a record that plays back otherwise", "nobody who looks it up"])
async def test_where_none_can_be_made_the_words_go_alone(of: str) -> None:
    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[tactical_scene.TacticalScene]:
        if of == "nothing":
            return ()
        raise RuntimeError("the replay's state differs from the recorded one")

    making = FileMaking(Drawing(), scenes=None if of.startswith("nobody") else found)
    assert await making.made([FilmFile(until=1)], CAMPAIGN, EVERYBODY, "") == MadeFiles(notes=(UNFILMED,))


async def test_what_one_side_plots_is_in_none() -> None:
    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[tactical_scene.TacticalScene]:
        return [course().with_values(plots=())] if film.until else [course()]

    making = FileMaking(Drawing(), scenes=found)
    plotted, plain = [await making.made([FilmFile(until=until)], CAMPAIGN, EVERYBODY, "") for until in (0, 1)]
    assert course().plots
    assert plotted == plain


async def test_where_there_is_to_be_none_nothing_is_said_and_what_follows_is(world: World) -> None:
    await world.put(effects.Post(place="public", content="All of it.", files=(FilmFile(until=MOMENTS, battle="1"),)))
    await world.carried_out(effects.Post(place="public", content="The next."))
    assert [one.content for one in world.messages_in(await world.place("public"))] == ["The next."]


async def test_they_are_made_one_after_the_other() -> None:
    under_way: list[int] = []

    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[tactical_scene.TacticalScene]:
        assert under_way == []
        under_way.append(film.until)
        await asyncio.sleep(0)
        under_way.remove(film.until)
        return [course()]

    making = FileMaking(Drawing(), scenes=found)
    made = [making.made([FilmFile(until=one)], CAMPAIGN, EVERYBODY, "") for one in range(3)]
    assert [len(one.files) for one in await asyncio.gather(*made)] == [1, 1, 1]
