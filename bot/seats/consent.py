"""Asking for consent: those whom a change touches are asked by direct message, and everybody is told that they are.

Who is to be the referee is asked alike, whatever they are in the campaign so far.
"""

import secrets
from collections.abc import Iterable, Sequence

from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo
from bot.records.components import ButtonSpec, ButtonStyle, Card
from bot.records.effects import Post
from bot.records.places import PUBLIC_PLACE, REFEREE_PLACE, side_place
from bot.records.proposals import (
    ABSENCE,
    AnyChange,
    Crossing,
    HandOver,
    NewRules,
    Pace,
    Proposal,
    Substitution,
    Succession,
    user_party,
)
from bot.seats.changing import SeatChange


def parties_of_sides(sides: Iterable[str]) -> tuple[str, ...]:
    """The consent of one commander of each of these sides."""
    return tuple(side_place(side) for side in sides)


async def ask_consent(change: SeatChange, by: int, wanted: AnyChange, parties: Sequence[str]) -> Proposal:
    """Ask these parties, and say in public what is asked of whom; gives the proposal that waits."""
    tx, campaign = change.tx, change.campaign
    proposal = Proposal(secrets.token_urlsafe(9), campaign.id, by, change.now, wanted, tuple(parties))
    await tx.proposals.add(proposal)
    names = campaign.side_names
    by_side = await tx.members.by_side(campaign.id)
    for party in parties:
        kind, _, key = party.partition(":")
        asked = by_side.get(key, []) if kind == "side" else [int(key)]
        fallback = party if kind == "side" else _side_of(int(key), by_side) or PUBLIC_PLACE
        text, card = _question(proposal, party, campaign)
        await tx.outbox.put(
            campaign.id,
            *[Post(dm=user, content=text, card=card, fallback=fallback) for user in asked],
            now=change.now,
        )
    public = f"🤝 <@{by}> asks: {said(wanted, campaign)} It takes the consent of {whom(parties, names)}."
    await tx.outbox.put(campaign.id, Post(place=PUBLIC_PLACE, content=f"{public}{_patience(wanted)}"), now=change.now)
    if isinstance(wanted, Succession) and wanted.of not in change.away:
        await tx.outbox.put(campaign.id, _word_to_the_silent(proposal, wanted, campaign), now=change.now)
    return proposal


def _question(proposal: Proposal, party: str, campaign: CampaignInfo) -> tuple[str, Card]:
    """What a party is asked, and with which buttons: somebody who is to be the referee accepts or declines."""
    wanted = proposal.change
    if isinstance(wanted, HandOver | Succession) and party == user_party(wanted.to):
        text = (
            f"🤝 **{campaign.title}**: <@{proposal.made_by}> asks you to be its referee. You could then "
            "see everything in it, and command no side of it any more."
        )
        return text, Card(text, (tuple(_buttons(proposal, agree="Accept", refuse="Decline")),))
    text = f"🤝 **{campaign.title}**: <@{proposal.made_by}> asks for your consent. {said(wanted, campaign)}"
    return text, Card(text, (tuple(_buttons(proposal)),))


def _word_to_the_silent(proposal: Proposal, wanted: Succession, campaign: CampaignInfo) -> Post:
    """What a referee who is on the server and says nothing is told before somebody takes the chair."""
    text = (
        f"🤝 **{campaign.title}** waits for you, its referee, and <@{proposal.made_by}> asks that <@{wanted.to}> "
        "be the referee instead. If you are there, say so with the button, and then see `/referee status`."
    )
    card = Card(text, ((_button(proposal, "object", "I am here", "primary"),),))
    return Post(dm=wanted.of, content=text, card=card, fallback=REFEREE_PLACE)


def take_back_card(text: str, proposal: Proposal) -> Card:
    """What somebody who has offered the referee's chair reads, with a button that takes the offer back."""
    return Card(text, ((_button(proposal, "withdraw", "Take it back", "secondary"),),))


def said(wanted: AnyChange, campaign: CampaignInfo) -> str:
    """What would change in a campaign as it stands, as a sentence."""
    match wanted:
        case Substitution(out_id=out_id, in_id=in_id):
            return f"<@{in_id}> is to take the seat of <@{out_id}>."
        case HandOver(to=to):
            return f"<@{to}>, who could then see everything, is to be the referee."
        case Succession(to=to, of=of):
            return f"<@{to}>, who could then see everything, is to be the referee instead of <@{of}>."
        case Crossing(user_id=user_id, side=side):
            return f"<@{user_id}>, who has sat elsewhere here, is to command {campaign.side_names[side]}."
        case NewRules():
            return "The turn is to begin anew, by the rules of this version of the bot; what was sent for it is void."
        case Pace(settings=settings):
            usual = settings.about_letters == CampaignSettings().about_letters
            talk = "" if usual else f" {settings.letters_said()}"
            return f"From the next deadline on: {settings.said(campaign.settings)}{talk}"


def whom(parties: Iterable[str], names: dict[str, str]) -> str:
    """Those who must agree, in words."""
    shown: list[str] = []
    for party in parties:
        kind, _, key = party.partition(":")
        shown.append(names[key] if kind == "side" else f"<@{key}>")
    return ", ".join(shown)


def _patience(wanted: AnyChange) -> str:
    if not isinstance(wanted, Substitution):
        return ""
    hours = int(ABSENCE.total_seconds() // 3600)
    return (
        f" If <@{wanted.out_id}> neither answers nor sends any orders for {hours} hours, the referee may give "
        "`/referee substitute` again and it is done without them."
    )


def _side_of(user_id: int, by_side: dict[str, list[int]]) -> str | None:
    return next((side_place(side) for side, users in by_side.items() if user_id in users), None)


def _buttons(proposal: Proposal, *, agree: str = "Agree", refuse: str = "Do not agree") -> list[ButtonSpec]:
    return [_button(proposal, "consent", agree, "success"), _button(proposal, "object", refuse, "secondary")]


def _button(proposal: Proposal, verb: str, label: str, style: ButtonStyle) -> ButtonSpec:
    return {
        "type": "button",
        "id": f"c|{proposal.campaign_id}|{verb}|{proposal.token}",
        "label": label,
        "style": style,
        "disabled": False,
    }


def waits_for(proposal: Proposal, user_id: int, side: str | None) -> str | None:
    """The party that this person answers for, among those who have not agreed yet."""
    mine = {user_party(user_id), side_place(side) if side else ""}
    return next((party for party in proposal.missing if party in mine), None)
