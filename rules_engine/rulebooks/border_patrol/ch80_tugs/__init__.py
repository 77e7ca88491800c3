"""Chapter V8.80: tugs with pods, or with other units in tow."""
