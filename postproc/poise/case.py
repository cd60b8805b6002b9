"""Case files: libconfig's language and JSON, which have the same structure, as dictionaries.

    case = Case("cavity.cfg")
    case["fluid.viscosity"] = 0.0025
    del case["lines"]
    case.save("other.json")
"""
import json
import os
import re

from poise.errors import PoiseError, choose
from poise.text import read_text

_TOKEN = re.compile(r'''(?P<blank>[ \t\r\n\f]+|\#[^\n]*|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+L{0,2}|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?L{0,2}))
    |(?P<name>[A-Za-z*][-A-Za-z0-9_*]*)|(?P<sign>[{}()\[\]=:;,])''', re.X | re.S)
_INCLUDE = re.compile(r'@include[ \t]*"((?:[^"\\\n]|\\.)*)"')
_MOST_DIGITS = 400                                              # more than any number that Poise can hold has
_NAME = re.compile(r"[A-Za-z*][-A-Za-z0-9_*]*\Z")
_ESCAPE = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", '"': '"', "\\": "\\"}


def _load(path):
    return read_text(path, "a case file")


class _Reader:
    """libconfig's language to dictionaries, lists, texts and numbers."""

    def __init__(self, path, text, folder, depth=0):
        self.path, self.folder, self.depth, self.tokens = path, folder, depth, []
        at = line = 0
        while at < len(text):
            begins = not text[text.rfind("\n", 0, at) + 1:at].strip(" \t")
            found = _INCLUDE.match(text, at) if begins else None
            if found:
                self.include(found[1], 1 + line)
            else:
                found = _TOKEN.match(text, at)
            if not found:
                raise PoiseError(f"{path}:{1 + line}: not a case file's language: {text[at:at + 40].splitlines()[0]}")
            if found.re is _TOKEN and found.lastgroup != "blank":
                self.tokens.append((found.lastgroup, found[0], path, 1 + line))
            line += found[0].count("\n")
            at = found.end()
        self.at = 0

    def include(self, name, line):
        """As Poise does it: the name counts from the folder of the case."""
        if self.depth == 10:
            raise PoiseError(f"{self.path}:{line}: @include \"{name}\": files are included more than 10 deep")
        path = os.path.join(self.folder, re.sub(r"\\(.)", r"\1", name))
        self.tokens += _Reader(path, _load(path), self.folder, self.depth + 1).tokens

    def fail(self, expected):
        kind, text, path, line = self.tokens[min(self.at, len(self.tokens) - 1)] if self.tokens else ("", "", self.path, 1)
        text = text if len(text) <= 40 else text[:40] + " ..."
        found = f"\"{text}\"" if self.at < len(self.tokens) else "the end"
        raise PoiseError(f"{path}:{line}: expected {expected}, found {found}")

    def take(self, kind, of=None):
        if self.at < len(self.tokens):
            found = self.tokens[self.at]
            if found[0] == kind and (of is None or found[1] in of):
                self.at += 1
                return found[1]
        return None

    def settings(self, end):
        found = {}
        while not (self.at >= len(self.tokens) if end is None else self.take("sign", end)):
            name = self.take("name")
            if name is None:
                self.fail("name = value;")
            if name in found:
                self.at -= 1
                self.fail(f"each name once in a group, but \"{name}\" stands twice")
            if not self.take("sign", "=:"):
                self.fail("= behind a name")
            found[name] = self.value()
            self.take("sign", ";,")
        return found

    def value(self):
        if self.take("sign", "{"):
            return self.settings("}")
        opened = self.take("sign", "([")
        if opened:
            items, end = [], {"(": ")", "[": "]"}[opened]
            while not self.take("sign", end):
                items.append(self.value())
                if not self.take("sign", ",") and (self.at >= len(self.tokens) or self.tokens[self.at][1] != end):
                    self.fail(f", or {end}")
            return items
        text = self.take("text")
        if text is not None:
            whole = ""
            while text is not None:                             # texts beside each other are one
                whole += re.sub(r"\\(x[0-9a-fA-F]{2}|.)", lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 3
                                else _ESCAPE.get(m[1], m[0]), text[1:-1], flags=re.S)
                text = self.take("text")
            return whole
        number = self.take("number")
        if number is not None:
            plain = number.rstrip("L")
            if len(plain) > _MOST_DIGITS:
                self.at -= 1
                self.fail(f"a number of at most {_MOST_DIGITS} characters")
            return int(plain, 0) if re.fullmatch(r"[-+]?(0[xX].*|0|[1-9]\d*)", plain) else \
                int(plain) if re.fullmatch(r"[-+]?\d+", plain) else float(plain)
        word = self.take("name")
        if word is not None and word.lower() in ("true", "false"):
            return word.lower() == "true"
        self.at -= word is not None
        return self.fail("a value: a number, \"text\", true, false, [..] or { .. }; write words in quotes")


def value_text(value, indent=""):
    """A value in libconfig's language."""
    if isinstance(value, dict):
        inside = "".join(f"{indent}    {name} = {value_text(v, indent + '    ')};\n" for name, v in value.items())
        return "{\n" + inside + indent + "}" if inside else "{ }"
    if isinstance(value, (bool, str)):
        text = json.dumps(value, ensure_ascii=False)
        return re.sub(r"\\u00([0-9a-f]{2})|\\b", lambda m: "\\x" + (m[1] or "08"), text)
    if isinstance(value, int) or hasattr(value, "__index__"):
        if abs(int(value)) >= 10**_MOST_DIGITS:
            raise PoiseError(f"a whole number has more than {_MOST_DIGITS} digits")
        return str(int(value))
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0):
        return "[" + ", ".join(value_text(v, indent) for v in value) + "]"
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise PoiseError(f"{value!r} is no value of a case: expected a number, a text, a list or a dictionary") from None


def _plain(value):
    """Without numpy's types, with names that a case file can have."""
    if isinstance(value, dict):
        for name in value:
            if not _NAME.match(str(name)):
                raise PoiseError(f"\"{name}\" is no name for a setting: expected letters, digits, - and _, a letter first")
        return {str(name): _plain(v) for name, v in value.items()}
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0):
        return [_plain(v) for v in value]
    if isinstance(value, (str, bool)):
        return value
    text = value_text(value)
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


class Case:
    """A case: `settings` is a dictionary of dictionaries; case["solver.pressure.tolerance"] is one of them, by its path.

    source: a file, .cfg or .json, or a dictionary.  folder: the folder that mesh.file is relative to.
    """

    def __init__(self, source, folder="."):
        self.path, self.folder = None, folder
        if isinstance(source, dict):
            self.settings = _plain(source)
            return
        self.path, self.folder = os.fspath(source), os.path.dirname(os.fspath(source)) or "."
        text = _load(self.path)
        if text.lstrip().startswith("{"):
            try:
                self.settings = _plain(json.loads(text))
            except json.JSONDecodeError as error:
                raise PoiseError(f"{self.path}:{error.lineno}: {error.msg}; expected JSON") from None
            except (ValueError, RecursionError) as error:       # a number of thousands of digits, groups as deep
                raise PoiseError(f"{self.path}: {error}; expected JSON") from None
        else:
            self.settings = _Reader(self.path, text, self.folder).settings(None)

    @property
    def name(self):
        """The name that its runs use."""
        return re.sub(r"\.(cfg|json)\Z", "", os.path.basename(self.path)) if self.path else "case"

    def _group(self, path, make):
        *groups, name = path.split(".")
        at = self.settings
        for k, group in enumerate(groups):
            at = at.setdefault(group, {}) if make else at[choose(group, at, ".".join(groups[:k]) or "the case: group")]
            if not isinstance(at, dict):
                raise PoiseError(f"{'.'.join(groups[:k + 1])} is no group, but {value_text(at)}")
        return at, name

    def __getitem__(self, path):
        group, name = self._group(path, False)
        return group[choose(name, group, "setting " + path.rpartition(".")[0] if "." in path else "setting")]

    def __contains__(self, path):
        try:
            return self[path] is not None
        except PoiseError:
            return False

    def get(self, path, otherwise=None):
        """A setting, or `otherwise` where the case does not have it."""
        return self[path] if path in self else otherwise

    def __setitem__(self, path, value):
        """None removes the setting, which then has its default."""
        if value is None:
            if path in self:
                del self[path]
            return
        value = _plain({path.rpartition(".")[2]: value})
        group, name = self._group(path, True)
        group[name] = value[name]

    def __delitem__(self, path):
        self[path]                                              # or an error that says what there is
        group, name = self._group(path, False)
        del group[name]

    def changed(self, settings):
        """A copy with other values, {"fluid.viscosity": 0.01, "lines": None}."""
        copy = Case(json.loads(json.dumps(self.settings)), self.folder)
        copy.path = self.path
        for path, value in settings.items():
            copy[path] = value
        return copy

    def text(self):
        """The case in libconfig's language."""
        return "".join(f"{name} = {value_text(value)};\n" for name, value in self.settings.items())

    def save(self, path):
        """Writes the case: as JSON if the path ends in .json, else in libconfig's language.  The path of a mesh file is
        changed to be relative to the new file."""
        path = os.fspath(path)
        to = os.path.dirname(path) or "."
        whole = Case(json.loads(json.dumps(self.settings)), to)
        file = self.get("mesh.file")
        if isinstance(file, str) and not os.path.isabs(file) and os.path.abspath(to) != os.path.abspath(self.folder):
            whole["mesh.file"] = os.path.relpath(os.path.join(self.folder, file), to)
        text = json.dumps(whole.settings, indent=4, ensure_ascii=False) + "\n" if path.endswith(".json") else whole.text()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise PoiseError(f"{path}: {error.strerror}") from None
