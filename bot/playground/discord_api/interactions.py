"""REST: interaction callbacks and the webhooks that carry follow-ups."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import payloads
from bot.playground.world.model import Interaction, Message

ROUTES = Routes()

_ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
_MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"


@ROUTES.add("POST", "/interactions/{interaction_id}/{interaction_token}/callback", token=False)
def callback(call: Call) -> Any:
    body = call.services.interactions.answer(
        call.params["interaction_id"], call.params["interaction_token"], call.body, received=call.received
    )
    return body if call.query.get("with_response") in ("1", "true", "True") else None


@ROUTES.add("POST", "/webhooks/{webhook_id}/{webhook_token}", token=False)
def follow_up(call: Call) -> Any:
    message = call.services.interactions.follow_up(_interaction(call), call.body)
    # Follow-ups to interactions answer with the message whether or not `wait` is asked for.
    return payloads.message(call.world, message)


def _interaction(call: Call) -> Interaction:
    return call.services.interactions.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _target(call: Call) -> tuple[Interaction, Message]:
    interaction = _interaction(call)
    message_id = call.params.get("message_id", "@original")
    return interaction, call.services.interactions.response_message(interaction, message_id)


@ROUTES.add("GET", _ORIGINAL, token=False)
@ROUTES.add("GET", _MESSAGE, token=False)
def get_answer(call: Call) -> Any:
    return payloads.message(call.world, _target(call)[1])


@ROUTES.add("PATCH", _ORIGINAL, token=False)
@ROUTES.add("PATCH", _MESSAGE, token=False)
def edit_answer(call: Call) -> Any:
    interaction, message = _target(call)
    return payloads.message(call.world, call.services.interactions.edit(interaction, message, call.body))


@ROUTES.add("DELETE", _ORIGINAL, token=False)
@ROUTES.add("DELETE", _MESSAGE, token=False)
def delete_answer(call: Call) -> Any:
    interaction, message = _target(call)
    call.services.messages.delete(message, call.world.channel(interaction.channel_id))
