"""What everything is written in: records, canonical JSON, exact fractions, refusals, dice."""
