"""What may be seen: boards, tables, the briefing."""
