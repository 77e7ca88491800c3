"""Pictures of maps of lanes: systems, the lanes between them, and who is where."""
