#!/usr/bin/env python3
"""Draws docs/images/face.svg, the names of docs/explanation/numerics.md, "Geometry of a face":  python3 docs/images/face.py"""
import os
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

plt.rcParams.update({"mathtext.fontset": "stix", "font.family": "STIXGeneral", "svg.fonttype": "path", "svg.hashsalt": "poise"})
INK, GREY, RED, BLUE, GREEN, VIOLET = "#1b2530", "#8a97a3", "#c8402f", "#1f6fb4", "#2a8a57", "#7d4fa3"


def centroid(corners):
    x, y = corners.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    return np.array([np.sum((x + np.roll(x, -1)) * cross), np.sum((y + np.roll(y, -1)) * cross)]) / (3 * np.sum(cross))


def arrow(ax, start, end, colour, width=2.0, z=4, style="-|>", line="-"):
    ax.annotate("", end, start, zorder=z, arrowprops=dict(arrowstyle=style + ",head_length=0.55,head_width=0.22", color=colour, lw=width,
                                                          ls=line, shrinkA=0, shrinkB=0, mutation_scale=17, joinstyle="miter"))


def text(ax, at, what, colour=INK, size=17, **how):
    ax.text(*at, what, color=colour, size=size, zorder=8, ha=how.pop("ha", "center"), va=how.pop("va", "center"), **how)


def dot(ax, at, colour=INK, size=7, **how):
    ax.plot(*at, "o", color=colour, ms=size, zorder=7, **how)


# A quadrilateral and a triangle that share the face from `low` to `high`.
low, high = np.array([3.95, 0.0]), np.array([3.55, 4.1])
owner = np.array([[0.9, 1.0], low, high, [0.3, 3.9]])
neighbour = np.array([low, [7.7, 3.35], [6.9, 5.6], high])
P, N, f = centroid(owner), centroid(neighbour), (low + high) / 2
d, along = N - P, high - low
S = np.array([along[1], -along[0]])                     # out of the owner; as long as the face
n = S / np.hypot(*S)
w = S @ (d - (f - P)) / (S @ d)
x = P + (1 - w) * d                                     # where d meets the face
S_drawn = 0.55 * S                                    # to leave room; only its direction counts here

figure, (left, right) = plt.subplots(1, 2, figsize=(12.4, 5.0), gridspec_kw={"width_ratios": [7.35, 4.6], "wspace": 0.03})
for ax in (left, right):
    ax.set_aspect("equal")
    ax.axis("off")

left.add_patch(plt.Polygon(owner, fc="#e9f1f8", ec=GREY, lw=1.3))
left.add_patch(plt.Polygon(neighbour, fc="#f6efe6", ec=GREY, lw=1.3))
left.plot(*np.array([low, high]).T, color=INK, lw=3.2, solid_capstyle="round", zorder=3)
arrow(left, P, N, BLUE)
arrow(left, P, f, GREEN)
arrow(left, f, f + S_drawn, INK, 2.6)
arrow(left, x, f, RED, 2.6, z=6)
dot(left, P), dot(left, N), dot(left, f, GREEN, 6), dot(left, x, "white", 6.5, mec=RED, mew=1.8)
text(left, P + [-0.30, -0.02], "$P$", size=21)
text(left, N + [0.33, 0.0], "$N$", size=21)
text(left, P + 0.72 * d + [-0.08, 0.30], r"$\mathbf{d}$", BLUE, 20)
text(left, P + 0.55 * (f - P) + [0.06, -0.30], r"$\mathbf{r}$", GREEN, 20)
text(left, f + S_drawn + [0.25, 0.0], r"$\mathbf{S}$", size=21)
text(left, (x + f) / 2 + [0.25, 0.03], r"$\mathbf{s}$", RED, 21)

text(left, [1.75, 1.25], "owner", GREY, 14)
text(left, [6.35, 4.85], "neighbour", GREY, 14)
text(left, [5.3, 0.72], "centre of the face", GREEN, 14, ha="left")
left.plot(*np.array([f + [0.07, -0.12], [5.22, 0.76]]).T, color=GREEN, lw=0.8)
text(left, [0.55, 5.15], "where $\\mathbf{d}$ meets the face:\n$P+(1-w)\\,\\mathbf{d}$", RED, 14, ha="left", linespacing=1.4)
left.plot(*np.array([x + [-0.10, 0.10], [2.45, 4.8]]).T, color=RED, lw=0.8)
left.set_xlim(0.1, 7.85)
left.set_ylim(-0.75, 5.75)
text(left, [3.9, -0.55], "two cells that share a face", GREY, 14)

# The over-relaxed split S = g d + k: g d along d, so long that k is at right angles to S.
d_hat = np.array([np.cos(np.radians(27)), np.sin(np.radians(27))])
S2, o = np.array([2.75, 0.0]), np.array([0.25, 0.75])
gd = d_hat * (S2 @ S2) / (S2 @ d_hat)
right.plot(*np.array([o - [0, 0.7], o + [0, 2.35]]).T, color=INK, lw=3.2, solid_capstyle="round", zorder=3)
right.plot(*np.array([o - 0.18 * d_hat, o + 1.42 * gd]).T, color=BLUE, lw=1.0, ls=(0, (5, 4)), zorder=2)
arrow(right, o, o + S2, INK, 2.6)
arrow(right, o, o + gd, BLUE, 2.6)
arrow(right, o + gd, o + S2, VIOLET, 2.6)
corner = 0.17
right.plot(*(o + S2 + np.array([[-corner, 0], [-corner, corner], [0, corner]])).T, color=GREY, lw=1.1)
dot(right, o, "white", 6.5, mec=RED, mew=1.8)
text(right, o + [1.55, -0.27], r"$\mathbf{S}$", size=21)
text(right, o + 0.52 * gd + [-0.17, 0.30], r"$g\,\mathbf{d}$", BLUE, 20)
text(right, o + S2 + [0.22, 0.72], r"$\mathbf{S}-g\,\mathbf{d}$", VIOLET, 19, ha="left")
text(right, o + 1.42 * gd + [0.1, 0.16], "to $N$", BLUE, 13.5)
text(right, [2.1, -0.78], r"the over-relaxed split of $\mathbf{S}$:  $g=|\mathbf{S}|^2/\,\mathbf{S}\cdot\mathbf{d}$", GREY, 14)
right.set_xlim(-0.35, 4.75)
right.set_ylim(-0.95, 3.3)

figure.savefig(os.path.join(os.path.dirname(os.path.abspath(__file__)), "face.svg"), bbox_inches="tight", facecolor="white",
               metadata={"Date": None})
