#!/usr/bin/env python3
"""The residuals of a run over its iterations, or over time, as a picture; also while it runs.

    residuals.py cavity.out [--output residuals.png]
    residuals.py simple.out simplec.out --columns pressure,continuity --log

Of several runs together they go into the first run's directory.
"""
import argparse

from poise.scripts import command
from poise import Run, draw_residuals, save


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+", help="output directories of runs, NAME.out")
    parser.add_argument("--columns", metavar="LIST", help="of residuals.csv, with commas between (default: the residuals)")
    parser.add_argument("--log", action="store_true", help="a log scale for the iterations too")
    parser.add_argument("--output", metavar="FILE", help="the picture (default NAME.out/residuals.png)")
    options = parser.parse_args()
    runs = [Run(name) for name in options.run]
    columns = [c.strip() for c in options.columns.split(",")] if options.columns else None
    save(draw_residuals(runs, columns, options.log), options.output or runs[0].path("residuals.png"))


if __name__ == "__main__":
    command(main)
