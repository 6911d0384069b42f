"""The command ``worldsim``: arguments in, calls, exit code out.

Each command is a module of its own that is loaded when it is asked for, and loads the rooms it
needs only when it runs: ``worldsim --help`` costs little more than click.
"""
