"""Print every regular expression of the package that has a group in a possessive repeat.

Run as a program: it watches `re` while the modules are imported, and so wants a fresh Python.
The first line is the number of patterns that it has seen.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from pathlib import Path
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_REPEATS = {names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT}
_Patterns = list[tuple[str | bytes, int]]


def compiled_patterns(package: Path) -> _Patterns:
    """Return the patterns that the modules compile on import or in cached functions, by name."""
    seen: _Patterns = []
    compile_ = re.compile

    def watched(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        if sys._getframe(1).f_code.co_filename.startswith(str(package)):
            seen.append((pattern, int(flags)))
        return compile_(pattern, flags)

    re.compile = watched  # type: ignore[assignment]
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        if name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(name.removesuffix(".__init__"))
        except ImportError:
            # An extra that is not installed.
            continue
        seen += ((pattern, 0) for pattern in named_patterns(path, module))
        for value in list(vars(module).values()):
            function = getattr(value, "__wrapped__", None)
            returned = getattr(function, "__annotations__", {}).get("return", "")
            if "Pattern" in str(returned) and not function.__code__.co_argcount:
                value()
    return seen


def named_patterns(path: Path, module: ModuleType) -> Iterator[str | bytes]:
    """Yield the constants of a module that it calls functions of `re` with."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Name(id=name), *_]
            ) if isinstance(pattern := getattr(module, name, None), (str, bytes)):
                yield pattern


def groups(tree: Any, *, possessive: bool = False) -> Iterator[int]:
    """Yield the capturing groups of a parsed pattern that are in a possessive repeat."""
    for operation, argument in tree:
        if operation is names.SUBPATTERN:
            if possessive and argument[0] is not None:
                yield argument[0]
            inner, within = [argument[-1]], possessive
        elif operation in _REPEATS:
            inner = [argument[2]]
            within = possessive or operation is names.POSSESSIVE_REPEAT
        elif operation is names.BRANCH:
            inner, within = argument[1], possessive
        elif operation is names.ATOMIC_GROUP:
            inner, within = [argument], possessive
        elif operation in {names.ASSERT, names.ASSERT_NOT}:
            inner, within = [argument[1]], possessive
        elif operation is names.GROUPREF_EXISTS:
            inner, within = [each for each in argument[1:] if each], possessive
        else:
            continue
        for each in inner:
            yield from groups(each, possessive=within)


if __name__ == "__main__":
    compiled = compiled_patterns(Path(sys.argv[1]))
    faulty = [pattern for pattern, flags in compiled if any(groups(parser.parse(pattern, flags)))]
    sys.stdout.write("\n".join([str(len(compiled)), *map(repr, faulty), ""]))
