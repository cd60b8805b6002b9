#!/usr/bin/env python3
"""Compares spaces inside the lines of C and CUDA sources with those of clang-format 14: around operators, braces and
pointers.  Comments, line breaks and indentation are not compared, because clang-format cannot describe today's style of
these; macro definitions and a few constructs that it misreads are skipped."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"""('(?:\\.|[^'\\\n])+'|"(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
MISREAD = re.compile(r"\(\*\w*\)|\} \*|\"\[|\basm\b|_Generic|KERNEL\(|"
                     r"\b(GUARD|ONCE|SHARED|STORE_SUM|WINDOW|WORDS)\b")


def characters(text):
    """Every character that is not blank, what precedes it ('', ' ' or a line end), and its line."""
    text = COMMENT.sub(lambda m: m.group(1) or " " + "\n" * m.group(0).count("\n"), text)
    gap, line, found = "", 1, []
    for c in text.replace("\\\n", "\n"):
        if c == "\n":
            gap, line = c, line + 1
        elif c in " \t":
            gap = gap or " "
        else:
            found.append((gap, c, line))
            gap = ""
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def formatted(paths, folder):
    """Their texts as clang-format has them: of copies in the folder, all by one process, as starting one for each file
    takes most of the time.  Kernels are C to it."""
    copies = [os.path.join(folder, os.path.splitext(path)[1], re.sub(r"\.cu$", ".c", path)) for path in paths]
    for path, copy in zip(paths, copies):
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(path, copy)
    subprocess.run(["clang-format", "-i", "--style=file:.clang-format", *copies], check=True)
    return [read(copy) for copy in copies]


def faults(path, wanted):
    """Lines of the file with other spaces than clang-format's."""
    text = read(path)
    lines, skipped = text.split("\n"), set()
    for m in DIRECTIVE.finditer(text):
        first = text.count("\n", 0, m.start()) + 1
        skipped.update(range(first, first + m.group(0).count("\n") + 1))
    found = []
    for (was, c, line), (gap, other, _) in zip(characters(text), characters(wanted)):
        if c != other:
            return found + [f"{path}:{line}: clang-format changes more than spaces"]
        if was != gap and "\n" not in (was, gap) and line not in skipped and not MISREAD.search(lines[line - 1]):
            need = "a" if gap else "no"
            found.append(f"{path}:{line}: expected {need} space before '{c}': {lines[line - 1].strip()}")
    return found


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    paths = sorted(os.path.join(folder, name) for top in ("src", "tests") for folder, _, names in os.walk(top)
                   for name in names if re.search(r"\.(c|h|cu)$", name))
    with tempfile.TemporaryDirectory() as folder:
        found = [text for path, wanted in zip(paths, formatted(paths, folder))
                 for text in faults(path, wanted)]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
