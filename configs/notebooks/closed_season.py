# %% [markdown]
# # Does a closed season save the ferrite around a colony, and what does it cost?
#
# `lone_colony` is small enough to see why. Run this file whole, or cell by cell.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import worldsim as ws

# %% [markdown]
# ## One campaign: what happens, and where the ferrite goes

# %%
scenario = ws.load("lone_colony")
run = ws.simulate(scenario, seed=1)
print(run.events("team.gathered").project("day, team, place, taken").limit(3).fetchall())

# %%
LEFT = """
select region, sum(first), sum(last) from (
    select region, arg_min("left", day) as first, arg_max("left", day) as last from stocks
    where ingredient = 'ferrite' group by region, place)
group by region order by region"""
for region, first, last in run.query(LEFT).fetchall():
    print(f"{region}: {last} of {first} units of ferrite left")

# %% [markdown]
# ## A study: the same seeds with r1 open, and with r1 closed from day 11 on

# %%
STUDY = '''
schema = 1
[study]
name = "season"
question = "Does a closed season save the ferrite around haven, and what does it cost?"
scenario = "lone_colony"
days = 60
replications = 12
seed = 1
metrics = ["left.ferrite", "taken"]
[[metrics]]
name = "ferrite_in_r1"
sql = """
select sum(units) from (
    select arg_max("left", day) as units from stocks
    where region = 'r1' and ingredient = 'ferrite' group by place)"""
[[factors]]
name = "r1"
[factors.variants.open]
[factors.variants.closed]
set = [
  'interventions=[{name="season", day=11, until=60, set={"planet.closed"=["r1/s2", "r1/s3"]}}]',
]
'''
folder = TemporaryDirectory()
file = Path(folder.name) / "season.toml"
file.write_text(STUDY, encoding="utf-8")
study = ws.Study.load(file).run(Path(folder.name) / "season")

# %% [markdown]
# ## What closing it changes, seed by seed

# %%
from worldsim.study.analysis import changes

for metric in study.plan.metrics:
    (change,) = changes(study.plan, study.rows, metric.name, study.plan.cells[0])
    found = change.difference
    print(f"{metric.name}: {found.estimate:+.1f} ({found.low:.1f} to {found.high:.1f}) at 95 %")

# %% [markdown]
# More ferrite is left around haven, none is shown to be saved on the planet, and nothing is shown
# to be lost: the teams dig elsewhere. The same as a picture, where plotly is installed (the extra
# `view`):

# %%
from worldsim.study.inputs import MissingExtraError
from worldsim.views.pictures.study import study_picture

try:
    print(study_picture(study, "differences", "ferrite_in_r1").says)
except MissingExtraError as missing:
    print(missing)
folder.cleanup()
