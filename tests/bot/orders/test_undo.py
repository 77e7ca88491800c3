"""Taking saved changes of a sheet back, one by one, until it closes."""

from bot.orders.open_prompt import OpenPrompt
from bot.store.repositories.prompts import MOST_STEPS
from bot.store.tables import PromptRow, StepRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable

TURN = "Orders for turn 1"


async def test_changes_are_taken_back_one_by_one_down_to_what_was_filled_in(here: SimulatedServer) -> None:
    await here.begin()
    assert "Undo" not in labels(here)
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    await here.fill(here.ann, TURN, "0.0", f0="5", f1=["bold"])
    assert "**Undo** takes back: `fleet: number 5`" in here.prompt(here.ann, TURN).content
    await here.press(here.ann, TURN, "Undo")
    card = here.prompt(here.ann, TURN).content
    assert "number 7, bold" in card
    assert "↩️ Taken back: `fleet: number 5`" in card
    assert "**Undo** takes back: `fleet: number 7; stance bold`" in card
    await here.press(here.ann, TURN, "Undo")
    assert "number 1, careful" in here.prompt(here.ann, TURN).content
    assert "Undo" not in labels(here), "nothing is left to be taken back"
    assert await here.journal() == ["genesis", "seated", *["answered"] * 4], "what was taken back is journalled, too"


async def test_the_same_button_pressed_twice_takes_one_change_back(here: SimulatedServer) -> None:
    await here.begin()
    for number in "34":
        await here.fill(here.ann, TURN, "0.0", f0=number, f1=["bold"])
    token = await here.token("red", "orders")
    card = here.prompt(here.ann, TURN)
    await here.press(here.ann, TURN, "Undo")
    again = await here.forge(here.ann.user, card, f"p|{token}|undo|2")
    assert "The sheet is not what it was; look at it again." in said(again)
    assert "number 3, bold" in here.prompt(here.ann, TURN).content
    nonsense = await here.forge(here.ann.user, card, f"p|{token}|undo|-1")
    assert "not something I offered" in said(nonsense)


async def test_a_partner_of_the_seat_may_take_back_and_another_side_may_not(here: SimulatedServer) -> None:
    campaign = await here.found()
    for who, side in ((here.ann, "red"), (here.abe, "red"), (here.leo, "blue")):
        await here.slash(who, "campaign join", side=side, campaign=campaign)
    await here.slash(here.rita, "campaign start")
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    token = await here.token("red", "orders")
    refused = await here.forge(here.leo.user, here.prompt(here.leo, TURN), f"p|{token}|undo|1")
    assert "This is not your side's sheet." in said(refused)
    await here.press(here.abe, TURN, "Undo")
    assert "number 1, careful" in here.prompt(here.ann, TURN).content


async def test_what_closed_cannot_be_taken_back_and_its_steps_are_forgotten(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    token = await here.token("red", "orders")
    card = here.prompt(here.ann, TURN)
    assert await here.rows(StepRow.said, StepRow.token == token) == ["fleet: number 7; stance bold\n"]
    await here.later(24 * 3600 + 60)
    late = await here.forge(here.ann.user, card, f"p|{token}|undo|1")
    assert "is closed; nothing was changed" in said(late) + here.dms(here.ann)[0].content
    assert await here.rows(StepRow.said) == []
    assert await here.rows(PromptRow.steps, PromptRow.token == token) == [0]


async def test_starting_over_can_be_taken_back(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    asked = await here.press(here.ann, TURN, "Start over")
    assert asked.response is not None
    await here.ann.user.click(asked.response, label="Throw it away")
    await here.press(here.ann, TURN, "Undo")
    assert "number 7, bold" in here.prompt(here.ann, TURN).content


async def test_only_so_many_changes_are_kept(here: SimulatedServer) -> None:
    await here.begin()
    filling = here.bot.services.orders.filling
    token = await here.token("red", "orders")
    for turn in range(MOST_STEPS + 3):
        await filling.fill(token, here.ann.user.id, {"fleet": {"number": 2 + turn % 7}})
    assert len(await here.rows(StepRow.number, StepRow.token == token)) == MOST_STEPS
    answer = await filling.take_back(token, here.ann.user.id, MOST_STEPS + 3)
    assert isinstance(answer, OpenPrompt)
    assert (answer.state.steps, answer.draft["fleet"]["number"]) == (MOST_STEPS + 2, 2 + (MOST_STEPS + 1) % 7)


def labels(here: SimulatedServer) -> list[str]:
    """What the buttons of Ann's card say."""
    return [one.get("label", "") for one in pressable(here.prompt(here.ann, TURN))]
