"""Discord's error answers: status, JSON code, message, and the nested `errors` object of an invalid body."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An answer other than success to a request of the bot."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


#: name -> (status, JSON code, message); the codes are Discord's published ones.
_CATALOGUE: dict[str, tuple[int, int, str]] = {
    "general": (404, 0, "404: Not Found"),
    "method": (405, 0, "405: Method Not Allowed"),
    "unauthorized": (401, 0, "401: Unauthorized"),
    "unknown_application": (404, 10002, "Unknown Application"),
    "unknown_channel": (404, 10003, "Unknown Channel"),
    "unknown_guild": (404, 10004, "Unknown Guild"),
    "unknown_member": (404, 10007, "Unknown Member"),
    "unknown_message": (404, 10008, "Unknown Message"),
    "unknown_overwrite": (404, 10009, "Unknown Overwrite"),
    "unknown_role": (404, 10011, "Unknown Role"),
    "unknown_user": (404, 10013, "Unknown User"),
    "unknown_emoji": (404, 10014, "Unknown Emoji"),
    "unknown_webhook": (404, 10015, "Unknown Webhook"),
    "unknown_interaction": (404, 10062, "Unknown interaction"),
    "unknown_command": (404, 10063, "Unknown application command"),
    "max_pins": (400, 30003, "Maximum number of pins reached (250)"),
    "max_roles": (400, 30005, "Maximum number of guild roles reached (250)"),
    "max_emojis": (400, 30008, "Maximum number of emojis reached (2000)"),
    "max_channels": (400, 30013, "Maximum number of server channels reached (500)"),
    "max_commands": (400, 30032, "Maximum number of application commands reached (100)."),
    "too_large": (413, 40005, "Request entity too large"),
    "acknowledged": (400, 40060, "Interaction has already been acknowledged."),
    "missing_access": (403, 50001, "Missing Access"),
    "not_in_dm": (403, 50003, "Cannot execute action on a DM channel"),
    "not_author": (403, 50005, "Cannot edit a message authored by another user"),
    "empty_message": (400, 50006, "Cannot send an empty message"),
    "closed_dm": (403, 50007, "Cannot send messages to this user"),
    "no_text_channel": (400, 50008, "Cannot send messages in a non-text channel"),
    "missing_permissions": (403, 50013, "Missing Permissions"),
    "system_message": (403, 50021, "Cannot execute action on a system message"),
    "wrong_channel_type": (400, 50024, "Cannot execute action on this channel type"),
    "webhook_token": (401, 50027, "Invalid Webhook Token"),
    "invalid_role": (400, 50028, "Invalid Role"),
    "invalid_recipients": (400, 50033, "Invalid Recipient(s)"),
    "archived_thread": (400, 50083, "Thread is archived"),
    "invalid_json": (400, 50109, "The request body contains invalid JSON."),
    "no_common_guild": (403, 50278, "Cannot send messages to this user due to having no mutual guilds"),
    "thread_exists": (400, 160004, "A thread has already been created for this message"),
    "thread_locked": (400, 160005, "This thread is locked"),
}


def refuse(name: str) -> ApiError:
    """The error of that name, for the caller to raise."""
    status, code, message = _CATALOGUE[name]
    return ApiError(status, code, message)


class BodyErrors:
    """Collects every defect of a request body, each under its path, and raises them together as 50035."""

    def __init__(self) -> None:
        self.errors: dict[str, Any] = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note a defect at a dotted path such as `embeds.0.title`."""
        node = self.errors
        for part in path.split("."):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def too_long(self, path: str, limit: int) -> None:
        self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")

    def bad_length(self, path: str, low: int, high: int) -> None:
        self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def required(self, path: str) -> None:
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def choices(self, path: str, allowed: str) -> None:
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {allowed}.")

    def check(self) -> None:
        if self.errors:
            raise ApiError(400, 50035, "Invalid Form Body", self.errors)

    def text(self, path: str, value: Any, low: int, high: int, *, required: bool = True) -> bool:
        """Check a string's presence, type and length; True when it is there and good."""
        if value is None:
            if required:
                self.required(path)
            return False
        if not isinstance(value, str):
            self.add(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return False
        if not low <= len(value) <= high:
            if low == 0:
                self.too_long(path, high)
            elif not value:
                self.required(path)
            else:
                self.bad_length(path, low, high)
            return False
        return True

    def integer(self, path: str, value: Any, low: int, high: int) -> bool:
        if isinstance(value, bool) or not isinstance(value, int):
            self.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return False
        if value < low:
            self.add(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
            return False
        if value > high:
            self.add(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")
            return False
        return True
