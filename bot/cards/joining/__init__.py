"""Cards of campaigns that take players: the announcement of a new one, and the choice of a seat."""
