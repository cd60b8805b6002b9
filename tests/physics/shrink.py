"""Makes a failing case smaller: fewer keys, a smaller mesh, fewer steps, simpler numbers, while the oracle fails."""
import json
import tempfile
import time

from chance import rounded
from meshes import COUNTS
from poise import PoiseError
from units import flattened

def shrunk(case, oracle, text, check, patience, folders=None):
    """(case, text, tries): check(case, folder) says whether the oracle fails still.  Ends after the patience, in
    seconds."""
    end, tries, seen, better = time.monotonic() + patience, 0, {_key(case)}, True
    while better:
        better = False
        for change in list(_smaller(case)):
            candidate = _with(case, change)
            if candidate is None or _key(candidate) in seen:
                continue
            if time.monotonic() > end:
                return case, text, tries
            seen.add(_key(candidate))
            tries += 1
            with tempfile.TemporaryDirectory(dir=folders) as folder:
                try:
                    how, why = check(candidate, folder)
                except (PoiseError, KeyError, ValueError, TypeError, IndexError):
                    continue                                    # no case any more
            if how == "fails" and (oracle == "ends" or "rejected" not in why):
                case, text, better = candidate, why, True
    return case, text, tries


def _key(case):
    return json.dumps(case.settings)


def _with(case, change):
    try:
        new = case.changed(change)
    except PoiseError:
        return None
    for group in [k for k, v in new.settings.items() if v == {}]:
        del new[group]
    return new


def _smaller(case):
    """Changes to try, the greatest first."""
    for group in list(case.settings):
        if group not in ("mesh", "boundary", "output", "fluid"):
            yield {group: None}
    yield from _meshes(case)
    if "time" in case:
        ratio = case["time.end"] / case["time.step"]
        for count in (1, 2, 3, ratio / 2, ratio - 1):
            if 0.5 < count < ratio - 0.5:
                yield {"time.end": rounded(case["time.step"] * round(count), 6)}
    paths = [p for p, _ in flattened(case.settings)]
    groups = {p[:k] for p in paths for k in range(2, len(p))}
    for path in sorted(groups, key=len):
        if path[0] not in ("mesh",) and path[:1] + path[2:] != ("boundary",):
            yield {".".join(path): None}
    for path in paths:
        if path[0] not in ("mesh", "output") and path[-1] != "type":
            yield {".".join(path): None}
    for name, b in case["boundary"].items():                    # a plain wall, or one without friction
        if b["type"] in ("slip", "symmetry") or len(b) > 1 and b["type"] == "wall":
            yield {f"boundary.{name}": {"type": "wall"}}
    for path, value in flattened(case.settings):
        yield from _simpler(".".join(path), path, value)


def _meshes(case):
    mesh = case["mesh"]
    if "box" in mesh:
        box = mesh["box"]
        for key in ("stretch", "distortion"):
            if key in box:
                yield {f"mesh.box.{key}": None}
        cells = box["cells"]
        for k, n in enumerate(cells):
            for fewer in sorted({1, 2, n // 2, n - 1}):
                if 1 <= fewer < n:
                    yield {"mesh.box.cells": [*cells[:k], fewer, *cells[k + 1:]]}
        if len(set(box.get("to", [1.0]))) > 1:
            yield {"mesh.box.to": [box["to"][0]] * len(cells)}
    for key, value in mesh.get("parameters", {}).items():
        if key in COUNTS:
            for fewer in sorted({1, 2, value // 2, value - 1}):
                if 1 <= fewer < value:
                    yield {f"mesh.parameters.{key}": fewer}
        elif key in ("shear", "grade", "algorithm"):
            yield {f"mesh.parameters.{key}": None}
        elif key == "tri" and value:
            for other in range(value):
                yield {"mesh.parameters.tri": other}


def _simpler(name, path, value):
    """1 or a number of fewer digits, in the place of a number or an expression."""
    if path[0] in ("mesh", "output", "time") and path[-1] != "to" or path[-1] in ("type", "algorithm", "fields"):
        return
    if isinstance(value, str):
        if path[0] in ("boundary", "initial", "solids", "fluid", "scalars"):
            yield {name: 1.0}
        return
    if isinstance(value, list):
        if all(isinstance(v, float) for v in value):
            short = [rounded(v, 1) for v in value]
            if short != value:
                yield {name: short}
        return
    if isinstance(value, (int, float)) and not isinstance(value, bool) and path[-2:-1] != ("solver",):
        for simple in (1.0, rounded(value, 1)):
            if simple != value:
                yield {name: simple}

