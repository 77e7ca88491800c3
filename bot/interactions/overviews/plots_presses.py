"""A side's plots by hex: shown, turned, and what is chosen in a menu of next hexes."""

from collections.abc import Sequence

from bot.cards.overviews.plots import plots_card
from bot.delivery.compose import message_of
from bot.delivery.exit import reply, update_message
from bot.errors import Sorry
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.orders.attempts import Reading
from bot.orders.open_prompt import OpenPrompt
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.movers import values_for


async def show_plots(interaction: Interaction, prompt: OpenPrompt, page: int = 0) -> None:
    """A page of the plots of a sheet: in the message that was used if it is the caller's own, else to them alone."""
    card = plots_card(prompt.state, prompt.draft, page)
    if card is None:
        raise Sorry("Nothing on this sheet moves from hex to hex.", code="no-plots")
    message = message_of(card)
    await (update_message if is_callers_own(interaction) else reply)(interaction, message)


def next_hex(form: Form, number: int, values: Sequence[str]) -> Reading:
    """What a choice in a menu puts into the sheet."""
    line = form.lines[number]
    put_in = values_for(line, values[0]) if len(values) == 1 else None
    if put_in is None:
        raise forged()
    return Reading({line.key: put_in})
