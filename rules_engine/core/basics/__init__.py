"""The ground of the engine: frozen and mutable models, canonical JSON, exact fractions, refusals, dice."""
