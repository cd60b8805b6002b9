#!/usr/bin/env python3
"""The residuals of a run over its iterations, as a picture; also while it runs.

    residuals.py cavity.out [--output residuals.png]
"""
import argparse

import numpy as np

from poise import PoiseError, Run, command, figure, save

SHOWN = ("velocity_x", "velocity_y", "velocity_z", "pressure", "continuity")
COLOURS = ("#1f4e9c", "#c8102e", "#2e8b57", "#222222", "#e08a00")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run, NAME.out")
    parser.add_argument("--output", metavar="PNG", help="the picture (default NAME.out/residuals.png)")
    options = parser.parse_args()
    run = Run(options.run)
    table = run.table("residuals.csv")
    if not len(table.rows):
        raise PoiseError(f"{table.path}: no iteration yet")
    fig, axes = figure(7, 4.2)
    for name, colour in zip(SHOWN, COLOURS):
        if name in table.columns:
            value = np.where(table[name] > 0, table[name], np.nan)      # an exact zero has no place on a log scale
            axes[0, 0].semilogy(table["iteration"], value, color=colour, label=name.replace("_", " "))
    axes[0, 0].set_xlabel("iteration"), axes[0, 0].set_ylabel("normalised residual")
    axes[0, 0].set_title(f"{run.name}, iteration {table['iteration'][-1]:.0f}")
    axes[0, 0].margins(x=0.01)
    axes[0, 0].legend()
    save(fig, options.output or run.path("residuals.png"))


if __name__ == "__main__":
    command(main)
