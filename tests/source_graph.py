"""Reads C sources: what a file includes, which functions it defines, which of others' it uses.

Files are joined by includes and by uses of functions: a use of a name that one other file of the
product defines, called or handed on, is an arrow to that file.
"""

import os
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
NOT_FUNCTIONS = {"if", "for", "while", "switch", "return", "sizeof", "defined", "do", "else"}
NAME_COLUMNS_MAX = 200  # a search for what ends here begins no farther left
IDENTIFIER = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_comments(text):
    """The code with comments and the insides of literals blanked, on the same lines."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def replace(match):
        if match.group(0)[0] == "/":
            return blank(match)
        quote = match.group(0)[0]
        return quote + "x" * (len(match.group(0)) - 2) + quote

    return re.sub(pattern, replace, text, flags=re.DOTALL)


def without_directives(code):
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", blank, code, flags=re.MULTILINE)


def opening_parenthesis(code, closing):
    depth = 0
    for at in range(closing, -1, -1):
        depth += (code[at] == ")") - (code[at] == "(")
        if depth == 0:
            return at
    return 0


def name_before(code, opening):
    """The function's name left of its parameters: f(...), or f of FOR_ISA(f)(...)."""
    left = code[max(0, opening - NAME_COLUMNS_MAX):opening].rstrip()
    if left.endswith(")"):
        inner = re.search(r"\b\w+\s*\(\s*(\w+)\s*\)$", left)
        return inner and inner.group(1)
    name = re.search(r"(\w+)$", left)
    return name and name.group(1)


def bodies_of(code):
    """Yields (name, at, end, parameters, is static) of each function defined at top level."""
    depth = 0
    start = None
    for brace in re.finditer("[{}]", code):
        at = brace.start()
        if brace.group(0) == "{":
            if depth == 0:
                before = code[:at].rstrip()
                if before.endswith(")"):
                    opening = opening_parenthesis(before, len(before) - 1)
                    name = name_before(before, opening)
                    if name and name not in NOT_FUNCTIONS:
                        begin = max(before.rfind(";", 0, opening), before.rfind("}", 0, opening))
                        is_static = "static" in before[begin + 1:opening].split()
                        start = (name, at, before[opening:], is_static)
            depth += 1
        else:
            depth -= 1
            if depth == 0 and start:
                name, begin, parameters, is_static = start
                yield name, begin, at, parameters, is_static
                start = None


def includes_of(text):
    """Yields (line, header, whether it was written in quotes)."""
    for number, line in enumerate(text.split("\n"), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2), match.group(1) is not None


class Source:
    """One file of the product: path below the root, includes, functions it defines, names it uses."""

    def __init__(self, path, text, code):
        self.path = path
        self.text = text
        self.code = code
        self.defines, self.own = set(), set()
        for name, _, _, _, is_static in bodies_of(without_directives(code)):
            (self.own if is_static else self.defines).add(name)
        self.uses = {}
        if path.endswith(".c"):
            for match in IDENTIFIER.finditer(self.code):
                self.uses.setdefault(match.group(0), match.start())

    def line_of(self, at):
        return self.code.count("\n", 0, at) + 1


def arrows_of(sources, include_roots=("server/", "")):
    """Yields (from path, to path, line, what) for includes and uses among `sources` {path: Source}.

    A name that several files define (a stand-in for tests, a second platform) is no arrow.
    """
    definer = {}
    for source in sources.values():
        if source.path.endswith(".c"):
            for name in source.defines:
                definer[name] = None if name in definer else source.path
    for source in sources.values():
        for number, header, in_quotes in includes_of(source.text):
            target = in_quotes and find_header(source.path, header, sources, include_roots)
            if target and target != source.path:
                yield source.path, target, number, f'includes "{header}"'
        for name, at in source.uses.items():
            target = definer.get(name)
            if target and target != source.path and name not in source.own:
                yield source.path, target, source.line_of(at), f"uses {name}"


def find_header(path, header, sources, include_roots):
    beside = os.path.normpath(os.path.join(os.path.dirname(path), header))
    for candidate in (beside, *(root + header for root in include_roots)):
        if candidate in sources:
            return candidate
    return None
