"""What makes a battle flown by vectors a campaign of its own: set-up, what is reached, and how it ends."""
