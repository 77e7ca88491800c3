"""The campaign's operational periods: arrivals, departures, command points, and what happens as a period ends."""
