"""The write path: turns in, memories out. `plan` is pure given its neighbours; `commit` is the half that does I/O."""
