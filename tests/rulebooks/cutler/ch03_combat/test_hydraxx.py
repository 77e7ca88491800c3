"""The book's example of a whole combat, the defence of Hydraxx 7 (3.8), step by step as it is printed."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.invariants import defects
from tests.expected.kept import Kept
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.armed import ALLOCATION, BATSF, HEX, PFS, hydraxx
from tests.rulebooks.cutler.shown import battles_of
from tests.rulebooks.cutler.worlds import Run, refusal_words, table_of

FIGHT = {"force": {"card": "combat"}}
OK, GONE, LOST = {"fate": "intact"}, {"fate": "disengaged"}, {"fate": "destroyed"}


def wave(*ships, **more):
    return {"wave": {"ships": list(ships), **more}}


def k(*ships):
    return [f"klingon-F1-{ship}" for ship in ships]


def results():
    """Steps I, K, N and O: the escape battle, the approach battle, the gas giant, the planet."""
    h, l = "Hydran Hydran", "Klingon Klingon"  # noqa: E741  the race's name and the ship's
    fates = (
        {f"{l} F1 Cw2": LOST, f"{h} F1 Cc": GONE, f"{h} F1 Cw": LOST, "Hydran Batsf's fighters": LOST},
        {f"{l} F1 Ca2": GONE, f"{l} F2 Sc": GONE, f"{l} F4 Pft": GONE, f"{l} F2 Pf": LOST, f"{l} F2 Pf2": LOST}
        | {f"{h} F1 Ca": GONE, f"{h} F1 Dd": GONE, f"{h} F1 Ff": GONE, f"{h} F2 Ff": GONE},
        {f"{l} F1 Ca": GONE, f"{l} F1 Cw": GONE, f"{l} F1 Dd": GONE},
        {"Hydran Batsf": LOST, "Hydran Hydran F1 Cw2's fighters": {"fate": "damaged", "fighters_lost": 2}},
    )

    def settled(of):
        return lambda ask: {
            line.key: of.get(line.label.split(": ", 1)[1].rsplit(" (", 1)[0], OK) for line in ask.form.lines
        }

    return [settled(of) for of in fates]


def hydran_wave(ask):
    """Steps C, L and M: nobody escapes from the approach battle and the gas giant, the CM(M) does from the planet."""
    leaves = "from the planet" in ask.title and ask.title.startswith("0404: escape wave 1")
    return wave("hydran-F1-CW2", left=["hydran-F1-CW2"]) if leaves else wave()


def played():
    answers = {
        ("card", "klingon"): FIGHT,
        ("allocate", "hydran"): ALLOCATION,
        ("wave", "klingon"): [
            wave(*k("CA", "CW", "DD"), to="giant"),
            wave(*k("DN", "CW2"), "klingon-F2-DW", to="planet"),
            wave(),
        ],
        ("pursuit", "hydran"): [
            {},
            {key: {"group": 1} for key in ("hydran-F1-CC", "hydran-F1-CW", f"{BATSF}-fighters1")},
        ],
        ("surround", "hydran"): {
            "rest": {"direction": 1},
            "hydran-F1-CW": {"group": 1},
            f"{BATSF}-fighters1": {"group": 2},
        },
        ("flank", "hydran"): {"hydran-F1-FF": {"group": 1}, "hydran-F2-FF": {"group": 1}},
        ("flank", "klingon"): {
            "klingon-F1-CC": {"group": 1},
            **{key: {"group": 1 if number < 2 else 2} for number, key in enumerate(PFS)},
        },
        ("allocate", "klingon"): {key: {"place": "planet"} for key in ("klingon-F1-CC", *PFS[2:])},
        ("wave", "hydran"): hydran_wave,
        ("pursuit", "klingon"): {},
        ("order", "klingon"): {"giant": {"place": 1}, "planet": {"place": 2}},
        ("battle", ""): results(),
    }
    dice = {
        "escape from group 1": [3], "surround, group 1": [3], "surround, group 2": [2], "direction, group 1": [4],
        "direction, group 2": [6], "flank 1, hydran": [5], "flank 1, klingon": [3], "flank 2, klingon": [6],
    }  # fmt: skip
    run = Run(turn := table_of(hydraxx(), dice), combat_phase_steps(turn.at("combat")), answers)
    assert not defects(turn.state)
    return run


@pytest.mark.rule("cutler", "3.8", "3.5", "3.5.3", "3.5.5.3", "3.5.6", "3.5.7", "3.5.8", "3.4.5.5")
def test_the_defence_of_hydraxx_7(kept: Kept):
    run = played()
    assert combats.account(run) == kept()
    assert run.table.state.fights == {}
    # M: the CM(M) has got away from all combat, without a retreat.
    assert run.table.state.units["hydran-F1-CW2"].hex == HEX


@pytest.mark.rule("cutler", "3.7.5")
def test_fighters_flank_with_boosters_alone_as_the_sheet_says():
    answers = {
        ("card", "klingon"): FIGHT, ("allocate", "hydran"): ALLOCATION,
        ("flank", "hydran"): {f"{BATSF}-fighters1": {"group": 1}},
        ("flank", "klingon"): {"klingon-F1-CC": {"group": 1}},
    }  # fmt: skip
    secret = battles_of(combats.met(hydraxx(), answers))[0].setup.secret
    said = {side: " ".join(row for panel in panels for row in panel.rows) for side, panels in secret.items()}
    assert "Arrives on turn 2: Batsf's fighters" in said["hydran"]
    assert "Fighters flank with booster packs attached" in said["hydran"]
    assert "booster" not in said["klingon"]


@pytest.mark.rule("cutler", "3.5.7", "3.5.9")
def test_the_sheets_of_hydraxx_7(kept: Kept):
    run = played()
    assert [ask.setup.panels[0].rows for ask in battles_of(run)[2:]] == kept("set-ups")
    order = run.asked("klingon", "order")
    assert [line.key for line in order[0].form.lines] == ["planet", "giant"]
    sheets = [{"moon1": {"place": 1}}, {"giant": {"place": 3}}, {"giant": {"place": 2}}]
    assert [refusal_words(order[0], sheet) for sheet in sheets] == kept()
