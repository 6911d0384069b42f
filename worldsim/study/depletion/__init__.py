"""The depletion lab: how a stock is used up, by whom, and what its catches alone would have told.

Every figure is read from the tables of runs (and from their logs, where the tables leave something
open), one run after another, so that an ensemble of hundreds needs the memory of one. Nothing is
imported here: ``report.examine`` puts all of it together.
"""
