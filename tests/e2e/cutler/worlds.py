"""Small worlds of Cutler's in a notation, as the files of a scenario.

A world is a few lines: planets with their boarding parties, fleets with the class and the name of each ship, and
freighters that wait::

    ash capital 0101 Hearth 5
    ash F1 0403 CA:Ember FF:Spark
    ash waits 0101 FL:Barge

Units and planets have their names in small letters as keys. A race has the hexes of its planets.
"""

from pathlib import Path

SHIPS = Path(__file__).resolve().parents[3] / "config" / "scenarios" / "cutler" / "ring" / "ships.toml"
CLASSES = {"CA": "heavy_cruiser", "CW": "war_cruiser", "DD": "destroyer", "FF": "frigate", "FL": "large_freighter"}
COLUMNS, ROWS = 7, 5


def scenario_of(world: str, *, turns: int) -> dict[str, str]:
    """The files of a scenario that lasts so many turns."""
    lines = [line.split() for line in world.splitlines() if line.strip()]
    planets = [words for words in lines if words[1] in ("capital", "major", "minor")]
    scenario = [
        f'title = "Small"\nsource = "invented"\n[victory]\nturn = {turns}',
        f"[map]\ncolumns = {COLUMNS}\nrows = {ROWS}",
    ]
    for race in dict.fromkeys(words[0] for words in lines):
        home = [hex_id for owner, _, hex_id, *_ in planets if owner == race]
        scenario.append(
            f'[races.{race}]\nname = "{race.title()}"\nemblem = "{race[0].upper()}"\nreserve = 40\nterritory = {home}'
        )
    scenario += [
        f'[planets.{name.lower()}]\nname = "{name}"\nkind = "{kind}"\nhex = "{hex_id}"\nrace = "{race}"\n'
        f"boarding_parties = {parties}"
        for race, kind, hex_id, name, parties in planets
    ]
    units = ["[units]"]
    for race, fleet, hex_id, *ships in (words for words in lines if words not in planets):
        for code, name in (ship.split(":") for ship in ships):
            units.append(
                f'[units.{name.lower()}]\nrace = "{race}"\nname = "{name}"\ntype = "{CLASSES[code]}"\n'
                f'hex = "{hex_id}"\nfleet = "{"" if fleet == "waits" else fleet}"'
            )
    return {
        "scenario.toml": "\n".join(scenario),
        "units.toml": "\n".join(units),
        "ships.toml": SHIPS.read_text(encoding="utf-8"),
    }
