"""Taking saved changes of a sheet back, one by one, until it closes."""

from bot.orders.open_prompt import OpenPrompt
from bot.records.prompts import step_mark
from bot.store.repositories.prompts import MOST_STEPS
from bot.store.tables import PromptRow, StepRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable, words_of

TURN = "Orders for turn 1"


async def test_changes_are_taken_back_one_by_one_down_to_what_was_filled_in(here: SimulatedServer) -> None:
    await here.begin()
    assert "Undo" not in labels(here)
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    await here.fill(here.ann, TURN, "0.0", f0="5", f1=["bold"])
    assert "**Undo** takes back: `The fleet: number 5`" in words_of(here.prompt(here.ann, TURN))
    await here.press(here.ann, TURN, "Undo")
    card = words_of(here.prompt(here.ann, TURN))
    assert "number 7, bold" in card
    assert "↩️ Taken back: `The fleet: number 5`" in card
    assert "**Undo** takes back: `The fleet: number 7, stance bold`" in card
    await here.press(here.ann, TURN, "Undo")
    assert "number 1, careful" in words_of(here.prompt(here.ann, TURN))
    assert "Undo" not in labels(here), "nothing is left to be taken back"
    assert await here.journal() == ["genesis", "seated", *["answered"] * 4], "what was taken back is journalled, too"


async def test_the_same_button_pressed_twice_takes_one_change_back(here: SimulatedServer) -> None:
    await here.begin()
    for number in "34":
        await here.fill(here.ann, TURN, "0.0", f0=number, f1=["bold"])
    token = await here.token("red", "orders")
    card, button = here.prompt(here.ann, TURN), here.buttons(here.ann, TURN)["Undo"]
    await here.press(here.ann, TURN, "Undo")
    await here.forge(here.ann.user, card, button)
    shown = words_of(here.prompt(here.ann, TURN))
    assert "⚠️ Nothing was taken back: this sheet was changed after that card was shown" in shown
    assert "not accepted" not in shown
    assert "number 3, bold" in shown
    assert "**Undo** takes back: `The fleet: number 3, stance bold`" in shown
    for nonsense in ("-1", "1.xyz", "1.0123456", "1.0123456g"):
        assert "not something I offered" in said(await here.forge(here.ann.user, card, f"p|{token}|undo|{nonsense}"))


async def test_a_card_that_was_not_refreshed_takes_back_no_other_change_than_it_names(here: SimulatedServer) -> None:
    """A number is given again once its change was taken back: number 1 is another change then."""
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    card, of_seven = here.prompt(here.ann, TURN), here.buttons(here.ann, TURN)["Undo"]
    await here.press(here.ann, TURN, "Undo")
    await here.fill(here.ann, TURN, "0.0", f0="5", f1=["bold"])
    token = await here.token("red", "orders")
    for stale in (of_seven, f"p|{token}|undo|1"):  # and one of a card that was posted before buttons had marks
        await here.forge(here.ann.user, card, stale)
        shown = words_of(here.prompt(here.ann, TURN))
        assert "Nothing was taken back" in shown
        assert "number 5, bold" in shown
    await here.press(here.ann, TURN, "Undo")
    assert "number 1, careful" in words_of(here.prompt(here.ann, TURN))


async def test_a_partner_of_the_seat_may_take_back_and_another_side_may_not(here: SimulatedServer) -> None:
    campaign = await here.found()
    for who, side in ((here.ann, "red"), (here.abe, "red"), (here.leo, "blue")):
        await here.slash(who, "campaign join", side=side, campaign=campaign)
    await here.slash(here.rita, "campaign start")
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    undo = here.buttons(here.ann, TURN)["Undo"]
    refused = await here.forge(here.leo.user, here.prompt(here.leo, TURN), undo)
    assert "This is not your side's sheet." in said(refused)
    await here.press(here.abe, TURN, "Undo")
    assert "number 1, careful" in words_of(here.prompt(here.ann, TURN))


async def test_what_closed_cannot_be_taken_back_and_its_steps_are_forgotten(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    token = await here.token("red", "orders")
    card, undo = here.prompt(here.ann, TURN), here.buttons(here.ann, TURN)["Undo"]
    assert await here.rows(StepRow.said, StepRow.token == token) == ["The fleet: number 7, stance bold"]
    await here.later(24 * 3600 + 60)
    late = await here.forge(here.ann.user, card, undo)
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
    assert "number 7, bold" in words_of(here.prompt(here.ann, TURN))


async def test_only_so_many_changes_are_kept(here: SimulatedServer) -> None:
    await here.begin()
    filling = here.bot.services.orders.filling
    token = await here.token("red", "orders")
    for turn in range(MOST_STEPS + 3):
        await filling.fill(token, here.ann.user.id, {"fleet": {"number": 2 + turn % 7}})
    assert len(await here.rows(StepRow.number, StepRow.token == token)) == MOST_STEPS
    said_last = f"The fleet: number {2 + (MOST_STEPS + 2) % 7}"
    answer = await filling.take_back(token, here.ann.user.id, step_mark(MOST_STEPS + 3, said_last))
    assert isinstance(answer, OpenPrompt)
    assert (answer.state.steps, answer.draft["fleet"]["number"]) == (MOST_STEPS + 2, 2 + (MOST_STEPS + 1) % 7)


def labels(here: SimulatedServer) -> list[str]:
    """What the buttons of Ann's card say."""
    return [one.get("label", "") for one in pressable(here.prompt(here.ann, TURN))]
