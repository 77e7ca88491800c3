"""Cards of open prompts whose messages are gone, given again."""

from bot.records.components import Card
from bot.records.effects import Post
from bot.records.places import side_place
from bot.records.prompts import PromptCopy
from bot.store.transaction import Transaction


async def give_again(tx: Transaction, campaign_id: str, token: str, copy: PromptCopy, card: Card | None) -> list[Post]:
    """The post that puts a prompt's ``card`` before its reader again, in the place of the ``copy`` that is gone; none
    for a prompt that has closed, for a card that is still to be posted, and for one that is not known any more, which
    ``/orders show`` gives."""
    await tx.prompts.forget_copy(token, copy.message_id)
    side = await tx.prompts.side_of_open(token)
    if card is None or side is None or await tx.outbox.is_to_be_given(campaign_id, token, copy.user_id):
        return []
    again = Post(place=side_place(side), content=card.content, card=card, prompt=token)
    if not copy.user_id:
        return [again]
    aside = bool(await tx.readers.in_channel([copy.user_id]))
    to = {"place": None, "dm": copy.user_id, "fallback": side_place(side), "in_channel": aside}
    return [again.model_copy(update=to)]
