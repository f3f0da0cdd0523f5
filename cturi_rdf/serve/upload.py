"""A catalogue that a client sends: read, checked and repaired, and not kept."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.catalogue.rendering import as_json
from cturi_rdf.check import check_file
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.compression import compression_of
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named, format_of_file
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from cturi_rdf.repair import FilePlan

    _Result = TypeVar("_Result")

_NAME = "catalogue"


class Upload:
    """The content of a catalogue, with the name of its format.

    `name` is what its sender calls it.  The format is that of `form`, a name or a media type, or
    that of the file's name, or else that of `sent_as`, a Content-Type.  Raises `CatalogError` where
    none of them says it, and for a compressed file, whose size is not known.
    """

    def __init__(self, content: bytes, name: str = "", form: str = "", sent_as: str = "") -> None:
        ending = name.rpartition(".")[2]
        try:
            self.format = format_named(form) if form else format_of_file(name)
        except CatalogError:
            if form or not sent_as:
                raise
            self.format = format_named(sent_as)
        self._reading = ReadOptions(form=self.format.name)
        self.name = Path(name.replace("\\", "/")).name or _NAME
        self.content = content
        if compression_of(content[:16]):
            raise CatalogError("a compressed file", self.name, f"it unpacked, not .{ending}")

    def report(self, profile: str | None = None) -> dict[str, Any]:
        """Return the report of a check, as `cturi check --json` prints it.

        Raises `CatalogError` for an unknown profile.
        """
        report = self._in_file(
            lambda path: as_json(
                {self.name: check_file(path, reading=self._reading, profile=profile or None)}
            )
        )
        answer: dict[str, Any] = json.loads(report)
        return answer

    def repaired(self, profile: str | None) -> FilePlan:
        """Return the changes that `cturi repair` would make.

        Raises `CatalogError` for an unknown profile.
        """
        planned = self._in_file(
            lambda path: plan_file(path, reading=self._reading, profile=profile or None)
        )
        return planned._replace(source=self.name)

    def repair_as_dict(self, profile: str | None) -> dict[str, Any]:
        """Return the changes for JSON, with the repaired text and the patch."""
        planned = self.repaired(profile)
        text = planned.plan.document.text
        return {
            **planned.as_dict(),
            "text": text(planned.edited),
            "patch": text(as_diff(planned)),
        }

    def _in_file(self, task: Callable[[str], _Result]) -> _Result:
        """Return the result of a task on a file that exists while the task runs.

        It is alone in a folder, because a document that came over the network has no neighbours.
        """
        with tempfile.TemporaryDirectory(prefix="cturi-") as folder:
            file = Path(folder, "catalogue")
            file.write_bytes(self.content)
            name = str(file)
            try:
                return task(name)
            except CturiError as error:
                # The sender has another name for the file, and no use for that of the folder.
                if error.text == name:
                    error.text, error.span = self.name, (0, len(self.name))
                error.problem = error.problem.replace(folder, "").replace("/catalogue", self.name)
                raise
