"""The part of tests/layers about names in texts: each decision and each file that a text names is
there, and each decision is named.
"""

import os
import pathlib
import re

FOLDERS = ("server", "proto", "client-lite", "tests", "deploy")
DECISIONS = "server/DECISIONS.md"
NAMED = re.compile(r"DECISIONS (\d+(?:, \d+)*)")
DECISIONS_ROW = re.compile(r"^\| \[(\d+)\]\(#\d+-[^)]*\) \| (.*?) \|", re.M)
DECISIONS_ENTRY = re.compile(r"^## (\d+)\. (.*)$", re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAMED_FILE = re.compile(r"(?<![\w./-])(?:[\w-]+/)+[\w-]+\.(?:c|h|ts)\b(?!/)")


def files_below(folder):
    """All files of ours: what npm installed is not."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        found += [pathlib.Path(place) / name for name in names]
    return sorted(file for file in found if file.is_file())


def tails_of(root):
    """All ends of the paths of the tree: "a/b/c.h", "b/c.h", "c.h"."""
    tails = set()
    for folder in FOLDERS:
        for file in files_below(root / folder):
            parts = file.relative_to(root).parts
            tails.update("/".join(parts[i:]) for i in range(len(parts)))
    return tails


def check_named_files(path, text, tails, report):
    """A comment that names folder/file names one of the tree, moved as it may have been."""
    for comment in COMMENT.finditer(text):
        for match in NAMED_FILE.finditer(comment.group()):
            if match.group() not in tails:
                number = text.count("\n", 0, comment.start() + match.start()) + 1
                report.add(path, number, "named-file", f"there is no {match.group()}")


def texts_that_name_decisions(root):
    """{path: text} of the decisions and of what names them, this program included."""
    texts = {}
    for folder in FOLDERS:
        for file in files_below(root / folder):
            if file.suffix not in (".c", ".h", ".ts", ".md", ".proto", ".py", ".txt", ".cmake",
                                   ".service", ""):
                continue
            try:
                text = file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            if "DECISIONS" in text or file.name == "DECISIONS.md":
                texts[file.relative_to(root).as_posix()] = text
    return texts


def check_decisions(texts, report):
    """The index and the entries agree, and code names each entry and none that does not exist."""
    if DECISIONS not in texts:
        return
    rows = DECISIONS_ROW.findall(texts[DECISIONS])
    entries = DECISIONS_ENTRY.findall(texts[DECISIONS])
    if rows != entries or [int(number) for number, _ in entries] != \
            list(range(1, len(entries) + 1)):
        report.add(DECISIONS, 1, "decision", "the index is not the list of the entries")
    unnamed = {number for number, _ in entries}
    for path, text in texts.items():
        for match in NAMED.finditer(text):
            for number in match.group(1).split(", "):
                if int(number) not in range(1, len(entries) + 1):
                    report.add(path, text.count("\n", 0, match.start()) + 1, "decision",
                               f"there is no entry {number} in {DECISIONS}")
                if path != DECISIONS:
                    unnamed.discard(number)
    for number in sorted(unnamed, key=int):
        report.add(DECISIONS, 1, "decision", f"nothing that rests on entry {number} names it")
