"""Parts of the state that stand by themselves: coordination, sorties, missions; and what follows from them."""
