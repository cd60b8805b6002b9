"""Files that are complete wherever they exist."""
import contextlib
import os

import h5py

from poise.errors import PoiseError


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
