"""How the bot fares as campaigns grow in number: what may depend on how many there are, and how far."""
