"""Discord's rate limits: for each route and major parameter, and for all requests of a second together."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from bot.playground.world.clock import Clock
from bot.playground.world.config import PlaygroundConfig

#: The only route without a limit: an interaction's callback.
_FREE = "POST /interactions/{interaction_id}/{interaction_token}/callback"
_OUTSIDE_GLOBAL = ("/interactions/", "/webhooks/")


@dataclass(slots=True)
class Bucket:
    limit: int
    window: float
    used: int = 0
    reset: float = 0.0


@dataclass(slots=True)
class RateLimited:
    """A request is refused with 429; `retry_after` is in seconds, `everywhere` means the limit of all requests."""

    retry_after: float
    everywhere: bool = False
    scope: str = "user"

    def body(self) -> dict[str, Any]:
        return {
            "message": "You are being rate limited.",
            "retry_after": round(self.retry_after, 3),
            "global": self.everywhere,
            "code": 0,
        }

    def headers(self) -> dict[str, str]:
        headers = {
            "Via": "1.1 playground",
            "Retry-After": str(max(1, round(self.retry_after))),
            "X-RateLimit-Scope": "global" if self.everywhere else self.scope,
        }
        if self.everywhere:
            headers["X-RateLimit-Global"] = "true"
        return headers


class RateLimiter:
    """Counts requests; `take` returns the headers of the answer, or that the request is refused."""

    def __init__(self, clock: Clock, config: PlaygroundConfig) -> None:
        self._clock = clock
        self._config = config
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._hashes: dict[str, str] = {}
        self._second = 0.0
        self._in_second = 0

    def take(self, route: str, major: str) -> dict[str, str] | RateLimited:
        if route == _FREE:
            return {}
        now = self._clock.monotonic()
        if not route.split(" ", 1)[1].startswith(_OUTSIDE_GLOBAL):
            if now - self._second >= 1.0:
                self._second, self._in_second = now, 0
            self._in_second += 1
            if self._in_second > self._config.global_limit:
                return RateLimited(max(0.001, self._second + 1.0 - now), everywhere=True, scope="global")
        bucket = self._buckets.get((route, major))
        if bucket is None:
            limit, window = self._config.route_limits.get(route, self._config.default_route_limit)
            bucket = self._buckets[route, major] = Bucket(limit, window)
        if now >= bucket.reset:
            bucket.used, bucket.reset = 0, now + bucket.window
        if bucket.used >= bucket.limit:
            return RateLimited(max(0.001, bucket.reset - now))
        bucket.used += 1
        after = bucket.reset - now
        return {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(bucket.limit - bucket.used),
            "X-RateLimit-Reset": f"{self._clock.now() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": self._hash(route),
        }

    def _hash(self, route: str) -> str:
        if route not in self._hashes:
            self._hashes[route] = hashlib.sha256(route.encode()).hexdigest()[:32]
        return self._hashes[route]
