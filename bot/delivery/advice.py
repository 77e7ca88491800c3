"""What the referee is told when Discord lets something not through: which permission is missing, and where."""

import re
from datetime import datetime, timedelta

import discord

from bot.delivery.reconciling.plans import NEEDED
from bot.delivery.trouble import Trouble, TroubleKind
from bot.records.campaigns import CampaignInfo
from bot.records.effects import (
    TROUBLE_QUEUE,
    Admit,
    ClosePrompt,
    Dismiss,
    Effect,
    Grant,
    Notice,
    Post,
    Reconcile,
    Redraw,
    Refresh,
    Rename,
    Revoke,
)
from bot.records.places import kind_of
from bot.store.transaction import Transaction
from rules_engine.core.basics.counted import counted, verb

TOLD_FOR = timedelta(hours=6)
"""The same trouble is not told again for this long."""


async def tell(tx: Transaction, campaign_id: str, text: str, now: datetime) -> None:
    """Queue a notice to the referee, unless the same one was given lately, if with another count."""
    notice = Notice(content=text)
    lately = await tx.outbox.since(campaign_id, TROUBLE_QUEUE, now - TOLD_FOR)
    if all(not isinstance(one, Notice) or _uncounted(one.content) != _uncounted(text) for one in lately):
        await tx.outbox.put(campaign_id, notice, now=now)


def _uncounted(text: str) -> str:
    """A notice without how much waits, which changes from one try to the next."""
    return _COUNT.sub("", text)


def to_the_referee(client: discord.Client, effect: Effect, home: CampaignInfo, trouble: Trouble) -> str:
    """What to grant or make room for, and where; nothing on a server that the bot is not on: nobody reads it there, and
    whoever invites the bot again is told then."""
    if client.is_ready() and client.get_guild(home.guild_id) is None:
        return ""
    if trouble.kind is TroubleKind.FULL:
        return (
            "This server has reached Discord's limit of roles, channels or threads. Delete or archive some that "
            "are no longer needed. I keep trying; nothing is lost."
        )
    if isinstance(effect, Grant | Revoke):
        return (
            "I may not give or take roles. Grant my role **Manage Roles** and drag it above this campaign's roles "
            f"(those marked {home.tag}) in Server Settings → Roles. I keep trying; nothing is lost."
        )
    if isinstance(effect, Reconcile):
        return (
            "I may not mend this campaign's roles and channels. Grant my role **Manage Roles**, **Manage Channels** "
            f"and **Manage Threads**, drag it above this campaign's roles (those marked {home.tag}) in Server Settings "
            "→ Roles, and let it see this campaign's channels. I keep trying; nothing is lost."
        )
    if isinstance(effect, Rename):
        return (
            "I may not rename a side's role and channel. Grant my role **Manage Roles** and **Manage Channels**, and "
            f"drag it above this campaign's roles (those marked {home.tag}) in Server Settings → Roles. I keep trying; "
            "nothing is lost."
        )
    where = "this server (Server Settings → Roles)"
    if isinstance(effect, Post) and effect.place:
        where = f"{_channel(effect.place, home)} of {home.title} {home.tag} (its permissions)"
    return (
        f"I may not do something I have to in {where}. I need: {', '.join(missing(client, home.guild_id))}. "
        "I keep trying; nothing is lost."
    )


def _channel(place: str, home: CampaignInfo) -> str:
    """The channel of a place in words. A battle's thread goes by the channel that it is in: who reads this may be a
    referee who plays, and need not know of it."""
    kind, name = kind_of(place)
    match kind:
        case "side":
            return f"the private channel of {home.side_names.get(name, 'a side')}"
        case "battle" | "battles":
            return "the channel for battles"
        case "referee":
            return "the referee's channel"
        case _:
            return "the public channel"


def refused(effect: Effect, home: CampaignInfo, label: str, what_then: str) -> str:
    """That Discord does not take something: for whom it is and what it is, without anything that it says."""
    return f"Discord refused something I had to do ({label}): {_named(effect, home)}. {what_then}"


def _named(effect: Effect, home: CampaignInfo) -> str:
    """An effect by what it is and whom it is for."""
    match effect:
        case Post(dm=dm, place=place, card=card):
            whom = f"for <@{dm}>" if dm is not None else f"in {_channel(place or '', home)}"
            return f"a {'message' if card is None else 'card'} {whom}"
        case Refresh(dm=dm) | ClosePrompt(dm=dm):
            return "the card of a sheet" if dm is None else f"the card of a sheet for <@{dm}>"
        case Redraw():
            return "the picture of a card"
        case Grant(user_id=user_id, role=role) | Revoke(user_id=user_id, role=role):
            return f"a role of <@{user_id}> ({_role(role, home)})"
        case Admit(user_id=user_id) | Dismiss(user_id=user_id):
            return f"<@{user_id}>'s place in a battle's thread"
        case _:
            return f"a {effect.kind}"


def _role(role: str, home: CampaignInfo) -> str:
    """A role in words."""
    return home.side_names.get(kind_of(role)[1], role.removeprefix("@"))


def stubborn(effect: Effect, home: CampaignInfo, code: int, behind: int) -> str:
    """That Discord stumbles over one thing again and again, and how many posts wait ``behind`` it."""
    where = ""
    if isinstance(effect, Post):
        reader = f"<@{effect.dm}>'s direct messages" if effect.dm is not None else ""
        where = f" for {reader or _channel(effect.place or '', home)}"
    plain = " I try it without pictures and buttons if the next try fails, too." if isinstance(effect, Post) else ""
    return (
        f"Discord has failed again and again ({code}) to take something{where}.{plain} {_waiting(behind)}, and "
        "nothing is lost."
    )


def _waiting(behind: int) -> str:
    return (
        f"{counted(behind, 'more post')} {verb(behind, 'waits', 'wait')} for it"
        if behind
        else "Nothing else waits for it"
    )


_COUNT = re.compile(r"(Nothing else|\d+ more posts?) waits? for it")


def gone(effect: Effect, home: CampaignInfo) -> str:
    """That something is deleted as often as it is made again."""
    where = f" for {_channel(effect.place or '', home)}" if isinstance(effect, Post) else ""
    return (
        f"Something that I need{where} was deleted on this server again and again. Whoever deletes it, perhaps another "
        "bot, must leave what is marked as this campaign's alone. I keep making it again; nothing is lost."
    )


def missing(client: discord.Client, guild_id: int) -> list[str]:
    """The permissions that the bot lacks on a server; all that it needs if none is seen to be lacking."""
    guild = client.get_guild(guild_id)
    lacking = NEEDED
    me = guild.me if guild is not None else None  # also None while Discord has not sent the bot's own membership
    if me is not None:
        lacking = discord.Permissions(NEEDED.value & ~me.guild_permissions.value)
    names = [name for name, wanted in (lacking if lacking.value else NEEDED) if wanted]
    return [f"**{name.replace('_', ' ').title()}**" for name in names]
