"""Whether others' readers accept the exports: pm4py reads both forms of an object-centric log.

It has an environment of its own in a temporary folder, since it brings versions of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import worldsim as ws
from worldsim.views.exports import export

PM4PY = "pm4py==2.7.23.11"
FORMS = {"ocel": "log.json", "ocel-sqlite": "log.sqlite"}
READ = """
import json, sys, warnings
warnings.simplefilter("ignore")
import pm4py
from pm4py.objects.ocel.validation import ocel20_rel_validation
told = {}
for form, path in json.loads(sys.argv[1]).items():
    read = pm4py.read_ocel2_json if form == "ocel" else pm4py.read_ocel2_sqlite
    log = read(path)
    told[form] = {
        "events": len(log.events), "objects": len(log.objects), "object_object": len(log.o2o),
        "event_object": len(log.relations),
        "pairs": len(log.relations[["ocel:eid", "ocel:oid"]].drop_duplicates()),
        "kinds": log.events["ocel:activity"].value_counts().to_dict(),
        "first": str(log.events["ocel:timestamp"].min()),
    }
    if form == "ocel-sqlite":
        told[form]["broken"] = ocel20_rel_validation.apply(path)[1]
print(json.dumps(told))
"""


def main() -> int:
    """Export a run, have it read, compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="contested_frontier")
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--python", help="of an environment with pm4py, instead of a new one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        python = given.python or _environment(folder / "venv")
        run = ws.simulate(ws.load(given.scenario), days=given.days)
        paths = {form: folder / name for form, name in FORMS.items()}
        counts = {form: export(run, form, path).counts for form, path in paths.items()}  # type: ignore[arg-type]
        told = _read(python, paths)
        expected = _expected(run, paths["ocel"])
    wrong = [
        f"{form}: {name} is {told[form][name]}, should be {right}"
        for form in FORMS
        for name, right in {**expected, **_counted(form, counts[form])}.items()
        if told[form][name] != right
    ]
    if told["ocel-sqlite"]["broken"]:
        wrong.append(f"ocel-sqlite: breaks {told['ocel-sqlite']['broken']}")
    for line in wrong:
        print(line)
    if not wrong:
        print(f"pm4py reads both forms: {counts['ocel']}")
    return 1 if wrong else 0


def _environment(folder: Path) -> str:
    """The Python of a new environment with pm4py."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", PM4PY], check=True)
    return python


def _read(python: str, paths: dict[str, Path]) -> dict[str, dict[str, object]]:
    named = json.dumps({form: str(path) for form, path in paths.items()})
    done = subprocess.run([python, "-c", READ, named], check=True, capture_output=True, text=True)
    told: dict[str, dict[str, object]] = json.loads(done.stdout.splitlines()[-1])
    return told


def _expected(run: ws.Run, path: Path) -> dict[str, object]:
    """What any reader must find, from the run's own log and from the file as JSON."""
    kinds: dict[str, int] = {}
    for line in run.lines():
        kind = json.loads(line)["event"]
        kinds[kind] = kinds.get(kind, 0) + 1
    log = json.loads(path.read_text(encoding="utf-8"))
    pairs = {(e["id"], one["objectId"]) for e in log["events"] for one in e["relationships"]}
    return {"kinds": kinds, "events": sum(kinds.values()), "pairs": len(pairs),
            "first": "2000-01-01 00:00:00+00:00"}  # fmt: skip


def _counted(form: str, counts: dict[str, int]) -> dict[str, object]:
    """What was counted in writing. Of JSON pm4py keeps one relation a pair of event and object."""
    names = ["objects", "object_object"] + (["event_object"] if form == "ocel-sqlite" else [])
    return {name: counts[name] for name in names}


if __name__ == "__main__":
    sys.exit(main())
