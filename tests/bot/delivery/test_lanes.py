"""The outbox's queues keep order for each destination, and name none that is a secret."""

import pytest

from bot.records.effects import Post
from bot.records.places import lane_of


@pytest.mark.parametrize("place", ["side:alliance", "battle:T1/I4/combat/0505/vs/hydran/klingon/main"])
def test_a_lane_names_no_side_and_no_battle(place: str) -> None:
    lane = Post(place=place).queue
    kind, _, rest = lane.partition("#")
    assert kind == place.partition(":")[0]
    assert len(rest) == 16
    assert not [word for word in ("alliance", "hydran", "0505", "T1") if word in lane]
    assert Post(place=f"{place}2").queue != lane == lane_of(place)


@pytest.mark.parametrize("place", ["public", "referee", "battles", "category"])
def test_what_everybody_knows_of_has_its_own_name(place: str) -> None:
    assert Post(place=place).queue == place
