"""The card of a battle's tracker: how it stands, who wishes what, and the buttons to wish it."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from bot.cards.sheets import campaign_component
from bot.records.components import ButtonSpec, Card
from rules_engine.core.basics.base import Side
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import Wish
from rules_engine.core.running.tracking import TrackingNow

WISHES: Mapping[Wish, str] = {
    "begin": "track this battle from its set-up",
    "begin late": "track this battle as it stands now",
    "pause": "stop its clock",
    "go on": "let its clock run",
    "undo": "take back the last piece",
    "drop": "go on by hand",
}
"""What each is, after `wants to`."""

_LABELS: Mapping[Wish, str] = {
    "begin": "Track from the set-up",
    "begin late": "Track from here on",
    "pause": "Stop the clock",
    "go on": "Let the clock run",
    "undo": "Take back the last piece",
    "drop": "Go on by hand",
}
NAMES: Mapping[Wish, str] = {
    "begin": "b",
    "begin late": "l",
    "pause": "p",
    "go on": "g",
    "undo": "u",
    "drop": "d",
}
"""Wishes in the ids of buttons."""

MOST_SILENT = 2
"""Pieces in a row to which nobody says anything; then the tracker waits until somebody does."""

FILL = "f"
SHOW = "s"
ASK_DROP = "x"
"""Buttons that wish nothing yet: have the account filled in, see the tracker, be asked whether it is to be dropped."""


def mark_of(ask_id: str) -> str:
    """What stands for a battle in the id of a component, which has no room for the id of its ask."""
    return blake2b(ask_id.encode(), digest_size=6).hexdigest()


def battle_name(ask: AnyAsk) -> str:
    """What its captains call a battle that can be tracked; an ask's own title is that of its account."""
    return ask.title if ask.tactics is None else ask.tactics.battle.title


TAKEN_BACK = "-"


def tracker_card(
    campaign_id: str,
    title: str,
    mark: str,
    *,
    side: Side,
    names: Mapping[Side, str],
    now: TrackingNow,
    may_begin: bool,
    remarks: Sequence[str] = (),
    fills_in: bool = False,
) -> Card:
    """The card of one battle for one of its parties."""
    lines = [f"**{title}** · tracker", _stands(now)]
    lines += [f"• {names[one]} wants to {WISHES[wish]}." for wish, sides in now.wishes.items() for one in sides]
    lines += [f"• {one}" for one in remarks]
    buttons = [_button(campaign_id, mark, wish, now, side) for wish in _possible(now, may_begin=may_begin)]
    buttons += fill_row(campaign_id, mark) if fills_in else ()
    return Card("\n".join(lines), tuple(tuple(buttons[at : at + 5]) for at in range(0, len(buttons), 5)))


def fill_row(campaign_id: str, mark: str) -> tuple[ButtonSpec, ...]:
    """A button by which each party has its account filled in with what was counted."""
    fill = campaign_component(campaign_id, "tracker", f"{mark}.{FILL}")
    return ({"type": "button", "id": fill, "label": "Fill in my account", "style": "primary", "disabled": False},)


def show_row(campaign_id: str, mark: str, label: str) -> tuple[ButtonSpec, ...]:
    """A button that shows the tracker of a battle to whoever of its parties presses it."""
    shown = campaign_component(campaign_id, "tracker", f"{mark}.{SHOW}")
    return ({"type": "button", "id": shown, "label": label, "style": "secondary", "disabled": False},)


def drop_card(campaign_id: str, title: str, mark: str) -> Card:
    """The question before a battle is tracked no longer, which one side alone can do."""
    text = (
        f"**{title}**: go on by hand? What the tracker holds is let go for all sides; its pictures stay in the thread."
    )
    sure = campaign_component(campaign_id, "tracker", f"{mark}.{NAMES['drop']}")
    button: ButtonSpec = {
        "type": "button",
        "id": sure,
        "label": "Yes, go on by hand",
        "style": "danger",
        "disabled": False,
    }
    return Card(text, ((button,), show_row(campaign_id, mark, "No")))


def wished_card(campaign_id: str, text: str, mark: str, wish: Wish) -> Card:
    """What one party wishes, in the battle's thread, with a button by which others agree."""
    button: ButtonSpec = {
        "type": "button",
        "id": campaign_component(campaign_id, "tracker", f"{mark}.{NAMES[wish]}"),
        "label": f"Agree: {_LABELS[wish].lower()}",
        "style": "primary",
        "disabled": False,
    }
    return Card(text, ((button,),))


def _stands(now: TrackingNow) -> str:
    if not now.runs:
        return (
            "Not tracked. The bot can keep positions, facings, vectors and energy for movement, if all sides want it; "
            "weapons and damage stay with you, and so does the account."
        )
    if now.is_over:
        return "All is flown. Send your accounts."
    where = f"Turn {now.turn}" if now.turn else "The set-up"
    return f"{where} is being plotted; the clock stands still." if now.is_paused else f"{where} is being plotted."


def _possible(now: TrackingNow, *, may_begin: bool) -> list[Wish]:
    if not now.runs:
        return ["begin", "begin late"] if may_begin else []
    found: list[Wish] = []
    if not now.is_over:
        found.append("go on" if now.is_paused else "pause")
    if now.may_undo:
        found.append("undo")
    return [*found, "drop"]


def _button(campaign_id: str, mark: str, wish: Wish, now: TrackingNow, side: Side) -> ButtonSpec:
    wishing = now.wishes.get(wish, ())
    mine = side in wishing
    label = _LABELS[wish]
    letter = ASK_DROP if wish == "drop" else NAMES[wish]
    if mine:
        label = f"No longer: {label.lower()}"
    elif wishing:
        label = f"Agree: {label.lower()}"
    return {
        "type": "button",
        "id": campaign_component(campaign_id, "tracker", f"{mark}.{letter}{TAKEN_BACK if mine else ''}"),
        "label": label,
        "style": "danger" if wish == "drop" else "primary" if wishing and not mine else "secondary",
        "disabled": False,
    }
