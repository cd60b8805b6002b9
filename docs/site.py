"""Hooks of mkdocs (mkdocs.yml, make site): navigation, search without a server, and Markdown as other readers read it.
"""
import json
import os
import re

ITEM = re.compile(r" *([-*]|\d+\.) ")
SECTIONS = {"Tutorials": "docs/tutorials", "How-to guides": "docs/how-to", "Reference": "docs/reference",
            "Explanation": "docs/explanation", "Evidence and development": "docs", "Cases": "cases", "Project": "."}


def pages_below(root, folder):
    """The Markdown of a folder, of cases and the project also that of the folders in it, but its index first."""
    found = [os.path.normpath(os.path.join(folder, name)) for name in os.listdir(os.path.join(root, folder))]
    if folder == "cases":
        found += [os.path.join(one, "README.md") for one in found if os.path.isdir(os.path.join(root, one))]
    elif folder == ".":
        found = [one for one in found if one != "README.md"] + ["packaging/README.md"]
    return [one for one in found if one.endswith(".md")]


def text_of(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return file.read()


def on_config(config):
    """Every page is in the navigation under its first heading, the index of a folder first, then pages in the order in
    which that index or README.md links to them, then the others by their headings."""
    root, config.nav = config.docs_dir, [{"Poise": "README.md"}]
    readme = text_of(root, "README.md")
    for title, folder in SECTIONS.items():
        if not os.path.isdir(os.path.join(root, folder)):
            continue
        pages, index = pages_below(root, folder), os.path.join(folder, "README.md")
        order = (text_of(root, index) if index in pages else "") + readme

        def key(page):
            heading = re.search(r"^# +(.*)", text_of(root, page), re.M)
            at = [m.start() for name in (page, os.path.relpath(page, folder))
                  for m in [re.search(r"\]\(" + re.escape(name), order)] if m]
            return page != index, min(at, default=len(order)), heading[1] if heading else page
        if pages:
            config.nav.append({title: sorted(pages, key=key)})
    version = re.search(r'^version: "(.*)"', text_of(root, "CITATION.cff"), re.M)
    config.extra["version"] = version[1]
    config.extra_javascript.remove("search/main.js")             # asks a server; site.js does not
    config.extra_javascript.append("docs/site.js")
    return config


def on_post_build(config):
    folder = os.path.join(config.site_dir, "search")
    with open(os.path.join(folder, "search_index.json"), encoding="utf-8") as file:
        pages = json.load(file)["docs"]
    titles = {page["location"]: page["title"] for page in pages if "#" not in page["location"]}
    parts = [page for page in pages if "#" in page["location"]]
    for part in parts:
        whole = titles[part["location"].split("#")[0]]
        part["title"] = whole if part["title"] == whole else f"{whole} › {part['title']}"
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as file:
        file.write("var pages = " + json.dumps(parts, ensure_ascii=False) + ";\n")


def on_page_markdown(markdown, **_):
    """mkdocs wants an empty line before a list and four spaces before what belongs to an item; other readers need none,
    and as many as the item's mark has."""
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
