"""What every rulebook shares: dice, maps, asks, the journal, the referee, views and reports."""
