"""What maps show."""
