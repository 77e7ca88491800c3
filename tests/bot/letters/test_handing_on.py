"""Handing on: what goes out is what its giver was shown, a copy of what that side knew, marked as hearsay."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.letters.letter import Letter
from bot.store.tables import LetterDraftRow, LetterRow
from rules_engine.core.knowledge.views import Board, Counter, HexNote
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said

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
async def test_a_contact_is_shown_before_it_goes_and_goes_as_it_was_shown(here: SimulatedServer) -> None:
    await here.begin()
    shown = await hand_on(here, contact="e1", words="Look out.")
    text = said(shown)
    assert "To **Blue Fleet**:\n> Look out." in text
    assert (
        "• E1 (Blue Fleet, Identified) at 0203, as of 1 turn ago; Red Fleet said so in turn 1. Three cruisers" in text
    )
    assert "Nothing is sent yet" in text
    assert await letters(here) == []
    assert not any("✉️" in one.content for one in here.dms(here.leo))
    sent = await here.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    assert "Sent: Handed on 1 to **Blue Fleet**" in said(sent)
    got = here.dms(here.leo)[-1].content
    assert "Handed on 1 from **Red Fleet**\n> Look out.\n• E1 (Blue Fleet, Identified) at 0203" in got
    (letter,) = await letters(here)
    assert letter.hands_on is not None
    (item,) = letter.hands_on.items
    assert (item.source, item.turn, item.about, item.hex, item.age) == ("red", 1, "E1", "0203", 1)
    assert (item.confidence, item.words) == ("Identified", ("Three cruisers", "heading north"))
    assert await here.rows(LetterDraftRow.token) == []


@pytest.mark.usefixtures("knows")
async def test_pressed_twice_it_goes_once_and_not_at_all_when_dropped(here: SimulatedServer) -> None:
    await here.begin()
    await hand_on(here, contact="E1")
    (token,) = await here.rows(LetterDraftRow.token)
    notice = (await here.channel("public")).history()[0]
    for who in (here.leo, here.zoe, here.rita, here.sam, here.abe):
        assert "Sent" not in said(await here.forge(who, notice, f"l|{token}|send|"))
        await here.forge(who, notice, f"l|{token}|drop|")
    assert "Sent" in said(await here.forge(here.ann, notice, f"l|{token}|send|"))
    assert "is not kept any more" in said(await here.forge(here.ann, notice, f"l|{token}|send|"))
    assert len(await letters(here)) == 1
    await hand_on(here, contact="E2")
    (token,) = await here.rows(LetterDraftRow.token)
    assert said(await here.forge(here.ann, notice, f"l|{token}|drop|")) == "Nothing was sent."
    await here.forge(here.ann, notice, f"l|{token}|send|")
    assert len(await letters(here)) == 1


@pytest.mark.usefixtures("knows")
async def test_a_map_holds_the_area_and_nothing_of_ones_own_unless_wanted(here: SimulatedServer) -> None:
    await here.begin()
    shown = await hand_on(here, area="0203")
    assert "E1" in said(shown)
    await here.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    shown = await hand_on(here, area="0101", own=True)
    await here.ann.click(shown.followups[-1] if shown.followups else shown.response, label="Send")
    first, second = (letter.hands_on for letter in await letters(here))
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
        assert "own secret" not in text
        assert "Admiral" not in text
        assert "ships 5" not in text, "no panel goes along"
    (picture,) = here.dms(here.leo)[-1].attachments
    assert picture.filename.endswith(".png")


@pytest.mark.usefixtures("knows")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "either a `contact` of yours, or an `area`"),
        ({"contact": "E1", "area": "0203"}, "either a `contact` of yours, or an `area`"),
        ({"contact": "E9"}, "Your side knows of nothing called “E9”. There is: E1, E2."),
        ({"contact": "F1"}, "knows of nothing called “F1”"),
        ({"area": "9999"}, "is not a hex of this map"),
        ({"contact": "E1", "to": "red"}, "You can write to no side called"),
        ({"contact": " , "}, "Say what you hand on"),
    ],
)
async def test_what_cannot_be_handed_on_gets_one_clear_answer(
    here: SimulatedServer, options: dict[str, str], says: str
) -> None:
    await here.begin()
    assert says in said(await hand_on(here, **options))
    assert await here.rows(LetterDraftRow.token) == []


async def test_who_knows_nothing_of_it_cannot_name_it(here: SimulatedServer) -> None:
    await here.begin()
    assert "knows of nothing called" in said(await here.slash(here.leo, "hand-on", to="red", contact="E1"))
    assert await here.leo.autocomplete(here.hall, "hand-on", "contact", "") == []
    for who in (here.zoe, here.sam, here.rita):
        assert await who.autocomplete(here.hall, "hand-on", "contact", "", campaign="First Duel") == []
        assert await who.autocomplete(here.hall, "letter", "to", "", campaign="First Duel") == []
        assert await who.autocomplete(here.hall, "letters", "with", "", campaign="First Duel") == []


@pytest.mark.usefixtures("knows")
async def test_contacts_and_sides_are_offered_to_who_may_use_them(here: SimulatedServer) -> None:
    await here.begin()
    found = await here.ann.autocomplete(here.hall, "hand-on", "contact", "")
    assert [one["value"] for one in found] == ["E1", "E2"]
    assert [one["value"] for one in await here.ann.autocomplete(here.hall, "letter", "to", "bl")] == ["Blue Fleet"]


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
    own = said(await here.slash(here.ann, "map", text=True))
    assert "hearsay" not in own.casefold()
