"""A side's bulletin, as text and as a frame, and public posts made of reports."""

from collections.abc import Sequence

import pytest

from bot.cards import frame_sizes, frames
from bot.cards.bulletins import MAP_HEIGHT, split_change
from bot.delivery import compose, prepared
from bot.recording.bulletin import Telling, Told, bulletin, public_bulletin
from bot.recording.reports_as_posts import public_posts
from bot.records import components, files
from bot.records.bulletins import Bulletin
from bot.records.effects import Post
from bot.records.signs.marks import shown
from rules_engine.core.basics import base, dice
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Figure, Header, News, Range, Tally, Track
from rules_engine.core.knowledge.reports import EVERYBODY, Report, Sighted, because
from rules_engine.core.knowledge.views import Board, PublicView, SideView
from tests.expected.kept import Kept, cases

LABEL = "Turn 3, planning"
MEETING = News(hexes=("0505",), title="Hex 0505", fact="0505: E1 meets A1", aside="new")
RAID = News(hexes=("0210", "0211"), title="Haven 0210", fact="Haven: your settled hex was raided")
LOSS = News(hexes=("0909",), title="Battle 0909", fact="0909: a Destroyer destroyed", aside="+1 VP")
TRACK = Header(track=Track(label="VP", least=-5, most=5, value=1, said="wins at +5", number="+1½"))


def board(*news: News, header: Header = TRACK) -> Board:
    return Board(
        campaign="C", rulebook="none", heading=LABEL, when=base.When(turn=3),
        sides=tuple(base.SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue")),
        grid=Grid(columns=12, rows=12), news=news, header=header,
    )  # fmt: skip


def report(text: str, *, to: tuple[str, ...] = ("red",), why: bool = True, seen: str = "") -> Report:
    facts = [Sighted(track="E1", hex=seen)] if seen else []
    reason = because("6.3", {"column": 3}) if why else None
    when = base.When(turn=3)
    return Report(number=1, place="T3", when=when, to=to, kind="news", text=text, why=reason, facts=tuple(facts))


def made(on: Board, *reports: Report, before: Bulletin | None = None, with_map: bool = True) -> tuple[Bulletin, Post]:
    return bulletin("lw0", "red", 9, Telling(LABEL, on, Told(4, 9, tuple(reports), before), with_map=with_map))


def lines(on: Board, *reports: Report, before: Bulletin | None = None, with_map: bool = True) -> list[str]:
    return made(on, *reports, before=before, with_map=with_map)[1].content.split("\n")


def labels(post: Post) -> list[str]:
    rows: Sequence[Sequence[object]] = post.card.rows if post.card is not None else ()
    return [str(one["label"]) for row in rows for one in row]  # type: ignore[index]


def test_a_turn_without_events_is_one_line() -> None:
    _, post = made(board())
    assert post.content == "**Turn 3, planning** · nothing new · VP +1½"
    assert post.card is None
    assert post.place == "side:red"


def test_what_everybody_was_told_is_no_news_of_the_sides_own() -> None:
    _, post = made(board(), report("Red has the initiative.", to=EVERYBODY))
    assert post.content == "**Turn 3, planning** · nothing new · VP +1½"
    assert post.card is None, "it stands in the public channel, and in `/log`"


def test_the_first_place_is_the_headline_and_each_has_the_number_of_its_pin(kept: Kept) -> None:
    assert lines(board(LOSS, MEETING, RAID)) == kept()


def test_a_contact_that_stays_as_it_was_is_told_once() -> None:
    first, _ = made(board(LOSS, MEETING))
    again = board(LOSS, MEETING.model_copy(update={"aside": ""}))
    assert lines(again, before=first) == ["**Turn 3, planning** · nothing new · VP +1½"]
    second, _ = made(again, before=first)
    better = board(LOSS, MEETING.model_copy(update={"aside": "was ID1"}))
    assert lines(better, before=second) == ["## ❷ 0505: E1 meets A1 · was ID1", "**Turn 3, planning** · VP +1½"], (
        "under its pin on the map, which numbers all places"
    )


def test_how_the_side_stands_is_told_with_what_it_was() -> None:
    first, _ = made(board())
    on = board(header=Header(track=Track(label="VP", least=-5, most=5, value=3, said="wins at +5")))
    assert lines(on, before=first) == ["**Turn 3, planning** · VP 3 (+1½)"], "what wins is as it was"
    lower = board(header=Header(track=Track(label="VP", least=-5, most=5, value=3, said="wins at +4")))
    assert lines(lower, before=first) == ["**Turn 3, planning** · VP 3 (+1½), wins at +4"]
    assert lines(board(MEETING), before=first)[1] == "**Turn 3, planning** · VP +1½"
    assert lines(board(header=Header()))[0] == "**Turn 3, planning** · nothing new"


def test_what_is_counted_of_each_is_told_when_it_changes() -> None:
    tallies = (Tally(owner="red", count=4), Tally(owner="blue", count=3))
    empires = Header(tallied="planets held", tallies=tallies, figures=(Figure(value="225", said="CPV, +200 a turn"),))
    held = "planets held Red 4, Blue 3"
    known, post = made(board(MEETING, header=empires))
    assert post.content.split("\n")[1] == f"**Turn 3, planning** · {held}, 225 CPV, +200 a turn"
    richer = empires.model_copy(update={"figures": (Figure(value="425", said="CPV, +200 a turn"),)})
    assert lines(board(header=richer), before=known) == [f"**Turn 3, planning** · nothing new · {held}"]
    assert lines(board(RAID, header=richer), before=known)[1] == "**Turn 3, planning** · 425 CPV, +200 a turn"
    assert lines(board(RAID, header=empires), before=known)[1] == "**Turn 3, planning**"
    fewer = empires.model_copy(update={"tallies": (Tally(owner="red", count=3), Tally(owner="blue", count=4))})
    now = "planets held Red 3, Blue 4"
    assert lines(board(header=fewer), before=known) == [f"**Turn 3, planning** · {now} (was 4, 3)"]


def test_reports_find_room_beside_the_facts_and_say_nothing_that_these_say() -> None:
    told = [
        report("A1 searched E1 in 0505: failed."),
        report("A4 has run dry."),
        report("A3 is repaired.\nTwo points are left."),
        report("Everybody knows.", to=EVERYBODY),
    ]
    assert lines(board(MEETING), *told)[2:] == ["• A4 has run dry.", "• A3 is repaired. …"]
    _, post = made(board(MEETING), *told)
    assert labels(post) == ["❶ Why?", "Log: 4 reports"]


def test_a_score_in_words_stands_for_what_is_counted_and_is_no_figure_beside_it() -> None:
    """The map's header has all of it."""
    figures = (Figure(value="21", said="points"), Figure(value="4", said="lanes unexplored"))
    tallies = (Tally(owner="red", count=4),)
    header = Header(tallied="systems", tallies=tallies, figures=figures, score="21 points")
    known, post = made(board(MEETING, header=header))
    assert post.content.split("\n")[1] == "**Turn 3, planning** · 21 points, 4 lanes unexplored"
    more = header.model_copy(update={"score": "34 points", "figures": (Figure(value="34", said="points"), figures[1])})
    assert lines(board(RAID, header=more), before=known)[1] == "**Turn 3, planning** · 34 points (+13)"


def test_what_dice_decided_is_told_before_what_was_ordered() -> None:
    roll = dice.Roll(label="p", purpose="peril", faces=10, low=1, dice=(9,), total=9, seen_by=None)
    told = [report(f"Report {number}.") for number in range(1, 7)]
    told[1] = told[1].model_copy(update={"why": because("13.5", dice=[roll])})
    assert lines(board(), *told)[1:] == ["• Report 2.", "• Report 5.", "• Report 6."]
    told[0] = report("Report 1.", seen="0707")
    told[2] = told[2].model_copy(update={"why": told[1].why})
    told[3] = told[3].model_copy(update={"why": told[1].why})
    assert lines(board(), *told)[1:] == ["• Report 1.", "• Report 3.", "• Report 4."]


def test_of_many_reports_what_shows_something_of_others_comes_first_then_the_newest() -> None:
    told = [report(f"Report {number}.", seen="0707" if number == 2 else "") for number in range(1, 7)]
    assert lines(board(), *told)[1:] == ["• Report 2.", "• Report 5.", "• Report 6."]
    before, _ = made(board(), *told)
    assert lines(board(), told[1], told[0], before=before)[1:] == ["• Report 1."], "nothing is said twice"


@pytest.mark.parametrize(("why", "expected"), [(True, ["❶ Why?", "Log: 1 report"]), (False, ["Log: 1 report"])])
def test_a_fact_has_a_why_if_there_is_one(why: bool, expected: list[str]) -> None:
    _, post = made(board(MEETING), report("E1 was found in 0505.", why=why))
    assert labels(post) == expected


def test_without_a_map_no_places_are_numbered_and_the_next_one_tells_of_them() -> None:
    first, post = made(board(MEETING), report("A4 has run dry."), with_map=False)
    assert post.content == "**Turn 3, planning** · VP +1½, wins at +5\n• A4 has run dry."
    assert labels(post) == ["Log: 1 report"]
    assert lines(board(MEETING), before=first)[0] == "## ❶ 0505: E1 meets A1 · new"


def test_what_lies_behind_it_is_kept_with_a_token_that_says_nothing() -> None:
    kept, post = made(board(LOSS), report("A4 has run dry."))
    assert (kept.campaign_id, kept.side, kept.since, kept.until, kept.seq) == ("lw0", "red", 4, 9, 9)
    assert kept.facts[0].hexes == ("0909",)
    assert kept.token != made(board(LOSS), report("A4 has run dry."))[0].token
    assert post.card is not None
    assert [one["id"] for one in post.card.rows[0]] == [f"b|{kept.token}|log|0"]


# --- bulletin frames --------------------------------------------------------------------------------------------------
# a bulletin as a frame: headline, score with its change, map, numbered places with what is behind each, the rest.
def layout(post: Post) -> components.Layout:
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
    assert isinstance(told_of, files.CardMapFile)
    assert (told_of.side, told_of.pins) == ("red", ("0909", "0505"))
    assert told_of.view == SideView(side="red", board=board(LOSS, MEETING, header=after)), (
        "without what nobody asked for"
    )
    assert layout(post).accent == frames.SIDES[0]
    assert not post.files


def test_a_place_that_was_told_keeps_its_number_and_is_not_told_again() -> None:
    first, _ = made(board(LOSS, MEETING))
    _, post = made(board(LOSS, MEETING, RAID), before=first)
    assert told(post)[0] == "## Haven 0210"
    assert "❸ **Haven: your settled hex was raided** [Show]" in told(post)
    assert told(post)[-1] == "-# As before: ❶ 0909: a Destroyer destroyed; ❷ 0505: E1 meets A1"
    assert post.card is not None
    view = SideView(side="red", board=board(LOSS, MEETING, RAID))
    assert post.card.files == (files.CardMapFile(side="red", pins=("0909", "0505", "0210"), view=view),)


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
    assert frame_sizes.fits(frame)
    assert frame_sizes.height(frame, MAP_HEIGHT) <= frames.MOST_HEIGHT
    assert post.card is not None
    picture = prepared.Attachment("map.png", b"", "é" * prepared.ALT_LIMIT)
    assert compose.message_of(post.card, [picture]).layout, "as what is sent counts it"


@cases("now, before, change", made="now")
def test_a_score_is_told_with_its_change(now: str, before: str, change: str) -> None:
    assert split_change(now, before) == (now, change)


def test_what_everybody_may_see_is_a_frame_where_it_has_places(kept: Kept) -> None:
    public = board(LOSS, MEETING)
    reports = [report("A1 met E1 in 0505.", to=EVERYBODY)]
    bulletin, post = public_bulletin(
        "lw0", 9, public, reports, text="**Turn 3**", last="-# The record has the hash `ab`."
    )
    assert told(post) == kept()
    assert layout(post).accent not in frames.SIDES
    assert post.card is not None
    assert post.card.files == (files.CardMapFile(side="", pins=("0909", "0505"), view=PublicView(public=public)),)
    assert (bulletin.side, bulletin.first, bulletin.last) == ("", 1, 1)


# --- from reports to public posts: what is told is told moment by moment, and its reasons wait behind a button --------
def public_report(
    turn: int, text: str, kind: str = "news", *, label: str = "", number: int = 1, why: str = ""
) -> Report:
    when = base.When(turn=turn, step=0, label=label or f"Turn {turn}")
    reason = because(why) if why else None
    return Report(number=number, place=f"T{turn}", when=when, to=EVERYBODY, kind=kind, text=text, why=reason)


def posts(told: list[Report]) -> list[Post]:
    return [post for _, post in public_posts("lw0", 9, told)]


def kept(told: list[Report]) -> list[Bulletin]:
    return [one for one, _ in public_posts("lw0", 9, told) if one is not None]


def test_thirty_turns_that_nobody_was_asked_in_are_told_like_thirty_that_somebody_was() -> None:
    """Each in a post of its own: whether play rested in between is nobody's business."""
    told = [public_report(turn, "the Alliance has the initiative", "initiative") for turn in range(1, 31)]
    assert posts(told) == [post for one in told for post in posts([one])]
    found = [post.content for post in posts(told[:2])]
    assert found == ["**Turn 1**\nthe Alliance has the initiative", "**Turn 2**\nthe Alliance has the initiative"]


def test_a_long_moment_takes_as_many_posts_as_it_needs() -> None:
    made = posts([public_report(1, "x" * 900, why="1.1") for _ in range(7)])
    assert all(len(post.content) <= 1_900 for post in made)
    assert "".join(post.content for post in made).count("x") == 7 * 900
    assert [post.content.startswith("**Turn 1**") for post in made] == [True, False, False, False]
    assert [post.card is not None for post in made] == [False, False, False, True], "one button for all of it"


def test_a_usual_step_keeps_moments_apart() -> None:
    told = [public_report(2, "first", label="Turn 2, impulse 1"), public_report(2, "second", label="Turn 2, impulse 2")]
    assert len(posts(told)) == 2


def test_why_is_a_button_that_leads_to_its_own_moment_alone() -> None:
    told = [
        public_report(2, "first", label="Turn 2, impulse 1", number=4, why="1.1"),
        public_report(2, "second", label="Turn 2, impulse 2", number=5, why="2.2"),
        public_report(2, "third", label="Turn 2, impulse 2", number=7, why="3.3"),
    ]
    assert "1.1" not in "".join(post.content for post in posts(told))
    found = [(one.side, one.since, one.until, one.first, one.last) for one in kept(told)]
    assert found == [("", 8, 9, 4, 4), ("", 8, 9, 5, 7)]
    tokens = [one.token for one in kept(told)]
    assert len({*tokens, *(one.token for one in kept(told))}) == 4, "drawn by lot, so that they say nothing"
    ids = [row["id"].split("|")[2:] for post in posts(told) if post.card for row in post.card.rows[0]]
    assert ids == [["why", "0"], ["log", "0"]]


def test_what_has_no_reason_has_no_button() -> None:
    told = [public_report(1, "so it is")]
    assert kept(told) == []
    assert posts(told)[0].card is None
