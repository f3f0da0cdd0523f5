"""The command line: thin shells around the library, each in a module of its own."""

from __future__ import annotations

import importlib
import io
import sys
from difflib import get_close_matches
from typing import NoReturn

import click

from cturi_rdf import __version__
from cturi_rdf.cli.options import help_alone
from cturi_rdf.errors import CturiError

__all__ = ["cturi", "main"]

# Command -> the module that has it, loaded when it is called.
_COMMANDS = {
    "uri": "mapping",
    "header": "mapping",
    "convert": "mapping",
    "describe": "describe",
    "annotate": "annotate",
    "headers": "headers",
    "resolve": "resolve",
    "encoding": "encoding",
    "message": "message",
    "query": "query",
    "registry": "registry",
    "check": "check",
    "selfcheck": "selfcheck",
}


_BEGIN = """\b
To begin with:
  cturi annotate CATALOGUE.ttl -o OUT.ttl    what its formats are, as linked data
  cturi resolve CSV "Zipped Shapefile"       what a label means
  cturi COMMAND --help                       more of each command
"""


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            _no_such_command(args[0])
        return super().resolve_command(ctx, args)


def _no_such_command(name: str) -> NoReturn:
    close = get_close_matches(name, _COMMANDS, n=1)
    expected = f"did you mean '{close[0]}'?" if close else "cturi --help lists them"
    raise click.UsageError(f"No such command '{name}'; {expected}")


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_BEGIN,
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="cturi")
@click.pass_context
def cturi(ctx: click.Context) -> None:
    """Media types as linked data: headers, URIs, labels and catalogues."""
    help_alone(ctx)


def main() -> None:
    """Run the command line: exit 0 done, 1 a check found something, 2 the call is no good."""
    _write_utf8()
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


def _write_utf8() -> None:
    """Let what is printed for programs be UTF-8, and a terminal show what it cannot."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _refuse(message: str, code: int = 2) -> int:
    click.echo(f"cturi: {' '.join(message.split())}", err=True)
    return code
