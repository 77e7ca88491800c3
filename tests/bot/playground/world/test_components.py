"""Discord's limits for components, and the form in which it gives them back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.world.components import ComponentChecker, find
from bot.playground.world.errors import BodyErrors
from tests.bot.playground.rest import paths

Json = dict[str, Any]


def button(**changes: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def row(*components: Any) -> Json:
    return {"type": 1, "components": list(components)}


def menu(**changes: Any) -> Json:
    return {
        "type": 3,
        "custom_id": "s",
        "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],
        **changes,
    }


def defects(*components: Any, layout: bool = False) -> dict[str, str]:
    errors = BodyErrors()
    ComponentChecker(errors).message(list(components), layout=layout)
    return paths(errors.errors)


TEXT = {"type": 10, "content": "x"}
PICTURE = {"url": "https://example.org/a.png"}

BAD_ROWS: list[tuple[Any, dict[str, str]]] = [
    (7, {"components.0.type": "UNION_TYPE_CHOICES"}),
    ({"type": 2}, {"components.0.type": "UNION_TYPE_CHOICES"}),
    (row(), {"components.0.components": "BASE_TYPE_BAD_LENGTH"}),
    (row({"type": 4}), {"components.0.components.0.type": "UNION_TYPE_CHOICES"}),
    (row(button(style=9)), {"components.0.components.0.style": "BASE_TYPE_CHOICES"}),
    (row(button(label=None)), {"components.0.components.0": "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"}),
    (
        row(button(style=5, url="https://example.org")),
        {"components.0.components.0.custom_id": "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"},
    ),
    (row(button(style=5, custom_id=None)), {"components.0.components.0.url": "BASE_TYPE_REQUIRED"}),
    (
        row(button(url="https://example.org")),
        {"components.0.components.0.url": "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"},
    ),
    (row(button(id=3), button(custom_id="b", id=3)), {"components.0.components.1.id": "COMPONENT_ID_DUPLICATED"}),
    (row(menu(), button()), {"components.0.components": "COMPONENT_LAYOUT_WIDTH_EXCEEDED"}),
    (row(menu(options=[])), {"components.0.components.0.options": "BASE_TYPE_BAD_LENGTH"}),
    (row(menu(placeholder="x" * 151)), {"components.0.components.0.placeholder": "BASE_TYPE_MAX_LENGTH"}),
    (row(menu(max_values=3)), {"components.0.components.0.options": "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS"}),
    (row(menu(min_values=2)), {"components.0.components.0.max_values": "SELECT_COMPONENT_MIN_EXCEEDS_MAX"}),
    (row(menu(min_values=-1)), {"components.0.components.0.min_values": "NUMBER_TYPE_MIN"}),
    (row(menu(max_values="two")), {"components.0.components.0.max_values": "NUMBER_TYPE_COERCE"}),
    (row(menu(type=5)), {"components.0.components.0.options": "SELECT_COMPONENT_OPTIONS_NOT_ALLOWED"}),
    (
        row(menu(options=[{"label": "A", "value": "a"}] * 2)),
        {"components.0.components.0.options.1.value": "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
    ),
    (
        row({"type": 5, "custom_id": "u", "default_values": [{"id": 1, "type": "user"}, {"id": 2, "type": "user"}]}),
        {"components.0.components.0.default_values": "BASE_TYPE_BAD_LENGTH"},
    ),
]


@pytest.mark.parametrize(("entry", "expected"), BAD_ROWS, ids=[str(next(iter(one[1].values()))) for one in BAD_ROWS])
def test_a_row_over_a_limit(entry: Any, expected: dict[str, str]) -> None:
    assert defects(entry) == expected


BAD_LAYOUTS: list[tuple[list[Any], dict[str, str]]] = [
    ([{"type": 10, "content": ""}], {"components.0.content": "BASE_TYPE_REQUIRED"}),
    ([{"type": 10, "content": "x" * 3000}] * 2, {"components": "COMPONENT_MAX_TOTAL_TEXT_LENGTH"}),
    ([TEXT] * 41, {"components": "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"}),
    ([{"type": 9, "components": [TEXT]}], {"components.0.accessory": "BASE_TYPE_REQUIRED"}),
    (
        [{"type": 9, "components": [TEXT] * 4, "accessory": button()}],
        {"components.0.components": "BASE_TYPE_BAD_LENGTH"},
    ),
    ([{"type": 9, "components": [TEXT], "accessory": menu()}], {"components.0.accessory.type": "UNION_TYPE_CHOICES"}),
    ([{"type": 12, "items": []}], {"components.0.items": "BASE_TYPE_BAD_LENGTH"}),
    (
        [{"type": 12, "items": [{"media": {"url": "ftp://x"}}]}],
        {"components.0.items.0.media.url": "URL_TYPE_INVALID_SCHEME"},
    ),
    ([{"type": 12, "items": [{}]}], {"components.0.items.0.media.url": "BASE_TYPE_REQUIRED"}),
    ([{"type": 13, "file": PICTURE}], {"components.0.file.url": "FILE_COMPONENT_URL"}),
    ([{"type": 17, "components": []}], {"components.0.components": "BASE_TYPE_BAD_LENGTH"}),
    (
        [{"type": 17, "components": [{"type": 17, "components": [TEXT]}]}],
        {"components.0.components.0.type": "UNION_TYPE_CHOICES"},
    ),
]


@pytest.mark.parametrize(
    ("components", "expected"), BAD_LAYOUTS, ids=[str(next(iter(one[1].values()))) for one in BAD_LAYOUTS]
)
def test_a_layout_over_a_limit(components: list[Any], expected: dict[str, str]) -> None:
    assert defects(*components, layout=True) == expected


def test_components_are_a_list() -> None:
    errors = BodyErrors()
    assert ComponentChecker(errors).message({"type": 1}, layout=False) == []
    assert paths(errors.errors) == {"components": "LIST_TYPE_CONVERT"}


def test_components_come_back_with_numbers_and_what_was_left_out() -> None:
    errors = BodyErrors()
    made = ComponentChecker(errors).message(
        [
            {
                "type": 17,
                "accent_color": 255,
                "components": [
                    {"type": 9, "components": [TEXT], "accessory": {"type": 11, "media": PICTURE, "description": "A"}},
                    {"type": 14},
                    {"type": 12, "items": [{"media": PICTURE, "spoiler": True}]},
                    {"type": 13, "file": {"url": "attachment://a.txt"}},
                    row(
                        menu(
                            id=50,
                            options=[
                                {
                                    "label": "A",
                                    "value": "a",
                                    "default": True,
                                    "description": "d",
                                    "emoji": {"name": "x"},
                                }
                            ],
                        )
                    ),
                    row(button(emoji={"name": "x", "id": 5}, disabled=True, label=None)),
                    row(
                        {
                            "type": 8,
                            "custom_id": "c",
                            "channel_types": [0],
                            "default_values": [{"id": 9, "type": "channel"}],
                        }
                    ),
                ],
            }
        ],
        layout=True,
    )
    assert errors.errors == {}
    (container,) = made
    section, line, gallery, file, first, second, third = container["components"]
    assert (container["accent_color"], container["spoiler"]) == (255, False)
    assert section["accessory"]["media"] == PICTURE
    assert (line["spacing"], line["divider"]) == (1, True)
    assert gallery["items"] == [{"media": PICTURE, "description": None, "spoiler": True}]
    assert (file["file"], file["name"]) == ({"url": "attachment://a.txt"}, None)
    assert first["components"][0]["options"] == [
        {"label": "A", "value": "a", "default": True, "description": "d", "emoji": {"name": "x"}}
    ]
    assert second["components"][0]["emoji"] == {"name": "x", "id": "5", "animated": False}
    assert second["components"][0]["disabled"]
    assert third["components"][0]["default_values"] == [{"id": "9", "type": "channel"}]
    assert third["components"][0]["channel_types"] == [0]
    assert find(made, "go") == second["components"][0]
    assert find(made, "nothing") is None
