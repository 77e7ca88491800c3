"""A correction that was prepared and shown to its referee, and waits for the word that makes it."""

from pydantic import BaseModel, ConfigDict


class PreparedCorrection(BaseModel):
    """What the referee typed. It holds for the campaign as it stood: ``head`` is the hash of the journal's last entry
    then. ``token`` is what its button carries."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    token: str
    by: int
    head: str
    path: str
    value: str
    reason: str
    remove: bool = False

    def is_like(self, other: "PreparedCorrection") -> bool:
        """Whether the other is the same correction of the same campaign as it stood."""
        return self.model_copy(update={"token": other.token}) == other
