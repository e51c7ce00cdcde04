"""`python -m cogmem_core`: the command line, which stands above the engine and is found by its name."""

import runpy

if __name__ == "__main__":
    runpy.run_module("cogmem_cli", run_name="__main__")
