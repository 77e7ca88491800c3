"""What a campaign is, apart from its play: its title, its sides, its status and settings."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.records.campaign_settings import CampaignSettings
from rules_engine.core.basics.base import Json, SideLabel


class CampaignStatus(StrEnum):
    """Where a campaign is in its life. Its clock runs while it is ``RUNNING`` only."""

    GATHERING = "gathering"
    RUNNING = "running"
    PAUSED = "paused"
    HALTED = "halted"
    """It cannot be played on until somebody mends it."""

    ENDED = "ended"


IN_PLAY = frozenset({CampaignStatus.RUNNING, CampaignStatus.PAUSED})
"""There are sheets, even if the clock stands still."""


@dataclass(frozen=True)
class CampaignInfo:
    """A campaign, without its scenario and its secrets."""

    id: str
    guild_id: int
    title: str
    rulebook: str
    status: CampaignStatus
    referee_id: int
    settings: CampaignSettings
    sides: tuple[SideLabel, ...]
    """As they are named at present."""

    theme: str = ""
    """The name of the theme of its maps; empty for the installation's."""

    head: str | None = field(default=None, compare=False)
    """The hash of its journal's last entry when this was read."""

    @property
    def side_names(self) -> dict[str, str]:
        """The sides' present names by key, in the scenario's order."""
        return {side.key: side.name for side in self.sides}

    @property
    def never_began(self) -> bool:
        """Whether it was cancelled while it gathered players, so that there is no play to look at."""
        return self.status is CampaignStatus.ENDED and self.head is None

    @property
    def tag(self) -> str:
        """Marks the names of its roles, category and threads."""
        return f"[{self.id}]"


@dataclass(frozen=True)
class CampaignSource:
    """What a campaign is played from: its rulebook, its scenario, and the secret seed of its dice."""

    rulebook: str
    scenario: dict[str, Json]
    seed: bytes


@dataclass(frozen=True)
class NewCampaign:
    """A campaign that is being founded; ``version`` is the rulebook's."""

    info: CampaignInfo
    source: CampaignSource
    version: str
    created_at: datetime
