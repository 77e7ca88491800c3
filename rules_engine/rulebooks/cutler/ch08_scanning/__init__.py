"""Chapter 8: scanning. Units with special sensors look into hexes that they are not in, by standing orders."""
