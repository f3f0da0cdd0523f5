"""Compile the one module in C, where there is a compiler; the package works without it."""

from __future__ import annotations

from pathlib import Path
from sysconfig import get_platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

_MODULE = "cturi_rdf.bulk._statements"


class CompileStatements(BuildHookInterface):
    """Makes a wheel of a platform where compiling succeeds, and one for all where it fails."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile beside the source; an installation for development uses it from there."""
        folder = Path(self.root, *_MODULE.split(".")[:-1])
        for stale in folder.glob("_statements.*.so"):
            stale.unlink()
        source = "/".join(_MODULE.split(".")) + ".c"
        extension = Extension(_MODULE, [source], py_limited_api=True, optional=True)
        command = build_ext(Distribution({"ext_modules": [extension]}))
        command.inplace = True
        command.build_temp = str(Path(self.root, "build", "temporary"))
        command.ensure_finalized()
        command.run()
        compiled = [path for path in folder.glob("_statements.*") if path.suffix in {".so", ".pyd"}]
        if compiled:
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{get_platform().replace('-', '_').replace('.', '_')}"
            build_data["artifacts"] += [path.relative_to(self.root).as_posix() for path in compiled]
