#!/usr/bin/env python3
"""Writes the reference pages that repeat what the program and the Python package say about themselves.

    POISE=build/poise python3 docs/reference/generate.py [FOLDER]

case.md, commands.md, formats.md and exit-statuses.md come from `poise help`, the last part of python.md from the
signatures and docstrings of postproc/poise.  FOLDER is docs/reference by default; tests/regression/reference.sh
compares another one with it.
"""
import ast
import glob
import os
import re
import subprocess
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
POISE = os.environ.get("POISE", os.path.join(TOP, "build", "poise"))
WIDEST = 280                                                     # of a table's row; longer texts stand below the table


def help_of(*topic):
    found = subprocess.run([POISE, "help", *topic], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return found.stdout.split("\n")


# ---------------------------------------------------------------- Markdown
def link(found):
    """A document that the program names, as a link from docs/reference."""
    pages = glob.glob(os.path.join(TOP, "docs", "**", os.path.basename(found.group(0))), recursive=True)
    return f"[{found.group(0)}]({os.path.relpath(pages[0], HERE)})" if pages else f"`{found.group(0)}`"


def prose(text):
    """The program's plain text as Markdown."""
    text = re.sub(r"([*<\[\]])", r"\\\1", " ".join(text.split())).replace("|", "&#124;")
    text = re.sub(r"(?<![\w`])(--[a-z][a-z-]+(?: [a-z.]+=(?:\\\[[^\]]*\]|[^\s,;]*))?|[a-z_0-9]+(?:\.[a-z_0-9]+)*_[a-z_0-9.]*[a-z])(?![\w`])",
                  lambda found: "`" + found.group(1).replace("\\", "") + "`", text)
    return re.sub(r"docs/[a-z/-]+\.md", link, text)


def code(text):
    return f"<code>{text.replace('<', '&lt;').replace('|', '&#124;')}</code>" if re.search(r"[|<]", text) else f"`{text}`"


def paragraph(text, indent=""):
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def table(head, rows):
    """A row's last cell is text; where the row gets too long, its first sentence, and all of it below the table."""
    lines, below = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)], []
    for *cells, text in rows:
        row = f"| {' | '.join(cells + [text])} |"
        if len(row) > WIDEST:
            below.append(paragraph(f"- {cells[0]}: {text}", "  "))
            row = f"| {' | '.join(cells + ['see below the table'])} |"
        if len(row) > WIDEST:                                    # a long list of words
            below[-1] = paragraph(f"- {cells[0]}: {cells[1]}.", "  ") + "\n" + \
                paragraph("  " + text[:1].upper() + text[1:], "  ")
            row = f"| {' | '.join([cells[0], 'see below', *cells[2:], 'see below the table'])} |"
        lines.append(row)
    return "\n".join(lines + (["", *below] if below else [])) + "\n"


# ---------------------------------------------------------------- case.md
class Key:
    """A key of `poise help case`: what it takes, unit, meaning, of which words of the group's first key, default."""

    def __init__(self, name, lines):
        kind = lines.pop(0)
        while re.match(r"(?!an? |2 or 3|numbers|names).*,$|(?!.* in quotes)(?!an? |2 or 3|numbers|names)", kind):
            kind += " " + lines.pop(0)
        kind, like, unit = re.match(r"(.*?)(?:, like ([\[{].*?[\]}]))?(?:(?<!in) \[([^\[\]]*)\])?$", kind).groups()
        words = kind.endswith(", in quotes") and not kind.startswith("a number")
        if words:                                               # lists of words, the second one for studies
            lists = kind[:-len(", in quotes")].split("; for studies: ")
            kind = "; for studies: ".join(", ".join(f"`{w}`" for w in re.split(r", | or ", l)) for l in lists)
        self.name, self.unit, self.meaning, self.only, self.default = name, unit or "", "", "", ""
        self.takes = re.sub("^an? ", "", kind) + (f", like `{like}`" if like else "")
        part = "meaning"
        for line in lines:
            if line == "required" or line.startswith("default "):
                part, line = "default", line.replace("default ", "", 1)
            elif line.startswith("only with "):
                part = "only"
            setattr(self, part, f"{getattr(self, part)} {line}".strip())
        self.only = re.sub("^only with ", "", self.only)

    def row(self):
        value, sep, condition = self.default.partition(" (")
        default = value if not value or value == "required" else f"`{value}`"
        return f"`{self.name}`", self.takes, self.unit, f"{default} {prose((sep + condition).strip())}".strip(), prose(self.meaning)


def groups():
    """(example, [(path, meaning, keys)])"""
    lines = help_of("case")
    starts = [i for i, line in enumerate(lines) if re.match(r"\S+ = \{ \.\.\. \}   ", line)] + [len(lines)]
    found = []
    for begin, end in zip(starts, starts[1:]):
        path, meaning = lines[begin].split(" = { ... }   ")
        keys, at, studies = [], begin + 1, False
        while at < end:
            if lines[at] == "  for studies:":
                studies, at = True, at + 1
                continue
            name, more = re.match(r"  (\S+) +(.*)", lines[at]).groups() if lines[at] else ("", "")
            at += 1
            of = [more]
            while at < end and re.match(" {20}", lines[at]):
                of.append(lines[at].strip())
                at += 1
            if name:
                keys.append(Key(name, of))
                keys[-1].meaning = "for studies: " * studies + keys[-1].meaning
        found.append((path, meaning, keys))
    return lines[:starts[0]], found


def anchor(path):
    return re.sub(r"[^a-z0-9_ -]", "", path.lower()).replace(" ", "-")


def case_page():
    example, found = groups()
    parts = ["# The case file", "`poise help case` prints the same in a terminal, `poise help case solver` one group of it.",
             *blocks(example), "## Groups",
             table(["group", "what it holds"], [(f"[`{p}`](#{anchor(p)})", prose(m)) for p, m, _ in found])]
    head = ["key", "value", "unit", "default", "meaning"]
    for path, meaning, keys in found:
        parts += [f"## {path}", prose(meaning[:1].upper() + meaning[1:]) + "."]
        for only in dict.fromkeys(k.only for k in keys):
            if only:
                name, words = only.split(" ", 1)
                words = ", ".join(f"`{w}`" for w in re.split(r", | or ", words))
                parts.append(paragraph(f"Only with `{name}` {words}:"))
            rows = [head] + [k.row() for k in keys if k.only == only]
            used = [i for i in range(5) if any(row[i] for row in rows[1:])]
            rows = [[row[i] for i in used] for row in rows]
            parts.append(table(rows[0], rows[1:]))
    return parts


# ---------------------------------------------------------------- pages of plain text
def blocks(lines):
    """Paragraphs, tables of what stands in two columns, and examples, as Markdown."""
    parts, rows, text, example = [], [], [], []

    def flush():
        if text:
            parts.extend(paragraph(prose(t)) for t in re.split(r"(?<=[.])\n", "\n".join(text)))
        if rows:
            parts.append(table(["option" if rows[0][0].startswith("--") else "name", "meaning"], [(code(a), prose(b)) for a, b in rows]))
        if example:
            parts.append("```\n" + textwrap.dedent("\n".join(example)).strip("\n") + "\n```")
        for of in text, rows, example:
            of.clear()

    column = 0
    for line in lines + [""]:
        indent = len(line) - len(line.lstrip())
        entry = re.match(r"( *\S.*?)(   +|  (?=[a-z0-9]))(\S.*)", line) if indent in (0, 2) else None
        if entry and (indent == 2 or len(entry.group(2)) > 2):
            column = entry.end(2)
        elif rows and indent == 2 and line[column - 1:column] == " ":
            entry = re.match(f"(.{{{column - 1}}})( )(.*)", line)
        else:
            entry = None
        if entry:
            if text or example:
                flush()
            rows.append((entry.group(1).strip(), entry.group(3).strip()))
        elif rows and indent > 9:
            rows[-1] = rows[-1][0], rows[-1][1] + " " + line.strip()
        elif line and not indent:
            if rows or example:
                flush()
            text.append(line)
        elif line:
            if text or rows:
                flush()
            example.append(line)
        elif example and rows == text == []:
            example.append("")
        else:
            flush()
    flush()
    return parts


def commands_page():
    lines = help_of()
    topics = re.search(r"help \[TOPIC\] +(.*)", "\n".join(lines)).group(1)
    topics = [t for t in re.sub(r"\([^)]*\)|,", "", topics).split() if t not in ("case", "formats")]
    parts = ["# Commands", "`poise help COMMAND` prints the same in a terminal.", *blocks(lines[2:])]
    for topic in topics:
        parts.append(f"## poise {topic}")
        usage = True
        for block in "\n".join(help_of(topic)).strip("\n").split("\n\n"):
            of = block.split("\n")
            if re.match(f"poise {topic}( |$)", of[0]):
                n = next((i for i, line in enumerate(of) if not re.match(rf"poise {topic}\b", line) and
                          not re.match(" {20}", line)), len(of))
                parts.append("```\n" + "\n".join(of[:n]) + "\n```")
                of = of[n:]
            parts += blocks(of) if of else []
    return parts


def formats_page():
    parts = ["# Files and formats", "`poise help formats` prints the same in a terminal."]
    for block in blocks(help_of("formats")):
        parts.append(f"## {block}" if re.match(r"(Read|Written)\b", block) else block)
    return parts


def statuses(lines):
    """[(status, meaning)] of the paragraph that begins with "Exit status:"."""
    text = re.search(r"Exit status: (.*?)\.(?:\s\s|\s*$|\sOf)", " ".join(lines) + " ").group(1)
    return re.findall(r"(?:^|[,;] )(\d) (.*?)(?=[,;] \d |$)", re.sub(" +", " ", text))


# Less common reasons for a status, which the help leaves out.
FURTHER = (
    (1, "an output directory with files that no run of Poise made"),
    (2, "in time: in the last step a linear solver left more than ten times its tolerance"),
    (2, "two fluids gain energy that nothing puts in ([two fluids](../explanation/two-fluids.md#energy))"),
    (2, "a balance does not close, of flow, heat, a scalar or the second fluid, in time at the end or when fields are "
        "written: over 1e-4 of what passes is missing, or 100 times "
        "`solver.tolerance` ([numerics](../explanation/numerics.md#residuals))"),
    (2, "in time: in the last step corrections of a temperature or scalar did not converge "
        "([numerics](../explanation/numerics.md#scalars-in-time))"),
    (2, "a temperature or scalar with a bounded scheme is beyond its values at boundaries and at the start"),
    (2, "one with another scheme is beyond these by more than half of their difference"),
    (2, "in time: the last step has a splitting error above 0.01 "
        "([numerics](../explanation/numerics.md#error-of-a-step))"),
    (4, "another run uses the output directory"),
    (4, "meshing was stopped by a signal"),
    (4, "standard output cannot be written"),
    (4, "the program was built for another processor"),
    (4, "a rank died or hangs ([scaling](../explanation/scaling.md#when-a-rank-dies))"),
    (4, "an internal error: a fault of Poise; please report it"))


def statuses_page():
    lines = help_of()
    parts = ["# Exit statuses", "The shell has it in `$?`, batch systems report it, `poise.run()` gives it a name.",
             table(["status", "meaning"], [(f"`{s}`", prose(m)) for s, m in statuses(lines)]),
             "Further reasons:", table(["status", "also"], [(f"`{s}`", m) for s, m in FURTHER])]
    for command in dict.fromkeys(re.findall(r"^  poise (\w+)", "\n".join(lines), re.M)):
        if command in ("help", "version"):
            continue
        of = help_of(command)
        if any("Exit status:" in line for line in of):
            parts += [f"## poise {command}",
                      table(["status", "meaning"], [(f"`{s}`", prose(m)) for s, m in statuses(of)])]
    return parts


# ---------------------------------------------------------------- python.md
MARK = "<!-- from here on written by generate.py -->"


def described(node, owner=""):
    """A function's signature and docstring."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?", "", arguments) if owner else arguments
    name = owner if node.name == "__init__" else f"{owner}.{node.name}" if owner else node.name
    attribute = any(getattr(d, "id", "") == "property" for d in node.decorator_list)
    text = " ".join((ast.get_docstring(node) or "").split())
    return name if attribute else f"{name}({arguments})", text


def python_part():
    folder = os.path.join(TOP, "postproc", "poise")
    trees = {}
    with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as file:
        module = re.search(r"_MODULE = (\{.*?\})", file.read(), re.S).group(1)
    parts = [MARK, "## Every name"]
    for name, of in {**ast.literal_eval(module), "FieldPicture": "pictures"}.items():
        if of not in trees:
            with open(os.path.join(folder, of + ".py"), encoding="utf-8") as file:
                trees[of] = {n.name: n for n in ast.parse(file.read()).body if hasattr(n, "name")}
        node = trees[of][name]
        if isinstance(node, ast.FunctionDef):
            signature, text = described(node)
            parts += [f"### {name}", f"```\n{wrapped(signature)}\n```", paragraph(prose(text))]
            continue
        parts += [f"### {name}", paragraph(prose(" ".join((ast.get_docstring(node) or "").split())))]
        members = [described(n, name) for n in node.body if isinstance(n, ast.FunctionDef)
                   and (n.name == "__init__" or not n.name.startswith("_"))]
        if members:
            parts.append(table(["member", "meaning"], [(code(s), prose(t)) for s, t in members]))
    return parts


def wrapped(signature):
    return textwrap.fill(signature, 100, subsequent_indent=" " * (signature.index("(") + 1))


def page(parts):
    return "\n\n".join(p.strip("\n") for p in parts if p.strip()) + "\n"


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    note = "<!-- written by docs/reference/generate.py -->"
    with open(os.path.join(HERE, "python.md"), encoding="utf-8") as file:
        by_hand = file.read().split(MARK)[0]
    pages = {name: page([parts[0], note, *parts[1:]])
             for name, parts in (("case", case_page()), ("commands", commands_page()), ("formats", formats_page()),
                                 ("exit-statuses", statuses_page()))}
    pages["python"] = page([by_hand, *python_part()])
    for name, text in pages.items():
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
