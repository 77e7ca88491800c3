"""A short campaign in which the bot dies twice: when Discord has made what nobody noted, and when a turn is closed of
which nobody was told. Afterwards everything stands once, and play goes on."""

from collections import Counter
from pathlib import Path

from tests.e2e.people import Person, said
from tests.e2e.stage import Stage, open_stage
from tests.e2e.story import Rehearsal, find_seed
from tests.e2e.test_pq17 import as_ordered

SEATS = {"alliance": "ann", "coalition": "leo"}
MADE, CLOSED = "create_role.after#2", "journal.committed#4"
"""Where it dies: when the second role was made, which nobody has noted; and when the turn's closing was written, the
fourth time in that life that anything was."""


async def campaign_begins(stage: Stage) -> None:
    """It is founded, over which the bot dies while it makes places; then it has its players, and starts."""
    await stage.start_bot(PLOTROOM_KILL_AT=MADE)
    await stage.dies_over(stage.rita.does("campaign create", title="Lantern Gap", scenario="pq17/intro"))
    await stage.start_bot(PLOTROOM_KILL_AT=CLOSED)
    for side, name in SEATS.items():
        assert "You command" in said(await stage.people[name].does("campaign join", side=side))
    assert "has begun" in said(await stage.rita.does("campaign start"))


async def plots(who: Person, story: Rehearsal, side: str) -> None:
    """Somebody types their plots for the first turn, and leaves the sheet open."""
    card = await who.types(await who.sheet("Planning"), story.story.orders["planning", side])
    assert "Saved, receipt" in card["words"], card["words"]


async def stands_once(stage: Stage) -> None:
    """No role, channel or post is there twice, and each commander has been sent each sheet once."""
    guild = (await stage.olga.seat.state())["guilds"][0]
    names = [one["name"] for one in (*guild["channels"], *guild["roles"])]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert len([role for role in guild["roles"] if "[" in role["name"]]) == 4, "of two sides, referee and spectators"
    for name in SEATS.values():
        who = stage.people[name]
        places = [one for one in await who.channels() if one["kind"] != "category"]
        posts = [
            (place["id"], one["words"], *(file["filename"] for file in one["attachments"]))
            for place in places
            for one in await who.seat.messages(place["id"])
            if not one["ephemeral"]
        ]
        assert posts
        assert [post for post, count in Counter(posts).items() if count > 1] == [], name
        assert len([one for one in await who.direct() if "Planning" in one["words"]]) == 1, name


async def test_killed_while_places_are_made_and_while_a_turn_is_told_everything_stands_once(tmp_path: Path) -> None:
    story = find_seed("pq17")
    async with open_stage(tmp_path, seed=story.seed, names=("rita", *SEATS.values())) as stage:
        ann, leo = stage.ann, stage.leo
        await campaign_begins(stage)
        for side, name in SEATS.items():
            await plots(stage.people[name], story, side)
        await ann.ready(await ann.sheet("Planning"))
        await stage.settled()

        await stage.dies_over(leo.ready(await leo.sheet("Planning")))
        assert stage.journal() == ["genesis", "seated", "answered", "answered", "readied", "readied", "closed"]
        assert stage.rows("select count(*) from outbox where status in ('queued', 'sending')") != [(0,)]
        await stage.start_bot()

        # Who is asked next answers: what was plotted before the death is what was flown.
        (kind, (side,), _) = story.batches[1][0]
        await as_ordered(stage.people[SEATS[side]], story, kind, side)
        assert stage.journal()[-1] == "closed"
        await stage.settled()
        await stands_once(stage)
        await stage.stop_bot()
        assert stage.bad_lines() == []
