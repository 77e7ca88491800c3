"""The moments of a battle as one animated picture: all of them, in their order, small enough."""

import io

import pytest
from PIL import Image

from map_render import ALT_LIMIT, render_tactical_film
from map_render.tactical.film import HEADER, HIGH, LAST, MOMENT, SMALL_ENOUGH, WIDE
from rules_engine.core.grids.space import Lattice
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from tests.map_render.tactical.duels import course, lattice, melee, moved, pairs_of, unit, vector_said


def flown(count: int, turns: int, sides: int = 2, slower: int = 3) -> list[TacticalScene]:
    """A battle of so many turns, each in two pieces, in which all units drift on."""
    start = melee(7, count, sides, 14, forms=False)
    found: list[TacticalScene] = []
    for moment in range(1, 2 * turns + 1):
        impulse = 32 if moment % 2 == 0 else 16
        units = []
        for one in start.units:
            way = lattice(one.vector)
            way = Lattice(way.c // slower, way.d // slower)
            at = moved(one.hex, way, 16 * moment)
            units.append(unit(one.code, one.side, at, (one.facing, vector_said(way)), impulse, name=one.name))
        found.append(
            start.with_values(
                turn=(moment + 1) // 2, impulse=impulse, units=tuple(units), pairs=pairs_of(units), news=()
            )
        )
    return found


def frames_of(gif: bytes) -> list[tuple[int, Image.Image]]:
    """Each frame with the milliseconds for which it is shown."""
    with Image.open(io.BytesIO(gif)) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0, "it begins again"
        found: list[tuple[int, Image.Image]] = []
        for n in range(getattr(film, "n_frames", 1)):
            film.seek(n)
            found.append((film.info["duration"], film.convert("RGB")))
        return found


def test_all_moments_are_in_it_in_their_order() -> None:
    scenes = flown(4, 3)
    (made,) = render_tactical_film(scenes)
    frames = frames_of(made.gif)
    assert [shown for shown, _ in frames] == [MOMENT] * 5 + [LAST]
    assert {picture.size for _, picture in frames} == {(WIDE, HIGH)}
    for scene, (_, picture) in zip(scenes, frames, strict=True):
        (alone,) = render_tactical_film([scene])
        ((_, single),) = frames_of(alone.gif)
        assert picture.crop((0, 0, WIDE, HEADER)).tobytes() == single.crop((0, 0, WIDE, HEADER)).tobytes()
    assert made.filename == "battle.gif"


def test_twelve_turns_of_24_ships_are_one_picture() -> None:
    (made,) = render_tactical_film(flown(24, 12, 6))
    assert len(made.gif) < SMALL_ENOUGH / 2
    assert len(frames_of(made.gif)) == 24


def test_what_would_be_too_large_is_shared_out() -> None:
    scenes = flown(6, 4)
    (whole,) = render_tactical_film(scenes)
    parts = render_tactical_film(scenes, limit=len(whole.gif) // 2)
    assert len(parts) >= 2
    assert all(len(one.gif) <= len(whole.gif) // 2 for one in parts)
    assert [one.filename for one in parts] == [f"battle-{n}.gif" for n in range(1, len(parts) + 1)]
    counts = [len(frames_of(one.gif)) for one in parts]
    assert sum(counts) == len(scenes)
    assert [one.alt.split()[0] for one in parts] == [str(count) for count in counts]


def test_a_single_moment_is_never_left_out() -> None:
    assert len(render_tactical_film(flown(2, 1), limit=1)) == 2
    assert render_tactical_film([]) == ()


def test_the_words_say_where_each_began_and_ended() -> None:
    scenes = flown(4, 3)
    first, last = scenes[0].units[0], scenes[-1].units[0]
    (made,) = render_tactical_film(scenes)
    assert made.alt.startswith("6 moments from turn 1, impulse 16 on. The last: Melee at Kol")
    assert f"A1 from {first.hex} ends in {last.hex}, facing {last.facing}" in made.alt
    assert len(made.alt) <= ALT_LIMIT


def test_a_set_up_is_no_turn() -> None:
    scenes = flown(4, 1)
    first, none = scenes[0].with_values(turn=0, impulse=0), scenes[0].with_values(turn=1, impulse=0)
    (made,) = render_tactical_film([first, *scenes])
    assert made.alt.startswith("3 moments from the set-up on. The last: ")
    shown = [frames_of(render_tactical_film([one])[0].gif)[0][1] for one in (first, none)]
    assert shown[0].crop((0, HEADER, WIDE, HIGH)).tobytes() == shown[1].crop((0, HEADER, WIDE, HIGH)).tobytes()
    assert shown[0].tobytes() != shown[1].tobytes(), "its header says so"


def test_when_all_are_gone_the_last_moment_is_empty() -> None:
    scenes = flown(4, 1)
    scenes.append(scenes[-1].with_values(turn=2, units=(), pairs=()))
    (made,) = render_tactical_film(scenes)
    assert len(frames_of(made.gif)) == 3
    assert "No more there: " in made.alt


def test_who_is_gone_and_who_came_is_said() -> None:
    scenes = flown(4, 2)
    scenes[0] = scenes[0].with_values(units=scenes[0].units[1:])
    scenes[-1] = scenes[-1].with_values(units=scenes[-1].units[:-1])
    (made,) = render_tactical_film(scenes)
    assert "Alliance: A1 ends in" in made.alt
    assert "No more there: D2." in made.alt


def test_no_plot_is_in_what_stays_for_all() -> None:
    scene = course()
    assert render_tactical_film([scene]) == render_tactical_film([scene.with_values(plots=())])


@pytest.mark.parametrize("slower", [3, 1])
def test_a_battle_that_goes_far_is_followed(slower: int) -> None:
    """Near each other all the way, the moments show one part of the sheet; flying far, each shows its own."""
    (made,) = render_tactical_film(flown(4, 6, slower=slower))
    assert len(frames_of(made.gif)) == 12
