"""CSV tables: those of a run, and references to compare with."""
import numpy as np

from poise.errors import PoiseError, choose
from poise.text import read_text


class Table:
    """A CSV file.  One of Poise's begins with a header row; a reference has `# ` lines before its rows, the last of them
    "# columns: y,u,suspect"; rows marked as suspect are left out.

        table.columns, table.rows [n, columns], table["velocity_x"], len(table)
    """

    def __init__(self, path):
        self.path = path
        self.notes = []
        lines = [line.strip() for line in read_text(path, "a table of numbers").splitlines() if line.strip()]
        while lines and lines[0].startswith("#"):
            self.notes.append(lines.pop(0).lstrip("# "))
        header = self.note("columns")
        if header is None and lines:
            header = lines.pop(0)
        self.columns = [name.strip() for name in (header or "").split(",")]
        try:
            rows = [[float(x) if x.strip() else np.nan for x in line.split(",")] for line in lines]
            self.rows = np.array(rows, dtype=float).reshape(len(rows), len(self.columns))
        except ValueError:
            raise PoiseError(f"{path}: not a table of numbers with the columns {', '.join(self.columns)}") from None
        if "suspect" in self.columns:
            self.rows = self.rows[self["suspect"] == 0]

    def note(self, key):
        """The text after "# key:", or None."""
        return next((n.split(":", 1)[1].strip() for n in self.notes if n.startswith(key + ":")), None)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, name):
        return self.rows[:, self.columns.index(choose(name, self.columns, f"{self.path}: column"))]
