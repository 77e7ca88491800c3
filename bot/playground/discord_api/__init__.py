"""What the bot connects to: Discord's REST API and gateway, answered from the playground's state."""
