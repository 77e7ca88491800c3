"""Parts of the state by themselves: planets, races, coordination, sorties, missions; and what follows from them."""
