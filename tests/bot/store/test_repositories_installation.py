"""What the bot remembers of itself, and of the interactions that it has carried out."""

from datetime import timedelta, timezone

import pytest

from bot.store.database import Store
from bot.store.errors import SeenBefore
from tests.bot.store.samples import NOON


async def test_the_last_sign_of_life_is_the_one_that_counts(store: Store) -> None:
    async with store.write() as tx:
        assert await tx.installation.last_alive() is None
        await tx.installation.sign_of_life(NOON)
    later = (NOON + timedelta(seconds=30, microseconds=1)).astimezone(timezone(timedelta(hours=2)))
    async with store.write() as tx:
        assert await tx.installation.last_alive() == NOON
        await tx.installation.sign_of_life(later)
    async with store.read() as tx:
        assert await tx.installation.last_alive() == later


async def test_an_interaction_is_carried_out_once(store: Store) -> None:
    async def carry_out(interaction: int) -> None:
        async with store.write() as tx:
            await tx.installation.sign_of_life(NOON + timedelta(seconds=interaction % 100))
            await tx.installation.mark_seen(interaction, NOON)

    await carry_out(2**62)
    await carry_out(2**62 + 1)
    with pytest.raises(SeenBefore):
        await carry_out(2**62)
    async with store.read() as tx:
        assert await tx.installation.last_alive() == NOON + timedelta(seconds=(2**62 + 1) % 100), "it left nothing"


async def test_interactions_are_forgotten_from_before_a_moment_and_no_others(store: Store) -> None:
    async with store.write() as tx:
        for number in range(3):
            await tx.installation.mark_seen(number, NOON + timedelta(hours=number))
        await tx.installation.forget_interactions(NOON + timedelta(hours=1))
        await tx.installation.mark_seen(0, NOON)
    for number in (1, 2):
        with pytest.raises(SeenBefore):
            async with store.write() as tx:
                await tx.installation.mark_seen(number, NOON)


async def test_the_commands_that_were_registered_are_known_by_application(store: Store) -> None:
    async with store.write() as tx:
        await tx.installation.set_registered_commands(1, "a")
        await tx.installation.set_registered_commands(None, "b")
        await tx.installation.set_registered_commands(1, "c")
    async with store.read() as tx:
        assert [await tx.installation.registered_commands(of) for of in (1, None, 2)] == ["c", "b", None]


async def test_a_public_map_is_new_if_it_shows_what_the_last_one_did_not(store: Store) -> None:
    told: list[bool] = []
    for campaign, digest in (("c1", "a"), ("c1", "a"), ("c2", "a"), ("c1", "b"), ("c1", "a"), ("c2", "a")):
        async with store.write() as tx:
            told.append(await tx.installation.is_public_map_new(campaign, digest))
    assert told == [True, False, True, True, True, False]
