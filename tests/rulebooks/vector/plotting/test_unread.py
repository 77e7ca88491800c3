"""A line of which something cannot be read: the rest is judged as far as it stands by itself."""

import random

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import CRUISER, duel, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, refused

WHOLE = TacticalOptions(pieces=1)
SHUTTLE = CRUISER.with_values(size_class=6, form="shuttle", turn_mode="shuttle", rated_speed=12, warp=0, impulse=0)
TRIES = 150


def weak() -> Tactical:
    """H1 with engines for twelve points and a point of impulse power, and four in reserve."""
    figures = CRUISER.with_values(warp=12)
    return duel(ship("H1", "1020", "6A", figures=figures, warp_left=12, impulse_left=1, reserve_left=4), options=WHOLE)


def paths_of(told: list[str]) -> list[str]:
    """Where the refusals are."""
    return [one.partition(":")[0] for one in told]


@pytest.mark.rule("vector", "CJD1:313", "CJD1.42-rate-of-turn")
def test_a_clause_that_cannot_be_read_hides_no_defect_of_its_line(kept: Kept) -> None:
    told = refused(weak(), "H1: accelerate 17 on 1; turn left on 2; turn left on 4; acclerate 2 on 20")
    assert told == kept()


def test_of_several_things_that_cannot_be_read_the_number_is_told() -> None:
    told = refused(weak(), "H1: turn left on 2; turn left on 4; stpo on 5; tunr left on 20")
    assert paths_of(told) == ["H1.plot", "H1.plot", "H1.turn"]
    assert "; judged without 2 things that are not understood (" in told[-1]


def test_what_reads_well_is_judged_without_a_word_of_it() -> None:
    told = refused(three(), "H1: turn left on 2; turn left on 4\nH2: stpo on 5")
    assert [one for one in told if "judged without" in one] == []
    assert paths_of(told) == ["H1.turn", "H2.plot"]


def test_a_unit_that_is_reported_gone_is_told_beside_what_cannot_be_read() -> None:
    told = refused(three(), "H1: accelerate 2 on 1; stpo on 5; report destroyed")
    assert paths_of(told) == ["H1.plot", "H1.plot"]
    assert "reported destroyed" in told[1]


@cases("text, count")
def test_nothing_is_refused_that_follows_only_from_what_cannot_be_read(text: str, count: int) -> None:
    if not count:
        asked(weak(), f"H1: {text}")
        return
    assert len(refused(weak(), f"H1: {text}")) == count


@pytest.mark.rule("vector", "CJD1:313")
def test_the_point_of_impulse_power_may_be_what_could_not_be_read() -> None:
    """Seven hexes are six at 2 points of warp and one by the point of impulse power; 12 and 1 of warp are too few."""
    figures = CRUISER.with_values(warp=12, reserve=1)
    battle = duel(ship("H1", "1020", "6A", figures=figures, warp_left=12, reserve_left=1), options=WHOLE)
    told = refused(battle, "H1: energy 12+0; accelerate 7 on 1; rserve 1 on 1 by impulse")
    assert paths_of(told) == ["H1.plot"]
    assert "“rserve 1 on 1 by impulse”" in told[0]


@pytest.mark.rule("vector", "CJD1:313")
@cases("warp, reserve, text, paths")
def test_what_is_left_of_the_reserve_may_be_what_could_not_be_read(
    warp: int, reserve: int, text: str, paths: list[str]
) -> None:
    figures = CRUISER.with_values(warp=warp, reserve=reserve)
    battle = duel(ship("H1", "1020", "6A", figures=figures, warp_left=warp, reserve_left=reserve), options=WHOLE)
    assert paths_of(refused(battle, f"H1: {text}")) == paths


def random_clauses(chance: random.Random) -> list[str]:
    """Some clauses, which are legal often enough."""
    impulses = sorted(chance.sample(range(1, 33), 4))
    offered = [
        *(f"{chance.choice(('accelerate', 'reverse'))} {chance.randint(1, 7)} on {one}" for one in impulses[::3]),
        *(f"turn {chance.choice(('left', 'right', 'towards', 'away'))} on {one}" for one in impulses),
        *(f"slip {chance.choice(('left', 'right'))} on {one}" for one in impulses),
        *(f"reserve {chance.randint(1, 2)} on {one}" for one in impulses[:2]),
        f"reserve 1 on {impulses[0]} by impulse",
        f"energy {chance.randint(8, 12)}+{chance.randint(0, 1)}",
        f"stop on {impulses[2]}",
        f"het C on {impulses[1]}",
        f"weasel on {impulses[0]}",
        f"weasel on {impulses[2]}",
        f"path {chance.choice('ABF')} first",
        f"path {''.join(chance.choice('AB') for _ in range(3))}",
        f"land on H2 on {impulses[1]}",
        f"launch D1 A 3 on {impulses[0]}",
        f"when nearest enemy within 20: turn {chance.choice(('left', 'towards'))}",
    ]
    return chance.sample(offered, chance.randint(2, 5))


def battle_for(chance: random.Random) -> Tactical:
    """H1 with little power, or a shuttle of it beside its ship; at the beginning of a turn or in its middle."""
    if chance.random() < 0.3:
        vector = chance.choice(("6A", "4A", "6A"))
        shuttle = ship("H1", "1020", vector, figures=SHUTTLE, half_left=6, launched_from="H2")
        return duel(shuttle, ship("H2", "1020", "6A"), ship("R1", "1010", "8D"), options=WHOLE)
    whole = chance.random() < 0.5
    figures = CRUISER.with_values(warp=12)
    point = int(whole)
    carried = ship("D1", "1020", figures=SHUTTLE, aboard="H1")
    vector = chance.choice(("6A", "4A+3B", "0"))
    flown = ship("H1", "1020", vector, figures=figures, warp_left=12, impulse_left=point, reserve_left=4)
    return duel(flown, carried, ship("R1", "1010", "8D"), options=WHOLE, impulse=0 if whole else 8)


def mangled(clause: str, chance: random.Random) -> str:
    """A clause that cannot be read any more: its verb, or what follows it."""
    if chance.random() < 0.5:
        return f"{clause} quickly"
    return clause.replace(": ", ": zq") if ":" in clause else f"zq{clause}"


@pytest.mark.parametrize("seed", range(TRIES))
def test_a_legal_line_of_which_one_thing_is_misspelt_has_one_defect(seed: int) -> None:
    chance = random.Random(seed)
    battle = battle_for(chance)
    for _ in range(12):
        clauses = random_clauses(chance)
        try:
            asked(battle, f"H1: {'; '.join(clauses)}")
        except Refused:
            continue
        for at, clause in enumerate(clauses):
            line = [*clauses[:at], mangled(clause, chance), *clauses[at + 1 :]]
            assert len(refused(battle, f"H1: {'; '.join(line)}")) == 1, line
        return
