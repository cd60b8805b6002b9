"""Runs of Poise in Python: cases written, changed and run, results read, compared and drawn.

    import poise
    run = poise.run("cavity.cfg", {"fluid.viscosity": 0.0025})
    run.field("velocity")                  the last one written: [cells, 3]
    poise.draw_field(run, "velocity", streamlines=True)

docs/reference/python.md goes through all of it.  Modules are imported when something of theirs is asked for first, so that case
files are read and written without numpy.
"""
import importlib

__version__ = "1.0.0"
_MODULE = {"PoiseError": "errors", "choose": "errors", "Case": "case", "Table": "table", "Mesh": "mesh",
           "write_mesh": "mesh", "Run": "results", "run": "program", "sweep": "program", "compare": "reference",
           "Section": "section", "contour": "section", "figure": "pictures", "save": "pictures",
           "draw_field": "pictures", "film": "pictures", "draw_residuals": "pictures",
           "draw_profiles": "pictures"}
__all__ = list(_MODULE)


def __getattr__(name):
    if name not in _MODULE:
        raise AttributeError(f"module poise has no {name}")
    return getattr(importlib.import_module("poise." + _MODULE[name]), name)
