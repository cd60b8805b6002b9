"""Changes of one line of C that a test should notice: found in a source's text, without a parser."""
import re

# Texts and reports: their arguments are not changed, and they are not deleted.  Neither is the release of memory, which
# no result shows (SANITIZE=1 does).
TALK = re.compile(r"\b(refuse\w*|die\w*|log_\w+|\w*printf|snprintf|static_assert|_Static_assert|sizeof|UNROLL\w*)\s*\(")
KEEP = re.compile(r"\b(free|\w+_free|forget|fclose|(?:re)?allocate\w*|NEW|RESIZE|ALLOCATE|device_\w*free\w*)\s*\(")
NUMBER = re.compile(r"(?<![\w.\"])(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?(?![\w.])")
SWAPS = {"+": "-", "-": "+", "*": "/", "/": "*", "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<=[\w)\].]) (\+=|-=|==|!=|<=|>=|&&|\|\||[-+*/<>]) (?=[-\w(!*&~])")
MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
UNARY = re.compile(r"(?:(?<=[(\[,?:=])|(?<=[(,?:=<>+*&|] )|(?<=return ))-(?=[a-zA-Z_(*])")
NAMES = {"fmin": "fmax", "fmax": "fmin", "MIN": "MAX", "MAX": "MIN", "min": "max", "max": "min",
         "smaller": "larger", "larger": "smaller"}
NAME = re.compile(r"\b(%s)(?=\()" % "|".join(NAMES))
LEFT = r"(?:\*|\(\*)?[A-Za-z_][\w.>\-\])]*(?:\[.*?\][\w.>\-]*)*"
STATEMENT = re.compile(r"(?:%s\s*(?:[-+*/|&]?=(?!=))|(?:%s\s*(?:\+\+|--)\s*;)|[a-z_]\w*\s*\().*;$" % (LEFT, LEFT))


def blank(text):
    """The text with comments, strings, characters, preprocessor lines and reports replaced by spaces."""
    def spaces(m):
        return re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*", spaces, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", spaces, text, flags=re.M)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', lambda m: m.group()[0] * len(m.group()), text)
    for m in list(TALK.finditer(text)):
        if text[m.end() - 1] == "(":
            end, hidden = closing(text, m.end() - 1), "_" if m.group(1) == "sizeof" else "@"
            text = text[:m.end()] + re.sub(r"[^\n]", hidden, text[m.end():end]) + text[end:]
    return text


def closing(text, at):
    """The place of the bracket that closes the one at `at`; the end of the text where there is none."""
    depth, open_, close = 0, text[at], {"(": ")", "[": "]"}[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == open_) - (text[i] == close)
        if not depth:
            return i
    return len(text)


def arguments(line, at):
    """(start, end) of the arguments of a call, of which the bracket is at `at`; none where the line ends before."""
    end, depth, start, found = closing(line, at), 0, at + 1, []
    if end == len(line):
        return []
    for i in range(at + 1, end + 1):
        if i == end or (line[i] == "," and not depth):
            found.append((start + len(line[start:i]) - len(line[start:i].lstrip()), i))
            start = i + 1
        depth += (line[i] in "([{") - (line[i] in ")]}")
    return found


def deletion(line, before):
    """(start, end) of the one simple statement of a line, or None.  before: the code above ends with this."""
    start = len(line) - len(line.lstrip())
    if before and before[-1] not in ";{}):" and not before.endswith("else"):
        return None
    while m := re.match(r"(?:else )?(?:if|for|while) ?\(|else ", line[start:]):
        if m.group().endswith("("):
            end = closing(line, start + m.end() - 1)
            start = end + 1 if end < len(line) else len(line)
        else:
            start += m.end()
        start += len(line[start:]) - len(line[start:].lstrip())
    rest = line[start:].rstrip()
    if not STATEMENT.match(rest) or ";" in rest[:-1] or "@" in rest or KEEP.search(rest):
        return None
    if rest.count("(") != rest.count(")") or rest.count("{") != rest.count("}"):
        return None
    return start, start + len(rest)


def changes(line, before):
    """All changes of a line of blank()ed text: (start, end, new text, kind) each."""
    found = []
    if re.match(r"\s*(typedef|struct \w+ \{|enum|extern|case\b)", line) or re.match(r"\s*\w[\w ]*\**\w+\[\w+\];", line):
        return found
    for m in OPERATOR.finditer(line):
        op = m.group(1)
        found.append((m.start(1), m.end(1), SWAPS[op], "operator"))
        if op in MOVED and re.match(r"\s*(for|while) ?\(", line):
            found.append((m.start(1), m.end(1), MOVED[op], "comparison"))
    for m in UNARY.finditer(line):
        found.append((m.start(), m.end(), "", "sign"))
    for m in re.finditer(r"\[", line):
        end = closing(line, m.start())
        inside = line[m.end():end]
        if end < len(line) and inside.strip() and not re.match(r"\s*(?:const )?(?:int|double|char|struct)\b", line):
            found.append((end, end, " + 1", "index"))
            if inside != "0":
                found.append((end, end, " - 1", "index"))
    for m in NUMBER.finditer(line):
        if line[m.start() - 1:m.start()] == "[" and line[m.end():m.end() + 1] == "]":
            continue                                                # an index, above
        zero = float(m.group()) == 0
        found.append((m.start(), m.end(), "1" if zero else "(2 * %s)" % m.group(), "constant"))
    for m in NAME.finditer(line):
        found.append((m.start(), m.end(), NAMES[m.group()], "name"))
    for m in re.finditer(r"\bfma\(", line):
        for start, end in arguments(line, m.end() - 1):
            found.append((start, end, "-(%s)" % line[start:end], "sign"))
    if place := deletion(line, before):
        found.append((*place, ";", "deletion"))
    return found


def mutations(text):
    """{line number from 1: [(start, end, new text, kind), ..]} of a source."""
    found, before = {}, ""
    for n, line in enumerate(blank(text).split("\n"), 1):
        if line.strip():
            if these := changes(line, before):
                found[n] = these
            before = line.rstrip()
    return found
