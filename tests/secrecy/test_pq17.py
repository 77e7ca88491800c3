"""PQ-17: two worlds that differ in what a side was never told look alike to it, in its campaign too."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.protocol.turn_context import TurnContext
from tests.expected.kept import cases
from tests.secrecy import commanders
from tests.secrecy.commanders import plain, wishful
from tests.secrecy.quiet_policies import WATCHERS_COLUMNS, by_default, differently, keeping_to
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike, few, one_after_another, one_by_one

WEST = keeping_to(WATCHERS_COLUMNS)
EAST = keeping_to(range(5, 10), planning_only=True)
GUESSES = ("C2", "Shade", "E1")
"""A true id and a true name of the enemy's, and a contact that nobody holds."""

APART = World("pq17/intro", ("alliance", "coalition"), policies={"alliance": WEST, "coalition": EAST})
"""The sides never share a hex."""


@cache
def seen(turns: int) -> Record:
    """The plain world, played once for all comparisons."""
    return watch(APART.but(turns=turns), guesses=GUESSES)


def compare(world: World) -> None:
    """Against the plain world."""
    alike(seen(world.turns), watch(world, guesses=GUESSES))


@few
@given(salt=st.integers(0, 10**6))
def test_orders_of_forces_that_are_never_met_are_unseen(salt: int) -> None:
    # Routes, postures, speeds, names and the grouping of ships: all of it is planned in secret (SOP 2.a), and a force
    # is detected in a shared hex only (6.3.1).
    compare(APART.but(turns=2, policies={"alliance": WEST, "coalition": differently(EAST, salt)}))


def test_the_same_holds_for_the_other_side() -> None:
    world = APART.but(sides=("coalition", "alliance"), seed=2)
    other = world.but(policies={"alliance": differently(WEST, "other"), "coalition": EAST})
    guesses = ("A2", "Vigil", "E1")
    alike(watch(world, guesses=guesses), watch(other, guesses=guesses))


@few
@given(restless=st.integers(0, 3), mistakes=st.integers(0, 3), others_first=st.booleans(), backwards=st.booleans())
def test_how_often_and_when_the_others_change_their_minds_is_unseen(
    restless: int, mistakes: int, others_first: bool, backwards: bool
) -> None:
    # Drafts, refusals, revisions, being ready and not after all: an answer is private until the batch closes (1.6.2).
    compare(APART.but(restless=restless, mistakes=mistakes, others_first=others_first, backwards=backwards))


LATE = APART.but(late=frozenset({"alliance"}), policies={"alliance": WEST, "coalition": by_default})
"""The watcher hands in its sheet but is never ready, so that the deadline falls."""


@cache
def late() -> Record:
    return watch(LATE, guesses=GUESSES)


@cases("case, other", made="other")
def test_who_lets_the_deadline_fall_is_unseen(other: dict[str, frozenset[str]]) -> None:
    # The watcher is late in all worlds, so the moment tells nothing; a silent side gets the default, which the
    # other world says aloud. The reminder goes to the late alone.
    alike(late(), watch(LATE.but(**other), guesses=GUESSES))


def test_a_side_that_wants_to_be_asked_each_impulse_is_unseen() -> None:
    # Standing orders are a side's own (ruling MOV-8). Play rests where the Coalition is asked, and the news come in
    # the same messages as if it did not.
    def always(referee, side, ask, chance):
        document = EAST(referee, side, ask, chance)
        if ask.kind == "planning":
            document["side"] = {"bid": 0, "ask": "always"}
        return document

    compare(APART.but(policies={"alliance": WEST, "coalition": always}))


FIXED = APART.but(policies={"alliance": WEST, "coalition": by_default}, settings={"early": False})
"""Sheets close at their deadlines only."""


def storing(referee, side, ask, chance):
    """By default, but with a logistics sheet every turn."""
    document = by_default(referee, side, ask, chance)
    if ask.kind == "planning":
        document["stores"] = {"sheet": "always"}
    return document


def at_leisure() -> tuple[Record, Record]:
    """Where windows are fixed: the Coalition has no logistics sheet, or one that alone it is asked for."""
    plain, other = (watch(FIXED.but(policies={**FIXED.policies, "coalition": one})) for one in (by_default, storing))
    assert [line.split()[1] for line in plain.hidden] == ["planning"]
    assert [line.split()[1] for line in other.hidden] == ["planning", "logistics"]
    return plain, other


@pytest.mark.unseen("pq17", asks=("planning", "logistics", "waiting"))
def test_where_windows_are_fixed_a_sheet_that_one_side_alone_gets_is_unseen() -> None:
    # Ruling FOG-3: the times of messages and deadlines are the same, for the window passes in any case.
    alike(*at_leisure())


@pytest.mark.slow
def test_a_window_that_passes_for_one_side_only_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TurnContext, "window_steps", lambda _, flow, pace: flow)
    with pytest.raises(AssertionError, match="moment"):
        alike(*at_leisure())


def running(choice: str):
    """By default, but for how long it runs on."""

    def policy(referee, side, ask, chance):
        document = by_default(referee, side, ask, chance)
        if ask.kind == "planning":
            document["side"] = {**document.get("side", {}), "run": choice}
        return document

    return policy


def run_on(watcher: str, *others: str) -> list[Record]:
    """Where windows are fixed: four turns in which the watcher runs on or not, for each of the other side's choices."""
    world = FIXED.but(turns=4)
    return [watch(world.but(policies={"alliance": running(watcher), "coalition": running(one)})) for one in others]


@pytest.mark.unseen("pq17", reports=("run",))
@pytest.mark.parametrize(
    "watcher", [pytest.param("ask", marks=pytest.mark.thorough), pytest.param("2", marks=pytest.mark.slow), "on"]
)
def test_where_windows_are_fixed_the_other_sides_running_on_is_unseen(watcher: str) -> None:
    # Running on is a standing order, a side's own (ruling MOV-8): what a turn tells, and when, is the same.
    plain, two, on = run_on(watcher, "ask", "2", "on")
    assert len({tuple(one.hidden) for one in (plain, two, on)}) == 3
    alike(plain, two)
    alike(plain, on)


def test_how_a_side_stands_whose_seat_changes_and_whose_commander_comes_back_is_unseen() -> None:
    # What is handed over, asked anew and given back is the side's own; that it is, everybody is told alike.
    moving = APART.but(turns=2, people_move=frozenset({1, 2}))
    plain = watch(moving, guesses=GUESSES)
    assert any("a seat has changed hands" in moment[0] for moment in plain.moments)
    alike(plain, watch(moving.but(policies={"alliance": WEST, "coalition": differently(EAST, 5)}), guesses=GUESSES))


# --- what is so before the first turn ---------------------------------------------------------------------------------
def renamed(text: str) -> str:
    """Other names for the Coalition's ships and task forces: names are private (1.6.2; 6.2 reveals none below ID4)."""
    for name in ("Talon", "Thorn", "Briar", "Whisper", "Shade", "Anvil", "Hook", "Needle", "Drudge"):
        text = text.replace(f'"{name}"', f'"Other {name[::-1]}"')
    for name in ("Spear", "Eyes", "Wall", "Train"):
        text = text.replace(f'name = "{name}"', f'name = "{name} of ours"')
    return text


def refitted(text: str) -> str:
    """Other classes in the Coalition's fleet: who never meets it is told of none."""
    return text.replace('"VWR"', '"OSC"').replace('class_id = "OCL"', 'class_id = "OCA"')


def regrouped(text: str) -> str:
    """The same ships in other task forces."""
    shade = text.index('id = "shade"')
    return text[:shade] + text[shade:].replace('task_force = "C2"', 'task_force = "C4"', 1)


def moved(text: str) -> str:
    """Another place for the Coalition's train."""
    return text.replace('hex = "0308"\nname = "Train"', 'hex = "0409"\nname = "Train"')


def all_of_it(text: str) -> str:
    """All four at once; a sweep tries them one by one."""
    return one_after_another(text, moved, regrouped, refitted, renamed)


@pytest.mark.parametrize("change", [all_of_it, *one_by_one(renamed, refitted, regrouped, moved)])
def test_how_the_other_side_begins_is_unseen(change: Callable[[str], str]) -> None:
    compare(APART.but(files={"scenario.toml": change}))


# --- in contact -------------------------------------------------------------------------------------------------------
def peaceful(policy):
    """No attacks: a battle's sheet shows the ships whole (6.2.7)."""

    def chosen(referee, side, ask, chance):
        if ask.kind == "attack":
            return ask.default.model_dump(mode="json")
        return policy(referee, side, ask, chance)

    return chosen


def beside(text: str) -> str:
    """The Coalition's scouts and its spear stand among the Alliance's forces."""
    text = text.replace('hex = "0606"\nname = "Eyes"', 'hex = "0403"\nname = "Eyes"')
    return text.replace('hex = "0507"\nname = "Spear"', 'hex = "0602"\nname = "Spear"')


MIDDLE = keeping_to(range(1, 10), stay=True)
STEADY = World(
    "pq17/intro",
    ("alliance", "coalition"),
    policies={"alliance": peaceful(MIDDLE), "coalition": by_default},
    files={"scenario.toml": beside},
)
"""Contacts from the first impulse on, with reconnaissance, but no battle. The Coalition does only what it must: its
answers depend on nothing that the worlds change."""


@cache
def steady() -> Record:
    return watch(STEADY, guesses=GUESSES)


def elsewhere(text: str) -> str:
    """Another class for a ship that stays in port, another place for the train."""
    return moved(text.replace('class_id = "OCL"', 'class_id = "OCA"'))


def test_contacts_are_made_and_told_of() -> None:
    told = "\n".join(line for moment in steady().moments for line in moment)
    assert re.search(r"E\d in 0\d0\d, ID[0-3]", told), "the world in contact holds no identified contact"


def renumbered(text: str) -> str:
    """The spear is C2 and the eyes are C1: numbers are the owner's own, and a contact gets the viewer's."""
    return text.replace('"C1"', '"C0"').replace('"C2"', '"C1"').replace('"C0"', '"C2"')


def hidden(text: str) -> str:
    """All of it at once, and other names: below ID4 no report names a ship (6.2)."""
    return one_after_another(text, elsewhere, renumbered, renamed)


@pytest.mark.parametrize("change", [hidden, *one_by_one(elsewhere, renumbered, renamed)])
def test_what_no_level_of_identification_shows_is_unseen_by_who_is_in_contact(change: Callable[[str], str]) -> None:
    world = STEADY.but(files={"scenario.toml": lambda text: change(beside(text))})
    alike(steady(), watch(world, guesses=GUESSES))


# --- the whole picture ------------------------------------------------------------------------------------------------
def test_pictures_are_the_same_bytes() -> None:
    # Everything is drawn again in both worlds, and /map is asked for.
    world = APART.but(pictures=True)
    alike(watch(world), watch(world.but(policies={"alliance": WEST, "coalition": differently(EAST, 7)})))


# --- pq17 campaign ----------------------------------------------------------------------------------------------------
# PQ-17's campaign: two worlds that differ in what a side was never told look alike to it, in all that the bot sends.
# A world goes through everything that a campaign asks: purchases, deployment, special conditions, the period's sheet,
# planning, logistics, and (the referee setting the calendar forward) a period's end and the next one's beginning.
ALLIANCE, COALITION = "alliance", "coalition"
DICE = {
    "condition/alliance": (50,),  # CLEAN SWEEP, with a star
    "condition/coalition": (64,),  # Port Strike
    "event/alliance": (4, 5),  # none
    "event/coalition": (4, 5),
}
"""What both sides roll for their periods: each holds an operation, so that both are asked for it."""
OTHER_DICE = {ALLIANCE: {"event/alliance": (1, 2)}, COALITION: {"event/coalition": (1, 2)}}  # port reconnaissance
NO_OPERATION = {ALLIANCE: {"condition/alliance": (70,)}, COALITION: {"condition/coalition": (80,)}}
"""None, with a star as well; and a large convoy."""
CAMPAIGN_GUESSES = {ALLIANCE: ("C12", "Prowlers", "1605"), COALITION: ("A14", "Lance", "A4")}
"""What there is in the second world alone."""
OTHERWISE = {ALLIANCE: commanders.ALLIANCE, COALITION: commanders.COALITION}
CAMPAIGN = World("pq17/campaign", (ALLIANCE, COALITION), policies={ALLIANCE: plain, COALITION: plain}, dice=DICE)
PERIOD = CAMPAIGN.but(policies={ALLIANCE: wishful, COALITION: wishful}, turns=3, leaps={2: 30})
"""Turn 1, turn 30 with all that ends a period, and turn 31 with all that begins one."""

both = pytest.mark.parametrize("watcher", [ALLIANCE, COALITION])


def watched_by(watcher: str, world: World) -> World:
    """The world as this side sees it."""
    return world.but(sides=(watcher, ALLIANCE if watcher == COALITION else COALITION))


def otherwise(world: World, policy: Any = None) -> World:
    """The same, but the side that is not watched does in another way all it can, or what this policy does."""
    side = world.sides[1]
    policies = {**world.policies, side: policy or OTHERWISE[side]}
    return world.but(policies=policies, dice={**world.dice, **OTHER_DICE[side]})


def seen_in_campaign(world: World) -> Record:
    """Play it, with guesses at what the other side may have."""
    return watch(world, guesses=CAMPAIGN_GUESSES[world.sides[0]])


@cache
def opening(watcher: str) -> Record:
    """The first turn as it is filled in, played once for all comparisons."""
    return seen_in_campaign(watched_by(watcher, CAMPAIGN))


def kinds(record: Record) -> set[str]:
    """The kinds of sheets that the other side handed in."""
    return {line.partition(" ")[2].rpartition(" ")[0] for line in record.hidden}


@both
def test_an_order_of_battle_and_the_first_turns_orders_are_unseen(watcher: str) -> None:
    # Ships bought, modules, hidden base, places, names, operations, arrivals, transfers, Patrol White, postures,
    # routes, mines, supply, suicide freighters: all of it is secret (C.purchase, C.oob, SOP 1.f, SOP 2.a).
    other = seen_in_campaign(otherwise(watched_by(watcher, CAMPAIGN)))
    alike(opening(watcher), other)
    asked = {"purchase", "deployment", "operations", "period", "planning"}
    assert kinds(opening(watcher)) == asked
    assert kinds(other) >= asked | {"logistics", "conversions"}


@pytest.mark.slow
@both
def test_a_periods_end_and_the_next_ones_beginning_are_unseen(watcher: str) -> None:
    # Reinforcements, emergency hulls within what is free of points, and another period's sheets (SOP 3.d).
    world = watched_by(watcher, PERIOD)
    other = seen_in_campaign(otherwise(world, commanders.UNSCORED[world.sides[1]]))
    alike(seen_in_campaign(world), other)
    assert kinds(other) >= {"purchase", "emergency", "operations", "period", "planning", "logistics"}


@pytest.mark.slow
@both
@pytest.mark.parametrize("policy", [commanders.PERIOD, commanders.PLANNING, commanders.LOGISTICS])
def test_each_sheet_by_itself_is_unseen(watcher: str, policy: Callable[..., Any]) -> None:
    alike(opening(watcher), seen_in_campaign(otherwise(watched_by(watcher, CAMPAIGN), policy)))


@pytest.mark.slow
@both
def test_where_windows_are_fixed_nobody_can_tell_whether_the_other_has_an_operation(watcher: str) -> None:
    # Ruling FOG-3. The other side is asked for its operation, its stores and its freighters, or for none of them; the
    # times of all deadlines and messages are the same.
    world = watched_by(watcher, CAMPAIGN).but(settings={"early": False})
    other = otherwise(world, commanders.OPERATIONS)
    alike(seen_in_campaign(world.but(dice={**DICE, **NO_OPERATION[world.sides[1]]})), seen_in_campaign(other))
