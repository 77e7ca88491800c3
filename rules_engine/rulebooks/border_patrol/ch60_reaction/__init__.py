"""Chapter V8.60: Reactionary Movement: who may use it, what it holds, and what it reacts to."""
