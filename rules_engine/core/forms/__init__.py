"""Forms that an interface can show, and sheets written as text."""
