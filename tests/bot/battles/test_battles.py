"""Battles played by hand: the thread, accounts that differ or agree, their cards; ruling and deadline."""

from collections.abc import Sequence
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot import faults
from bot.cards.accounts import differences_told
from bot.store.tables import DeadlineRow, PlaceRow, PromptRow
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, modal_of, said
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.message_words import pressable

BATTLE = "Battle of turn 1"


async def to_battle(here: SimulatedServer) -> str:
    """Both sides name the same number."""
    campaign = await here.begin()
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    return campaign


async def account(here: SimulatedServer, who: Any, red: str, blue: str) -> None:
    """Fill in an account and send it."""
    await here.fill(who, BATTLE, "0.0", f0=red, f1=blue)
    await here.press(who, BATTLE, "Send this account")


async def both_tell(here: SimulatedServer, ann: Sequence[str] = ("4", "2"), leo: Sequence[str] = ("4", "3")) -> None:
    """They meet, and each sends an account of it."""
    await to_battle(here)
    await account(here, here.ann, *ann)
    await account(here, here.leo, *leo)


async def test_a_battle_opens_a_thread_for_its_parties_with_the_sheet(here: SimulatedServer) -> None:
    await to_battle(here)
    thread = await here.channel("battle:t1")
    assert thread.is_thread
    texts = await here.texts("battle:t1")
    assert "Battle of turn 1" in texts
    assert here.ann.mention in texts
    assert here.leo.mention in texts
    assert "battle.txt" in [file.filename for message in thread.history() for file in message.attachments]
    assert "the reserve is near" in await here.texts("side:red")
    assert "the reserve is near" not in texts + await here.texts("side:blue")


async def test_an_account_is_a_draft_until_it_is_sent(here: SimulatedServer) -> None:
    await to_battle(here)
    await here.fill(here.ann, BATTLE, "0.0", f0="4", f1="2")
    assert "answered" not in await here.journal()
    await here.press(here.ann, BATTLE, "Send this account")
    assert (await here.journal()).count("answered") == 1
    assert "Red Fleet sent its account; awaited: Blue Fleet." in await here.texts("battle:t1")


async def test_accounts_that_differ_are_compared_and_those_that_agree_let_play_go_on(here: SimulatedServer) -> None:
    await both_tell(here)
    texts = await here.texts("battle:t1")
    has_words(texts, "The accounts differ:", "blue: 2 or 3")
    assert "Blue Fleet: ships left**\nYou: 2. They: 3." in here.prompt(here.ann, BATTLE).content
    for who in (here.ann, here.leo):
        assert "has sent the account" not in here.prompt(who, BATTLE).content, "of two sides both know who is meant"
        assert "every account is in" not in here.prompt(who, BATTLE).content
    await account(here, here.ann, "4", "3")
    assert "Battle: 4 to 3." in await here.texts("public")
    assert ("red", "Orders for turn 2") in await here.open_titles()


async def test_a_side_takes_the_other_sides_account_with_one_press(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    assert "Take their whole account" not in here.buttons(here.leo, BATTLE), "accounts are compared once both are there"
    await account(here, here.leo, "4", "3")
    assert "accounts differ" in here.prompt(here.leo, BATTLE).content
    await here.press(here.leo, BATTLE, "Take their whole account")
    assert "Battle: 4 to 2." in await here.texts("public")
    assert (await here.journal()).count("answered") == 3, "it is on the record as that side's own account"


async def test_nobody_takes_another_account_than_the_one_that_was_shown(here: SimulatedServer) -> None:
    await both_tell(here)
    shown = here.prompt(here.leo, BATTLE)
    button = here.buttons(here.leo, BATTLE)["Take their whole account"]
    await account(here, here.ann, "5", "1")
    before = await here.fingerprint()
    late = await here.forge(here.leo.user, shown, button)
    assert "Their account is not what it was; look at the sheet again." in said(late)
    assert await here.fingerprint() == before
    await here.press(here.leo, BATTLE, "Take their whole account")
    assert "Battle: 5 to 1." in await here.texts("public")


async def test_where_the_referee_plays_the_sides_settle_their_disputes(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    await here.slash(here.rita, "campaign start")
    await here.press(here.rita, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    await account(here, here.rita, "4", "2")
    await account(here, here.leo, "4", "3")
    refused = said(await here.slash(here.rita, "referee ruling", battle="x", reason="I was there.", account_of="red"))
    assert "settled when a side presses **Take their whole account**" in refused
    await here.later(7 * 24 * 3600 + 60)
    assert "without an agreed account" in await here.texts("battle:t1")
    assert "without an agreed account" not in await here.texts("referee"), "they cannot rule, nor be told of others'"
    await here.press(here.rita, BATTLE, "Take their whole account")
    assert "Battle: 4 to 3." in await here.texts("public")


async def test_an_account_that_is_not_filled_in_is_not_sent(here: SimulatedServer) -> None:
    await to_battle(here)
    await here.press(here.ann, BATTLE, "Send this account")
    content = here.prompt(here.ann, BATTLE).content
    assert "## Battle of turn 1: not whole yet\n__Still missing, or wrong__\n• " in content
    assert "answered" not in await here.journal()


async def test_battle_in_its_thread_opens_the_callers_own_account(here: SimulatedServer) -> None:
    await to_battle(here)
    thread = await here.channel("battle:t1")
    result = await here.slash(here.ann, "battle", at=thread)
    assert result.ephemeral
    assert "Red Fleet" in said(result)
    shown = await here.ann.select(message_of(result), ["0.0"])
    await here.submit(here.ann, shown, f0="5", f1="0")
    has_words(said(result), "Filled in, not sent yet", "red 5, blue 0")
    await here.ann.click(result.response, label="Send this account")
    assert "Your account as understood" in said(result)


async def test_the_referee_rules_by_one_sides_account(here: SimulatedServer) -> None:
    await both_tell(here)
    assert BATTLE in said(await here.slash(here.rita, "referee disputes"))
    offered = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
    assert [one["name"] for one in offered] == [BATTLE]
    battle = offered[0]["value"]
    result = await here.slash(here.rita, "referee ruling", battle=battle, reason="The log shows it.", account_of="blue")
    assert said(result) == "Your ruling stands."
    assert "Battle: 4 to 3." in await here.texts("public")
    assert "The referee has ruled" in await here.texts("battle:t1")


async def test_the_referee_rules_by_a_sheet_of_their_own(here: SimulatedServer) -> None:
    await to_battle(here)
    offered = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
    bad = await here.slash(here.rita, "referee ruling", battle=offered[0]["value"], reason="r", text="ships: red 99")
    assert "The ruling was not accepted" in said(bad)
    await here.slash(here.rita, "referee ruling", battle=offered[0]["value"], reason="r", text="ships: red 3; blue 1")
    assert "Battle: 3 to 1." in await here.texts("public")


async def test_a_deadline_without_agreement_calls_the_referee_and_the_clock_runs_on(here: SimulatedServer) -> None:
    await both_tell(here)
    before = await here.falls_at()
    await here.later(7 * 24 * 3600 + 60)
    assert "without an agreed account" in await here.texts("referee")
    after = (await here.rows(DeadlineRow.falls_at, DeadlineRow.opened_seq > 0))[0]
    assert before is not None
    assert after > before
    assert (await here.open_titles()) == [("blue", BATTLE), ("red", BATTLE)]


async def test_a_silent_side_agrees_to_the_others_account_at_the_deadline(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await here.later(7 * 24 * 3600 + 60)
    assert "Battle: 4 to 2." in await here.texts("public")


async def test_a_battles_thread_is_forgotten_by_nobody(here: SimulatedServer) -> None:
    await to_battle(here)
    assert await here.rows(PlaceRow.key, PlaceRow.key.startswith("battle:")) == ["battle:t1"]


def test_differences_that_do_not_fit_are_counted() -> None:
    lines = [f"A{number} fate: Red says ok, Blue says destroyed" for number in range(60)]
    told = differences_told(lines, most=200)
    shown = told.count("✏️")
    assert 0 < shown < 60
    assert told.endswith(f"… and {60 - shown} more")
    assert len(told) <= 220
    assert differences_told(lines[:2], most=200).count("✏️") == 2
    assert "more" not in differences_told(lines[:2], most=200)


# --- account cards ----------------------------------------------------------------------------------------------------
# the card of an account: what usually changes first, then only what differs, with the others' value on a button.
async def sent(here: SimulatedServer, who: Any, red: str, blue: str) -> int:
    """Send an account as a player would who knows how it ended; gives how often they pressed."""
    shown = await here.press(who, BATTLE, "Fill in")
    await here.submit(who.user, shown, f0=red, f1=blue)
    await here.press(who, BATTLE, "Send this account")
    return 3


def card(here: SimulatedServer, who: Any) -> str:
    """What somebody's card says."""
    return here.prompt(who, BATTLE).content


def argument(here: SimulatedServer, who: Any, label: str) -> str:
    """What a button of somebody's card stands for."""
    return here.buttons(who, BATTLE)[label]


async def pressed(here: SimulatedServer, who: Any, custom_id: str) -> InteractionResult:
    """A press on a button as it was."""
    return await here.forge(who.user, here.prompt(who, BATTLE), custom_id)


async def test_an_account_is_sent_with_three_presses_and_agreed_with_by_one(here: SimulatedServer) -> None:
    await to_battle(here)
    assert await sent(here, here.ann, "4", "2") == 3
    assert "Ships left" in card(here, here.leo)
    assert "Make it" not in " ".join(here.buttons(here.leo, BATTLE)), "who has sent none reads none"
    await sent(here, here.leo, "4", "3")
    assert "Blue Fleet: ships left: you say **3**, they say **2**. All else agrees." in card(here, here.leo)
    await here.press(here.leo, BATTLE, "Make it 2")
    assert "Battle: 4 to 2." in await here.texts("public")
    assert (await here.journal()).count("answered") == 3


async def test_the_short_form_puts_in_what_it_asks_and_sends_nothing(here: SimulatedServer) -> None:
    await to_battle(here)
    shown = await here.press(here.ann, BATTLE, "Fill in")
    assert shown.modal is not None
    assert [one["label"] for one in shown.modal["components"]] == ["Red Fleet: ships left", "Blue Fleet: ships left"]
    await here.submit(here.ann.user, shown, f0="4", f1="11")
    assert "Battle of turn 1: not accepted\nThis does not count; nothing was changed.\n• " in card(here, here.ann)
    assert "Fill in" in here.buttons(here.ann, BATTLE), "what cannot be read changes nothing"
    await here.submit(here.ann.user, await here.press(here.ann, BATTLE, "Fill in"), f0="4", f1="2")
    assert "Red Fleet: ships left: 4; Blue Fleet: ships left: 2" in card(here, here.ann)
    assert "answered" not in await here.journal()
    again = await here.press(here.ann, BATTLE, "Change")
    assert [one["component"]["value"] for one in modal_of(again)["components"]] == ["4", "2"]
    await here.press(here.ann, BATTLE, "Undo")
    assert "Fill in" in here.buttons(here.ann, BATTLE)


def coloured(here: SimulatedServer, who: Any) -> list[str]:
    """The buttons of the account's card that stand out."""
    return [one["label"] for one in pressable(here.prompt(who, BATTLE)) if one.get("style") == 1]


async def test_only_what_differs_is_shown_and_the_rest_in_one_line(here: SimulatedServer) -> None:
    await both_tell(here)
    for who, mine, theirs in ((here.ann, "2", "3"), (here.leo, "3", "2")):
        shown = card(here, who)
        assert f"**Blue Fleet: ships left**\nYou: {mine}. They: {theirs}." in shown
        assert "**All else agrees**\nRed Fleet: ships left: 4" in shown
        assert "Your first version, sent <t:" in shown
        assert "Play waits for this battle until <t:" in shown
        assert "Rule 2.1" in shown
        labels = [*here.buttons(who, BATTLE)]
        assert labels[:2] == [f"Make it {theirs}", "Change"]
        assert {"Take their whole account", "Stand by mine", "Ask the referee"} <= {*labels}
        assert coloured(here, who) == [f"Make it {theirs}"], "where both do the same, one of them"


async def test_several_places_are_taken_over_one_by_one(here: SimulatedServer) -> None:
    await both_tell(here, ("4", "2"), ("5", "3"))
    assert "The accounts differ in 2 places." in card(here, here.ann)
    assert coloured(here, here.ann) == ["Take their whole account"], "what settles all of it"
    await here.press(here.ann, BATTLE, "Make it 5")
    has_words(card(here, here.ann), "Your second version", "Red Fleet: ships left: 5")
    assert "Make it 5" not in here.buttons(here.ann, BATTLE)
    assert "Make it 2" in here.buttons(here.leo, BATTLE), "the other side reads on its card what is left"
    assert "Make it 4" not in here.buttons(here.leo, BATTLE)
    await here.press(here.ann, BATTLE, "Make it 3")
    assert "Battle: 5 to 3." in await here.texts("public")


async def test_a_value_that_was_changed_meanwhile_is_not_taken_over(here: SimulatedServer) -> None:
    await both_tell(here)
    old = argument(here, here.leo, "Make it 2")
    await account(here, here.ann, "4", "1")
    before = await here.fingerprint()
    late = await pressed(here, here.leo, old)
    assert "Blue Fleet: ships left: they say **1** now. Nothing was changed" in said(late)
    assert await here.fingerprint() == before
    await here.press(here.leo, BATTLE, "Make it 1")
    assert "Battle: 4 to 1." in await here.texts("public")


async def test_the_same_button_pressed_twice_does_nothing_more(here: SimulatedServer) -> None:
    await both_tell(here, ("4", "2"), ("5", "3"))
    button = argument(here, here.leo, "Make it 2")
    await here.press(here.leo, BATTLE, "Make it 2")
    before = await here.fingerprint()
    await pressed(here, here.leo, button)
    assert await here.fingerprint() == before
    assert "accounts differ" in card(here, here.leo)


async def test_what_is_filled_in_and_not_sent_goes_along(here: SimulatedServer) -> None:
    await both_tell(here, ("4", "2"), ("5", "3"))
    await here.fill(here.leo, BATTLE, "0.0", f0="4", f1="3")
    assert "__Filled in, not sent yet__\n• red 4, blue 3" in card(here, here.leo)
    await here.press(here.leo, BATTLE, "Make it 2")
    assert "Battle: 4 to 2." in await here.texts("public")


async def test_the_card_compares_what_is_filled_in_by_now(here: SimulatedServer) -> None:
    """Also when it is shown anew, and to another commander of the side."""
    await both_tell(here, ("4", "2"), ("5", "3"))
    blue = "Blue Fleet: ships left"
    for red_left, blue_left, wanted, makes in (
        ("4", "3", f"{blue}: you have filled in **3**, they say **2**. All else agrees.", ["Make it 2"]),
        ("6", "3", "What you have filled in differs from theirs in 2 places.", ["Make it 4", "Make it 2"]),
        ("4", "2", "What you have filled in since agrees with theirs: **Send this account** sends it.", []),
    ):
        await here.fill(here.leo, BATTLE, "0.0", f0=red_left, f1=blue_left)
        for _ in ("as answered", "shown anew"):
            assert wanted in card(here, here.leo)
            assert f"__Filled in, not sent yet__\n• red {red_left}, blue {blue_left}" in card(here, here.leo)
            assert [one for one in here.buttons(here.leo, BATTLE) if one.startswith("Make it")] == makes
            await here.slash(here.rita, "referee extend", by="1h")
    assert "Make it 5" in here.buttons(here.ann, BATTLE), "what is not sent is nobody else's"


async def test_a_part_that_was_sent_so_is_taken_over_again_where_something_else_is_filled_in(here: SimulatedServer):
    await both_tell(here)
    await here.fill(here.leo, BATTLE, "0.0", f0="5", f1="2")
    await here.press(here.leo, BATTLE, "Make it 4")
    assert "Battle: 4 to 2." in await here.texts("public")


@cases("name", "")
async def test_a_forged_button_changes_nothing(here: SimulatedServer, name: str) -> None:
    await both_tell(here)
    before = await here.fingerprint()
    assert said(await pressed(here, here.leo, f"p|{await here.token('blue', 'battle')}|{name}"))
    assert await here.fingerprint() == before


async def test_who_has_sent_nothing_takes_nothing_and_asks_nothing(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    token = await here.token("blue", "battle")
    for verb in ("make|0.1-00000000", "stand|00000000", "referee|00000000", "agree|00000000"):
        refused = await pressed(here, here.leo, f"p|{token}|{verb}")
        has_words(said(refused), never=("2", "4"))
    assert await here.rows(PromptRow.stood_by, PromptRow.stood_by != "") == []


async def test_a_side_says_once_that_it_stands_by_its_account(here: SimulatedServer) -> None:
    await both_tell(here)
    button = argument(here, here.ann, "Stand by mine")
    await here.press(here.ann, BATTLE, "Stand by mine")
    assert "You stand by yours, and the others were told so." in card(here, here.ann)
    assert (await here.texts("battle:t1")).count("Red Fleet stands by its account.") == 1
    await pressed(here, here.ann, button)
    assert (await here.texts("battle:t1")).count("Red Fleet stands by its account.") == 1
    await account(here, here.leo, "4", "1")
    assert "You stand by yours" not in card(here, here.ann), "it was said of another account of theirs"
    assert "The accounts are not what they were" in said(await pressed(here, here.ann, button))
    await here.press(here.ann, BATTLE, "Stand by mine")
    assert (await here.texts("battle:t1")).count("Red Fleet stands by its account.") == 2


async def test_the_referee_is_asked_once_for_what_differs(here: SimulatedServer) -> None:
    await both_tell(here)
    button = argument(here, here.leo, "Ask the referee")
    await here.press(here.leo, BATTLE, "Ask the referee")
    await pressed(here, here.leo, button)
    asked = await here.texts("referee")
    assert asked.count("Blue Fleet asks you to settle “Battle of turn 1”. The accounts differ:\n✏️ blue: 2 or 3") == 1
    assert (await here.texts("battle:t1")).count("Blue Fleet has asked the referee to settle this battle.") == 1
    assert "The referee was asked to settle it." in card(here, here.leo)
    buttons = [one for one in pressable(here.prompt(here.leo, BATTLE)) if "label" in one]
    disabled = {one["label"]: one.get("disabled", False) for one in buttons}
    assert disabled["Ask the referee"]
    assert not disabled["Stand by mine"]


async def test_a_referee_who_plays_is_not_asked(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    await here.slash(here.rita, "campaign start")
    for who in (here.rita, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    await account(here, here.rita, "4", "2")
    await account(here, here.leo, "4", "3")
    before = await here.fingerprint()
    assert "the sides settle their battles" in said(await here.press(here.leo, BATTLE, "Ask the referee"))
    assert await here.fingerprint() == before


@pytest.mark.parametrize("where", ["journal.before", "journal.written", "journal.committed"])
async def test_a_crash_while_a_value_is_taken_over_leaves_it_taken_or_not(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    await both_tell(here, ("4", "2"), ("5", "3"))
    button, inner = argument(here, here.leo, "Make it 2"), faults.point

    def dying(name: str) -> None:
        if name == where:
            raise SystemError(name)
        inner(name)

    with monkeypatch.context() as dead:
        dead.setattr("bot.orders.answering.point", dying)
        await pressed(here, here.leo, button)
    here.failures()
    await here.restart()
    taken = (await here.journal()).count("answered") - 2
    assert taken == (where == "journal.committed")
    again = await pressed(here, here.leo, button)
    assert (await here.journal()).count("answered") == 3, said(again)
    assert "Red Fleet: ships left" in card(here, here.leo)
    assert "Make it 4" in here.buttons(here.leo, BATTLE)
