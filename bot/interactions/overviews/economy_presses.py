"""Pages of a side's economy, turned in the caller's own message, and the box in which its budget is written."""

from bot.cards.overviews.economy import EconomyCardData, economy_card, economy_text
from bot.delivery.compose import message_of
from bot.delivery.exit import open_modal, reply, update_message
from bot.delivery.prepared import Attachment, Message
from bot.interactions.bulletin_presses import number_in
from bot.interactions.modals import MOST_INPUT, modal_id, text_modal
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.orders.budgets import NoBudget
from bot.orders.open_prompt import OpenPrompt
from bot.recording.drafts import said_between
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.order_text import write_sheet

BUDGET = "budget"
"""What a modal for a budget asks for, in its id."""
MOST_PREFILLED = 1_000
"""Characters of a budget that a phone shows well."""
HELP = "One line for each thing. Good lines are taken; each other says what is wrong."


async def turn_economy(interaction: Interaction, data: EconomyCardData, argument: str) -> None:
    """A page of the economy, or all of it as a file."""
    kind, _, page = argument.partition(".")
    if kind == "file":
        file = Attachment("economy.txt", economy_text(data).encode())
        await reply(interaction, Message("All of it is in `economy.txt`.", files=(file,)))
        return
    if kind != "page":
        raise forged()
    message = message_of(economy_card(data, number_in(page)))
    await (update_message if is_callers_own(interaction) else reply)(interaction, message)


async def open_budget(interaction: Interaction, prompt: OpenPrompt) -> None:
    """A box to write the budget in, with what the sheet says of it now."""
    keys = prompt.ask.budget
    if not keys:
        raise NoBudget
    form = Form(lines=tuple(line for line in prompt.form.lines if line.key in keys))
    draft = {key: line for key, line in prompt.draft.items() if key in keys}
    text = write_sheet(form, draft, notes=False)
    if len(text) > MOST_PREFILLED:
        usual = {key: line for key, line in prompt.form.prefilled().items() if key in keys}
        text = said_between(prompt.ask, usual, draft)
    await open_modal(
        interaction,
        text_modal(
            modal_id(prompt.token, BUDGET),
            title=f"Budget: {prompt.ask.title}"[:45],
            label="Your budget",
            text=text if len(text) <= MOST_INPUT else "",
            help_text=HELP,
        ),
    )
