"""A campaign's own settings: how long things may take, and whether sides may write to each other."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from bot.errors import Sorry

SHORTEST_MINUTES, LONGEST_MINUTES = 0.02, 60 * 24 * 60

MOST_LETTERS, LONGEST_LETTER, SHORTEST_LIMIT = 200, 1_500, 100
"""The most letters a day that a side may be allowed, the most characters of one, and the fewest that may be set."""

Letters = Literal["on", "off", "read"]

TrackerUse = Literal["off", "optional", "usual"]
Pieces = Literal[1, 2, 4]

Minutes = Annotated[float, Field(ge=SHORTEST_MINUTES, le=LONGEST_MINUTES)]


Setting = float | bool | str
"""What a setting may be changed to."""


class CampaignSettings(BaseModel):
    """Deadlines by class, in minutes, and when the reminder goes out.

    ``reminder_left`` is the share of the time that is left when those who are not done are reminded.
    ``grace_minutes`` is how much longer the referee is given when a battle's deadline falls without agreement, again
    and again until ``battle_end_minutes`` after the battle was opened, when it ends by rule.
    ``early_close`` lets play go on as soon as everybody is ready. Without it sheets close at their deadlines only, so
    that nobody can tell from the waiting how long the other side took; nor whether it was asked, where the rulebook
    gives a step a window in any case. Battles, which both sides are in, still end with the agreed account.
    ``orders_at_once`` lets play go on at once where standing orders answer, which whoever meets them may notice.
    Without it play waits there for its owner's Ready, or for the deadline, as if the owner had been asked.

    ``tracker``: battles cannot be tracked (``off``), are where all their parties wish it (``optional``), or are from
    their beginning (``usual``); then a turn is plotted in so many ``tracker_pieces``, and a piece lasts
    ``tactical_minutes``.

    ``letters``: sides may write to each other, and nobody else reads it before the end (``on``); nor at all (``off``);
    or a referee who plays no side reads it, too (``read``), which is settled before play begins. ``letters_a_day`` is
    how many a side may send in a day, ``letter_length`` how many characters one may have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    orders_minutes: Minutes = 24 * 60
    decision_minutes: Minutes = 12 * 60
    battle_minutes: Minutes = 7 * 24 * 60
    tactical_minutes: Minutes = 12 * 60
    grace_minutes: Minutes = 24 * 60
    battle_end_minutes: Minutes = 30 * 24 * 60
    reminder_left: float = Field(default=0.25, ge=0, lt=1)
    early_close: bool = True
    orders_at_once: bool = True
    tracker: TrackerUse = "optional"
    tracker_pieces: Pieces = 2
    letters: Letters = "on"
    letters_a_day: int = Field(default=40, ge=1, le=MOST_LETTERS)
    letter_length: int = Field(default=LONGEST_LETTER, ge=SHORTEST_LIMIT, le=LONGEST_LETTER)

    def minutes(self, pace: str) -> float:
        """How long an ask of that deadline class stays open."""
        return {
            "orders": self.orders_minutes,
            "decision": self.decision_minutes,
            "battle": self.battle_minutes,
            "tactical": self.tactical_minutes,
        }[pace]

    def said(self, before: "CampaignSettings | None" = None) -> str:
        """The deadlines in words, and how battles are tracked where that is not usual, or was otherwise ``before``."""
        return (
            f"Orders: {spoken(self.orders_minutes)}. Decisions: {spoken(self.decision_minutes)}. "
            f"Battles: {spoken(self.battle_minutes)}. "
            + ("Play goes on once everybody is ready." if self.early_close else "Sheets close at their deadlines only.")
            + self._end_said(before)
            + ("" if self.orders_at_once else " Standing orders take the time of an answer.")
            + self._tracker_said(is_new=before is not None and before.about_tracker != self.about_tracker)
        )

    def _end_said(self, before: "CampaignSettings | None") -> str:
        usual = CampaignSettings() if before is None else before
        if self.battle_end_minutes == usual.battle_end_minutes:
            return ""
        return f" A battle whose account nobody agrees on ends by rule after {spoken(self.battle_end_minutes)}."

    def _tracker_said(self, *, is_new: bool) -> str:
        if self.tracker == "off":
            return " Battles are not tracked."
        if not is_new and self.about_tracker == CampaignSettings().about_tracker:
            return ""
        how = f"a turn in {self.tracker_pieces} pieces" if self.tracker_pieces > 1 else "a turn in one piece"
        whose = "Battles" if self.tracker == "usual" else "Battles whose parties all wish it"
        return f" {whose} are tracked, {how} of {spoken(self.tactical_minutes)}."

    def letters_said(self) -> str:
        """Whether sides may write to each other, and who reads it, in words."""
        if self.letters == "off":
            return "Sides cannot write to each other here."
        bounds = f"at most {self.letters_a_day} a day from each side, of {self.letter_length:,} characters"
        readers = (
            "a referee who plays no side reads them, too"
            if self.letters == "read"
            else "nobody else reads them before the end, the referee neither"
        )
        return f"Sides may write letters to each other, {bounds}; {readers}."

    @property
    def about_letters(self) -> tuple[str, int, int]:
        """All of that."""
        return self.letters, self.letters_a_day, self.letter_length

    @property
    def about_tracker(self) -> tuple[str, int]:
        """Whether battles are tracked, and in how many pieces a turn of one is plotted."""
        return self.tracker, self.tracker_pieces

    def changed(self, changes: Mapping[str, Setting]) -> "CampaignSettings":
        """These settings with some changed, deadlines in minutes.

        Raises:
            Sorry: when a deadline is too short or too long.
        """
        times = [value for name, value in changes.items() if name.endswith("_minutes")]
        if not all(SHORTEST_MINUTES <= float(value) <= LONGEST_MINUTES for value in times):
            raise Sorry("A deadline lasts at least 2 seconds and at most 60 days.", code="bad-settings")
        if changes.get("letters", "on") not in ("on", "off", "read"):
            raise Sorry("Letters between sides are on, off, or read by the referee.", code="bad-settings")
        if changes.get("tracker", "off") not in get_args(TrackerUse):
            raise Sorry("The tracker of battles is off, optional or usual.", code="bad-settings")
        if changes.get("tracker_pieces", 1) not in get_args(Pieces):
            raise Sorry("A turn of a tracked battle is plotted in 1, 2 or 4 pieces.", code="bad-settings")
        return CampaignSettings.model_validate({**self.model_dump(), **changes})


def spoken(minutes: float) -> str:
    """A number of minutes as people say it."""
    for unit, length in (("day", 24 * 60), ("hour", 60)):
        if minutes >= length:
            return _counted(minutes / length, unit)
    return _counted(minutes, "minute")


def _counted(number: float, unit: str) -> str:
    shown = f"{number:.1f}".rstrip("0").rstrip(".")
    return f"{shown} {unit}{'' if shown == '1' else 's'}"
