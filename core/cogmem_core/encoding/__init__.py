"""The write path: turns in, memories out.

A turn is observed, facts are formed of it, the gate decides on each fact, and the decisions become
changes. `encode` reads and decides; `commit` is the half that writes.
"""
