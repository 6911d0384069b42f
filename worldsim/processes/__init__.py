"""The SimPy processes: a calendar, colonies and away teams, and the simulation that runs them.

A process waits, asks a pure rule, changes the world in one step, records the event.
"""
