"""Recording: drafts, the campaign's clock, commands given up half-way, and the published hash."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from itertools import count, pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import RootModel

from bot.campaigns.notices import holding
from bot.recording import posts
from bot.recording.campaign_clock import give_grace, move_clock, move_clock_of_play, set_clock, start_clock, stop_clock
from bot.recording.drafts import complete, step_between, whole, with_values, without_step, words_between
from bot.recording.published import head_line
from bot.recording.transaction import Recording
from bot.records.deadlines import Deadline
from bot.records.prompts import Step
from bot.store.tables import JournalRow
from bot.store.transaction import Transaction
from bot.verification.verify import UNSEEN, verify
from rules_engine.core.basics import base, dice
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.records.journal import Answered, JournalEntry
from rules_engine.core.running.transitions import Transition
from tests.bot.store.contention import at_each_await
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.bot.worlds.two_bots import ANN, LEO, Bot, sound
from tests.expected.kept import cases


class Course(base.Frozen):
    speed: int | None = None
    name: str | None = None


class Courses(RootModel[dict[str, Course]]):
    """A sheet."""


FORM = Form(
    lines=(
        Line(
            key="A1",
            label="The first",
            fields=(
                Field(key="speed", label="Speed", kind="number", value=2),
                Field(key="name", label="Name", kind="text", optional=True, value="Wing"),
            ),
        ),
        Line(key="A2", label="The second", fields=(Field(key="name", label="Name", kind="text", optional=True),)),
    )
)


def ask(*, lines_stand: bool) -> Ask[Courses]:
    default = Courses.model_validate(FORM.prefilled())
    return Ask("courses", ("red",), "", "", Courses, "", FORM, default=default, lines_stand=lines_stand)


def test_where_lines_stand_a_draft_holds_the_changed_ones_whole() -> None:
    one = ask(lines_stand=True)
    draft = with_values(one, None, {"A1": {"speed": 3}})
    assert draft == {"A1": {"speed": 3, "name": "Wing"}}
    assert complete(one, draft) == draft
    assert whole(one, draft) == {"A1": {"speed": 3, "name": "Wing"}, "A2": {}}


def test_a_line_that_is_again_as_it_was_is_no_change() -> None:
    one = ask(lines_stand=True)
    draft = with_values(one, {"A1": {"speed": 3, "name": "Wing"}, "A2": {"name": "Tail"}}, {"A1": {"speed": 2}})
    assert draft == {"A2": {"name": "Tail"}}
    assert with_values(one, draft, {"A2": {"name": None}}) == {}


def test_what_was_emptied_is_said() -> None:
    """Left out, the line would stand as it was filled in."""
    one = ask(lines_stand=True)
    draft = with_values(one, {}, {"A1": {"speed": None, "name": None}})
    assert draft == {"A1": {}}
    assert one.answer_from(complete(one, draft)).root["A1"] == Course()


def test_elsewhere_a_draft_holds_all_lines_and_hands_in_those_that_say_something() -> None:
    one = ask(lines_stand=False)
    draft = with_values(one, None, {"A1": {"speed": 3}})
    assert draft == {"A1": {"speed": 3, "name": "Wing"}, "A2": {}}
    assert complete(one, draft) == {"A1": {"speed": 3, "name": "Wing"}}


def test_a_draft_is_not_changed_but_made_again() -> None:
    for lines_stand in (True, False):
        draft = {"A1": {"speed": 3, "name": "Wing"}}
        with_values(ask(lines_stand=lines_stand), draft, {"A1": {"speed": 1}, "A2": {"name": "Tail"}})
        assert draft == {"A1": {"speed": 3, "name": "Wing"}}


def test_a_whole_draft_of_former_days_is_read_as_well() -> None:
    one = ask(lines_stand=True)
    former = {"A1": {"speed": 2, "name": "Wing"}, "A2": {"name": "Tail"}}
    assert whole(one, former) == former
    assert with_values(one, former, {"A2": {"name": "End"}})["A2"] == {"name": "End"}


@pytest.mark.parametrize("lines_stand", [True, False])
@cases("before, after, said")
def test_a_step_says_what_was_changed_and_leads_back(before: Sheet | None, after: Sheet, said: str, lines_stand: bool):
    step = step_between(ask(lines_stand=lines_stand), before, after, 1)
    assert step is not None
    assert step.said == said
    assert without_step(after, step) == (before or {})


def test_nothing_that_can_be_seen_is_no_step() -> None:
    assert step_between(ask(lines_stand=False), None, FORM.prefilled(), 1) is None


def test_taking_a_step_back_leaves_the_lines_alone_that_it_did_not_touch() -> None:
    step = Step({"A1": {"speed": 4}, "A2": None}, "", 1)
    now: Sheet = {"A1": {"speed": 5}, "A2": {}, "A3": {"speed": 6}}
    assert without_step(now, step) == {"A3": {"speed": 6}, "A1": {"speed": 4}}


def test_a_change_is_said_in_the_words_of_the_sheet() -> None:
    ways = Field("way", "Way, if not the usual", "one", choices=(Choice("c", "at cruising speed"),), optional=True)
    fields = (
        ways,
        Field("loud", "Make noise", "flag"),
        Field("id", "ID level", "number"),
        Field("to", "To (hexes)", "text"),
    )
    form = Form((Line("A1", "A1, two ships", fields), Line("side", "The whole side", fields)))
    before: Sheet = {"A1": {"to": "0404", "id": 1}, "side": {"way": ""}}
    after: Sheet = {"A1": {"way": "c", "loud": False, "id": 2, "to": None}, "side": {"loud": True}}
    said = words_between(replace(ask(lines_stand=False), form=form), before, after)
    assert said == "A1: way at cruising speed, make noise no, ID level 2, no to; The whole side: make noise yes"


def test_a_change_of_a_line_with_a_notation_of_its_own_reads_as_it_is_typed() -> None:
    turn, plot = (Field(key=key, label=key.title(), kind="text", optional=True) for key in ("turn", "plot"))
    form = Form(lines=(Line(key="A1", label="A1 The first", fields=(turn, plot._replace(others=True))),))
    one = Ask("plots", ("red",), "", "", Courses, "", form, default=Courses({}))
    now: Sheet = {"A1": {"turn": "left on 4; right on 9", "plot": "slip left on 5"}}
    assert words_between(one, {"A1": {}}, now) == "A1: turn left on 4; right on 9; slip left on 5"
    assert words_between(one, now, {"A1": {"turn": "left on 4; right on 9", "plot": None}}) == "A1: no plot"


# --- the clock of one campaign: each strand has a time of its own, and only what runs is moved ------------------------
HOUR = timedelta(hours=1)


async def recording(here: SimulatedServer, tx: Transaction, campaign: str) -> Recording:
    info = await tx.campaigns.find(campaign)
    assert info is not None
    rules: Any = SimpleNamespace(battle_in=lambda _: "", open_asks=tuple)  # a clock asks whose tracker a strand is of
    return Recording(tx, info, rules, here.now())


async def test_only_what_runs_is_moved(game: SimulatedServer) -> None:
    falls = await game.falls_at()
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await stop_clock(made)
        assert await move_clock(made, HOUR) == []
    assert await game.running_until() is None
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await start_clock(made)
        (moved,) = await move_clock(made, HOUR)
    assert await game.falls_at() == moved.falls_at
    assert moved.falls_at is not None
    assert abs(moved.falls_at - falls - HOUR) < timedelta(seconds=2)


async def test_a_clock_that_runs_is_not_started_and_one_that_stands_is(game: SimulatedServer) -> None:
    falls = await game.falls_at()
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await start_clock(made)
        assert await made.closes("") == falls
        await stop_clock(made)
        left = falls - made.now
    assert await game.running_until() is None
    await game.env.advance_time(7200)
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await start_clock(made)
        started = await made.closes("")
        assert started is not None
        assert abs(started - (made.now + left)) < timedelta(seconds=1)


async def test_grace_is_for_what_needs_it(game: SimulatedServer) -> None:
    falls = await game.falls_at()
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        (deadline,) = await made.deadlines()
        given = deadline.moved(falls + HOUR, 0.25)
        await give_grace(made, replace(given, opened_seq=99))
        await give_grace(made, replace(given, strand="elsewhere"))
    assert await game.falls_at() == falls
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await give_grace(made, given)
    assert await game.falls_at() == falls + HOUR


async def test_each_strand_keeps_its_own_time(game: SimulatedServer) -> None:
    times = {"T1/a": 2 * HOUR, "T1/b": 5 * HOUR}
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await tx.deadlines.drop(game.campaign)
        for strand, time in times.items():
            await set_clock(made, strand, made.now + time, 7)
        (moved,) = await move_clock(made, HOUR, "T1/b")
        assert moved.strand == "T1/b"
        assert await made.closes("T1/a") == made.now + 2 * HOUR
        assert await made.closes("T1/b") == made.now + 6 * HOUR
        assert len(await move_clock(made, HOUR)) == 2
        await stop_clock(made)
        assert [one.left for one in await made.deadlines()] == [3 * HOUR, 7 * HOUR]
    await game.env.advance_time(7200)
    async with game.store.write() as tx:
        made = await recording(game, tx, game.campaign)
        await start_clock(made)
        assert [one.falls_at for one in await made.deadlines()] == [made.now + 3 * HOUR, made.now + 7 * HOUR]
        await tx.deadlines.drop(game.campaign, "T1/a")
        assert [one.strand for one in await made.deadlines()] == ["T1/b"]


async def test_a_campaign_without_a_clock_has_none_to_change(here: SimulatedServer) -> None:
    campaign = await here.found()
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        await stop_clock(made)
        await start_clock(made)
        assert await move_clock(made, HOUR) == []
        await give_grace(made, Deadline(campaign, 1, here.now(), here.now()))
    assert await here.running_until() is None


async def test_pieces_of_tracked_battles_move_with_the_strand_that_is_named_and_with_no_other(here: SimulatedServer):
    campaign = await here.begin()
    piece = "T1/b/battle/x/tracked-battle"
    async with here.store.write() as tx:
        made = await recording(here, tx, campaign)
        rules: Any = SimpleNamespace(
            battle_in=lambda strand: "T1/b/battle/x" if strand == piece else "",
            open_asks=lambda: (SimpleNamespace(id="T1/b/battle/x", strand="T1/b"),),
        )
        made = replace(made, adjudicator=rules)
        await tx.deadlines.drop(campaign)
        for strand in ("T1/a", "T1/b", piece):
            await set_clock(made, strand, made.now + HOUR, 7)
        for moved, strands in (
            (await move_clock_of_play(made, HOUR), {"T1/a", "T1/b"}),
            (await move_clock(made, HOUR, "T1/a"), {"T1/a"}),
            (await move_clock(made, HOUR, "T1/b"), {"T1/b", piece}),
            (await move_clock(made, HOUR, ""), set[str]()),
            (await move_clock(made, HOUR), {"T1/a", "T1/b", piece}),
        ):
            assert {one.strand for one in moved} == strands


# --- whoever gives up in the middle of a command, wherever that is, leaves the campaign as its journal has it ---------
Two = tuple[Bot, Bot]


class PlayedOn(Exception):
    """There is nothing more to be cancelled."""


@pytest.mark.parametrize("times", [1, 2])
async def test_an_answer_that_is_cancelled_at_any_await_stands_whole_or_not_at_all(two: Two, times: int) -> None:
    bot, _ = two
    campaign = await bot.begin()
    token = await bot.token(campaign, ANN)
    tries = count()
    stood: list[bool] = []

    async def answer() -> None:
        await bot.name(token, ANN, next(tries) % 8 + 2)  # never what was filled in: that is no change

    async def check() -> None:
        entries = await sound(campaign, bot)
        stood.append(len(entries) == sum(stood) + 3)
        assert len(entries) == sum(stood) + 2
        async with bot.store.read() as tx:
            (draft,) = [one.draft for one in await tx.prompts.open_of(campaign, "red") if one.token == token]
        last = entries[-1].body
        if isinstance(last, Answered):
            assert draft is not None
            assert draft["fleet"]["number"] == last.document["fleet"]["number"], "the draft stands with its entry"

    assert await at_each_await(answer, check, times=times) > 10
    assert stood[-1], "the last was not cancelled"
    assert not stood[0]
    assert stood.count(True) > 1, "cancelled as it commits, it stands"


async def test_play_that_goes_on_is_cancelled_at_any_await_and_goes_on_once(two: Two) -> None:
    """Both are ready: the second's word, and the batch that it closes, stand together or not at all."""
    bot, _ = two
    campaign = await bot.begin()
    mine, theirs = await bot.token(campaign, ANN), await bot.token(campaign, LEO)
    await bot.services.orders.readiness.say(theirs, LEO, is_ready=True)

    async def ready() -> None:
        await bot.services.orders.readiness.say(mine, ANN, is_ready=True)

    async def check() -> None:
        kinds = [entry.body.kind for entry in await sound(campaign, bot)]
        if kinds == ["genesis", "seated", "readied", "readied", "closed"]:
            raise PlayedOn
        assert kinds == ["genesis", "seated", "readied"]

    with pytest.raises(PlayedOn):
        await at_each_await(ready, check)


# --- published --------------------------------------------------------------------------------------------------------
# the record's hash is posted each turn and the seed at the end, so that nobody can write another record afterwards.
_HASHES = re.compile(r"hash `([0-9a-f]{64})`")


async def hashes(here: SimulatedServer) -> list[str]:
    """Those posted in public, in the order of posting."""
    return _HASHES.findall(await here.texts("public"))


async def exported(here: SimulatedServer, who: Any) -> list[JournalEntry]:
    result = await here.slash(who, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    return [JournalEntry.model_validate_json(line) for line in (await file.read()).decode().splitlines()]


async def turn(here: SimulatedServer, number: int) -> None:
    await here.fill(here.ann, f"Orders for turn {number}", "0.0", f0="7")
    await here.resolve_now()
    await here.resolve_now()


async def test_each_turn_the_hash_of_the_record_is_posted_once(game: SimulatedServer) -> None:
    counts = [len(await hashes(game))]
    for number in (1, 2):
        await turn(game, number)
        counts.append(len(await hashes(game)))
    assert [after - before for before, after in pairwise(counts)] == [1, 1]
    entries = [JournalEntry.model_validate_json(line) for line in await game.rows(JournalRow.entry)]
    shown = await hashes(game)
    assert set(shown) <= {entry.hash for entry in entries}
    assert entries[max(entry.seq for entry in entries if entry.hash in shown) - 1].body.kind == "closed"


async def test_a_second_public_map_in_a_turn_brings_no_second_hash(game: SimulatedServer) -> None:
    runtime = game.bot.services.runtime
    info = await runtime.directory.info(game.campaign)
    async with holding(runtime, game.campaign) as adjudicator, game.store.write() as tx:
        assert adjudicator.head is not None
        recording = Recording(tx, info, adjudicator, runtime.now())
        shown = Transition(entry=adjudicator.head, public_map=True)
        assert await head_line(recording, Transition(entry=adjudicator.head)) == ""
        assert adjudicator.head.hash in await head_line(recording, shown)
        assert await head_line(recording, shown) == ""


async def test_going_back_posts_the_hash_of_what_was_cut_off(game: SimulatedServer) -> None:
    await turn(game, 1)
    before = await hashes(game)
    resting = max(await game.rows(JournalRow.seq, JournalRow.kind == "closed"))
    await game.fill(game.ann, "Orders for turn 2", "0.0", f0="7")
    await game.go_back(resting, "again")
    after = await hashes(game)
    assert len(after) == len(before) + 1
    (rewound,) = await game.rows(JournalRow.hash, JournalRow.kind == "rewound")
    assert after[-1] == rewound


async def test_the_end_is_told_in_public_in_each_sides_channel_and_to_each_commander_with_a_map_of_everything(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In most books the public map is due at the end, too: the map of everything stands for it."""

    async def with_the_public_map(recording: Recording, transition: Transition) -> None:
        await posts.post_reports(recording, replace(transition, public_map=transition.ending is not None))

    monkeypatch.setattr("bot.recording.transition.post_reports", with_the_public_map)
    await here.begin()
    async with here.store.write() as tx:
        await tx.readers.set_in_channel(here.leo.id, True)
    before = 0
    for number in (1, 2, 3):
        assert "is over" not in await here.texts("side:red")
        before = len((await here.channel("side:red")).history())
        await turn(here, number)
    told = [(await here.channel(key)).history() for key in ("public", "side:red", "side:blue")]
    told.append(here.dms(here.ann))
    for channel in told:
        (end,) = [post for post in channel if "**The campaign is over.**" in post.content]
        assert "\nScores: " in end.content
        (file,) = end.attachments
        assert "with everything on it" in (file.description or "")
    assert not any("over" in one.content for one in here.dms(here.leo)), "who wants it reads it in their channel"
    assert [len(post.attachments) for post in told[0][-2:]] == [1, 0], "the end, and then the seed"
    assert "The record up to here" not in told[0][-3].content, "the hash of all of it follows"
    assert not any("nothing new" in post.content for post in told[1][before:])
    assert [len(post.attachments) for post in told[0]].count(1) == 1, "no public map beside it"


async def test_at_the_end_the_seed_is_posted_and_all_of_it_can_be_checked(game: SimulatedServer) -> None:
    promised = re.search(r"its SHA-256 is `([0-9a-f]{64})`", await game.texts("public"))
    assert promised is not None
    for number in (1, 2, 3):
        assert "seed is `" not in (await game.texts("public")).replace(promised[0], "")
        await turn(game, number)
    text = await game.texts("public")
    seed = re.search(r"their seed is `([0-9a-f]+)`, whose SHA-256 was published at the start: `([0-9a-f]{64})`", text)
    assert seed is not None
    assert dice.commitment(bytes.fromhex(seed[1])) == seed[2] == promised[1]
    assert "`/referee export` gives you the whole record" in text
    assert "`plotroom verify FILE --head HASH`" in text
    assert text.index("The campaign is over") < text.index("The dice are open")
    entries = await exported(game, game.sam)
    shown = await hashes(game)
    assert entries[-1].body.kind == "revealed"
    assert shown[-1] == entries[-1].hash
    verdict = verify(entries, heads=shown)
    assert verdict.replayed
    assert UNSEEN not in verdict.proves
    assert await exported(game, game.ann) == entries, "handing it out adds nothing"


async def test_the_hash_comes_with_the_public_map_where_there_is_one(game: SimulatedServer) -> None:
    await turn(game, 1)
    posts = [message for message in (await game.channel("public")).history() if _HASHES.search(message.content)]
    assert [len(message.attachments) for message in posts] == [1], json.dumps([one.content for one in posts])


async def test_a_campaign_that_is_no_battle_has_no_film_at_its_end(game: SimulatedServer) -> None:
    for number in (1, 2, 3):
        await turn(game, number)
    last = (await game.channel("public")).history()[-1]
    assert "The dice are open" in last.content
    assert last.attachments == []
