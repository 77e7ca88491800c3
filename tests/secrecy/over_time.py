"""Two worlds over time: whatever reaches each reader, with its moment, while others do something that is hidden.

The bot is the real one, on simcord. Everybody answers as soon as they are asked, and time is moved to each reminder and
each deadline in turn, so that the moment of every call is known to the second. Written down are posts, edits, pins,
deletions, and what befalls threads and channels, each in a place that the reader can see.
"""

import asyncio
import contextlib
import re
import tempfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bot.errors import Sorry
from bot.store.database import open_store
from bot.store.tables import DeadlineRow
from rules_engine.core.basics import canonical_json
from tests.databases import SQLITE, prepared_url
from tests.secrecy import two_worlds, worlds
from tests.secrecy.seen import Eyes

ONLOOKERS = ("sam", "zoe")
"""A spectator and a passer-by, who read along beside the watcher."""

MOST_MOMENTS = 300
PRIVATE_THREAD = 12
_PLACE = re.compile(r"/channels/(\d+)(/.*)?$")
_TIME = re.compile(r"<t:\d+")


class Ears(Eyes):
    """All that the bot does in places that this person can see: Discord tells their client of it."""

    def hear(self) -> list[tuple[str, str]]:
        """What the bot did since the last time: where, and what. Each place keeps its order; between them delivery is
        free."""
        there = {str(one.id): one.name or "direct messages" for one in self.channels()}
        threads = {one.name for one in self.channels() if one.type == PRIVATE_THREAD}
        requests = self._club.env.http_requests
        fresh, self._calls = requests[self._calls :], len(requests)
        found: list[tuple[str, str, dict[str, Any]]] = []
        for call in fresh:
            at = _PLACE.search(call.path)
            body = dict(call.json) if isinstance(call.json, dict) else {}
            if call.method == "GET" or at is None or at[1] not in there or at[2] == "/typing":
                continue
            if body.get("type") == PRIVATE_THREAD and body.get("name") not in threads:
                continue  # Discord tells nobody of one but its members
            body.pop("nonce", None)
            found.append((there[at[1]], f"{call.method} {re.sub(r'[0-9]{6,}', '…', call.path)}", body))
        found.sort(key=lambda call: call[0])  # so that tokens are numbered alike
        return [(place, f"{what} {self._plain(body)}") for place, what, body in found]


@dataclass
class Heard:
    """What reached each reader in each place: the seconds since the campaign's start, and what it was. ``hidden`` is
    what the others did."""

    by: dict[str, list[tuple[int, str]]] = field(default_factory=dict[str, list[tuple[int, str]]])
    hidden: list[str] = field(default_factory=list[str])

    def parting(self, other: "Heard", *, moments: bool) -> str:
        """Where the two differ first, by place, or nothing. Without ``moments`` only what came in which order."""
        for who in sorted({*self.by, *other.by}):
            mine, theirs = self.by.get(who, []), other.by.get(who, [])
            one, two = ([_told(line, moments=moments) for line in lines] for lines in (mine, theirs))
            for at, (a, b) in enumerate(zip([*one, ""], [*two, ""], strict=False)):
                if a != b:
                    return f"{who}, {at} of {len(one)} and {len(two)}:\n- {a[:1500]}\n+ {b[:1500]}"
        return ""


def _told(heard: tuple[int, str], *, moments: bool) -> str:
    at, line = heard
    return f"{at} s: {line}" if moments else _TIME.sub("<t:…", line)


class OverTime(two_worlds.TwoWorlds):
    """A server that plays a world in its own time."""

    async def hear(self) -> Heard:
        """Play the world to its last turn."""
        world, self.heard = self.world, Heard()
        await self.slash(self.rita, "campaign create", title="Twin", scenario=world.scenario, **world.settings)
        for who, side in self.seated.items():
            await self.slash(self.people[who], "campaign join", side=side)
        await self.slash(self.sam, "campaign join", side="spectator")
        self.ears = {who: Ears(self, self.people[who]) for who in (two_worlds.WATCHER, *ONLOOKERS)}
        await self.slash(self.rita, "campaign start")
        self.campaign = next(one.id for one in await self.bot.services.campaigns.in_server(self.guild.id))
        answered: set[tuple[str, str]] = set()
        for _ in range(MOST_MOMENTS):
            self._listen()
            referee = await self.referee()
            if referee.ending is not None or referee.turn > world.turns:
                return self.heard
            asked = {(who, ask.id) for who, side in self.seated.items() for ask in referee.asks_for(side)}
            if fresh := asked - answered:
                answered |= fresh
                for who in sorted({who for who, _ in fresh}):
                    with self.env._bot_scope():
                        await self._answers(who, {ask for one, ask in fresh if one == who})
                    await self.env.settle()
                continue
            moment = await self._next_moment()
            assert moment is not None, "nothing is open, and nothing will fall due"
            await self.later(max(0.0, (moment - self.now()).total_seconds()))
            self.env.raise_errors()
        raise AssertionError("the campaign does not get on")

    def _listen(self) -> None:
        for who, ears in self.ears.items():
            for place, line in ears.hear():
                self.heard.by.setdefault(f"{who} in {place}", []).append((int(self._passed), line))

    async def _next_moment(self) -> datetime | None:
        """When the next reminder goes out, or the next deadline falls."""
        moments: list[datetime] = []
        for column in (DeadlineRow.falls_at, DeadlineRow.remind_at):
            moments += [one for one in await self.rows(column, sa.true()) if one is not None]
        return min(moments, default=None)

    async def _answers(self, who: str, fresh: set[str]) -> None:
        """Hand in what is asked anew, and be ready with it."""
        side, user, orders = self.seated[who], self.people[who].id, self.bot.services.orders
        referee = await self.referee()
        prompts = [one for one in await orders.prompts.open_prompts(self.campaign, user) if one.ask.id in fresh]
        for prompt in prompts:
            ask, token = prompt.ask, prompt.token
            shared = len(ask.parties) > 1
            document = ask.form.prefilled() if shared else self._answer(referee, side, ask)
            for number in range(0 if who == two_worlds.WATCHER else self.world.restless):
                with contextlib.suppress(Sorry):
                    await orders.filling.fill(token, user, ask.form.prefilled())
                    await orders.readiness.say(token, user, is_ready=number % 2 == 0)
                    await orders.readiness.say(token, user, is_ready=False)
                    await orders.filling.write(token, user, f"nonsense {number}: what; of all = things")
            with contextlib.suppress(Sorry):
                if document is not None:
                    if who != two_worlds.WATCHER:
                        self.heard.hidden.append(f"{side} {ask.kind} {canonical_json.digest(document)}")
                    await orders.filling.fill(token, user, ask.sheet_of(ask.answer_from(document)))
                    await self.bot.delivery.settled()  # else the card's next edit may take this one's place, or not
                await (
                    orders.accounts.hand_in(token, user) if shared else orders.readiness.say(token, user, is_ready=True)
                )


def hear(world: worlds.World) -> Heard:
    """Play a world and give what reached its readers."""
    return asyncio.run(_hear(world))


async def _hear(world: worlds.World) -> Heard:
    with (
        tempfile.TemporaryDirectory(dir=two_worlds.ROOM) as folder,
        two_worlds._sealed(world),
        two_worlds._loaded(world),
        two_worlds._drawn(world),
    ):
        config = Path(folder) / "config"
        two_worlds._scenario(world, config)
        store = await open_store(prepared_url(Path(folder), SQLITE))
        played = OverTime(store, world, config)
        env = two_worlds.QuickEnv(played.bot, settle_timeout=two_worlds.PATIENCE)
        played.env = env
        try:
            await env.start()
            played.build(env)
            heard = await played.hear()
            await played.bot.delivery.settled()
            return heard
        finally:
            await env.shutdown()
            await store.close()


def alike_over_time(one: Heard, other: Heard, *, moments: bool = True) -> None:
    """The same came to all readers, in the same order, of the same kind, at the same ``moments``; and the others really
    did something else."""
    assert sum(map(len, one.by.values())) > 10, "something must come"
    parted = one.parting(other, moments=moments)
    assert not parted, parted
    assert one.hidden != other.hidden
