"""The options that several commands share: where a catalogue is, and how it is read."""

from __future__ import annotations

import os
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cturi_rdf.cli import completion
from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.labels import Resolution
    from cturi_rdf.reading.formats import Format

    Resolve = Callable[[str], Resolution]


def help_alone(ctx: click.Context) -> None:
    """Print the help of a group that is called without a command, which is invalid usage."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def format_of(file: str, named: str | None) -> Format:
    """Return the format that the option --to names, or else the name of a file to write.

    Raises `CatalogError`, which names the option.
    """
    from cturi_rdf.reading.errors import CatalogError
    from cturi_rdf.reading.formats import format_named, format_of_file

    if named:
        return format_named(named)
    if Path(file or os.curdir).is_dir():
        raise CatalogError("a folder", file, "a file")
    try:
        return format_of_file(file)
    except CatalogError as error:
        expected = f"{error.expected}, or the option --to FORMAT"
        raise CatalogError(error.problem, file, expected) from error


def written_format(output: str, to: str | None) -> Format:
    """Return the format for writing a graph: the given one, or that of the name, or Turtle."""
    return format_of(output, to or ("turtle" if output == "-" else None))


def _context(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> dict[str, Path | None]:
    """Return the files of ``IRI=FILE`` options by IRI; None for ``IRI=none``."""
    if not values:
        return {}
    contexts: dict[str, Path | None] = {}
    for value in values:
        iri, equals, name = value.rpartition("=")
        if not equals or not iri or not name:
            raise click.BadParameter(f"{value!r} is not IRI=FILE")
        if name != "none" and not Path(name).is_file():
            raise click.BadParameter(f"{name}: it cannot be read (No such file or directory)")
        contexts[iri] = None if name == "none" else Path(name)
    return contexts


def _resolver(_: click.Context, __: click.Parameter, name: str | None) -> Resolve:
    """Return the function that resolves labels; labels in the user's own file come first."""
    from cturi_rdf.labels import Resolver, read_labels, resolve

    if name is None:
        return resolve
    try:
        return cache(Resolver(read_labels(Path(name).read_text("utf-8"))).resolve)
    except CturiError as error:
        raise click.BadParameter(f"{name}: {error.summary}") from error
    except UnicodeDecodeError as error:
        raise click.BadParameter(
            f"{name}: it is not UTF-8; expected lines of text, with a tab after each label"
        ) from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.BadParameter(f"{name}: it cannot be read ({why})") from error


def _property(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> None:
    """Read the values of more properties as labels."""
    for name in names:
        from cturi_rdf.catalogue.profiles import iri_of
        from cturi_rdf.rdf.terms import register_property

        try:
            register_property(iri_of(name).value)
        except ValueError as error:
            expected = "expected an IRI, or a name such as dct:type"
            raise click.BadParameter(f"{name!r} is no IRI; {expected}") from error


allow_nothing_option = click.option(
    "--allow-nothing",
    is_flag=True,
    help="Pass a file in which there is nothing to check, and XML and JSON that is no RDF.",
)
exit_zero_option = click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with 0 whatever is found; an input that cannot be used is still an error.",
)
sources_argument = click.argument(
    "sources", metavar="IN...", nargs=-1, required=True, shell_complete=completion.files
)
to_option = click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="The format of OUT, if its name does not show it.",
)


def named_output(_: click.Context, __: click.Parameter, value: Any) -> Any:
    """Return the names of files or folders to write; refuse an empty one, of an unset variable."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise click.BadParameter("an empty name; expected the name of what to write")
    return value


def output_option(what: str = "The file to write") -> Callable[..., Any]:
    """Return the option for the output of a command."""
    return click.option(
        "-o",
        "--output",
        callback=named_output,
        metavar="OUT",
        default="-",
        shell_complete=completion.files,
        help=f"{what}; standard output if not given.",
    )


control_option = click.option(
    "--control",
    type=click.Choice(["honour", "ignore"]),
    default="honour",
    show_default=True,
    help="Let a Content-Type name a URI, by the uri. tree or URI-body, and a URI a type, by"
    " MIME-type (the draft, sections 2.3, 2.4 and 3.3), or treat them like any other (section 6).",
)

labels_option = click.option(
    "--labels",
    "resolver",
    metavar="FILE",
    callback=_resolver,
    shell_complete=completion.files,
    help="Your own labels: a table with a label, a tab and a media type per line.",
)


def reading_options(
    file: str = "IN",
    network: str = "Fetch JSON-LD contexts that are neither in the package nor in a file.",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what gives a command the options for reading files, as one parameter `reading`."""
    options = (
        click.option(
            "--from",
            "form",
            metavar="FORMAT",
            shell_complete=completion.formats,
            help=f"The format of {file}, if its name does not show it.",
        ),
        click.option(
            "--strict",
            is_flag=True,
            help="Refuse JSON with half a surrogate pair, such as \\udc92, instead of reading"
            " U+FFFD.",
        ),
        click.option(
            "--context",
            "contexts",
            metavar="IRI=FILE",
            multiple=True,
            callback=_context,
            help="Read a JSON-LD context that the catalogue names from FILE; IRI=none ignores it.",
        ),
        click.option(
            "--property",
            metavar="IRI",
            multiple=True,
            expose_value=False,
            callback=_property,
            help="Read the values of one more property as labels, as those of dct:format.",
        ),
        click.option("--allow-network", is_flag=True, help=network),
        click.option(
            "--allow-files",
            is_flag=True,
            help="Also read JSON-LD contexts from outside the folder of the catalogue.",
        ),
        labels_option,
    )

    def with_reading(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def read(**values: Any) -> None:
            from cturi_rdf.reading.options import ReadOptions

            reading = ReadOptions(**{name: values.pop(name) for name in ReadOptions._fields})
            command(reading=reading, **values)

        for option in reversed(options):
            read = option(read)
        return read

    return with_reading


def catalogue_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its catalogues, as `sources`, and how to read them, as `reading`."""
    return sources_argument(reading_options()(command))
