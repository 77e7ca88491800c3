"""Request bodies: reading JSON and multipart, and checking a message before anything is done with it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from aiohttp import web

from bot.playground.world.components import ComponentChecker
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.json_values import JsonObject, is_list, is_object
from bot.playground.world.model import COMPONENTS_V2, EPHEMERAL, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS

_SENDABLE_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2 | EPHEMERAL


@dataclass(slots=True)
class Upload:
    """A file that came with a request; `slot` is the n of `files[n]`."""

    slot: str
    filename: str
    content_type: str
    data: bytes


@dataclass(slots=True)
class RequestBody:
    """A request's body: its JSON value and its files."""

    value: Any = None
    uploads: list[Upload] = field(default_factory=list[Upload])

    @property
    def fields(self) -> JsonObject:
        """The JSON object; a body of another shape is refused."""
        if self.value is None:
            return {}
        value = self.value
        if not is_object(value):
            raise refuse("invalid_json")
        return value


async def read_body(request: web.Request) -> RequestBody:
    """Read JSON, or multipart with `payload_json` and `files[n]`."""
    if request.content_type == "multipart/form-data":
        parts = await request.post()
        value: Any = None
        uploads: list[Upload] = []
        for name, part in parts.items():
            if isinstance(part, web.FileField):
                slot = name.removeprefix("files[").removesuffix("]")
                uploads.append(Upload(slot, part.filename, part.content_type, part.file.read()))
            elif name == "payload_json":
                value = _decode(part if isinstance(part, (str, bytes)) else bytes(part))
        return RequestBody(value, uploads)
    if not request.can_read_body:
        return RequestBody()
    raw = await request.read()
    return RequestBody(_decode(raw) if raw else None)


def _decode(raw: str | bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise refuse("invalid_json") from error


@dataclass(slots=True)
class MessageBody:
    """A checked message. `given` names the fields that were in the body, which matters for an edit."""

    given: frozenset[str]
    content: str = ""
    embeds: list[JsonObject] = field(default_factory=list[JsonObject])
    components: list[JsonObject] = field(default_factory=list[JsonObject])
    attachments: list[JsonObject] = field(default_factory=list[JsonObject])
    uploads: list[Upload] = field(default_factory=list[Upload])
    flags: int = 0
    tts: bool = False
    nonce: str | int | None = None
    enforce_nonce: bool = False
    reference: JsonObject | None = None
    allowed_mentions: JsonObject | None = None

    @property
    def empty(self) -> bool:
        return not (self.content or self.embeds or self.components or self.uploads or self.attachments)


def read_message_body(
    request: RequestBody, *, limit: int, prefix: str = "", base_flags: int = 0, edit: bool = False
) -> MessageBody:
    """Check a message body against Discord's limits; `limit` is the size of a file in bytes.

    `base_flags` are those of the message being edited. Every defect is reported at once, under `prefix`.
    """
    fields: JsonObject = request.value if is_object(request.value) else {}
    if prefix:
        fields = fields.get("data") or {}
    errors = BodyErrors()
    checked = _PrefixedErrors(errors, prefix) if prefix else errors
    if sum(len(upload.data) for upload in request.uploads) > 10 * limit or any(
        len(u.data) > limit for u in request.uploads
    ):
        raise refuse("too_large")
    given = frozenset(fields)
    body = MessageBody(given, uploads=request.uploads)
    flags = fields.get("flags") or 0
    if isinstance(flags, int):
        body.flags = flags & _SENDABLE_FLAGS
    else:
        checked.add("flags", "NUMBER_TYPE_COERCE", f'Value "{flags}" is not int.')
    layout = bool((body.flags | base_flags) & COMPONENTS_V2)
    if checked.text("content", fields.get("content"), 0, 2000, required=False):
        body.content = fields["content"].strip()
    body.embeds = _embeds(checked, fields.get("embeds"))
    if fields.get("components"):
        body.components = ComponentChecker(checked).message(fields["components"], layout=layout)
    if layout:
        for name in ("content", "embeds", "poll"):
            if fields.get(name):
                checked.add(
                    name,
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
    body.tts = bool(fields.get("tts"))
    _nonce(checked, fields, body)
    body.attachments = _attachments(checked, fields.get("attachments"), request.uploads)
    body.allowed_mentions = _allowed_mentions(checked, fields.get("allowed_mentions"))
    reference = fields.get("message_reference")
    if reference is not None:
        if reference.get("message_id") is None:
            checked.required("message_reference.message_id")
        body.reference = reference
    errors.check()
    if body.empty and not edit:
        raise refuse("empty_message")
    return body


class _PrefixedErrors(BodyErrors):
    """Reports into `target` under one more key: `content` becomes `data.content` in an interaction's answer."""

    def __init__(self, target: BodyErrors, prefix: str) -> None:
        super().__init__()
        self._target = target
        self._prefix = prefix

    def add(self, path: str, code: str, message: str) -> None:
        self._target.add(f"{self._prefix}.{path}", code, message)


def _nonce(errors: BodyErrors, fields: JsonObject, body: MessageBody) -> None:
    nonce = fields.get("nonce")
    is_number = isinstance(nonce, int) and not isinstance(nonce, bool)
    if nonce is not None and (is_number or errors.text("nonce", nonce, 1, 25)):
        body.nonce = nonce
    body.enforce_nonce = bool(fields.get("enforce_nonce"))
    if body.enforce_nonce and nonce is None:
        errors.required("nonce")


def _attachments(errors: BodyErrors, listed: Any, uploads: list[Upload]) -> list[JsonObject]:
    """Descriptions for uploads (by slot) and, in an edit, the attachments that stay (by id)."""
    done: list[JsonObject] = []
    slots = {upload.slot for upload in uploads}
    if len(uploads) > 10 or (is_list(listed) and len(listed) > 10):
        errors.bad_length("attachments", 0, 10)
    entries: list[JsonObject] = listed or []
    for i, entry in enumerate(entries):
        errors.text(f"attachments.{i}.description", entry.get("description"), 0, 1024, required=False)
        errors.text(f"attachments.{i}.filename", entry.get("filename"), 1, 1024, required=False)
        slot = str(entry.get("id"))
        if slot not in slots and len(slot) < 15:
            errors.add(f"attachments.{i}.id", "ATTACHMENT_NOT_FOUND", "No file with this id was uploaded")
        done.append({**entry, "id": slot})
    return done


def _allowed_mentions(errors: BodyErrors, given: Any) -> JsonObject | None:
    if not is_object(given):
        return None
    parse: list[str] = given.get("parse") or []
    users: list[Any] = given.get("users") or []
    roles: list[Any] = given.get("roles") or []
    for name, ids in (("users", users), ("roles", roles)):
        if ids and name in parse:
            errors.add(
                "allowed_mentions.parse",
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.',
            )
        if len(ids) > 100:
            errors.bad_length(f"allowed_mentions.{name}", 0, 100)
    return {
        "parse": list(parse),
        "users": [str(item) for item in users],
        "roles": [str(item) for item in roles],
        "replied_user": given.get("replied_user", True),
    }


#: field -> most characters, in an embed.
_EMBED_TEXTS = {"title": 256, "description": 4096}


def _embeds(errors: BodyErrors, given: Any) -> list[JsonObject]:
    if not given:
        return []
    if len(given) > 10:
        errors.bad_length("embeds", 0, 10)
    total = 0
    done: list[JsonObject] = []
    for i, embed in enumerate(given):
        body, length = _embed(errors, f"embeds.{i}", embed)
        total += length
        done.append(body)
    if total > 6000:
        errors.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return done


def _embed(errors: BodyErrors, path: str, embed: JsonObject) -> tuple[JsonObject, int]:
    body: JsonObject = {"type": "rich"}
    total = 0

    def text(where: str, source: JsonObject, key: str, limit: int, *, needed: bool = False) -> None:
        nonlocal total
        value = source.get(key)
        if needed and (value is None or not str(value).strip()):
            errors.required(f"{where}.{key}")
        elif errors.text(f"{where}.{key}", value, 0, limit, required=False):
            total += len(str(value).strip())

    for key, limit in _EMBED_TEXTS.items():
        text(path, embed, key, limit)
        if embed.get(key):
            body[key] = embed[key]
    if embed.get("url"):
        body["url"] = embed["url"]
    if embed.get("color") is not None and errors.integer(f"{path}.color", embed["color"], 0, 0xFFFFFF):
        body["color"] = embed["color"]
    if embed.get("timestamp"):
        try:
            body["timestamp"] = datetime.fromisoformat(embed["timestamp"]).isoformat()
        except ValueError:
            errors.add(
                f"{path}.timestamp", "DATE_TIME_TYPE_PARSE", f"Could not parse {embed['timestamp']}. Should be ISO8601."
            )
    if fields := embed.get("fields"):
        if len(fields) > 25:
            errors.bad_length(f"{path}.fields", 0, 25)
        kept: list[JsonObject] = []
        for i, entry in enumerate(fields):
            text(f"{path}.fields.{i}", entry, "name", 256, needed=True)
            text(f"{path}.fields.{i}", entry, "value", 1024, needed=True)
            kept.append({"name": entry.get("name"), "value": entry.get("value"), "inline": bool(entry.get("inline"))})
        body["fields"] = kept
    for part, key, limit in (("footer", "text", 2048), ("author", "name", 256)):
        if source := embed.get(part):
            text(f"{path}.{part}", source, key, limit, needed=True)
            body[part] = {name: source[name] for name in (key, "url", "icon_url") if source.get(name)}
    for part in ("image", "thumbnail"):
        if (source := embed.get(part)) and source.get("url"):
            body[part] = {"url": source["url"]}
    if len(body) == 1:
        errors.required(f"{path}.description")
    return body, total
