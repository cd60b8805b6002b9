#!/usr/bin/env python3
"""Markdown that is hard to read: lines that are too long, and words for which the field has others.

    python3 tests/prose.py [FILE ...]          (README.md, the other pages beside it, docs)

Prose has lines of at most 100 columns, without counting where links lead; tables, code and pictures of at most 300.
Prints FILE:LINE: what, a line for each; the exit status is 1 where there is one.
"""
import glob
import os
import re
import sys

PROSE, ANYTHING = 100, 300
# In no page of this project do these have another meaning.
WORDS = {
    r"stands? still|standstill|stood still": "stalls, stagnation",
    r"mend(?:s|ed|ing)?": "fix, change",
    r"how far off": "accuracy",
    r"what comes out|what comes in": "output; inflow",
    r"went on|goes on from": "restarted, continues from",
    r"two steps behind": "two step heights downstream",
    r"nobody's": "unused, ghosts",
    r"is found out": "detected",
    r"in vain": "wasted",
    r"good hours": "transient dips",
    r"on the mean": "on average",
    r"in place of": "instead of",
    r"told": "reported",
    r"loudness": "noise amplification",
    r"wisps?": "debris",
    r"wall cells?": "boundary cells",
    r"periodic joints?|joints?": "periodic faces",
    r"bow": "Hessian coefficients",
    r"slips? (?:in|of) (?:a|the) case": "errors in the case",
}
PATTERN = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.I)


def better(found):
    return next(instead for word, instead in WORDS.items() if re.fullmatch(word, found, re.I))


def findings(text):
    """(line number, what) of a page; words in code are none of the page's."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        free = fenced or fence or re.match(r" {4}|\t|\s*\||\s*!\[|\[[^\]]+\]: ", line)
        length = len(line) if free else len(re.sub(r"\]\([^)\s]*\)", "]", line))
        if length > (ANYTHING if free else PROSE):
            yield number, f"{length} columns, expected {ANYTHING if free else PROSE} at most"
        if fenced or re.match(r" {4}", line):
            continue
        for found in PATTERN.findall(re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)):
            yield number, f"\"{found}\", expected: {better(found)}"


def check_itself():
    """What has to be found, and what not."""
    sample = ["x" * 101, "| " + "x" * 290, "| " + "x" * 299, "[a](" + "x" * 101 + ") b", "```", "x" * 200, "mend",
              "```", "It stands still, and `told` is mended.", "bowl, jointly, untold"]
    found = [(n, what[:3]) for n, what in findings("\n".join(sample))]
    assert found == [(1, "101"), (3, "301"), (9, '"st'), (9, '"me')], found


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    check_itself()
    pages = sys.argv[1:] or sorted(glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True))
    bad = 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            for number, what in findings(file.read()):
                print(f"{page}:{number}: {what}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
