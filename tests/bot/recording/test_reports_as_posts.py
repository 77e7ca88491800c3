"""From reports to public posts: what is told is told moment by moment, and its reasons wait behind a button."""

from bot.recording.reports_as_posts import public_posts
from bot.records.bulletins import Bulletin
from bot.records.effects import Post
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import EVERYBODY, Report, because


def report(turn: int, text: str, kind: str = "news", *, label: str = "", number: int = 1, why: str = "") -> Report:
    when = When(turn=turn, step=0, label=label or f"Turn {turn}")
    reason = because(why) if why else None
    return Report(number=number, place=f"T{turn}", when=when, to=EVERYBODY, kind=kind, text=text, why=reason)


def posts(told: list[Report]) -> list[Post]:
    return [post for _, post in public_posts("lw0", 9, told)]


def kept(told: list[Report]) -> list[Bulletin]:
    return [one for one, _ in public_posts("lw0", 9, told) if one is not None]


def test_thirty_turns_that_nobody_was_asked_in_are_told_like_thirty_that_somebody_was() -> None:
    """Each in a post of its own: whether play rested in between is nobody's business."""
    told = [report(turn, "the Alliance has the initiative", "initiative") for turn in range(1, 31)]
    assert posts(told) == [post for one in told for post in posts([one])]
    assert [post.content for post in posts(told[:2])] == [
        "**Turn 1**\nthe Alliance has the initiative",
        "**Turn 2**\nthe Alliance has the initiative",
    ]


def test_a_long_moment_takes_as_many_posts_as_it_needs() -> None:
    made = posts([report(1, "x" * 900, why="1.1") for _ in range(7)])
    assert all(len(post.content) <= 1_900 for post in made)
    assert "".join(post.content for post in made).count("x") == 7 * 900
    assert [post.content.startswith("**Turn 1**") for post in made] == [True, False, False, False]
    assert [post.card is not None for post in made] == [False, False, False, True], "one button for all of it"


def test_a_usual_step_keeps_moments_apart() -> None:
    told = [report(2, "first", label="Turn 2, impulse 1"), report(2, "second", label="Turn 2, impulse 2")]
    assert len(posts(told)) == 2


def test_why_is_a_button_that_leads_to_its_own_moment_alone() -> None:
    told = [
        report(2, "first", label="Turn 2, impulse 1", number=4, why="1.1"),
        report(2, "second", label="Turn 2, impulse 2", number=5, why="2.2"),
        report(2, "third", label="Turn 2, impulse 2", number=7, why="3.3"),
    ]
    assert "1.1" not in "".join(post.content for post in posts(told))
    assert [(one.side, one.since, one.until, one.first, one.last) for one in kept(told)] == [
        ("", 8, 9, 4, 4),
        ("", 8, 9, 5, 7),
    ]
    tokens = [one.token for one in kept(told)]
    assert len({*tokens, *(one.token for one in kept(told))}) == 4, "drawn by lot, so that they say nothing"
    ids = [row["id"].split("|")[2:] for post in posts(told) if post.card for row in post.card.rows[0]]
    assert ids == [["why", "0"], ["log", "0"]]


def test_what_has_no_reason_has_no_button() -> None:
    told = [report(1, "so it is")]
    assert kept(told) == []
    assert posts(told)[0].card is None
