"""The database: how it is opened, on SQLite or PostgreSQL, its tables, and what reads and writes them."""
