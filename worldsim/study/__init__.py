"""Many runs, and how sure they make us: statistics of depletion, designs, sensitivity.

Nothing is imported here: scipy takes a second to load, and only who asks for statistics pays it.
"""
