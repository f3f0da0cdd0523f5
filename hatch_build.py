"""Compile the modules in C, where there is a compiler; the package works without them."""

from __future__ import annotations

from pathlib import Path
from sysconfig import get_platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

_PACKAGE = "cturi_rdf"


class CompileModules(BuildHookInterface):
    """Makes a wheel of a platform where compiling succeeds, and one for all where it fails."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile beside the sources; an installation for development uses it from there."""
        root = Path(self.root)
        for stale in _compiled(root):
            stale.unlink()
        sources = sorted(each.relative_to(root) for each in (root / _PACKAGE).rglob("*.c"))
        extensions = [
            Extension(
                ".".join(source.with_suffix("").parts), [source.as_posix()],
                py_limited_api=True, optional=True, extra_compile_args=["-O3"],
            )
            for source in sources
        ]  # fmt: skip
        command = build_ext(Distribution({"ext_modules": extensions}))
        command.inplace = True
        command.build_temp = str(root / "build" / "temporary")
        command.ensure_finalized()
        command.run()
        if compiled := _compiled(root):
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{get_platform().replace('-', '_').replace('.', '_')}"
            build_data["artifacts"] += [path.relative_to(root).as_posix() for path in compiled]


def _compiled(root: Path) -> list[Path]:
    return [each for end in ("so", "pyd") for each in (root / _PACKAGE).rglob(f"*.{end}")]
