"""Discord's limits for modals, and what a page is given of one."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.world.errors import ApiError
from bot.playground.world.modals import check_modal, fields
from tests.bot.playground.rest import paths

Json = dict[str, Any]


def label(component: Any, **changes: Any) -> Json:
    return {"type": 18, "label": "L", "component": component, **changes}


def text(**changes: Any) -> Json:
    return {"type": 4, "custom_id": "t", "style": 1, **changes}


def choices(count: int) -> list[Json]:
    return [{"label": f"o{n}", "value": f"{n}"} for n in range(count)]


def defects(modal: Any) -> dict[str, str]:
    with pytest.raises(ApiError) as refusal:
        check_modal(modal)
    assert (refusal.value.status, refusal.value.code) == (400, 50035)
    return paths(refusal.value.errors or {})


def test_modals_are_limited() -> None:
    entry = label(text())
    assert defects({"custom_id": "m", "title": "x" * 46, "components": [entry] * 6}) == {
        "data.title": "BASE_TYPE_BAD_LENGTH",
        "data.components": "BASE_TYPE_BAD_LENGTH",
    }
    assert defects({"custom_id": "m", "title": "x", "components": [entry, entry]}) == {
        "data.components.1.component.custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED"
    }
    assert defects("modal") == {"data": "BASE_TYPE_REQUIRED"}


TOP = "data.components.0"
BAD: list[tuple[Any, dict[str, str]]] = [
    ({"type": 2}, {f"{TOP}.type": "UNION_TYPE_CHOICES"}),
    ({"type": 10, "content": ""}, {f"{TOP}.content": "BASE_TYPE_REQUIRED"}),
    ({"type": 1, "components": [text(label="A")] * 2}, {f"{TOP}.components": "BASE_TYPE_BAD_LENGTH"}),
    ({"type": 1, "components": [{"type": 3}]}, {f"{TOP}.components.0.type": "UNION_TYPE_CHOICES"}),
    ({"type": 1, "components": [text()]}, {f"{TOP}.components.0.label": "BASE_TYPE_REQUIRED"}),
    (label(text(), label="x" * 46), {f"{TOP}.label": "BASE_TYPE_BAD_LENGTH"}),
    (label(text(), description="x" * 101), {f"{TOP}.description": "BASE_TYPE_MAX_LENGTH"}),
    (label({"type": 2}), {f"{TOP}.component.type": "UNION_TYPE_CHOICES"}),
    (label(text(style=3)), {f"{TOP}.component.style": "BASE_TYPE_CHOICES"}),
    (label(text(min_length=5, max_length=4)), {f"{TOP}.component.min_length": "TEXT_INPUT_MIN_EXCEEDS_MAX"}),
    (label(text(max_length=4001)), {f"{TOP}.component.max_length": "NUMBER_TYPE_MAX"}),
    (label(text(max_length=3, value="four")), {f"{TOP}.component.value": "BASE_TYPE_MAX_LENGTH"}),
    (label(text(placeholder="x" * 101)), {f"{TOP}.component.placeholder": "BASE_TYPE_MAX_LENGTH"}),
    (
        label({"type": 3, "custom_id": "s", "options": choices(2), "min_values": 0}),
        {f"{TOP}.component.min_values": "SELECT_COMPONENT_REQUIRED_MIN_VALUES"},
    ),
    (
        label({"type": 3, "custom_id": "s", "options": choices(2), "disabled": True}),
        {f"{TOP}.component.disabled": "COMPONENT_DISABLED_IN_MODAL"},
    ),
    (
        label({"type": 21, "custom_id": "r", "options": choices(1)}),
        {f"{TOP}.component.options": "BASE_TYPE_BAD_LENGTH"},
    ),
    (
        label({"type": 22, "custom_id": "c", "options": choices(11)}),
        {f"{TOP}.component.options": "BASE_TYPE_BAD_LENGTH"},
    ),
    (label({"type": 19, "custom_id": "f", "max_values": 11}), {f"{TOP}.component.max_values": "NUMBER_TYPE_MAX"}),
]


@pytest.mark.parametrize(("entry", "expected"), BAD, ids=[str(next(iter(one[1].items()))) for one in BAD])
def test_a_field_over_a_limit(entry: Any, expected: dict[str, str]) -> None:
    assert defects({"custom_id": "m", "title": "x", "components": [entry]}) == expected


def test_a_page_is_given_the_fields_one_after_the_other() -> None:
    modal = check_modal(
        {
            "custom_id": "m",
            "title": "Plot",
            "components": [
                {"type": 10, "content": "Read this"},
                {"type": 1, "components": [text(custom_id="old", label="Older", style=2, required=False)]},
                label(text(value="0405", placeholder="hexes", min_length=1, max_length=9), description="where to"),
                label({"type": 22, "custom_id": "c", "options": choices(3), "required": False}),
                label({"type": 5, "custom_id": "u", "default_values": [{"id": 7, "type": "user"}]}),
            ],
        }
    )
    shown, older, plain, boxes, person = fields(modal["components"])
    assert shown == {"kind": "display", "content": "Read this"}
    assert (older["label"], older["style"], older["required"]) == ("Older", "paragraph", False)
    assert plain == {
        "custom_id": "t",
        "kind": "text",
        "label": "L",
        "required": True,
        "description": "where to",
        "style": "short",
        "placeholder": "hexes",
        "value": "0405",
        "min_length": 1,
        "max_length": 9,
    }
    assert (boxes["kind"], boxes["min_values"], boxes["max_values"]) == ("checkbox_group", 0, 3)
    assert (person["kind"], person["default_values"]) == ("user_select", ["7"])
