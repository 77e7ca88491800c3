"""From reports to posts: a usual step tells moment by moment, several turns are told as one digest."""

from bot.recording.reports_as_posts import digest_to, posts_to, went_by
from bot.records.effects import Post, TextFile
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import EVERYBODY, Report

SIDE = "side:alliance"
MAP = TextFile(name="map.txt", text="a map")


def report(turn: int, text: str, kind: str = "news", label: str = "") -> Report:
    when = When(turn=turn, step=0, label=label or f"Turn {turn}")
    return Report(number=1, place=f"T{turn}", when=when, to=EVERYBODY, kind=kind, text=text)


def test_one_turn_and_the_planning_of_the_next_are_a_usual_step() -> None:
    assert not went_by([])
    assert not went_by([report(4, "a"), report(5, "b")])
    assert went_by([report(4, "a"), report(6, "b")]) == range(4, 6)


def test_thirty_quiet_turns_are_one_short_post() -> None:
    told = [report(turn, "the Alliance has the initiative", "initiative") for turn in range(1, 32)]
    (post,) = digest_to(SIDE, went_by(told), told)
    assert post == Post(place=SIDE, content="**Turns 1 to 30 went by.**")


def test_news_of_several_turns_share_a_post_and_the_map_goes_with_the_last() -> None:
    told = [report(2, "A1 searches E1.", "doctrine"), report(3, "initiative", "initiative"), report(7, "E1 is lost.")]
    (post,) = digest_to(SIDE, went_by(told), told, [MAP])
    assert post.content == "**Turns 2 to 6 went by.**\n**Turn 2**\nA1 searches E1.\n**Turn 7**\nE1 is lost."
    assert post.files == (MAP,)


def test_a_long_digest_takes_as_many_posts_as_it_needs() -> None:
    told = [report(turn, "x" * 900) for turn in range(1, 8)]
    posts = digest_to(SIDE, went_by(told), told)
    assert all(len(post.content) <= 1_900 for post in posts)
    assert "".join(post.content for post in posts).count("x") == 7 * 900
    assert posts[0].content.startswith("**Turns 1 to 6 went by.**")


def test_a_usual_step_keeps_moments_apart() -> None:
    told = [report(2, "first", label="Turn 2, impulse 1"), report(2, "second", label="Turn 2, impulse 2")]
    assert len(posts_to(SIDE, told)) == 2
