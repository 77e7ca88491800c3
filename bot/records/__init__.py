"""What is kept of campaigns, as values: the database's repositories take and give them, and everybody shares them."""
