"""Direct messages are opened a few at once, then one by one, and each but once."""

from bot.delivery.calls.pace import AT_ONCE, SECONDS_EACH, DirectChannels


class World:
    """Time that passes only while somebody sleeps, and the channels that were opened when."""

    def __init__(self) -> None:
        self.at = 50.0
        self.opened: list[tuple[float, int]] = []

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds

    async def open_one(self, user_id: int) -> int:
        self.opened.append((self.at, user_id))
        return 1_000 + user_id


def channels(world: World) -> DirectChannels:
    return DirectChannels(world.open_one, now=world.now, sleep=world.sleep)


async def test_many_are_spread_out_and_none_is_opened_twice() -> None:
    world = World()
    direct = channels(world)
    for user in range(AT_ONCE + 3):
        assert await direct.of(user) == 1_000 + user
    times = [at - 50.0 for at, _ in world.opened]
    assert times == [0.0] * AT_ONCE + [SECONDS_EACH, 2 * SECONDS_EACH, 3 * SECONDS_EACH]
    for user in range(AT_ONCE + 3):
        await direct.of(user)
    assert len(world.opened) == AT_ONCE + 3
    direct.forget(3)
    await direct.of(3)
    assert world.opened[-1][1] == 3


async def test_after_a_while_as_many_may_be_opened_at_once_again() -> None:
    world = World()
    direct = channels(world)
    for user in range(AT_ONCE):
        await direct.of(user)
    world.at += AT_ONCE * SECONDS_EACH
    before = world.at
    for user in range(100, 100 + AT_ONCE):
        await direct.of(user)
    assert world.at == before
