"""Discord's JSON objects, built from the playground's records."""

from __future__ import annotations

from bot.playground.world.components import walk
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import AppEmoji, Blob, Channel, ChannelType, Command, Guild, Member, Message, Role, User
from bot.playground.world.world import World


def user(record: User) -> JsonObject:
    body: JsonObject = {
        "id": record.id,
        "username": record.name,
        "discriminator": "0000" if record.bot else "0",
        "global_name": None if record.bot else record.display,
        "avatar": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
        "public_flags": 0,
        "flags": 0,
    }
    if record.bot:
        body["bot"] = True
    return body


def own_user(record: User) -> JsonObject:
    """The bot's own user, as `GET /users/@me` shows it."""
    return {**user(record), "mfa_enabled": True, "locale": "en-US", "email": None, "verified": True}


def role(record: Role) -> JsonObject:
    body: JsonObject = {
        "id": record.id,
        "name": record.name,
        "permissions": str(record.permissions),
        "position": record.position,
        "color": record.color,
        "colors": {"primary_color": record.color, "secondary_color": None, "tertiary_color": None},
        "hoist": record.hoist,
        "managed": record.bot_id is not None,
        "mentionable": record.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if record.bot_id is not None:
        body["tags"] = {"bot_id": record.bot_id}
    return body


def member(world: World, record: Member, *, with_user: bool = True) -> JsonObject:
    body: JsonObject = {
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "collectibles": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": record.joined_at,
        "nick": record.nick,
        "pending": False,
        "premium_since": None,
        "roles": list(record.roles),
        "mute": False,
        "deaf": False,
    }
    if with_user:
        body["user"] = user(world.users[record.user_id])
    return body


def thread_member(thread: Channel, user_id: str) -> JsonObject:
    return {"id": thread.id, "user_id": user_id, "join_timestamp": thread.thread_members[user_id], "flags": 0}


def channel(world: World, record: Channel, *, viewer: str | None = None) -> JsonObject:
    """Any channel; with `viewer` a DM lists the other side, and a thread carries the viewer's membership."""
    if record.is_dm:
        me = viewer or world.bot_id
        return {
            "id": record.id,
            "type": int(record.type),
            "flags": 0,
            "last_message_id": record.last_message_id,
            "recipients": [user(world.users[other]) for other in record.recipients if other != me],
        }
    body: JsonObject = {
        "id": record.id,
        "type": int(record.type),
        "guild_id": record.guild_id,
        "name": record.name,
        "flags": 0,
        "parent_id": record.parent_id,
    }
    if record.is_thread:
        metadata: JsonObject = {
            "archived": record.archived,
            "archive_timestamp": record.archive_timestamp,
            "auto_archive_duration": record.auto_archive_duration,
            "locked": record.locked,
            "create_timestamp": record.create_timestamp,
        }
        if record.type == ChannelType.PRIVATE_THREAD:
            metadata["invitable"] = record.invitable
        body |= {
            "owner_id": record.owner_id,
            "last_message_id": record.last_message_id,
            "rate_limit_per_user": record.rate_limit_per_user,
            "thread_metadata": metadata,
            "message_count": record.message_count,
            "member_count": min(len(record.thread_members), 50),
            "total_message_sent": record.total_message_sent,
        }
        me = viewer or world.bot_id
        if me in record.thread_members:
            body["member"] = thread_member(record, me)
        return body
    body |= {
        "position": record.position,
        "permission_overwrites": [
            {"id": entry["id"], "type": entry["type"], "allow": str(entry["allow"]), "deny": str(entry["deny"])}
            for entry in record.overwrites
        ],
        "nsfw": record.nsfw,
    }
    if record.type == ChannelType.VOICE:
        body |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if record.type != ChannelType.CATEGORY:
        body |= {
            "topic": record.topic,
            "last_message_id": record.last_message_id,
            "last_pin_timestamp": record.last_pin_timestamp,
            "rate_limit_per_user": record.rate_limit_per_user,
        }
        if record.default_auto_archive_duration is not None:
            body["default_auto_archive_duration"] = record.default_auto_archive_duration
    return body


def emoji(world: World, record: AppEmoji) -> JsonObject:
    """An emoji of the application, with who made it."""
    return {
        "id": record.id,
        "name": record.name,
        "user": user(world.users[record.user_id]),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": record.animated,
        "available": True,
    }


def blob_url(base: str, folder: str, owner_id: str, record: Blob) -> str:
    return f"{base}/cdn/{folder}/{owner_id}/{record.id}/{record.filename}"


def referenced_files(embeds: list[JsonObject]) -> set[str]:
    """Ids of the attachments that the embeds show; Discord lists those with the embed only."""
    found: set[str] = set()
    for embed in embeds:
        for part in ("image", "thumbnail"):
            if (media := embed.get(part)) and (file_id := media.get("attachment_id")):
                found.add(file_id)
        for part in ("footer", "author"):
            if (media := embed.get(part)) and (file_id := media.get("attachment_id")):
                found.add(file_id)
    return found


def shown_by_components(components: list[JsonObject]) -> set[str]:
    """Ids of the attachments that blocks show; Discord lists those with the block only."""
    held = [holder for entry in walk(components) for holder in (entry, *entry.get("items", ()))]
    media = [holder[key] for holder in held for key in ("media", "file") if holder.get(key)]
    return {one["attachment_id"] for one in media if one.get("attachment_id")}


def _public_embed(embed: JsonObject) -> JsonObject:
    body = dict(embed)
    for part in ("image", "thumbnail", "footer", "author"):
        if part in body:
            body[part] = {key: value for key, value in body[part].items() if key != "attachment_id"}
    return body


def message(world: World, record: Message, *, nested: bool = False, content: bool = True) -> JsonObject:
    """A message; `nested` leaves out what it replies to, `content` False is what a bot without that intent gets."""
    record_channel = world.channels.get(record.channel_id)
    hidden = referenced_files(record.embeds) | shown_by_components(record.components)
    body: JsonObject = {
        "id": record.id,
        "type": record.type,
        "channel_id": record.channel_id,
        "author": user(world.users[record.author_id]),
        "content": record.content if content else "",
        "timestamp": record.timestamp,
        "edited_timestamp": record.edited_timestamp,
        "tts": record.tts,
        "mention_everyone": record.mention_everyone,
        "mentions": [user(world.users[name]) for name in record.mentions if name in world.users],
        "mention_roles": list(record.mention_roles),
        "attachments": [entry for entry in record.attachments if entry["id"] not in hidden] if content else [],
        "embeds": [_public_embed(embed) for embed in record.embeds] if content else [],
        "components": record.components if content else [],
        "pinned": record.pinned_at is not None,
        "flags": record.flags,
    }
    if record.nonce is not None:
        body["nonce"] = record.nonce
    if record.webhook_id is not None:
        body["webhook_id"] = record.webhook_id
        body["application_id"] = record.webhook_id
    if record.interaction is not None:
        body["interaction_metadata"] = _metadata(world, record.interaction)
        if record.interaction["type"] == 2:
            asker = user(world.users[record.interaction["user_id"]])
            # The older field: discord.py finds a command's view by the interaction's id in it.
            body["interaction"] = {
                "id": record.interaction["id"],
                "type": 2,
                "name": record.interaction["line"],
                "user": asker,
            }
    if record.reference is not None:
        body["message_reference"] = record.reference
        if not nested and record.type == 19:
            source = world.messages.get(record.reference["channel_id"], {}).get(record.reference.get("message_id", ""))
            body["referenced_message"] = (
                None if source is None else message(world, source, nested=True, content=content)
            )
    if record.thread_id is not None and (thread := world.channels.get(record.thread_id)) is not None:
        body["thread"] = channel(world, thread)
    if record_channel is not None and record_channel.is_thread:
        body["position"] = 0
    return body


def gateway_message(world: World, record: Message, *, content: bool = True) -> JsonObject:
    """A message as the gateway sends it: with `guild_id` and, for people in a guild, `member`."""
    body = message(world, record, content=content)
    home = world.channels.get(record.channel_id)
    if home is not None and home.guild_id is not None:
        body["guild_id"] = home.guild_id
        author = world.member(home.guild_id, record.author_id)
        if author is not None:
            body["member"] = member(world, author, with_user=False)
        for entry in body["mentions"]:
            mentioned = world.member(home.guild_id, entry["id"])
            if mentioned is not None:
                entry["member"] = member(world, mentioned, with_user=False)
    return body


def _metadata(world: World, stored: JsonObject) -> JsonObject:
    body = {key: value for key, value in stored.items() if key not in ("user_id", "trigger", "line")}
    body["user"] = user(world.users[stored["user_id"]])
    if trigger := stored.get("trigger"):
        body["triggering_interaction_metadata"] = _metadata(world, trigger)
    return body


def counts(world: World, record: Guild) -> JsonObject:
    """How many are there, as Discord tells whoever asks for it."""
    count = len(world.members[record.id])
    return {"approximate_member_count": count, "approximate_presence_count": count}


def guild(world: World, record: Guild) -> JsonObject:
    return {
        "id": record.id,
        "name": record.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": record.owner_id,
        "application_id": None,
        "region": "us-central",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": record.system_channel_id,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(entry) for entry in world.roles[record.id].values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create(world: World, record: Guild, *, all_members: bool, joined: bool = False) -> JsonObject:
    """GUILD_CREATE for the bot: all channels, the threads it may see, and the members its intents allow.

    Only for a guild that was announced in READY does it say that the guild is available; `joined` is for a new one.
    """
    channels = world.by_guild[record.id].values()
    members = world.members[record.id]
    shown = members.values() if all_members else [members[world.bot_id]]
    return {
        **guild(world, record),
        "joined_at": members[world.bot_id].joined_at,
        "large": False,
        **({} if joined else {"unavailable": False}),
        "member_count": len(members),
        "members": [member(world, entry) for entry in shown],
        "channels": [channel(world, entry) for entry in channels if not entry.is_thread],
        "threads": [
            channel(world, entry)
            for entry in channels
            if entry.is_thread and not entry.archived and world.can_view(world.bot_id, entry)
        ],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def command(world: World, record: Command) -> JsonObject:
    body: JsonObject = {
        "id": record.id,
        "application_id": world.application_id,
        "version": record.version,
        "default_member_permissions": None,
        "type": 1,
        "description": "",
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
        **record.data,
    }
    if record.guild_id is not None:
        body["guild_id"] = record.guild_id
    return body


def application(world: World, name: str, *, flags: int = 0) -> JsonObject:
    """The bot's application, as `GET /oauth2/applications/@me` shows it to itself."""
    owner = next((entry for entry in world.users.values() if not entry.bot), world.bot)
    return {
        "id": world.application_id,
        "name": name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(world.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": world.verify_key,
        "flags": flags,
        "flags_new": str(flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(owner),
        "approximate_guild_count": len(world.guilds_of(world.bot_id)),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
        "tags": [],
        "integration_types_config": {"0": {}},
    }
