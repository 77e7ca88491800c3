"""Offers: made, accepted, declined, withdrawn, ended by notice; by the side that may, once, and shown on one card."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.letters.agreements import AgreementState, NotNow, agreements_in
from bot.records.letters.letter import Letter, LetterKind
from bot.store.tables import LetterRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable


def word(
    number: int, kind: str, sender: str, *, about: int | None = None, turn: int = 1, until: int | None = None
) -> Letter:
    receiver = "blue" if sender == "red" else "red"
    return Letter(
        campaign="c", number=number, kind=LetterKind(kind), sender=sender, receiver=receiver, by="1",
        at="2026-01-01T00:00:00+00:00", turn=turn, text="Peace.", about=about, until=until, prev="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "turn", "state"),
    [
        ([], 1, "offered"),
        ([("accept", "blue", 1, None)], 1, "accepted"),
        ([("decline", "blue", 1, None)], 1, "declined"),
        ([("withdraw", "red", 1, None)], 1, "withdrawn"),
        ([("accept", "blue", 1, None), ("notice", "red", 2, 4)], 4, "notice given"),
        ([("accept", "blue", 1, None), ("notice", "blue", 2, 4)], 5, "dissolved"),
        ([("accept", "blue", 1, None), ("notice", "red", 2, 2)], 2, "notice given"),
    ],
)
def test_what_stands_follows_from_the_letters(words: list[Any], turn: int, state: str) -> None:
    letters = [word(1, "offer", "red")]
    for number, (kind, sender, at, until) in enumerate(words, start=2):
        letters.append(word(number, kind, sender, about=1, turn=at, until=until))
    assert agreements_in(letters)[1].at(turn).state is AgreementState(state)


@pytest.mark.parametrize(
    "words",
    [
        [("accept", "red", None)],
        [("withdraw", "blue", None)],
        [("notice", "blue", 3)],
        [("accept", "blue", None), ("accept", "blue", None)],
        [("accept", "blue", None), ("withdraw", "red", None)],
        [("decline", "blue", None), ("accept", "blue", None)],
        [("withdraw", "red", None), ("accept", "blue", None)],
        [("accept", "blue", None), ("notice", "blue", 0)],
        [("accept", "blue", None), ("notice", "blue", None)],
        [("accept", "blue", None), ("notice", "blue", 2), ("notice", "red", 3)],
        [("letter", "blue", None)],
    ],
)
def test_what_cannot_be_said_of_it_is_refused(words: list[Any]) -> None:
    letters = [word(1, "offer", "red")]
    for number, (kind, sender, until) in enumerate(words, start=2):
        letters.append(word(number, kind, sender, about=1, until=until))
    with pytest.raises(NotNow):
        agreements_in(letters)


def test_what_is_no_offer_cannot_be_answered() -> None:
    with pytest.raises(NotNow, match="Letter 1 is no offer"):
        agreements_in([word(2, "accept", "blue", about=1)])


# --- on Discord -------------------------------------------------------------------------------------------------------


async def kinds(here: SimulatedServer) -> list[str]:
    async with here.store.read() as tx:
        return list((await tx.connection.execute(sa.select(LetterRow.kind).order_by(LetterRow.number))).scalars())


async def card(here: SimulatedServer, who: Any) -> Any:
    return await here.slash(who, "diplomacy")


async def opened(here: SimulatedServer, who: Any) -> Any:
    """The first agreement on somebody's card."""
    shown = await card(here, who)
    menu = pressable(shown.response)[0]
    return await who.select(shown.response, [menu["options"][0]["value"]], custom_id=menu["custom_id"])


def labels(result: Any) -> list[str]:
    return [one["label"] for one in pressable(result.response) if "label" in one]


async def test_an_offer_is_accepted_and_ends_by_notice(here: SimulatedServer) -> None:
    await here.begin()
    assert "Sent: Offer 1 to **Blue Fleet**" in said(
        await here.slash(here.ann, "offer", to="blue", terms="Peace in the north.")
    )
    got = here.prompt(here.leo, "Offer 1 from **Red Fleet**")
    assert "__Offered__\n> Peace in the north." in got.content
    assert "Your offer 1 to **Blue Fleet** waits for them: Peace in the north." in said(await card(here, here.ann))
    assert "Offer 1 from **Red Fleet** waits for you" in said(await card(here, here.leo))
    taken = said(await here.leo.user.click(got, label="Accept"))
    assert "Offer 1 is accepted; **Red Fleet** is told, receipt `" in taken
    now = next(one for one in here.dms(here.leo) if one.id == got.id)
    assert taken.rpartition("✉️")[2] in now.content, "its own message says so, and asks no more"
    assert [one["label"] for one in pressable(now)] == ["Reply"]
    assert "Offer 1 is **accepted**:\n> Peace in the north." in here.dms(here.ann)[-1].content
    assert "Agreement 1 with **Blue Fleet** stands" in said(await card(here, here.ann))
    shown = await opened(here, here.ann)
    assert labels(shown) == ["Give notice", "Write to them"]
    form = await here.ann.click(shown.response, label="Give notice")
    refused = await here.submit(here.ann, form, f0="0", f1="Sorry.")
    assert "Notice runs to the end of a turn from 1" in said(refused)
    form = await here.ann.click(shown.response, label="Give notice")
    await here.submit(here.ann, form, f0="1", f1="Sorry.")
    assert "**Notice** is given of agreement 1: it ends with turn 1.\n> Sorry." in here.dms(here.leo)[-1].content
    assert "they have given notice, it ends with turn 1" in said(await card(here, here.leo))
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="3")
    await here.resolve_now()
    await here.resolve_now()
    ended = said(await card(here, here.leo))
    assert "Nothing is agreed or offered in letters." in ended
    assert "1 settled before" in ended
    assert await kinds(here) == ["offer", "accept", "notice"]


async def test_whoever_comes_second_is_told_that_it_is_settled(here: SimulatedServer) -> None:
    await here.begin()
    await here.slash(here.ann, "offer", to="blue", terms="Peace.")
    got = here.prompt(here.leo, "Offer 1")
    mine = await opened(here, here.ann)
    await here.ann.click(mine.response, label="Withdraw")
    assert said(await here.leo.user.click(got, label="Accept")).startswith("This is withdrawn already")
    assert "Offer 1 is **withdrawn**" in here.dms(here.leo)[-1].content
    assert await kinds(here) == ["offer", "withdraw"]


async def test_declined_by_a_button_and_offered_by_a_menu(here: SimulatedServer) -> None:
    await here.begin()
    shown = await card(here, here.ann)
    form = await here.ann.select(shown.response, ["blue"])
    await here.submit(here.ann, form, text="All for nothing.")
    declined = await here.leo.user.click(here.prompt(here.leo, "Offer 1"), label="Decline")
    assert "Offer 1 is declined; **Red Fleet** is told" in said(declined)
    assert await kinds(here) == ["offer", "decline"]
    assert "Offer 1 is **declined**" in here.dms(here.ann)[-1].content


async def test_nobody_else_answers_an_offer_or_sees_it(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.slash(here.ann, "offer", to="blue", terms="Peace.")
    token = (await here.rows(LetterRow.token))[0]
    notice = (await here.channel("public")).history()[0]
    for who in (here.zoe, here.sam, here.rita):
        for verb in ("accept", "decline", "withdraw", "notice"):
            answer = await here.forge(who, notice, f"l|{token}|{verb}|")
            assert answer.modal is None
            assert said(answer).startswith("Only ")
        answer = await here.forge(who, notice, f"l|{campaign}|pact|", [token])
        assert said(answer).startswith("Only ")
        assert said(await here.forge(who, notice, f"l|{campaign}|offer|", ["blue"])).startswith("Only ")
        assert "Sent" not in said(await here.forge_modal(who, notice, f"k|{token}|notice|aa", f0="3", f1=""))
    assert "your own offer" in said(await here.forge(here.ann, notice, f"l|{token}|accept|"))
    assert "other side's offer" in said(await here.forge(here.leo, notice, f"l|{token}|withdraw|"))
    assert await kinds(here) == ["offer"]


async def test_shorter_letters_do_not_keep_an_offer_from_being_accepted(here: SimulatedServer) -> None:
    await here.begin()
    await here.slash(here.ann, "offer", to="blue", terms="x" * 200)
    await here.slash(here.rita, "campaign settings", letter_length=100, letters_a_day=1)
    await here.leo.user.click(here.prompt(here.leo, "Offer 1"), label="Accept")
    assert await kinds(here) == ["offer", "accept"]


async def test_a_hostile_offer_stays_a_quotation_on_the_card(here: SimulatedServer) -> None:
    await here.begin()
    terms = "**free** [x](https://evil.example)\n# Agreement 9 stands\n@everyone"
    await here.slash(here.ann, "offer", to="blue", terms=terms)
    text = said(await card(here, here.leo))
    assert "](" not in text
    assert "\n# Agreement" not in text
