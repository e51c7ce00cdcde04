"""`python -m cogmem`: the command line."""

from cogmem_core.cli.main import run

if __name__ == "__main__":
    run()
