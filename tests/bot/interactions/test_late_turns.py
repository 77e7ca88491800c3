"""Whatever somebody asks for while an earlier command of theirs takes long: time is won for it by a first answer, and
then it is carried out all the same, and answered by what follows."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.delivery import exit as the_exit
from bot.delivery.prepared import Message
from bot.store.tables import BulletinRow, LetterRow, PromptRow
from tests import slow_turns
from tests.bot.campaigns.test_permissions import COMMANDS, REFEREE, options_for
from tests.bot.interactions.test_bulletins_and_names import answered
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.secrecy.curious import CHANGES, LOOKS, PLAYS

DEFECTS = {"incident", "answer not taken"}

ARGUMENTS = {
    "ready": "1", "line": "0", "edit": "0.0", "go": "0.0", "set": "0.0", "reset": "", "keep": "", "rewind": "1.1",
    "brief": "rules", "desk": "log", "resolve": "none", "edit-correction": "none", "forces": "0",
}  # fmt: skip
"""What ids of some verbs say; of the others, ``0``."""
VALUES: dict[str, list[str]] = {"line": ["0.0"], "force": ["none"], "pact": ["none"], "offer-menu": ["blue"]}
"""What is chosen in menus."""


async def carried_out(here: SimulatedServer, *, is_late: bool, patch: pytest.MonkeyPatch) -> list[str]:
    """Give every command and press every button; gives the kinds of entries that the journal has afterwards."""
    campaign = await here.begin()
    if is_late:
        slow_turns.begin(patch.setattr)
    with capture_logs() as logs:
        await every_press(here, campaign)
        for command, (allowed, *_) in COMMANDS.items():
            who = here.people[REFEREE if REFEREE in allowed else "ann"]
            result = await here.slash(who, command, **options_for(here, command, campaign))
            assert said(result) or (result.modal is not None and not is_late), command
    assert [one for one in logs if one["event"] in DEFECTS] == []
    return await here.journal()


async def every_press(here: SimulatedServer, campaign: str) -> None:
    """Press what every verb of a component stands for, and send back forms."""
    (sheet,) = await here.rows(PromptRow.token, PromptRow.side == "red", PromptRow.kind == "orders")
    await here.slash(here.ann, "offer", to="blue", terms="Peace.", campaign=campaign)
    (letter,) = await here.rows(LetterRow.token)
    card = here.prompt(here.ann, "Orders for turn 1")
    keys = {"p": sheet, "c": campaign, "l": letter}
    for kinds in (LOOKS, CHANGES, PLAYS):
        for letters, verbs in kinds.items():
            for verb in sorted(verbs) if letters in keys else ():
                custom_id = f"{letters}|{keys[letters]}|{verb}|{ARGUMENTS.get(verb, '0')}"
                for who in (here.rita, here.ann) if letters == "c" else (here.ann,):
                    place = card if who is here.ann else (await here.channel("public")).history()[0]
                    await here.forge(who.user if who is here.ann else who, place, custom_id, VALUES.get(verb))
    for what, values in (("text", {"text": "fleet: number 4"}), ("0.0", {"f0": "5"})):
        await here.forge_modal(here.ann.user, card, f"m|{sheet}|{what}|aa", **values)
    for command in sorted(LOOKS["w"]):
        await here.forge(here.ann.user, card, f"w|{command}||")
    echo = await answered(here, here.ann, "fleet: number 6")
    for label in ("Save", "Ready"):
        await here.ann.user.click(echo, label=label)
    for token in await here.rows(BulletinRow.token):
        for verb in sorted(LOOKS["b"]):
            await here.forge(here.ann.user, card, f"b|{token}|{verb}|0")


async def test_every_command_and_press_is_carried_out_when_time_was_won_before(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = await carried_out(here, is_late=True, patch=monkeypatch)
    assert {"answered", "readied", "remarked"} <= {*late}, "they do something"


async def test_the_same_is_carried_out_when_turns_come_at_once(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch):
    at_once = await carried_out(here, is_late=False, patch=monkeypatch)
    assert {"answered", "readied", "remarked"} <= {*at_once}


@pytest.mark.parametrize("command", ["referee extend", "orders ready", "campaign start", "referee export"])
async def test_a_command_is_carried_out_when_time_was_won_before(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    campaign = await here.begin()
    slow_turns.begin(monkeypatch.setattr)
    before = await here.running_until()
    who = here.rita if REFEREE in COMMANDS[command][0] else here.ann
    with capture_logs() as logs:
        told = said(await here.slash(who, command, **options_for(here, command, campaign)))
    assert told
    assert "went wrong" not in told
    assert [one for one in logs if one["event"] in DEFECTS] == []
    assert (await here.running_until() != before) == (command == "referee extend")


async def test_who_asks_for_a_form_too_late_is_told_how_to_get_it(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await here.begin()
    slow_turns.begin(monkeypatch.setattr)
    typed = await here.slash(here.ann, "letter", to="blue", campaign=campaign)
    assert "Give the command once more" in said(typed)
    card = here.prompt(here.ann, "Orders for turn 1")
    pressed = await here.ann.user.click(card, label="Write them")
    assert "Press once more" in said(pressed)


# --- two first answers at the same moment -----------------------------------------------------------------------------
class Callback:
    """Where Discord takes answers to one interaction: the first, once a test lets it through."""

    def __init__(self) -> None:
        self.through = asyncio.Event()
        self.taken: list[str] = []
        self.refuses: list[Exception] = []

    async def _take(self, name: str) -> None:
        await self.through.wait()
        if self.refuses:
            raise self.refuses.pop(0)
        self.taken.append(name)

    async def defer(self, **_: Any) -> None:
        await self._take("wait")

    async def send_message(self, **options: Any) -> None:
        await self._take(options["content"])

    async def send(self, **options: Any) -> None:
        await self._take(f"followed by {options['content']}")


def answered_by(callback: Callback) -> Any:
    """An interaction that is answered there."""
    return SimpleNamespace(
        response=callback, followup=callback, extras={}, client=SimpleNamespace(), message=None,
        type=discord.InteractionType.application_command,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "taken"), [("wait", ["wait", "followed by Done."]), ("reply", ["Done."])], ids=["wait", "reply"]
)
async def test_an_answer_is_not_lost_when_time_is_won_at_the_same_moment(first: str, taken: list[str]) -> None:
    callback = Callback()
    interaction = answered_by(callback)
    work = {"wait": the_exit.defer(interaction), "reply": the_exit.reply(interaction, Message("Done."))}
    tasks = [asyncio.create_task(work.pop(first)), asyncio.create_task(work.popitem()[1])]
    await asyncio.sleep(0)
    callback.through.set()
    await asyncio.gather(*tasks)
    assert callback.taken == taken


async def test_a_command_goes_on_when_discord_has_its_first_answer_already() -> None:
    """discord.py sends the same answer again after an error of Discord's, behind which it may have been taken."""
    callback = Callback()
    callback.through.set()
    told: Any = SimpleNamespace(status=400, reason="Bad Request")
    callback.refuses.append(discord.HTTPException(told, {"code": 40060, "message": "already acknowledged"}))
    interaction = answered_by(callback)
    await the_exit.defer(interaction)
    await the_exit.reply(interaction, Message("Done."))
    assert callback.taken == ["followed by Done."]
