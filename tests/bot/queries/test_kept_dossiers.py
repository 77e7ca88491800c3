"""Dossiers are kept as turns end: a look reads what was told since, and finds what all reports make; also after play
went back, and in campaigns that have kept none yet."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.campaigns.dossiers import known_of
from bot.store.repositories.journal import Journal
from bot.store.tables import DossierRow
from tests.bot.overviews.conftest import SEATS, CrownsServer
from tests.bot.worlds.simulated_server import SimulatedServer, simulated_server
from tests.core.knowledge.test_folding import TOLD
from tests.core.knowledge.test_folding import kept as learnt


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[SimulatedServer]:
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
    here: CrownsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    assert await kept_up_to(here) == {}
    read: list[int] = []
    for _ in range(2):
        await play_a_turn(here)
        ended = await kept_up_to(here)
        assert set(ended) == set(SEATS.values())
        assert len(set(ended.values())) == 1
        assert await same_as_all_reports(here) > 0
        async with here.bot.services.runtime.store.read() as tx:
            _, since = await known_of(tx, await id_of(here), "hydran")
            read.append(len(since))
            assert len(since) < len(await tx.journal.reports(await id_of(here)))
    assert read[1] <= read[0] + 3

    async def never(*_: Any) -> Any:
        raise AssertionError("all reports were read")

    monkeypatch.setattr(Journal, "reports", never)
    await here.slash(here.ann, "dossier")
    assert not here.failures()


async def test_after_play_went_back_it_is_as_if_what_was_told_then_had_not_been(here: CrownsServer) -> None:
    await here.begin()
    await play_a_turn(here)
    await play_a_turn(here)
    assert await turn_of(here) == 3
    before = await kept_up_to(here)
    campaign = await id_of(here)
    async with here.bot.services.runtime.store.write() as tx:  # something was learnt that is to be gone
        await tx.journal.keep_dossier(campaign, "hydran", before["hydran"], learnt(TOLD))
    rewinding = here.bot.services.referee.rewinding
    points = await rewinding.points(campaign, here.rita.id)
    await rewinding.rewind(campaign, here.rita.id, points[-1][0], "a slip")
    assert await turn_of(here) < 3
    assert min((await kept_up_to(here)).values()) > max(before.values())
    await same_as_all_reports(here)


@pytest.mark.parametrize(
    "lost", [sa.delete(DossierRow), sa.update(DossierRow).values(body='{"of": "another version"}')]
)
async def test_a_campaign_that_has_kept_none_that_can_be_read_reads_all_and_keeps_it_with_the_next_turn(
    here: CrownsServer, lost: sa.Executable
) -> None:
    await here.begin()
    await play_a_turn(here)
    async with here.bot.services.runtime.store.write() as tx:
        await tx.journal._connection.execute(lost)
    assert await kept_up_to(here) == {}
    await same_as_all_reports(here)
    await play_a_turn(here)
    assert set(await kept_up_to(here)) == set(SEATS.values())
    await same_as_all_reports(here)
