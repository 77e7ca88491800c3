"""A moderator of the playground's server, who deletes, takes, kicks and invites; and what must be so afterwards."""

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from bot.playground.seats.setup import BOT_PERMISSIONS
from bot.playground.world import guilds, payloads
from bot.playground.world.model import Channel, Guild, Role
from bot.playground.world.world import Event, World
from tests.e2e.stage import LOOKED_AGAIN, Stage
from tests.patience import PATIENCE

VIEW = 1 << 10
OWNER = "olga"


class Moderator:
    """Does by chance what moderators do. Who was kicked is invited again when :meth:`invites_all` says so."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage = stage
        self.chance = random.Random(seed)
        self.did: list[str] = []

    @property
    def world(self) -> World:
        """The playground's."""
        return self.stage.server.world

    @property
    def guild(self) -> Guild:
        """The one server."""
        return self.world.guilds[self.stage.guild["id"]]

    # --- what there is -------------------------------------------------------------------------------------------

    def channels(self, *, threads: bool = False) -> list[Channel]:
        """Those of campaigns, or the threads in them."""
        marked = [one for one in self.world.by_guild[self.guild.id].values() if one.id in self._placed()]
        return sorted((one for one in marked if one.is_thread == threads), key=lambda one: int(one.id))

    def roles(self) -> list[Role]:
        """Those of campaigns."""
        placed = self._placed()
        return [role for _, role in sorted(self.world.roles[self.guild.id].items()) if role.id in placed]

    def _placed(self) -> set[str]:
        return {str(one) for (one,) in self.stage.rows("select discord_id from place")}

    def here(self, name: str) -> bool:
        """Whether somebody is on the server."""
        return self.stage.people[name].seat.user_id in self.world.members[self.guild.id]

    @property
    def has_bot(self) -> bool:
        """Whether the bot is."""
        return self.world.bot_id in self.world.members[self.guild.id]

    # --- what is done --------------------------------------------------------------------------------------------

    def acts(self) -> None:
        """Do one thing."""
        ways: list[Callable[[], str | None]] = [
            *(self.deletes_channel, self.deletes_channel, self.deletes_role, self.deletes_thread, self.archives_thread),
            *(self.deletes_message, self.takes_role, self.takes_role, self.gives_role, self.opens_channel),
            *(self.shuts_bot_out, self.takes_out_of_thread, self.kicks, self.kicks, self.kicks_bot),
        ]
        did = self.chance.choice(ways)()
        if did is not None:
            self.did.append(did)
        self.world.commit()

    def deletes_channel(self, name: str = "") -> str | None:
        """A channel or the category, of that name or any."""
        found = [one for one in self.channels() if not name or one.name == name]
        if not found:
            return None
        channel = self.chance.choice(found)
        guilds.delete_channel(self.world, channel)
        return f"deletes #{channel.name}"

    def deletes_role(self, name: str = "") -> str | None:
        """A role whose name begins so, or any."""
        found = [one for one in self.roles() if one.name.startswith(name)]
        if not found:
            return None
        role = self.chance.choice(found)
        guilds.delete_role(self.world, self.guild, role)
        return f"deletes @{role.name}"

    def deletes_thread(self) -> str | None:
        """A battle's."""
        if not (found := self.channels(threads=True)):
            return None
        guilds.delete_channel(self.world, found[0])
        return "deletes a thread"

    def archives_thread(self) -> str | None:
        """A battle's."""
        if not (found := [one for one in self.channels(threads=True) if not one.archived]):
            return None
        guilds.update_thread(self.world, found[0], {"archived": True, "locked": True})
        return "archives a thread"

    def deletes_message(self) -> str | None:
        """One of the bot's, anywhere on the server."""
        found = [one for channel in self.channels() for one in self.world.messages.get(channel.id, {}).values()]
        if not found:
            return None
        message = self.chance.choice(found)
        self.stage.server.messages.delete(message, self.world.channels[message.channel_id])
        return "deletes a message"

    def takes_role(self) -> str | None:
        """A campaign's role, from somebody who has one."""
        placed = {role.id for role in self.roles()}
        held = [
            (member, role)
            for _, member in sorted(self.world.members[self.guild.id].items())
            for role in member.roles
            if role in placed
        ]
        if not held:
            return None
        member, role = self.chance.choice(held)
        member.roles.remove(role)
        guilds.update_member(self.world, self.guild, member)
        return f"takes @{self.world.roles[self.guild.id][role].name}"

    def gives_role(self) -> str | None:
        """A campaign's role, to anybody on the server but its owner."""
        people = [name for name in sorted(self.stage.people) if name != OWNER and self.here(name)]
        roles = self.roles()
        if not people or not roles:
            return None
        name, role = self.chance.choice(people), self.chance.choice(roles)
        member = self.world.members[self.guild.id][self.stage.people[name].seat.user_id]
        if role.id in member.roles:
            return None
        member.roles.append(role.id)
        guilds.update_member(self.world, self.guild, member)
        return f"gives {name} @{role.name}"

    def opens_channel(self) -> str | None:
        """A channel is shown to everybody, or to a stranger."""
        found = [one for one in self.channels() if one.name != "bulletins"]
        if not found:
            return None
        channel = self.chance.choice(found)
        target, kind = self.chance.choice([(self.guild.id, 0), (self.stage.people["zoe"].seat.user_id, 1)])
        kept = [one for one in channel.overwrites if one["id"] != target]
        channel.overwrites = [*kept, {"id": target, "type": kind, "allow": VIEW, "deny": 0}]
        self.world.touch(channel)
        self.world.emit(Event("CHANNEL_UPDATE", self.guild.id, channel))
        return f"opens #{channel.name}"

    def shuts_bot_out(self) -> str | None:
        """What lets the bot into a channel is taken away."""
        if not (found := self.channels()):
            return None
        channel = self.chance.choice(found)
        channel.overwrites = [one for one in channel.overwrites if one["id"] != self.world.bot_id]
        self.world.touch(channel)
        self.world.emit(Event("CHANNEL_UPDATE", self.guild.id, channel))
        return f"shuts the bot out of #{channel.name}"

    def takes_out_of_thread(self) -> str | None:
        """Somebody is taken out of a battle's thread."""
        for thread in self.channels(threads=True):
            there = sorted(user for user in thread.thread_members if user != self.world.bot_id)
            if there:
                thread.thread_members.pop(self.chance.choice(there))
                self.world.touch(thread)
                return "takes somebody out of a thread"
        return None

    def kicks(self, name: str = "") -> str | None:
        """Somebody."""
        people = [one for one in sorted(self.stage.people) if one != OWNER and self.here(one)]
        who = name or (self.chance.choice(people) if people else "")
        if not who:
            return None
        member = self.world.members[self.guild.id][self.stage.people[who].seat.user_id]
        guilds.remove_member(self.world, self.guild, member)
        return f"kicks {who}"

    def kicks_bot(self) -> str | None:
        """The bot."""
        if not self.has_bot:
            return None
        guilds.remove_member(self.world, self.guild, self.world.members[self.guild.id][self.world.bot_id])
        return "kicks the bot"

    def invites(self, name: str) -> None:
        """Somebody comes back."""
        if not self.here(name):
            guilds.add_member(self.world, self.guild, self.stage.people[name].seat.user_id)
            self.did.append(f"invites {name}")
            self.world.commit()

    def invites_bot(self, *, drags: bool = True) -> None:
        """The bot comes back; its new role is dragged above the others, or left where Discord puts it."""
        if not self.has_bot:
            role = guilds.invite_bot(self.world, self.guild, BOT_PERMISSIONS)
            if drags:
                self.drags_bots_role(role)
            self.did.append("invites the bot")
            self.world.commit()

    def drags_bots_role(self, role: Role | None = None) -> None:
        """The bot's role is put above all others."""
        roles = self.world.roles[self.guild.id].values()
        mine = role or next(one for one in roles if one.bot_id == self.world.bot_id)
        mine.position = 1 + max(one.position for one in roles)
        self.world.touch(mine)
        self.world.emit(Event("GUILD_ROLE_UPDATE", self.guild.id, detail={"role": payloads.role(mine)}))
        self.world.commit()

    def lets_bot_in(self) -> None:
        """Whatever only a person can mend is mended: the bot sees every channel again."""
        for channel in self.channels():
            if not self.world.can_view(self.world.bot_id, channel):
                allowed = {"id": self.world.bot_id, "type": 1, "allow": VIEW, "deny": 0}
                channel.overwrites = [*(one for one in channel.overwrites if one["id"] != self.world.bot_id), allowed]
                self.world.touch(channel)
                self.world.emit(Event("CHANNEL_UPDATE", self.guild.id, channel))
        self.world.commit()

    def invites_all(self) -> None:
        """Everybody comes back, the bot first."""
        self.invites_bot()
        for name in sorted(self.stage.people):
            self.invites(name)

    # --- what must be so ------------------------------------------------------------------------------------------

    async def all_is_right(self) -> None:
        """Wait until nothing is missing, and everybody sees what they should and nothing else.

        Raises:
            AssertionError: when for long it does not become so, with what is wrong.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                # What heals is announced to nobody, so it is looked for.
                while self.wrong():  # noqa: ASYNC110
                    await asyncio.sleep(LOOKED_AGAIN)
        except TimeoutError:
            raise AssertionError("\n".join([*self.wrong(), "after", *self.did, self.stage.log()[-3000:]])) from None

    def wrong(self) -> list[str]:
        """What is not as it should be."""
        stage, world, members = self.stage, self.world, self.world.members[self.guild.id]
        names = {person.seat.user_id: name for name, person in stage.people.items()}
        (campaign,) = stage.rows("select id, referee_id, sides from campaign")
        places = {key: str(one) for key, one in stage.rows("select key, discord_id from place")}
        seats: defaultdict[str, set[str]] = defaultdict(set)
        for user, side in stage.rows("select user_id, side from member"):
            seats[f"role:{side}"].add(names[str(user)])
        seats["role:@referee"] = {names[str(campaign[1])]}
        wrong: list[str] = []
        for key, role in places.items():
            if key.startswith("role:"):
                holders = {names[user] for user, one in members.items() if role in one.roles and user in names}
                there = role in world.roles[self.guild.id]
                if not there or holders != {name for name in seats[key] if self.here(name)}:
                    wrong.append(f"{key}: {'held by' if there else 'gone'} {sorted(holders)}")
        everybody = {name for name in names.values() if self.here(name)}
        seated = set().union(*seats.values())
        for key, channel_id in places.items():
            expected = {
                "public": everybody, "category": seated, "battles": seated, "referee": seats["role:@referee"],
            }.get(key, seats[f"role:{key.removeprefix('side:')}"])  # fmt: skip
            if key.startswith(("role:", "past-battle:", "battle:")):
                continue
            channel = world.channels.get(channel_id)
            if channel is None:
                wrong.append(f"{key}: gone")
                continue
            seen = {name for user, name in names.items() if name != OWNER and world.can_view(user, channel)}
            if seen != {name for name in expected if self.here(name) and name != OWNER}:
                wrong.append(f"{key}: seen by {sorted(seen)}")
            if not world.can_view(world.bot_id, channel):
                wrong.append(f"{key}: not seen by the bot")
        wrong += self._wrong_threads(places, seats, names)
        for token, channel_id, message_id in stage.rows(
            "select m.token, m.channel_id, m.message_id from prompt_message m join prompt p on p.token = m.token "
            "where p.status = 'open'"
        ):
            if str(message_id) not in world.messages.get(str(channel_id), {}):
                wrong.append(f"card {token}: gone")
        wrong += [
            f"row {one}" for one in stage.rows("select id, kind, status, error from outbox where status != 'done'")
        ]
        return wrong

    def _wrong_threads(self, places: dict[str, str], seats: dict[str, set[str]], names: dict[str, str]) -> list[str]:
        wrong: list[str] = []
        for (key,) in self.stage.rows("select key from battle where stirred_at is not null"):
            thread = self.world.channels.get(places.get(f"battle:{key}", ""))
            if thread is None or thread.archived:
                wrong.append(f"battle {key}: {'no thread' if thread is None else 'asleep'}")
                continue
            ((payload,),) = self.stage.rows(
                f"select payload from outbox where kind = 'thread' and about = '{key}' order by id desc limit 1"
            )
            sides: list[str] = _sides(payload)
            due = {name for side in sides for name in seats[f"role:{side}"] if self.here(name)}
            there = {names[user] for user in thread.thread_members if user in names}
            if there != due:
                wrong.append(f"battle {key}: {sorted(there)} in its thread")
        return wrong


def _sides(payload: Any) -> list[str]:
    kept = json.loads(payload) if isinstance(payload, str) else payload
    return list(kept["sides"])
