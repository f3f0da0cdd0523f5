"""The command line: thin shells around the library, each in a module of its own."""

from __future__ import annotations

import importlib
import sys

import click

from cturi_rdf import __version__
from cturi_rdf.errors import CturiError

__all__ = ["cturi", "main"]

# Command -> the module that has it, loaded when it is called.
_COMMANDS = {
    "uri": "mapping",
    "header": "mapping",
    "convert": "mapping",
    "describe": "describe",
    "annotate": "catalog",
    "headers": "catalog",
    "resolve": "resolve",
    "encoding": "encoding",
    "message": "message",
    "query": "query",
    "registry": "registry",
    "check": "check",
    "selfcheck": "selfcheck",
}


class _Commands(click.Group):
    """A group that imports a command when it is asked for, so that the others cost nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = getattr(
            importlib.import_module(f"cturi_rdf.cli.{module}"), cmd_name
        )
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cturi")
def cturi() -> None:
    """Media types as linked data: headers, URIs, labels and catalogues."""


def main() -> None:
    """Run the command line: exit 0 done, 1 a check found something, 2 the call is no good."""
    try:
        code = cturi.main(standalone_mode=False)
    except CturiError as error:
        code = _refuse(error.summary)
    except click.ClickException as error:
        code = _refuse(error.format_message())
    except click.Abort:
        code = _refuse("interrupted", 130)
    except BrokenPipeError:
        # Whoever read us has enough; Python would complain once more at exit.
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def _refuse(message: str, code: int = 2) -> int:
    click.echo(f"cturi: {' '.join(message.split())}", err=True)
    return code
