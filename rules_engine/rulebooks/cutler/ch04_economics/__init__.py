"""Chapter 4: income, where CPV lie, what docks build, refit and repair, and bases."""
