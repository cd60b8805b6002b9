"""HDF5 files: read with errors of the package's kind, written so that they are complete wherever they exist."""
import contextlib
import os

import h5py

from poise.errors import PoiseError


@contextlib.contextmanager
def open_hdf5(path):
    """An HDF5 file to be read; what h5py raises while it is, at damaged data too, becomes a PoiseError."""
    try:
        with h5py.File(path) as file:
            yield file
    except (OSError, KeyError, RuntimeError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise PoiseError(f"{path}: {error}; is it damaged, or no file of Poise's?") from None


def numbers(file, name):
    """All of a dataset of numbers."""
    data = file[name]
    if not isinstance(data, h5py.Dataset) or data.dtype.kind not in "iuf":
        raise ValueError(f"\"{name}\" holds no numbers")
    return data[:]


@contextlib.contextmanager
def new_hdf5(path):
    """An HDF5 file to be filled, which takes its place only when that is done without an error."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with h5py.File(part, "w") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise PoiseError(f"{path}: {error}") from None
    finally:
        with contextlib.suppress(OSError):
            os.remove(part)
