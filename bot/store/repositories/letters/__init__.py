"""Letters between sides, and those that are prepared and not sent."""
