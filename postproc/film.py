#!/usr/bin/env python3
"""A film of a field over all that a run has written, with one range of colours.

    film.py bubble.out velocity --interface
    film.py cylinder-unsteady.out vorticity --range -40 40 --zoom 0 1 0 0.41 --output street.mp4

FIELD, planes and options as field.py has them.  A .gif, or an .mp4 where the program ffmpeg is there.
"""
import argparse

from poise.scripts import command
from poise import PoiseError, Run, film
from field import add_options, look


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--from", dest="first", type=float, default=float("-inf"), metavar="T", help="the first time shown")
    parser.add_argument("--to", dest="last", type=float, default=float("inf"), metavar="T", help="the last time shown")
    parser.add_argument("--fps", type=float, default=10, metavar="N", help="pictures in a second (default 10)")
    parser.add_argument("--output", metavar="FILE", help="the film (default NAME.out/FIELD.gif)")
    options = parser.parse_args()
    if not 0 < options.fps <= 100:
        raise PoiseError(f"--fps {options.fps:g}: expected more than 0, at most 100")
    run = Run(options.run)
    steps = [step for step in run.steps if options.first <= run.time(step) <= options.last]
    film(run, options.field, options.output or run.path(options.field + ".gif"), steps, options.fps, **look(options))


if __name__ == "__main__":
    command(main)
