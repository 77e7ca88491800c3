"""Cards that belong to a campaign rather than to one sheet: the list of sheets, what was told, what would be undone.

A component's id is ``c|<campaign>|<verb>|<argument>``.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.cards.sheets import MOST_SHEETS, campaign_component
from bot.cards.told import page_card
from bot.errors import shortened
from bot.queries.told_again import LogPage
from bot.records.components import ButtonSpec, Card, MenuSpec, OptionSpec
from bot.referee.clock import EarlyClosing, OpenStrand
from bot.referee.corrections import ShownCorrection
from bot.referee.rewinding import RewindPlan
from rules_engine.core.basics.counted import counted, verb


def log_card(campaign_id: str, log: LogPage) -> Card:
    """One page of what a side was told."""
    if not log.told:
        return Card("Your side has been told nothing yet.")
    return page_card(
        log.reports, log.page, log.told, lambda verb, argument: campaign_component(campaign_id, verb, argument)
    )


def rewind_card(campaign_id: str, plan: RewindPlan, names: Mapping[str, str]) -> Card:
    """What a rewind would undo, and a button that confirms it."""
    told = [
        f"• {names.get(who, who)}: {counted(count, 'report')}{_beginnings(plan.seen.get(who, ()))}"
        for who, count in sorted(plan.told.items())
    ]
    when = f" ({plan.when})" if plan.when else ""
    undone = verb(plan.undone, "one entry", f"{plan.undone} entries")
    lines = [
        f"Going back to just after entry {plan.to}{when} undoes {undone} of the journal.",
        "What people have been told since then, and cannot unsee:",
        *(told or ["• nothing"]),
        *(f"-# public: {headline}" for headline in plan.headlines),
        "The cut-off branch stays in the journal, marked; fresh dice fall from there.",
    ]
    confirm: ButtonSpec = {
        "type": "button",
        "id": campaign_component(campaign_id, "rewind", f"{plan.to}.{plan.undone}"),
        "label": f"Go back to entry {plan.to} …",
        "style": "danger",
        "disabled": False,
    }
    return Card("\n".join(lines)[:1_900], ((confirm,),))


def _beginnings(said: Sequence[str]) -> str:
    """How some reports begin."""
    return f", such as “{'” and “'.join(said)}”" if said else ""


def resolve_card(campaign_id: str, plan: EarlyClosing) -> Card:
    """What closing now would cut short, and what does it: a button, or a menu where parts of play close by
    themselves."""
    parted = any(one.key for one in plan.strands)
    late: list[str] = []
    for one in plan.strands:
        late += [f"__{one.title}__"] if parted else []
        late += [f"• {name}: {', '.join(titles)}" for name, titles in one.waiting] or ["• nobody: everybody is ready"]
    told = "Those who take part are told of it" if parted else "Everybody is told of it"
    lines = [
        "Closing now ends what is open as if its deadline had fallen. Not ready yet:",
        *(late or ["• nobody: nothing is open"]),
        f"What they saved counts; where they saved nothing the stated default is taken. {told}.",
    ]
    text = "\n".join(lines)[:1_900]
    if not parted:
        confirm: ButtonSpec = {
            "type": "button",
            "id": campaign_component(campaign_id, "resolve", plan.token),
            "label": "Close now",
            "style": "danger",
            "disabled": False,
        }
        return Card(text, ((confirm,),))
    options: list[OptionSpec] = [
        {"value": one.token, "label": one.title, "description": _late_names(one), "default": False}
        for one in plan.strands[: MOST_SHEETS - 1]
    ]
    if len(plan.strands) > 1:
        options.append({"value": plan.token, "label": "All of these", "description": "", "default": False})
    menu: MenuSpec = {
        "type": "select",
        "id": campaign_component(campaign_id, "resolve"),
        "placeholder": "Close now …",
        "options": options,
        "min": 1,
        "max": 1,
    }
    return Card(text, ((menu,),))


def _late_names(strand: OpenStrand) -> str:
    names = ", ".join(name for name, _ in strand.waiting)
    return shortened(f"not ready: {names}" if names else "everybody is ready", 100)


def moved_text(falls_at: datetime | None) -> str:
    """What a referee who moved the deadlines is told: when the one falls now that everybody knows, if there is one."""
    if falls_at is None:
        return "What is open closes that much later; its cards show when."
    return f"The deadline falls <t:{int(falls_at.timestamp())}:F> now."


def correction_card(campaign_id: str, shown: ShownCorrection) -> Card:
    """A correction as it would be, and a button that makes it."""
    confirm: ButtonSpec = {
        "type": "button",
        "id": campaign_component(campaign_id, "edit", shown.token),
        "label": "Correct it all the same" if shown.touches_battle else "Correct it",
        "style": "danger" if shown.touches_battle else "primary",
        "disabled": False,
    }
    foot = "-# Nothing is done until you press the button; it holds until anything else happens in the campaign."
    return Card(f"{shown.text}\n{foot}", ((confirm,),))
