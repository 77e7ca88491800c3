"""What a campaign remembers of units, squadrons, lanes, places and orders."""
