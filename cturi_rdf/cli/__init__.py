"""The command line: thin shells around the library, loaded on demand."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from contextlib import suppress
from difflib import get_close_matches
from importlib.util import find_spec
from threading import Event
from typing import TYPE_CHECKING

import click

from cturi_rdf import __version__
from cturi_rdf._util.limits import LIMITS, amount, limited
from cturi_rdf._util.system import ENDING_SIGNALS
from cturi_rdf.cli.options import help_alone
from cturi_rdf.cli.output import open_streams
from cturi_rdf.errors import CturiError, visible

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["cturi", "main"]

# The commands of each group, and the module that has each, loaded when it is called.
_GROUPS = {
    "Catalogues": {
        "annotate": "edit",
        "check": "check",
        "repair": "check",
        "headers": "headers",
        "query": "query",
        "edit": "edit",
        "columns": "mapping",
    },
    "Labels and types": {"resolve": "mapping", "describe": "mapping", "registry": "registry"},
    "Headers and URIs": {
        "uri": "mapping",
        "header": "mapping",
        "convert": "mapping",
        "encoding": "content",
        "message": "content",
        "links": "content",
    },
    "Publishing": {"serve": "serve", "site": "serve", "lsp": "serve"},
    "This installation": {"selfcheck": "registry"},
}
_COMMANDS = {name: module for group in _GROUPS.values() for name, module in group.items()}

_BEGIN = """\b
Start with:
  cturi check CATALOGUE.ttl --profile dcat-ap            say what is wrong, and where
  cturi repair CATALOGUE.ttl --profile dcat-ap --diff    show what a repair changes
  cturi resolve CSV "Zipped Shapefile"                   say what a label means
"""

# One example for each command.  The files are those of the folder examples/.
EXAMPLES = {
    "annotate": "cturi annotate catalogue.ttl -o annotated.ttl",
    "check": "cturi check catalogue.ttl --profile dcat-ap",
    "repair": "cturi repair catalogue.ttl --profile dcat-ap --diff",
    "headers": "cturi headers catalogue.ttl --format nginx -o types.conf",
    "query": "cturi query types catalogue.ttl",
    "edit": "cturi edit catalogue.ttl --update drop-formats.ru --diff",
    "columns": "cturi columns formats.csv --column format -o labels.csv",
    "resolve": 'cturi resolve CSV "Zipped Shapefile"',
    "describe": "cturi describe image/svg+xml",
    "registry": "cturi registry show text/csv",
    "registry export": "cturi registry export -o registry.ttl",
    "registry list": "cturi registry list --suffix zip",
    "registry show": "cturi registry show text/csv",
    "registry update": "cturi registry update",
    "uri": "cturi uri 'text/html; charset=UTF-8'",
    "header": "cturi header ContentType:text/html?charset=UTF-8",
    "convert": "echo 'image/svg+xml' | cturi convert",
    "encoding": "cturi encoding cafes.xml --content-type application/xml",
    "message": "cturi message engine.eml",
    "links": "cturi links landing-page.html --check",
    "serve": "cturi serve catalogue.ttl --port 8000",
    "site": "cturi site -o site",
    "lsp": "cturi lsp --profile dcat-ap",
    "selfcheck": "cturi selfcheck",
}

# The options that few people need: --help leaves them out, and --help-all shows them.
_SELDOM = {
    "allow_files", "allow_network", "allow_nothing", "base", "contexts", "control", "exit_zero",
    "resolver", "services", "strict", "undo",
}  # fmt: skip


class _Commands(click.Group):
    """A group that imports a command on demand, so that the others cost nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each group under its title."""
        width = max(map(len, _COMMANDS))
        for title, names in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), self._short_help(ctx, name)) for name in names]
                )

    def _short_help(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=60) if command else ""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = getattr(
            importlib.import_module(f"cturi_rdf.cli.{module}"), cmd_name
        )
        _with_help(command, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], _COMMANDS, n=1)
            expected = f"did you mean '{close[0]}'?" if close else "cturi --help lists the commands"
            raise click.UsageError(f"No such command '{args[0]}'; {expected}")
        return super().resolve_command(ctx, args)


def _with_help(command: click.Command, name: str) -> None:
    """Give a command its example, hide the options that few people need, and add --help-all.

    A command is loaded once and may be asked for more often; the second time changes nothing.
    """
    if isinstance(command, click.Group):
        for inner, of_group in command.commands.items():
            _with_help(of_group, f"{name} {inner}")
    if name in EXAMPLES:
        command.epilog = f"\b\nExample:\n  {EXAMPLES[name]}"
    seldom = [option for option in command.params if option.name in _SELDOM]
    if not seldom or any(option.name == "help_all" for option in command.params):
        return
    for option in seldom:
        option.hidden = True  # type: ignore[attr-defined] # an option has it

    def show(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
        if is_asked and not ctx.resilient_parsing:
            click.echo(whole_help(ctx))
            ctx.exit()

    command.params.append(
        click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=show,
            help="Show all options, even those that few people need.",
        )
    )


def whole_help(ctx: click.Context) -> str:
    """Return the help of a command with all its options."""
    hidden = [option for option in ctx.command.params if getattr(option, "hidden", False)]
    for option in hidden:
        option.hidden = False  # type: ignore[attr-defined]
    try:
        return ctx.get_help()
    finally:
        for option in hidden:
            option.hidden = True  # type: ignore[attr-defined]


def _limits(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, int]:
    """Return the limits of ``NAME=AMOUNT`` options by name."""
    limits = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or name not in LIMITS:
            names = ", ".join(LIMITS)
            raise click.BadParameter(f"{value!r} is not NAME=AMOUNT; the names are {names}")
        limits[name] = amount(text)
    return limits


@click.group(
    cls=_Commands,
    # Without a colour click removes escape sequences from output to a file, even from a diff.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
    epilog=_BEGIN,
    invoke_without_command=True,
    # The words of click 8.2 and newer.
    subcommand_metavar="[COMMAND] [ARGS]...",
)
@click.option(
    "--limit",
    "limits",
    metavar="NAME=AMOUNT",
    multiple=True,
    callback=_limits,
    help="Change a limit on what one input may cost; an unknown NAME lists all names.",
)
@click.version_option(__version__, "-V", "--version", prog_name="cturi")
@click.pass_context
def cturi(ctx: click.Context, limits: dict[str, int]) -> None:
    """Media types as linked data: headers, URIs, labels and catalogues."""
    ctx.with_resource(limited(limits))
    help_alone(ctx)


# Whether an exception by a signal is caught.
_at_work = Event()


class _Terminated(BaseException):
    """A signal, by its number, asked the process to end; files are closed on the way out."""


def main() -> None:
    """Run the command line.

    The exit code is 0 when it is done, 1 when a check found something, 2 when the call or its
    input cannot be used, 128 and the number of the signal when a signal ended it.
    """
    open_streams()
    for number in ENDING_SIGNALS:
        # A process that nohup started goes on when its terminal is closed.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _terminate)
    if find_spec("pyoxigraph") is None:
        from cturi_rdf.browser.oxigraph import stand_in

        stand_in()
    code = _guarded(_run)
    # Writing the buffered output may fail.
    code = _guarded(sys.stdout.flush) or code
    sys.exit(code)


def _run() -> int:
    code = cturi.main(prog_name="cturi", standalone_mode=False)
    return code if isinstance(code, int) else 0


def _guarded(work: Callable[[], int | None]) -> int | str | None:  # noqa: PLR0911 - one for each end
    """Return the exit code of some work; any error becomes one line on standard error."""
    stdout = sys.stdout
    try:
        try:
            _at_work.set()
            return work() or 0
        finally:
            _at_work.clear()
    except CturiError as error:
        return _refuse(error.summary + error.option)
    except click.ClickException as error:
        return _refuse(_message(error))
    except SystemExit as end:
        # If the reader has enough, click wraps the stream and exits with 1, but this is no fault.
        if sys.stdout is not stdout:
            _silence()
            return 0
        return end.code
    except (click.Abort, KeyboardInterrupt):
        return _refuse("interrupted", 128 + signal.SIGINT)
    except _Terminated as signalled:
        return 128 + int(signalled.args[0])
    except BrokenPipeError:
        # Whoever read our output has enough.
        _silence()
        return 0
    except OSError as error:
        _silence()
        return _refuse(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except (ImportError, MemoryError) as error:
        # The error about a missing extra says how to install it.
        return _refuse(str(error) or "there is not enough memory for this input")
    except Exception as error:
        if os.environ.get("CTURI_TRACEBACK"):
            raise
        return _refuse(
            f"an error of cturi itself ({type(error).__name__}: {error}); please report it, with"
            " what is printed when CTURI_TRACEBACK=1 is set"
        )


def _message(error: click.ClickException) -> str:
    """Return the text of an error about a call; click's own lead to the help of the command."""
    text = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx and text.endswith("."):
        return f"{text[:-1]}; see {error.ctx.command_path} --help"
    return text


def _terminate(number: int, _: object) -> None:
    # A second signal ends the process at once, and so does one when nothing is left to close: an
    # exception there would be a traceback.
    signal.signal(number, signal.SIG_DFL)
    if not _at_work.is_set():
        signal.raise_signal(number)
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        raise _Terminated(number)


def _silence() -> None:
    """Discard the buffered output, because standard output takes no more."""
    with suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)


def _refuse(message: str, code: int = 2) -> int:
    with suppress(OSError, ValueError):
        click.echo(f"cturi: {visible(' '.join(message.split()))}", err=True)
    return code
