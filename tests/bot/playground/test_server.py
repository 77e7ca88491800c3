"""Files that the server gives out besides the API."""

from __future__ import annotations


async def test_default_avatars_are_pictures(live) -> None:
    user = await live.bot.fetch_user(int(live.blake.user_id))
    assert (await user.display_avatar.read()).startswith(b"\x89PNG")
