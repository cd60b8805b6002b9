#!/usr/bin/env python3
"""The pictures of README and documents, made anew: make pictures (a few minutes).

    python3 docs/images/pictures.py [--quick] [FOLDER]

FOLDER: where they go (docs/images).  --quick: of coarse meshes, to see that all of it works.
"""
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


def case(name, coarse):
    """A run of cases/NAME in the working folder."""
    settings = {f"mesh.parameters.{k}" if "." not in k else k: v for k, v in coarse.items()} if coarse else None
    return poise.run(os.path.join(TOP, "cases", name, name + ".cfg"), settings, output=name + ".out")


def tutorial():
    """The run of docs/tutorial.md, by its own commands up to the one that computes."""
    with open(os.path.join(TOP, "docs", "tutorial.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```sh\n(.*?)```", file.read(), re.S)
    first = next(k for k, block in enumerate(blocks) if "poise run" in block)
    if not os.path.exists("build"):
        os.symlink(os.path.dirname(os.path.realpath(program())), "build")
    subprocess.run(["bash", "-e", "-c", "\n".join(blocks[:first + 1])], check=True, stdout=subprocess.DEVNULL)
    return poise.Run("step.out")


def draw(folder, quick):
    def keep(fig, name):
        """With 256 colours: a third of the bytes."""
        from PIL import Image
        path = os.path.join(folder, name)
        fig.savefig(path, dpi=180)
        with Image.open(path) as picture:
            small = picture.convert("RGB").resize([n // 2 for n in picture.size]).quantize(256, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
        print("picture:", path)

    run = case("cavity", quick and {"n": 24})
    keep(poise.draw_field(run, "velocity", streamlines=True, label="speed"), "cavity.png")
    run = case("cylinder", quick and {"h": 0.01, "solver.tolerance": 1e-3})
    keep(poise.draw_field(run, "velocity", label="speed"), "cylinder.png")
    keep(poise.draw_field(tutorial(), "velocity", streamlines=True, zoom=(-2, 6, -1, 1), label="speed"), "step.png")
    run = case("bubble", quick and {"h": 0.05, "time.end": 0.3})
    bubble.draw_rise(run, bubble.REFERENCE, os.path.join(folder, "bubble.png"))


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("-")]
    if {"-h", "--help"} & set(sys.argv) or len(words) > 1 or set(sys.argv[1:]) - {"--quick", *words}:
        print(__doc__)
        return 0 if {"-h", "--help"} & set(sys.argv) else 1
    folder = os.path.abspath(words[0] if words else os.path.dirname(os.path.abspath(__file__)))
    if not os.path.isdir(folder):
        raise poise.PoiseError(f"{folder}: no such folder")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        draw(folder, "--quick" in sys.argv)
        os.chdir(TOP)
    return 0


if __name__ == "__main__":
    command(main)
