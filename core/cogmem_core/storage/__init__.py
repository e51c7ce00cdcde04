"""Where memories live: the SQL ledger (the truth) and the indexes that follow it."""
