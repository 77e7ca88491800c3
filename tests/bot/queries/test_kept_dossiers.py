"""Dossiers that are kept as turns end, and ``/ledger`` and ``/odds``."""

import csv
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.campaigns.dossiers import known_of
from bot.commands.side_tables import ledger_csv, ledger_text
from bot.store.repositories.journal import Journal
from bot.store.tables import DossierRow
from rules_engine.core.forms.forms import Choice
from rules_engine.core.knowledge.odds import OddsMenu
from rules_engine.core.knowledge.side_tables import SideTable
from tests.bot.overviews.conftest import SEATS, CrownsServer
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said, simulated_server
from tests.core.knowledge.test_dossiers import TOLD
from tests.core.knowledge.test_dossiers import kept as learnt
from tests.expected.words import has_words
from tests.toy import Toy


# --- kept dossiers ----------------------------------------------------------------------------------------------------
# dossiers are kept as turns end: a look reads what was told since, and finds what all reports make; also after play
# went back, and in campaigns that have kept none yet.
@pytest.fixture
async def islands(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
    """The server, with a bot that runs."""
    async with simulated_server(tmp_path, CrownsServer) as made:
        yield made


async def play_a_turn(here: CrownsServer) -> int:
    """Everybody takes what is filled in until the turn has ended; its number."""
    before = turn = await turn_of(here)
    while turn == before:
        await here.everybody_is_ready()
        await here.later(5)
        await here.bot.delivery.idle()
        await here.env.settle()
        turn = await turn_of(here)
    return turn


async def id_of(here: CrownsServer) -> str:
    return (await here.bot.services.campaigns.in_server(here.guild.id))[0].id


async def turn_of(here: CrownsServer) -> int:
    async with here.bot.services.runtime.loaded.use(await id_of(here)) as adjudicator:
        return int(adjudicator.turn)


async def kept_up_to(here: CrownsServer) -> dict[str, int]:
    """Up to which entry each side's dossier is kept."""
    async with here.bot.services.runtime.store.read() as tx:
        found = [await tx.journal.dossier(await id_of(here), side) for side in SEATS.values()]
    return {side: one[0] for side, one in zip(SEATS.values(), found, strict=True) if one is not None}


async def same_as_all_reports(here: CrownsServer) -> int:
    """Compare each side's dossier with the one that all reports make; how many files there are."""
    campaign, files = await id_of(here), 0
    for who, side in SEATS.items():
        seen = await here.bot.services.queries.dossiers.of_side(campaign, here.people[who].user.id)
        async with here.bot.services.runtime.store.read() as tx:
            told = await tx.journal.reports(campaign)
        async with here.bot.services.runtime.loaded.use(campaign) as adjudicator:
            assert seen.dossier == adjudicator.dossier(side, told)
        files += len(seen.dossier.files)
    return files


async def test_each_turn_that_ends_is_kept_and_a_look_reads_only_what_was_told_since(
    islands: CrownsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await islands.begin()
    assert await kept_up_to(islands) == {}
    read: list[int] = []
    for _ in range(2):
        await play_a_turn(islands)
        ended = await kept_up_to(islands)
        assert set(ended) == set(SEATS.values())
        assert len(set(ended.values())) == 1
        assert await same_as_all_reports(islands) > 0
        async with islands.bot.services.runtime.store.read() as tx:
            _, since = await known_of(tx, await id_of(islands), "hydran")
            read.append(len(since))
            assert len(since) < len(await tx.journal.reports(await id_of(islands)))
    assert read[1] <= read[0] + 3

    async def never(*_: Any) -> Any:
        raise AssertionError("all reports were read")

    monkeypatch.setattr(Journal, "reports", never)
    await islands.slash(islands.ann, "dossier")
    assert not islands.failures()


async def test_after_play_went_back_it_is_as_if_what_was_told_then_had_not_been(islands: CrownsServer) -> None:
    await islands.begin()
    await play_a_turn(islands)
    await play_a_turn(islands)
    assert await turn_of(islands) == 3
    before = await kept_up_to(islands)
    campaign = await id_of(islands)
    async with islands.bot.services.runtime.store.write() as tx:  # something was learnt that is to be gone
        await tx.journal.keep_dossier(campaign, "hydran", before["hydran"], learnt(TOLD))
    rewinding = islands.bot.services.referee.rewinding
    points = await rewinding.points(campaign, islands.rita.id)
    await rewinding.rewind(campaign, islands.rita.id, points[-1][0], "a slip")
    assert await turn_of(islands) < 3
    assert min((await kept_up_to(islands)).values()) > max(before.values())
    await same_as_all_reports(islands)


@pytest.mark.parametrize(
    "lost", [sa.delete(DossierRow), sa.update(DossierRow).values(body='{"of": "another version"}')]
)
async def test_a_campaign_that_has_kept_none_that_can_be_read_reads_all_and_keeps_it_with_the_next_turn(
    islands: CrownsServer, lost: sa.Executable
) -> None:
    await islands.begin()
    await play_a_turn(islands)
    async with islands.bot.services.runtime.store.write() as tx:
        await tx.journal._connection.execute(lost)
    assert await kept_up_to(islands) == {}
    await same_as_all_reports(islands)
    await play_a_turn(islands)
    assert set(await kept_up_to(islands)) == set(SEATS.values())
    await same_as_all_reports(islands)


# --- ``/ledger`` and ``/odds``: one's own, as a table and as a file; what is not there is named -----------------------
async def offered(here: SimulatedServer, who: Any, command: str, option: str) -> list[str]:
    return [choice["value"] for choice in await who.autocomplete(here.hall, command, option, "")]


async def test_completion_offers_only_what_the_caller_may_read(game: SimulatedServer) -> None:
    assert await offered(game, game.ann, "ledger", "which") == ["fleet", "contacts", "dice"]
    assert "blue.dice" in await offered(game, game.rita, "ledger", "which")
    assert await offered(game, game.ann, "odds", "own") == ["F1"]
    assert await offered(game, game.ann, "odds", "target") == ["E1"]
    for stranger in (game.sam, game.zoe):
        assert await offered(game, stranger, "ledger", "which") == []
        assert await offered(game, stranger, "odds", "own") == []


async def test_a_commander_reads_the_tables_of_the_own_side_and_no_others(game: SimulatedServer) -> None:
    mine = await game.slash(game.ann, "ledger", which="fleet", campaign=game.campaign)
    assert "**The fleet**" in said(mine)
    assert [file.filename for file in message_of(mine).attachments] == ["fleet.csv"]
    other = await game.slash(game.ann, "ledger", which="blue.fleet", campaign=game.campaign)
    assert said(other).startswith("There is no ledger “blue.fleet”")
    assert "fleet" in said(other)


async def test_a_referee_without_a_side_reads_every_sides(game: SimulatedServer) -> None:
    for side in ("red", "blue"):
        assert "The fleet" in said(await game.slash(game.rita, "ledger", which=f"{side}.fleet", campaign=game.campaign))


async def test_dice_and_contacts_have_tables_in_every_rulebook(game: SimulatedServer) -> None:
    for which in ("dice", "contacts"):
        assert "Nothing so far." in said(await game.slash(game.ann, "ledger", which=which, campaign=game.campaign))


async def test_odds_are_told_of_what_is_ones_own(game: SimulatedServer) -> None:
    assert "It is even." in said(await game.slash(game.ann, "odds", own="F1", target="E1", campaign=game.campaign))
    wrong = await game.slash(game.ann, "odds", own="F2", target="E1", campaign=game.campaign)
    has_words(said(wrong), "is no fleet", "F1")


async def test_where_there_are_no_odds_it_is_said_why(here: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = await here.begin()

    def menu_of(menu: OddsMenu) -> None:
        monkeypatch.setattr(Toy, "odds_menu", lambda *_: menu)

    ship = Choice(value="F1", label="a fleet")
    menu_of(OddsMenu(own=(), targets=(ship,)))
    text = said(await here.slash(here.ann, "odds", own="F1", target="E1", campaign=campaign))
    assert "This rulebook has no odds" in text
    menu_of(OddsMenu(own=(ship,), targets=()))
    told = said(await here.slash(here.ann, "odds", own="F1", target="E1", campaign=campaign))
    assert "Your side knows of nothing now" in told


async def test_odds_are_for_who_commands_a_side(game: SimulatedServer) -> None:
    for who in (game.rita, game.sam, game.zoe):
        told = said(await game.slash(who, "odds", own="F1", target="E1", campaign=game.campaign))
        assert "even" not in told
        assert told


def test_a_table_shows_its_newest_rows_and_says_how_many_there_are() -> None:
    text = ledger_text(SideTable(key="x", title="X", columns=("A", "B"), rows=tuple((str(n), "") for n in range(40))))
    has_words(text, "• 39", "25 before these; the file has all 40", never="• 24\n")


def test_a_file_is_no_program() -> None:
    """A spreadsheet runs what begins with an equals sign; a name may."""
    table = SideTable(key="x", title="X", columns=("A", "B"), rows=(("=1+1", "-2 1/2"), ("+cmd", "@x")))
    rows = list(csv.reader(io.StringIO(ledger_csv(table).decode("utf-8-sig"))))
    assert rows == [["A", "B"], ["'=1+1", "-2 1/2"], ["'+cmd", "'@x"]]
