"""What special conditions and random events do, as told to the side that rolled them. The rules themselves are
elsewhere."""

from rules_engine.rulebooks.pq17.tables.special_conditions import EventName

EFFECTS: dict[str, str] = {
    "none": "",
    "mobile reserves": "Three DDF come on at your map edge this period.",
    "sector reserves": "Three DDG come on at your map edge this period.",
    "gale force": (
        "This period: 2 points if searches of Kiel roll +3 levels in all. And once, in a period you plot: the "
        "first attack on Kiel gives 10 points for internal damage there, internals on the base count as crippling"
        " it, and its own points are doubled. Suicide freighters may be prepared."
    ),
    "reinforcements": "This period's reinforcements are bought and come on at once.",
    "prinz keugen": "The D7C Prinz Keugen joins at Kiel, free of deployment restrictions.",
    "gearbox": (
        "Three tugs with pods and a freighter with modules come on. Set up a mobile base within 3 hexes of 0311 "
        "before the next period ends, and take the ships off the map by then: 1 point a base pod, a half for each"
        " further pod or module; without a base the Coalition scores 2."
    ),
    "clean sweep": (
        "2 points once Bastion is held at ID3. And once, in a period you plot: the first attack on Bastion gives "
        "5 points for internal damage, and its own points are doubled. Suicide freighters may be prepared."
    ),
    "agent cobweb": "A spy reports to the Coalition from your bases; everybody is told.",
    "reforger": (
        "Once, in a period you plot: 5 points for the first internal damage on Downbelow Station, and its own "
        "points in that battle are doubled."
    ),
    "coalition convoy": (
        "An E4B and two F-L with full cargo join at Kiel. Cargo delivered by the period's end to a base more than"
        " 3 hexes from Kiel, or to ships in port there, scores a point for each 50 boxes; what the Alliance "
        "destroys scores the same for it."
    ),
    "large convoy": (
        "Two E4B and three F-L with full cargo join at Kiel. Cargo delivered by the period's end to a base more "
        "than 3 hexes from Kiel, or to ships in port there, scores a point for each 50 boxes; what the Alliance "
        "destroys scores the same for it."
    ),
    "wunderland": (
        "Three tugs with pods and a freighter with modules come on. Set up a mobile base within 2 hexes of 1009 "
        "before the next period ends, and take the ships off the map by then: 2 points a base pod, 1 for each "
        "further pod or module; without a base the Alliance scores 4."
    ),
    "breakout": (
        "Once, in a period you plot: no deployment restrictions, three FD7 and a TGB join at Kiel, and each DN "
        "(12 points) or CA (5) that leaves over the trailing edge in rows 01 to 12 scores, if uncrippled and half"
        " fuelled."
    ),
    "sizilien": (
        "Once, in a period you plot: no deployment restrictions, 5 points for internal damage on Aikashi in the "
        "first attack on it, and its own points are doubled. Suicide freighters may be prepared."
    ),
    "minelaying": "This period: a point for each strength point of mines laid in an Alliance base's hex, at most 5.",
    "port strike": (
        "Once, in a period you plot, against Murzank or Arzangel: no deployment restrictions, 5 points for "
        "internal damage on the base or a ship in port there, internals on the base count as crippling it, and "
        "its own points are doubled. Suicide freighters may be prepared."
    ),
    "no restrictions": "This period there are no deployment restrictions, and no High Command caution.",
    "flotilla 5": (
        "At any plot of this period an F5C, two F5B and an F5DB may be placed in a hex of the rimward edge from "
        "1701 to 1718."
    ),
}

EVENT_EFFECTS: dict[EventName, str] = {
    "none": "",
    "residual minefield": (
        "Once this period an enemy force that you hold at U or better runs into old mines (strength 0, ID0)."
    ),
    "elusive target": "Once this period you may turn a successful Coalition search or attack into a failure.",
    "straggler": (
        "Once this period, after a failed attack on a force known to have freighters, you may attack it again; "
        "success destroys one of its freighters."
    ),
    "hf-df": "Once this period you may raise your level on one Coalition force held at U or better, to ID3 at most.",
    "high command caution": "This period you may attack nothing that you hold below ID3.",
    "port reconnaissance": "2 points if searches of one enemy base roll +3 levels in all this period.",
    "fis-ultra": "After the first planning step the Coalition reveals something of its special conditions.",
    "kis-b": "After the first planning step the Alliance reveals something of its special conditions.",
    "whiskers": "After the first planning step the Coalition says whether it holds, and carries out, a Port Strike.",
}
