"""What a campaign remembers, what the book prints, and what players write."""
