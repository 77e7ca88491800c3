"""What may be seen of a campaign of jump lanes: boards, the map, groups in words, tables and the briefing."""
