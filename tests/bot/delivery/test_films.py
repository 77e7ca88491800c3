"""The film of a battle in a message: made of what is looked up when it leaves, an album where it is large."""

import asyncio
import io
from collections.abc import Sequence

import pytest
from PIL import Image

from bot.delivery import compose
from bot.delivery.composing.making import UNFILMED, Audience, FileMaking, MadeFiles
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import FILES_LIMIT, SIZE_LIMIT
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.files import FilmFile
from bot.settings import BUILT_IN
from map_render import FilmPart
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from tests.bot.delivery.world import CAMPAIGN, World, scenes
from tests.map_render.tactical.duels import course

EVERYBODY = Audience(place="public")
MOMENTS = 3


async def made(drawing: Drawing, moments: int = MOMENTS, theme: str = "") -> MadeFiles:
    """The files of a film of so many moments."""
    making = FileMaking(drawing, scenes=scenes)
    return await making.made([FilmFile(until=moments)], CAMPAIGN, EVERYBODY, theme)


def frames(gif: bytes) -> int:
    """How many pictures an animated one has."""
    with Image.open(io.BytesIO(gif)) as film:
        assert film.format == "GIF"
        return getattr(film, "n_frames", 1)


async def test_it_comes_with_words_for_who_does_not_see_it(world: World) -> None:
    await world.put(Post(place="public", content="All of it.", files=(FilmFile(until=MOMENTS),)))
    await world.deliver()
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


async def test_an_album_is_shared_out_among_messages_and_its_words_are_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = [7_900_000, 7_900_000, 100, *[10] * FILES_LIMIT]

    def film(*_: object, **__: object) -> tuple[FilmPart, ...]:
        return tuple(FilmPart(b"x" * size, f"Part {n}.", f"battle-{n}.gif") for n, size in enumerate(sizes, 1))

    monkeypatch.setattr(Drawing, "film", film)
    found = await made(Drawing())
    parts = compose.message_of(Card("All of it."), found.files, found.notes).parts()
    assert [one.text for one in parts] == ["All of it.", "", ""]
    assert [len(one.files) for one in parts] == [1, FILES_LIMIT, 2]
    assert all(sum(len(file.data) for file in one.files) <= SIZE_LIMIT for one in parts)
    assert [file.alt for one in parts for file in one.files] == [f"Part {n}." for n in range(1, len(sizes) + 1)]


@pytest.mark.parametrize("of", ["nothing", "a record that plays back otherwise", "nobody who looks it up"])
async def test_where_none_can_be_made_the_words_go_alone(of: str) -> None:
    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[TacticalScene]:
        if of == "nothing":
            return ()
        raise RuntimeError("the replay's state differs from the recorded one")

    making = FileMaking(Drawing(), scenes=None if of.startswith("nobody") else found)
    assert await making.made([FilmFile(until=1)], CAMPAIGN, EVERYBODY, "") == MadeFiles(notes=(UNFILMED,))


async def test_what_one_side_plots_is_in_none() -> None:
    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[TacticalScene]:
        return [course().with_values(plots=())] if film.until else [course()]

    making = FileMaking(Drawing(), scenes=found)
    plotted, plain = [await making.made([FilmFile(until=until)], CAMPAIGN, EVERYBODY, "") for until in (0, 1)]
    assert course().plots
    assert plotted == plain


async def test_where_there_is_to_be_none_nothing_is_said_and_what_follows_is(world: World) -> None:
    await world.put(Post(place="public", content="All of it.", files=(FilmFile(until=MOMENTS, battle="1"),)))
    await world.put(Post(place="public", content="The next."))
    await world.deliver()
    assert [one.content for one in world.messages_in(await world.place("public"))] == ["The next."]


async def test_they_are_made_one_after_the_other() -> None:
    under_way: list[int] = []

    async def found(campaign_id: str, film: FilmFile, place: str) -> Sequence[TacticalScene]:
        assert under_way == []
        under_way.append(film.until)
        await asyncio.sleep(0)
        under_way.remove(film.until)
        return [course()]

    making = FileMaking(Drawing(), scenes=found)
    made = [making.made([FilmFile(until=one)], CAMPAIGN, EVERYBODY, "") for one in range(3)]
    assert [len(one.files) for one in await asyncio.gather(*made)] == [1, 1, 1]
