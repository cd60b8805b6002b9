#!/usr/bin/env python3
"""The rising bubble against the three groups of Hysing et al. 2009: a table, the curves, and the bubble as it rises.

    bubble.py bubble.out [finer.out ...] [--film]

Of every run the centroid at t = 3, the largest rise velocity and the smallest circularity, with their deviations from the
mean of the groups, and the distance of the bubble's outline at t = 3 from that of the first group.  Pictures go into the
last run's directory: curves.png, rise.png and, with --film, rise.gif of all fields that were written.
"""
import argparse
import csv
import os

from poise.scripts import command
import numpy as np

from poise import PoiseError, Run, Table, figure, save
from poise.pictures import save_film
from poise.section import contour, distance_to_curve
from poise.text import read_text

REFERENCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases", "bubble", "reference")
GROUPS = {"tp2d": "TP2D", "freelife": "FreeLIFE", "moonmd": "MooNMD"}
COLOURS = ("#c8102e", "#2e8b57", "#e08a00")
CURVES = {"y": ("y_c", "centroid"), "rise_velocity": ("v_c", "rise velocity"), "circularity": ("circularity", "circularity")}
# name in the table: (column of the reference, its format)
QUANTITIES = {"centroid at t = 3": ("y_c_t3", "%.4f"), "largest rise velocity": ("v_max1", "%.4f"),
              "its time": ("t_v_max1", "%.3f"), "smallest circularity": ("c_min", "%.4f"), "time of that": ("t_c_min", "%.3f")}


def groups(folder=REFERENCE):
    """{group: {column: value}} of the benchmark's table, case 1."""
    path = os.path.join(folder, "hysing2009_benchmark_values.csv")
    lines = [line.strip() for line in read_text(path, "a table").splitlines()]
    header = next(line for line in lines if line.startswith("# columns:")).split(":")[1].strip()
    rows = csv.DictReader([header] + [line for line in lines if line and not line.startswith("#")])
    return {row["group"]: {k: float(row[k]) for k, _ in QUANTITIES.values()} for row in rows if row["case"] == "1"}


def mean_of_groups(folder=REFERENCE):
    found = groups(folder).values()
    return {name: float(np.mean([g[column] for g in found])) for name, (column, _) in QUANTITIES.items()}


def extreme(t, value, sign):
    """(time, value) of the largest (sign 1) or smallest (-1) of a curve: of the parabola through the three rows there."""
    k = int(np.argmax(sign * value))
    if 0 < k < len(t) - 1:
        a, b, c = np.polyfit(t[k - 1:k + 2] - t[k], value[k - 1:k + 2], 2)
        if sign * a < 0:
            return float(t[k] - b / (2 * a)), float(c - b * b / (4 * a))
    return float(t[k]), float(value[k])


def benchmark(run):
    """{quantity: value}; the centroid is nan when the run has not come to t = 3."""
    table = run.table("interface.csv")
    if not len(table.rows):
        raise PoiseError(f"{table.path}: no step yet")
    t = table["time"]
    fastest, lowest = extreme(t, table["rise_velocity"], 1), extreme(t, table["circularity"], -1)
    end = float(np.interp(3, t, table["y"])) if t[-1] > 3 - 1e-9 else np.nan
    return dict(zip(QUANTITIES, (end, fastest[1], fastest[0], lowest[1], lowest[0])))


def deviations(run, folder=REFERENCE):
    """{quantity: deviation from the mean of the groups in %}."""
    mean = mean_of_groups(folder)
    return {name: 100 * (value / mean[name] - 1) for name, value in benchmark(run).items()}


def outline(run, folder=REFERENCE):
    """(mean, largest) distance of the bubble's outline at t = 3 from the reference's, or None when it was not written."""
    step = run.step_at(3, 1e-6)
    if step is None or run.mesh.dim != 2:
        return None
    shape = Table(os.path.join(folder, "hysing2009_case1_tp2d_shape_t3.csv"))
    found = distance_to_curve(contour(run, step).mean(axis=1), np.unique(shape.rows, axis=0))
    return float(found.mean()), float(found.max())


def print_table(runs, folder):
    reference, mean = groups(folder), mean_of_groups(folder)
    found = [benchmark(run) for run in runs]
    print(f"{'':22}" + "".join(f"{GROUPS.get(g, g):>10}" for g in reference) + f"{'mean':>10}"
          + "".join(f" | {run.name[:10]:>10} {'deviation':>10}" for run in runs))
    for name, (column, form) in QUANTITIES.items():
        cells = [f"{form % value:>10} {100 * (value / mean[name] - 1):+8.2f} %" if np.isfinite(value)
                 else f"{'not reached':>21}" for value in (f[name] for f in found)]
        print(f"{name:22}" + "".join(f"{form % g[column]:>10}" for g in reference.values()) + f"{form % mean[name]:>10}"
              + "".join(" | " + c for c in cells))
    for run in runs:
        table = run.table("interface.csv")
        print(f"{run.name}: t = {table['time'][-1]:g}, {table['iteration'][-1]:.0f} steps; volume error at most "
              f"{np.abs(table['volume_error']).max():.1e}, fraction from {table['lowest'].min():.1e} to "
              f"1 {table['highest'].max() - 1:+.1e}", end="")
        distance = outline(run, folder)
        print(f"; outline at t = 3 off by {distance[0]:.4f} on average, {distance[1]:.4f} at most" if distance else "")


def draw_curves(runs, folder, path):
    fig, axes = figure(12, 3.8, 1, 3)
    for ax, (column, (theirs, title)) in zip(axes[0], CURVES.items()):
        for (group, shown), colour in zip(GROUPS.items(), COLOURS):
            table = Table(os.path.join(folder, f"hysing2009_case1_{group}_timeseries.csv"))
            ax.plot(table["t"], table[theirs], color=colour, linewidth=3, alpha=0.35, label=shown)
        for run, dash in zip(runs, ("-", "--", ":", "-.") if len(runs) > 1 else ("-",)):
            table = run.table("interface.csv")
            ax.plot(table["time"], table[column], dash, color="#1f4e9c", label=f"Poise, {run.name}")
        ax.set_title(title), ax.set_xlabel("t [code units]"), ax.margins(x=0.01)
    axes[0, 0].legend()
    save(fig, path)


def draw_bubble(ax, run, step, low, high, reference=None):
    """The speed in the cells, and the outline on top."""
    from matplotlib.collections import LineCollection, PolyCollection
    ax.clear()
    cells = None
    if "velocity" in run.field_names(step):
        speed = np.linalg.norm(run.field("velocity", step), axis=1)
        cells = PolyCollection(run.mesh.polygons(), array=speed, cmap="Blues", edgecolors="face", linewidths=0.2)
        cells.set_clim(low, high), cells.set_rasterized(True)
        ax.add_collection(cells)
    ax.add_collection(LineCollection(contour(run, step), colors="#c8102e", linewidths=1.6, label="interface"))
    if reference is not None:
        arm = reference - reference.mean(axis=0)                # some forty of its points, all round
        nearest = [int(np.argmax(arm @ [np.cos(a), np.sin(a)] / np.hypot(*arm.T))) for a in np.linspace(0, 2 * np.pi, 40)]
        ax.plot(*reference[nearest].T, "o", color="black", fillstyle="none", markersize=3, markeredgewidth=0.8,
                label="benchmark")
    lowest, highest = run.mesh.vertices.min(axis=0), run.mesh.vertices.max(axis=0)
    ax.set_xlim(lowest[0], highest[0]), ax.set_ylim(lowest[1], highest[1])
    ax.set_aspect("equal"), ax.grid(False), ax.set_xticks([]), ax.set_yticks([])
    ax.set_title(f"t = {run.time(step):.4g}")
    return cells


def fastest(run, steps):
    speeds = [np.linalg.norm(run.field("velocity", s), axis=1).max() for s in steps if "velocity" in run.field_names(s)]
    return max(speeds, default=1)


def draw_rise(run, folder, path):
    """Four pictures side by side, at t = 0, 1, 2, 3, or as far as the run has come."""
    end = run.time()
    steps = sorted({s for s in (run.step_at(end * k / 3, end / 6 + 1e-12) for k in range(4)) if s is not None})
    fig, axes = figure(2.2 * len(steps) + 0.9, 4.9, 1, len(steps))
    top = fastest(run, steps)
    cells = None
    for ax, step in zip(axes[0], steps):
        last = abs(run.time(step) - 3) < 1e-6
        shape = Table(os.path.join(folder, "hysing2009_case1_tp2d_shape_t3.csv")).rows if last else None
        cells = draw_bubble(ax, run, step, 0, top, shape) or cells
    axes[0, -1].legend(loc="lower center", fontsize=8)
    if cells:
        fig.colorbar(cells, ax=axes[0, :], aspect=40, shrink=0.8, pad=0.02).set_label("speed [code units]")
    save(fig, path)


def film(run, path):
    top = fastest(run, run.steps)
    fig, axes = figure(3.4, 5)
    cells = draw_bubble(axes[0, 0], run, run.steps[-1], 0, top)
    if cells:
        fig.colorbar(cells, ax=axes[0, 0], aspect=40, shrink=0.8).set_label("speed [code units]")
    save_film(path, fig, lambda step: draw_bubble(axes[0, 0], run, step, 0, top), run.steps, 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs, the coarsest first")
    parser.add_argument("--reference", default=REFERENCE, metavar="FOLDER",
                        help="with the groups' tables (default that of cases/bubble)")
    parser.add_argument("--film", action="store_true", help="also rise.gif, of all fields that were written")
    options = parser.parse_args()
    runs = [Run(name) for name in options.run]
    print_table(runs, options.reference)
    last = runs[-1]
    draw_curves(runs, options.reference, last.path("curves.png"))
    if last.mesh.dim == 2 and last.steps:
        draw_rise(last, options.reference, last.path("rise.png"))
        if options.film:
            film(last, last.path("rise.gif"))


if __name__ == "__main__":
    command(main)
