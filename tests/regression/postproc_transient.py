#!/usr/bin/env python3
"""The scripts in postproc/ for transient flow and two fluids, on synthetic runs with known results.

    /usr/bin/python3 tests/regression/postproc_transient.py
"""
import os
import subprocess
import sys

import h5py
import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(TOP, "postproc")
sys.path[:0] = [SCRIPTS, os.path.join(TOP, "tests")]
import bubble  # noqa: E402
import dambreak  # noqa: E402
import droplet  # noqa: E402
import spectrum  # noqa: E402
import street  # noqa: E402
import energy  # noqa: E402
import taylor_green  # noqa: E402
import vortex  # noqa: E402
from poise import Run, Table  # noqa: E402
from poise.section import contour, distance_to_curve  # noqa: E402
from checks import run_checks  # noqa: E402


def script(*arguments):
    return subprocess.run([sys.executable, os.path.join(SCRIPTS, arguments[0]), *arguments[1:]], capture_output=True,
                          text=True, check=False)


def made_up(name, cells, size, states, triangles=False):
    """A run directory on nx x ny (x nz) cells, squares cut in two where triangles.  states: [(time, {field: of
    centres})]."""
    directory = name + ".out"
    os.makedirs(os.path.join(directory, "fields"))
    axes = [np.linspace(0, length, n + 1) for length, n in zip(size, cells)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(cells))
    number = np.arange(len(points)).reshape([n + 1 for n in cells])
    if len(cells) == 2:
        corners = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1).reshape(-1, 4)
        if triangles:
            corners = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    else:
        low, high = number[:, :, :-1], number[:, :, 1:]
        corners = np.stack([v[a, b] for v in (low, high) for a, b in ((np.s_[:-1], np.s_[:-1]), (np.s_[1:], np.s_[:-1]),
                                                                     (np.s_[1:], np.s_[1:]), (np.s_[:-1], np.s_[1:]))],
                           -1).reshape(-1, 8)
    kind = {3: 4, 4: 5, 8: 9}[corners.shape[1]]
    with h5py.File(os.path.join(directory, "mesh.h5"), "w") as file:
        file.attrs["dim"] = len(cells)
        file["vertices"] = np.pad(points, ((0, 0), (0, 3 - len(cells))))
        file["cells/type"] = np.full(len(corners), kind, dtype=np.uint8)
        file["cells/start"] = np.arange(len(corners) + 1) * corners.shape[1]
        file["cells/vertices"] = corners.ravel().astype(np.int32)
    centres = points[corners].mean(axis=1)
    for step, (time, fields) in enumerate(states):
        with h5py.File(os.path.join(directory, "fields", f"{step:06d}.h5"), "w") as file:
            file.attrs["time"] = float(time)
            for field, value in fields.items():
                file[field] = value(centres)
    return directory


def write(directory, path, columns, rows):
    path = os.path.join(directory, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    np.savetxt(path, rows, delimiter=",", comments="", header=columns, fmt="%.17g")


def disc(x, y, radius, width):
    """Fractions of a disc, by the distance to it over the width of the cells."""
    return lambda c: np.clip(0.5 + (radius - np.hypot(c[:, 0] - x, c[:, 1] - y)) / width, 0, 1)


def volumes_are_right():
    for name, cells, size, triangles in (("box", (5, 7), (2, 3), False), ("cut", (5, 7), (2, 3), True),
                                         ("cube", (3, 4, 5), (1, 2, 3), False)):
        mesh = Run(made_up(name, cells, size, [], triangles)).mesh
        assert abs(mesh.volumes().sum() - np.prod(size)) < 1e-12 and np.ptp(mesh.volumes()) < 1e-12, name
        linear = mesh.to_vertices(mesh.centres()[:, 0])
        inner = (mesh.vertices[:, 0] > 1e-9) & (mesh.vertices[:, 0] < size[0] - 1e-9)
        if not triangles:
            assert np.abs(linear - mesh.vertices[:, 0])[inner].max() < 1e-12, name


def outlines_are_found():
    for name, triangles in (("squares", False), ("triangles", True)):
        run = Run(made_up(name, (40, 80), (1, 2), [(0, {"fraction": disc(0.5, 0.7, 0.25, 1 / 40)})], triangles))
        found = contour(run)
        radius = np.hypot(found[..., 0] - 0.5, found[..., 1] - 0.7)
        length = np.sqrt(((found[:, 0] - found[:, 1]) ** 2).sum(axis=1)).sum()
        assert np.abs(radius - 0.25).max() < 0.02 / 40 ** 0.5, f"{name}: {radius}"
        assert abs(length / (0.5 * np.pi) - 1) < 0.005, f"{name}: {length}"
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    circle = np.c_[np.cos(angle), np.sin(angle)][np.random.default_rng(1).permutation(400)]
    distance = distance_to_curve(np.array([[1.5, 0], [0, -0.8], [0, 1]]), circle)
    assert np.allclose(distance, [0.5, 0.2, 0], atol=1e-4), distance


def bubbles_are_compared():
    """The first group's own curves and outline as a run: no deviation but that of the group from the mean."""
    shape = Table(os.path.join(bubble.REFERENCE, "hysing2009_case1_tp2d_shape_t3.csv")).rows

    def fraction(c):
        inside = distance_to_curve(c, np.unique(shape, axis=0))
        arm, ring = c - shape.mean(axis=0), np.unique(shape, axis=0) - shape.mean(axis=0)
        order = np.argsort(np.arctan2(ring[:, 1], ring[:, 0]))
        ring = ring[order]
        radius = np.interp(np.arctan2(arm[:, 1], arm[:, 0]), np.arctan2(ring[:, 1], ring[:, 0]), np.hypot(*ring.T),
                           period=2 * np.pi)
        return np.clip(0.5 + np.where(np.hypot(*arm.T) < radius, inside, -inside) * 32, 0, 1)

    def velocity(c):
        return np.c_[0 * c[:, 0], np.sin(c[:, 0]), 0 * c[:, 0]]

    states = [(t, {"fraction": disc(0.5, 0.5 + 0.2 * t, 0.25, 1 / 32), "velocity": velocity}) for t in (0, 1, 2)]
    directory = made_up("bubble", (32, 64), (1, 2),
                        states + [(3, {"fraction": fraction, "velocity": velocity})])
    series = Table(os.path.join(bubble.REFERENCE, "hysing2009_case1_tp2d_timeseries.csv"))
    zero = 0 * series["t"]
    write(directory, "interface.csv",
          "iteration,time,volume,volume_error,lowest,highest,area,x,y,rise_velocity,circularity",
          np.c_[np.arange(len(zero)), series["t"], zero + 0.19635, zero + 1e-15, zero - 1e-16, zero + 1, zero + 1.6,
                zero + 0.5, series["y_c"], series["v_c"], series["circularity"]])
    found = bubble.deviations(Run(directory))
    assert len(found) == 5 and all(abs(found[k]) < 0.15 for k in found if "time" not in k), found
    assert all(abs(found[k]) < 1 for k in found), found
    mean, largest = bubble.outline(Run(directory))
    assert mean < 0.001 and largest < 0.005, (mean, largest)
    done = script("bubble.py", directory, "--film")
    assert done.returncode == 0 and "FreeLIFE" in done.stdout and "1.08" in done.stdout, done.stderr
    for name in ("curves.png", "rise.png", "rise.gif"):
        assert os.path.getsize(os.path.join(directory, name)) > 5000, name
    done = script("film.py", directory, "velocity", "--interface", "--from", "2", "--zoom", "0", "1", "1", "2")
    assert done.returncode == 0 and os.path.getsize(os.path.join(directory, "velocity.gif")) > 5000, done.stderr
    early = made_up("early", (8, 16), (1, 2), [])
    write(early, "interface.csv",
          "iteration,time,volume,volume_error,lowest,highest,area,x,y,rise_velocity,circularity",
          [[1, 0.1, 0.2, 0, 0, 1, 1.6, 0.5, 0.5, 0.01, 1], [2, 0.2, 0.2, 0, 0, 1, 1.6, 0.5, 0.5, 0.02, 0.99]])
    done = script("bubble.py", early)
    assert done.returncode == 0 and "not reached" in done.stdout, done.stderr


def drops_are_measured():
    def velocity(c):
        return np.c_[0.001 * (c[:, 0] > 0.5), 0 * c[:, 0], 0 * c[:, 0]]
    states = [(0, {"velocity": lambda c: 0 * velocity(c)}),
              (1, {"velocity": velocity, "fraction": disc(0.5, 0.5, 0.25, 1 / 16),
                                                                 "curvature": lambda c: 4.04 + 0 * c[:, 0]})]
    directory = made_up("droplet", (16, 16), (1, 1), states)
    for name, pressure in (("inside", 4.02), ("outside", 0)):
        write(directory, f"probes/{name}.csv", "iteration,time,velocity_x,velocity_y,pressure",
              [[1, 1, 0, 0, pressure]])
    found = droplet.measure(Run(directory))
    assert abs(found["jump error"] - 0.5) < 1e-9 and abs(found["curvature error"] - 1) < 1e-9, found
    assert abs(found["last Ca"] - 6.454972e-6) < 1e-15 and found["largest Ca"] == found["last Ca"], found
    assert "+0.500 %" in script("droplet.py", directory).stdout


def pulled_drops_are_measured():
    """Velocities of the second half alone count: 2 % above the theory."""
    directory = made_up("marangoni", (4, 4), (4, 4), [])
    exact = (1 - 0.859 / 16) / 8
    write(directory, "interface.csv", "iteration,time,velocity_x",
          [[0, 0, 0], [1, 1, 9], [2, 2, 1.01 * exact], [3, 3, 1.03 * exact]])
    done = script("marangoni.py", directory)
    assert done.returncode == 0 and "+2.00 %" in done.stdout, done.stdout + done.stderr


def fronts_are_followed():
    """A slab that spreads like the experiment, with a delay: the deviation vanishes when times are shifted back."""
    base, rate = 0.05715, np.sqrt(2 * 9.81 / 0.05715)
    table = Table(os.path.join(dambreak.REFERENCE, "martin_moyce1952_front_n2_2.csv"))

    def slab(z, width):
        return lambda c: np.clip(0.5 + (z * base - c[:, 0]) / width, 0, 1) * (c[:, 1] < 0.05)

    for name, triangles in (("dam", False), ("dam-triangles", True)):
        states = [(t / rate, {"fraction": slab(np.interp(t + 0.2, np.r_[0, table["T"]], np.r_[1, table["Z"]]),
                                               0.25 / 50)})
                  for t in np.linspace(0, 3.5, 36)]
        directory = made_up(name, (50, 20), (0.25, 0.1), states, triangles)
        plain, shifted, shift = dambreak.deviations(Run(directory))["front"]
        assert abs(shift - 0.2) < 0.03 and shifted < 0.05 < plain, (plain, shifted, shift)
    done = script("dambreak.py", directory)
    assert done.returncode == 0 and os.path.getsize(os.path.join(directory, "dambreak.png")) > 5000, done.stderr


def interfaces_that_return_are_measured():
    """The error of a disc that came back wrong by 0.01: twice the height times the shift."""
    states = [(0, {"fraction": disc(0.5, 0.5, 0.2, 1 / 128)}), (8, {"fraction": disc(0.51, 0.5, 0.2, 1 / 128)})]
    for name, triangles, cells in (("vortex", False, 16384), ("vortex-triangles", True, 32768)):
        run = Run(made_up(name, (128, 128), (1, 1), states, triangles))
        found = vortex.error(run)
        assert abs(found["E1"] / (2 * 0.4 * 0.01) - 1) < 0.02 and abs(found["volume"]) < 1e-3, found
        assert len(run.mesh.types) == cells
        theirs = vortex.published(run, "vortex")
        assert (0.0026 < theirs < 0.00262 if name == "vortex" else 0.001 < theirs < 0.002), theirs
    ball = Run(made_up("ball", (32, 32, 32), (1, 1, 1), []))
    assert abs(vortex.published(ball, "deformation") / 0.004062 - 1) < 1e-9 and vortex.published(ball, "vortex") is None
    done = script("vortex.py", "vortex.out", "vortex-triangles.out")
    assert done.returncode == 0 and "2.61" in done.stdout, done.stdout + done.stderr


def orders_are_found():
    """Closed forms that are off by h^2, and by the square of the step."""
    def state(error):
        decay = np.exp(-0.2)
        return [(1.0, {"velocity": lambda c: np.c_[error - decay * np.cos(c[:, 0]) * np.sin(c[:, 1]),
                                                   decay * np.sin(c[:, 0]) * np.cos(c[:, 1]), 0 * c[:, 0]],
                       "pressure": lambda c: 7 + error * np.cos(c[:, 0])
                       - 0.25 * decay ** 2 * (np.cos(2 * c[:, 0]) + np.cos(2 * c[:, 1]))})]
    size = (2 * np.pi, 2 * np.pi)
    runs = [made_up(f"green{n}", (n, n), size, state(3 / n ** 2)) for n in (16, 32)]
    found = [taylor_green.errors(Run(r)) for r in runs]
    assert abs(found[0]["velocity"] - 3 / 256) < 1e-12, found
    assert abs(found[0]["pressure"] - 3 / 256 * np.sqrt(0.5)) < 1e-12, found
    done = script("taylor_green.py", *runs)
    assert done.returncode == 0 and done.stdout.count("2.00") == 2, done.stdout + done.stderr
    steps = [made_up(f"step{k}", (16, 16), size, state(0.1 + 4.0 ** -k)) for k in range(3)]
    done = script("taylor_green.py", "--time", *steps)
    assert done.returncode == 0 and "order 2.00" in done.stdout, done.stdout + done.stderr
    done = script("taylor_green.py", "--time", *runs)
    assert done.returncode == 1 and "three or more runs" in done.stderr, done.stderr


def energy_is_balanced():
    """Decaying vortices, whose loss is their dissipation; then with a loss that is 1 % larger."""
    def states(times, nu, z):
        def at(t):
            decay = np.exp(-(3 if z else 2) * nu * t)
            return lambda c: decay * np.c_[np.sin(c[:, 0]) * np.cos(c[:, 1]), -np.cos(c[:, 0]) * np.sin(c[:, 1]),
                                           0 * c[:, 0]] * (np.cos(c[:, 2]) if z else 1 + 0 * c[:, 0])[:, None]
        return [(t, {"velocity": at(t)}) for t in times]
    for dim in (2, 3):
        size, cells = (2 * np.pi,) * dim, (12, 10, 8)[:dim]
        run = made_up(f"decay{dim}", cells, size, states(np.arange(6) / 4, 0.01, dim == 3))
        found = energy.balance(Run(run), 0.01)
        assert np.abs(found["loss"] / found["dissipated"] - 1).max() < 1e-6, found
        assert abs(found["energy"][0] - (0.125 if dim == 3 else 0.25)) < 1e-12, found
    done = script("energy.py", run, "--viscosity", "0.0099")
    assert done.returncode == 0 and "whole: +1.010 %" in done.stdout, done.stdout + done.stderr
    done = script("energy.py", made_up("uneven", (4, 4), (1, 1), states([0, 1], 0.01, False), True))
    assert done.returncode == 1 and "not a box of equal cells" in done.stderr, done.stderr
    done = script("energy.py", made_up("short", (4, 4), (1, 1), states([0, 1], 0.01, False)))
    assert done.returncode == 1 and "at least four written times" in done.stderr, done.stderr


def streets_are_measured():
    directory = made_up("street", (2, 2), (1, 1), [])
    t = np.linspace(0, 8, 4001)
    write(directory, "forces/cylinder.csv", "iteration,time,force_x,force_y,coefficient_x,coefficient_y",
          np.c_[t, t, t, t, 3.2 + 0.03 * np.sin(2 * np.pi * 6 * t),
                -0.01 + np.sin(2 * np.pi * 3 * t) * np.minimum(t / 3, 1)])
    # the largest lift is at t = (k + 1/4) / 3, half a period later dp is 2.48
    for name, value in (("front", 2.48 + 0.1 * np.sin(2 * np.pi * 3 * (t - 1 / 12 - 1 / 6))), ("back", 0 * t)):
        write(directory, f"probes/{name}.csv", "iteration,time,velocity_x,velocity_y,pressure",
              np.c_[t, t, t, t, value])
    found = street.street(Run(directory))
    wanted = {"St": 0.3, "cd_max": 3.23, "cl_max": 0.99}
    assert all(abs(found[name] - value) < 1e-4 for name, value in wanted.items()), found
    assert abs(found["dp"] - 2.48) < 2e-3 and found["drift"] < 1e-3, found
    done = script("street.py", directory)
    assert done.returncode == 0 and done.stdout.count("inside") >= 3, done.stdout + done.stderr
    done = script("street.py", directory, "--periods", "50")
    assert done.returncode == 1 and "50 periods are needed" in done.stderr, done.stderr


def spectra_are_measured():
    """Two sines at uneven times."""
    directory = made_up("spectrum", (2, 2), (1, 1), [])
    t = np.cumsum(0.002 * (1 + 0.5 * np.sin(np.arange(5000))))
    value = 0.7 + 0.5 * np.sin(2 * np.pi * 3.03 * t) + 0.05 * np.cos(2 * np.pi * 6.06 * t)
    write(directory, "forces/body.csv", "iteration,time,force_y", np.c_[t, t, value])
    late = spectrum.late_rows(Run(directory).table("forces", "body.csv"), "force_y")
    assert abs(late[0][0] - 0.5 * (t[0] + t[-1])) < 0.01, late[0][0]
    found = spectrum.peaks(*spectrum.spectrum(*late))
    assert np.allclose([f for f, _ in found], [3.03, 6.06], rtol=1e-3), found
    assert np.allclose([a for _, a in found], [0.5, 0.05], rtol=0.02), found
    done = script("spectrum.py", directory, "forces/body.csv", "force_y", "--length", "0.1", "--speed", "2")
    assert done.returncode == 0 and "Strouhal number 0.151" in done.stdout and "mean 0.70" in done.stdout, \
        done.stdout + done.stderr
    assert os.path.getsize(os.path.join(directory, "spectrum.png")) > 5000
    table = Table(os.path.join(directory, "spectrum.csv"))
    assert abs(table["frequency"][table["amplitude"].argmax()] - 3.03) < 0.2, table.rows
    for words, wanted in ((["force_z"], "did you mean force_y?"), (["force_y", "--from", "9.99"], "a smaller --from"),
                          (["force_y", "--length", "1"], "both --length and --speed")):
        done = script("spectrum.py", directory, "forces/body.csv", *words)
        assert done.returncode == 1 and wanted in done.stderr, done.stderr


def cells_at_walls_are_measured():
    directory = made_up("walls", (2, 2), (1, 1), [])
    write(directory, "surfaces/w/faces.csv", "x,y,area,normal_x,normal_y,pressure,shear_x,shear_y,wall-distance,flow",
          [[0, 0, 3, 0, -1, 0, 0.3, 0.4, 0.01, 0], [1, 0, 1, 0, -1, 0, 2, 0, 0.01, 0]])
    done = script("walls.py", directory, "w", "--density", "2", "--viscosity", "0.01")      # y+ 1 and 2
    told = "least 1, mean 1.25, largest 2, on 2 faces" in done.stdout
    assert done.returncode == 0 and told, done.stdout + done.stderr
    assert np.allclose(Table(os.path.join(directory, "surfaces", "w", "yplus.csv"))["yplus"], [1, 2])
    with h5py.File(os.path.join(directory, "checkpoint.h5"), "w") as file:
        file["settings"] = np.frombuffer(b"fluid.density = 2.0\nfluid.viscosity = 0.02\n", np.uint8)
    done = script("walls.py", directory, "w")
    assert done.returncode == 0 and "least 0.5, mean 0.625, largest 1" in done.stdout, done.stdout + done.stderr
    done = script("walls.py", directory, "v")
    assert done.returncode == 1 and done.stderr.startswith("error: "), done.stderr


def iterations_are_counted():
    directory = made_up("counted", (2, 2), (1, 1), [])
    write(directory, "residuals.csv", "iteration,time,inner_velocity,inner_pressure",
          [[1, 0.1, 2, 10], [2, 0.2, 4, 30]])
    done = script("iterations.py", directory)
    told = all(x in done.stdout for x in (" 20.0 ", " 40 ", " 3.0 "))
    assert done.returncode == 0 and told, done.stdout + done.stderr


def main():
    return run_checks("postproc", (volumes_are_right, outlines_are_found, bubbles_are_compared, drops_are_measured,
                                   pulled_drops_are_measured,
                                   fronts_are_followed, interfaces_that_return_are_measured, orders_are_found,
                                   energy_is_balanced,
                                   streets_are_measured, spectra_are_measured, cells_at_walls_are_measured,
                                   iterations_are_counted))


if __name__ == "__main__":
    sys.exit(main())
