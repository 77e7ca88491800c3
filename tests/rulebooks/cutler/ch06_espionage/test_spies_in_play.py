"""A campaign in which one empire builds, and the other's spies look at its dock and its home turn after turn. 6.4.1.2,
6.4.1.10"""

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.ch04_economics.test_bases_in_play import HOMES, builders
from tests.rulebooks.players import AT, Match

BEGUN, SPENT = "build frigate", 20
SPY, BUILDER = HOMES
MISSIONS = {
    "M1": {"kind": "construction", "against": BUILDER, "target": HOMES[BUILDER], "ip": 20},
    "M2": {"kind": "planet", "against": BUILDER, "target": "birch_home", "ip": 20},
}
FINDS = "Construction Plans, Birch, hex 0602: the base in 0602 built 20 CPV on a Frigate this turn."
FAILS = "M1, Construction Plans against the Birch (hex 0602): failed."
STANDS = (
    "Planet Check, Birch, the planet Birch Home in 0602: 0 boarding parties, 0 crew units, 0 ground vehicles; "
    "no ground bases, no ships and no other units on the surface."
)
STAYS_HIDDEN = "M2, Planet Check against the Birch (the planet Birch Home in 0602): failed."


def frigate_in_the_first_bay(ask: AnyAsk) -> dict[str, object]:
    """Points on a frigate, which is begun where none is under way."""
    can_begin = any(choice.value == BEGUN for choice in ask.form.by_key["D1"].fields[0].choices)
    return {"D1": {"cpv": SPENT} | ({"work": BEGUN} if can_begin else {})}


def played(seed: int) -> Match:
    game = Match(RULEBOOK, builders(), seed)
    referee = game.adjudicator
    while referee.ending is None:
        strand = referee.strands()[0]
        for ask in [one for one in referee.open_asks() if one.kind == "turn"]:
            orders = MISSIONS if ask.parties == (SPY,) else frigate_in_the_first_bay(ask)
            game.take(referee.answer(ask.parties[0], ask.id, orders, by=ask.parties[0], at=AT))
        game.take(referee.close("deadline", by="clock", at=AT, strand=strand, nonce=game.nonce()))
    return game


@pytest.mark.headless
@pytest.mark.rule("cutler", "6.4.1.2", "6.4.1.10")
def test_spies_find_what_was_spent_at_a_dock_and_on_what_and_what_stands_on_a_planet() -> None:
    game = played(1)
    told = [report for step in game.steps for report in step.reports if report.kind == "intelligence"]
    assert {report.text for report in told} == {FINDS, FAILS, STANDS, STAYS_HIDDEN}, (
        "also in the turn in which one is finished"
    )
    assert {report.to for report in told} == {(SPY,)}
    assert "Frigate 1 (Frigate) is completed at birch starbase 0 in 0602." in game.texts()
