"""What the book prints and what a scenario's lists give."""
