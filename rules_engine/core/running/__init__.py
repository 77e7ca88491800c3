"""What drives a campaign: commands in, transitions out, live and in replay."""
