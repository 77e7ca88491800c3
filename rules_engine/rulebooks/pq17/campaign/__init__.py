"""The great campaign's periods, and who comes and goes in them."""
