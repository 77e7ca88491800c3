"""What a campaign is, apart from its play: its title, its sides, its status and settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.campaigns.settings import CampaignSettings


@dataclass(frozen=True)
class CampaignInfo:
    """A campaign's row, without its scenario and its secrets."""

    id: str
    guild_id: int
    title: str
    rulebook: str
    status: str
    referee_id: int
    settings: CampaignSettings
    side_names: dict[str, str]

    @classmethod
    def of(cls, row: Mapping[Any, Any]) -> "CampaignInfo":
        """From a row mapping."""
        return cls(
            id=row["id"],
            guild_id=row["guild_id"],
            title=row["title"],
            rulebook=row["rulebook"],
            status=row["status"],
            referee_id=row["referee_id"],
            settings=CampaignSettings.model_validate(row["settings"]),
            side_names={side["key"]: side["name"] for side in row["sides"]},
        )
