"""The book's example of a whole combat, the defence of Hydraxx 7 (3.8), step by step as it is printed."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.invariants import defects
from tests.expected.kept import Kept
from tests.rulebooks.cutler.armed import ALLOCATION, BATSF, HEX, PFS, POLICE, SAMS, hydraxx
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, table_of

FIGHT = {"force": {"card": "combat"}}
OK, GONE, LOST = {"fate": "intact"}, {"fate": "disengaged"}, {"fate": "destroyed"}


def wave(*ships, **more):
    return {"wave": {"ships": list(ships), **more}}


def k(*ships):
    return [f"klingon-F1-{ship}" for ship in ships]


def units_of(ask):
    """The units in a battle, by the last part of their labels."""
    return sorted(line.label.split(": ", 1)[1].rsplit(" (", 1)[0] for line in ask.form.lines)


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


@pytest.mark.rule("cutler", "3.8", "3.5", "3.5.3", "3.5.5.3", "3.5.6")
def test_the_defence_of_hydraxx_7(kept: Kept):
    run = played()
    battles = [ask for ask in run.asks if ask.kind == "battle"]
    assert [ask.setup.title.split(":")[0] for ask in battles] == kept("titles")
    # F: nobody pursued the first wave. G: three ships escape, so a 3 is a 4, and the second is caught.
    assert "is caught by group 1" in run.texts("klingon")
    pursuit = "Pursuit of wave 2 in 0404, group 1: 8 Hydran units (size 3: CC; size 3: CW; size 6: fighters ×6)."
    assert pursuit in run.texts("klingon")
    # H: BCH in direction 1, CM(T) behind in 4, the fighters in 6.
    rows = next(panel.rows for panel in battles[0].setup.panels if "pursuers stand" in panel.title)
    assert [row.split(":")[0] for row in rows[:-1]] == ["Direction 1", "Direction 4", "Direction 6"]
    assert "Cc" in rows[0]
    assert "Cw" in rows[1]
    assert "fighters" in rows[2]
    assert units_of(battles[0]) == kept("units_of(battles(0))")
    # K: the Hydran flank comes on turn 6; the Klingon ones on turn 4, and 7 turns later, on turn 11.
    arrivals = {
        side: [
            row.split(":")[0] for panel in panels if panel.title == "Your flanking groups" for row in panel.rows[:-1]
        ]
        for side, panels in battles[1].setup.secret.items()
    }
    assert arrivals == {"hydran": ["Arrives on turn 6"], "klingon": ["Arrives on turn 4", "Arrives on turn 11"]}
    assert len(battles[1].form.lines) == 4 + 4 + 6  # BCC, FFL, two FF(H); D7C, D7D, F5S, PFT; six G-1
    # N: the police ship, the CVU and the SAMS at the gas giant (B, not O: CU-R74).
    assert units_of(battles[2]) == sorted(
        ["Hydran hydran police", "Hydran Sams", "Hydran Hydran F2 Dw"]
        + [f"Klingon Klingon F1 {ship}" for ship in ("Ca", "Cw", "Dd")]
    )
    # O: the BATSF and the six fighters that the CM(M) left, against C9, D7C, four G-1, and the F5CVL that step I sends.
    assert units_of(battles[3]) == sorted(
        ["Hydran Batsf", "Hydran Hydran F1 Cw2's fighters"]
        + [f"Klingon Klingon {ship}" for ship in ("F1 Dn", "F1 Cc", "F2 Dw", "F2 Pf3", "F2 Pf4", "F3 Pf", "F3 Pf2")]
    )


@pytest.mark.rule("cutler", "3.7.5")
def test_fighters_flank_with_boosters_alone_as_the_sheet_says():
    answers = {
        ("card", "klingon"): FIGHT,
        ("allocate", "hydran"): ALLOCATION,
        ("flank", "hydran"): {f"{BATSF}-fighters1": {"group": 1}},
        ("flank", "klingon"): {"klingon-F1-CC": {"group": 1}},
    }
    run = Run(turn := table_of(hydraxx()), combat_phase_steps(turn.at("combat")), answers)
    secret = next(ask for ask in run.asks if ask.kind == "battle").setup.secret
    said = {side: " ".join(row for panel in panels for row in panel.rows) for side, panels in secret.items()}
    assert "Arrives on turn 2: Batsf's fighters" in said["hydran"]
    assert "Fighters flank with booster packs attached" in said["hydran"]
    assert "booster" not in said["klingon"]


@pytest.mark.rule("cutler", "3.5.6", "3.5.7", "3.5.8", "3.4.5.5")
def test_what_is_left_of_hydraxx_7():
    state = played().table.state
    gone = {key for key, unit in state.units.items() if unit.destroyed}
    assert gone == {"klingon-F1-CW2", "hydran-F1-CW", BATSF, PFS[0], PFS[1]}
    # N: who disengaged goes back where it came from, and fights at no other feature.
    assert {state.units[key].retreat_hex for key in k("CA", "CW", "DD")} == {"0505"}
    # M: the CM(M) has got away from all combat, without a retreat.
    escaped = state.units["hydran-F1-CW2"]
    assert (escaped.escaped_from, escaped.retreat_hex, escaped.hex) == (["klingon"], "", HEX)
    assert not state.units[SAMS].destroyed
    assert not state.units[POLICE].destroyed
    assert (state.units["klingon-F1-DN"].escaped_to, state.fights) == ("planet", {})


@pytest.mark.rule("cutler", "3.5.7", "3.5.9")
def test_the_sheets_of_hydraxx_7(kept: Kept):
    run = played()
    giant, planet = [ask for ask in run.asks if ask.kind == "battle"][2:]
    rows = " ".join(giant.setup.panels[0].rows)
    assert "Hydran (defending) sets up first, within 20 hexes of the gas giant" in rows
    assert "Klingon (attacking) enters at 40 to 45 hexes from the nearest enemy, at least one at exactly 40" in rows
    assert "need not be within 10 hexes" in rows
    assert "size 3" in rows
    assert "within 20 hexes of the planet Hydraxx" in " ".join(planet.setup.panels[0].rows)
    order = run.asked("klingon", "order")
    assert [line.key for line in order[0].form.lines] == ["planet", "giant"]
    assert refusal_words(order[0], {"moon1": {"place": 1}}) == kept()
    assert refusal_words(order[0], {"giant": {"place": 3}}) == ["giant.place: there is no such place. Legal: 1 to 2."]
    assert refusals(order[0], {"giant": {"place": 2}}) == []
