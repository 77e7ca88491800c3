"""The database: its tables, how it is opened on SQLite and PostgreSQL, and the outbox of what is still to be sent."""
