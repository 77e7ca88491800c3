"""Presses on the buttons of a battle's tracker: a wish, or one taken back; and having the account filled in."""

from bot.battles.tracking import NOT_HERE, TrackedStanding
from bot.cards.tracking import ASK_DROP, FILL, NAMES, SHOW, TAKEN_BACK, battle_name, drop_card
from bot.delivery.compose import message_of
from bot.delivery.exit import defer, reply, update_message
from bot.errors import Sorry
from bot.interactions.showing import Interaction, forged, is_callers_own, show

WISHES = {name: wish for wish, name in NAMES.items()}


async def press_tracker(interaction: Interaction, campaign_id: str, argument: str) -> None:
    """Carry out what a button says: the battle's mark, a dot, and a letter."""
    mark, dot, letter = argument.partition(".")
    services, user_id = interaction.client.services, interaction.user.id
    if not dot:
        raise forged()
    own = is_callers_own(interaction)
    if letter == FILL:
        await _fill_in(interaction, campaign_id, mark)
        return
    if letter in (SHOW, ASK_DROP):
        standing = await _standing(interaction, campaign_id, mark)
        card = drop_card(campaign_id, battle_name(standing.ask), mark) if letter == ASK_DROP else standing.card
        await (update_message if own else reply)(interaction, message_of(card))
        return
    wish = WISHES.get(letter.removesuffix(TAKEN_BACK))
    if wish is None:
        raise forged()
    await defer(interaction, update=own)
    wanted = not letter.endswith(TAKEN_BACK)
    tracking = services.orders.tracking
    standing = await tracking.wish(campaign_id, user_id, mark, wish, wanted=wanted, interaction_id=interaction.id)
    await (update_message if own else reply)(interaction, message_of(standing.card))


async def _standing(interaction: Interaction, campaign_id: str, mark: str) -> TrackedStanding:
    """How the tracker of a battle of the caller's stands. Raises Sorry when it is over, or another's."""
    battles = await interaction.client.services.orders.tracking.standing(campaign_id, interaction.user.id)
    for one in battles:
        if one.mark == mark:
            return one
    raise Sorry(NOT_HERE, code="no-battle")


async def _fill_in(interaction: Interaction, campaign_id: str, mark: str) -> None:
    """Put what the tracker has counted into the account of the caller's side; nothing is sent by it."""
    services, user_id = interaction.client.services, interaction.user.id
    standing = await _standing(interaction, campaign_id, mark)
    prompts = await services.orders.prompts.open_prompts(campaign_id, user_id)
    prompt = next((one for one in prompts if one.ask.id == standing.ask.id), None)
    if prompt is None or not standing.filled_in:
        raise forged()
    filled = await services.orders.filling.fill(
        prompt.token, user_id, standing.filled_in, interaction_id=interaction.id
    )
    await show(interaction, filled)
