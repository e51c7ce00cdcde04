"""Vectors: compared exactly in memory, and in Chroma where a namespace is large."""
