"""No edit that means something is missed: random edits of real functions, judged by Python's own parser.

An edit deletes, repeats, swaps or replaces tokens of one function. Where the result is valid, equal syntax trees (documentation
aside) mean that nothing happened; different ones mean that a hash has to say so.
"""

from __future__ import annotations

import ast
import inspect
import io
import random
import sys
import textwrap
import tokenize
import warnings
from importlib import import_module

import pytest

from comind.fingerprints import parse_source

SEED = 20_261_130
EDITS = 300  # valid ones
MODULES = ("argparse", "configparser", "difflib", "heapq", "shlex", "statistics", "textwrap")
REPLACEMENTS = {
    tokenize.NAME: ("x", "self", "not", "None", "return", "await"),
    tokenize.OP: ("+", "-", "<", "<=", "and", "==", "(", ")", ",", "*", "**", ".", ":", "["),
    tokenize.NUMBER: ("0", "1", "2.0", "0x10"),
    tokenize.STRING: ("''", "'x'", "b'x'", "f'{x}'"),
}


def functions():
    """Return the source of every function and method of the modules, in a fixed order."""
    sources = []
    for module in map(import_module, MODULES):
        text = inspect.getsource(module)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                lines = text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]
                sources.append(textwrap.dedent("".join(lines)))
    return [source for source in sources if source.startswith("def ")]


def edited(source, chance):
    """Change one or two tokens of a source, byte positions of all others kept."""
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(source).readline) if one.type in REPLACEMENTS]
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    at = chance.randrange(2, len(tokens) - 1)
    token, following = tokens[at], tokens[at + 1]
    start, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
    action = chance.choice(("delete", "repeat", "swap", "replace", "replace", "parenthesise", "quote"))
    if action == "swap":
        after, last = starts[following.start[0] - 1] + following.start[1], starts[following.end[0] - 1] + following.end[1]
        return source[:start] + following.string + source[end:after] + token.string + source[last:]
    if action == "quote":
        other = token.string.replace('"', "\0").replace("'", '"').replace("\0", "'")
    else:
        new = {"delete": "", "repeat": f"{token.string} {token.string}", "parenthesise": f"({token.string})"}
        other = new.get(action) or ("" if action == "delete" else chance.choice(REPLACEMENTS[token.type]))
    return source[:start] + other + source[end:]


def tree(source):
    """Return the parts that hashes are of: signature and body as syntax trees in text; None for anything but one function."""
    try:
        with warnings.catch_warnings(action="ignore"):
            parsed = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    if len(parsed.body) != 1 or not isinstance(parsed.body[0], ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    function = parsed.body[0]
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    body = [ast.dump(one) for one in function.body]
    function.body = []
    return ast.dump(function), body


def hashes(source):
    first = parse_source(source.encode(), "python").definitions[0]
    return first.sig_hash, first.body_hash


@pytest.fixture(scope="module")
def edits():
    """Return pairs of a function and a valid edit of it, with the syntax trees of both."""
    chance, sources, found = random.Random(SEED), functions(), []
    while len(found) < EDITS:
        before = chance.choice(sources)
        try:
            after = edited(before, chance)
        except (tokenize.TokenError, ValueError):
            continue
        if after != before and (judged := tree(after)) and (original := tree(before)):
            found.append((before, after, original, judged))
    return found


def test_no_edit_of_a_body_leaves_its_hash(edits):
    bodies = [(before, after) for before, after, (_, old), (_, new) in edits if old != new]
    missed = [pair for pair in bodies if hashes(pair[0])[1] == hashes(pair[1])[1]]
    sys.stdout.write(f"{len(bodies)} edits of a body, {len(missed)} missed\n")
    assert len(bodies) > EDITS / 2
    assert missed == []


def test_no_edit_that_means_something_leaves_both_hashes(edits):
    semantic = [(before, after) for before, after, old, new in edits if old != new]
    missed = [pair for pair in semantic if hashes(pair[0]) == hashes(pair[1])]
    sys.stdout.write(f"{len(semantic)} edits with a meaning, {len(missed)} missed\n")
    assert missed == []


def test_an_edit_without_meaning_rarely_changes_a_hash(edits):
    idle = [(before, after) for before, after, old, new in edits if old == new]
    noticed = [pair for pair in idle if hashes(pair[0]) != hashes(pair[1])]
    sys.stdout.write(f"{len(idle)} edits without a meaning, {len(noticed)} noticed\n")
    assert len(noticed) <= len(idle) / 4  # what no formatter writes, such as `(x) = 1`
