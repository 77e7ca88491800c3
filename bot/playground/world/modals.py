"""Modals: their limits, the flat list of fields for a seat's page, and the answer that a submission carries.

Top-level: 18 label around 3-8 selects, 4 text input, 19 file upload, 21 radio group, 22 checkbox group, 23 checkbox;
1 action row around a text input (the older form); 10 plain text.
"""

from __future__ import annotations

from typing import Any

from bot.playground.world.components import SELECTS, ComponentChecker
from bot.playground.world.errors import BodyErrors
from bot.playground.world.json_values import JsonObject, is_list, is_object

TEXT_INPUT, LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX, DISPLAY = 4, 18, 19, 21, 22, 23, 10
_IN_LABEL = SELECTS | {TEXT_INPUT, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX}

KINDS = {
    3: "string_select",
    4: "text",
    5: "user_select",
    6: "role_select",
    7: "mentionable_select",
    8: "channel_select",
    10: "display",
    19: "file_upload",
    21: "radio_group",
    22: "checkbox_group",
    23: "checkbox",
}


def check_modal(data: Any) -> JsonObject:
    """A modal as the bot sent it, checked and normalised; raises 50035 with every defect."""
    errors = BodyErrors()
    if not is_object(data):
        errors.required("data")
        errors.check()
        raise AssertionError("unreachable")
    errors.text("data.custom_id", data.get("custom_id"), 1, 100)
    errors.text("data.title", data.get("title"), 1, 45)
    components = data.get("components")
    if not is_list(components) or not 1 <= len(components) <= 5:
        errors.bad_length("data.components", 1, 5)
        components = []
    checker = ComponentChecker(errors)
    done = [_top(checker, f"data.components.{i}", entry) for i, entry in enumerate(components)]
    errors.check()
    return {"custom_id": data["custom_id"], "title": data["title"], "components": done}


def _top(checker: ComponentChecker, path: str, entry: Any) -> JsonObject:
    errors = checker.errors
    kind = checker.kind_of(path, entry, frozenset({1, DISPLAY, LABEL}))
    if kind is None:
        return {}
    body = checker.start(entry, path)
    if kind == DISPLAY:
        errors.text(f"{path}.content", entry.get("content"), 1, 4000)
        return body | {"content": entry.get("content")}
    if kind == 1:
        children = entry.get("components")
        if not is_list(children) or len(children) != 1:
            errors.bad_length(f"{path}.components", 1, 1)
            return body
        inner = f"{path}.components.0"
        if checker.kind_of(inner, children[0], frozenset({TEXT_INPUT})) is None:
            return body
        errors.text(f"{inner}.label", children[0].get("label"), 1, 45)
        text = _text_input(checker, inner, children[0])
        return body | {"components": [text | {"label": children[0].get("label")}]}
    errors.text(f"{path}.label", entry.get("label"), 1, 45)
    body["label"] = entry.get("label")
    if errors.text(f"{path}.description", entry.get("description"), 0, 100, required=False):
        body["description"] = entry["description"]
    inner_path = f"{path}.component"
    inner = entry.get("component")
    kind = checker.kind_of(inner_path, inner, _IN_LABEL)
    if kind is None:
        return body
    assert is_object(inner)
    body["component"] = _field(checker, inner_path, inner, kind)
    return body


def _field(checker: ComponentChecker, path: str, entry: JsonObject, kind: int) -> JsonObject:
    if kind == TEXT_INPUT:
        return _text_input(checker, path, entry)
    if kind in SELECTS:
        body = checker.select(path, entry, modal=True)
        if body["required"] and body["min_values"] == 0:
            checker.errors.add(
                f"{path}.min_values",
                "SELECT_COMPONENT_REQUIRED_MIN_VALUES",
                "A required select needs min_values of at least 1",
            )
        return body
    body = checker.start(entry, path)
    checker.custom_id(path, entry, body)
    if kind == CHECKBOX:
        return body | {"default": bool(entry.get("default"))}
    body["required"] = entry.get("required") is not False
    if kind == RADIO:
        body["options"] = checker.options(path, entry.get("options"), 10, least=2)
        return body
    options = checker.options(path, entry.get("options"), 10) if kind == CHECKBOXES else None
    low = entry.get("min_values")
    high = entry.get("max_values")
    low = (1 if body["required"] else 0) if low is None else low
    high = (len(options) if options else 1) if high is None else high
    checker.errors.integer(f"{path}.min_values", low, 0, 10)
    checker.errors.integer(f"{path}.max_values", high, 1, 10)
    body |= {"min_values": low, "max_values": high}
    if options is not None:
        body["options"] = options
    return body


def _text_input(checker: ComponentChecker, path: str, entry: JsonObject) -> JsonObject:
    errors = checker.errors
    body = checker.start(entry, path)
    checker.custom_id(path, entry, body)
    style = entry.get("style")
    if style not in (1, 2):
        errors.choices(f"{path}.style", "(1, 2)")
    body["style"] = style
    low = entry.get("min_length")
    high = entry.get("max_length")
    if low is not None and errors.integer(f"{path}.min_length", low, 0, 4000):
        body["min_length"] = low
    if high is not None and errors.integer(f"{path}.max_length", high, 1, 4000):
        body["max_length"] = high
        if low is not None and low > high:
            errors.add(f"{path}.min_length", "TEXT_INPUT_MIN_EXCEEDS_MAX", "min_length must be at most max_length")
    body["required"] = entry.get("required") is not False
    if errors.text(f"{path}.placeholder", entry.get("placeholder"), 0, 100, required=False):
        body["placeholder"] = entry["placeholder"]
    if errors.text(f"{path}.value", entry.get("value"), 0, min(4000, high or 4000), required=False):
        body["value"] = entry["value"]
    return body


def fields(components: list[JsonObject]) -> list[JsonObject]:
    """The modal's fields in a flat form, in order, for a page."""
    flat: list[JsonObject] = []
    for top in components:
        if top["type"] == DISPLAY:
            flat.append({"kind": "display", "content": top["content"]})
            continue
        inner = top["component"] if top["type"] == LABEL else top["components"][0]
        entry: JsonObject = {
            "custom_id": inner["custom_id"],
            "kind": KINDS[inner["type"]],
            "label": top.get("label") or inner.get("label", ""),
        }
        entry["required"] = inner.get("required", False)
        if top.get("description"):
            entry["description"] = top["description"]
        if inner["type"] == TEXT_INPUT:
            entry["style"] = "short" if inner["style"] == 1 else "paragraph"
        for key in (
            "placeholder",
            "value",
            "min_length",
            "max_length",
            "min_values",
            "max_values",
            "options",
            "channel_types",
            "default",
        ):
            if key in inner:
                entry[key] = inner[key]
        if "default_values" in inner:
            entry["default_values"] = [value["id"] for value in inner["default_values"]]
        flat.append(entry)
    return flat
