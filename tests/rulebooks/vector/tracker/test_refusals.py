"""What a captain reads of a plot that is refused: what is wrong, the rule, and what would be legal."""

from typing import Any, NamedTuple

import pytest

from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.skies import plot, sky

REFUSED = """
H1 h 2020 A 3B+5C
  : path=D
  > D first, which is no part of 3B+5C (CJD1.14). Legal: B or C.

H1 h 2020 A 3B+5C
  : path=BBC
  > move 2 of the path goes twice running to B, the lesser of what 3B+5C has left (CJD1.14). Legal: C as move 2.

H1 h 2020 A 1B+1C
  : path=BCC
  > move 3 of the path goes to C, of which 1B+1C has no hex left (CJD1.14). Legal: 2 moves.

H1 h 2020 A 4A
  slip left on 5
  > at speed 4 it moves no hex on this impulse, and cannot slip (CJD1.142). Legal: a slip from impulse 16 on.

H1 h 2020 A 4A
  slip left on 8
  > it has not moved a straight hex since it last slipped (CJD1.142). Legal: a slip from impulse 16 on.

H1 h 2020 A 0
  slip left on 8
  > it does not move, and cannot slip (CJD1.142). Legal: a turn, or acceleration.

H1 h 2020 A 4A
  slip on 8
  > a slip to which side? (CJD1.142). Legal: slip left or right.

H1 h 2020 A 4A
  : warp=31
  > 31 points of warp movement, and its engines give 30 (CJD1.21). Legal: warp 0 to 30.

H1 h 2020 A 4A impulse=0
  : impulse=1
  > 1 point of impulse movement, and its engines give 0 (CJD1.21). Legal: no impulse.

H1 h 2020 A 4A
  reserve 6 on 1
  > 6 points from reserve, of 5 left (CJD1.22). Legal: reserve 1 to 5.

H1 h 2020 A 4A reserve=0
  reserve 1 on 1
  > 1 point from reserve, of 0 left (CJD1.22). Legal: no reserve.

H1 h 2020 A 4A
  reserve 1 by impulse on 1
  > only one point of impulse power moves a unit in a turn (CJD1:313). Legal: reserve as warp.

H1 h 2020 A 4A
  reserve 2 by impulse on 1
  : impulse=0
  > only one point of impulse power moves a unit in a turn (CJD1:313). Legal: reserve as warp.

H1 h 2020 A 4A
  accelerate 1 by impulse on 1
  reserve 1 by impulse on 2
  > only one point of impulse power moves a unit in a turn (CJD1:313). Legal: reserve as warp.

H1 h 2020 A 4A
  accelerate 1 by impulse on 1
  : impulse=0
  > no point of impulse power is allocated (CJD1.21). Legal: pay with warp movement.

H1 h 2020 A 4A
  accelerate 1 by impulse on 1
  accelerate 1 by impulse on 9
  > the point of impulse power is used already (CJD1:313). Legal: pay with warp movement.

H1 h 2020 A 4A
  accelerate 17 on 1
  > accelerate 17 takes 34 points; a turn's limit is 30 and 1 of impulse (CJD1:313). Legal: accelerate up to 16.

H1 h 2020 A 4A
  accelerate 9 on 1
  accelerate 9 on 9
  > accelerate 9 takes 18 points; a turn's limit is 30 and 1 of impulse, 18 of them used (CJD1:313). Legal:
    accelerate up to 7.

H1 h 2020 A 4A
  accelerate 9 on 1
  : warp=10
  > accelerate 9 takes 18 points of warp movement, of 10 left (CJD1.31). Legal: accelerate up to 6.

H1 h 2020 A 4A
  reverse 9 on 1
  : warp=10 impulse=0
  > reverse 9 takes 36 points; a turn's limit is 30 and 1 of impulse (CJD1:313). Legal: reverse up to 2.

H1 h 2020 A 4A
  reverse 1 on 1
  : warp=3 impulse=0
  > reverse 1 takes 4 points of warp movement, of 3 left (CJD1:312). Legal: no reverse.

H1 h 2020 A 4A
  accelerate on 1
  > accelerate by how many hexes? (CJD1.31). Legal: accelerate 1 or more.

H1 h 2020 A 4A
  accelerate 1 on 1
  accelerate 1 on 2
  > it accelerated 1 impulse ago, and accelerates once in 8 impulses (CJD1.32). Legal: acceleration from impulse
    9 on.

H1 h 2020 A 4A nimble=True
  accelerate 1 on 30
  reverse 1 on 30
  > it accelerated on this impulse already, and accelerates once in 6 impulses (CJD1.32). Legal: acceleration
    from impulse 4 of turn 2 on.

H1 h 2020 A 4A
  stop on 1
  reserve 2 on 1
  accelerate 1 on 9
  > it has decelerated in an emergency, and may not accelerate yet (CJD1.3x). Legal: acceleration from impulse
    17 on.

H1 h 2020 A 4A
  stop on 20
  stop on 21
  > it has decelerated in an emergency already (CJD1.3x). Legal: an emergency deceleration from impulse 4 of
    turn 2 on.

H1 h 2020 A 6A tumbling=True tumbles_until=10
  accelerate 1 on 1
  > it tumbles (CJD1.431). Legal: acceleration from impulse 10 on.

H1 h 2020 A 6A tumbling=True tumbles_until=10
  turn left on 1
  > it tumbles (CJD1.431). Legal: a turn from impulse 10 on.

H1 h 2020 A 6A tumbling=True tumbles_until=10
  het to B on 1
  > it tumbles (CJD1.431). Legal: a high energy turn from impulse 10 on.

H1 h 2020 A 6A tumbling=True tumbles_until=10
  stop on 1
  > it tumbles (CJD1.431). Legal: an emergency deceleration from impulse 10 on.

H1 h 2020 A 4A
  turn on 1
  > a turn to which side? (CJD1.41). Legal: turn left or right.

H1 h 2020 A 4A
  turn left on 1
  turn left on 7
  > turn mode C turns once in 7 impulses (CJD1.42-rate-of-turn). Legal: a turn from impulse 8 on.

H1 h 2020 A 4A
  turn left on 1
  : warp=0 impulse=0
  > a turn takes 1 point of warp movement, of 0 left (CJD1.41). Legal: no turn.

H1 h 2020 A 4A
  het on 1
  > a high energy turn to which facing? (CJD1.43). Legal: het A to F.

H1 h 2020 A 6A form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle
  het to B on 1
  > size class 6 makes no high energy turns (CJD1.43). Legal: turn left or right.

H1 h 2020 A 6A form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle
  accelerate 4 on 1
  > accelerate 4 takes 4 of half its rated speed, of 3 left (CJD1.53). Legal: accelerate up to 3.

H1 h 2020 A 4A
S1 h 2020 A 0 form=shuttle size_class=6 rated_speed=7 aboard=H1
  launch S1 4 to B on 1
  > 4 hexes of added speed, and half of S1's rated speed is 3 (CJD1.53). Legal: launch S1 with 0 to 3.

H1 h 2020 A 4A
S1 h 2020 A 0 form=shuttle size_class=6 rated_speed=7 aboard=H1
  launch on 1
  > it has no unit to launch (CJD1.53). Legal: S1.

H1 h 2020 A 4A
  launch S1 on 1
  > it has no S1 to launch (CJD1.53). Legal: no launch.

H1 h 2020 A 4A weasel=out
  weasel on 1
  > a wild weasel of it is out already (CJD1.51). Legal: one at a time.

H1 h 2020 A 4A
  land H2 on 1
  > a ship does not land (CJD1.531). Legal: shuttles and PFs land.

H1 h 2020 A 6A form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle
  land H2 on 1
  > land on which unit? (CJD1.531). Legal: a friendly ship in the same hex.

H1 h 2020 A 6A form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle
H2 h 2021 A 6A
  land H2 on 1
  > H2 is in 2021, and it in 2020 (CJD1.531). Legal: landing in the same hex with the same vector.

H1 h 2020 A 6A form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle
H2 h 2020 A 6B
  land H2 on 1
  > its vector 6A is not H2's 6B, nor made so along its facing (CJD1.531). Legal: a vector of 6B, or one off it
    along the facing.

H1 h 2020 A 6A tumbling=True tumbles_until=10 form=shuttle size_class=6 rated_speed=6
H2 h 2020 A 7A
  land H2 on 1
  > it tumbles (CJD1.431). Legal: a landing from impulse 10 on.

H1 h 2020 A 0
  : path=D
  > D first, which is no part of 0 (CJD1.14). Legal: no path.

H1 h 2020 A 4A
  when within 5: turn left on 3
  > on an impulse or when a condition holds, not both (CJD1.32). Legal: impulses 1 to 32.

H1 h 2020 A 4A
  when within 5 from 9 to 3: turn left
  > impulses 9 to 3 are not in this piece (CJD1.32). Legal: impulses 1 to 32.

H1 h 2020 A 4A
  turn left
  > on which impulse? (CJD1.32). Legal: impulses 1 to 32.

H1 h 2020 A 4A out=destroyed
  > H1 is destroyed (CJD1.0). Legal: units in play.

H1 h 2020 A 4A waits_for=3
  > H1 is not there yet (CJD1.0). Legal: a plot from impulse 1 of turn 3 on.

H1 h 2020 A 4A aboard=H2
  > H1 is aboard H2 (CJD1.53). Legal: launch H1 by H2.
"""
"""Units, what is plotted for H1, other fields of its plot behind a colon, and what is said, by paragraphs."""


class Case(NamedTuple):
    """One paragraph."""

    units: str
    events: list[str]
    fields: dict[str, Any]
    said: str


def cases() -> list[Case]:
    """All of them."""
    found: list[Case] = []
    for paragraph in REFUSED.strip().split("\n\n"):
        plotted, _, said = paragraph.partition("  > ")
        lines = plotted.splitlines()
        events = [line.strip() for line in lines if line.startswith("  ") and not line.startswith("  :")]
        fields = [pair.split("=") for line in lines if line.startswith("  :") for pair in line.split()[1:]]
        units = "\n".join(line for line in lines if not line.startswith("  "))
        values = {name: int(value) if value.isdigit() else value for name, value in fields}
        found.append(Case(units, events, values, " ".join(said.split())))
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.said[-70:]}")
def test_a_refusal_names_what_is_wrong_the_rule_and_what_would_be_legal(case: Case):
    found = foresee(sky(case.units), "H1", plot(*case.events, **case.fields), 32).defects
    assert [str(one.refusal) for one in found] == [f"H1: {case.said}"]
