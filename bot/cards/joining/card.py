"""Cards by which people join: a campaign's announcement, the menu of its seats, the way there from a list; and the
question before it is cancelled.

A component's id is ``c|<campaign>|join|``, ``c|<campaign>|seat|`` or ``c|<campaign>|cancel|yes``; a menu of campaigns
has ``c||join|``.
"""

from collections.abc import Mapping, Sequence

from bot.cards.menus import cut
from bot.cards.sheets import MOST_SHEETS, campaign_component
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import ButtonSpec, Card, MenuSpec, OptionSpec, Rows
from bot.records.places import SPECTATOR
from rules_engine.core.basics.counted import counted

Seated = Mapping[str, Sequence[int]]
"""Who commands each side, by user id; sides without a commander may be left out."""

MOST_BUTTON = 80


def announcement_card(campaign: CampaignInfo, seated: Seated) -> Card:
    """What stands where a campaign was created: who sits where, and **Join** until it begins."""
    sides = [
        f"• {name}: {', '.join(f'<@{user}>' for user in seated.get(key, ())) or 'nobody yet'}"
        for key, name in campaign.side_names.items()
    ]
    if campaign.never_began:
        return Card(f"**{campaign.title}** was cancelled before it began.")
    if campaign.status is CampaignStatus.ENDED:
        return Card(f"**{campaign.title}** is over.")
    if campaign.status is not CampaignStatus.GATHERING:
        foot = "-# It gathers players no longer. `/campaign join` watches it, or asks for a seat."
        return Card("\n".join([f"**{campaign.title}** has begun.", *sides, foot]))
    head = f"**{campaign.title}** ({campaign.rulebook}) gathers players. Its referee is <@{campaign.referee_id}>."
    is_full = all(seated.get(key) for key in campaign.side_names)
    foot = (
        "-# Every side has a commander, so its referee may begin. You may still join one of them, or watch."
        if is_full
        else "-# **Join** lets you take a seat, or watch. Its referee begins with `/campaign start`."
    )
    return Card("\n".join([head, *sides, foot]), ((_join(campaign.id, "Join"),),))


def cancel_card(campaign: CampaignInfo, seated: Seated) -> Card:
    """The question whether a campaign that gathers players is really to be cancelled."""
    seats = sum(map(len, seated.values()))
    told = f" {counted(seats, 'commander')} will read it in `#bulletins`." if seats else ""
    text = f"Cancel **{campaign.title}**? It never begins then, and that cannot be taken back.{told}"
    yes, no = campaign_component(campaign.id, "cancel", "yes"), campaign_component(campaign.id, "cancel", "no")
    return Card(
        text,
        (
            (
                {"type": "button", "id": yes, "label": "Cancel it", "style": "danger", "disabled": False},
                {"type": "button", "id": no, "label": "Keep it", "style": "secondary", "disabled": False},
            ),
        ),
    )


def _join(campaign_id: str, label: str) -> ButtonSpec:
    return {
        "type": "button",
        "id": campaign_component(campaign_id, "join"),
        "label": cut(label, MOST_BUTTON),
        "style": "primary",
        "disabled": False,
    }


def join_rows(campaigns: Sequence[CampaignInfo]) -> Rows:
    """What leads from a list to the seats of its campaigns: a button for one, a menu of several; none of none."""
    if len(campaigns) < 2:
        return tuple((_join(one.id, f"Join {one.title}"),) for one in campaigns)
    options: list[OptionSpec] = [
        {"value": one.id, "label": cut(one.title, 100), "description": f"{one.status}", "default": False}
        for one in campaigns[:MOST_SHEETS]
    ]
    return ((_menu(campaign_component("", "join"), "Join …", options),),)


def seats_card(campaign: CampaignInfo, seated: Seated) -> Card:
    """The question which seat of a campaign somebody wants."""
    options: list[OptionSpec] = [
        {"value": key, "label": cut(name, 100), "description": _commanded_by(seated.get(key, ())), "default": False}
        for key, name in campaign.side_names.items()
    ]
    options.append({"value": SPECTATOR, "label": "Spectator", "description": "sees what is public", "default": False})
    menu = _menu(campaign_component(campaign.id, "seat"), "Take the seat …", options)
    return Card(f"Which seat do you take in **{campaign.title}**?", ((menu,),))


def _commanded_by(commanders: Sequence[int]) -> str:
    return f"has {counted(len(commanders), 'commander')}" if commanders else "nobody yet"


def _menu(component: str, placeholder: str, options: list[OptionSpec]) -> MenuSpec:
    return {"type": "select", "id": component, "placeholder": placeholder, "options": options, "min": 1, "max": 1}


def joined_text(campaign: CampaignInfo, seat: str, waits: str) -> str:
    """What somebody is told who took a ``seat`` by its name (``spectators`` for those who watch), or who ``waits`` for
    the consent of these."""
    if waits:
        return f"You have sat elsewhere in **{campaign.title}**, so this waits for the consent of {waits}."
    if seat == "spectators":
        return f"You watch **{campaign.title}**. You see what is public, and cannot command a side once it runs."
    return (
        f"You command **{seat}** in **{campaign.title}**. Your orders will be asked for in direct messages, so "
        "allow messages from this server's members; your side's own channel is the place where you plan."
    )
