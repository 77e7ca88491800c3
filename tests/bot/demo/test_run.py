"""What the scripted campaign takes from the seats it is played in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from bot.demo.run import SCRIPTS, Game
from bot.playground import Seat

Json = dict[str, Any]


class SeatOfTheReferee:
    """A seat in which a last map is posted between the command and its answer."""

    def __init__(self) -> None:
        self.events: list[Json] = []

    async def command(self, _path: str, **_options: str) -> Json:
        return {"outcome": "deferred", "message": None}

    async def wait_for_message(self, wanted: Callable[[Json], bool], _seconds: float, **_options: Any) -> Json:
        posted = ({"attachments": [{"filename": name}]} for name in ("map.png", "plotroom-7.jsonl"))
        return next(message for message in posted if wanted(message))

    async def read_file(self, attachment: Json) -> bytes:
        return f"what {attachment['filename']} holds".encode()


async def test_the_record_is_not_mistaken_for_a_map_that_is_posted_at_the_same_time(tmp_path: Path) -> None:
    game = Game(SCRIPTS["pq17"], {"referee": cast(Seat, SeatOfTheReferee())} | _commanders(), lambda _turn, _what: None)
    assert (await game.export(tmp_path)).read_text(encoding="utf-8") == "what plotroom-7.jsonl holds"


def _commanders() -> dict[str, Seat]:
    return {side: cast(Seat, SeatOfTheReferee()) for side in ("alliance", "coalition")}
