"""The strip of times: what it says at a phone's width, at any length of time, and the same for the same times."""

import io
from itertools import pairwise

import pytest
from PIL import Image

import map_render
from map_render.desk.axis import axis_of, short, spoken
from map_render.desk.strip import MOST_ROWS, WIDE
from rules_engine.core.knowledge.open_times import OpenTimes, TimeRow, TimeState

NEWS, FIRE, GREEN = (0xFF, 0xE1, 0x4D), (0xF6, 0xA2, 0x4A), (0x7F, 0xC7, 0xA6)


def row(state: TimeState, *, seat: int | None = 0, name: str = "Alliance", until: int | None = 420) -> TimeRow:
    """A row that was opened three hours ago."""
    return TimeRow(name=name, state=state, says=state, since=-180, until=until, emblem="A", seat=seat)


def drawn(times: OpenTimes) -> Image.Image:
    """The picture in colours."""
    return Image.open(io.BytesIO(map_render.render_times(times).png)).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> int:
    """How many pixels have this very colour."""
    return sum(count for count, one in picture.getcolors(1 << 20) or [] if one == colour)


def test_the_same_times_make_the_same_picture_and_others_another() -> None:
    times = OpenTimes(rows=(row("ready"), row("late", seat=1)), closes=420)
    assert map_render.render_times(times) == map_render.render_times(times)
    assert map_render.render_times(OpenTimes(rows=times.rows, closes=240)).png != map_render.render_times(times).png


def test_how_each_stands_is_told_by_colour_and_by_words() -> None:
    ready, late, differ = (OpenTimes(rows=(row(state),), closes=420) for state in ("ready", "late", "differ"))
    line = share(drawn(ready), NEWS)  # of the deadline
    assert share(drawn(ready), GREEN) > 300
    assert share(drawn(late), FIRE) > 300 > share(drawn(ready), FIRE)
    assert share(drawn(differ), NEWS) > 2 * line > 0
    image = map_render.render_times(late)
    assert image.alt == "It closes in 7 hours. Alliance: late; open for 3 hours."
    assert (image.width, image.filename) == (WIDE, "times.png")


def test_a_clock_that_stands_still_has_no_deadline() -> None:
    still = OpenTimes(rows=(row("awaited", until=None),))
    assert share(drawn(still), NEWS) == 0
    assert map_render.render_times(still).alt.startswith("The clock stands still.")


@pytest.mark.parametrize("closes", [1, 45, 7 * 60, 36 * 60, 7 * 1440, 45 * 1440, 400 * 1440])
def test_the_axis_holds_now_and_the_deadline_and_few_words(closes: int) -> None:
    times = OpenTimes(rows=(row("awaited", until=closes), row("ready", until=closes)), closes=closes)
    axis = axis_of(times, 200, 580)
    assert 200 <= axis.at(0) < axis.at(closes) < 580
    assert len(axis.ticks) <= 4
    places = [axis.at(tick.minute) for tick in axis.ticks]
    assert all(right - left > 60 for left, right in pairwise(places)), "words do not touch"
    assert all(200 < place < 580 for place in places)
    drawn(times)


def test_many_rows_and_hostile_names_find_their_place() -> None:
    rows = tuple(row("awaited", seat=seat, name="\U0001f701" * 40 + "\u202eW" * 60) for seat in range(9))
    assert drawn(OpenTimes(rows=rows, closes=5)).height == drawn(OpenTimes(rows=rows[:MOST_ROWS], closes=5)).height
    assert len(map_render.render_times(OpenTimes(rows=rows, closes=5)).alt) <= 1_024
    drawn(OpenTimes())


def test_times_are_spoken_as_people_do() -> None:
    found = [spoken(one) for one in (1, 59, 60, 90, 2879, 2880, 10_080)]
    assert found == ["1 minute", "59 minutes", "1 hour", "2 hours", "48 hours", "2 days", "7 days"]
    assert [short(one) for one in (15, 60, 720, 1440)] == ["15 min", "1 h", "12 h", "1 d"]
