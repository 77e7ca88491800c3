"""The demo: its officers, and the scripted campaign they play."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from bot.demo.officers import CUTLER_PLANS, PQ17_PLANS, Officer
from bot.demo.run import SCRIPTS, Game
from bot.playground import Seat
from tests.expected.kept import cases

BATTLE = (Path(__file__).parent / "battle.txt").read_text(encoding="utf-8")


def test_an_account_costs_the_first_force_a_ship_and_lets_the_rest_withdraw() -> None:
    found = Officer("Alliance", PQ17_PLANS).orders("Battle in 0505", BATTLE).splitlines()
    assert found == ["outcome: winner Coalition; turns 6", "A1.CA: fate destroyed", "A1.DD: fate disengaged; turn 4"]


def test_who_is_mistaken_sends_a_wrong_account_first_and_the_right_one_when_told() -> None:
    officer = Officer("Coalition", PQ17_PLANS, mistaken=True)
    assert "turns 5" in officer.orders("Battle in 0505", BATTLE)
    officer.correct("Battle in 0505")
    assert "turns 6" in officer.orders("Battle in 0505", BATTLE)
    assert "turns 5" in officer.orders("Battle in 0606", BATTLE)


@cases("sheet, orders")
def test_sheets_are_told_apart_by_what_they_ask(sheet: str, orders: str) -> None:
    assert Officer("Alliance", PQ17_PLANS).orders("Sheet", sheet) == orders


def test_turn_sheets_are_answered_by_the_plan_of_that_turn() -> None:
    sheet = "# The economy\n#   reserve: a whole number from 0 to 999\neconomy: reserve 0\n"
    officer = Officer("Lyran", CUTLER_PLANS)
    assert officer.orders("Turn 1", sheet) == CUTLER_PLANS["Lyran", 1]
    assert officer.orders("Turn 2", sheet) == CUTLER_PLANS["Lyran", 2]
    assert officer.orders("Turn 3", sheet) == ""
    whole = Officer("Alliance", {("Alliance", 0): "side: run on"})
    assert [whole.orders("Turn", "# Side\n#   bid: 0, 1\nside: bid 0\n") for _ in range(2)] == ["side: run on"] * 2


# --- what the scripted campaign takes from the seats it is played in --------------------------------------------------
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
