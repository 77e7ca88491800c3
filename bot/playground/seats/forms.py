"""Choices in menus and fields of modals, checked as Discord's own client checks them before sending."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.playground.seats import invoke
from bot.playground.seats.errors import SeatError
from bot.playground.world import modals
from bot.playground.world.json_values import JsonObject, is_list
from bot.playground.world.messages import Messages
from bot.playground.world.model import Channel
from bot.playground.world.world import World


def choose(
    world: World, user_id: str, channel: Channel, component: JsonObject, given: Any
) -> tuple[list[str], JsonObject]:
    """Check what was chosen in a menu; returns the values, and Discord's objects for the ids among them."""
    if not is_list(given):
        raise SeatError("bad_request", "values must be a list")
    values = [str(value) for value in given]
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    optional = component.get("required") is False and not values
    if (not low <= len(values) <= high and not optional) or len(set(values)) != len(values):
        raise SeatError("invalid_option", f"choose {low} to {high} different values")
    kind = component["type"]
    resolved = invoke.ResolvedObjects(world, channel, user_id)
    for value in values:
        match kind:
            case 3:
                good = any(option["value"] == value for option in component["options"])
            case 5:
                good = resolved.user(value)
            case 6:
                good = resolved.role(value)
            case 7:
                good = resolved.user(value) or resolved.role(value)
            case _:
                good = resolved.channel_id(value, component.get("channel_types"))
        if not good:
            raise SeatError("invalid_option", f"{value} cannot be chosen here")
    return values, resolved.found


@dataclass(slots=True)
class ModalSubmission:
    """One submission of a modal; `resolved` collects the files and the people, roles and channels chosen."""

    world: World
    messages: Messages
    user_id: str
    channel: Channel
    limit: int
    resolved: JsonObject = field(default_factory=dict[str, Any])

    def rows(self, components: list[JsonObject], values: JsonObject) -> list[JsonObject]:
        """The components of the submission; `values` by custom_id."""
        rows: list[JsonObject] = []
        for top in components:
            row: JsonObject = {"type": top["type"], "id": top["id"]}
            if top["type"] == modals.LABEL:
                inner = top["component"]
                row["component"] = self._field(top["label"], inner, values.get(inner["custom_id"]))
            elif top["type"] == 1:
                inner = top["components"][0]
                row["components"] = [self._field(inner["label"], inner, values.get(inner["custom_id"]))]
            rows.append(row)
        return rows

    def _field(self, label: str, spec: JsonObject, value: Any) -> JsonObject:
        """One filled-in field, checked as Discord's client checks it before sending."""
        kind = spec["type"]
        body: JsonObject = {"type": kind, "id": spec["id"], "custom_id": spec["custom_id"]}
        required = bool(spec.get("required"))

        def wrong(why: str) -> SeatError:
            return SeatError("invalid_option", f"{label}: {why}")

        if kind == modals.TEXT_INPUT:
            text = "" if value is None else value
            low, high = spec.get("min_length") or 0, spec.get("max_length") or 4000
            if not isinstance(text, str):
                raise wrong("must be text")
            if required and not text:
                raise wrong("must be filled in")
            if text and not low <= len(text) <= high:
                raise wrong(f"must have {low} to {high} characters")
            return body | {"value": text}
        if kind == modals.CHECKBOX:
            chosen = spec.get("default", False) if value is None else value
            if not isinstance(chosen, bool):
                raise wrong("must be true or false")
            return body | {"value": chosen}
        if kind == modals.RADIO:
            allowed = [option["value"] for option in spec["options"]]
            default = next((option["value"] for option in spec["options"] if option.get("default")), None)
            chosen = default if value is None else value
            if (chosen is None and required) or (chosen is not None and chosen not in allowed):
                raise wrong("must be one of " + ", ".join(allowed))
            return body | {"value": chosen}
        given: Any = [] if value is None else value
        if not is_list(given):
            raise wrong("must be a list")
        low, high = spec.get("min_values", 1), spec.get("max_values", 1)
        if (not low <= len(given) <= high) and not (not required and not given):
            raise wrong(f"needs {low} to {high} values")
        if kind == modals.FILE_UPLOAD:
            files = [invoke.read_file(entry, limit=self.limit) for entry in given]
            ids: list[str] = []
            for upload in files:
                entry = self.messages.attachment(self.messages.store_upload(upload), self.channel.id, ephemeral=True)
                self.resolved.setdefault("attachments", {})[entry["id"]] = entry
                ids.append(entry["id"])
            return body | {"values": ids}
        if kind == modals.CHECKBOXES:
            allowed = [option["value"] for option in spec["options"]]
            if any(entry not in allowed for entry in given):
                raise wrong("must be among " + ", ".join(allowed))
            return body | {"values": list(given)}
        values, found = choose(self.world, self.user_id, self.channel, spec, given)
        for group, entries in found.items():
            self.resolved.setdefault(group, {}).update(entries)
        return body | {"values": values}
