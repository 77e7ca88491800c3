"""REST: interaction callbacks and the webhooks that carry follow-ups."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import payloads
from bot.playground.world.model import Interaction, Message

ENDPOINTS = Endpoints()

_ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
_MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"


@ENDPOINTS.add("POST", "/interactions/{interaction_id}/{interaction_token}/callback", token=False)
def callback(request: ApiRequest) -> Any:
    body = request.services.interactions.answer(
        request.params["interaction_id"], request.params["interaction_token"], request.body, received=request.received
    )
    return body if request.query.get("with_response") in ("1", "true", "True") else None


@ENDPOINTS.add("POST", "/webhooks/{webhook_id}/{webhook_token}", token=False)
def follow_up(request: ApiRequest) -> Any:
    message = request.services.interactions.follow_up(_interaction(request), request.body)
    # Follow-ups to interactions answer with the message whether or not `wait` is asked for.
    return payloads.message(request.world, message)


def _interaction(request: ApiRequest) -> Interaction:
    return request.services.interactions.by_token(request.params["webhook_id"], request.params["webhook_token"])


def _target(request: ApiRequest) -> tuple[Interaction, Message]:
    interaction = _interaction(request)
    message_id = request.params.get("message_id", "@original")
    return interaction, request.services.interactions.response_message(interaction, message_id)


@ENDPOINTS.add("GET", _ORIGINAL, token=False)
@ENDPOINTS.add("GET", _MESSAGE, token=False)
def get_answer(request: ApiRequest) -> Any:
    return payloads.message(request.world, _target(request)[1])


@ENDPOINTS.add("PATCH", _ORIGINAL, token=False)
@ENDPOINTS.add("PATCH", _MESSAGE, token=False)
def edit_answer(request: ApiRequest) -> Any:
    interaction, message = _target(request)
    return payloads.message(request.world, request.services.interactions.edit(interaction, message, request.body))


@ENDPOINTS.add("DELETE", _ORIGINAL, token=False)
@ENDPOINTS.add("DELETE", _MESSAGE, token=False)
def delete_answer(request: ApiRequest) -> Any:
    interaction, message = _target(request)
    request.services.messages.delete(message, request.world.channel(interaction.channel_id))
