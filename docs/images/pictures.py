#!/usr/bin/env python3
"""The pictures of README and documents, made anew: make pictures (some minutes).

    python3 docs/images/pictures.py [--quick] [--only gallery|readme] [FOLDER]

FOLDER: where they go (docs/images); those of docs/gallery.md, one of each case, in its folder gallery.  --quick: on
coarse meshes, to see that all of it works.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "postproc"))
from poise.scripts import command  # noqa: E402
import poise  # noqa: E402
from poise.program import program  # noqa: E402
import bubble  # noqa: E402


# Of each case: settings that make it short (a parameter of the mesh has no dots), the field, how it is drawn.
GALLERY = {
    "cavity": ({"n": 64}, "velocity", {"streamlines": True}),
    "cavity3d": ({"n": 24}, "velocity", {"plane": "z=0.5", "streamlines": True}),
    "channel": ({"n": 24}, "velocity", {}),
    "cylinder": ({"h": 0.003}, "velocity", {"zoom": (0, 1.2, 0, 0.41)}),
    "convection": ({"n": 48, "output.fields": ["velocity", "temperature"]}, "temperature",
                   {"streamlines": True, "label": "temperature [code units]"}),
    "heated-channel": ({"n": 16, "output.fields": ["velocity", "temperature"]}, "temperature", {}),
    "plate": ({"n": 40, "output.fields": ["velocity", "temperature"]}, "temperature",
              {"zoom": (-0.2, 1.2, -0.2, 0.1), "limits": (0, 1), "label": "temperature [code units]"}),
    "periodic-channel": ({"n": 24}, "velocity", {}),
    "power-law": ({"n": 24}, "viscosity", {}),
    "taylor-couette": ({"n": 16}, "velocity", {"streamlines": True}),
    "cylinder-unsteady": ({"h": 0.006, "time.end": 6.0, "output.interval": 6.0}, "vorticity",
                          {"zoom": (0, 1.6, 0, 0.41), "limits": (-40, 40)}),
    "taylor-green": ({}, "velocity", {"streamlines": True}),
    "vortex": ({"h": 0.015625, "time.end": 4.0, "output.interval": 4.0}, "fraction", {"interface": True}),
    "bubble": ({"h": 0.025}, "velocity", {"interface": True}),
    "bubble3d": ({"mesh.box.cells": [20, 40, 20], "time.end": 1.0}, "velocity",
                 {"plane": "z=0.5", "interface": True}),
    "bubbles": ({"mesh.box.cells": [96, 96], "time.end": 0.5}, "velocity", {"interface": True}),
    "dambreak": ({"mesh.box.cells": [80, 48], "output.interval": 0.1}, "velocity",
                 {"interface": True, "label": "|velocity| [m/s]", "length": "m"}),
    "droplet": ({"h": 0.03125, "time.end": 0.5}, "pressure", {"interface": True}),
    "marangoni": ({"n": 8, "time.end": 0.2}, "velocity", {"interface": True}),
}
# Coarser, for a test.
QUICK = {"cavity": {"n": 12}, "cavity3d": {"n": 6}, "channel": {"n": 8}, "cylinder": {"h": 0.02},
         "convection": {"n": 12}, "heated-channel": {"n": 4},
         "plate": {"n": 10}, "periodic-channel": {"n": 8}, "power-law": {"n": 8}, "taylor-couette": {"n": 4},
         "cylinder-unsteady": {"h": 0.02, "time.end": 0.1, "output.interval": 0.1},
         "taylor-green": {"mesh.box.cells": [16, 16]}, "vortex": {"h": 0.05, "time.end": 0.5, "output.interval": 0.5},
         "bubble": {"h": 0.1, "time.end": 0.1}, "bubble3d": {"mesh.box.cells": [8, 16, 8], "time.end": 0.1},
         "bubbles": {"mesh.box.cells": [32, 32], "time.end": 0.05}, "dambreak": {"mesh.box.cells": [20, 12]},
         "droplet": {"h": 0.1, "time.end": 0.05}, "marangoni": {"n": 4, "time.end": 0.02, "output.interval": 0.02}}


def case(name, settings, threads):
    """A run of cases/NAME in the working folder."""
    settings = {f"mesh.parameters.{k}" if "." not in k else k: v for k, v in settings.items()}
    return poise.run(os.path.join(TOP, "cases", name, name + ".cfg"), settings, output=name + ".out",
                     threads=threads)


def tutorial():
    """The run of the tutorial on a geometry of one's own, by its own commands up to the one that computes."""
    for page in sorted(glob.glob(os.path.join(TOP, "docs", "**", "*.md"), recursive=True)):
        with open(page, encoding="utf-8") as file:
            blocks = re.findall(r"```sh\n(.*?)```", file.read(), re.S)
        first = next((k for k, block in enumerate(blocks) if re.search(r"poise run step\.cfg$", block, re.M)), None)
        if first is not None:
            break
    else:
        raise poise.PoiseError("no page of docs has a command poise run step.cfg")
    if not os.path.exists("build"):
        os.symlink(os.path.dirname(os.path.realpath(program())), "build")
    subprocess.run(["bash", "-e", "-c", "\n".join(blocks[:first + 1])], check=True, stdout=subprocess.DEVNULL)
    return poise.Run("step.out")


def draw(folder, quick, parts, threads):
    def keep(fig, name, dpi=180):
        """With 256 colours: a third of the bytes."""
        from PIL import Image
        path = os.path.join(folder, name)
        fig.savefig(path, dpi=dpi, bbox_inches="tight", pad_inches=0.06)
        with Image.open(path) as picture:
            small = picture.convert("RGB").resize([n // 2 for n in picture.size])
            small = small.quantize(256, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
        print("picture:", path)

    if "gallery" in parts:
        for name, (settings, field, look) in GALLERY.items():
            coarse = {**settings, **QUICK.get(name, {})} if quick else settings
            fig = poise.draw_field(case(name, coarse, threads), field, **look)
            keep(fig, os.path.join("gallery", name + ".png"), dpi=160)
    if "readme" not in parts:
        return
    run = case("cavity", {"n": 24} if quick else {}, threads)
    keep(poise.draw_field(run, "velocity", streamlines=True, label="speed [code units]"), "cavity.png")
    run = case("cylinder", {"h": 0.01, "solver.tolerance": 1e-3} if quick else {}, threads)
    keep(poise.draw_field(run, "velocity", label="speed [code units]"), "cylinder.png")
    keep(poise.draw_field(tutorial(), "velocity", streamlines=True, zoom=(-2, 6, -1, 1), label="speed [code units]"),
         "step.png")
    run = case("bubble", {"h": 0.05, "time.end": 0.3} if quick else {}, threads)
    bubble.draw_rise(run, bubble.REFERENCE, os.path.join(folder, "bubble.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("gallery", "readme"))
    parser.add_argument("--threads", type=int, help="CPU threads of the runs (default: all)")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    if not os.path.isdir(folder):
        raise poise.PoiseError(f"{folder}: no such folder")
    os.makedirs(os.path.join(folder, "gallery"), exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        draw(folder, options.quick, [options.only] if options.only else ["gallery", "readme"], options.threads)
        os.chdir(TOP)


if __name__ == "__main__":
    command(main)
