"""What happens when somebody presses a prompt's button, chooses a line, or sends its form back.

An id is a forgeable hint: every number in it is checked, and rights, campaign and ask are looked up again each time.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from string import hexdigits
from typing import Any

from bot.cards.cards import page_of, start_over_card
from bot.cards.form_values import read_fields
from bot.cards.menus import FIND, PAGE
from bot.cards.prompts.lines import answers_of
from bot.cards.prompts.standing import MOST_WRITTEN
from bot.delivery.compose import message_of
from bot.delivery.exit import open_modal, reply, update_message
from bot.delivery.prepared import Message
from bot.errors import Sorry, Stale
from bot.interactions.giving_back import as_file
from bot.interactions.modals import (
    MOST_INPUT,
    MOST_SEARCH,
    TEXT_FIELD,
    fields_modal,
    fields_of_part,
    find_modal,
    line_modal,
    modal_id,
    submitted_values,
    text_modal,
)
from bot.interactions.overviews.economy_presses import BUDGET, open_budget
from bot.interactions.overviews.plots_presses import next_hex, show_plots
from bot.interactions.showing import Interaction, forged, is_callers_own, send_sheet, show, show_orders
from bot.orders.account_attempts import short_line, short_mark
from bot.orders.attempts import Reading
from bot.orders.open_prompt import Answer, OpenPrompt
from bot.records.prompts import Returned
from bot.services import OrdersServices
from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.protocol.asks import AnyAsk

TEXT = "text"
"""What a modal for typed orders asks for, in its id."""

SHORT = "short"
"""What a page of an account's short form asks for, in the modal's id."""

SEARCH = "find"
"""What a modal for lines to be found asks for, in its id."""

MOST_PREFILLED = 1_000
"""Characters of a sheet that a phone shows well: a longer one is not laid out whole to be typed over."""


class PromptPresses:
    """Prompts' components and forms."""

    def __init__(self, orders: OrdersServices) -> None:
        self._orders = orders

    # --- components ----------------------------------------------------------------------------------------------

    async def pressed(
        self, interaction: Interaction, token: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu of a prompt."""
        async with self._message_left(interaction, token):
            await self._pressed(interaction, token, verb, argument, values)

    async def _pressed(
        self, interaction: Interaction, token: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        user_id = interaction.user.id
        match verb:
            case "line":
                await self._line(interaction, token, values)
            case "edit":
                await self._line(interaction, token, [argument])
            case "set":
                await self._set(interaction, token, argument)
            case "offer":
                await self._offer(interaction, token, argument)
            case "orders":
                prompt = await self._orders.prompts.prompt(token, user_id, "review")
                await show_orders(interaction, prompt, _number(argument, 1_000))
            case "card":
                await self._show(interaction, await self._orders.prompts.prompt(token, user_id, "review"))
            case "pick":
                await self._pick(interaction, token, argument)
            case "ready":
                if argument not in {"0", "1"}:
                    raise forged()
                ready = await self._orders.readiness.say(
                    token,
                    user_id,
                    is_ready=argument == "1",
                    message_id=_message_id(interaction),
                    interaction_id=interaction.id,
                )
                await self._show(interaction, ready)
            case "accept" | "agree" | "make" | "stand" | "referee":
                await self._show(interaction, await self._account(interaction, token, verb, argument))
            case "short":
                await self._short(interaction, token, argument)
            case "page":
                prompt = await self._orders.prompts.prompt(token, user_id)
                await self._show(interaction, prompt, page=_number(argument, 1_000))
            case "undo":
                undone = await self._orders.filling.take_back(
                    token,
                    user_id,
                    _mark(argument),
                    message_id=_message_id(interaction),
                    interaction_id=interaction.id,
                )
                await self._show(interaction, undone)
            case "reset":
                await self._start_over(interaction, token, argument)
            case "keep":
                await self._orders.prompts.found(token, user_id, "fill")
                kept = Message("Nothing was changed; your sheet stands as it was.")
                await (update_message if is_callers_own(interaction) else reply)(interaction, kept)
            case "text":
                prompt = await self._orders.prompts.prompt(token, user_id, "write")
                await open_text(interaction, prompt, await self._orders.prompts.returned(token, user_id))
            case "budget" | "plots" | "go":
                await self._overview(interaction, token, verb, argument, values)
            case "sheet":
                await send_sheet(interaction, await self._orders.prompts.prompt(token, user_id, "review"))
            case _:
                raise forged()

    async def _account(self, interaction: Interaction, token: str, verb: str, argument: str) -> Answer:
        """What a button of an account does; its argument is the mark of what it was made from."""
        accounts, user_id, message_id = self._orders.accounts, interaction.user.id, _message_id(interaction)
        match verb:
            case "accept":
                return await accounts.hand_in(token, user_id, interaction_id=interaction.id)
            case "agree":
                return await accounts.agree(token, user_id, argument, interaction_id=interaction.id)
            case "make":
                name, _, mark = argument.rpartition("-")
                return await accounts.take_part(
                    token, user_id, name, mark, message_id=message_id, interaction_id=interaction.id
                )
            case "stand":
                return await accounts.stand_by(token, user_id, argument, message_id=message_id)
            case _:
                return await accounts.ask_referee(token, user_id, argument, message_id=message_id)

    async def _line(self, interaction: Interaction, token: str, values: Sequence[str]) -> None:
        if len(values) != 1:
            raise forged()
        prompt = await self._orders.prompts.prompt(token, interaction.user.id)
        first, _, second = values[0].partition(".")
        if values[0] == FIND:
            await open_modal(interaction, find_modal(modal_id(token, SEARCH), title=prompt.ask.title))
            return
        if first == PAGE:
            await self._show(interaction, prompt, page=_number(second, 1_000))
            return
        index, part, line = _part(prompt.form, first, second)
        returned = await self._orders.prompts.returned(token, interaction.user.id)
        filled = {**prompt.draft.get(line.key, {}), **returned.lines.get(line.key, {})}
        await open_modal(interaction, line_modal(token, index, part, line, filled))

    async def _short(self, interaction: Interaction, token: str, argument: str) -> None:
        """A page of an account's short form."""
        number = _number(argument, 100)
        prompt = await self._orders.prompts.prompt(token, interaction.user.id)
        line = short_line(prompt.ask, prompt.draft, number)
        await open_modal(interaction, fields_modal(modal_id(token, f"{SHORT}.{number}.{short_mark(line)}"), line))

    async def _start_over(self, interaction: Interaction, token: str, mark: str) -> None:
        """Ask first; the button of the question carries the ``mark`` of what it would throw away."""
        user_id = interaction.user.id
        if mark:
            reset = await self._orders.filling.reset(token, user_id, mark, interaction_id=interaction.id)
            await self._show(interaction, reset)
            return
        prompt = await self._orders.prompts.prompt(token, user_id)
        changes = prompt.changes()
        has_returned = bool(await self._orders.prompts.returned(token, user_id))
        if not changes and not has_returned:
            await reply(
                interaction, Message("This sheet is as it was filled in to begin with: there is nothing to throw away.")
            )
            return
        card = start_over_card(token, prompt.ask.title, changes, prompt.mark, has_returned=has_returned)
        await reply(interaction, message_of(card))

    async def _pick(self, interaction: Interaction, token: str, argument: str) -> None:
        def read(form: Form) -> Reading:
            line = form.lines[0] if len(form.lines) == 1 else None
            if line is None or len(line.fields) != 1:
                raise forged()
            field = line.fields[0]
            choice = field.choices[_number(argument, len(field.choices))]
            return Reading({line.key: {field.key: choice.value}})

        await self._show(interaction, await self._put_in(interaction, token, read))

    async def _set(self, interaction: Interaction, token: str, argument: str) -> None:
        """One of the two answers to a line's only question."""
        first, _, second = argument.partition(".")

        def read(form: Form) -> Reading:
            line = form.lines[_number(first, len(form.lines))]
            answers = answers_of(line.fields[0]) if len(line.fields) == 1 else ()
            value = answers[_number(second, len(answers))][0]
            return Reading({line.key: {line.fields[0].key: value}})

        await self._show(interaction, await self._put_in(interaction, token, read))

    async def _overview(
        self, interaction: Interaction, token: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu of a card that shows all of a kind; the next hex of a line, whose card is shown again."""
        if verb == "budget":
            await open_budget(interaction, await self._orders.prompts.prompt(token, interaction.user.id, "write"))
            return
        if verb == "plots":
            prompt = await self._orders.prompts.prompt(token, interaction.user.id, "review")
            await show_plots(interaction, prompt, _number(argument, 1_000))
            return
        index, _, page = argument.partition(".")

        def read(form: Form) -> Reading:
            return next_hex(form, _number(index, len(form.lines)), values)

        answer = await self._put_in(interaction, token, read)
        if isinstance(answer, OpenPrompt) and not answer.stuck_or_refused:
            await show_plots(interaction, answer, _number(page, 1_000))
        else:
            await self._show(interaction, answer)

    async def _offer(self, interaction: Interaction, token: str, argument: str) -> None:
        """One of the usual answers."""

        def read(ask: AnyAsk) -> Reading:
            offers = ask.asks_for.offers
            return Reading(offers[_number(argument, len(offers))].values)

        answer = await self._orders.filling.put_in(
            token, interaction.user.id, read, message_id=_message_id(interaction), interaction_id=interaction.id
        )
        await self._show(interaction, answer)

    async def _put_in(self, interaction: Interaction, token: str, read: Callable[[Form], Reading]) -> Answer:
        return await self._orders.filling.put_in(
            token,
            interaction.user.id,
            lambda ask: read(ask.form),
            message_id=_message_id(interaction),
            interaction_id=interaction.id,
        )

    # --- forms ---------------------------------------------------------------------------------------------------

    async def submitted(self, interaction: Interaction, token: str, what: str, data: Mapping[str, Any]) -> None:
        """A form that was sent back."""
        async with self._message_left(interaction, token):
            await self._submitted(interaction, token, what, submitted_values(data))

    @asynccontextmanager
    async def _message_left(self, interaction: Interaction, token: str) -> AsyncGenerator[None]:
        """A message in which the prompt was posted says how it closed, or does so as soon as the outbox comes to it:
        who presses there too late, or once more for want of an answer, is told beside it and loses nothing of that."""
        try:
            yield
        except Stale as stale:
            message = interaction.message
            if message is None or not await self._orders.prompts.is_copy(token, message.id):
                raise
            raise Sorry(stale.text, code=stale.code) from None

    async def _submitted(self, interaction: Interaction, token: str, what: str, values: Mapping[str, Any]) -> None:
        if what == TEXT:
            await self._typed(interaction, token, values)
        elif what == BUDGET:
            await self._typed(interaction, token, values, is_budget=True)
        elif what == SEARCH:
            await self._looked_for(interaction, token, values)
        elif what.startswith(f"{SHORT}."):
            await self._short_filled_in(interaction, token, what, values)
        else:
            await self._filled_in(interaction, token, what, values)

    async def _typed(
        self, interaction: Interaction, token: str, values: Mapping[str, Any], *, is_budget: bool = False
    ) -> None:
        """Typed orders, or a budget, whose lines are taken one by one."""
        text = values.get(TEXT_FIELD)
        if not isinstance(text, str):
            raise forged()
        filling = self._orders.filling
        write = filling.write_budget if is_budget else filling.write
        answer = await write(
            token, interaction.user.id, text, message_id=_message_id(interaction), interaction_id=interaction.id
        )
        if isinstance(answer, OpenPrompt) and answer.refused_last and not answer.state.rest_saved:
            answer = answer.with_written(text)
        await self._show(interaction, answer)
        if isinstance(answer, OpenPrompt) and len(answer.state.written.strip()) > MOST_WRITTEN:
            await reply(interaction, as_file(text))

    async def _short_filled_in(
        self, interaction: Interaction, token: str, what: str, values: Mapping[str, Any]
    ) -> None:
        """A page of an account's short form."""
        _, number, mark = (*what.split("."), "", "")[:3]
        answer = await self._orders.accounts.fill_short(
            token,
            interaction.user.id,
            _number(number, 100),
            mark,
            values,
            message_id=_message_id(interaction),
            interaction_id=interaction.id,
        )
        await self._show(interaction, answer)

    async def _looked_for(self, interaction: Interaction, token: str, values: Mapping[str, Any]) -> None:
        """Words that the names of lines should hold."""
        words = values.get(TEXT_FIELD)
        if not isinstance(words, str) or len(words) > MOST_SEARCH:
            raise forged()
        prompt = await self._orders.prompts.prompt(token, interaction.user.id)
        await self._show(interaction, prompt, find=words.strip())

    async def _filled_in(self, interaction: Interaction, token: str, what: str, values: Mapping[str, Any]) -> None:
        """The form of (a part of) one line."""
        first, _, second = what.partition(".")
        sent: list[str] = []

        def read(form: Form) -> Reading:
            line = _part(form, first, second)[2]
            fields = fields_of_part(line, int(second))
            filled, defects = read_fields(line.label, fields, values)
            sent[:] = [written(fields, values)]
            typed = {field.key: values[name] for name, field in _named(fields) if isinstance(values.get(name), str)}
            return Reading({line.key: filled}, defects, {line.key: {**typed, **filled}})

        answer = await self._put_in(interaction, token, read)
        if not isinstance(answer, OpenPrompt):
            await self._show(interaction, answer)
            return
        if answer.refused_last:
            answer = answer.with_written("".join(sent), lines=True)
        await self._show(interaction, answer, page=page_of(answer.state, int(first), int(second)))
        if len(answer.state.written) > MOST_WRITTEN:
            await reply(interaction, as_file(answer.state.written))

    async def _show(self, interaction: Interaction, answer: Answer, *, page: int = 0, find: str = "") -> None:
        in_channel = interaction.message is not None and not is_callers_own(interaction)
        prompts = self._orders.prompts if in_channel else None
        await show(interaction, answer, prompts=prompts, page=page, find=find)


async def open_text(interaction: Interaction, prompt: OpenPrompt, returned: Returned) -> None:
    """A box to type orders in: with what was written last if that was not accepted, else with what the sheet says now;
    empty where that would not fit."""
    text = prompt.text(notes=False)
    whole = len(text) <= MOST_PREFILLED
    text = text if whole else prompt.changes()
    rest = "What you leave out stays as it is."
    help_text = f"name: field value; field value. {rest}" if whole else f"Only what changes. {rest}"
    if returned.text:
        text, help_text = returned.text, "As you wrote it last; it was not accepted. Empty the box to see the sheet."
    shown = text if len(text) <= MOST_INPUT else ""
    example = "" if shown else await interaction.client.services.orders.prompts.example(prompt)
    await open_modal(
        interaction,
        text_modal(
            modal_id(prompt.token, TEXT),
            title=prompt.ask.title,
            label="Your orders",
            text=shown,
            help_text=help_text,
            example=example,
            may_be_empty=bool(returned.text),
        ),
    )


def written(fields: Sequence[Field], values: Mapping[str, Json]) -> str:
    """What somebody sent in a form, field by field, to be read and copied."""
    said = [(field.label, values.get(name)) for name, field in _named(fields)]
    rows = [
        f"{label}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for label, value in said
        if value not in (None, "", [], False)
    ]
    return "\n".join(rows)


def _named(fields: Sequence[Field]) -> list[tuple[str, Field]]:
    return [(f"f{number}", field) for number, field in enumerate(fields)]


def _part(form: Form, index: str, part: str) -> tuple[int, int, Line]:
    lines = form.lines
    number = _number(index, len(lines))
    which = _number(part, max(1, len(lines[number].fields)))
    if not fields_of_part(lines[number], which):
        raise forged()
    return number, which, lines[number]


def _number(text: str, below: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < below):
        raise forged()
    return int(text)


def _mark(text: str) -> str:
    """What a button says of a change, looked up as it is; older cards give the number alone, which takes back none."""
    number, _, said = text.partition(".")
    _number(number, 100_000)
    if len(said) not in {0, 8} or set(said) - set(hexdigits):
        raise forged()
    return text


def _message_id(interaction: Interaction) -> int | None:
    return interaction.message.id if interaction.message is not None else None
