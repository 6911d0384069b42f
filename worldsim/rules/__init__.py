"""The rulebook as pure functions of plain values and a stream of chance.

Nothing here knows a clock, a world, a log or a file. Each docstring names the rules it implements
as ``Rule GATH-6 [P].``: the id, then where the rule comes from ([P] progression, [B] battle,
[D] dice pool, [W] wiki, [us] our choice).
"""
