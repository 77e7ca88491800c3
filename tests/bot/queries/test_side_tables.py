"""``/ledger`` and ``/odds``: one's own, as a table and as a file; what is not there is named."""

import csv
import io
from typing import Any

import pytest

from bot.commands.side_tables import ledger_csv, ledger_text
from rules_engine.core.forms.forms import Choice
from rules_engine.core.knowledge.odds import OddsMenu
from rules_engine.core.knowledge.side_tables import SideTable
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.toy import Toy


async def offered(here: SimulatedServer, who: Any, command: str, option: str) -> list[str]:
    return [choice["value"] for choice in await who.autocomplete(here.hall, command, option, "")]


async def test_completion_offers_only_what_the_caller_may_read(here: SimulatedServer) -> None:
    await here.begin()
    assert await offered(here, here.ann, "ledger", "which") == ["fleet", "contacts", "dice"]
    assert "blue.dice" in await offered(here, here.rita, "ledger", "which")
    assert await offered(here, here.ann, "odds", "own") == ["F1"]
    assert await offered(here, here.ann, "odds", "target") == ["E1"]
    for stranger in (here.sam, here.zoe):
        assert await offered(here, stranger, "ledger", "which") == []
        assert await offered(here, stranger, "odds", "own") == []


async def test_a_commander_reads_the_tables_of_the_own_side_and_no_others(here: SimulatedServer) -> None:
    campaign = await here.begin()
    mine = await here.slash(here.ann, "ledger", which="fleet", campaign=campaign)
    assert "**The fleet**" in said(mine)
    assert mine.response is not None
    assert [file.filename for file in mine.response.attachments] == ["fleet.csv"]
    other = await here.slash(here.ann, "ledger", which="blue.fleet", campaign=campaign)
    assert said(other).startswith("There is no ledger “blue.fleet”")
    assert "fleet" in said(other)


async def test_a_referee_without_a_side_reads_every_sides(here: SimulatedServer) -> None:
    campaign = await here.begin()
    for side in ("red", "blue"):
        result = await here.slash(here.rita, "ledger", which=f"{side}.fleet", campaign=campaign)
        assert "The fleet" in said(result)


async def test_dice_and_contacts_have_tables_in_every_rulebook(here: SimulatedServer) -> None:
    campaign = await here.begin()
    for which in ("dice", "contacts"):
        assert "Nothing so far." in said(await here.slash(here.ann, "ledger", which=which, campaign=campaign))


async def test_odds_are_told_of_what_is_ones_own(here: SimulatedServer) -> None:
    campaign = await here.begin()
    assert "It is even." in said(await here.slash(here.ann, "odds", own="F1", target="E1", campaign=campaign))
    wrong = await here.slash(here.ann, "odds", own="F2", target="E1", campaign=campaign)
    assert "is no fleet" in said(wrong)
    assert "F1" in said(wrong)


async def test_where_there_are_no_odds_it_is_said_why(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = await here.begin()

    def menu_of(menu: OddsMenu) -> None:
        monkeypatch.setattr(Toy, "odds_menu", lambda *_: menu)

    ship = Choice(value="F1", label="a fleet")
    menu_of(OddsMenu(own=(), targets=(ship,)))
    assert "This rulebook has no odds" in said(
        await here.slash(here.ann, "odds", own="F1", target="E1", campaign=campaign)
    )
    menu_of(OddsMenu(own=(ship,), targets=()))
    told = said(await here.slash(here.ann, "odds", own="F1", target="E1", campaign=campaign))
    assert "Your side knows of nothing now" in told


async def test_odds_are_for_who_commands_a_side(here: SimulatedServer) -> None:
    campaign = await here.begin()
    for who in (here.rita, here.sam, here.zoe):
        told = said(await here.slash(who, "odds", own="F1", target="E1", campaign=campaign))
        assert "even" not in told
        assert told


def test_a_table_shows_its_newest_rows_and_says_how_many_there_are() -> None:
    table = SideTable(key="x", title="X", columns=("A", "B"), rows=tuple((str(n), "") for n in range(40)))
    text = ledger_text(table)
    assert "• 39" in text
    assert "• 24\n" not in text
    assert "25 before these; the file has all 40" in text


def test_a_file_is_no_program() -> None:
    """A spreadsheet runs what begins with an equals sign; a name may."""
    table = SideTable(key="x", title="X", columns=("A", "B"), rows=(("=1+1", "-2 1/2"), ("+cmd", "@x")))
    rows = list(csv.reader(io.StringIO(ledger_csv(table).decode("utf-8-sig"))))
    assert rows == [["A", "B"], ["'=1+1", "-2 1/2"], ["'+cmd", "'@x"]]
