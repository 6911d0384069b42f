"""The soak: random worlds watched by checkers outside the code, and runs killed at random."""
