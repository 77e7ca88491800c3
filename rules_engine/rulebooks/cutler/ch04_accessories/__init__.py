"""Chapter 4.2.4, accessories: what is bought and moved between units, mines and minefields, what shuttles are for."""
