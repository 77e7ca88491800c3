"""A short campaign, whole: founded, joined, begun, a turn with a battle, a deadline; by people who try again.

The bot may die at any moment. Then it is started again, and people who got no answer do what people do: look, and press
again. The outcome is compared with that of a campaign in which nothing happened.
"""

import asyncio
import json
import re
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

from bot.delivery.effects import ALREADY_CLOSED
from bot.playground.world.model import Message
from bot.playground.world.world import Event
from tests.databases import DEFAULT
from tests.e2e.people import Person, buttons, first_line, neutral, said
from tests.e2e.stage import Stage, open_stage
from tests.e2e.story import Rehearsal, find_seed

T = TypeVar("T")
Json = dict[str, Any]

TITLE = "Lantern Gap"
SHORT = "0.04m"
"""The deadline of the second turn's planning: nobody sends anything, so it may be as short as the bot allows."""

LONGEST = 180.0
"""Seconds after which a campaign has come to a standstill; on a busy machine one takes about fifteen."""

DYING = 1.0
"""Seconds in which a process that was killed while it should have answered is gone."""

SEATS = {"alliance": "ann", "coalition": "leo"}


class Unanswered(Exception):
    """Nobody answered within three seconds."""


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
        self._posts: list[Message] = []
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
            if doing.done() and not isinstance(doing.exception(), Unanswered):
                died.cancel()
                return await doing
            doing.cancel()
            await asyncio.gather(doing, return_exceptions=True)
            await asyncio.wait({died}, timeout=DYING)
            if not died.done():  # it is alive, and was just too slow for Discord's three seconds
                died.cancel()
                continue
            assert stage.process.returncode == -signal.SIGKILL, stage.log()[-3000:]
            self.deaths += 1
            await stage.start_bot()

    async def command(self, who: Person, path: str, *done: str, **options: Any) -> None:
        """A command, until it was carried out or is said to have been carried out before."""

        async def work() -> None:
            answer = answered(await who.does(path, **options))
            assert any(word in said(answer) for word in done), said(answer)

        await self.surely(work)

    async def sheet(self, who: Person, title: str) -> Json:
        """A sheet, as soon as it is there."""
        return await self.surely(lambda: who.sheet(title))

    async def types(self, who: Person, card: Json, orders: str, shown: str = "as understood__") -> None:
        """Orders, until they are saved. A card that was on its way may pass by, but what was typed stays."""

        async def work() -> None:
            opened = answered(await who.seat.press(await who.now(card), label="Type orders"))
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
        for batch in story.batches[:-1]:
            if batch[0][0] == "battle":
                await self._battle(batch[0][2])
                continue
            if batch == story.batches[-2]:
                await self.command(stage.rita, "campaign settings", "From the next deadline on", orders=SHORT)
            for kind, parties, title in batch:
                for side in parties:
                    orders = story.story.orders.get((kind, side))
                    await self.play(stage.people[SEATS[side]], title, orders)
        await self._deadline()
        await self.surely(self.stage.settled)
        await self._both_go_on()
        await self.surely(self.stage.settled)

    async def _battle(self, title: str) -> None:
        """Accounts that differ, then agree."""
        orders = self.story.story.orders
        right = orders["battle", "coalition"]
        ann, leo = self.stage.ann, self.stage.leo
        mine, theirs = await self.sheet(ann, title), await self.sheet(leo, title)
        filled = "__Filled in, not sent yet__"
        await self.types(ann, mine, orders["battle", "alliance"], filled)
        await self.press(ann, mine, "Send this account")
        await self.types(leo, theirs, right.replace("turns 5", "turns 4"), filled)
        await self.press(leo, theirs, "Send this account")
        await self.surely(lambda: ann.changed(mine, "Coalition says 4"))
        await self.types(leo, theirs, right, filled)
        await self.press(leo, theirs, "Send this account")

    async def _deadline(self) -> None:
        """The second turn's planning closes by itself, with everybody silent."""
        ann = self.stage.ann

        async def look() -> bool:
            closed = self.stage.rows("select count(*) from journal where kind = 'closed'")[0][0]
            return closed >= len(self.story.batches)

        await self.surely(lambda: ann.until(look))

    async def _both_go_on(self) -> None:
        """Let everybody who is asked something be ready, so that play goes on."""
        asked = self.stage.rows("select side, title from prompt where status = 'open' order by side, title")
        assert asked
        for side, title in asked:
            who = self.stage.people[SEATS[side]]
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
        assert stage.process.returncode == 0, stage.log()[-3000:]

    # --- the outcome -----------------------------------------------------------------------------------------------

    def outcome(self) -> Json:
        """The record, and everything on Discord, in names instead of ids."""
        world = self.stage.server.world
        names = {user.id: f"<{user.name}>" for user in world.users.values()}
        roles = {role.id: role.name for role in world.roles[self.stage.guild["id"]].values()}
        known = names | roles | {channel.id: channel.name for channel in world.channels.values()}

        def named(text: str) -> str:
            return re.sub(r"\d{17,20}", lambda found: known.get(found[0], "?"), neutral(text))

        channels: list[Json] = []
        for channel in world.channels.values():
            place = channel.name or "".join(sorted(names[one] for one in channel.recipients if one != world.bot_id))
            posts = [
                (
                    named(post.content).replace(ALREADY_CLOSED, "").strip(),
                    [(file["filename"], file.get("description")) for file in post.attachments],
                )
                for post in self._posts
                if post.channel_id == channel.id and "time is up" not in post.content  # too late after an outage
            ]
            channels.append(
                {
                    "name": place,
                    "topic": channel.topic,
                    "in": known.get(channel.parent_id or ""),
                    "open to": sorted((known[one["id"]], one["allow"], one["deny"]) for one in channel.overwrites),
                    "members": sorted(names[one] for one in channel.thread_members),
                    "posts": posts,
                    "open sheets": [
                        first_line({"content": message.content})
                        for message in world.messages.get(channel.id, {}).values()
                        if message.components and message.reader_id is None
                    ],
                }
            )
        members = world.members[self.stage.guild["id"]].values()
        return {
            "journal": [
                self._entry(text, names) for (text,) in self.stage.rows("select entry from journal order by seq")
            ],
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
            text = text.replace(f'"{user_id}"', f'"{name}"')
        entry = json.loads(text)
        return {"seq": entry["seq"], "body": entry["body"]}


async def play(folder: Path, *, kill_at: int = 0, database: str = DEFAULT) -> tuple[Json, list[str], int]:
    """Play the campaign, the bot dying at its ``kill_at``-th point (0: never), on that kind of database.

    Returns:
        The outcome, the points passed in the first life, and how often the bot died.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    story = find_seed("pq17")
    log = folder / "points.log"
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(
            open_stage(folder, seed=story.seed, names=("rita", "ann", "leo", "sam"), database=database)
        )
        campaign = Campaign(stage, story)
        await stage.start_bot(PLOTROOM_KILL_AT=str(kill_at), PLOTROOM_KILL_LOG=str(log))
        async with asyncio.timeout(LONGEST):
            await campaign.script()
            await campaign.end()
        points = [line.split()[1] for line in log.read_text().splitlines()]
        assert stage.bad_lines() == []
        return campaign.outcome(), points, campaign.deaths
