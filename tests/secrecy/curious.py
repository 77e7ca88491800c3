"""A curious reader: presses all that a message offers, looks at all that lies behind, and takes back what that changed.

It knows no rulebook. What a verb of a component does stands here once; one that nobody has said it of fails the test,
so that whatever is new on a card is looked at in every book.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from tests.message_words import pressable

LOOKS: dict[str, frozenset[str]] = {
    "p": frozenset(
        {"line", "edit", "orders", "card", "text", "sheet", "short", "page", "reset", "keep", "budget", "plots"}
    ),
    "c": frozenset({"open", "log", "why", "file", "brief", "forces", "force", "dossier", "desk", "economy"}),
    "b": frozenset({"log", "why", "fact", "file", "map", "show"}),
    "t": frozenset({"change", "open", "sheet"}),
    "l": frozenset({"read", "page", "reply", "pact", "offer", "notice"}),
    "w": frozenset({"next", "forces", "map", "log", "brief", "help", "battle", "missions", "orders show"}),
}
"""What opens something, by the letter with which ids begin; forms that it opens are sent back as they are."""
CHANGES: dict[str, frozenset[str]] = {"p": frozenset({"set", "offer", "pick", "go"}), "t": frozenset({"save"})}
"""What changes the reader's own sheet, and is taken back again by *Undo*."""
PLAYS: dict[str, frozenset[str]] = {
    "p": frozenset({"ready", "accept", "agree", "make", "stand", "referee", "undo"}),
    "c": frozenset({"rewind", "resolve", "edit", "give-back", "consent", "object"}),
    "l": frozenset({"accept", "decline", "withdraw", "send", "drop"}),
}
"""What plays on or is said to others: whoever presses it plays another game."""
OPTIONS = 3
"""Choices of a menu that are tried."""
NONSENSE = "1"
"""What goes into a box that may not be empty."""


def kind_of(custom_id: str) -> str:
    """``look``, ``change`` or ``play``.

    Raises:
        AssertionError: when nobody has said what it is.
    """
    letter, key, verb, argument = custom_id.split("|", 3)
    verb = key if letter == "w" else verb  # a command that is given again
    if (letter, verb) == ("p", "reset") and argument:
        return "play"  # it throws away what was asked about
    for kind, verbs in (("look", LOOKS), ("change", CHANGES), ("play", PLAYS)):
        if verb in verbs.get(letter, ()):
            return kind
    raise AssertionError(f"say in {__name__} what {letter}|…|{verb} does")


class Curious:
    """One person who is it, and presses nothing twice until something is new. ``club`` is the server on which that is,
    and writes down what they see."""

    def __init__(self, club: Any, who: str) -> None:
        self._club = club
        self._who = who
        self._eyes = club.eyes[who]
        self._tried: set[tuple[str, str]] = set()

    def something_is_new(self) -> None:
        """What does not belong to one sheet alone is to be pressed again."""
        self._tried = {one for one in self._tried if one[0].startswith("p|")}

    async def explore(self, stored: Any, *, most: int) -> int:
        """Press all of a message and of what that opens, at most so often; gives how often it was."""
        waiting = [(stored, *one) for one in self._offered(stored)]
        pressed = 0
        while waiting and pressed < most:
            message, label, custom_id, value = waiting.pop(0)
            if (custom_id, value) in self._tried:
                continue
            self._tried.add((custom_id, value))
            pressed += 1
            for opened in await self._press(message, label, custom_id, value):
                waiting += [(opened, *one) for one in self._offered(opened)]
        await self._club.late_pictures()
        self._club.note(f"{self._who} looks again", [self._eyes.message(stored)])
        return pressed

    def _offered(self, stored: Any) -> Iterator[tuple[str, str, str]]:
        """What can be pressed without playing on, as (what it says, id, choice)."""
        for one in pressable(stored):
            if one.get("disabled") or kind_of(one["custom_id"]) == "play":
                continue
            if "options" not in one:
                yield str(one.get("label")), one["custom_id"], ""
            for option in one.get("options", [])[:OPTIONS]:
                yield str(option["label"]), one["custom_id"], option["value"]

    async def _press(self, stored: Any, label: str, custom_id: str, value: str) -> list[Any]:
        """Press once, send a form back as it is, take back what that changed; gives what can be pressed now."""
        message = SimpleNamespace(id=stored.id, channel=SimpleNamespace(id=stored.channel_id))
        person = self._club.actor(self._who, stored)
        result = await self._club.forge(person, message, custom_id, [value] if value else None)
        self._note(f"presses {label}", result)
        if result.modal is not None:
            result = await self._club.submit(person, result, **_needed(result.modal))
            self._note(f"sends {label} back", result)
        answer = None if result.response is None else result.response._message
        if answer is None:
            return []
        for one in pressable(answer):
            if one["custom_id"].split("|")[2] == "undo":
                at = SimpleNamespace(id=answer.id, channel=SimpleNamespace(id=answer.channel_id))
                self._note("presses Undo", await self._club.forge(person, at, one["custom_id"]))
                break
        return [answer]

    def _note(self, what: str, result: Any) -> None:
        self._club.note(f"{self._who} {what}", self._eyes.answer(result))


def _needed(modal: Any) -> dict[str, str]:
    """What must be put into boxes that are empty and may not be."""
    controls = [one["component"] for one in modal["components"]]
    return {
        one["custom_id"]: NONSENSE
        for one in controls
        if one["type"] == 4 and one.get("required", True) and not one.get("value")
    }


DESK = ("more.x.1", "pause", "resume", "close", "decide.x", "rule.x.0.y", "sides", "side", "log")
"""What a referee's desk offers, as its buttons have it."""


async def press_a_desk(club: Any, who: str, message: Any) -> None:
    """Somebody who is no referee presses all that a desk has, on a message of their own."""
    for what in DESK:
        values = [club.world.sides[-1]] if what == "side" else None
        result = await club.forge(club.people[who], message, f"c|{club.campaign}|desk|{what}", values)
        club.note(f"{who} presses the desk's {what}", club.eyes[who].answer(result))


async def referees_evening(club: Any) -> None:
    """The referee looks at everything, and does nothing."""
    for command in ("referee status", "referee late", "referee battle", "referee disputes", "campaign status"):
        result = await club.slash(club.rita, command)
        for shown in [part._message for part in (result.response, *result.followups) if part is not None]:
            for one in pressable(shown):
                if one["custom_id"].split("|")[3].partition(".")[0] in ("sides", "log", "decide"):
                    await club.forge(club.rita, club.handle(shown), one["custom_id"])
