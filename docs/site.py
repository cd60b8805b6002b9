"""Hooks of mkdocs (mkdocs.yml, make site).  Its Markdown wants an empty line before a list and four spaces before what
belongs to an item, where other readers need none and as many as the item's mark has."""
import re

ITEM = re.compile(r" *([-*]|\d+\.) ")


def on_page_markdown(markdown, **_):
    lines, listed, apart, fenced, empty = [], False, True, False, True
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        item = bool(ITEM.match(line)) and not fenced
        if item and apart and not empty:
            lines.append("")
        listed = item or listed and (not line or line.startswith(" ") or not empty)
        apart = not item and (apart or not line)                     # an item may have paragraphs of its own
        lines.append("  " + line if listed and line.startswith(" ") else line)
        empty = not line
    return "\n".join(lines)
