"""Pictures: fields, residuals, profiles, films.  Every draw_ function returns matplotlib's figure; save() writes it."""
import numpy as np

from poise.errors import PoiseError, missing
from poise.section import Section, contour

OWN = "code units"                           # of a case, which has no units of its own
BLUE, COLOURS = "#1f4e9c", ("#1f4e9c", "#c8102e", "#2e8b57", "#222222", "#e08a00", "#7a3e9d", "#00838f")
RESIDUALS = ("velocity_x", "velocity_y", "velocity_z", "pressure", "continuity", "courant", "volume_error")
# Of residuals.csv: no residuals, or counts.
NOT_RESIDUALS = ("iteration", "time", "step", "inner_velocity", "inner_pressure", "inner_coupled", "error", "volume",
                 "lowest", "highest", "area", "redistributed", "interface_courant", "max_velocity")


def figure(width, height, rows=1, columns=1):
    """A figure in the common style, and its axes [rows, columns]."""
    if missing("matplotlib"):
        raise PoiseError(missing("matplotlib"))
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.grid": True, "grid.alpha": 0.25,
                         "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
                         "lines.linewidth": 1.4, "savefig.dpi": 160})
    return plt.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)


def save(fig, path):
    """Writes the picture to a file, .png, .svg, .pdf .."""
    try:
        fig.savefig(path, bbox_inches="tight", pad_inches=0.06)
    except OSError as error:
        raise PoiseError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise PoiseError(f"{path}: {error}") from None
    print("picture:", path)


# ---------------------------------------------------------------- fields
def colour_limits(values, area):
    """The range of the colours: all values, or without the half percent of the area at either end where a sharp corner
    would hide everything else."""
    order = np.argsort(values)
    share = np.cumsum(area[order]) / area.sum()
    low, high = values[order[np.minimum(np.searchsorted(share, [0.005, 0.995]), len(order) - 1)]]
    spread = max(high - low, 1e-12 * max(abs(high), abs(low), 1e-300))
    least, most = values.min(), values.max()
    return (least if low - least < 0.25 * spread else low), (most if most - high < 0.25 * spread else high)


class FieldPicture:
    """A picture of a field in a plane; call draw() for every step.

    name: the field; a vector is shown by its magnitude, one component as velocity_x.  plane: in 3-D, as for
    Section().  zoom: (x0, x1, y0, y1) in the picture's coordinates.  limits: (low, high) of the colours.
    interface: draws the line between two fluids.  streamlines: draws those of the velocity in the plane.  label: the text
    at the colour bar, with the unit.  length: the unit of the axes.  mesh: draws the lines between the cells.
    """

    def __init__(self, run, name, plane=None, zoom=None, limits=None, interface=False, streamlines=False, label=None,
                 mesh=False, length=OWN):
        self.run, self.name, self.limits, self.interface, self.streamlines = run, name, limits, interface, streamlines
        self.section, self.mesh, self.length = Section(run.mesh, plane), mesh, length
        corners = self.section.corners()
        low, high = self.section.points.min(axis=0), self.section.points.max(axis=0)
        self.window = tuple(zoom) if zoom else (low[0], high[0], low[1], high[1])
        x0, x1, y0, y1 = self.window
        if not (x0 < x1 and y0 < y1):
            raise PoiseError(f"zoom: expected x0 < x1 and y0 < y1, found {x0:g} {x1:g} {y0:g} {y1:g}")
        self.shown = np.array([k for k, p in enumerate(corners) if p[:, 0].max() >= x0 and p[:, 0].min() <= x1
                               and p[:, 1].max() >= y0 and p[:, 1].min() <= y1], dtype=int)
        if not len(self.shown):
            raise PoiseError(f"zoom: there is nothing in {x0:g} .. {x1:g}, {y0:g} .. {y1:g}; the section goes from "
                             f"{low[0]:g} to {high[0]:g} and from {low[1]:g} to {high[1]:g}")
        x0, x1, y0, y1 = max(x0, low[0]), min(x1, high[0]), max(y0, low[1]), min(y1, high[1])
        self.window = (x0, x1, y0, y1) if x0 < x1 and y0 < y1 else self.window      # no margin beyond the section
        self.polygons = [corners[k] for k in self.shown]
        self.area = self.section.areas()[self.shown]
        self.magnitude = name in run.field_names() and run.field(name).ndim == 2
        self.label = label or (f"|{name}|" if self.magnitude else name) + ("" if name == "fraction" else f" [{OWN}]")

    def values(self, step):
        """The values of the polygons in the window after a step."""
        found = self.run.scalar(self.name, step)
        if not np.isfinite(found).all():
            raise PoiseError(f"{self.name} is not finite in {np.count_nonzero(~np.isfinite(found))} cells")
        return found[self.section.cells[self.shown]]

    def fix_limits(self, steps):
        """One range of colours for all steps."""
        if not self.limits:
            self.limits = self._range(np.concatenate([self.values(s) for s in steps]), np.tile(self.area, len(steps)))

    def _range(self, values, area):
        low, high = colour_limits(values, area)
        if not self.magnitude and low < 0 < high:
            low, high = -max(-low, high), max(-low, high)
        return (low, high) if low < high else (low - 0.5, high + 0.5)       # a constant field still gets a scale

    def size(self):
        """Width and height of the figure in inches, with axes, title and colour bar."""
        aspect = (self.window[1] - self.window[0]) / (self.window[3] - self.window[2])
        if aspect > 2:
            return 10, 9.2 / aspect + 1.7
        height = min(6.5, 5 / aspect)
        return max(height * aspect + 1.9, 3.4), height + 0.9

    def draw(self, fig, ax, step=None, bar=True):
        """Draws the field after a step into the axes; bar: with a colour bar."""
        from matplotlib.collections import LineCollection, PolyCollection
        values = self.values(step)
        low, high = self.limits or self._range(values, self.area)
        signed = not self.magnitude and low < 0 < high
        cells = PolyCollection(self.polygons, array=values, cmap="RdBu_r" if signed else "viridis",
                               edgecolors="#00000060" if self.mesh else "face", linewidths=0.2, antialiased=self.mesh)
        cells.set_clim(low, high)
        cells.set_rasterized(True)
        ax.add_collection(cells)
        x0, x1, y0, y1 = self.window
        ax.set_aspect("equal")
        ax.grid(False)
        if bar:
            beyond = ("min" if values.min() < low else "") + ("max" if values.max() > high else "")
            wide = x1 - x0 > 2 * (y1 - y0)
            fig.colorbar(cells, ax=ax, extend={"": "neither", "minmax": "both"}.get(beyond, beyond),
                         location="bottom" if wide else "right", shrink=0.6 if wide else 0.9, aspect=30,
                         pad=0.02).set_label(self.label)
        if self.streamlines:
            self._streamlines(ax, step, "0.3" if signed else "white")
        if self.interface:
            ax.add_collection(LineCollection(contour(self.run, step, self.section), colors="#c8102e", linewidths=1.6))
        ax.set_xlim(x0, x1), ax.set_ylim(y0, y1)
        self._legend(ax, "0.3" if signed else "white")
        ax.set_xlabel(f"{self.section.axes[0]} [{self.length}]"), ax.set_ylabel(f"{self.section.axes[1]} [{self.length}]")
        ax.set_title(", ".join(filter(None, (self.run.name, self._when(step), self.section.title))))

    def _legend(self, ax, colour):
        from matplotlib.lines import Line2D
        lines = [("streamlines", colour)] * bool(self.streamlines) + [("interface", "#c8102e")] * bool(self.interface)
        dark = bool(self.streamlines) and colour == "white"
        if lines:
            ax.legend([Line2D([], [], color=c) for _, c in lines], [name for name, _ in lines], loc="upper right",
                      frameon=True, facecolor="0.2" if dark else "white", edgecolor="none",
                      labelcolor="white" if dark else "black", framealpha=0.8, fontsize=8)

    def _when(self, step):
        if self.run.in_time():
            return f"t = {self.run.time(step):.4g}"
        return f"iteration {self.run.steps[-1] if step is None else step}"

    def _streamlines(self, ax, step, colour):
        """Of the cells' velocities, averaged to the vertices and taken linear on triangles of the true cells."""
        from matplotlib.tri import LinearTriInterpolator, Triangulation
        at = self.section.in_plane(self.section.at_points(self.run.field("velocity", step)))
        triangulation = Triangulation(*self.section.points.T, self.section.triangles())
        x0, x1, y0, y1 = self.window
        extent = np.array([x1 - x0, y1 - y0])
        x, y = (np.linspace(a, b, max(int((b - a) / extent.max() * 300), 20)) for a, b in ((x0, x1), (y0, y1)))
        finder = triangulation.get_trifinder()
        u, v = (LinearTriInterpolator(triangulation, at[:, k], trifinder=finder)(*np.meshgrid(x, y)) for k in range(2))
        shape = extent / extent.min()
        ax.streamplot(x, y, u, v, density=tuple(shape * (1.4 if shape.max() < 2 else 0.6)), color=colour, linewidth=0.7,
                      arrowsize=0.7)


def draw_field(run, name, step=None, time=None, **more):
    """A figure of a field after an iteration (default: the last one), or nearest to a time; more: options of FieldPicture."""
    picture = FieldPicture(run, name, **more)
    if time is not None:
        step = run.step_at(time)
    fig, axes = figure(*picture.size())
    picture.draw(fig, axes[0, 0], step)
    return fig


def save_film(path, fig, draw, frames, fps):
    """draw(frame) for every frame, as .gif, or .mp4 where ffmpeg is."""
    from matplotlib.animation import FFMpegWriter, FuncAnimation, PillowWriter
    if path.endswith(".mp4") and not FFMpegWriter.isAvailable():
        raise PoiseError(f"{path}: an .mp4 needs the program ffmpeg, which is not there; a .gif does not")
    if not path.endswith((".gif", ".mp4")):
        raise PoiseError(f"{path}: the name of a film ends in .gif or .mp4")
    writer = FFMpegWriter(fps=fps) if path.endswith(".mp4") else PillowWriter(fps=fps)
    try:
        FuncAnimation(fig, draw, frames=frames, init_func=lambda: None).save(path, writer, dpi=100)
    except OSError as error:
        raise PoiseError(f"{path}: {error.strerror}") from None
    print("film:", path)


def film(run, name, path, steps=None, fps=10, **more):
    """A film of a field over all written steps, or some, with one range of colours; more: options of FieldPicture."""
    steps = run.steps if steps is None else steps
    if len(steps) < 2:
        raise PoiseError(f"{run.directory}: a film needs two written fields or more, there is {len(steps)} (output.every, "
                         "output.interval)")
    picture = FieldPicture(run, name, **more)
    picture.fix_limits(steps)
    fig, axes = figure(*picture.size())
    ax, drawn = axes[0, 0], []

    def draw(step):
        ax.clear()
        picture.draw(fig, ax, step, bar=not drawn)
        drawn.append(step)

    draw(steps[0])              # what is wrong is raised here: in the midst of a film its writer hides it
    save_film(path, fig, draw, steps, fps)


# ---------------------------------------------------------------- curves
def draw_residuals(runs, columns=None, log_x=False):
    """The residuals of a run, or of several, over iterations or time; columns: those of residuals.csv to draw
    (default: all residuals)."""
    runs = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    fig, axes = figure(7, 4.2)
    ax = axes[0, 0]
    for run, dash in zip(runs, ("-", "--", ":", "-.") * len(runs)):
        table = run.table("residuals.csv")
        if not len(table):
            raise PoiseError(f"{table.path}: no iteration yet")
        over = "time" if "time" in table.columns else "iteration"
        scalars = [c for c in table.columns if c not in RESIDUALS + NOT_RESIDUALS]
        for k, name in enumerate(columns or [c for c in RESIDUALS if c in table.columns] + scalars):
            value = np.abs(table[name])
            value = np.where(value > 0, value, np.nan)                  # an exact zero has no place on a log scale
            label = name.replace("_", " ") + (f", {run.name}" if len(runs) > 1 else "")
            ax.semilogy(table[over], value, dash, color=COLOURS[k % len(COLOURS)], label=label)
    ax.set_xlabel(over if over == "iteration" else f"time [{OWN}]")
    ax.set_ylabel("normalised residual" if over == "iteration" and not columns else "columns of residuals.csv")
    ax.set_xscale("log" if log_x else "linear")
    ax.set_title(f"{run.name}, {over} {table[over][-1]:.6g}" if len(runs) == 1 else "")
    ax.margins(x=0.01)
    ax.legend()
    return fig


def draw_profiles(run, comparisons):
    """A figure of the result of poise.compare(), with a panel for each quantity of each line."""
    from poise.reference import groups, where
    panels = groups(comparisons)
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    fig, axes = figure(4.8 * columns, 4.4 * rows, rows, columns)
    for ax in axes.flat[len(panels):]:
        ax.remove()
    for ax, group in zip(axes.flat, panels):
        first = group[0]
        upright = first.axis == "y"                             # a profile over the height is drawn over the height
        curve = (first.line[first.axis], first.line[first.quantity] + first.shift)
        ax.plot(*(curve[::-1] if upright else curve), color=BLUE, label="Poise", zorder=2)
        for c, marker, colour in zip(group, "osD^v", ("#c8102e", "#222222", "#2e8b57", "#e08a00", "#7a3e9d")):
            points = (c.at, c.reference)
            ax.plot(*(points[::-1] if upright else points), marker, color=colour, fillstyle="none",
                    markersize=5.5 + (marker == "s"), markeredgewidth=1.1, label=c.label, zorder=3)
        names = (f"{first.axis} [{OWN}]", f"{first.quantity.replace('_', ' ')} [{OWN}]")
        ax.set_xlabel(names[upright]), ax.set_ylabel(names[not upright])
        ax.set_title(f"line {first.line_name}, {where(first)}")
        ax.legend()
    fig.suptitle(run.name)
    return fig
