#!/usr/bin/env python3
"""What the linear solvers of several runs of one case cost: their iterations a step, side by side.

    iterations.py multigrid.out deflated.out ...

From residuals.csv, the columns inner_velocity and inner_pressure (coupled: inner_coupled alone): mean, largest, sum; and from
the end of log.txt the seconds.
Picture: iterations.png in the first run's directory.
"""
import argparse
import re

from poise.scripts import command
from poise import PoiseError, Run, figure, save
from poise.text import read_text

COLOURS = ("#1f4e9c", "#c8102e", "#2e8b57", "#e08a00", "#7a3e9d", "#222222")


def inner_of(table):
    """The iterations for the pressure, or for velocity and pressure together."""
    return table["inner_coupled" if "inner_coupled" in table.columns else "inner_pressure"]


def counts(run):
    """{"steps", "mean", "largest", "sum", "velocity": mean} of the iterations for the pressure."""
    table = run.table("residuals.csv")
    if not len(table.rows):
        raise PoiseError(f"{table.path}: no step yet")
    inner = inner_of(table)
    return {"steps": len(inner), "mean": float(inner.mean()), "largest": int(inner.max()), "sum": int(inner.sum()),
            "velocity": float(table["inner_velocity"].mean()) if "inner_velocity" in table.columns else 0.0}


def seconds(run):
    """"12.3" from the last line of the log that says how long the run took, or "?"."""
    try:
        log = read_text(run.path("log.txt"), "a log")
        found = re.findall(r"(?:after|for) \d+ (?:steps|iterations)[^:\n]*: .*?([\d.e+-]+) s", log)
    except PoiseError:
        found = []
    return found[-1] if found else "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs")
    options = parser.parse_args()
    runs = [Run(name) for name in options.run]
    print(f"{'run':>20} {'rows':>6} | pressure: {'mean':>6} {'largest':>7} {'sum':>8} | velocity: {'mean':>5} | {'s a step':>9}")
    for run in runs:
        c = counts(run)
        print(f"{run.name[:20]:>20} {c['steps']:>6} | {'':>9} {c['mean']:>6.1f} {c['largest']:>7} {c['sum']:>8} | {'':>9} "
              f"{c['velocity']:>5.1f} | {seconds(run):>9}")
    fig, axes = figure(7, 4)
    for run, colour in zip(runs, COLOURS):
        table = run.table("residuals.csv")
        axis = "time" if "time" in table.columns else "iteration"
        axes[0, 0].plot(table[axis], inner_of(table), color=colour, label=run.name)
        axes[0, 0].set_xlabel("time [code units]" if axis == "time" else axis)
    axes[0, 0].set_ylabel("iterations for the pressure"), axes[0, 0].set_ylim(bottom=0), axes[0, 0].legend()
    save(fig, runs[0].path("iterations.png"))


if __name__ == "__main__":
    command(main)
