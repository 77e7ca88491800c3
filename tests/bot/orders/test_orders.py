"""Orders: examples, typed and filled in, being ready, taking back, and sheets of captains."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.orders.examples import example_of
from bot.orders.open_prompt import OpenPrompt
from bot.recording.teams import side_team
from bot.records.captains import ShipsShared
from bot.records.prompts import step_mark
from bot.store.repositories.prompts import MOST_STEPS
from bot.store.tables import PromptRow, StepRow
from rules_engine.core.basics import canonical_json, refusals
from rules_engine.core.forms import forms, order_text
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.protocol.asks import AnyAsk, Ask
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, modal_of, said
from tests.expected.words import has_words
from tests.message_words import pressable, words_of
from tests.rulebooks.test_every_rulebook import SHORT, match


async def test_ready_means_what_was_accepted_and_says_that_the_rest_does_not_count(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    await game.press(game.ann, "Orders for turn 1", "Ready")
    content = game.prompt(game.ann, "Orders for turn 1").content
    has_words(content, "number 7, careful", "✅ You are ready", "What was not accepted does not count")
    assert await game.journal() == ["genesis", "seated", "answered", "readied"]
    await game.press(game.ann, "Orders for turn 1", "Not ready after all")
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="4", f1=["bold"])
    await game.press(game.ann, "Orders for turn 1", "Ready")
    assert "does not count" not in game.prompt(game.ann, "Orders for turn 1").content


async def test_a_draft_that_is_legal_no_longer_is_told_once_and_set_aside(game: SimulatedServer) -> None:
    """An earlier version kept such drafts, and a correction may make one."""
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    async with game.store.write() as tx:
        token = await game.token("red", "orders")
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await game.press(game.ann, "Orders for turn 1", "Ready")
    content = game.prompt(game.ann, "Orders for turn 1").content
    assert "names 3 or more" in content
    assert content.count("was set aside") == 1
    assert "🛑 •" not in content
    assert await game.journal() == ["genesis", "seated", "answered"]
    box = await game.press(game.ann, "Orders for turn 1", "Write them")
    assert modal_of(box)["components"][0]["component"]["value"] == "fleet: number 2; stance bold; loud -\n"
    await game.press(game.ann, "Orders for turn 1", "Ready")
    content = game.prompt(game.ann, "Orders for turn 1").content
    has_words(content, "✅ You are ready", "number 7, careful")


async def test_what_is_sent_on_top_of_a_draft_that_is_legal_no_longer_is_taken_without_it(game: SimulatedServer):
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7", f4="Onward")
    token = await game.token("red", "orders")
    async with game.store.write() as tx:
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await game.fill(game.ann, "Orders for turn 1", "0.1", f0="s17")
    for _ in ("as answered", "shown anew"):
        content = game.prompt(game.ann, "Orders for turn 1").content
        assert content.startswith("## Orders for turn 1\n")
        has_words(content, "\n⚠️ What is legal no longer was set aside", "number 7, careful", never="does not count")
        await game.slash(game.rita, "referee extend", by="1h")
    drafts = await game.rows(PromptRow.draft, PromptRow.token == token)
    assert (drafts[0]["fleet"]["motto"], drafts[0]["fleet"]["sector"]) == ("Onward", "s17")


async def test_where_something_was_set_aside_it_is_not_said_that_nothing_was_changed(game: SimulatedServer) -> None:
    async with game.store.write() as tx:
        token = await game.token("red", "orders")
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await game.press(game.ann, "Orders for turn 1", "Ready")
    content = game.prompt(game.ann, "Orders for turn 1").content
    has_words(content, "was set aside", never="nothing was changed")


async def test_a_refused_order_is_told_once_also_when_its_card_is_shown_anew(game: SimulatedServer) -> None:
    shown = await game.press(game.ann, "Orders for turn 1", "Write them")
    await game.submit(game.ann.user, shown, text="fleet: number 2; stance bold")
    for _ in ("as answered", "shown anew"):
        content = game.prompt(game.ann, "Orders for turn 1").content
        assert content.count("does not count") == 1
        assert content.count("**Write them**") == 1
        assert content.count("names 3 or more") == 1
        await game.slash(game.rita, "referee extend", by="1h")


async def test_both_sides_ready_closes_at_once_and_the_messages_say_so(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.press(game.ann, "Orders for turn 1", "Ready")
    assert "You are ready" in game.prompt(game.ann, "Orders for turn 1").content
    await game.press(game.leo, "Orders for turn 1", "Ready")
    assert await game.journal() == ["genesis", "seated", "answered", "readied", "readied", "closed"]
    closed = [one.content for one in game.dms(game.ann) if not pressable(one)]
    assert sum("Closed: everybody was ready." in one for one in closed) == 2
    assert await game.open_titles() == [("red", "The spoils")]
    assert "Red Fleet named the higher number." in await game.texts("public")


async def test_not_ready_after_all(game: SimulatedServer) -> None:
    await game.press(game.ann, "Orders for turn 1", "Ready")
    await game.press(game.ann, "Orders for turn 1", "Not ready after all")
    await game.press(game.leo, "Orders for turn 1", "Ready")
    assert await game.journal() == ["genesis", "seated", "readied", "readied", "readied"]


async def test_a_quick_choice_is_one_press_and_ready(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    await game.press(game.ann, "Orders for turn 1", "Ready")
    await game.press(game.leo, "Orders for turn 1", "Ready")
    await game.press(game.ann, "The spoils", "gold")
    assert "take gold" in game.prompt(game.ann, "The spoils").content
    await game.press(game.ann, "The spoils", "Ready")
    assert ("red", "Orders for turn 2") in await game.open_titles()


async def test_without_early_closing_only_the_deadline_closes_a_sheet(game: SimulatedServer) -> None:
    """So nobody learns from the waiting whether, or how long, the other side thought."""
    result = await game.slash(game.rita, "campaign settings", campaign=game.campaign, early=False)
    assert "at their deadlines only" in said(result)
    for who in (game.ann, game.leo):
        await game.press(who, "Orders for turn 1", "Ready")
    await game.press(game.leo, "Missions", "Ready")
    assert "closed" not in await game.journal()
    await game.later(24 * 3600 + 60)
    assert (await game.journal()).count("closed") == 1
    assert "at once" not in said(await game.slash(game.rita, "campaign settings", campaign=game.campaign, early=True))


# --- taking saved changes of a sheet back, one by one, until it closes ------------------------------------------------
TURN = "Orders for turn 1"


async def test_changes_are_taken_back_one_by_one_down_to_what_was_filled_in(game: SimulatedServer) -> None:
    assert "Undo" not in labels(game)
    await game.fill(game.ann, TURN, "0.0", f0="7", f1=["bold"])
    await game.fill(game.ann, TURN, "0.0", f0="5", f1=["bold"])
    assert "**Undo** takes back: `The fleet: number 5`" in words_of(game.prompt(game.ann, TURN))
    await game.press(game.ann, TURN, "Undo")
    card = words_of(game.prompt(game.ann, TURN))
    assert "number 7, bold" in card
    assert "↩️ Taken back: `The fleet: number 5`" in card
    assert "**Undo** takes back: `The fleet: number 7, stance bold`" in card
    await game.press(game.ann, TURN, "Undo")
    assert "number 1, careful" in words_of(game.prompt(game.ann, TURN))
    assert "Undo" not in labels(game), "nothing is left to be taken back"
    assert await game.journal() == ["genesis", "seated", *["answered"] * 4], "what was taken back is journalled, too"


async def test_the_same_button_pressed_twice_takes_one_change_back(game: SimulatedServer) -> None:
    for number in "34":
        await game.fill(game.ann, TURN, "0.0", f0=number, f1=["bold"])
    token = await game.token("red", "orders")
    card, button = game.prompt(game.ann, TURN), game.buttons(game.ann, TURN)["Undo"]
    await game.press(game.ann, TURN, "Undo")
    await game.forge(game.ann.user, card, button)
    shown = words_of(game.prompt(game.ann, TURN))
    assert "⚠️ Nothing was taken back: this sheet was changed after that card was shown" in shown
    assert "not accepted" not in shown
    assert "number 3, bold" in shown
    assert "**Undo** takes back: `The fleet: number 3, stance bold`" in shown
    for nonsense in ("-1", "1.xyz", "1.0123456", "1.0123456g"):
        assert "not something I offered" in said(await game.forge(game.ann.user, card, f"p|{token}|undo|{nonsense}"))


async def test_a_card_that_was_not_refreshed_takes_back_no_other_change_than_it_names(game: SimulatedServer) -> None:
    """A number is given again once its change was taken back: number 1 is another change then."""
    await game.fill(game.ann, TURN, "0.0", f0="7", f1=["bold"])
    card, of_seven = game.prompt(game.ann, TURN), game.buttons(game.ann, TURN)["Undo"]
    await game.press(game.ann, TURN, "Undo")
    await game.fill(game.ann, TURN, "0.0", f0="5", f1=["bold"])
    token = await game.token("red", "orders")
    for stale in (of_seven, f"p|{token}|undo|1"):  # and one of a card that was posted before buttons had marks
        await game.forge(game.ann.user, card, stale)
        shown = words_of(game.prompt(game.ann, TURN))
        has_words(shown, "Nothing was taken back", "number 5, bold")
    await game.press(game.ann, TURN, "Undo")
    assert "number 1, careful" in words_of(game.prompt(game.ann, TURN))


async def test_a_partner_of_the_seat_may_take_back_and_another_side_may_not(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start")
    await here.fill(here.ann, TURN, "0.0", f0="7", f1=["bold"])
    undo = here.buttons(here.ann, TURN)["Undo"]
    refused = await here.forge(here.leo.user, here.prompt(here.leo, TURN), undo)
    assert "This is not your side's sheet." in said(refused)
    await here.press(here.abe, TURN, "Undo")
    assert "number 1, careful" in words_of(here.prompt(here.ann, TURN))


async def test_what_closed_cannot_be_taken_back_and_its_steps_are_forgotten(game: SimulatedServer) -> None:
    await game.fill(game.ann, TURN, "0.0", f0="7", f1=["bold"])
    token = await game.token("red", "orders")
    card, undo = game.prompt(game.ann, TURN), game.buttons(game.ann, TURN)["Undo"]
    assert await game.rows(StepRow.said, StepRow.token == token) == ["The fleet: number 7, stance bold"]
    await game.later(24 * 3600 + 60)
    late = await game.forge(game.ann.user, card, undo)
    assert "is closed; nothing was changed" in said(late) + game.dms(game.ann)[0].content
    assert await game.rows(StepRow.said) == []
    assert await game.rows(PromptRow.steps, PromptRow.token == token) == [0]


async def test_starting_over_can_be_taken_back(game: SimulatedServer) -> None:
    await game.fill(game.ann, TURN, "0.0", f0="7", f1=["bold"])
    asked = await game.press(game.ann, TURN, "Start over")
    await game.ann.user.click(message_of(asked), label="Throw it away")
    await game.press(game.ann, TURN, "Undo")
    assert "number 7, bold" in words_of(game.prompt(game.ann, TURN))


async def test_only_so_many_changes_are_kept(game: SimulatedServer) -> None:
    filling = game.bot.services.orders.filling
    token = await game.token("red", "orders")
    for turn in range(MOST_STEPS + 3):
        await filling.fill(token, game.ann.user.id, {"fleet": {"number": 2 + turn % 7}})
    assert len(await game.rows(StepRow.number, StepRow.token == token)) == MOST_STEPS
    said_last = f"The fleet: number {2 + (MOST_STEPS + 2) % 7}"
    answer = await filling.take_back(token, game.ann.user.id, step_mark(MOST_STEPS + 3, said_last))
    assert isinstance(answer, OpenPrompt)
    assert (answer.state.steps, answer.draft["fleet"]["number"]) == (MOST_STEPS + 2, 2 + (MOST_STEPS + 1) % 7)


def labels(here: SimulatedServer) -> list[str]:
    """What the buttons of Ann's card say."""
    return [one.get("label", "") for one in pressable(here.prompt(here.ann, TURN))]


# --- which sheets wait for which captains: all that stand in one strand together, and no account of a battle ----------
ANN, ABE = 1, 2
SHARED = ShipsShared({"a": ANN, "b": ABE}, {"east": frozenset({ANN}), "west": frozenset({ABE})})


def asked(strand: str, *lines: str, is_shared: bool = False, awaited: bool = True) -> Any:
    """What is asked in a strand, with lines of these keys."""
    form = forms.Form(tuple(forms.Line(key, key, ()) for key in lines))
    return SimpleNamespace(strand=strand, form=form, is_shared=is_shared, awaited=awaited)


def test_captains_are_awaited_where_their_ships_are_asked_about_and_nowhere_else() -> None:
    asks = [
        asked("east", "F1", "side"), asked("west", "b"), asked("west", "a", is_shared=True),
        asked("west", "a", awaited=False), asked("south", "side"),
    ]  # fmt: skip
    adjudicator: Any = SimpleNamespace(
        asks_for=lambda side: asks if side == "red" else [],
        roster=lambda side: [OwnShip("a", "Anvil", "F1"), OwnShip("b", "Bellows", "F1"), OwnShip("c", "Cask", "F2")],
    )
    teams = {strand: side_team(adjudicator, "red", strand, SHARED) for strand in ("east", "west", "south")}
    found = {strand: team and team.awaited for strand, team in teams.items()}
    assert found == {"east": {ANN, ABE}, "west": {ABE}, "south": set()}
    shown = {strand: team and team.missing for strand, team in teams.items()}
    assert shown == {"east": {ABE}, "west": set(), "south": set()}
    assert side_team(adjudicator, "red", "east", None) is None


async def share_out(here: SimulatedServer) -> None:
    """Ann has the fleet and what is left of it, abe the spy."""
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start", campaign=campaign)
    assert "spy Spy is" in said(await here.slash(here.ann, "ships hand", ships="spy", to=here.abe.user))
    await here.slash(here.ann, "ships hand", ships="fleet, ships", to=here.ann.user)


async def test_what_a_captain_confirms_stands_on_every_sheet_of_the_strand(here: SimulatedServer) -> None:
    await share_out(here)
    await here.press(here.ann, "Orders for turn 1", "Ready")
    for who in (here.ann, here.abe):
        for title in ("Orders for turn 1", "Missions"):
            confirmed = f"Confirmed by <@{here.ann.user.id}>; awaited: <@{here.abe.user.id}>."
            assert confirmed in here.prompt(who, title).content, (who, title)
    assert "readied" not in await here.journal()
    await here.press(here.abe, "Missions", "Ready")
    assert (await here.journal())[-1] == "readied"


async def test_any_commander_accounts_for_a_battle(here: SimulatedServer) -> None:
    await share_out(here)
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="5")
    await here.fill(here.leo, "Orders for turn 1", "0.0", f0="5")
    await here.resolve_now()
    account = "Battle of turn 1"
    await here.fill(here.abe, account, "0.0", f0="4", f1="2")
    await here.press(here.abe, account, "Send this account")
    assert "Awaited" not in here.prompt(here.abe, account).content
    assert (await here.journal())[-1] == "answered"


# --- the example of an order: it says something, and whoever types it has it accepted ---------------------------------
def examples(key: str, rounds: int = 12) -> dict[str, str]:
    """The examples of a random campaign's first rounds, one for each kind of ask: each tried there and then."""
    campaign = match(key, 3)
    found: dict[str, str] = {}
    for _ in range(rounds):
        if campaign.adjudicator.ending is not None:
            break
        for ask in campaign.adjudicator.open_asks():
            if ask.kind not in found:
                found[ask.kind] = text = example_of(ask, campaign.adjudicator.view(ask.parties[0]).board)
                if text:
                    check(ask, text)
        campaign.round()
    return found


def check(ask: AnyAsk, text: str) -> None:
    values: Any = order_text.read_sheet(ask.form, text, ask.refusals_of)
    before = ask.form.prefilled()
    after = {**before, **{line: {**before.get(line, {}), **said} for line, said in values.items()}}
    kinds = {field.kind for key in values for field in ask.form.by_key[key].fields if field.key in values[key]}
    assert canonical_json.digest(after) != canonical_json.digest(before) or kinds == {"text"}, text
    assert ask.pace == "battle" or ask.refusals_of(values) == (), text


@pytest.mark.parametrize("key", SHORT)
def test_an_example_changes_the_sheet_and_would_be_accepted(key: str) -> None:
    assert any(examples(key).values())


def test_where_something_may_go_somewhere_the_example_says_so() -> None:
    assert examples("pq17/intro", 1)["planning"] == "A1 to 0303 at 1", (
        "at no speed it would go nowhere, and the sheet would warn of that"
    )
    assert examples("cutler/intro", 1)["turn"].startswith("F1 to ")


# --- filling a sheet in with typed orders -----------------------------------------------------------------------------
async def test_why_a_line_is_not_on_the_sheet_is_told_by_the_sheet_itself(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusals_of(_: Ask[toy.Orders], values: forms.Sheet) -> list[refusals.Refusal]:
        return [refusals.illegal(f"{line} carries no orders", "Toy 9.9", line) for line in values]

    monkeypatch.setattr(Ask, "refusals_of", refusals_of)
    await here.begin()
    token = await here.token("red", "orders")
    answer = await here.bot.services.orders.filling.write(token, here.ann.user.id, "unicorn: number 1")
    assert isinstance(answer, OpenPrompt)
    assert "unicorn carries no orders (Toy 9.9)" in "\n".join(answer.state.problems)
