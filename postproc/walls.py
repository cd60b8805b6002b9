#!/usr/bin/env python3
"""y+ of the cells along walls: how finely a mesh resolves the shear there.

    walls.py RUN.out wall [--density 1 --viscosity 0.001]

From surfaces/wall/faces.csv, where the case has surfaces = { wall = { boundaries = ["..."]; }; } with shear and
wall-distance among its fields, as it has by default.  y+ = d u / nu, with d the distance of the cell's centre from the
wall, u = sqrt(shear / density) and nu = viscosity / density, which are those of the run's checkpoint where they are not
given.  Least, mean over the area and largest; of every face: RUN.out/surfaces/wall/yplus.csv.
"""
import argparse

from poise.scripts import command
import h5py
import numpy as np

from poise import PoiseError, Run


def fluid(run):
    """(density, viscosity) of the first fluid, from the settings in the checkpoint."""
    try:
        with h5py.File(run.path("checkpoint.h5")) as file:
            lines = bytes(file["settings"][:]).decode().splitlines()
    except (OSError, KeyError) as error:
        raise PoiseError(f"{run.path('checkpoint.h5')}: {error}; give --density and --viscosity") from None
    settings = dict(line.split(" = ", 1) for line in lines if " = " in line)
    return float(settings["fluid.density"]), float(settings["fluid.viscosity"])


def yplus(faces, density, viscosity):
    """Of every row of faces.csv."""
    shear = np.sqrt(sum(faces[name]**2 for name in faces.columns if name in ("shear_x", "shear_y", "shear_z")))
    if np.ndim(shear) == 0:
        raise PoiseError(f"{faces.path}: no column shear_x; expected surfaces.NAME.fields with shear and wall-distance")
    return faces["wall-distance"] * np.sqrt(shear * density) / viscosity


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run")
    parser.add_argument("surface", help="its name in the case")
    parser.add_argument("--density", type=float)
    parser.add_argument("--viscosity", type=float, help="dynamic")
    options = parser.parse_args()
    run = Run(options.run)
    faces = run.table("surfaces", options.surface, "faces.csv")
    given = options.density, options.viscosity
    density, viscosity = (g if g is not None else f for g, f in zip(given, fluid(run) if None in given else given))
    found, area = yplus(faces, density, viscosity), faces["area"]
    print(f"y+ on {options.surface}: least {found.min():.4g}, mean {np.average(found, weights=area):.4g}, largest "
          f"{found.max():.4g}, on {len(found)} faces")
    centre = [name for name in faces.columns if name in ("x", "y", "z")]
    np.savetxt(run.path("surfaces", options.surface, "yplus.csv"), np.c_[faces.rows[:, :len(centre)], found],
               delimiter=",", header=",".join(centre) + ",yplus", comments="")


if __name__ == "__main__":
    command(main)
