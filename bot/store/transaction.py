"""One open transaction: the repositories of everything that is kept, on one connection."""

from functools import cached_property

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.repositories.battles import Battles
from bot.store.repositories.bulletins import Bulletins
from bot.store.repositories.campaigns import Campaigns
from bot.store.repositories.captains import Captains
from bot.store.repositories.deadlines import Deadlines
from bot.store.repositories.installation import Installation
from bot.store.repositories.journal import Journal
from bot.store.repositories.letters.drafts import LetterDrafts
from bot.store.repositories.letters.letters import Letters
from bot.store.repositories.members import Members
from bot.store.repositories.outbox import Outbox
from bot.store.repositories.places import Places
from bot.store.repositories.prompts import Prompts, Steps
from bot.store.repositories.proposals import Proposals
from bot.store.repositories.readers import Readers
from bot.store.repositories.returned import ReturnedTexts
from bot.store.repositories.typed import TypedTexts


class Transaction:
    """What code that reads or writes is given. Statements themselves are written in the repositories alone."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection

    @cached_property
    def campaigns(self) -> Campaigns:
        """What each campaign is."""
        return Campaigns(self.connection)

    @cached_property
    def members(self) -> Members:
        """Who belongs to them."""
        return Members(self.connection)

    @cached_property
    def readers(self) -> Readers:
        """How people want to read."""
        return Readers(self.connection)

    @cached_property
    def captains(self) -> Captains:
        """Which ships their captains have."""
        return Captains(self.connection)

    @cached_property
    def proposals(self) -> Proposals:
        """Changes that wait for their consent."""
        return Proposals(self.connection)

    @cached_property
    def places(self) -> Places:
        """Where they are on Discord."""
        return Places(self.connection)

    @cached_property
    def battles(self) -> Battles:
        """Which of their battles are open."""
        return Battles(self.connection)

    @cached_property
    def prompts(self) -> Prompts:
        """The sheets that are put to their sides."""
        return Prompts(self.connection)

    @cached_property
    def steps(self) -> Steps:
        """Which changes of them can be taken back."""
        return Steps(self.connection)

    @cached_property
    def returned(self) -> ReturnedTexts:
        """What was written for them and not accepted."""
        return ReturnedTexts(self.connection)

    @cached_property
    def typed(self) -> TypedTexts:
        """What was written for them in direct messages."""
        return TypedTexts(self.connection)

    @cached_property
    def deadlines(self) -> Deadlines:
        """When these close."""
        return Deadlines(self.connection)

    @cached_property
    def journal(self) -> Journal:
        """What happened."""
        return Journal(self.connection)

    @cached_property
    def bulletins(self) -> Bulletins:
        """Which bulletins were posted."""
        return Bulletins(self.connection)

    @cached_property
    def letters(self) -> Letters:
        """What sides have written to each other."""
        return Letters(self.connection)

    @cached_property
    def letter_drafts(self) -> LetterDrafts:
        """What they have prepared and not sent."""
        return LetterDrafts(self.connection)

    @cached_property
    def outbox(self) -> Outbox:
        """What is still to be done on Discord."""
        return Outbox(self.connection)

    @cached_property
    def installation(self) -> Installation:
        """What the bot remembers of itself."""
        return Installation(self.connection)
