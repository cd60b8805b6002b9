"""The interface between two fluids in a run's fields, in 2-D: for the scripts beside it."""
import numpy as np

from poise import PoiseError


def contour(run, step=None):
    """Segments [n, 2, 2] of the interface: where the distance, if it was written, is 0, else where the fraction is 0.5,
    both averaged to the vertices and taken linear on triangles."""
    if run.mesh.dim != 2:
        raise PoiseError(f"{run.directory}: a contour is drawn in 2-D only; this is a 3-D run: see it in ParaView")
    if "distance" in run.field_names(step):
        level = run.mesh.to_vertices(run.field("distance", step))
    else:
        level = run.mesh.to_vertices(0.5 - run.field("fraction", step))
    return zero_line(run.mesh.vertices[:, :2], run.mesh.triangles(), level)


def zero_line(points, triangles, level):
    """Segments [n, 2, 2] where the level is zero, one in every triangle that it crosses."""
    inside = level[triangles] > 0
    crossed = inside.any(axis=1) & ~inside.all(axis=1)
    triangles, inside = triangles[crossed], inside[crossed]
    lone = np.where(inside.sum(axis=1) == 1, inside.argmax(axis=1), (~inside).argmax(axis=1))   # alone on its side
    ends = []
    for turn in (1, 2):
        a = triangles[np.arange(len(triangles)), lone]
        b = triangles[np.arange(len(triangles)), (lone + turn) % 3]
        part = (level[a] / (level[a] - level[b]))[:, None]
        ends.append(points[a] * (1 - part) + points[b] * part)
    return np.stack(ends, axis=1)


def distance_to_curve(points, curve):
    """Of points [n, 2] from the closed curve through points [m, 2], in any order, about which it goes once."""
    arm = curve - curve.mean(axis=0)
    curve = curve[np.argsort(np.arctan2(arm[:, 1], arm[:, 0]))]
    a, along = curve, np.roll(curve, -1, axis=0) - curve
    length = np.maximum((along ** 2).sum(axis=1), 1e-300)
    found = []
    for point in points:
        part = np.clip(((point - a) * along).sum(axis=1) / length, 0, 1)
        found.append(np.sqrt(((point - a - part[:, None] * along) ** 2).sum(axis=1).min()))
    return np.array(found)
