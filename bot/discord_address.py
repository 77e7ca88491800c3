"""Where Discord is: its own address, or that of a server that stands in for it."""

import discord
import discord.gateway
import discord.http
import yarl


def point_client_at(base_url: str) -> None:
    """Make every discord.py client of this process talk to the server at `base_url` (`http://127.0.0.1:8123`).

    To be called before a Client is made. It sets the base of all REST routes (webhooks and interaction callbacks use it
    too), the gateway's address and the base of avatars; attachments carry full URLs anyway.
    """
    base = base_url.rstrip("/")
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(base).with_scheme("ws") / "gateway" / ""
    # The class declares its base as one literal; there is no other way to another host.
    setattr(discord.asset.Asset, "BASE", f"{base}/cdn")  # noqa: B010
