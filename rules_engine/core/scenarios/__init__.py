"""What books have in common that read a scenario's files: every defect at once, each with its place."""
