"""Search of one namespace: its words, its vectors and its order, held in memory."""
