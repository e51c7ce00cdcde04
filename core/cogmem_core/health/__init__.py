"""How memories are doing: in numbers, looking ahead, and under a doctor's examination."""
