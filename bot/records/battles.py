"""A battle played by hand that is open, as far as its thread is concerned."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OpenBattle:
    """An open battle, and when its thread was last kept from being put away."""

    campaign_id: str
    key: str
    stirred_at: datetime
