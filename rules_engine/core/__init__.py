"""What every rulebook shares: dice, maps, asks, the journal, the adjudicator, views and reports."""
