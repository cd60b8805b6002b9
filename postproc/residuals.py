#!/usr/bin/env python3
"""The residuals of a run over its iterations, or over time, as a picture; also while it runs.

    residuals.py cavity.out [--output residuals.png]
"""
import argparse

import numpy as np

from poise import PoiseError, Run, command, figure, save

SHOWN = ("velocity_x", "velocity_y", "velocity_z", "pressure", "continuity", "courant", "volume_error")
COLOURS = ("#1f4e9c", "#c8102e", "#2e8b57", "#222222", "#e08a00", "#1f4e9c", "#c8102e")


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
    over = "time" if "time" in table.columns else "iteration"
    for name, colour in zip(SHOWN, COLOURS):
        if name in table.columns:
            value = np.abs(table[name])
            value = np.where(value > 0, value, np.nan)                  # an exact zero has no place on a log scale
            axes[0, 0].semilogy(table[over], value, color=colour, label=name.replace("_", " "))
    axes[0, 0].set_xlabel(over), axes[0, 0].set_ylabel("normalised residual" if over == "iteration" else "")
    axes[0, 0].set_title(f"{run.name}, {over} {table[over][-1]:.6g}")
    axes[0, 0].margins(x=0.01)
    axes[0, 0].legend()
    save(fig, options.output or run.path("residuals.png"))


if __name__ == "__main__":
    command(main)
