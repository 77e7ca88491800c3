"""The card of a side's diplomacy, and that of one agreement."""

from collections.abc import Mapping, Sequence

from bot.cards.cards import MOST_CONTENT
from bot.cards.menus import cut
from bot.cards.told import button
from bot.letters.cards import in_a_line, letter_id, quoted
from bot.letters.diplomacy import Diplomacy, StandingAgreement
from bot.records.components import Card, Component, MenuSpec, OptionSpec
from bot.records.letters.agreements import AgreementState

MOST_OPTIONS = 25
MOST_LISTED = 15
MOST_TERMS = 90
BY_THE_RULES = "__By the rules__ (changed on your sheets)"


def diplomacy_card(found: Diplomacy) -> Card:
    """With whom what stands, with menus that open an agreement or begin an offer."""
    names = found.campaign.side_names
    lines = [f"🕊️ **{found.campaign.title}** · diplomacy of **{names[found.side]}**, turn {found.turn}"]
    going_on = [one for one in found.standing if not one.is_settled]
    going_on.sort(key=lambda one: (not waits_for(one, found.side), -one.offer.letter.number))
    lines += [f"• {_line(one, found, names)}" for one in going_on[:MOST_LISTED]]
    if len(going_on) > MOST_LISTED:
        lines.append(f"• … {len(going_on) - MOST_LISTED} more")
    if not going_on:
        lines.append("Nothing is agreed or offered in letters.")
    settled = len(found.standing) - len(going_on)
    lines += [f"-# {settled} settled before; `/letters` has them."] if settled else []
    if found.rules:
        lines += [BY_THE_RULES, *(f"• {row}" for row in found.rules)]
    lines.append("-# What is agreed in letters binds by word alone: the rules neither know nor enforce it.")
    rows: list[tuple[Component, ...]] = []
    if going_on:
        rows.append((_menu(letter_id(found.campaign.id, "pact"), "Open …", _agreements(going_on, found, names)),))
    if found.others:
        whom = [_option(key, names[key], "") for key in found.others[:MOST_OPTIONS]]
        rows.append((_menu(letter_id(found.campaign.id, "offer"), "Offer something to …", whom),))
    return Card("\n".join(lines)[:MOST_CONTENT], tuple(rows))


def agreement_card(found: Diplomacy, one: StandingAgreement) -> Card:
    """One agreement in full, with what its reader may do about it now."""
    names, agreement = found.campaign.side_names, one.agreement
    token = one.offer.token
    lines = [f"🕊️ {_what(one, found, names)}", quoted(agreement.terms)]
    lines.append(f"-# offered in turn {agreement.turn}, letter {agreement.number} with {names[one.other]}")
    buttons: list[Component] = []
    if one.other not in found.out and found.others:
        match agreement.state:
            case AgreementState.OFFERED if agreement.maker == found.side:
                buttons.append(button(letter_id(token, "withdraw"), "Withdraw"))
            case AgreementState.OFFERED:
                buttons.append(button(letter_id(token, "accept"), "Accept", style="success"))
                buttons.append(button(letter_id(token, "decline"), "Decline"))
            case AgreementState.ACCEPTED:
                buttons.append(button(letter_id(token, "notice"), "Give notice", style="danger"))
            case _:
                pass
        buttons.append(button(letter_id(token, "reply"), "Write to them"))
    return Card("\n".join(lines), (tuple(buttons),) if buttons else ())


def waits_for(one: StandingAgreement, side: str) -> bool:
    """Whether an offer waits for this side's answer."""
    return one.agreement.state is AgreementState.OFFERED and one.agreement.maker != side


def _line(one: StandingAgreement, found: Diplomacy, names: Mapping[str, str]) -> str:
    return f"{_what(one, found, names)}: {in_a_line(one.agreement.terms, MOST_TERMS)}"


def _what(one: StandingAgreement, found: Diplomacy, names: Mapping[str, str]) -> str:
    """What it is, with whom, and how it stands."""
    agreement, other = one.agreement, names[one.other]
    if one.other in found.out:
        return f"With **{other}**, who is out of play, nothing holds"
    match agreement.state:
        case AgreementState.OFFERED if agreement.maker == found.side:
            return f"Your offer {agreement.number} to **{other}** waits for them"
        case AgreementState.OFFERED:
            return f"Offer {agreement.number} from **{other}** waits for you"
        case AgreementState.NOTICE:
            who = "you have" if agreement.given_by == found.side else "they have"
            ends = f"{who} given notice, it ends with turn {agreement.until}"
            return f"Agreement {agreement.number} with **{other}**: {ends}"
        case AgreementState.ACCEPTED:
            return f"Agreement {agreement.number} with **{other}** stands"
        case state:
            return f"Offer {agreement.number} with **{other}** is {state}"


def _agreements(going_on: Sequence[StandingAgreement], found: Diplomacy, names: Mapping[str, str]) -> list[OptionSpec]:
    return [
        _option(one.offer.token, _what(one, found, names).replace("**", ""), in_a_line(one.agreement.terms, MOST_TERMS))
        for one in going_on[:MOST_OPTIONS]
    ]


def _option(value: str, label: str, description: str) -> OptionSpec:
    return {"value": value, "label": cut(label, 100), "description": cut(description, 100), "default": False}


def _menu(made_id: str, placeholder: str, options: list[OptionSpec]) -> MenuSpec:
    return {"type": "select", "id": made_id, "placeholder": placeholder, "options": options, "min": 1, "max": 1}
