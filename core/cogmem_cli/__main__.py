"""`python -m cogmem_cli`: the command line."""

from cogmem_cli.main import run

if __name__ == "__main__":
    run()
