"""Discord's limits for messages, components and modals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.playground.world.components import ComponentChecker, find
from bot.playground.world.errors import ApiError, BodyErrors
from bot.playground.world.modals import check_modal, fields
from tests.bot.playground.rest import paths
from tests.expected.kept import cases
from tests.expected.sections import section

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


@cases("case, entry, expected", made="entry")
def test_a_row_over_a_limit(entry: Any, expected: dict[str, str]) -> None:
    assert defects(entry) == expected


@cases("case, components, expected", made="components")
def test_a_layout_over_a_limit(components: list[Any], expected: dict[str, str]) -> None:
    assert defects(*components, layout=True) == expected


def test_components_are_a_list() -> None:
    errors = BodyErrors()
    assert ComponentChecker(errors).message({"type": 1}, layout=False) == []
    assert paths(errors.errors) == {"components": "LIST_TYPE_CONVERT"}


def test_components_come_back_with_numbers_and_what_was_left_out() -> None:
    errors = BodyErrors()
    laid_out = json.loads(section("everything laid out"))
    made = ComponentChecker(errors).message([laid_out], layout=True)
    assert errors.errors == {}
    (container,) = made
    titled, line, gallery, file, first, second, third = container["components"]
    assert (container["accent_color"], container["spoiler"]) == (255, False)
    assert titled["accessory"]["media"] == PICTURE
    assert (line["spacing"], line["divider"]) == (1, True)
    assert gallery["items"] == [{"media": PICTURE, "description": None, "spoiler": True}]
    assert (file["file"], file["name"]) == ({"url": "attachment://a.txt"}, None)
    found = first["components"][0]["options"]
    assert found == [{"label": "A", "value": "a", "default": True, "description": "d", "emoji": {"name": "x"}}]
    assert second["components"][0]["emoji"] == {"name": "x", "id": "5", "animated": False}
    assert second["components"][0]["disabled"]
    assert third["components"][0]["default_values"] == [{"id": "9", "type": "channel"}]
    assert third["components"][0]["channel_types"] == [0]
    assert find(made, "go") == second["components"][0]
    assert find(made, "nothing") is None


# --- Discord's limits for modals, and what a page is given of one -----------------------------------------------------
def label(component: Any, **changes: Any) -> Json:
    return {"type": 18, "label": "L", "component": component, **changes}


def text(**changes: Any) -> Json:
    return {"type": 4, "custom_id": "t", "style": 1, **changes}


def choices(count: int) -> list[Json]:
    return [{"label": f"o{n}", "value": f"{n}"} for n in range(count)]


def modal_defects(modal: Any) -> dict[str, str]:
    with pytest.raises(ApiError) as refusal:
        check_modal(modal)
    assert (refusal.value.status, refusal.value.code) == (400, 50035)
    return paths(refusal.value.errors or {})


def test_modals_are_limited() -> None:
    entry = label(text())
    found = modal_defects({"custom_id": "m", "title": "x" * 46, "components": [entry] * 6})
    assert found == {"data.title": "BASE_TYPE_BAD_LENGTH", "data.components": "BASE_TYPE_BAD_LENGTH"}
    shown = modal_defects({"custom_id": "m", "title": "x", "components": [entry, entry]})
    assert shown == {"data.components.1.component.custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED"}
    assert modal_defects("modal") == {"data": "BASE_TYPE_REQUIRED"}


TOP = "data.components.0"


@cases("case, entry, expected", made="entry, expected")
def test_a_field_over_a_limit(entry: Any, expected: dict[str, str]) -> None:
    assert modal_defects({"custom_id": "m", "title": "x", "components": [entry]}) == expected


def test_a_page_is_given_the_fields_one_after_the_other() -> None:
    modal = check_modal(json.loads(section("a modal with every field")))
    shown, older, plain, boxes, person = fields(modal["components"])
    assert shown == {"kind": "display", "content": "Read this"}
    assert (older["label"], older["style"], older["required"]) == ("Older", "paragraph", False)
    assert plain == {
        "custom_id": "t", "kind": "text", "label": "L", "required": True, "description": "where to", "style": "short",
        "placeholder": "hexes", "value": "0405", "min_length": 1, "max_length": 9,
    }  # fmt: skip
    assert (boxes["kind"], boxes["min_values"], boxes["max_values"]) == ("checkbox_group", 0, 3)
    assert (person["kind"], person["default_values"]) == ("user_select", ["7"])


# --- Discord's limits for messages, each defect under its path --------------------------------------------------------
def plain_button(**changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def plain_row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def options(count: int) -> list[dict[str, Any]]:
    return [{"label": f"o{i}", "value": str(i)} for i in range(count)]


@cases("case, body, expected", made="body")
async def test_a_message_over_a_limit_is_50035_with_the_path(scene, rest, body, expected) -> None:
    status, answer = await rest("POST", f"/channels/{scene.guild['general_channel_id']}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    assert paths(answer["errors"]) == expected


async def test_the_limits_themselves_pass(scene, rest) -> None:
    body = {
        "content": "x" * 2000,
        "nonce": "n" * 25,
        "components": [
            plain_row(*(plain_button(custom_id=f"{r}.{b}".ljust(100, "x"), label="y" * 80) for b in range(5)))
            for r in range(4)
        ]
        + [plain_row({"type": 3, "custom_id": "s", "options": options(25)})],
    }
    assert (await rest("POST", f"/channels/{scene.guild['general_channel_id']}/messages", body))[0] == 200


async def test_an_empty_message_is_50006_and_a_large_file_40005(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    assert (await rest("POST", path, {}))[1]["code"] == 50006
    limit = scene.server.config.attachment_limit
    status, body = await rest("POST", path, {}, files={"big.bin": bytes(limit + 1)})
    assert (status, body["code"]) == (413, 40005)
    files = {"fits.bin": bytes(limit)}
    status, body = await rest("POST", path, {"attachments": [{"id": 0, "description": "zeros"}]}, files=files)
    assert status == 200
    assert (body["attachments"][0]["size"], body["attachments"][0]["description"]) == (limit, "zeros")
    assert await scene.blake.read_file(body["attachments"][0]) == bytes(limit)
