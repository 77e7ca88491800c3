"""Interactions that do not come.

No probe can tell a broken delivery from people who are asleep, so nothing happens by itself: when none came for far
longer than usual while sheets are open, the referees are told, and may give the time back.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

import structlog
from pydantic import TypeAdapter

from bot.campaigns.runtime import Runtime
from bot.records.components import ButtonSpec, Card
from bot.records.effects import Post
from bot.records.places import REFEREE_PLACE

log = structlog.get_logger()

SHORTEST = timedelta(hours=3)
"""A shorter silence is never told of."""

FAR_LONGER = 2
"""Times the longest silence that is usual."""

FADES = 0.995
"""What is left of the longest usual silence with every interaction: what was long ago is forgotten."""


@dataclass
class Usual:
    """What is usual: when the last interaction came, and how long the longest silence was of late, in seconds."""

    last: datetime
    longest: float = 0.0
    told: bool = False
    ended: tuple[int, int] = (0, 0)
    """From when to when the last silence lasted that was told of, in seconds since 1970."""

    def heard(self, now: datetime) -> None:
        """An interaction came."""
        gap = max(0.0, (now - self.last).total_seconds())
        self.longest = max(gap, self.longest * FADES)
        if self.told:
            self.ended = int(self.last.timestamp()), int(now.timestamp())
        self.last, self.told = now, False

    def is_too_long(self, now: datetime) -> bool:
        """Whether none came for far longer than usual."""
        silent = now - self.last
        return silent >= SHORTEST and silent.total_seconds() > FAR_LONGER * self.longest


_adapter = TypeAdapter(Usual)


class Silence:
    """Listens for interactions."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._usual: Usual | None = None
        self._came = False
        self._now: Callable[[], datetime] = runtime.now

    def heard(self) -> None:
        """An interaction came."""
        self._came = True
        if self._usual is not None:
            self._usual.heard(self._now())

    def lasted_until(self, since: int) -> datetime:
        """When the silence that began at that moment (seconds since 1970) ended; now, if that is not known."""
        ended = (0, 0) if self._usual is None else self._usual.ended
        return datetime.fromtimestamp(ended[1], UTC) if ended[0] == since else self._now()

    async def look(self) -> None:
        """Keep what is usual, and tell the referees once of a silence that is not."""
        now = self._now()
        if self._usual is None:
            async with self._runtime.store.read() as tx:
                kept = await tx.installation.silence()
            self._usual = Usual(now) if kept is None else _adapter.validate_python(kept)
            if self._came:
                self._usual.heard(now)
        usual = self._usual
        if not usual.told and usual.is_too_long(now):
            await self._tell(usual)
            usual.told = True
        async with self._runtime.store.write() as tx:
            await tx.installation.keep_silence(asdict(usual))

    async def _tell(self, usual: Usual) -> None:
        """Tell the referees of campaigns with open sheets and a running clock."""
        async with self._runtime.store.write() as tx:
            waiting = await tx.deadlines.with_open_prompts()
            for campaign_id in waiting:
                await tx.outbox.put(campaign_id, _word(campaign_id, usual.last), now=self._now())
        log.warning("no interactions for long", hours=round((self._now() - usual.last).total_seconds() / 3600, 1))


def _word(campaign_id: str, since: datetime) -> Post:
    moment = int(since.timestamp())
    button: ButtonSpec = {
        "type": "button",
        "id": f"c|{campaign_id}|give-back|{moment}",
        "label": "Give time back",
        "style": "primary",
        "disabled": False,
    }
    text = (
        f"🔇 No press and no command of anybody has reached me since <t:{moment}:f>, far longer than usual. Perhaps "
        "nobody wrote; perhaps Discord does not pass on what is sent. Ask your players. If they could not reach me, "
        "the button moves the deadline by the time until I was reached again. Nothing moves by itself."
    )
    return Post(place=REFEREE_PLACE, content=text, card=Card(text, ((button,),)))
