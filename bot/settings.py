"""The installation's settings: environment variables, or a ``.env`` file beside the command."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent


class HostSettings(BaseSettings):
    """Every setting has a working default but the token. Unknown ``PLOTROOM_`` variables in ``.env`` are errors."""

    model_config = SettingsConfigDict(env_prefix="PLOTROOM_", env_file=".env", extra="forbid")

    token: SecretStr = Field(SecretStr(""), description="the bot's token from Discord's developer portal")
    database: str = Field("sqlite+aiosqlite:///var/plotroom.db", description="SQLAlchemy URL of the database")
    config_dir: Path = Field(ROOT / "config", description="where scenarios, catalogues and themes are read from")
    api_base: str = Field("", description="a Discord-compatible server to use instead of Discord, e.g. the playground")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    log_json: bool = Field(False, description="log lines as JSON")
    idle_minutes: float = Field(10, gt=0, description="a campaign untouched this long leaves the memory")
    warm_campaigns: int = Field(8, ge=1, description="how many campaigns may stay in memory at once")

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
            raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
        return value.upper()
