"""The demo's people (a referee, three commanders, a spectator) and their server with the bot in it."""

from __future__ import annotations

from bot.playground.server import PlaygroundServer

_PEOPLE = (
    ("ada", "Ada", "#0072b2", "owns the server, referees"),
    ("blake", "Blake", "#d55e00", "first commander"),
    ("cleo", "Cleo", "#009e73", "second commander"),
    ("dan", "Dan", "#cc79a7", "third commander"),
    ("eve", "Eve", "#7f7f7f", "spectator"),
)

GUILD = "Star Harbour"


def seed_demo(server: PlaygroundServer) -> None:
    """Make the people and their server; a state file that already has users is left as it is."""
    world = server.world
    if any(not user.bot for user in world.users.values()):
        return
    seats = [
        server.setup.create_user({"name": name, "display": display, "avatar_color": color, "note": note})
        for name, display, color, note in _PEOPLE
    ]
    guild = server.setup.create_guild({"name": GUILD, "owner_id": seats[0]["id"]})
    for seat in seats[1:]:
        server.setup.add_member(guild["id"], {"user_id": seat["id"]})
    world.commit()
