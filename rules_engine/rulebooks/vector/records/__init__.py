"""What a battle of inertial vectors remembers of ships, plots and terrain."""
