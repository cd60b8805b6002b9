#!/usr/bin/env python3
"""A picture of a field, without ParaView.

    field.py cavity.out velocity --streamlines
    field.py cavity3d.out velocity_x --slice z=0.5 --step 500

FIELD is a name that the run wrote: a scalar, a vector (its magnitude is shown) or a vector with _x, _y or _z behind it.
2-D cells are drawn as they are; a 3-D mesh is cut by a plane x, y or z = value (without --slice: through its middle).
"""
import argparse

import numpy as np

from poise import PoiseError, Run, choose, command, figure, save

EDGES = {6: [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
         7: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)],
         8: [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
         9: [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]}


def scalar(run, name, step):
    """(values a cell, whether they are a magnitude)."""
    fields = run.field_names(step)
    vectors = [f for f in fields if run.field(f, step).ndim == 2]
    components = [f"{f}_{axis}" for f in vectors for axis in "xyz"[:run.mesh.dim]]
    choose(name, fields + components, f"{run.directory}: field")
    if name in components:
        return run.field(name[:-2], step)[:, "xyz".index(name[-1])], False
    values = run.field(name, step)
    return (np.linalg.norm(values, axis=1), True) if values.ndim == 2 else (values, False)


def plane(text, mesh):
    """(axis, value) from "z=0.5"; without text the middle of the shortest extent, the last of several."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    if text is None:
        axis = 2 - int(np.argmin((high - low)[::-1]))
        return axis, (low[axis] + high[axis]) / 2
    axis, _, value = text.partition("=")
    try:
        axis, value = "xyz".index(axis.strip() or "?"), float(value)
    except ValueError:
        raise PoiseError(f"--slice \"{text}\": expected x, y or z = a number, like z=0.5") from None
    if not low[axis] <= value <= high[axis]:
        raise PoiseError(f"--slice {text}: the mesh goes from {low[axis]:g} to {high[axis]:g} there")
    return axis, value


def cut(mesh, axis, value):
    """Polygons in which the plane cuts the (convex) cells, and the cells that they belong to."""
    keep = [a for a in range(3) if a != axis]
    extent = np.ptp(mesh.vertices[:, axis])
    if value > mesh.vertices[:, axis].max() - 1e-9 * extent:    # on the far boundary: just inside, where there are cells
        value -= 1e-6 * extent
    polygons, owners = [], []
    for kind, cells, corners in mesh.by_type():
        side = mesh.vertices[corners, axis] - value
        hit = np.flatnonzero((side > 0).any(axis=1) & (side <= 0).any(axis=1))
        a, b = np.array(EDGES[kind]).T
        for k in hit:
            edge = np.flatnonzero((side[k, a] > 0) != (side[k, b] > 0))
            t = (side[k, a[edge]] / (side[k, a[edge]] - side[k, b[edge]]))[:, None]
            point = mesh.vertices[corners[k]][:, keep]
            point = point[a[edge]] * (1 - t) + point[b[edge]] * t
            arm = point - point.mean(axis=0)
            polygons.append(point[np.argsort(np.arctan2(arm[:, 1], arm[:, 0]))])
            owners.append(cells[k])
    return polygons, np.array(owners, dtype=int)


def limits(values, polygons):
    """The range of the colours: all values, or without the half percent of the area at either end where a sharp corner
    would hide everything else."""
    area = np.array([abs(np.sum(p[:, 0] * np.roll(p[:, 1], -1) - p[:, 1] * np.roll(p[:, 0], -1))) for p in polygons])
    order = np.argsort(values)
    share = np.cumsum(area[order]) / area.sum()
    low, high = values[order[np.searchsorted(share, [0.005, 0.995])]]
    spread = max(high - low, 1e-12 * max(abs(high), abs(low), 1e-300))
    least, most = values.min(), values.max()
    return (least if low - least < 0.25 * spread else low), (most if most - high < 0.25 * spread else high)


def draw(fig, ax, polygons, values, magnitude, given, name):
    from matplotlib.collections import PolyCollection
    low, high = given or limits(values, polygons)
    signed = not magnitude and low < 0 < high
    if signed and not given:
        low, high = -max(-low, high), max(-low, high)
    if low == high:                                             # a constant field still gets a scale
        low, high = low - 0.5, high + 0.5
    cells = PolyCollection(polygons, array=values, cmap="RdBu_r" if signed else "viridis", edgecolors="face", linewidths=0.2)
    cells.set_clim(low, high)
    cells.set_rasterized(True)
    ax.add_collection(cells)
    beyond = ("min" if values.min() < low else "") + ("max" if values.max() > high else "")
    extend = {"": "neither", "min": "min", "max": "max", "minmax": "both"}[beyond]
    points = np.concatenate(polygons)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    ax.set_xlim(x0, x1), ax.set_ylim(y0, y1)
    ax.set_aspect("equal")
    ax.grid(False)
    wide = x1 - x0 > 2 * (y1 - y0)
    bar = fig.colorbar(cells, ax=ax, extend=extend, location="bottom" if wide else "right",
                       shrink=0.6 if wide else 0.9, aspect=30, pad=0.02)
    bar.set_label(name)


def streamlines(ax, mesh, velocity):
    """Of the cells' velocities, averaged to the vertices and taken linear on triangles of the true cells."""
    from matplotlib.tri import LinearTriInterpolator, Triangulation
    at_vertex = mesh.to_vertices(velocity[:, :2])
    triangulation = Triangulation(mesh.vertices[:, 0], mesh.vertices[:, 1], mesh.triangles())
    (x0, y0), (x1, y1) = mesh.vertices[:, :2].min(axis=0), mesh.vertices[:, :2].max(axis=0)
    step = max(x1 - x0, y1 - y0) / 300
    x = np.linspace(x0, x1, max(int((x1 - x0) / step), 20))
    y = np.linspace(y0, y1, max(int((y1 - y0) / step), 20))
    finder = triangulation.get_trifinder()
    u, v = (LinearTriInterpolator(triangulation, at_vertex[:, a], trifinder=finder)(*np.meshgrid(x, y)) for a in range(2))
    shape = np.array([x1 - x0, y1 - y0]) / min(x1 - x0, y1 - y0)
    ax.streamplot(x, y, u, v, density=tuple(shape * (1.4 if shape.max() < 2 else 0.6)), color="white", linewidth=0.7,
                  arrowsize=0.7)
    ax.set_xlim(x0, x1), ax.set_ylim(y0, y1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="output directory of a run, NAME.out")
    parser.add_argument("field", help="velocity, velocity_x, pressure, ...")
    parser.add_argument("--step", type=int, metavar="N", help="iteration (default: the last written)")
    parser.add_argument("--slice", metavar="z=0.5", help="3-D: the plane to cut at")
    parser.add_argument("--streamlines", action="store_true", help="2-D: streamlines on top")
    parser.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="range of the colours")
    parser.add_argument("--output", metavar="PNG", help="the picture (default NAME.out/FIELD.png)")
    options = parser.parse_args()
    run = Run(options.run)
    values, magnitude = scalar(run, options.field, options.step)
    if not np.isfinite(values).all():
        raise PoiseError(f"{options.field} is not finite in {np.count_nonzero(~np.isfinite(values))} cells")
    title = f"{run.name}, iteration {options.step if options.step is not None else run.steps[-1]}"
    axes = "xyz"
    if run.mesh.dim == 2:
        if options.slice:
            raise PoiseError("--slice is for 3-D meshes")
        polygons = run.mesh.polygons()
    else:
        if options.streamlines:
            raise PoiseError("--streamlines is for 2-D meshes")
        axis, value = plane(options.slice, run.mesh)
        polygons, cells = cut(run.mesh, axis, value)
        if not polygons:
            raise PoiseError(f"the plane {'xyz'[axis]} = {value:g} cuts no cell")
        values, axes = values[cells], axes.replace(axes[axis], "")
        title += f", {'xyz'[axis]} = {value:g}"
    low, high = np.concatenate(polygons).min(axis=0), np.concatenate(polygons).max(axis=0)
    aspect = (high[0] - low[0]) / (high[1] - low[1])
    fig, grid = figure(*((10, 10 / aspect + 1.6) if aspect > 2 else (6.4, 5.4 / max(aspect, 0.4))))
    ax = grid[0, 0]
    draw(fig, ax, polygons, values, magnitude, options.range, ("|" + options.field + "|" if magnitude else options.field))
    if options.streamlines:
        streamlines(ax, run.mesh, run.field("velocity", options.step))
    ax.set_xlabel(axes[0]), ax.set_ylabel(axes[1])
    ax.set_title(title)
    save(fig, options.output or run.path(options.field + ".png"))


if __name__ == "__main__":
    command(main)
