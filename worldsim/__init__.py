"""worldsim: a discrete-event simulation of away teams using up a new planet."""

__version__ = "0.1.0"
