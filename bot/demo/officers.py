"""The demo's officers: they read a sheet and write orders, in the words a player would type."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.demo.sheet import SheetLine, read_lines

BATTLE_TURNS = 6
WITHDREW_ON = 4

Plans = Mapping[tuple[str, int], str]
"""Orders typed for a side's turn sheet, by (side, turn); those for turn 0 go with every sheet that has no others."""

PQ17_PLANS: Plans = {
    ("Alliance", 1): "A1: speed 2; route 0404 0405\nA2: speed 2; route 0305 0405\nA4: speed 1; route 0601",
    ("Coalition", 1): "C1: speed 2; route 0506 0505\nC2: speed 2; route 0605 0604",
    ("Alliance", 2): "A1: speed 2; route 0505 stay\nA2: speed 2; route 0505 stay",
    ("Coalition", 2): "C1: speed 2; route stay stay\nC2: speed 2; route stay stay",
    ("Alliance", 3): "A1: speed 2; route stay stay\nA2: speed 2; route stay stay",
    ("Coalition", 3): "C1: speed 2; route stay stay",
    ("Alliance", 4): "A3: speed 2; route port 0403",
    ("Coalition", 4): "C3: speed 2; route port 0507",
}

PQ17_PERIOD_PLANS: Plans = {
    ("Alliance", 0): 'side: run on; stop -; doctrine "search fuel>10; shadow; attack id1; probes 1"',
    ("Coalition", 0): 'side: run on; stop -; doctrine "search fuel>10; shadow; attack id1; probes 1"',
}

CUTLER_PLANS: Plans = {
    ("Hydran", 1): (
        "economy: reserve 120\nM1: kind location; against lyran; target high_den; ip 25\n"
        "M2: kind resources; against klingon; target iron_hearth; ip 15\nF1: course 0305 0405 0505 0605"
    ),
    ("Lyran", 1): "economy: reserve 80\ncounter: points 20\nF2: course 0703 0603 0604 0605",
    ("Klingon", 1): (
        "economy: reserve 60\nM1: kind planet; against hydran; target azure_throne; ip 30\nF3: course 0707 0606"
    ),
    ("Hydran", 2): "economy: reserve 60\nM1: kind movement; against klingon; other 0605; ip 40",
    ("Lyran", 2): "economy: reserve 60\ncounter: points 30",
    ("Klingon", 2): "economy: reserve 40\nM1: kind base; against lyran; ip 25",
}


@dataclass
class Officer:
    """One side's officer. ``mistaken`` sends a first account of each battle that has to be put right."""

    side: str
    plans: Plans
    mistaken: bool = False
    turn: int = 0
    corrected: set[str] = field(default_factory=set[str])

    def orders(self, title: str, text: str) -> str:
        """What to type into the sheet of that title; empty leaves it as it is filled in."""
        lines = read_lines(text)
        if title.startswith("Battle") or any("fate" in line.legal for line in lines):
            return self._account(title, lines)
        if any("bid" in line.legal or "reserve" in line.legal for line in lines):
            self.turn += 1
            return self.plans.get((self.side, self.turn), self.plans.get((self.side, 0), ""))
        cards = [line for line in lines if {"bypass", "combat"} <= set(line.options("card"))]
        if cards:
            return "\n".join(f"{line.key}: card combat" for line in cards)
        races = [line for line in lines if line.options("race")]
        if races:
            return "\n".join(f"{line.key}: race {line.options('race')[0]}" for line in races)
        targets = [line for line in lines if line.options("target")]
        if targets:
            return "\n".join(self._at_them(line) for line in targets)
        return ""

    @staticmethod
    def _at_them(line: SheetLine) -> str:
        shadow = "; shadow yes" if "shadow" in line.legal else ""
        return f"{line.key}: target {line.options('target')[0]}{shadow}"

    def _account(self, title: str, lines: list[SheetLine]) -> str:
        """The first force loses a ship; what is left of it withdraws."""
        units = [line for line in lines if "fate" in line.legal]
        forces = list(dict.fromkeys(line.force for line in units))
        loser = forces[0]
        orders: list[str] = []
        head = next((line for line in lines if "winner" in line.legal), None)
        if head is not None:
            winner = next((one for one in head.options("winner") if one.casefold() != loser.casefold()), "nobody")
            wrong = self.mistaken and title not in self.corrected
            turns = BATTLE_TURNS - 1 if wrong else BATTLE_TURNS
            orders.append(f"{head.key}: winner {winner}; turns {turns}")
        losing = [line for line in units if line.force == loser]
        for number, line in enumerate(losing):
            fates = line.options("fate")
            if number and "disengaged" in fates:
                turn = f"; turn {WITHDREW_ON}" if "turn" in line.legal else ""
                orders.append(f"{line.key}: fate disengaged{turn}")
            else:
                orders.append(f"{line.key}: fate destroyed")
        return "\n".join(orders)

    def correct(self, title: str) -> None:
        """The accounts were said to differ: send the right one next time."""
        self.corrected.add(title)
