"""What the book prints in figures."""
