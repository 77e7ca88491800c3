"""Who plays what: creating a campaign, taking and leaving its seats, and starting it."""
