"""Prompts and the messages in which they stand: open or closed, of one side or all, of those who command it now."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from bot.records import campaigns, deadlines, places
from bot.records.prompts import Prompt, PromptCopy, PromptStatus, Returned, TypedText
from bot.store.database import Store
from bot.store.repositories.prompts import OpenFor, PressedPrompt
from bot.store.repositories.typed import MOST_KEPT
from tests.bot.store.samples import INFO, NOON, PROMPT, Played, founded, seated

ANN, ABE, LEO, SAM = 11, 12, 21, 31
SHEET: Any = {"fleet": {"number": 3, "escorts": ["E1"], "motto": "Ünï — “é”", "loud": True, "sector": None}}


def prompt(token: str, *, later: int = 0, **changes: Any) -> Prompt:
    """Another one, opened so many seconds after noon."""
    ask_id = changes.pop("ask_id", f"ask/{token}")
    return replace(PROMPT, token=token, ask_id=ask_id, created_at=NOON + timedelta(seconds=later), **changes)


async def add(store: Store, *prompts: Prompt) -> None:
    async with store.write() as tx:
        for one in prompts:
            await tx.prompts.add(one)


async def open_tokens(store: Store, *of: str | None) -> list[str]:
    async with store.read() as tx:
        return [one.token for one in await tx.prompts.open_of(*(of or ("c1",)))]  # type: ignore[arg-type]


# --- prompts ----------------------------------------------------------------------------------------------------------
async def test_a_prompt_comes_out_as_it_was_put(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT)
    async with store.read() as tx:
        assert await tx.prompts.open_of("c1") == [PROMPT]
        assert await tx.prompts.is_open("tok1")
        assert not await tx.prompts.is_open("tok2")


async def test_a_draft_is_kept_as_it_was_filled_in_and_an_empty_one_is_one(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT, prompt("tok2", later=1))
    for sheet in (SHEET, {}):
        async with store.write() as tx:
            await tx.prompts.keep_draft("tok1", sheet)
            assert [one.draft for one in await tx.prompts.open_of("c1")] == [sheet, None]
        async with store.read() as tx:
            pressed = await tx.prompts.pressed("tok1", ANN)
            assert pressed is not None
            assert pressed.prompt == replace(PROMPT, draft=sheet)


async def test_what_was_not_accepted_is_kept_for_each_writer_until_it_is_empty_or_forgotten(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT, prompt("tok2", later=1))
    mine = Returned("fleet: number 2", {"fleet": {"number": "seventy", "motto": None}}, ("• wrong",))
    async with store.write() as tx:
        assert await tx.returned.of("tok1", ANN) == Returned()
        for token, user, returned in (
            ("tok1", ANN, Returned("x")),
            ("tok1", ANN, mine),
            ("tok1", ANN + 1, Returned("y")),
        ):
            await tx.returned.keep(token, user, returned)
        await tx.returned.keep("tok2", ANN, Returned("z"))
    async with store.write() as tx:
        assert await tx.returned.of("tok1", ANN) == mine
        assert await tx.returned.for_prompt("tok1") == {ANN: mine, ANN + 1: Returned("y")}
        await tx.returned.keep("tok1", ANN + 1, Returned(why=("• over",)))
        assert await tx.returned.for_prompt("tok1") == {ANN: mine}
        await tx.returned.forget([])
        await tx.returned.forget(["tok1"])
        assert await tx.returned.for_prompt("tok1") == {}
        assert await tx.returned.of("tok2", ANN) == Returned("z")


async def test_a_press_finds_what_its_user_got_back_for_that_prompt_and_how_they_want_their_maps(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT, prompt("tok2", later=1))
    mine = Returned("", {"fleet": {"number": "seventy", "motto": None}}, ("• wrong",))
    async with store.write() as tx:
        await tx.returned.keep("tok1", ANN, mine)
        await tx.returned.keep("tok1", ABE, Returned("x"))
        await tx.readers.set_theme(ABE, "dark")
    async with store.read() as tx:
        found = {
            (token, user): await tx.prompts.pressed(token, user) for token in ("tok1", "tok2") for user in (ANN, ABE)
        }
    assert {key: (one.returned, one.theme) for key, one in found.items() if one} == {
        ("tok1", ANN): (mine, ""),
        ("tok1", ABE): (Returned("x"), "dark"),
        ("tok2", ANN): (Returned(), ""),
        ("tok2", ABE): (Returned(), "dark"),
    }


async def test_what_was_typed_is_its_writers_alone_until_its_sheet_closes_and_a_few_of_each(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT, prompt("tok2", later=1))
    async with store.write() as tx:
        await tx.typed.keep(ABE, TypedText(1, "tok1", "x"))
        for number in range(2, 4 + MOST_KEPT):
            await tx.typed.keep(ANN, TypedText(number, "tok1" if number % 2 else "tok2", f"t{number}"))
    async with store.write() as tx:
        assert await tx.typed.find(1, ANN) is None
        assert await tx.typed.find(1, ABE) == TypedText(1, "tok1", "x")
        assert [bool(await tx.typed.find(number, ANN)) for number in range(2, 6)] == [False, False, True, True]
        await tx.typed.keep(ANN, TypedText(5, None, "other"))
        await tx.typed.is_saved(5)
        assert await tx.typed.find(5, ANN) == TypedText(5, None, "other", saved=True)
        await tx.typed.forget([])
        await tx.typed.forget(["tok2"])
        assert [bool(await tx.typed.find(number, ANN)) for number in range(4, 8)] == [False, True, False, True]


async def test_open_prompts_are_those_of_one_side_or_one_ask_in_the_order_in_which_they_were_opened(store: Store):
    await founded(store)
    await founded(store, "c2")
    await add(
        store, prompt("d", later=2, side="blue"), prompt("c", later=1, ask_id="battle", side="red"),
        prompt("b", later=1, ask_id="battle", side="blue"), prompt("a", later=1, ask_id="after"),
        prompt("e", later=0), prompt("z", later=0, campaign_id="c2"),
        prompt("closed", later=0, status=PromptStatus.CLOSED),
    )  # fmt: skip
    assert await open_tokens(store) == ["e", "a", "b", "c", "d"], "by moment, ask and token"
    assert await open_tokens(store, "c1", "red") == ["e", "a", "c"]
    assert await open_tokens(store, "c1", "blue") == ["b", "d"]
    assert await open_tokens(store, "c1", None, "battle") == ["b", "c"]
    assert await open_tokens(store, "c1", "red", "battle") == ["c"]
    assert await open_tokens(store, "c1", "green") == []
    assert await open_tokens(store, "c2") == ["z"]


async def test_what_is_asked_of_a_user_is_what_their_side_has_open(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    await seated(store, (ANN, "red"), (SAM, places.SPECTATOR))
    played, closes = Played(), NOON + timedelta(hours=2)
    played.remark("on the record")
    mine = [prompt("b", later=1, side="red"), prompt("a", later=2, side="red")]
    await add(store, *reversed(mine), prompt("theirs", side="blue"), prompt("z", side="red", campaign_id="c2"))
    await add(store, prompt("closed", side="red", status=PromptStatus.CLOSED))
    async with store.write() as tx:
        await tx.deadlines.keep(deadlines.Deadline("c1", 1, NOON, closes))
        for transition in played.transitions:
            await tx.journal.append("c1", [transition])
    async with store.read() as tx:
        ann = await tx.prompts.open_for("c1", ANN)
        assert ann == OpenFor(INFO, "red", tuple((one, closes) for one in mine))
        assert ann is not None
        assert ann.campaign.head == played.entries[-1].hash
        assert await tx.prompts.open_for("c1", SAM) == OpenFor(INFO, places.SPECTATOR, ())
        assert await tx.prompts.open_for("c1", ABE) == OpenFor(INFO, None, ())
        assert await tx.prompts.open_for("c2", ANN) == OpenFor(replace(INFO, id="c2"), None, ())
        assert await tx.prompts.open_for("c3", ANN) is None


async def test_closing_gives_those_that_were_open_and_leaves_the_others(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    mine = [
        prompt(token, later=number, ask_id=token[0], side=side)
        for number, (token, side) in enumerate((("a1", "red"), ("a2", "blue"), ("b1", "red"), ("c1", "red")))
    ]
    theirs = prompt("z1", ask_id="a", campaign_id="c2")
    await add(store, *mine, theirs)
    async with store.write() as tx:
        assert await tx.prompts.close("c1", ["a", "x"]) == mine[:2]
        assert await tx.prompts.close("c1", ["a"]) == []
        assert await tx.prompts.close("c1", []) == []
    assert await open_tokens(store) == ["b1", "c1"]
    async with store.write() as tx:
        assert not await tx.prompts.is_open("a1")
        assert await tx.prompts.close("c1") == mine[2:]
        assert await tx.prompts.close("c1") == []
    assert await open_tokens(store) == []
    assert await open_tokens(store, "c2") == ["z1"]


async def test_an_ask_may_be_put_again_to_the_same_side_by_a_later_entry_alone(store: Store) -> None:
    """After a rewind the same ask opens anew."""
    await founded(store)
    await add(store, PROMPT, replace(PROMPT, token="tok2", opened_seq=9))
    with pytest.raises(IntegrityError):
        await add(store, replace(PROMPT, token="tok3"))
    assert await open_tokens(store) == ["tok1", "tok2"]


# --- presses ----------------------------------------------------------------------------------------------------------
async def test_a_press_finds_the_prompt_its_campaign_the_seat_of_who_pressed_and_when_it_closes(store: Store) -> None:
    await founded(store, status=campaigns.CampaignStatus.RUNNING)
    await founded(store, "c2")
    await seated(store, (ANN, "red"), (SAM, places.SPECTATOR))
    await seated(store, (LEO, "red"), campaign_id="c2")
    await add(store, PROMPT)
    campaign = replace(INFO, status=campaigns.CampaignStatus.RUNNING)
    async with store.read() as tx:
        pressed = {user: await tx.prompts.pressed("tok1", user) for user in (ANN, SAM, LEO)}
        assert await tx.prompts.pressed("tok2", ANN) is None
    seats = {ANN: "red", SAM: places.SPECTATOR, LEO: None}
    assert pressed == {user: PressedPrompt(PROMPT, campaign, seat, None) for user, seat in seats.items()}
    closes = NOON + timedelta(hours=1)
    async with store.write() as tx:
        await tx.deadlines.keep(deadlines.Deadline("c1", 1, NOON, closes))
        await tx.deadlines.keep(deadlines.Deadline("c2", 1, NOON, NOON))
        assert await tx.prompts.pressed("tok1", ANN) == PressedPrompt(PROMPT, campaign, "red", closes)


async def test_a_press_on_a_closed_prompt_finds_it_closed(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT)
    async with store.write() as tx:
        await tx.prompts.close("c1")
        pressed = await tx.prompts.pressed("tok1", ANN)
    assert pressed is not None
    assert pressed.prompt == replace(PROMPT, status=PromptStatus.CLOSED)


# --- copies -----------------------------------------------------------------------------------------------------------
async def copied(store: Store, token: str, *copies: PromptCopy) -> None:
    async with store.write() as tx:
        for copy in copies:
            await tx.prompts.add_copy(token, copy)


async def test_the_messages_of_a_prompt_are_found_by_user_and_by_message(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT, prompt("tok2"))
    one, two, three = PromptCopy(1, 2**62, ANN), PromptCopy(2, 5, ABE), PromptCopy(2, 6, ABE)
    await copied(store, "tok1", one, three, two)
    await copied(store, "tok2", PromptCopy(1, 7, ANN))
    async with store.read() as tx:
        assert await tx.prompts.copies("tok1") == [two, three, one]
        assert await tx.prompts.copies("tok1", user_id=ABE) == [two, three]
        assert await tx.prompts.copies("tok1", message_id=6) == [three]
        assert await tx.prompts.copies("tok1", user_id=ANN, message_id=6) == []
        assert await tx.prompts.copies("tok1", message_id=7) == [], "it is another prompt's"
        assert await tx.prompts.copies("tok3") == []


async def test_a_message_is_remembered_once_and_only_of_a_prompt_that_is_there(store: Store) -> None:
    await founded(store)
    await add(store, PROMPT)
    await copied(store, "tok1", PromptCopy(1, 5, ANN), PromptCopy(2, 5, ABE))
    await copied(store, "nobody", PromptCopy(1, 5, ANN))
    async with store.write() as tx:
        assert await tx.prompts.copies("tok1") == [PromptCopy(2, 5, ABE)]
        assert await tx.prompts.copies("nobody") == []
        await tx.prompts.forget_copy("tok1", 6)
        assert await tx.prompts.copies("tok1") == [PromptCopy(2, 5, ABE)]
        await tx.prompts.forget_copy("tok1", 5)
        assert await tx.prompts.copies("tok1") == []


async def test_only_those_who_command_its_side_now_have_a_commanders_copy(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    await seated(store, (ANN, "red"), (ABE, "red"), (LEO, "blue"), (SAM, places.SPECTATOR))
    await add(store, PROMPT, prompt("tok2", side="blue"))
    copies = [PromptCopy(1, 10 + number, user) for number, user in enumerate((ABE, ANN, LEO, SAM, 0))]
    await copied(store, "tok1", *copies, PromptCopy(1, 5, ANN))
    await copied(store, "tok2", PromptCopy(1, 30, LEO), PromptCopy(1, 31, ANN))

    async def commanders(of: Prompt) -> list[int]:
        async with store.read() as tx:
            return [copy.message_id for copy in await tx.prompts.commanders_copies(of)]

    assert await commanders(PROMPT) == [5, 10, 11]
    assert await commanders(prompt("tok2", side="blue")) == [30]
    async with store.write() as tx:  # Ann leaves; she commands the same side elsewhere
        await tx.members.remove("c1", ANN)
        await tx.members.add("c2", ANN, side="red", name="n", at=NOON)
    assert await commanders(PROMPT) == [10]
