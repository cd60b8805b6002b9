#!/usr/bin/env python3
"""Runs the transient cases, with one fluid and with two, and reports their error relative to the reference.

    POISE=build/poise /usr/bin/python3 tests/regression/cases_transient.py [--full] [--list] [NAME ...]

Like cases.py, which it uses: coarse without --full; with it the resolutions and bounds that Poise promises.
"""
import sys

import numpy as np

from cases import ELEMENTS, QUADS, TRIANGLES, main
import bubble
import dambreak
import droplet
import energy
import marangoni
import street
import taylor_green
import vortex


def kept(run):
    """For a run with two fluids: errors of the volume, and of fractions outside [0, 1], over all rows."""
    table = run.table("interface.csv")
    beyond = max(-table["lowest"].min(), table["highest"].max() - 1, 0)
    return {"volume error": float(np.abs(table["volume_error"]).max()), "beyond [0, 1]": float(beyond)}


KEPT = {"volume error": 1e-12, "beyond [0, 1]": 1e-12}


def rise(run):
    return bubble.deviations(run) | kept(run)


def bubble_run(elements, n, centroid, velocity, moment, circularity, **more):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.h": 1 / n, **more}
    return (f"bubble-{ELEMENTS[elements]}-{n}", "bubble", settings, rise,
            {"centroid at t = 3": centroid, "largest rise velocity": velocity, "its time": moment,
             "smallest circularity": circularity} | KEPT)


def converging(runs):
    """The order of the circularity, from three runs whose cells are halved, by their differences; and by how many per
    cent the last two centroids differ.  Of these no order can be seen: what is left of the step (some 0.01 of it over
    h) and of the mesh have opposite signs."""
    found = [bubble.benchmark(run) for run in runs]
    a, b, c = (f["smallest circularity"] for f in found)
    centroid = [f["centroid at t = 3"] for f in found]
    return {"order of the circularity": float(np.log2(abs((a - b) / (b - c)))),
            "change of the centroid": 100 * abs(centroid[1] / centroid[2] - 1)}


def drop(run):
    found = droplet.measure(run)
    return {"pressure jump": found["jump error"], "capillary number": found["largest Ca"]} | kept(run)


def falling(runs):
    """Factor by which the spurious currents fall from mesh to mesh."""
    found = [droplet.measure(run)["largest Ca"] for run in runs]
    return {"share of the coarser mesh's currents": 100 * max(b / a for a, b in zip(found, found[1:]))}


def droplet_run(name, elements, cells, jump, capillary, **more):
    """cells: along a diameter."""
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.h": 0.5 / cells, **more}
    return (f"droplet-{name}{ELEMENTS[elements]}-{cells}", "droplet", settings, drop,
            {"pressure jump": jump, "capillary number": capillary} | KEPT)


# The exact curvature, and a pressure that is solved to the last digit: what is left is rounding.
BALANCED = {"interface.given_curvature": 4.0, "solver.pressure.tolerance": 1e-13}


def returned(case):
    """E1 as a share of isoAdvector-plicRDF's with as many cells; without a case over the volume at the start."""
    def measure(run):
        found = vortex.error(run)
        theirs = vortex.published(run, case) if case else None
        return {"error of plicRDF's": 100 * found["E1"] / theirs} | kept(run) if theirs else \
               {"error of the volume": 100 * found["relative"]} | kept(run)
    return measure


def vortex_run(elements, n, share, **more):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.h": 1 / n, **more}
    return (f"vortex-{ELEMENTS[elements]}-{n}", "vortex", settings, returned("vortex"),
            {"error of plicRDF's": share} | KEPT)


def sphere_run(field, n, share):
    cells = [n, n, 2 * n] if field == "deformation" else [n, n, n]
    return (f"vortex-{field}3d-{n}", f"vortex/{field}3d", {"mesh.box.cells": cells}, returned(field),
            {"error of plicRDF's": share} | KEPT)


def zalesak_run(elements, n, bound):
    return (f"vortex-zalesak-{ELEMENTS[elements]}-{n}", "vortex/zalesak",
            {"mesh.parameters.elements": elements, "mesh.parameters.h": 1 / n}, returned(None),
            {"error of the volume": bound} | KEPT)


def space(runs):
    found = [taylor_green.errors(run) for run in runs]
    order = [np.log(a["velocity"] / b["velocity"]) / np.log(a["size"] / b["size"]) for a, b in zip(found, found[1:])]
    return {"order in space": float(min(order))}


def taylor_green_space(cells, step):
    return ("taylor-green-space-" + "-".join(map(str, cells)), "taylor-green",
            [{"mesh.box.cells": [n, n], "time.step": step} for n in cells], space, {"order in space": (1.9, 5.0)})


def taylor_green_time(scheme, least, steps, n=64):
    return (f"taylor-green-time-{scheme}", "taylor-green",
            [{"mesh.box.cells": [n, n], "time.step": s, "time.scheme": scheme} for s in steps],
            lambda runs: {"order in time": min(taylor_green.time_orders(runs)[1])}, {"order in time": (least, 5.0)})


def kept_energy(run):
    """By how many per cent the energy lost by 3-D vortices differs from that dissipated, as a whole and at most in an
    interval."""
    found = energy.balance(run)
    return {"whole": 100 * (found["loss"].sum() / found["dissipated"].sum() - 1),
            "largest of an interval": 100 * np.abs(found["loss"] / found["dissipated"] - 1).max()}


def energy_run(n, end, whole, largest):
    return (f"taylor-green-3d-{n}", "taylor-green/taylor-green-3d", {"mesh.box.cells": [n, n, n], "time.end": end},
            kept_energy, {"whole": whole, "largest of an interval": largest})


def front(run):
    found = dambreak.deviations(run)
    return {"front": found["front"][1]} | kept(run)


def dambreak_run(n, bound):
    """n: cells along the column's base; bound: root mean square deviation of the front, in bases, with the best
    shift."""
    return (f"dambreak-{n}", "dambreak", {"mesh.box.cells": [5 * n, 3 * n]}, front, {"front": bound} | KEPT)


def street_run(elements, h, drag, lift, strouhal, pressure, **more):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.h": h, **more}
    return (f"cylinder-unsteady-{ELEMENTS[elements]}-{h:g}", "cylinder-unsteady", settings, street.beyond,
            {"largest drag": drag, "largest lift": lift, "Strouhal number": strouhal, "pressure difference": pressure})


def calm(run):
    """The largest speed during the run: an instability grows without bound."""
    speeds = [float(np.linalg.norm(run.field("velocity", step), axis=1).max()) for step in run.steps]
    return {"largest speed": max(speeds) if np.isfinite(speeds).all() else np.inf} | kept(run)


def stable(case, cells, speed, steps):
    """Bubbles of density ratio 1000 and viscosity ratio 100 at Courant 0.5: the surface tension is so weak that nothing
    else limits the step."""
    settings = {"mesh.box.cells": cells, "second_fluid.surface_tension": 0.01, "time.step": 0.05, "time.courant": 0.5,
                "time.capillary": 1e9, "time.end": 1e3, "time.max_steps": steps, "output.interval": 0.5,
                "bubbles.every": 100}
    return (f"stable-{len(cells)}d-{steps}-steps", case, settings, calm, {"largest speed": speed} | KEPT)


def pulled(run):
    return {"velocity": abs(marangoni.deviation(run)["velocity error"])} | kept(run)


def marangoni_run(elements, n, bound, **more):
    """n: cells along a radius; bound: of the drop's velocity, in per cent."""
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n, **more}
    return f"marangoni-{ELEMENTS[elements]}-{n}", "marangoni", settings, pulled, {"velocity": bound} | KEPT


# (name, case, settings, measure, bounds)
COARSE = [                                                  # squares: Hysing 2 in tests/verify/two_fluids.py
    bubble_run(TRIANGLES, 25, 0.45, 1, 2, 1.5),
    droplet_run("balanced-", QUADS, 16, 1e-6, 1e-11, **BALANCED, **{"time.end": 0.2}),
    droplet_run("balanced-", TRIANGLES, 16, 1e-6, 1e-11, **BALANCED, **{"time.end": 0.2}),
    droplet_run("", QUADS, 16, 0.1, 1e-5),                  # so long that waves which grow are seen
    vortex_run(QUADS, 64, 100),
    vortex_run(TRIANGLES, 42, 100),
    zalesak_run(QUADS, 50, 9),
    taylor_green_space((16, 32), 0.02),
    energy_run(24, 1.0, 14, 16),
    taylor_green_time("crank-nicolson", 1.9, (0.05, 0.025, 0.0125)),
    taylor_green_time("bdf2", 1.9, (0.1, 0.05, 0.025)),
    dambreak_run(16, 0.1),
    marangoni_run(QUADS, 8, 2),
    stable("bubbles", [48, 48], 5, 200),
]
FULL = [
    bubble_run(QUADS, 40, 0.45, 1, 2, 1.5),
    droplet_run("", TRIANGLES, 16, 0.1, 2e-5, **{"time.end": 1.2}),
    bubble_run(QUADS, 80, 1, 1, 2, 1),
    bubble_run(QUADS, 160, 0.3, 0.5, 2, 0.5),
    bubble_run(TRIANGLES, 80, 1, 1, 2, 1),
    ("bubble-convergence", "bubble", [{"mesh.parameters.h": 1 / n} for n in (40, 80, 160)], converging,
     {"order of the circularity": (0.9, 5.0), "change of the centroid": 0.03}),
    droplet_run("balanced-", QUADS, 32, 1e-6, 1e-12, **BALANCED),
    droplet_run("balanced-", TRIANGLES, 32, 1e-6, 1e-12, **BALANCED),
    droplet_run("", QUADS, 32, 1, 1e-3),
    droplet_run("", TRIANGLES, 32, 1, 1e-3),
    ("droplet-resolution", "droplet", [{"mesh.parameters.h": 0.5 / n} for n in (16, 32)], falling,
     {"share of the coarser mesh's currents": 100}),
    vortex_run(QUADS, 128, 100),
    vortex_run(QUADS, 256, 100),
    vortex_run(TRIANGLES, 84, 100),
    vortex_run(TRIANGLES, 168, 100),
    zalesak_run(QUADS, 100, 6),
    sphere_run("shear", 32, 100),
    sphere_run("shear", 64, 100),
    sphere_run("deformation", 32, 100),
    sphere_run("deformation", 64, 100),
    taylor_green_space((16, 32, 64), 0.01),
    energy_run(64, 10.0, 1.0, 1.0),
    taylor_green_time("crank-nicolson", 1.9, (0.05, 0.025, 0.0125, 0.00625)),
    taylor_green_time("bdf2", 1.9, (0.1, 0.05, 0.025, 0.0125)),
    taylor_green_time("euler", 0.85, (0.005, 0.0025, 0.00125)),
    dambreak_run(32, 0.1),
    marangoni_run(QUADS, 16, 1),
    marangoni_run(TRIANGLES, 8, 3),
    street_run(QUADS, 0.0013, 0.31, 1, 1.7, 0.81),
    street_run(TRIANGLES, 0.0025, 0.31, 1, 1.7, 0.81),
    stable("bubbles", [128, 128], 5, 1000),
    stable("bubbles/bubbles3d", [48, 48, 48], 5, 1000),
]

KNOWN = {"vortex-deformation3d-64": ({"error of plicRDF's": 115},
                                     "109 to 113 % here, 85 % with half the cells along a side: not explained yet")}

if __name__ == "__main__":
    sys.exit(main(COARSE, FULL, KNOWN))
