"""Discord's rate limits: by route, and overall."""

from __future__ import annotations


async def test_a_bucket_runs_out_and_fills_again(scene, rest) -> None:
    path = f"/channels/{scene.guild['general_channel_id']}/messages"
    limit, window = scene.server.config.route_limits["POST /channels/{channel_id}/messages"]
    for left in range(limit - 1, -1, -1):
        assert (await rest("POST", path, {"content": "x"}))[0] == 200
        assert rest.headers["X-RateLimit-Remaining"] == str(left)
    status, body = await rest("POST", path, {"content": "x"})
    assert status == 429
    assert 0 < body["retry_after"] <= window
    assert not body["global"]
    assert rest.headers["Via"]
    assert rest.headers["Content-Type"] == "application/json"
    scene.server.clock.advance(window)
    assert (await rest("POST", path, {"content": "x"}))[0] == 200


async def test_fifty_requests_a_second_in_all(scene, rest) -> None:
    scene.server.clock.monotonic = lambda: 1000.0
    answers = [await rest("GET", f"/users/{scene.blake.user_id}") for _ in range(40)]
    answers += [await rest("GET", "/users/@me") for _ in range(11)]
    assert [status for status, _ in answers] == [200] * 50 + [429]
    assert answers[-1][1]["global"]
