"""What is said to a plain message: orders as they are understood, why they are not, which sheet is meant, a receipt.

A component's id is ``t|<message>|<verb>|<argument>``, by the message in which the orders stand; what somebody presses
is looked up again, by who they are.
"""

from collections.abc import Sequence

from bot.cards.cards import MOST_CONTENT
from bot.cards.menus import cut
from bot.cards.prompts.standing import more_open
from bot.cards.prompts.state import component_id
from bot.cards.sentences import leading
from bot.cards.sheets import MOST_SHEETS
from bot.direct.meaning import Meaning
from bot.errors import shortened
from bot.orders.open_prompt import OpenPrompt
from bot.orders.typed import Understood
from bot.records.components import ButtonSpec, ButtonStyle, Card, MenuSpec, OptionSpec

CAMPAIGNS = "campaigns"
"""The argument of a menu of sheets that are not all of one campaign."""
MOST_LABEL = 80
MOST_SAID = 1_200
"""Characters of what is understood that are shown."""


def typed_component(message_id: int, verb: str, argument: object = "") -> str:
    """The id of a component below what was made of a message."""
    return f"t|{message_id}|{verb}|{argument}"


def _button(component: str, label: str, style: ButtonStyle) -> ButtonSpec:
    return {"type": "button", "id": component, "label": label, "style": style, "disabled": False}


def heading(prompt: OpenPrompt) -> str:
    """Which sheet of which campaign is spoken of, the campaign first."""
    strand = f" · {prompt.state.strand}" if prompt.state.strand else ""
    return f"**{prompt.state.campaign}** · {prompt.ask.title}{strand}"


def meant_card(message_id: int, meaning: Meaning) -> Card:
    """How a text is understood on the only sheet that it is meant for, or the question which one is."""
    if len(meaning.sheets) == 1:
        return understood_card(message_id, meaning.sheets[0], others=meaning.others)
    return which_card(message_id, meaning)


def asked_each_time() -> str:
    """What is said once nobody's words are for one campaign from now on any more."""
    return "I ask each time from now on, where what you write fits sheets of several campaigns."


def chosen_text(title: str) -> str:
    """What is said once somebody's words are for one campaign from now on."""
    return f"From now on, what you write is for **{title}** where it fits other campaigns, too. {UNDONE}"


UNDONE = "**ask each time**, written here, takes that back."


def understood_card(
    message_id: int, one: Understood, *, others: Sequence[str] = (), may_choose: bool = False, chose: bool = False
) -> Card:
    """Orders as they are understood, with buttons that save or change them; or why they cannot be saved.

    It fits sheets of these ``others``, too, and is for this campaign because its writer has said so. ``may_choose``:
    whether they may say that now; they ``chose`` just now.
    """
    card = _understood_card(message_id, one)
    campaign = one.prompt.campaign.title
    notes: list[str] = []
    more: list[ButtonSpec] = []
    if chose:
        notes.append(f"-# {chosen_text(campaign)}")
    elif others:
        notes.append(f"-# It fits {', '.join(others)}, too: you said that such is for {campaign} from now on.")
    if others or chose:
        more.append(_button(typed_component(message_id, "ask"), "Ask me each time", "secondary"))
    elif may_choose:
        label = cut(f"From now on: {campaign}", MOST_LABEL)
        more.append(_button(typed_component(message_id, "always"), label, "secondary"))
    if not notes and not more:
        return card
    room = MOST_CONTENT - sum(len(note) + 1 for note in notes)
    text = card.content if len(card.content) <= room else f"{card.content[: room - 1]}…"
    return Card("\n".join([text, *notes]), (*card.rows, tuple(more)))


def _understood_card(message_id: int, one: Understood) -> Card:
    change = _button(typed_component(message_id, "change"), "Change", "secondary")
    sheet = _button(typed_component(message_id, "open"), "Open the sheet", "secondary")
    head = heading(one.prompt)
    if not one.may_be_saved:
        lines = [head, "__Not accepted; nothing was changed__", *one.problems]
        return Card("\n".join(lines)[:MOST_CONTENT], ((change, sheet),))
    if not one.says:
        return Card(f"{head}\nThis is what your sheet says already; nothing changes by it.", ((sheet,),))
    lines = [head, "__As I understand it__", *_listed(one.says), *(f"⚠️ {line}" for line in one.warnings)]
    if one.is_unfinished and one.problems:
        lines += ["__Still missing__", *one.problems]
    if one.left_out:
        lines += ["__Not accepted, and left out__", *one.problems]
    foot = f"-# Nothing is saved yet: **{'Save what fits' if one.left_out else 'Save'}** does that."
    text = "\n".join(lines)
    text = text if len(text) + len(foot) < MOST_CONTENT else f"{text[: MOST_CONTENT - len(foot) - 2]}…"
    label = "Save what fits" if one.left_out else "Save"
    save = _button(typed_component(message_id, "save"), label, "success")
    return Card(f"{text}\n{foot}", ((save, change),))


def _listed(says: Sequence[str]) -> list[str]:
    """Lines with a mark before each, as many as are read at a glance."""
    shown: list[str] = []
    for number, line in enumerate(says):
        if shown and sum(map(len, shown)) + len(line) > MOST_SAID:
            return [*shown, f"• … {len(says) - number} more"]
        shown.append(f"• ✏️ {shortened(line, MOST_SAID)}")
    return shown


def saved_card(message_id: int, before: Understood, after: OpenPrompt) -> Card:
    """The receipt for orders that were saved, with what is usual next."""
    state = after.state
    receipt = f", receipt `{state.receipt}`" if state.receipt else ""
    more = more_open(state.others_open) if state.others_open else ""
    lines = [leading(heading(after), f"saved{receipt}."), *_listed(before.says)]
    lines += [*(f"⚠️ {line}" for line in before.warnings), f"-# Not marked ready.{more}"]
    ready = _button(component_id(after.token, "ready", 1), "Ready", "success")
    sheet = _button(typed_component(message_id, "open"), "Open the sheet", "secondary")
    return Card("\n".join(lines)[:MOST_CONTENT], ((ready, sheet),))


def which_card(message_id: int, meaning: Meaning) -> Card:
    """The question which sheet is meant, of several that a text fits; or, where it fits none, for which it was."""
    found, several = meaning.sheets, meaning.is_of_several_campaigns
    options: list[OptionSpec] = [
        {
            "value": one.prompt.token,
            "label": cut(one.prompt.ask.title, 100),
            "description": cut(f"{one.prompt.state.campaign} · {_outcome(one)}", 100),
            "default": False,
        }
        for one in found[:MOST_SHEETS]
    ]
    menu: MenuSpec = {
        "type": "select",
        "id": typed_component(message_id, "sheet", CAMPAIGNS if several else ""),
        "placeholder": "It is meant for …",
        "options": options,
        "min": 1,
        "max": 1,
    }
    asks = "This could be meant for several of your sheets. For which? Nothing is saved yet."
    if not meaning.may_be_saved:
        asks = "I cannot read this as orders for any of your sheets. For which is it meant? I then say what is wrong."
    return Card(asks, ((menu,),))


def _outcome(one: Understood) -> str:
    """What a text would say on a sheet, in a few words."""
    if not one.may_be_saved:
        return "not accepted there"
    return "; ".join(one.says) or "as it is"


def nothing_said(campaign: str, waiting: Sequence[OpenPrompt], example: str = "") -> str:
    """The one kind line for what is neither orders nor a word that is known, with an ``example`` of an order for the
    first of what waits."""
    words = "I read orders here, and the words **help**, **map**, **status** and **next**."
    if not waiting:
        return f"**{campaign}**: nothing is asked of you now; what comes next comes by itself. {words}"
    first = waiting[0]
    like = f" An order reads like `{cut(example.replace('`', ''), 80)}`." if example else ""
    return f"**{campaign}** · “{first.ask.title}” waits for you.{like} {words}"
