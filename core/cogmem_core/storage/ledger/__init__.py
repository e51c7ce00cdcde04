"""The ledger: the tables of a bank, and what opens, changes, checks and saves them."""
