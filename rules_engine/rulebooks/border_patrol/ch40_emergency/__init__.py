"""Chapter V8.40: Emergency Movement, what it costs, and how engines are overhauled."""
