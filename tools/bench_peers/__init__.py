"""The day of ``bench_steady`` written the plain way, on SimPy alone, on Mesa and on salabim.

These are what worldsim's speed is compared with: the same rules, the same map, people and stock,
a die at a time, an object for everything and ``json.dumps`` for every event, as somebody who knows
the library would write it for one study. What befalls nobody in ``bench_steady`` is left out
(wildlife, hunger, being lost, battles), and so are the tables, checkpoints and books of a run.
"""
