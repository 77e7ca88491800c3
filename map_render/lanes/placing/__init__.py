"""Where everything on a map of lanes stands."""
