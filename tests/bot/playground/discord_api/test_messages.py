"""Where the bot may post."""

from __future__ import annotations


async def test_closed_dms_refuse_with_50007_and_strangers_with_50278(scene, rest) -> None:
    blake = scene.blake.user_id
    channel = (await rest("POST", "/users/@me/channels", {"recipient_id": blake}))[1]["id"]
    assert (await rest("POST", f"/channels/{channel}/messages", {"content": "psst"}))[0] == 200
    await scene.blake.wait_for_message(lambda m: m["content"] == "psst")
    assert list(await scene.blake.channels())[-1] == "Plotroom"
    await scene.blake.set_dms(are_open=False)
    status, body = await rest("POST", f"/channels/{channel}/messages", {"content": "psst"})
    assert (status, body["code"]) == (403, 50007)
    await scene.blake.set_dms(are_open=True)
    await scene.setup("DELETE", f"/guilds/{scene.guild['id']}/members/{blake}")
    assert (await rest("POST", f"/channels/{channel}/messages", {"content": "psst"}))[1]["code"] == 50278
