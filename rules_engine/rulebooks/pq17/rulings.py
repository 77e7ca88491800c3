"""This package's own rulings, for players to read. NOTES.md tells more."""

from rules_engine.core.rulebook import RulingNote

RULINGS: tuple[RulingNote, ...] = (
    RulingNote(
        id="PQ-1",
        rules="5.1.1, T1",
        text="A task force at Warp Crawl may hold ships that have only impulse power left; those pay no fuel.",
    ),
    RulingNote(
        id="PQ-2",
        rules="5.3.5.3",
        text=(
            "A task force that searched or attacked before its own move stays in its hex; a plot to enter or to leave "
            "port stays in the hex anyway and is carried out."
        ),
    ),
    RulingNote(
        id="PQ-3",
        rules="6.4.1, 7.3.2",
        text="A level falls once an impulse, even for a shadower that moves in both halves.",
    ),
    RulingNote(
        id="PQ-4",
        rules="1.6.4.2",
        text=(
            "When contacts split or merge, the task force that keeps its owner's name keeps the number; else the "
            "first one formed."
        ),
    ),
    RulingNote(
        id="PQ-5",
        rules="5.3.2",
        text=(
            "Routes may be stored for as many steps as you like. They are flown without asking until your side has a "
            "contact, runs short of fuel, or asks to plot every impulse. A step not made is kept for the next point."
        ),
    ),
    RulingNote(
        id="PQ-6",
        rules="9.5",
        text="Who cannot pay for a hex and says nothing drops to the highest speed that it can pay for.",
    ),
    RulingNote(
        id="PQ-7",
        rules="5.5.1",
        text="With several friendly bases in a hex a task force enters port with the first.",
    ),
    RulingNote(
        id="PQ-8",
        rules="T5.victory, T5.note6",
        text="A scenario shorter than an operational period states its own threshold, marked as invented.",
    ),
    RulingNote(
        id="PQ-9",
        rules="5.3",
        text="Nobody leaves the map: exits belong to scenarios with edges that allow it, which none has yet.",
    ),
)
