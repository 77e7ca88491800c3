"""Creating, editing, deleting and pinning messages, with their mentions and attachments and the counts of threads."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image, UnidentifiedImageError

from bot.playground.world import guilds, payloads
from bot.playground.world.bodies import MessageBody, Upload
from bot.playground.world.components import walk
from bot.playground.world.errors import BodyErrors
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import (
    COMPONENTS_V2,
    EPHEMERAL,
    HAS_THREAD,
    LOADING,
    Blob,
    Channel,
    ChannelType,
    Message,
)
from bot.playground.world.permissions import Permission
from bot.playground.world.world import Event, World, snowflake_time

#: For how long a repeated nonce returns the existing message, in seconds.
NONCE_LIFETIME = 300.0

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_SAFE_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_ATTACHED = "attachment://"
_LASTING_FLAGS = EPHEMERAL | LOADING | HAS_THREAD | COMPONENTS_V2
"""Flags of a message that no edit takes off."""


@dataclass(slots=True)
class MessageOrigin:
    """Where a message comes from: its author, and for an interaction's answers what they answer."""

    author_id: str
    webhook_id: str | None = None
    interaction: JsonObject | None = None
    reader_id: str | None = None
    type: int = 0


class Messages:
    """The message operations of one world; `base_url` is where attachments are served."""

    def __init__(self, world: World, base_url: str) -> None:
        self.world = world
        self.base_url = base_url
        self._nonces: dict[tuple[str, str, str | int], Message] = {}
        for channel_messages in world.messages.values():
            for message in channel_messages.values():
                if message.enforced_nonce and message.nonce is not None:
                    self._nonces[message.channel_id, message.author_id, message.nonce] = message

    def with_nonce(self, channel: Channel, author_id: str, body: MessageBody) -> Message | None:
        """The message that this author already sent here under the same enforced nonce, within a few minutes."""
        if not body.enforce_nonce or body.nonce is None:
            return None
        found = self._nonces.get((channel.id, author_id, body.nonce))
        if found is None or found.id not in self.world.messages.get(channel.id, {}):
            return None
        return found if self.world.clock.now() - snowflake_time(found.id) < NONCE_LIFETIME else None

    def create(self, channel: Channel, body: MessageBody, origin: MessageOrigin, *, flags: int = 0) -> Message:
        """Post a checked message; the caller has checked permissions."""
        world = self.world
        check_emojis(body.components, world)
        check_media(body, [])
        message = Message(
            id=world.new_id(),
            channel_id=channel.id,
            author_id=origin.author_id,
            timestamp=world.clock.iso(),
            type=origin.type,
            content=body.content,
            flags=body.flags | flags,
            tts=body.tts,
            nonce=body.nonce,
            enforced_nonce=body.enforce_nonce,
            webhook_id=origin.webhook_id,
            interaction=origin.interaction,
            reader_id=origin.reader_id,
        )
        if origin.reader_id is not None:
            message.flags |= EPHEMERAL
        self._reply(message, channel, body)
        message.attachments = self._attach(message, body.attachments, body.uploads)
        message.embeds = self._resolve_embeds(body.embeds, message.attachments)
        message.components = self._resolve_components(body.components, message.attachments)
        self._mention(message, channel, body)
        if body.enforce_nonce and body.nonce is not None:
            self._nonces[channel.id, origin.author_id, body.nonce] = message
        if message.reader_id is None:
            self._count(channel, message)
        world.touch(message)
        world.emit(Event("MESSAGE_CREATE", channel.guild_id, channel, message))
        return message

    def edit(self, message: Message, channel: Channel, body: MessageBody, *, loaded: bool = False) -> Message:
        """Change the fields that the body names; `loaded` completes a deferred answer instead of marking an edit."""
        given = body.given
        check_emojis(body.components, self.world)
        check_media(body, message.attachments)
        if "content" in given:
            message.content = body.content
        if "attachments" in given or body.uploads:
            message.attachments = self._attach(message, body.attachments, body.uploads, listed="attachments" in given)
        if "embeds" in given:
            message.embeds = self._resolve_embeds(body.embeds, message.attachments)
        if "components" in given:
            message.components = self._resolve_components(body.components, message.attachments)
        if "flags" in given:
            message.flags = message.flags & _LASTING_FLAGS | body.flags & ~EPHEMERAL
        message.flags &= ~LOADING
        if loaded:
            self._mention(message, channel, body)
        else:
            message.edited_timestamp = self.world.clock.iso()
            if "content" in given or "allowed_mentions" in given:
                self._mention(message, channel, body)
        self.world.touch(message)
        self.world.emit(Event("MESSAGE_UPDATE", channel.guild_id, channel, message))
        return message

    def delete(self, message: Message, channel: Channel, *, is_one_of_many: bool = False) -> None:
        self.world.remove(message)
        if message.reader_id is None and channel.is_thread:
            channel.message_count = max(0, channel.message_count - 1)
            self.world.touch(channel)
        detail = {"is_one_of_many": is_one_of_many}
        self.world.emit(Event("MESSAGE_DELETE", channel.guild_id, channel, message, detail))

    def delete_at_once(self, messages: Sequence[Message], channel: Channel) -> None:
        """Delete several: people's views are told of each, the gateway of all in one event."""
        for message in messages:
            self.delete(message, channel, is_one_of_many=True)
        ids = [message.id for message in messages]
        self.world.emit(Event("BULK_DELETE", channel.guild_id, channel, detail={"ids": ids}))

    def pin(self, message: Message, channel: Channel, *, pinned: bool) -> None:
        message.pinned_at = self.world.clock.iso() if pinned else None
        if pinned:
            channel.last_pin_timestamp = message.pinned_at
            self.world.touch(channel)
        self.world.touch(message)
        self.world.emit(Event("CHANNEL_PINS_UPDATE", channel.guild_id, channel))
        self.world.emit(Event("MESSAGE_UPDATE", channel.guild_id, channel, message))

    def system(
        self, channel: Channel, author_id: str, kind: int, content: str = "", reference: JsonObject | None = None
    ) -> Message:
        """A system message: 6 a pin, 18 a thread was created."""
        message = Message(
            id=self.world.new_id(),
            channel_id=channel.id,
            author_id=author_id,
            timestamp=self.world.clock.iso(),
            type=kind,
            content=content,
            reference=reference,
        )
        self._count(channel, message)
        self.world.touch(message)
        self.world.emit(Event("MESSAGE_CREATE", channel.guild_id, channel, message))
        return message

    def mark_thread(self, message: Message, channel: Channel, thread: Channel) -> None:
        """Note in a message that a thread was started from it."""
        message.thread_id = thread.id
        message.flags |= HAS_THREAD
        self.world.touch(message)
        self.world.emit(Event("MESSAGE_UPDATE", channel.guild_id, channel, message))

    def store_upload(self, upload: Upload) -> Blob:
        """Keep a file's bytes, with its type and the size of a picture."""
        size = _image_size(upload)
        blob = Blob(
            id=self.world.new_id(),
            filename=safe_name(upload.filename) or "file",
            content_type=_content_type(upload),
            size=len(upload.data),
            width=None if size is None else size[0],
            height=None if size is None else size[1],
        )
        self.world.store.put_bytes(blob.id, upload.data)
        self.world.touch(blob)
        return blob

    def attachment(self, blob: Blob, owner_id: str, *, ephemeral: bool, description: str | None = None) -> JsonObject:
        """The attachment object for a stored file."""
        url = payloads.blob_url(self.base_url, "ephemeral-attachments" if ephemeral else "attachments", owner_id, blob)
        body: JsonObject = {
            "id": blob.id,
            "filename": blob.filename,
            "size": blob.size,
            "url": url,
            "proxy_url": url,
            "content_type": blob.content_type,
        }
        if blob.width is not None and blob.height is not None:
            body |= {"width": blob.width, "height": blob.height}
        if description:
            body["description"] = description
        if ephemeral:
            body["ephemeral"] = True
        return body

    # --- parts ---------------------------------------------------------------------------------------------------

    def _reply(self, message: Message, channel: Channel, body: MessageBody) -> None:
        reference = body.reference
        if reference is None:
            return
        target = self.world.messages.get(channel.id, {}).get(str(reference["message_id"]))
        if target is None or target.reader_id is not None:
            if reference.get("fail_if_not_exists", True):
                errors = BodyErrors()
                errors.add("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
                errors.check()
            return
        message.type = 19
        message.reference = {"type": 0, "channel_id": channel.id, "message_id": target.id}
        if channel.guild_id is not None:
            message.reference["guild_id"] = channel.guild_id

    def _attach(
        self, message: Message, entries: list[JsonObject], uploads: list[Upload], *, listed: bool = True
    ) -> list[JsonObject]:
        """The message's attachments: those kept, then the new files."""
        by_slot = {entry["id"]: entry for entry in entries}
        old = {entry["id"]: entry for entry in message.attachments}
        kept = [old[entry["id"]] for entry in entries if entry["id"] in old] if listed else list(old.values())
        new: list[JsonObject] = []
        for upload in uploads:
            entry = by_slot.get(upload.slot, {})
            if entry.get("filename"):
                upload.filename = entry["filename"]
            blob = self.store_upload(upload)
            new.append(
                self.attachment(
                    blob, message.channel_id, ephemeral=message.ephemeral, description=entry.get("description")
                )
            )
        return kept + new

    def _resolve_embeds(self, embeds: list[JsonObject], attachments: list[JsonObject]) -> list[JsonObject]:
        for embed in embeds:
            for part, key in (("image", "url"), ("thumbnail", "url"), ("footer", "icon_url"), ("author", "icon_url")):
                media = embed.get(part)
                if not media or key not in media:
                    continue
                file = _named(media[key], attachments)
                if file is None:
                    continue
                media[key] = file["url"]
                media["attachment_id"] = file["id"]
                if key == "url":
                    media["proxy_url"] = file["url"]
                    for extra in ("width", "height", "description", "content_type"):
                        if extra in file:
                            media[extra] = file[extra]
        return embeds

    def _resolve_components(self, components: list[JsonObject], attachments: list[JsonObject]) -> list[JsonObject]:
        for entry in walk(components):
            for holder in (entry, *entry.get("items", ())):
                for key in ("media", "file"):
                    media = holder.get(key)
                    if not media:
                        continue
                    file = _named(media["url"], attachments)
                    media["id"] = self.world.new_id() if file is None else file["id"]
                    if file is not None:
                        media |= {"url": file["url"], "attachment_id": file["id"], "content_type": file["content_type"]}
                        media |= {name: file[name] for name in ("width", "height") if name in file}
                        if key == "file":
                            holder |= {"name": file["filename"], "size": file["size"]}
                    media["proxy_url"] = media["url"]
        return components

    def _mention(self, message: Message, channel: Channel, body: MessageBody) -> None:
        """Set whom the text mentions: those whom the sender allows and has the permission to mention."""
        world = self.world
        texts = [message.content, *(entry["content"] for entry in walk(message.components) if entry["type"] == 10)]
        text = "\n".join(filter(None, texts))
        allowed = body.allowed_mentions
        parse = {"users", "roles", "everyone"} if allowed is None else set(allowed["parse"])
        bits = world.permissions(message.author_id, channel)
        members = set(channel.recipients) if channel.guild_id is None else set(world.members[channel.guild_id])
        message.mentions = [
            user_id
            for user_id in dict.fromkeys(_USER.findall(text))
            if user_id in members and ("users" in parse or (allowed is not None and user_id in allowed["users"]))
        ]
        roles = {} if channel.guild_id is None else world.roles[channel.guild_id]
        message.mention_roles = [
            role_id
            for role_id in dict.fromkeys(_ROLE.findall(text))
            if role_id in roles
            and ("roles" in parse or (allowed is not None and role_id in allowed["roles"]))
            and (roles[role_id].mentionable or bits & Permission.MENTION_EVERYONE)
        ]
        message.mention_everyone = bool(
            "everyone" in parse and bits & Permission.MENTION_EVERYONE and channel.guild_id and _EVERYONE.search(text)
        )
        if message.type == 19 and message.reference is not None and (allowed is None or allowed["replied_user"]):
            target = world.messages[channel.id].get(message.reference["message_id"])
            if (
                target is not None
                and target.author_id not in message.mentions
                and target.author_id != message.author_id
            ):
                message.mentions.append(target.author_id)

    def _count(self, channel: Channel, message: Message) -> None:
        channel.last_message_id = message.id
        if channel.is_thread:
            channel.message_count += 1
            channel.total_message_sent += 1
            if channel.archived:
                channel.archived = False
                channel.archive_timestamp = self.world.clock.iso()
                self.world.emit(Event("THREAD_UPDATE", channel.guild_id, channel))
            self._add_to_thread(channel, message)
        self.world.touch(channel)

    def _add_to_thread(self, thread: Channel, message: Message) -> None:
        """Add to the thread its author, and the people mentioned who may see the parent channel."""
        world = self.world
        parent = world.channels[thread.parent_id or ""]
        invites = (
            thread.type != ChannelType.PRIVATE_THREAD
            or thread.invitable
            or thread.owner_id == message.author_id
            or world.permissions(message.author_id, thread) & Permission.MANAGE_THREADS
        )
        guilds.join_thread(world, thread, message.author_id)
        for user_id in message.mentions:
            if invites and world.can_view(user_id, parent):
                guilds.join_thread(world, thread, user_id)


def safe_name(filename: str) -> str:
    """A file's name as Discord keeps it."""
    return _SAFE_NAME.sub("_", filename).strip("_")


def check_media(body: MessageBody, old: list[JsonObject]) -> None:
    """Refuse blocks that show a file which neither comes with the message nor is kept of those that it had."""
    listed = {entry["id"]: entry for entry in body.attachments}
    kept = [one for one in old if one["id"] in listed] if "attachments" in body.given else old
    names = {one["filename"] for one in kept}
    names |= {safe_name(listed.get(one.slot, {}).get("filename") or one.filename) for one in body.uploads}
    errors = BodyErrors()
    for at, entry in enumerate(walk(body.components)):
        for holder in (entry, *entry.get("items", ())):
            for key in ("media", "file"):
                media: JsonObject = holder.get(key) or {}
                url = str(media.get("url", ""))
                if url.startswith(_ATTACHED) and safe_name(url.removeprefix(_ATTACHED)) not in names:
                    errors.add(
                        f"components.{at}.{key}.url",
                        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                        f"The referenced attachment ({url}) was not found",
                    )
    errors.check()


def _named(url: Any, attachments: list[JsonObject]) -> JsonObject | None:
    """The attachment that an `attachment://name` URL means, or whose own URL it is."""
    if not isinstance(url, str):
        return None
    if url.startswith(_ATTACHED):
        name = safe_name(url.removeprefix(_ATTACHED))
        return next((entry for entry in attachments if entry["filename"] == name), None)
    return next((entry for entry in attachments if entry["url"] == url), None)


def _content_type(upload: Upload) -> str:
    """The type that the sender gave, or else that of the file's name, as Discord does (discord.py never gives one)."""
    if upload.content_type and upload.content_type != "application/octet-stream":
        return upload.content_type
    return mimetypes.guess_type(upload.filename)[0] or "application/octet-stream"


def check_emojis(components: list[JsonObject], world: World) -> None:
    """Refuse components with a custom emoji that there is not. In texts Discord leaves such a one as it stands."""
    errors = BodyErrors()
    for component in walk(components):
        for entry in (component, *component.get("options", ())):
            emoji: JsonObject = entry.get("emoji") or {}
            if emoji.get("id") and emoji["id"] not in world.emojis:
                errors.add("components.emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    errors.check()


def _image_size(upload: Upload) -> tuple[int, int] | None:
    data = upload.data
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if not upload.content_type.startswith("image/"):
        return None
    try:
        with Image.open(BytesIO(data)) as image:
            return image.size
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return None
