"""Of a battle that is tracked nobody hears who is not in it: not what is told, not that it is, not how far it is."""

from collections.abc import Collection, Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.running.tracked import is_of_tracked
from tests.e2e.cutler.table import OWNER
from tests.e2e.stage import Stage

NEVER_SAID = (
    *("battle is tracked", "wants to track", "racker's clock", "longer tracked", "is taken back", "Set-up"),
    *("Positions of the battle", "impulses", "coasts", "faces A", "Now in", "The battle once more"),
)
"""Words of trackers that stand nowhere in what these campaigns tell everybody."""


async def outsiders_see(stage: Stage, captains: Collection[str]) -> dict[str, str]:
    """All that each reads anywhere, ever, who is none of a battle's captains; the server's owner, who sees every
    thread, left out."""
    await stage.settled()
    inside = (OWNER, *captains)
    return {name: await stage.seen(who) for name, who in stage.people.items() if name not in inside}


async def nobody_else_heard(stage: Stage, captains: Mapping[Side, str]) -> None:
    """Nothing that trackers told was read by others than those whom it was told; ``captains`` are names by sides. Who
    is none of them has read nothing that only trackers say."""
    rows = stage.rows("select body from report order by seq, number")
    told = [one for one in (Report.model_validate_json(body) for (body,) in rows) if is_of_tracked(one)]
    assert told, "it told something"
    sides = {name: side for side, name in captains.items()}
    for name, text in (await outsiders_see(stage, ())).items():
        side = sides.get(name, "")
        own = {one.text for one in told if side and one.is_for(side)}
        assert [one.text for one in told if one.text not in own and one.text in text] == [], name
        if not side:
            assert [word for word in NEVER_SAID if word in text] == [], name
