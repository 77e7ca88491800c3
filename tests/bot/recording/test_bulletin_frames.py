"""A bulletin as a frame: headline, score with its change, map, numbered places with what is behind each, the rest."""

import pytest

from bot.cards.bulletins import MAP_HEIGHT, split_change
from bot.cards.frame_sizes import fits, height
from bot.cards.frames import MOST_HEIGHT, SIDES
from bot.delivery.compose import message_of
from bot.delivery.prepared import ALT_LIMIT, Attachment
from bot.recording.bulletin import public_bulletin
from bot.records.components import Layout
from bot.records.effects import Post
from bot.records.files import CardMapFile
from bot.records.signs.marks import shown
from rules_engine.core.knowledge.glance import Header, News, Range, Track
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.knowledge.views import PublicView, SideView
from tests.bot.recording.test_bulletin import LABEL, LOSS, MEETING, RAID, board, made, report
from tests.expected.kept import Kept


def layout(post: Post) -> Layout:
    assert post.card is not None
    assert post.card.layout is not None
    return post.card.layout


def told(post: Post) -> list[str]:
    """What the frame says, block by block, with each button beside its words."""
    blocks: list[str] = []
    for block in layout(post).blocks:
        match block:
            case {"type": "text", "text": text}:
                blocks.append(shown(text, {}))
            case {"type": "section", "text": text, "button": button}:
                blocks.append(f"{shown(text, {})} [{button['label']}]")
            case {"type": "row", "row": row}:
                blocks.append(" ".join(f"[{one['label']}]" for one in row if one["type"] == "button"))
            case {"type": "picture", "name": name}:
                blocks.append(f"({name})")
            case _:
                blocks.append("--")
    return blocks


def test_a_turn_with_events_at_a_glance(kept: Kept) -> None:
    first, _ = made(board())
    after = Header(track=Track(label="VP", least=-5, most=5, value=3, said="wins at +5", number="+2½"))
    reports = [
        report("A1 searched E1 in 0505: failed."),
        report("A4 has run dry."),
        report("A3 is repaired."),
        report("A2 is repaired."),
    ]
    seen = board(LOSS, MEETING, header=after).model_copy(update={"ranges": (Range(kind="search", hexes=("0101",)),)})
    _, post = made(seen, *reports, before=first)
    assert told(post) == kept()
    assert post.card is not None
    assert post.content.startswith("## ❶ 0909: a Destroyer destroyed"), "what notifies says it in words"
    (told_of,) = post.card.files
    assert isinstance(told_of, CardMapFile)
    assert (told_of.side, told_of.pins) == ("red", ("0909", "0505"))
    assert told_of.view == SideView(side="red", board=board(LOSS, MEETING, header=after)), (
        "without what nobody asked for"
    )
    assert layout(post).accent == SIDES[0]
    assert not post.files


def test_a_place_that_was_told_keeps_its_number_and_is_not_told_again() -> None:
    first, _ = made(board(LOSS, MEETING))
    _, post = made(board(LOSS, MEETING, RAID), before=first)
    assert told(post)[0] == "## Haven 0210"
    assert "❸ **Haven: your settled hex was raided** [Show]" in told(post)
    assert told(post)[-1] == "-# As before: ❶ 0909: a Destroyer destroyed; ❷ 0505: E1 meets A1"
    assert post.card is not None
    view = SideView(side="red", board=board(LOSS, MEETING, RAID))
    assert post.card.files == (CardMapFile(side="red", pins=("0909", "0505", "0210"), view=view),)


def test_reports_alone_need_neither_a_place_nor_a_map() -> None:
    _, post = made(board(LOSS), report("A4 has run dry."), with_map=False)
    assert told(post) == [f"## {LABEL}", "**VP +1½**, wins at +5", "--", "• A4 has run dry.", "--", "[Next] [Log]"]
    assert post.card is not None
    assert post.card.files == ()


def test_a_turn_without_events_is_no_frame() -> None:
    _, post = made(board())
    assert post.card is None
    assert "\n" not in post.content


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("lines", [0, 1, 40])
def test_it_fits_discord_and_one_screen_of_a_phone(count: int, lines: int) -> None:
    places = [
        News(hexes=(f"0{n}01",), title="T" * 45, fact=f"{n} " + "W" * 46, aside="A" * 16, choice="x")
        for n in range(1, count + 1)
    ]
    said = [report(f"{n} " + "long words " * 30) for n in range(lines)]
    if not places and not said:
        return
    _, post = made(board(*places), *said)
    frame = layout(post)
    assert fits(frame)
    assert height(frame, MAP_HEIGHT) <= MOST_HEIGHT
    assert post.card is not None
    picture = Attachment("map.png", b"", "é" * ALT_LIMIT)
    assert message_of(post.card, [picture]).layout, "as what is sent counts it"


@pytest.mark.parametrize(
    ("now", "before", "change"),
    [
        ("VP +4", "VP +3", " (+1)"),
        ("VP +2½", "VP +4", " (−1½)"),
        ("VP −32", "VP −31½", " (−½)"),
        ("VP 0", "VP −⅓", " (+⅓)"),
        ("VP +1¾", "VP +1⅓", " (+5/12)"),
        ("21 points of 40", "18 points of 40", " (+3)"),
        ("21 points", "21 VP", " (was 21 VP)"),
        ("VP +4", "VP +4", ""),
        ("VP +4", "", ""),
        ("VP +4", "points +4", " (was points +4)"),
        ("planets Red 4, Blue 3", "planets Red 3, Blue 4", " (was 3, 4)"),
        ("VP five", "VP +1", " (was VP +1)"),
        ("VP ٣", "VP +1", " (was VP +1)"),
        ("VP " + "9" * 4000, "VP 1", " (was VP 1)"),
    ],
)
def test_a_score_is_told_with_its_change(now: str, before: str, change: str) -> None:
    assert split_change(now, before) == (now, change)


def test_what_everybody_may_see_is_a_frame_where_it_has_places(kept: Kept) -> None:
    public = board(LOSS, MEETING)
    reports = [report("A1 met E1 in 0505.", to=EVERYBODY)]
    bulletin, post = public_bulletin(
        "lw0", 9, public, reports, text="**Turn 3**", last="-# The record has the hash `ab`."
    )
    assert told(post) == kept()
    assert layout(post).accent not in SIDES
    assert post.card is not None
    assert post.card.files == (CardMapFile(side="", pins=("0909", "0505"), view=PublicView(public=public)),)
    assert (bulletin.side, bulletin.first, bulletin.last) == ("", 1, 1)
