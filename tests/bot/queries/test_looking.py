"""Maps, forces, the log, help, rulings: each from the caller's own view."""

import pytest

from bot.commands import look
from bot.commands.look import forces_text
from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, Panel, SideView
from tests.bot.worlds.simulated_server import SimulatedServer, said


async def to_spoils(here: SimulatedServer) -> str:
    """Red named the higher number and has the spoils to choose; a spy of blue's was told it."""
    campaign = await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.fill(here.leo, "Missions", "0.0", f0=True, f1="2")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    return campaign


async def test_the_map_is_a_picture_with_words_and_a_neutral_name(here: SimulatedServer) -> None:
    await here.begin()
    result = await here.slash(here.ann, "map")
    assert result.ephemeral
    (part,) = result.followups or [result.response]
    assert part is not None
    (file,) = part.attachments
    assert file.filename == "map.png"
    assert file.description
    assert "F1" in file.description


async def test_the_map_in_words_is_each_callers_own(here: SimulatedServer) -> None:
    await here.begin()
    red = said(await here.slash(here.ann, "map", text=True))
    blue = said(await here.slash(here.leo, "map", text=True))
    public = said(await here.slash(here.sam, "map", text=True))
    everything = said(await here.slash(here.rita, "map", text=True))
    assert "0101" in red
    assert "0101" not in blue
    assert "F1" not in public
    assert "with everything on it" in everything
    assert "with everything on it" not in red + blue + public


async def test_an_area_that_is_not_on_the_map_is_corrected(here: SimulatedServer) -> None:
    await here.begin()
    assert "“9999” is not a hex of this map." in said(await here.slash(here.ann, "map", area="9999"))
    result = await here.slash(here.ann, "map", area="0201")
    assert (result.followups or [result.response])[0] is not None


async def test_forces_list_own_things(here: SimulatedServer) -> None:
    await here.begin()
    text = said(await here.slash(here.ann, "forces"))
    assert "**F1**, hex 0101" in text
    assert "• ships 5" in text


def test_forces_name_outsiders_and_not_their_keys() -> None:
    view = SideView(side="red", board=here_be_monsters())
    assert "**E1**, Beasts of the Rim, hex 0101, ID1" in forces_text(view)
    assert "**E2**, hex 0102, ID1" in forces_text(view), "of sides the line says no more than before"
    assert "monsters" not in forces_text(view)
    assert "E1" in forces_text(view, "beasts")


def here_be_monsters() -> Board:
    """A board with an outsider's counter and one of a side."""
    return Board(
        campaign="C",
        rulebook="none",
        heading="Turn 1",
        when=When(turn=1),
        sides=tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue")),
        outsiders=(Outsider(key="monsters", name="Beasts of the Rim", emblem="B"),),
        grid=Grid(columns=4, rows=4),
        counters=(
            Counter(id="E1", hex="0101", owner="monsters", label="E1", level=1, level_name="ID1"),
            Counter(id="E2", hex="0102", owner="blue", label="E2", level=1, level_name="ID1"),
        ),
    )


async def test_the_log_holds_what_the_side_was_told_and_nothing_else(here: SimulatedServer) -> None:
    await to_spoils(here)
    told = await here.slash(here.leo, "log")
    assert told.response is not None
    blue = said(told)
    red = said(await here.slash(here.ann, "log"))
    assert blue == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    why = said(await here.leo.click(told.response, label="1 Why?"))
    assert why.startswith("**Turn 1**\nOur spy reports: Red Fleet named 7.\n• bribe 2\n• Dice: spying, 1D6: ")
    assert why.endswith("• Rule: 3.1")
    assert "spy reports" not in red
    assert "Red Fleet named the higher number." in red


async def test_an_empty_log_says_so(here: SimulatedServer) -> None:
    await here.begin()
    assert said(await here.slash(here.ann, "log")) == "Your side has been told nothing yet."


async def test_help_knows_where_one_stands(here: SimulatedServer) -> None:
    assert "You are in no campaign here yet." in said(await here.slash(here.ann, "help"))
    await here.found()
    assert "Nobody commands Red Fleet, Blue Fleet yet" in said(await here.slash(here.rita, "help"))
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="blue")
    assert "Every seat is taken: `/campaign start` begins." in said(await here.slash(here.rita, "help"))
    assert "Play begins when the referee says so" in said(await here.slash(here.ann, "help"))
    await here.slash(here.rita, "campaign start")
    text = said(await here.slash(here.ann, "help"))
    assert "• **Orders for turn 1**: nothing saved yet, closes <t:" in text
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert "The spoils" in said(await here.slash(here.ann, "help"))
    waiting = said(await here.slash(here.leo, "help"))
    assert "Nothing is asked of you now" in waiting
    assert "<t:" not in waiting
    for command in ("orders show", "orders ready"):
        looked_for = said(await here.slash(here.leo, command))
        assert looked_for == "Nothing is asked of your side now; what comes next comes by itself."


async def test_orders_show_lists_several_sheets_and_opens_one(here: SimulatedServer) -> None:
    await here.begin()
    listed = await here.slash(here.ann, "orders show")
    assert listed.response is not None
    assert "2 sheets are open" in said(listed)
    opened = await here.ann.select(listed.response, [await here.token("red", "missions")])
    assert "A spy learns the other side's number." in said(opened) or "A spy learns" in said(listed)
    one = await here.slash(here.ann, "missions")
    assert "A spy learns" in said(one)


async def test_rulings_are_searched(here: SimulatedServer) -> None:
    await here.begin()
    assert "toy-1" in said(await here.slash(here.ann, "rulings"))
    assert "toy-1" in said(await here.slash(here.ann, "rulings", search="1.2"))
    assert said(await here.slash(here.ann, "rulings", search="logistics")) == (
        "No ruling of Secret Numbers speaks of that."
    )


SHIPS = (
    "C5 North picket in 0707",
    "  Estoc: fuel 16 of 16",
    "  Jagged Edge: fuel 12 of 16",
    "C51 Reserve in 1715",
    "  Axe: fuel 16 of 16",
)


async def side_view(here: SimulatedServer) -> SideView:
    campaign = await here.begin()
    view = await here.bot.services.queries.views.of_side(campaign, here.ann.user.id)
    panel = Panel(title="Task forces", rows=SHIPS)
    return view.model_copy(update={"board": view.board.model_copy(update={"panels": (panel,), "counters": ()})})


async def test_forces_about_something_tell_that_alone(here: SimulatedServer) -> None:
    view = await side_view(here)
    heading = f"**{view.board.heading}**\n__Task forces__\n"
    rows = [f"• {row}" for row in SHIPS]
    assert forces_text(view) == heading + "\n".join(rows)
    assert forces_text(view, "c5") == forces_text(view, "0707") == heading + "\n".join(rows[:3])
    assert forces_text(view, " jagged edge ") == heading + "\n".join((rows[0], rows[2]))
    assert forces_text(view, "C52") == "Nothing of yours, or known to you, has “C52” in it."
    told = said(await here.slash(here.ann, "forces", about="no such thing"))
    assert told == "Nothing of yours, or known to you, has “no such thing” in it."


async def test_forces_that_nobody_would_read_through_are_told_in_short(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await side_view(here)
    monkeypatch.setattr(look, "MOST_FORCES", len(forces_text(view)))
    assert "In short" not in forces_text(view)
    monkeypatch.setattr(look, "MOST_FORCES", len(forces_text(view)) - 1)
    short = forces_text(view)
    assert "• C5 North picket in 0707\n• C51 Reserve in 1715\n-# In short. `/forces about:`" in short
    assert "Estoc" not in short
