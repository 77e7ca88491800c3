"""Battles and orders of forces of several sides: what each partner reads, who has answered, and how it is settled."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.tables import OutboxRow
from rules_engine import rulebooks
from tests import toy_forces
from tests.bot.worlds.simulated_server import TITLE, SimulatedServer, said, simulated_server
from tests.expected.words import has_words

ORDERS, BATTLE = "Orders for turn 1", "Battle of turn 1"
COMMANDERS = {"red": "ann", "blue": "abe", "green": "leo", "gold": "mia"}
WEEK = 7 * 24 * 3600 + 60
RED_AND_BLUE = "Red Fleet and Blue Fleet"


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server where Red (Ann) and Blue (Abe) stand together against Green (Leo)."""
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"toy": "tests.toy_forces"})
    async with simulated_server(tmp_path) as made:
        yield made


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold (Mia) stands by itself against both."""
    monkeypatch.setattr(toy_forces, "RULEBOOK", toy_forces.ToyForces(toy_forces.THREE))


async def begin(here: SimulatedServer) -> str:
    """A campaign under way."""
    campaign = await here.found(TITLE)
    for side in toy_forces.RULEBOOK.parties:
        await here.slash(here.people[COMMANDERS[side]], "campaign join", side=side, campaign=campaign)
    assert "has begun" in said(await here.slash(here.rita, "campaign start", campaign=campaign))
    return campaign


async def to_battle(here: SimulatedServer) -> str:
    """Everybody is ready with the numbers."""
    campaign = await begin(here)
    for side in toy_forces.RULEBOOK.parties:
        await here.press(here.people[COMMANDERS[side]], ORDERS, "Ready")
    return campaign


async def account(here: SimulatedServer, who: Any, left: str) -> None:
    """Fill in an account and send it."""
    await here.fill(who, BATTLE, "0.0", f0=left)
    await here.press(who, BATTLE, "Send this account")


def card(here: SimulatedServer, who: Any, title: str = BATTLE) -> str:
    """What somebody reads on a card."""
    return here.prompt(who, title).content


class TestAccounts:
    async def test_the_thread_is_for_all_and_secrets_stay_with_each_side(self, here: SimulatedServer) -> None:
        await to_battle(here)
        texts = await here.texts("battle:t1")
        assert f"{RED_AND_BLUE} against Green Fleet: play this battle by hand" in texts
        assert "One account of each force is enough." in texts
        for who in (here.ann, here.abe, here.leo):
            assert who.mention in texts
        for side in ("red", "blue", "green"):
            alone = await here.texts(f"side:{side}")
            assert [one for one in ("red", "blue", "green") if f"{one}'s reserve is near" in alone] == [side]
        assert "reserve" not in texts

    async def test_a_partner_reads_what_was_sent_and_by_whom_and_the_enemy_that_it_was(self, here: SimulatedServer):
        await to_battle(here)
        for who in (here.ann, here.abe):
            assert f"awaited: one of {RED_AND_BLUE}, Green Fleet." in card(here, who)
        assert "You answer as one with Blue Fleet: what any of you sends last counts for all." in card(here, here.ann)
        assert "You answer as one" not in card(here, here.leo)
        await account(here, here.abe, "4")
        answered = f"{RED_AND_BLUE}: Blue Fleet has sent the account; awaited: Green Fleet."
        for who in (here.ann, here.abe, here.leo):
            assert answered in card(here, who)
        assert f"Blue Fleet sent the account of {RED_AND_BLUE}; awaited: Green Fleet." in await here.texts("battle:t1")
        assert "__Your account as understood, sent by Blue Fleet__\n• 4 left" in card(here, here.ann)
        assert "Your first version, sent by Blue Fleet <t:" in card(here, here.ann)
        assert card(here, here.ann).count("It is compared as soon as the others have sent theirs.") == 1
        assert "__Your account as understood__\n• 4 left" in card(here, here.abe)
        assert "4 left" not in card(here, here.leo)

    @pytest.mark.parametrize("who", ["ann", "abe"])
    async def test_either_partner_settles_it_with_the_enemy(self, here: SimulatedServer, who: str) -> None:
        await to_battle(here)
        await account(here, here.people[who], "4")
        await account(here, here.leo, "4")
        assert "Battle: 4 left: all accounts agree." in await here.texts("public")
        assert ("blue", "Orders for turn 2") in await here.open_titles()

    async def test_a_partner_sends_the_account_on_as_it_stands(self, here: SimulatedServer) -> None:
        """The sheet of a partner who has not begun its own goes on from what was sent."""
        await to_battle(here)
        await account(here, here.abe, "4")
        await here.press(here.ann, BATTLE, "Send this account")
        has_words(card(here, here.abe), f"{RED_AND_BLUE}: Red Fleet has sent the account", "• 4 left")
        await account(here, here.ann, "3")
        assert "sent by Red Fleet__\n• 3 left" in card(here, here.abe)
        assert "Filled in" not in card(here, here.abe), "its sheet held nothing but what it had sent"

    async def test_a_partners_unsent_sheet_is_not_lost_and_nobody_else_reads_it(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await here.fill(here.ann, BATTLE, "0.0", f0="7")
        await account(here, here.abe, "4")
        content = card(here, here.ann)
        has_words(content, "sent by Blue Fleet__\n• 4 left", "__Filled in, not sent yet__\n• 7 left")
        for who in (here.abe, here.leo):
            assert "7 left" not in "\n".join(one.content for one in here.dms(who))
        assert "7" not in (await here.texts("battle:t1")).split("awaited")[-1]
        await here.press(here.ann, BATTLE, "Send this account")
        assert "sent by Red Fleet__\n• 7 left" in card(here, here.abe)
        await account(here, here.leo, "7")
        assert "Battle: 7 left" in await here.texts("public")

    async def test_accounts_that_differ_are_compared_on_all_cards_and_either_partner_takes_theirs(
        self, here: SimulatedServer
    ) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        differ = f"ships left: {RED_AND_BLUE} say 4, Green Fleet says 3"
        reds, green = "You: 4. Green Fleet: 3.", f"You: 3. {RED_AND_BLUE}: 4."
        for who, said_there in ((here.ann, reds), (here.abe, reds), (here.leo, green)):
            assert said_there in card(here, who)
            assert "every account is in." in card(here, who)
        assert f"Green Fleet sent its account. The accounts differ:\n✏️ {differ}" in await here.texts("battle:t1")
        await here.press(here.ann, BATTLE, "Take their whole account")
        assert "Battle: 3 left: all accounts agree." in await here.texts("public")

    async def test_the_enemy_takes_the_account_that_a_partner_sent_last(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        await account(here, here.ann, "5")
        await here.press(here.leo, BATTLE, "Take their whole account")
        assert "Battle: 5 left" in await here.texts("public")

    async def test_a_silent_force_agrees_with_the_other_at_the_deadline(self, here: SimulatedServer) -> None:
        await to_battle(here)
        assert "Who has sent none by then agrees with the accounts that were sent" in card(here, here.leo)
        await account(here, here.abe, "4")
        await here.later(WEEK)
        assert "Battle: 4 left: one account was sent, and nobody objected." in await here.texts("public")


class TestReferee:
    async def test_the_dispute_names_forces_and_senders_and_all_secrets(self, here: SimulatedServer) -> None:
        campaign = await to_battle(here)
        await account(here, here.abe, "4")
        shown = await here.slash(here.rita, "referee battle")
        text = said(shown)
        assert f"• {RED_AND_BLUE}: account sent by Blue Fleet\n• Green Fleet: no account yet" in text
        assert "There is nothing to compare yet." in text
        assert "`account_of:Blue Fleet` lets that account stand" in text
        assert "secrets of all sides included" in text
        await account(here, here.leo, "3")
        shown = await here.slash(here.rita, "referee battle")
        assert f"✏️ ships left: {RED_AND_BLUE} say 4, Green Fleet says 3" in said(shown)
        text = (await here.bot.services.referee.disputes.waiting(campaign, here.rita.id)).text()
        assert f"ACCOUNT OF {RED_AND_BLUE.upper()}\n4 left" in text
        for side in ("red", "blue", "green"):
            assert f"TOLD TO {side.upper()} FLEET ALONE: Alone\n{side}'s reserve is near" in text

    @pytest.mark.parametrize("of", ["red", "blue"])
    async def test_a_ruling_takes_the_account_of_either_partner(self, here: SimulatedServer, of: str) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        (battle,) = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
        result = await here.slash(here.rita, "referee ruling", battle=battle["value"], reason="So.", account_of=of)
        assert said(result) == "Your ruling stands."
        assert "Battle: 4 left: the referee's ruling." in await here.texts("public")

    async def test_who_is_late_with_a_battle_is_judged_by_force(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        late = said(await here.slash(here.rita, "referee late"))
        assert "no account sent" in late
        assert [name for name in ("Red Fleet", "Blue Fleet", "Green Fleet") if name in late] == ["Green Fleet"]


@pytest.mark.usefixtures("three")
class TestThreeForces:
    async def test_two_that_differ_read_it_and_the_third_only_once_it_has_sent_its_own(self, here: SimulatedServer):
        await to_battle(here)
        await account(here, here.abe, "4")
        assert "accounts differ" not in card(here, here.abe)
        await account(here, here.leo, "3")
        reds, green = "You: 4. Green Fleet: 3.", f"You: 3. {RED_AND_BLUE}: 4."
        for who, said_there in ((here.ann, reds), (here.abe, reds), (here.leo, green)):
            assert said_there in card(here, who)
            assert "Take their whole account" in here.buttons(who, BATTLE)
        assert "accounts differ" not in card(here, here.mia)
        for told in ("say 4", "Blue Fleet: 4", "Make it 4", "Make it 3"):
            assert told not in "\n".join(one.content for one in here.dms(here.mia))
            assert told not in here.buttons(here.mia, BATTLE)
        assert "say 4" not in await here.texts("battle:t1")
        assert (
            f"{RED_AND_BLUE}: Blue Fleet has sent the account; Green Fleet has sent the account; awaited: Gold Fleet."
            in card(here, here.mia)
        )
        await account(here, here.mia, "3")
        whole = f"ships left: {RED_AND_BLUE} say 4, Green Fleet and Gold Fleet say 3"
        for who in (here.ann, here.abe):
            assert "Ships left: you say **4**, Green Fleet and Gold Fleet say **3**" in card(here, who)
            assert "Make it 3" in here.buttons(who, BATTLE)
        for who, other in ((here.leo, "Gold"), (here.mia, "Green")):
            assert f"You: 3. {RED_AND_BLUE}: 4. {other} Fleet: 3." in card(here, who)
            assert "Make it 4" not in here.buttons(who, BATTLE), "the others do not say the same"
        assert whole in await here.texts("battle:t1")
        await here.press(here.ann, BATTLE, "Take their whole account")
        assert "Battle: 3 left: all accounts agree." in await here.texts("public")

    async def test_one_takes_the_others_account_though_the_third_is_silent(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        await here.press(here.ann, BATTLE, "Take their whole account")
        assert "sent by Red Fleet__\n• 3 left" in card(here, here.abe)
        await here.later(WEEK)
        assert "Battle: 3 left: the accounts that were sent agree" in await here.texts("public")

    async def test_where_all_three_differ_there_is_no_one_account_to_take(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        await account(here, here.mia, "2")
        for who, differ in (
            (here.ann, "You: 4. Green Fleet: 3. Gold Fleet: 2."),
            (here.leo, f"You: 3. {RED_AND_BLUE}: 4. Gold Fleet: 2."),
            (here.mia, f"You: 2. {RED_AND_BLUE}: 4. Green Fleet: 3."),
        ):
            assert differ in card(here, who)
            assert not {"Take their whole account", "Make it 4", "Make it 3", "Make it 2"} & {
                *here.buttons(who, BATTLE)
            }

    async def test_the_third_agrees_by_silence_with_two_that_agree(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "4")
        assert "The accounts that were sent so far agree." in said(await here.slash(here.rita, "referee battle"))
        await here.later(WEEK)
        assert "Battle: 4 left: the accounts that were sent agree, and nobody objected." in await here.texts("public")

    async def test_the_referee_is_called_where_two_differ_and_the_third_is_silent(self, here: SimulatedServer) -> None:
        await to_battle(here)
        await account(here, here.abe, "4")
        await account(here, here.leo, "3")
        await here.later(WEEK)
        call = (await here.channel("referee")).history()[-1]
        assert "The accounts stand behind **Decide**" in call.content
        assert call.content.startswith(f"<@{here.rita.id}>\n"), "it calls"
        decided = await here.rita.click(call, label="Decide")
        assert f"{RED_AND_BLUE} say 4, Green Fleet says 3" in said(decided)
        assert "without an agreed account" in await here.texts("battle:t1")
        assert f"{RED_AND_BLUE} say 4, Green Fleet says 3" in said(await here.slash(here.rita, "referee battle"))


class TestOrdersOfAForce:
    async def test_a_partner_reads_the_orders_and_goes_on_from_them(self, here: SimulatedServer) -> None:
        await begin(here)
        await here.fill(here.ann, ORDERS, "0.0", f0="7")
        content = card(here, here.abe, ORDERS)
        has_words(content, "number 7, careful", "Saved by Red Fleet. Not marked ready.")
        assert "number 7" not in "\n".join(one.content for one in here.dms(here.leo))
        await here.fill(here.abe, ORDERS, "0.0", f1=["bold"])
        has_words(card(here, here.ann, ORDERS), "number 7, bold", "Saved by Blue Fleet.")

    async def test_only_the_cards_of_partners_are_shown_anew(self, here: SimulatedServer) -> None:
        """The card that was used is shown again by the press itself, and the enemy's has nothing new on it."""
        await begin(here)
        await here.fill(here.ann, ORDERS, "0.0", f0="7")
        (shown,) = await here.rows(OutboxRow.payload, OutboxRow.kind == "refresh")
        assert shown["dm"] == here.abe.id

    async def test_play_goes_on_when_the_partner_who_answered_is_ready(self, here: SimulatedServer) -> None:
        await begin(here)
        await here.press(here.leo, ORDERS, "Ready")
        await here.press(here.abe, "Missions", "Ready")
        await here.fill(here.abe, ORDERS, "0.0", f0="7")
        await here.press(here.abe, ORDERS, "Ready")
        assert "The numbers were 7, 1." in await here.texts("public")

    async def test_a_partners_card_says_when_nothing_more_is_awaited_of_it(self, here: SimulatedServer) -> None:
        await begin(here)
        await here.fill(here.ann, ORDERS, "0.0", f0="7")
        await here.press(here.ann, ORDERS, "Ready")
        assert "Saved by Red Fleet. ✅ Red Fleet is ready with it" in card(here, here.abe, ORDERS)
        late = said(await here.slash(here.rita, "referee late"))
        assert "Red Fleet" not in late
        assert "Missions" in late.split("Blue Fleet")[1].split("Green Fleet")[0]
        assert ORDERS not in late.split("Blue Fleet")[1].split("Green Fleet")[0]
        await here.press(here.ann, ORDERS, "Not ready after all")
        assert "Saved by Red Fleet. Not marked ready." in card(here, here.abe, ORDERS)
