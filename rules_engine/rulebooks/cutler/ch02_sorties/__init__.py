"""Chapter 2.9: sorties of fighters into neighbouring hexes, before normal combat."""
