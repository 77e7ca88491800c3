"""REST: the emojis of the application, which only its bot uses."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from io import BytesIO
from typing import Any

from PIL import Image, UnidentifiedImageError

from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import payloads
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.model import AppEmoji

ENDPOINTS = Endpoints()

MOST = 2_000
LARGEST = 256 * 1024
"""Bytes of a picture."""

_ALL = "/applications/{application_id}/emojis"
_ONE = "/applications/{application_id}/emojis/{emoji_id}"
_NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=]+)")


def _found(request: ApiRequest) -> AppEmoji:
    request.check_application()
    emoji = request.world.emojis.get(request.params["emoji_id"])
    if emoji is None:
        raise refuse("unknown_emoji")
    return emoji


def _shown(request: ApiRequest, emoji: AppEmoji) -> Any:
    return payloads.emoji(request.world, emoji)


def _check_name(request: ApiRequest, errors: BodyErrors, name: Any, own: str = "") -> None:
    """A name must have Discord's letters, and no other emoji of the application may have it."""
    if not errors.text("name", name, 2, 32):
        return
    if not _NAME.fullmatch(name):
        errors.add("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(one.name == name and one.id != own for one in request.world.emojis.values()):
        errors.add("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This emoji name is already taken.")


@ENDPOINTS.add("GET", _ALL)
def list_emojis(request: ApiRequest) -> Any:
    request.check_application()
    return {"items": [_shown(request, emoji) for emoji in request.world.emojis.values()]}


@ENDPOINTS.add("POST", _ALL, status=201)
def create_emoji(request: ApiRequest) -> Any:
    request.check_application()
    world, errors = request.world, BodyErrors()
    name, image = request.fields.get("name"), request.fields.get("image")
    _check_name(request, errors, name)
    data = b""
    if errors.text("image", image, 1, 8 * LARGEST):
        found = _IMAGE.fullmatch(str(image))
        try:
            data = b64decode(found[1], validate=True) if found else b""
            Image.open(BytesIO(data)).verify()
        except (binascii.Error, UnidentifiedImageError, OSError, SyntaxError):
            errors.add("image", "IMAGE_INVALID", "Invalid image data")
        if len(data) > LARGEST:
            errors.add("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    errors.check()
    if len(world.emojis) >= MOST:
        raise refuse("max_emojis")
    emoji = AppEmoji(world.new_id(), str(name), request.bot_id)
    world.store.put_bytes(emoji.id, data)
    world.touch(emoji)
    return _shown(request, emoji)


@ENDPOINTS.add("GET", _ONE)
def get_emoji(request: ApiRequest) -> Any:
    return _shown(request, _found(request))


@ENDPOINTS.add("PATCH", _ONE)
def rename_emoji(request: ApiRequest) -> Any:
    emoji, errors = _found(request), BodyErrors()
    name = request.fields.get("name", emoji.name)
    _check_name(request, errors, name, emoji.id)
    errors.check()
    emoji.name = name
    request.world.touch(emoji)
    return _shown(request, emoji)


@ENDPOINTS.add("DELETE", _ONE)
def delete_emoji(request: ApiRequest) -> Any:
    request.world.remove(_found(request))
