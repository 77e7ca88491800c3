"""Discord's limits for modals."""

from __future__ import annotations

import pytest

from bot.playground.world.errors import ApiError
from bot.playground.world.modals import check_modal
from tests.bot.playground.rest import paths


def test_modals_are_limited() -> None:
    text = {"type": 18, "label": "L", "component": {"type": 4, "custom_id": "t", "style": 1}}
    with pytest.raises(ApiError) as refusal:
        check_modal({"custom_id": "m", "title": "x" * 46, "components": [text] * 6})
    assert paths(refusal.value.errors or {}) == {
        "data.title": "BASE_TYPE_BAD_LENGTH",
        "data.components": "BASE_TYPE_BAD_LENGTH",
    }
    with pytest.raises(ApiError) as refusal:
        check_modal({"custom_id": "m", "title": "x", "components": [text, text]})
    assert paths(refusal.value.errors or {}) == {
        "data.components.1.component.custom_id": "COMPONENT_CUSTOM_ID_DUPLICATED"
    }
