"""Text files."""
from poise.errors import PoiseError


def read_text(path, expected):
    """The text, without the mark that some editors put before UTF-8; expected: what the file should be, for messages."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise PoiseError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PoiseError(f"{path}: byte {error.start} is no UTF-8; expected {expected}") from None
