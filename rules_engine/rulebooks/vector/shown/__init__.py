"""What may be seen of a duel: scenes for pictures, boards, tables and the briefing. VM-R38"""
