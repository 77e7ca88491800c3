"""Message components: their limits, their normal form, and finding one again by its custom_id.

Types: 1 action row, 2 button, 3 string select, 5-8 user, role, mentionable and channel selects, 9 section, 10 text,
11 thumbnail, 12 gallery, 13 file, 14 separator, 17 container.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.playground.world.errors import BodyErrors
from bot.playground.world.json_values import JsonObject, is_list, is_object

SELECTS = frozenset({3, 5, 6, 7, 8})
LAYOUT_TOP = frozenset({1, 9, 10, 12, 13, 14, 17})
LAYOUT_INNER = frozenset({1, 9, 10, 12, 13, 14})
LINK, PREMIUM = 5, 6


def walk(components: list[JsonObject]) -> Iterator[JsonObject]:
    """Every component, outer ones first."""
    for entry in components:
        yield entry
        yield from walk(entry.get("components", ()))
        for inner in ("accessory", "component"):
            if isinstance(entry.get(inner), dict):
                yield from walk([entry[inner]])


def find(components: list[JsonObject], custom_id: str) -> JsonObject | None:
    """The component with that custom_id."""
    return next((entry for entry in walk(components) if entry.get("custom_id") == custom_id), None)


class ComponentChecker:
    """Checks the components of one message or modal and puts them into the form in which Discord returns them."""

    def __init__(self, errors: BodyErrors) -> None:
        self.errors = errors
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()
        self._next_id = 1
        self.count = 0
        self.text_length = 0

    # --- messages ------------------------------------------------------------------------------------------------

    def message(self, components: Any, *, layout: bool) -> list[JsonObject]:
        """Check a message's components; `layout` is the newer style in which components replace content and embeds."""
        errors = self.errors
        if not is_list(components):
            errors.add("components", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not layout and len(components) > 5:
            errors.bad_length("components", 1, 5)
        allowed = LAYOUT_TOP if layout else frozenset({1})
        done = [self._block(f"components.{i}", entry, allowed) for i, entry in enumerate(components)]
        if layout and self.count > 40:
            errors.add(
                "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "Total number of components cannot exceed 40"
            )
        if self.text_length > 4000:
            errors.add(
                "components", "COMPONENT_MAX_TOTAL_TEXT_LENGTH", "Total displayable text cannot exceed 4000 characters"
            )
        return done

    def _block(self, path: str, entry: Any, allowed: frozenset[int]) -> JsonObject:
        kind = self.kind_of(path, entry, allowed)
        if kind is None:
            return {}
        body = self.start(entry, path)
        match kind:
            case 1:
                body["components"] = self._row(f"{path}.components", entry.get("components"))
            case 9:
                children: list[Any] = entry.get("components") or []
                if not 1 <= len(children) <= 3:
                    self.errors.bad_length(f"{path}.components", 1, 3)
                body["components"] = [
                    self._block(f"{path}.components.{i}", child, frozenset({10})) for i, child in enumerate(children)
                ]
                accessory = entry.get("accessory")
                if accessory is None:
                    self.errors.required(f"{path}.accessory")
                elif accessory.get("type") == 2:
                    body["accessory"] = self.button(f"{path}.accessory", accessory)
                else:
                    body["accessory"] = self._block(f"{path}.accessory", accessory, frozenset({11}))
            case 10:
                if self.errors.text(f"{path}.content", entry.get("content"), 1, 4000):
                    self.text_length += len(entry["content"])
                body["content"] = entry.get("content")
            case 11:
                body |= self._media(path, entry)
            case 12:
                items: list[JsonObject] = entry.get("items") or []
                if not 1 <= len(items) <= 10:
                    self.errors.bad_length(f"{path}.items", 1, 10)
                body["items"] = [self._media(f"{path}.items.{i}", item) for i, item in enumerate(items)]
            case 13:
                body["file"] = self._url(f"{path}.file", entry.get("file"))
                if not str(body["file"].get("url", "")).startswith("attachment://"):
                    self.errors.add(
                        f"{path}.file.url", "FILE_COMPONENT_URL", "Only attachment:// references are allowed"
                    )
                body |= {"spoiler": bool(entry.get("spoiler")), "name": None, "size": None}
            case 14:
                body |= {"spacing": entry.get("spacing") or 1, "divider": entry.get("divider", True)}
            case _:  # 17, a container
                children: list[Any] = entry.get("components") or []
                if not children:
                    self.errors.bad_length(f"{path}.components", 1, 40)
                body["accent_color"] = entry.get("accent_color")
                body["spoiler"] = bool(entry.get("spoiler"))
                body["components"] = [
                    self._block(f"{path}.components.{i}", child, LAYOUT_INNER) for i, child in enumerate(children)
                ]
        return body

    def _row(self, path: str, children: Any) -> list[JsonObject]:
        if not is_list(children) or not children:
            self.errors.bad_length(path, 1, 5)
            return []
        done: list[JsonObject] = []
        width = 0
        for i, child in enumerate(children):
            here = f"{path}.{i}"
            kind = self.kind_of(here, child, SELECTS | {2})
            if kind is None:
                continue
            width += 1 if kind == 2 else 5
            done.append(self.button(here, child) if kind == 2 else self.select(here, child))
        if width > 5:
            self.errors.add(
                path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width"
            )
        return done

    def button(self, path: str, entry: JsonObject) -> JsonObject:
        errors = self.errors
        body = self.start(entry, path)
        style = entry.get("style")
        body["style"] = style
        if style not in (1, 2, 3, 4, LINK, PREMIUM):
            errors.choices(f"{path}.style", "(1, 2, 3, 4, 5, 6)")
        if style == LINK:
            if errors.text(f"{path}.url", entry.get("url"), 1, 512):
                body["url"] = entry["url"]
            if entry.get("custom_id") is not None:
                errors.add(
                    f"{path}.custom_id",
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        elif style != PREMIUM:
            self.custom_id(path, entry, body)
            if entry.get("url") is not None:
                errors.add(
                    f"{path}.url",
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        if errors.text(f"{path}.label", entry.get("label"), 0, 80, required=False):
            body["label"] = entry["label"]
        if not entry.get("label") and not entry.get("emoji") and style != PREMIUM:
            errors.add(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or emoji is required")
        self._emoji(entry, body)
        if entry.get("disabled"):
            body["disabled"] = True
        return body

    # --- shared with modals --------------------------------------------------------------------------------------

    def select(self, path: str, entry: JsonObject, *, modal: bool = False) -> JsonObject:
        errors = self.errors
        body = self.start(entry, path)
        self.custom_id(path, entry, body)
        if errors.text(f"{path}.placeholder", entry.get("placeholder"), 0, 150, required=False):
            body["placeholder"] = entry["placeholder"]
        low, high = self._range(path, entry, 25)
        body |= {"min_values": low, "max_values": high}
        if entry.get("disabled"):
            if modal:
                errors.add(
                    f"{path}.disabled", "COMPONENT_DISABLED_IN_MODAL", "Components in a modal cannot be disabled"
                )
            body["disabled"] = True
        if modal:
            body["required"] = entry.get("required") is not False
        if entry["type"] == 3:
            body["options"] = self.options(path, entry.get("options"), 25)
            if body["options"] and high > len(body["options"]):
                errors.add(
                    f"{path}.options",
                    "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS",
                    f"Must have at least {high} options",
                )
        elif entry.get("options"):
            errors.add(f"{path}.options", "SELECT_COMPONENT_OPTIONS_NOT_ALLOWED", "Only string selects have options")
        if entry.get("default_values"):
            defaults = [{"id": str(value["id"]), "type": value["type"]} for value in entry["default_values"]]
            if not low <= len(defaults) <= high:
                errors.bad_length(f"{path}.default_values", low, high)
            body["default_values"] = defaults
        if entry["type"] == 8 and entry.get("channel_types"):
            body["channel_types"] = list(entry["channel_types"])
        return body

    def options(self, path: str, options: Any, most: int, *, least: int = 1) -> list[JsonObject]:
        errors = self.errors
        if not is_list(options) or not least <= len(options) <= most:
            errors.bad_length(f"{path}.options", least, most)
            return []
        done: list[JsonObject] = []
        values: set[str] = set()
        for i, option in enumerate(options):
            here = f"{path}.options.{i}"
            errors.text(f"{here}.label", option.get("label"), 1, 100)
            errors.text(f"{here}.value", option.get("value"), 1, 100)
            errors.text(f"{here}.description", option.get("description"), 0, 100, required=False)
            if option.get("value") in values:
                errors.add(
                    f"{here}.value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(option.get("value"))
            body: JsonObject = {"label": option.get("label"), "value": option.get("value")}
            if option.get("description"):
                body["description"] = option["description"]
            if option.get("default"):
                body["default"] = True
            self._emoji(option, body)
            done.append(body)
        return done

    def _range(self, path: str, entry: JsonObject, most: int) -> tuple[int, int]:
        low, high = entry.get("min_values"), entry.get("max_values")
        low = 1 if low is None else low
        high = 1 if high is None else high
        good = self.errors.integer(f"{path}.min_values", low, 0, most) & self.errors.integer(
            f"{path}.max_values", high, 1, most
        )
        if good and low > high:
            self.errors.add(
                f"{path}.max_values", "SELECT_COMPONENT_MIN_EXCEEDS_MAX", "min_values must be at most max_values"
            )
        return (low, high) if good else (0, 0)

    def custom_id(self, path: str, entry: JsonObject, body: JsonObject) -> None:
        custom_id = entry.get("custom_id")
        if self.errors.text(f"{path}.custom_id", custom_id, 1, 100):
            if custom_id in self._custom_ids:
                self.errors.add(
                    f"{path}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
                )
            self._custom_ids.add(str(custom_id))
            body["custom_id"] = custom_id

    def kind_of(self, path: str, entry: Any, allowed: frozenset[int]) -> int | None:
        kind = entry.get("type") if is_object(entry) else None
        if kind in allowed:
            return kind
        listed = ", ".join(map(str, sorted(allowed)))
        self.errors.add(f"{path}.type", "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({listed}).')
        return None

    def start(self, entry: JsonObject, path: str) -> JsonObject:
        """A new component with its type and numeric id; where the sender gave no id, the next free number is taken."""
        self.count += 1
        number = entry.get("id")
        if isinstance(number, int) and number > 0:
            if number in self._ids:
                self.errors.add(f"{path}.id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
        else:
            while self._next_id in self._ids:
                self._next_id += 1
            number = self._next_id
        self._ids.add(number)
        return {"type": entry["type"], "id": number}

    @staticmethod
    def _emoji(entry: JsonObject, body: JsonObject) -> None:
        emoji = entry.get("emoji")
        if emoji:
            body["emoji"] = {"name": emoji.get("name")}
            if emoji.get("id"):
                body["emoji"] |= {"id": str(emoji["id"]), "animated": bool(emoji.get("animated"))}

    def _media(self, path: str, item: JsonObject) -> JsonObject:
        self.errors.text(f"{path}.description", item.get("description"), 0, 1024, required=False)
        return {
            "media": self._url(f"{path}.media", item.get("media")),
            "description": item.get("description"),
            "spoiler": bool(item.get("spoiler")),
        }

    def _url(self, path: str, media: Any) -> JsonObject:
        url = media.get("url") if is_object(media) else None
        if self.errors.text(f"{path}.url", url, 1, 2048) and not str(url).startswith(
            ("http://", "https://", "attachment://")
        ):
            self.errors.add(
                f"{path}.url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https', 'attachment')."
            )
        return {"url": url}
