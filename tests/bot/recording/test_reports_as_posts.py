"""From reports to posts: what is told is told moment by moment."""

from bot.recording.reports_as_posts import posts_to
from bot.records.effects import Post, TextFile
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import EVERYBODY, Report

SIDE = "side:alliance"
MAP = TextFile(name="map.txt", text="a map")


def report(turn: int, text: str, kind: str = "news", label: str = "") -> Report:
    when = When(turn=turn, step=0, label=label or f"Turn {turn}")
    return Report(number=1, place=f"T{turn}", when=when, to=EVERYBODY, kind=kind, text=text)


def test_thirty_turns_that_nobody_was_asked_in_are_told_like_thirty_that_somebody_was() -> None:
    """Each in a post of its own: whether play rested in between is nobody's business."""
    told = [report(turn, "the Alliance has the initiative", "initiative") for turn in range(1, 31)]
    assert posts_to(SIDE, told) == [post for one in told for post in posts_to(SIDE, [one])]
    assert posts_to(SIDE, told, [MAP], heading="now") == [
        *posts_to(SIDE, told),
        Post(place=SIDE, content="now", files=(MAP,)),
    ]


def test_a_long_moment_takes_as_many_posts_as_it_needs() -> None:
    posts = posts_to(SIDE, [report(1, "x" * 900) for _ in range(7)])
    assert all(len(post.content) <= 1_900 for post in posts)
    assert "".join(post.content for post in posts).count("x") == 7 * 900
    assert [post.content.startswith("**Turn 1**") for post in posts] == [True, False, False, False]


def test_a_usual_step_keeps_moments_apart() -> None:
    told = [report(2, "first", label="Turn 2, impulse 1"), report(2, "second", label="Turn 2, impulse 2")]
    assert len(posts_to(SIDE, told)) == 2
