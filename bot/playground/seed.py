"""The demo's people (a referee, commanders, a spectator) and their server with the bot in it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.playground.server import PlaygroundServer

_PEOPLE = (
    ("ada", "Ada", "#0072b2", "owns the server, referees"),
    ("blake", "Blake", "#d55e00", "first commander"),
    ("cleo", "Cleo", "#009e73", "second commander"),
    ("eve", "Eve", "#7f7f7f", "spectator"),
)
_COMMANDERS = ("blake", "cleo")
_MORE = (
    ("dan", "Dan", "#cc79a7", "third commander"),
    ("fay", "Fay", "#56b4e9", "fourth commander"),
    ("gus", "Gus", "#e69f00", "fifth commander"),
    ("hal", "Hal", "#8c6bb1", "sixth commander"),
    ("ida", "Ida", "#a6761d", "seventh commander"),
)
"""Who comes where more than two sides play: nobody sits there without a side."""

GUILD = "Star Harbour"


def seed_demo(server: PlaygroundServer) -> None:
    """Make the people and their server; a state file that already has users is left as it is."""
    world = server.world
    if any(not user.bot for user in world.users.values()):
        return
    seats = [_made(server, *person) for person in _PEOPLE]
    guild = server.setup.create_guild({"name": GUILD, "owner_id": seats[0]})
    for seat in seats[1:]:
        server.setup.add_member(guild["id"], {"user_id": seat})
    world.commit()


def demo_commanders(server: PlaygroundServer, count: int) -> list[str]:
    """The names of as many commanders of the demo; who is not there yet comes to its server."""
    world = server.world
    there = {user.name for user in world.users.values()}
    (guild,) = [one for one in world.guilds.values() if one.name == GUILD]
    names: list[str] = [*_COMMANDERS[:count]]
    for person, _ in zip(_others(), range(count - len(names)), strict=False):
        if person[0] not in there:
            server.setup.add_member(guild.id, {"user_id": _made(server, *person)})
        names.append(person[0])
    world.commit()
    return names


def _others() -> Iterator[tuple[str, str, str, str]]:
    yield from _MORE
    number = len(_COMMANDERS) + len(_MORE)
    while True:
        number += 1
        yield f"commander-{number}", f"Commander {number}", "", f"commander of side {number}"


def _made(server: PlaygroundServer, name: str, display: str, color: str, note: str) -> str:
    return server.setup.create_user({"name": name, "display": display, "avatar_color": color, "note": note})["id"]
