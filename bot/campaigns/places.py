"""The keys of a campaign's places on Discord, by which posts name where they go."""

SETUP_QUEUE = "setup"
"""The queue of the outbox in which a campaign's channels are made and its roles given and taken."""

REFEREE_PLACE = "referee"
PUBLIC_PLACE = "public"

SPECTATOR = "@spectator"
"""Stands for a side in the row of a member who only watches."""


def side_place(side: str) -> str:
    """The key of a side's private channel."""
    return f"side:{side}"


def battle_place(sheet_key: str) -> str:
    """The key of a battle's thread."""
    return f"battle:{sheet_key}"
