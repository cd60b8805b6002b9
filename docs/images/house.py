#!/usr/bin/env python3
"""Draws docs/images/house.svg, the rooms of docs/architecture.md, from the code:  python3 docs/images/house.py

A box is a folder of src; an arrow stands for the includes from one folder to another, its width for their number.
A row is a layer: a room is above every room that it includes.  The rooms that all others include are the floors; boxes
say how often."""
import collections
import itertools
import os
import re
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.join(HERE, "..", "..", "src")
FLOORS = ["gpu", "base"]                                # from above
WHAT = {"base": "errors · memory · files · log · orderings · HDF5", "gpu": "device: arrays, launches, kernels written once",
        "mesh": "mesh, geometry, quality", "solve": "matrices and solvers", "system": "systems for poise solve", "io": "fields, checkpoints, CSV",
        "assembly": "fields and equations", "interface": "two fluids", "case": "reader of case files",
        "flow": "SIMPLE(C), PISO, advection", "run": "a case from start to end", "bench": "poise bench", "command": "the command line",
        "main": "finds the command"}
# The path of the data, in this order.
WAY = {"base": "the case is read", "mesh": "the mesh is read and ordered", "assembly": "matrices are assembled", "solve": "systems are solved",
       "flow": "fields are corrected", "run": "results are sampled", "io": "files are written"}
if os.path.isdir(os.path.join(SRC, "case")):
    WAY = {"case" if k == "base" else k: v for k, v in WAY.items()}
INK, GREY, PAPER = "#1b2530", "#74818d", "#ffffff"
COLOURS = ["#1f6fb4", "#c8702f", "#2a8a57", "#7d4fa3", "#b0395a", "#2b8c9b", "#8a7a1f", "#5b6fc0", "#a1522c", "#4f7d3a"]
plt.rcParams.update({"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "poise"})


def read():
    """Lines of each room, and how often room a includes files of room b."""
    lines, includes = collections.Counter(), collections.Counter()
    for folder, _, files in os.walk(SRC):
        for name in files:
            if not name.endswith((".c", ".h", ".cu")): continue
            path = os.path.join(folder, name)
            room = os.path.relpath(path, SRC).split(os.sep)[0].removesuffix(".c")
            text = open(path, encoding="utf-8").read()
            lines[room] += text.count("\n")
            for other in re.findall(r'^ *# *include *"(\w+)/', text, re.M):
                if other != room: includes[room, other] += 1
    return lines, includes


def layers(rooms, includes):
    """Rows of rooms from below: each room as low as the rooms that it includes allow, side by side so that arrows cross little."""
    level = {}
    def of(room):
        if room not in level: level[room] = 1 + max([of(b) for a, b in includes if a == room and b in rooms], default=-1)
        return level[room]
    for room in rooms: of(room)
    rows = [sorted(r for r in rooms if level[r] == k) for k in range(1 + max(level.values()))]
    def places(order): return {r: (k + 0.5) / len(row) for row in order for k, r in enumerate(row)}
    def length(order):
        at = places(order)
        return sum(n ** 0.5 * abs(at[a] - at[b]) for (a, b), n in includes.items() if a in at and b in at)
    best = min(itertools.product(*[list(itertools.permutations(row)) for row in rows]), key=length)
    return best, places(best)


lines, includes = read()
inner = [r for r in lines if r not in FLOORS]
rows, across = layers(inner, includes)
WIDTH, HIGH, STEP, BOX = 14.0, 0.86, 1.52, 2.75
place = {}
for k, row in enumerate(rows):                           # rooms alone in their row step aside in turn, to let arrows past
    aside = 0.13 * (-1) ** k if len(row) == 1 and k < len(rows) - 2 else 0
    for room in row: place[room] = (0.9 + (across[room] + aside) * (WIDTH - 1.8), k * STEP)
colour = {room: COLOURS[k % len(COLOURS)] for k, room in enumerate(sorted(inner, key=lambda r: place[r][1]))}

figure, ax = plt.subplots(figsize=(13.2, 0.98 * (STEP * len(rows) + 3.4)))
ax.set_aspect("equal")
ax.axis("off")
top = (len(rows) - 1) * STEP + HIGH
ax.add_patch(plt.Polygon([[0, -0.42], [0, top - STEP * 1.15], [WIDTH / 2, top + 0.85], [WIDTH, top - STEP * 1.15], [WIDTH, -0.42]],
                         fc="#f7f5f0", ec="#d9d2c3", lw=1.5, joinstyle="round", zorder=0))
number = {room: k + 1 for k, room in enumerate(r for r in WAY if r in lines)}


def badge(room, x, y):
    if room not in number: return
    ax.plot(x, y, "o", ms=17, color="#e3a21a", zorder=9, mec=PAPER, mew=1.5)
    ax.text(x, y - 0.01, str(number[room]), ha="center", va="center", size=10.5, weight="bold", color=PAPER, zorder=10)


for k, floor in enumerate(FLOORS):
    y = -1.22 - 0.86 * k
    ax.add_patch(FancyBboxPatch((0.06, y), WIDTH - 0.12, 0.62, boxstyle="round,pad=0,rounding_size=0.06", fc="#e4e8ec", ec="#c3cbd3", lw=1.2))
    total = sum(n for (_, b), n in includes.items() if b == floor)
    ax.text(0.55, y + 0.31, floor, size=15, weight="bold", color=INK, va="center")
    ax.text(1.75, y + 0.30, WHAT.get(floor, ""), size=11, color=INK, va="center")
    ax.text(WIDTH - 0.35, y + 0.30, f"{lines[floor]:,} lines · included {total} times".replace(",", " "), size=10, color=GREY, va="center", ha="right")
    badge(floor, 0.06, y + 0.62)

for room, (x, y) in place.items():
    ax.add_patch(FancyBboxPatch((x - BOX / 2, y), BOX, HIGH, boxstyle="round,pad=0,rounding_size=0.09", fc=PAPER, ec=colour[room], lw=2.2, zorder=5))
    ax.text(x, y + 0.60, room, size=14.5, weight="bold", color=INK, ha="center", va="center", zorder=6)
    ax.text(x, y + 0.34, WHAT.get(room, ""), size=9.6, color=INK, ha="center", va="center", zorder=6)
    stands = " · ".join(f"{f} {includes[room, f]}" for f in FLOORS if includes[room, f])
    ax.text(x, y + 0.13, f"{lines[room]:,} lines".replace(",", " ") + (f"   ({stands})" if stands else ""), size=7.8, color=GREY, ha="center", va="center",
            zorder=6)
    badge(room, x - BOX / 2, y + HIGH)

# An arrow leaves its box below and arrives above the other; those of one edge stand side by side in the order of their ends.
arrows = [(a, b, n) for (a, b), n in includes.items() if a in place and b in place]
out = {r: sorted((x for x in arrows if x[0] == r), key=lambda x: (place[x[1]][0], -place[x[1]][1])) for r in place}
into = {r: sorted((x for x in arrows if x[1] == r), key=lambda x: (place[x[0]][0], place[x[0]][1])) for r in place}


def port(list_of, arrow, x):
    k, n = list_of.index(arrow), len(list_of)
    return x + (k + 0.5 - n / 2) * min(0.36, 0.88 * BOX / n)


for arrow in sorted(arrows, key=lambda x: -x[2]):
    a, b, n = arrow
    start = (port(out[a], arrow, place[a][0]), place[a][1] - 0.02)
    end = (port(into[b], arrow, place[b][0]), place[b][1] + HIGH + 0.03)
    bend = max(0.55, 0.45 * (start[1] - end[1]))
    path = Path([start, (start[0], start[1] - bend), (end[0], end[1] + bend), end], [Path.MOVETO] + 3 * [Path.CURVE4])
    ax.add_patch(FancyArrowPatch(path=path, arrowstyle=f"-|>,head_length={3.6 + 0.15 * n},head_width={2.2 + 0.10 * n}", lw=1.0 + 0.34 * n, color=colour[a],
                                 alpha=0.72, zorder=3, capstyle="butt", joinstyle="miter"))

steps = [f"{number[r]}  {WAY[r]}" for r in number]
key = "path of the data:    " + "      ".join(steps[:4]) + "\n" + "      ".join(steps[4:])
ax.text(WIDTH / 2, -1.22 - 0.86 * len(FLOORS) + 0.24, key, size=10.5, color="#9a6c08", ha="center", va="center", linespacing=1.7)
ax.set_xlim(-0.25, WIDTH + 0.25)
ax.set_ylim(-1.35 - 0.86 * len(FLOORS), top + 0.95)
figure.savefig(os.path.join(HERE, "house.svg"), bbox_inches="tight", facecolor="white", metadata={"Date": None})
