#!/usr/bin/env python3
"""A picture of a field, without ParaView.

    field.py cavity.out velocity --streamlines
    field.py bubble.out velocity --time 2.5 --interface --zoom 0.2 0.8 0.6 1.4
    field.py cavity3d.out velocity_x --plane z=0.5 --step 500
    field.py cavity3d.out velocity --plane 0.5,0.5,0.5:1,1,0 --streamlines

FIELD is a name that the run wrote: a scalar, a vector (its magnitude is shown) or a vector with _x, _y or _z behind it.
2-D cells are drawn as they are; a 3-D mesh is cut by a plane: x, y or z = value, or POINT:NORMAL, three numbers each
(without --plane: through its middle).
"""
import argparse

from poise.scripts import command
from poise import PoiseError, Run, draw_field, save


def add_options(parser):
    """Those of a picture of a field, which a film has too."""
    parser.add_argument("run", help="output directory of a run, NAME.out")
    parser.add_argument("field", help="velocity, velocity_x, pressure, ...")
    parser.add_argument("--plane", "--slice", metavar="PLANE", help="3-D: where to cut: z=0.5, or POINT:NORMAL")
    parser.add_argument("--zoom", type=float, nargs=4, metavar=("X0", "X1", "Y0", "Y1"), help="what is shown")
    parser.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="range of the colours")
    parser.add_argument("--interface", action="store_true", help="the interface between two fluids on top")
    parser.add_argument("--streamlines", action="store_true", help="streamlines on top; in 3-D of the velocity in the plane")
    parser.add_argument("--mesh", action="store_true", help="lines between the cells")
    parser.add_argument("--label", metavar="TEXT", help="of the colours, for example \"velocity [m/s]\"")
    parser.add_argument("--length", metavar="UNIT", default="code units", help="of the axes, for example m")


def look(options):
    """What they say, as FieldPicture takes it."""
    if options.range and not options.range[0] < options.range[1]:
        raise PoiseError(f"--range {options.range[0]:g} {options.range[1]:g}: the first must be the smaller one")
    return {"plane": options.plane, "zoom": options.zoom, "limits": options.range, "interface": options.interface,
            "streamlines": options.streamlines, "label": options.label, "mesh": options.mesh, "length": options.length}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--step", type=int, metavar="N", help="iteration or time step (default: the last written)")
    when.add_argument("--time", type=float, metavar="T", help="the one written nearest to this time")
    parser.add_argument("--output", metavar="FILE", help="the picture (default NAME.out/FIELD.png)")
    options = parser.parse_args()
    run = Run(options.run)
    fig = draw_field(run, options.field, options.step, options.time, **look(options))
    save(fig, options.output or run.path(options.field + ".png"))


if __name__ == "__main__":
    command(main)
