"""The command `cogmem`.

Heavy modules are imported inside the commands, so that `--help` answers at once.
"""
