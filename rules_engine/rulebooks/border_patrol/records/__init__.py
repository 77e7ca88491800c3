"""What a campaign remembers of units, stacks and movement phases."""
