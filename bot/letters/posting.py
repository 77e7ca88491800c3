"""The posts of a letter: to everybody who commands the side that gets it, and to the writer's fellow commanders."""

from bot.letters.cards import letter_card
from bot.recording.transaction import Recording
from bot.records.effects import Post
from bot.records.letters.letter import KeptLetter
from bot.records.places import side_place


async def post_letter(recording: Recording, kept: KeptLetter, names: dict[str, str]) -> None:
    """Queue a letter for all who read it. A side that nobody commands gets it in its channel, where it waits."""
    letter = kept.letter
    for side in (letter.receiver, letter.sender):
        readers = [one.user_id for one in await recording.commanders(side) if str(one.user_id) != letter.by]
        title = recording.campaign.title
        card = letter_card(kept, names, reader=side, campaign=title, may_answer=True)
        place = side_place(side)
        posts = [Post(dm=reader, content=card.content, card=card, fallback=place) for reader in readers]
        if not posts and side == letter.receiver:
            posts = [Post(place=place, content=card.content, card=card)]
        await recording.put(*posts)
