"""Which test reaches which line of a rulebook: ``python -m tests.reached [book]`` makes the data, others ask it.

`making` runs the book's tests once under coverage.py, with one context for each test (`recording`, a plugin of pytest),
and keeps what was found in ``build/recorded/<book>.sqlite``; `data` answers from there. With ``--everyday`` it leaves
dear tests out, which is much quicker, and keeps it in ``<book>-everyday.sqlite``.
"""
