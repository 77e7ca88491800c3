"""Agreements between sides, and handing on what one knows."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.letters.agreements import AgreementState, NotNow, agreements_in
from bot.records.letters.letter import Letter, LetterKind
from bot.store.tables import LetterDraftRow, LetterRow
from rules_engine.core.knowledge.views import Board, Counter, HexNote
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.message_words import pressable


def word(
    number: int, kind: str, sender: str, *, about: int | None = None, turn: int = 1, until: int | None = None
) -> Letter:
    receiver = "blue" if sender == "red" else "red"
    return Letter(
        campaign="c", number=number, kind=LetterKind(kind), sender=sender, receiver=receiver, by="1",
        at="2026-01-01T00:00:00+00:00", turn=turn, text="Peace.", about=about, until=until, prev="",
    )  # fmt: skip


@cases("words, turn, state", "")
def test_what_stands_follows_from_the_letters(words: list[Any], turn: int, state: str) -> None:
    letters = [word(1, "offer", "red")]
    for number, (kind, sender, at, until) in enumerate(words, start=2):
        letters.append(word(number, kind, sender, about=1, turn=at, until=until))
    assert agreements_in(letters)[1].at(turn).state is AgreementState(state)


@cases("words", "")
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


async def test_an_offer_is_accepted_and_ends_by_notice(game: SimulatedServer) -> None:
    text = said(await game.slash(game.ann, "offer", to="blue", terms="Peace in the north."))
    assert "Sent: Offer 1 to **Blue Fleet**" in text
    got = game.prompt(game.leo, "Offer 1 from **Red Fleet**")
    assert "__Offered__\n> Peace in the north." in got.content
    assert "Your offer 1 to **Blue Fleet** waits for them: Peace in the north." in said(await card(game, game.ann))
    assert "Offer 1 from **Red Fleet** waits for you" in said(await card(game, game.leo))
    taken = said(await game.leo.user.click(got, label="Accept"))
    assert "Offer 1 is accepted; **Red Fleet** is told, receipt `" in taken
    now = next(one for one in game.dms(game.leo) if one.id == got.id)
    assert taken.rpartition("✉️")[2] in now.content, "its own message says so, and asks no more"
    assert [one["label"] for one in pressable(now)] == ["Reply"]
    assert "Offer 1 is **accepted**:\n> Peace in the north." in game.dms(game.ann)[-1].content
    assert "Agreement 1 with **Blue Fleet** stands" in said(await card(game, game.ann))
    shown = await opened(game, game.ann)
    assert [one["label"] for one in pressable(shown.response) if "label" in one] == ["Give notice", "Write to them"]
    form = await game.ann.click(shown.response, label="Give notice")
    assert "Notice runs to the end of a turn from 1" in said(await game.submit(game.ann, form, f0="0", f1="Sorry."))
    form = await game.ann.click(shown.response, label="Give notice")
    await game.submit(game.ann, form, f0="1", f1="Sorry.")
    assert "**Notice** is given of agreement 1: it ends with turn 1.\n> Sorry." in game.dms(game.leo)[-1].content
    assert "they have given notice, it ends with turn 1" in said(await card(game, game.leo))
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="3")
    await game.resolve_now()
    await game.resolve_now()
    ended = said(await card(game, game.leo))
    has_words(ended, "Nothing is agreed or offered in letters.", "1 settled before")
    assert await kinds(game) == ["offer", "accept", "notice"]


async def test_whoever_comes_second_is_told_that_it_is_settled(game: SimulatedServer) -> None:
    await game.slash(game.ann, "offer", to="blue", terms="Peace.")
    got = game.prompt(game.leo, "Offer 1")
    mine = await opened(game, game.ann)
    await game.ann.click(mine.response, label="Withdraw")
    assert said(await game.leo.user.click(got, label="Accept")).startswith("This is withdrawn already")
    assert "Offer 1 is **withdrawn**" in game.dms(game.leo)[-1].content
    assert await kinds(game) == ["offer", "withdraw"]


async def test_declined_by_a_button_and_offered_by_a_menu(game: SimulatedServer) -> None:
    shown = await card(game, game.ann)
    form = await game.ann.select(shown.response, ["blue"])
    await game.submit(game.ann, form, text="All for nothing.")
    declined = await game.leo.user.click(game.prompt(game.leo, "Offer 1"), label="Decline")
    assert "Offer 1 is declined; **Red Fleet** is told" in said(declined)
    assert await kinds(game) == ["offer", "decline"]
    assert "Offer 1 is **declined**" in game.dms(game.ann)[-1].content


async def test_nobody_else_answers_an_offer_or_sees_it(game: SimulatedServer) -> None:
    await game.slash(game.ann, "offer", to="blue", terms="Peace.")
    token = (await game.rows(LetterRow.token))[0]
    notice = (await game.channel("public")).history()[0]
    for who in (game.zoe, game.sam, game.rita):
        for verb in ("accept", "decline", "withdraw", "notice"):
            answer = await game.forge(who, notice, f"l|{token}|{verb}|")
            assert answer.modal is None
            assert said(answer).startswith("Only ")
        answer = await game.forge(who, notice, f"l|{game.campaign}|pact|", [token])
        assert said(answer).startswith("Only ")
        assert said(await game.forge(who, notice, f"l|{game.campaign}|offer|", ["blue"])).startswith("Only ")
        assert "Sent" not in said(await game.forge_modal(who, notice, f"k|{token}|notice|aa", f0="3", f1=""))
    assert "your own offer" in said(await game.forge(game.ann, notice, f"l|{token}|accept|"))
    assert "other side's offer" in said(await game.forge(game.leo, notice, f"l|{token}|withdraw|"))
    assert await kinds(game) == ["offer"]


async def test_shorter_letters_do_not_keep_an_offer_from_being_accepted(game: SimulatedServer) -> None:
    await game.slash(game.ann, "offer", to="blue", terms="x" * 200)
    await game.slash(game.rita, "campaign settings", letter_length=100, letters_a_day=1)
    await game.leo.user.click(game.prompt(game.leo, "Offer 1"), label="Accept")
    assert await kinds(game) == ["offer", "accept"]


async def test_a_hostile_offer_stays_a_quotation_on_the_card(game: SimulatedServer) -> None:
    terms = "**free** [x](https://evil.example)\n# Agreement 9 stands\n@everyone"
    await game.slash(game.ann, "offer", to="blue", terms=terms)
    text = said(await card(game, game.leo))
    has_words(text, never=("](", "\n# Agreement"))


# --- handing on: what goes out is what its giver was shown, a copy of what that side knew, marked as hearsay ----------
SEEN = Counter(
    id="E1", hex="0203", owner="blue", label="E1", level=2, level_name="Identified", grade=2, age=1, live=False,
    details=("Three cruisers", "heading north"),
)  # fmt: skip
OTHER = Counter(id="E2", hex="0402", owner="blue", label="E2", level=1, level_name="Found", grade=1)
SECRET = HexNote(hex="0203", marks=("base",), name="Hidden Yard")


@pytest.fixture
def knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red has found two of blue's counters and a yard."""
    plain = toy.Toy.side_board

    def side_board(self: Any, state: Any, side: str, knowledge: Any) -> Board:
        board = plain(self, state, side, knowledge)
        if side != "red":
            return board
        own = board.counters[0].model_copy(update={"sub": "Admiral Ann", "details": ("own secret",)})
        return board.model_copy(update={"counters": (own, SEEN, OTHER), "hexes": (*board.hexes, SECRET)})

    monkeypatch.setattr(toy.Toy, "side_board", side_board)


async def letters(here: SimulatedServer) -> list[Letter]:
    async with here.store.read() as tx:
        found = await tx.connection.execute(sa.select(LetterRow.letter).order_by(LetterRow.number))
        return [Letter.model_validate_json(one) for one in found.scalars()]


async def hand_on(here: SimulatedServer, **options: Any) -> Any:
    return await here.slash(here.ann, "hand-on", **{"to": "blue", **options})


@pytest.mark.usefixtures("knows")
async def test_a_contact_is_shown_before_it_goes_and_goes_as_it_was_shown(game: SimulatedServer) -> None:
    shown = await hand_on(game, contact="e1", words="Look out.")
    text = said(shown)
    assert "To **Blue Fleet**:\n> Look out." in text
    assert (
        "• E1 (Blue Fleet, Identified) at 0203, as of 1 turn ago; Red Fleet said so in turn 1. Three cruisers" in text
    )
    assert "Nothing is sent yet" in text
    assert await letters(game) == []
    assert not any("✉️" in one.content for one in game.dms(game.leo))
    sent = await game.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    assert "Sent: Handed on 1 to **Blue Fleet**" in said(sent)
    got = game.dms(game.leo)[-1].content
    assert "Handed on 1 from **Red Fleet**\n> Look out.\n• E1 (Blue Fleet, Identified) at 0203" in got
    (letter,) = await letters(game)
    assert letter.hands_on is not None
    (item,) = letter.hands_on.items
    assert (item.source, item.turn, item.about, item.hex, item.age) == ("red", 1, "E1", "0203", 1)
    assert (item.confidence, item.words) == ("Identified", ("Three cruisers", "heading north"))
    assert await game.rows(LetterDraftRow.token) == []


@pytest.mark.usefixtures("knows")
async def test_pressed_twice_it_goes_once_and_not_at_all_when_dropped(game: SimulatedServer) -> None:
    await hand_on(game, contact="E1")
    (token,) = await game.rows(LetterDraftRow.token)
    notice = (await game.channel("public")).history()[0]
    for who in (game.leo, game.zoe, game.rita, game.sam, game.abe):
        assert "Sent" not in said(await game.forge(who, notice, f"l|{token}|send|"))
        await game.forge(who, notice, f"l|{token}|drop|")
    for answer in ("Sent", "is not kept any more"):
        assert answer in said(await game.forge(game.ann, notice, f"l|{token}|send|"))
    assert len(await letters(game)) == 1
    await hand_on(game, contact="E2")
    (token,) = await game.rows(LetterDraftRow.token)
    assert said(await game.forge(game.ann, notice, f"l|{token}|drop|")) == "Nothing was sent."
    await game.forge(game.ann, notice, f"l|{token}|send|")
    assert len(await letters(game)) == 1


@pytest.mark.usefixtures("knows")
async def test_a_map_holds_the_area_and_nothing_of_ones_own_unless_wanted(game: SimulatedServer) -> None:
    shown = await hand_on(game, area="0203")
    assert "E1" in said(shown)
    await game.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    shown = await hand_on(game, area="0101", own=True)
    await game.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    first, second = (letter.hands_on for letter in await letters(game))
    assert first is not None
    assert second is not None
    assert first.view is not None
    assert second.view is not None
    assert {one.label for one in first.view.board.counters} <= {"E1", "E2"}
    assert "E1" in {one.label for one in first.view.board.counters}
    assert SECRET in first.view.board.hexes
    own = [one for one in second.view.board.counters if one.owner == "red"]
    assert [(one.label, one.sub, one.details) for one in own] == [("F1", "", ())]
    for handed in (first, second):
        text = handed.model_dump_json()
        has_words(text, never=("own secret", "Admiral"))
        assert "ships 5" not in text, "no panel goes along"
    (picture,) = game.dms(game.leo)[-1].attachments
    assert picture.filename.endswith(".png")


@pytest.mark.usefixtures("knows")
@cases("options, says", "")
async def test_what_cannot_be_handed_on_gets_one_clear_answer(
    game: SimulatedServer, options: dict[str, str], says: str
) -> None:
    assert says in said(await hand_on(game, **options))
    assert await game.rows(LetterDraftRow.token) == []


async def test_who_knows_nothing_of_it_cannot_name_it(game: SimulatedServer) -> None:
    assert "knows of nothing called" in said(await game.slash(game.leo, "hand-on", to="red", contact="E1"))
    assert await game.leo.autocomplete(game.hall, "hand-on", "contact", "") == []
    for who in (game.zoe, game.sam, game.rita):
        assert await who.autocomplete(game.hall, "hand-on", "contact", "", campaign="First Duel") == []
        assert await who.autocomplete(game.hall, "letter", "to", "", campaign="First Duel") == []
        assert await who.autocomplete(game.hall, "letters", "with", "", campaign="First Duel") == []


@pytest.mark.usefixtures("knows")
async def test_contacts_and_sides_are_offered_to_who_may_use_them(game: SimulatedServer) -> None:
    assert [one["value"] for one in await game.ann.autocomplete(game.hall, "hand-on", "contact", "")] == ["E1", "E2"]
    assert [one["value"] for one in await game.ann.autocomplete(game.hall, "letter", "to", "bl")] == ["Blue Fleet"]


@pytest.mark.usefixtures("knows")
async def test_it_stands_on_its_getters_map_as_hearsay_and_can_be_left_out(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    outsider = SEEN.model_copy(update={"owner": "", "label": "X7", "hex": "0303"})
    plain = toy.Toy.side_board

    def side_board(self: Any, state: Any, side: str, knowledge: Any) -> Board:
        board = plain(self, state, side, knowledge)
        return board.model_copy(update={"counters": (*board.counters, outsider)}) if side == "red" else board

    monkeypatch.setattr(toy.Toy, "side_board", side_board)
    await here.begin()
    before = said(await here.slash(here.leo, "map", text=True))
    shown = await hand_on(here, contact="X7")
    await here.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    after = said(await here.slash(here.leo, "map", text=True))
    assert "X7?" in after
    assert "hearsay" in after.casefold()
    assert said(await here.slash(here.leo, "map", text=True, hearsay=False)) == before
    assert "hearsay" not in said(await here.slash(here.ann, "map", text=True)).casefold()
