"""What a side is told and what it may see: reports, knowledge, views, tables, odds."""
