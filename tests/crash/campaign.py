"""A short campaign, whole: founded, joined, begun, a turn with a battle, a deadline, and all that a referee does on the
way; by people who try again.

The bot may die at any moment, or stand still for a while. Then it is started again, and people who got no answer do
what people do: look, and press again. The outcome is compared with that of a campaign in which nothing happened.
"""

import asyncio
import json
import re
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import aiohttp

from bot.delivery.effects import ALREADY_CLOSED
from bot.playground.seats.seat import SeatRefusedError
from bot.playground.world.model import Message
from bot.playground.world.world import Event, World
from bot.seats.seats import SETTLED
from tests.crash.far_stage import FarStage
from tests.e2e.people import Person, buttons, first_line, neutral, said
from tests.e2e.stage import Stage
from tests.e2e.story import Rehearsal
from tests.message_words import pressable, words_of

T = TypeVar("T")
Json = dict[str, Any]

TITLE = "Lantern Gap"
SHORT, MINUTES = "2m", 2
"""The deadline of the second turn's planning: shorter than an outage, so that a bot that is killed while it falls does
not take that time for one in which it was down."""

PEOPLE = ("rita", "ann", "leo", "sam", "abe", "mia")
SEATS = {"alliance": "ann", "coalition": "leo"}
CORRECTED = "task_forces.A1.name"


class Unanswered(Exception):
    """Nobody answered within three seconds."""


TRY_AGAIN = (Unanswered, SeatRefusedError, aiohttp.ClientError, OSError)
"""After which people look and press again; a button may have gone from under somebody's finger."""


def answered(answer: Json) -> Json:
    """The answer of an interaction.

    Raises:
        Unanswered: when there was none.
    """
    if answer["outcome"] == "failed":
        raise Unanswered
    return answer


class Campaign:
    """One campaign on a stage of its own, played to its end even if the bot dies."""

    def __init__(self, stage: Stage, story: Rehearsal) -> None:
        self.stage = stage
        self.story = story
        self.deaths = 0
        self.seats = dict(SEATS)
        self._posts: list[Message] = []
        if not isinstance(stage, FarStage):
            stage.server.world.listen(self._heard)

    def _heard(self, event: Event) -> None:
        """Keep what the bot posts, as it was when it was posted. Answers to commands are no posts."""
        message = event.message
        if event.name != "MESSAGE_CREATE" or message is None or message.interaction is not None:
            return
        if message.author_id == self.stage.server.world.bot_id and message.reader_id is None:
            self._posts.append(Message.load(message.dump()))

    # --- going on after failures ----------------------------------------------------------------------------------

    async def surely(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do ``work``; if the bot dies over it, start the bot again and do it again."""
        stage = self.stage
        while True:
            assert stage.process is not None
            died = asyncio.create_task(stage.process.wait())
            doing = asyncio.ensure_future(work())
            await asyncio.wait({died, doing}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done() and not isinstance(doing.exception(), TRY_AGAIN):
                died.cancel()
                return await doing
            doing.cancel()
            await asyncio.gather(doing, return_exceptions=True)
            if isinstance(stage, FarStage):
                await stage.people_back()
            answers = asyncio.create_task(self._answers())
            await asyncio.wait({died, answers}, return_when=asyncio.FIRST_COMPLETED)
            answers.cancel()
            await asyncio.gather(answers, return_exceptions=True)
            if not died.done():  # it is alive, and stood still for a while or was not heard
                died.cancel()
                continue
            assert stage.process.returncode == -signal.SIGKILL, stage.log()[-3000:]
            self.deaths += 1
            await stage.start_bot()

    async def _answers(self) -> None:
        """Wait until the bot answers somebody who asks how the campaign stands, which comes behind what it was at.

        Whoever looked before whether something was done might find it still under way, and have it done twice.
        """
        rita = self.stage.rita

        async def look() -> bool:
            try:
                return (await rita.does("campaign status"))["outcome"] != "failed"
            except TRY_AGAIN:
                return False

        await rita.until(look)

    async def command(self, who: Person, path: str, *done: str, **options: Any) -> None:
        """A command, until it was carried out or is said to have been carried out before."""

        async def work() -> None:
            answer = answered(await who.does(path, **options))
            assert any(word in said(answer) for word in done), said(answer)

        await self.surely(work)

    async def sheet(self, who: Person, title: str) -> Json:
        """A sheet, as soon as it is there."""
        return await self.surely(lambda: who.sheet(title))

    async def types(self, who: Person, card: Json, orders: str, shown: str = "Saved") -> None:
        """Orders, until they are saved. A card that was on its way may pass by, but what was typed stays."""

        async def work() -> None:
            opened = answered(await who.seat.press(await who.now(card), label="Write them"))
            if opened["modal"] is None:  # a bot just started took too long to open a form, and asks to press again
                raise Unanswered
            answered(await who.seat.fill_modal(opened["modal"], text=orders))

        await self.surely(work)
        await self.surely(lambda: who.changed(card, shown))

    async def press(self, who: Person, card: Json, label: str) -> None:
        """A button, until it has done what it is for: the sheet is closed, or says so."""

        async def work() -> None:
            now = await who.now(card)
            if label not in buttons(now):
                return
            answer = answered(await who.seat.press(now, label=label))
            assert "Incident" not in said(answer), self.stage.bad_lines()

        await self.surely(work)

    async def play(self, who: Person, title: str, orders: str | None) -> None:
        """A sheet, from its arrival until its owner is ready."""
        card = await self.sheet(who, title)
        if orders is not None:
            await self.types(who, card, orders)
        await self.press(who, card, "Ready")

    async def once(self, kind: str, work: Callable[[], Awaitable[Any]]) -> None:
        """What would be done twice if it were asked twice: who got no answer looks whether it stands in the record."""

        async def unless_done() -> None:
            if self.stage.rows(f"select count(*) from journal where kind = '{kind}'") == before:
                await work()

        before = self.stage.rows(f"select count(*) from journal where kind = '{kind}'")
        await self.surely(unless_done)

    # --- the script ------------------------------------------------------------------------------------------------

    async def script(self) -> None:
        """The whole campaign."""
        stage, story = self.stage, self.story
        await self.command(
            stage.rita, "campaign create", "is founded", "There is a campaign", title=TITLE, scenario="pq17/intro"
        )
        for side, name in SEATS.items():
            await self.command(stage.people[name], "campaign join", "You command", "You sit there", side=side)
        await self.command(stage.sam, "campaign join", "You watch", "You sit there", side="spectator")
        await self.command(stage.rita, "campaign start", "has begun", "has started already")
        await self._referee_at_work()
        for batch in story.batches[:-1]:
            if batch[0][0] == "battle":
                await self._battle(batch[0][2])
                continue
            if batch == story.batches[-2]:
                await self.command(stage.mia, "campaign settings", "From the next deadline on", orders=SHORT)
            for kind, parties, title in batch:
                for side in parties:
                    orders = story.story.orders.get((kind, side))
                    await self.play(stage.people[self.seats[side]], title, orders)
        await self._deadline()
        await self.surely(self.stage.settled)
        await self._both_go_on()
        await self.surely(self.stage.settled)
        await self._go_back()
        await self.surely(self.stage.settled)

    async def _referee_at_work(self) -> None:
        """The clock is stopped, started and moved, a force renamed, a seat and the chair handed over."""
        stage = self.stage
        rita = stage.rita
        await self.command(rita, "referee pause", "is paused", reason="tea")
        await self.command(rita, "referee resume", "goes on", "The campaign is running")
        await self.once("remarked", lambda: self._does(rita, "referee extend", by="1h"))
        await self.once("edited", self._correct)
        await self._talk()
        people = {"leaving": stage.ann.seat.user_id, "arriving": stage.abe.seat.user_id}
        await self.command(rita, "referee substitute", "It waits for", "commands no side", **people)
        asked = await self.surely(lambda: stage.ann.asked("asks for your consent"))
        await self.press(stage.ann, asked, "Agree")
        self.seats["alliance"] = "abe"
        done = ("It waits for", "Only the campaign's referee", "You are in no campaign here")
        await self.command(rita, "referee hand-over", *done, to=stage.mia.seat.user_id)
        offered = await self.surely(lambda: stage.mia.asked("asks you to be its referee"))
        await self.press(stage.mia, offered, "Accept")

    async def _talk(self) -> None:
        """Both sides write to each other, agree on something, and one hands a part of its map on."""
        ann, leo = self.stage.ann, self.stage.leo
        done = ("Sent:", "This stands already:")
        await self.command(ann, "letter", *done, to="Coalition", text="You will not pass.")
        await self.command(leo, "letter", *done, to="Alliance", text="Watch me.")
        await self.command(ann, "offer", *done, to="Coalition", terms="Peace at Christmas.")
        offer = await self.surely(lambda: leo.asked("Peace at Christmas."))
        await self.press(leo, offer, "Accept")
        await self.surely(lambda: self._hand_on(ann, done))

    async def _hand_on(self, who: Person, done: Sequence[str]) -> None:
        """What is handed on is shown first, and sent once its giver presses the button."""
        shown = await self._does(who, "hand-on", to="Coalition", area="0402", words="Here is nothing.")
        answer = answered(await who.seat.press(shown["message"], label="Send"))
        assert any(word in said(answer) for word in done), said(answer)

    async def _correct(self) -> None:
        """The referee prepares a correction, and confirms it."""
        rita = self.stage.rita
        edit = {"path": CORRECTED, "value": "Lamplighter", "reason": "a slip"}
        shown = await self._does(rita, "referee edit", **edit)
        answered(await rita.seat.press(shown["message"], label="Correct it"))

        async def corrected() -> bool:
            return self.stage.rows("select count(*) from journal where kind = 'edited'") != [(0,)]

        await rita.until(corrected)

    async def _does(self, who: Person, command: str, /, **options: Any) -> Json:
        return answered(await who.does(command, **options))

    async def _go_back(self) -> None:
        """The referee goes back to before what was closed last, and gives a reason."""
        to = self.stage.rows("select seq from journal where kind = 'closed' order by seq desc limit 2")[1][0]
        mia = self.stage.mia

        async def goes_back() -> None:
            listed = await self._does(mia, "referee rewind", to=str(to))
            asked = answered(await mia.seat.press(listed["message"], label=f"Go back to entry {to} …"))
            if asked["modal"] is None:
                raise Unanswered
            answered(await mia.seat.fill_modal(asked["modal"], text="The wrong chart."))

            async def gone_back() -> bool:
                return self.stage.rows("select count(*) from journal where kind = 'rewound'") != [(0,)]

            await mia.until(gone_back)

        await self.once("rewound", goes_back)

    async def _battle(self, title: str) -> None:
        """Accounts that differ, then agree."""
        orders = self.story.story.orders
        right = orders["battle", "coalition"]
        ann, leo = self.stage.people[self.seats["alliance"]], self.stage.leo
        mine, theirs = await self.sheet(ann, title), await self.sheet(leo, title)
        await self.types(ann, mine, orders["battle", "alliance"], "Turns it lasted: 5")
        await self.press(ann, mine, "Send this account")
        await self.types(leo, theirs, right.replace("turns 5", "turns 4"), "Turns it lasted: 4")
        await self.press(leo, theirs, "Send this account")
        await self.surely(lambda: ann.changed(mine, "they say **4 turns**"))
        await self.types(leo, theirs, right, "**Send this account** sends it")  # what was sent stands until then
        await self.press(leo, theirs, "Send this account")

    async def _deadline(self) -> None:
        """The second turn's planning closes by itself, with everybody silent."""
        ann = self.stage.ann
        await self.surely(self.stage.settled)
        await self.stage.time_passes(minutes=MINUTES)

        async def look() -> bool:
            closed = self.stage.rows("select count(*) from journal where kind = 'closed'")[0][0]
            return closed >= len(self.story.batches)

        await self.surely(lambda: ann.until(look))

    async def _both_go_on(self) -> None:
        """Let everybody who is asked something be ready, so that play goes on."""
        asked = self.stage.rows("select side, title from prompt where status = 'open' order by side, title")
        assert asked
        for side, title in asked:
            who = self.stage.people[self.seats[side]]
            await self.press(who, await self.sheet(who, title), "Ready")

    async def end(self) -> None:
        """Stop the bot as its host would; if it dies over that, start it once more, and then stop it."""
        stage = self.stage
        assert stage.process is not None
        stage.process.terminate()
        if await stage.process.wait() == -signal.SIGKILL:
            self.deaths += 1
            await stage.start_bot()
            await stage.settled()
        await stage.stop_bot()
        assert stage.process.returncode == 0, f"the bot ended with {stage.process.returncode}:\n{stage.log()[-3000:]}"

    # --- the outcome -----------------------------------------------------------------------------------------------

    async def outcome_from_afar(self) -> Json:
        """The same as :meth:`outcome`, of a playground in another process, whose messages were not heard coming."""
        assert isinstance(self.stage, FarStage)
        async with self.stage.world_at_the_end() as world:
            return self.outcome(world)

    def outcome(self, world: World | None = None) -> Json:
        """The record, and everything on Discord, in names instead of ids: of the posts what they said when they were
        posted, and what they say at the end, when many have become frames or have closed."""
        world = world or self.stage.server.world
        names = {user.id: f"<{user.name}>" for user in world.users.values()}
        roles = {role.id: role.name for role in world.roles[self.stage.guild["id"]].values()}
        known = names | roles | {channel.id: channel.name for channel in world.channels.values()}

        def named(text: str) -> str:
            if text.rpartition("** · ")[2].startswith(("You agree, and it is done.", SETTLED)):
                return "Settled."  # whoever got no answer pressed again, and that came to what it did before
            return re.sub(r"\d{17,20}", lambda found: known.get(found[0], "?"), neutral(text))

        def post_of(message: Message) -> tuple[str, list[tuple[str, str | None]]]:
            files = [(file["filename"], file.get("description")) for file in message.attachments]
            return named(words_of(message)).replace(ALREADY_CLOSED, "").strip(), files

        def late(message: Message) -> bool:
            return "time is up" in words_of(message)  # too late after an outage

        channels: list[Json] = []
        for channel in world.channels.values():
            place = channel.name or "".join(sorted(names[one] for one in channel.recipients if one != world.bot_id))
            there = [one for one in world.messages.get(channel.id, {}).values() if one.reader_id is None]
            mine = [one for one in there if one.author_id == world.bot_id and one.interaction is None]
            channels.append(
                {
                    "name": place,
                    "topic": channel.topic,
                    "in": known.get(channel.parent_id or ""),
                    "open to": sorted((known[one["id"]], one["allow"], one["deny"]) for one in channel.overwrites),
                    "archived and locked": (channel.archived, channel.locked),
                    "members": sorted(names[one] for one in channel.thread_members),
                    "posts": [post_of(one) for one in self._posts if one.channel_id == channel.id and not late(one)],
                    "says": [post_of(one) for one in mine if not late(one)],
                    "open sheets": [named(first_line({"words": words_of(one)})) for one in there if pressable(one)],
                }
            )
        members = world.members[self.stage.guild["id"]].values()
        return {
            "journal": [
                self._entry(text, names) for (text,) in self.stage.rows("select entry from journal order by seq")
            ],
            "letters": self.stage.rows("select pair, number, sender, receiver, kind from letter order by pair, number"),
            "prompts": self.stage.rows(
                "select side, kind, title, status, opened_seq from prompt order by opened_seq, side"
            ),
            "channels": sorted(channels, key=lambda one: one["name"]),
            "roles": sorted((roles[role], names[one.user_id]) for one in members for role in one.roles),
        }

    @staticmethod
    def _entry(text: str, names: dict[str, str]) -> Json:
        """A journal entry with people's names, without moments and what is hashed from them."""
        for user_id, name in names.items():
            text = text.replace(user_id, name)
        entry = json.loads(text)
        return {"seq": entry["seq"], "body": entry["body"]}
