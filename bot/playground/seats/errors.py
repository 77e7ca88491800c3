"""How the seat API refuses: a sentence for people and a short code for programs."""

from __future__ import annotations

from typing import Any


class SeatError(Exception):
    """A seat asked for something that its user could not do."""

    _STATUS = {  # noqa: RUF012 - a constant table
        "unknown_user": 404,
        "unknown_guild": 404,
        "unknown_role": 404,
        "unknown_channel": 404,
        "unknown_message": 404,
        "unknown_component": 404,
        "unknown_command": 404,
        "unknown_modal": 404,
        "forbidden": 403,
        "dms_closed": 403,
        "disabled": 409,
        "archived": 409,
        "unanswered": 504,
    }

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.status = self._STATUS.get(code, 400)

    def body(self) -> dict[str, Any]:
        return {"error": self.text, "code": self.code}
