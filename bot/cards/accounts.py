"""The others' account on a card: where it differs, what of it a side may take over, and what its buttons stand for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from bot.cards.forces import force_name, is_of_two_sides
from bot.cards.menus import cut
from bot.records.campaigns import CampaignInfo
from bot.records.components import ButtonSpec, Card
from bot.records.effects import Post
from bot.records.places import REFEREE_PLACE
from bot.records.prompts import Prompt
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.battle_outcome import BattleOutcome
from rules_engine.core.protocol.accounts import Difference, in_a_row
from rules_engine.core.protocol.asks import Agreement, AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator

MOST_TOLD = 1_700
"""Characters of a list of differences in one message."""


def differences_for(adjudicator: Adjudicator[Any], ask: AnyAsk, side: str) -> Sequence[str]:
    """Where the accounts differ that were sent so far; nothing for a side whose force has sent none."""
    if not ask.is_shared or adjudicator.saved(side, ask.id) is None:
        return ()
    return adjudicator.compared(ask.id).differences


def others_account(adjudicator: Adjudicator[Any], ask: AnyAsk, side: str) -> Any:
    """The account that all other forces which sent one agree on; None where there is no such one."""
    others = [force for force in ask.forces if side not in force]
    sent = [account for one in others if (account := adjudicator.saved(one[0], ask.id)) is not None]
    return sent[0] if sent and all(account == sent[0] for account in sent) else None


def battle_mark(ask_id: str) -> str:
    """What a button says of a battle."""
    return digest(ask_id)[:8]


MOST_DECIDED = 5
"""Battles in dispute that a message has a button for; the desk has all."""


def called_to_decide(campaign: CampaignInfo, asks: Sequence[AnyAsk], text: str) -> Post:
    """A post that calls the referee to battles in dispute, with **Decide**, which opens one as the desk does."""
    row: list[ButtonSpec] = [
        {
            "type": "button",
            "id": f"c|{campaign.id}|desk|decide.{battle_mark(ask.id)}",
            "label": "Decide" if len(asks) == 1 else cut(f"Decide: {ask.title}", 80),
            "style": "primary",
            "disabled": False,
        }
        for ask in asks[:MOST_DECIDED]
    ]
    return Post(place=REFEREE_PLACE, content=text, card=Card(text, (tuple(row),)), calls=campaign.referee_id)


def account_mark(ask: AnyAsk, account: Any) -> str:
    """What a button says of an account, so that nobody takes over another than the one they were shown."""
    return digest(ask.document_of(account, None))[:8]


# --- parts of an account ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AccountPart:
    """A part of an account: these ``fields`` of a ``line`` of its sheet, or (none) the whole line."""

    line: str
    fields: tuple[str, ...] = ()

    def of(self, ask: AnyAsk, account: Any) -> dict[str, Json]:
        """What an account says there, as it would be filled in; None for a field that says nothing."""
        return self._on(ask, ask.sheet_of(account))

    def _on(self, ask: AnyAsk, sheet: Sheet) -> dict[str, Json]:
        said = sheet.get(self.line, {})
        keys = self.fields or tuple(field.key for field in ask.form.by_key[self.line].fields)
        return {key: said.get(key) for key in keys}

    def mark(self, ask: AnyAsk, account: Any) -> str:
        """What a button says of that, so that nobody takes over anything else than they were shown."""
        return self.mark_of(ask, ask.sheet_of(account))

    def mark_of(self, ask: AnyAsk, sheet: Sheet) -> str:
        """The same of a sheet that need not be a whole account."""
        return digest(cast(Json, self._on(ask, sheet)))[:8]

    def name(self, ask: AnyAsk) -> str:
        """What a button calls it: the numbers of the line and its fields on the form."""
        lines = ask.form.lines
        number = next(at for at, line in enumerate(lines) if line.key == self.line)
        keys = [field.key for field in lines[number].fields]
        return ".".join(map(str, (number, *(keys.index(key) for key in self.fields))))


def part_named(ask: AnyAsk, name: str) -> AccountPart | None:
    """The part that a button calls so; None where there is no such one."""
    numbers = name.split(".")
    if not all(one.isascii() and one.isdigit() and len(one) < 6 for one in numbers):
        return None
    first, *rest = map(int, numbers)
    if first >= len(ask.form.lines):
        return None
    line = ask.form.lines[first]
    if len(set(rest)) < len(rest) or any(one >= len(line.fields) for one in rest):
        return None
    return AccountPart(line.key, tuple(line.fields[one].key for one in rest))


@dataclass(frozen=True)
class PlaceShown:
    """A place in which accounts differ, as a side is shown it: ``what`` it is about, what it says itself (``mine``),
    and what others do, those together that say the same; two sides need no names.

    ``make`` is what the button that takes theirs over stands for, and ``brief`` what that would say: both are empty
    where others say several things.
    """

    what: str
    mine: str
    theirs: tuple[tuple[str, str], ...]
    brief: str = ""
    make: str = ""

    @property
    def said(self) -> str:
        """What everybody says: ``You: 6 turns. They: 5 turns.``"""
        return " ".join(f"{name}: {words}." for name, words in (("You", self.mine), *self.theirs))


def say(name: str) -> str:
    """``they say``, ``Red Fleet says``, ``Red Fleet and Blue Fleet say``: a name as a place has it, with its verb."""
    if name == THEY:
        return "they say"
    return f"{name} {'say' if ' and ' in name else 'says'}"


THEY = "They"
"""The other side, of two."""


def compared_for(adjudicator: Adjudicator[Any], ask: AnyAsk, side: str, unsent: Any = None) -> Agreement[Any]:
    """How the accounts compare that were sent so far, with one that is ``unsent`` in the place of the side's own; as if
    there were no others for a side whose force has sent none."""
    if not ask.is_shared or adjudicator.saved(side, ask.id) is None:
        return Agreement(None)
    return adjudicator.compared(ask.id) if unsent is None else adjudicator.compared_with(side, ask.id, unsent)


def places_for(
    adjudicator: Adjudicator[Any], ask: AnyAsk, side: str, compared: Agreement[Any]
) -> tuple[PlaceShown, ...]:
    """Where they differ, part by part, as a side is shown it; nothing where the rulebook names no parts."""
    names = {label.key: label.name for label in adjudicator.labels}
    return tuple(_shown(adjudicator, ask, side, one, names) for one in compared.places)


def _shown(
    adjudicator: Adjudicator[Any], ask: AnyAsk, side: str, place: Difference, names: Mapping[str, str]
) -> PlaceShown:
    mine = ask.force_of(side)[0]
    said: dict[str, list[str]] = {}
    for force in ask.forces:
        if force[0] != mine and force[0] in place.said:
            said.setdefault(place.said[force[0]], []).append(force_name(force, names))
    named = tuple((THEY if is_of_two_sides(ask) else in_a_row(who), words) for words, who in said.items())
    part = AccountPart(place.line, place.fields)
    others = [one for one in place.said if one != mine]
    marks = {part.mark(ask, adjudicator.saved(one, ask.id)) for one in others}
    shown = PlaceShown(place.what, place.said.get(mine, ""), named)
    if len(said) != 1 or place.said.get(mine) in said:
        return shown
    return PlaceShown(shown.what, shown.mine, named, place.brief[others[0]], f"{part.name(ask)}-{min(marks)}")


@dataclass(frozen=True)
class AccountShown:
    """What the card of an account shows beside what every prompt's card does: its ``sheet`` as it is filled in, what
    that says became of the units (``outcome``; None where there is no picture), and its side's ``seat``.

    Of an account that was sent: in which of its ``versions``, and when; the ``places`` where it, or what is filled in
    since, differs from others', and the same in ``differences`` as words; the ``mark`` of all that are compared, and
    whether its side has ``stood`` by it or ``asked`` the referee since.
    """

    sheet: Sheet
    seat: int
    outcome: BattleOutcome | None = None
    versions: int = 0
    sent_at: datetime | None = None
    places: tuple[PlaceShown, ...] = ()
    differences: tuple[str, ...] = ()
    mark: str = ""
    stood: bool = False
    asked: bool = False


def account_shown(
    adjudicator: Adjudicator[Any], ask: AnyAsk, prompt: Prompt, sheet: Sheet, unsent: Any = None
) -> AccountShown | None:
    """That of a prompt whose ``sheet`` stands as it does, and holds an account that is ``unsent`` (None: none); None of
    what is no account."""
    if not ask.is_shared:
        return None
    side = prompt.side
    sent = adjudicator.sent(side, ask.id)
    scene = None if ask.setup is None else ask.setup.scene
    outcome = None if ask.guide is None or scene is None else ask.guide.outcome(scene, sheet)
    seat = [label.key for label in adjudicator.labels].index(side)
    if sent is None:
        return AccountShown(sheet, seat, outcome)
    mark = compared_mark(adjudicator, ask)
    compared = compared_for(adjudicator, ask, side, unsent)
    return AccountShown(
        sheet,
        seat,
        outcome,
        sent.versions,
        datetime.fromisoformat(sent.at),
        places_for(adjudicator, ask, side, compared),
        compared.differences,
        mark,
        stood=prompt.stood_by == mark,
        asked=prompt.referee_asked == mark,
    )


def compared_mark(adjudicator: Adjudicator[Any], ask: AnyAsk) -> str:
    """What a button says of all accounts that were sent, as they are compared now."""
    sent = {force[0]: adjudicator.saved(force[0], ask.id) for force in ask.forces}
    documents = {side: ask.document_of(account, None) for side, account in sent.items() if account is not None}
    return digest(cast(Json, documents))[:8]


# --- in words ---------------------------------------------------------------------------------------------------------


def differences_told(differences: Sequence[str], most: int = MOST_TOLD) -> str:
    """How accounts differ, a line each; what does not fit into ``most`` characters is counted."""
    told: list[str] = []
    for number, line in enumerate(differences):
        told.append(f"✏️ {line}")
        if len("\n".join(told)) > most:
            return "\n".join([*told[:-1], f"… and {len(differences) - number} more"])
    return "\n".join(told)
