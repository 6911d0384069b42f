"""The parts of tools/bench.py, one module each."""
