"""Orders that were written as a plain message: read for every open sheet of their writer, and saved by nothing here.

What somebody wrote is kept with the answer to it, in one transaction; the message's own id sees to it that a message
that is delivered twice is answered once.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale, explained
from bot.orders.attempts import check_captains, places_of
from bot.orders.budgets import as_it_fits, taken_of
from bot.orders.fill import LARGEST_ORDERS
from bot.orders.find_prompt import FoundPrompt, PromptFinder
from bot.orders.open_prompt import OpenPrompt
from bot.recording.commit import mark_seen
from bot.recording.drafts import as_sent, complete, whole, with_values
from bot.records.effects import Post
from bot.records.prompts import TypedText
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.form_names import has_own_notation
from rules_engine.core.forms.forms import Form, Sheet
from rules_engine.core.forms.naming import exact_names_in, names_in
from rules_engine.core.forms.order_rows import is_about, read_rows
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.protocol.asks import AnyAsk

_OF_ANOTHER = re.compile(r"\s*[A-Za-z]{1,4}\d{1,3}[a-z]?\s*:")
"""The beginning of an order for a unit by its code, such as ``F2:``."""

MOST_SHEETS = 40
"""Open sheets of one campaign for which a text is read."""


@dataclass(frozen=True)
class Understood:
    """What a text says to one open sheet, if it were saved now.

    ``says`` are the lines of the sheet that would read otherwise, ``warnings`` what its writer may regret of them.
    ``is_read``: every word of it has a meaning on this sheet; ``problems`` say what is wrong all the same, or which
    word has none. ``names`` counts the lines of the sheet that it names.
    """

    prompt: OpenPrompt
    says: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    is_read: bool = False
    is_unfinished: bool = False
    """Whether it may be saved though it is not whole yet: an account of a battle."""
    names: int = 0
    is_named: bool = False
    """Whether it names a line of the sheet as it is called, and not nearly so."""
    left_out: str = ""
    """The lines of a budget that cannot be saved, as they were written; ``problems`` say why, and the rest may be."""

    @property
    def may_be_saved(self) -> bool:
        """Whether it is offered to be saved."""
        return self.is_read and (self.is_unfinished or not self.problems or bool(self.left_out))


@dataclass(frozen=True)
class Heard:
    """A message that somebody wrote to the bot. ``is_last``: all that they wrote before it was read as well."""

    user_id: int
    channel_id: int
    message_id: int
    is_last: bool = True


class TypedOrdersReader:
    """Reads what people write, and keeps it until they save it."""

    def __init__(self, runtime: Runtime, finder: PromptFinder) -> None:
        self._runtime = runtime
        self._finder = finder

    async def for_campaign(self, campaign_id: str, user_id: int, text: str) -> list[Understood]:
        """What a text says to each open sheet of a user's side, in the order in which they were opened."""
        _check_length(text)
        async with self._finder.held(campaign_id, user_id) as (adjudicator, found):
            return await asyncio.to_thread(lambda: [_understood(adjudicator, one, text) for one in found[:MOST_SHEETS]])

    async def for_prompt(self, token: str, user_id: int, text: str) -> Understood:
        """What a text says to one sheet.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        _check_length(text)
        found = await self._finder.found(token, user_id, "write")
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            return await asyncio.to_thread(_understood, adjudicator, found, text)

    async def chosen(self, user_id: int) -> str:
        """The campaign that somebody's texts are for if they fit sheets of several; empty while it is asked each
        time."""
        async with self._runtime.store.read() as tx:
            return await tx.readers.typed_for(user_id)

    async def choose(self, user_id: int, campaign_id: str, interaction_id: int | None = None) -> None:
        """Have them be for this campaign from now on; empty: have it asked each time again."""
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.readers.set_typed_for(user_id, campaign_id)

    async def answering(self, message_id: int | None, user_id: int) -> str | None:
        """The token of the sheet whose card a message answers, by the id of the card's message."""
        if message_id is None:
            return None
        async with self._runtime.store.read() as tx:
            return await tx.prompts.standing_in(message_id, user_id)

    async def kept(self, message_id: int, user_id: int) -> TypedText:
        """What a user wrote in a message.

        Raises:
            Stale: when it is not kept any more.
        """
        async with self._runtime.store.read() as tx:
            found = await tx.typed.find(message_id, user_id)
        if found is None:
            raise Stale("These orders are kept no more: their sheet has closed, or you wrote many others since.")
        return found

    async def keep(self, user_id: int, typed: TypedText, interaction_id: int | None) -> None:
        """Keep it otherwise than it was: changed, or meant for another sheet."""
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.typed.keep(user_id, typed)

    async def is_saved(self, message_id: int) -> None:
        """Note that it stands on its sheet."""
        async with self._runtime.store.write() as tx:
            await tx.typed.is_saved(message_id)

    async def is_heard(self, heard: Heard) -> None:
        """Note that a message was read, which was answered at once or needs no answer."""
        if heard.is_last:
            async with self._runtime.store.write("typed") as tx:
                await tx.typed.is_heard(heard.user_id, heard.channel_id, heard.message_id)

    async def answer(
        self, campaign_id: str, heard: Heard, posts: Sequence[Post], typed: TypedText | None = None
    ) -> None:
        """Answer the message that was ``heard``, and keep what was ``typed`` in it, once.

        Raises:
            Sorry: when this very message was answered already.
        """
        user_id = heard.user_id
        async with self._runtime.store.write("typed") as tx:
            await mark_seen(self._runtime, tx, heard.message_id)
            if heard.is_last:
                await tx.typed.is_heard(user_id, heard.channel_id, heard.message_id)
            if typed is not None:
                await tx.typed.keep(user_id, typed)
            await tx.outbox.put(campaign_id, *posts, now=self._runtime.now())


def _check_length(text: str) -> None:
    if len(text) > LARGEST_ORDERS:
        raise Sorry(f"Orders have at most {LARGEST_ORDERS:,} characters; this has {len(text):,}.", code="too-long")


def _understood(adjudicator: AnyAdjudicator, found: FoundPrompt, text: str) -> Understood:
    """Blocking: a long text takes a while to be read and judged."""
    form = found.ask(adjudicator).form
    is_named = exact_names_in(form, text) > 0  # looked at first: a sheet of one ship would take any words for a plot
    read = replace(_read(adjudicator, found, text), is_named=is_named)
    if read.may_be_saved or is_named or not _takes_anything(form, text):
        return read
    return replace(read, is_read=False)


def _takes_anything(form: Form, text: str) -> bool:
    """Whether a sheet of one line, whose notation any words are read in, takes a text that is no order for it: one
    without a number, or one that begins with the code of another unit."""
    if len(form.lines) != 1 or not has_own_notation(form.lines[0]):
        return False
    return not any(letter.isdigit() for letter in text) or _OF_ANOTHER.match(text) is not None


def _read(adjudicator: AnyAdjudicator, found: FoundPrompt, text: str) -> Understood:
    ask, opened = found.ask(adjudicator), found.opened(adjudicator)
    names = names_in(ask.form, text)
    try:
        stands = found.draft or as_sent(ask, adjudicator.saved(found.side, ask.id))
        values = read_sheet(ask.form, text, ask.refusals_of, lambda: places_of(adjudicator, found.side), stands)
    except Refused as refused:
        budget = _budget(adjudicator, found, opened, text)
        return budget or Understood(opened, problems=tuple(explained(refused.refusals, ask.form)), names=names)
    if not any(values.values()):
        return Understood(opened, names=names)
    team = None if ask.pace == "battle" else found.team(adjudicator)
    why: Refused | None = None
    saved = adjudicator.saved(found.side, ask.id)
    for draft in (found.draft, as_sent(ask, saved)):  # of which the first may be legal no longer, after a correction
        sheet = with_values(ask, draft, values)
        try:
            if team is not None:
                check_captains(team, found.user_id, whole(ask, draft), whole(ask, sheet))
            answer = adjudicator.try_answer(found.side, ask.id, complete(ask, sheet))
        except Refused as refused:
            why = why or refused
            continue
        says = _news(ask, saved, answer) or (_spelled(ask.form, values) if answer != saved else ())
        warnings = tuple(ask.warn(answer)) if says else ()
        return Understood(opened, says, warnings, is_read=True, names=names)
    if budget := _budget(adjudicator, found, opened, text):
        return budget
    problems = tuple(explained(why.refusals, ask.form)) if why is not None else ()
    unfinished = ask.pace == "battle"
    says = _spelled(ask.form, values) if unfinished else ()
    return Understood(opened, says, problems=problems, is_read=True, is_unfinished=unfinished, names=names)


def _budget(adjudicator: AnyAdjudicator, found: FoundPrompt, opened: OpenPrompt, text: str) -> Understood | None:
    """What a text says that is about a budget alone, and of which not all can be saved; None of any other."""
    ask = found.ask(adjudicator)
    if not ask.budget:
        return None
    rows = read_rows(ask.form, text, ask.refusals_of, lambda: places_of(adjudicator, found.side))
    if not is_about(ask.form, rows, ask.budget):
        return None
    found = as_it_fits(adjudicator, ask, found)
    taken = taken_of(adjudicator, ask, found, rows)
    if not any(taken.sheet.values()):
        return None
    answer = adjudicator.try_answer(found.side, ask.id, complete(ask, with_values(ask, found.draft, taken.sheet)))
    says = _news(ask, adjudicator.saved(found.side, ask.id), answer) or _spelled(ask.form, taken.sheet)
    return Understood(
        opened,
        says,
        tuple(ask.warn(answer)),
        tuple(explained(taken.refusals, ask.form)),
        is_read=True,
        names=names_in(ask.form, text),
        left_out=taken.left,
    )


def _news(ask: AnyAsk, saved: object, answer: object) -> tuple[str, ...]:
    """What is read back of an answer otherwise than of what stands now."""
    stands = ask.default if saved is None else saved
    before = frozenset[str]() if stands is None else frozenset(ask.read_back(stands))
    return tuple(line for line in ask.read_back(answer) if line not in before)


def _spelled(form: Form, values: Sheet) -> tuple[str, ...]:
    """Values in the words in which they may be typed."""
    return tuple(filter(None, write_sheet(form, values, notes=False, clears=True).splitlines()))
