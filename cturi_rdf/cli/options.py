"""The options that several commands share: where a catalogue is, and how it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.labels import Resolution
    from cturi_rdf.reading.formats import Format

    Resolve = Callable[[str], Resolution]


def help_alone(ctx: click.Context) -> None:
    """Print the help of a group that is called without a command, which is invalid usage."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def written_format(output: str, to: str | None) -> Format:
    """Return the format for writing a graph: the given one, or that of the name, or Turtle.

    Raises `CatalogError`, which names the option --to.
    """
    from cturi_rdf.reading.errors import CatalogError
    from cturi_rdf.reading.formats import format_named, format_of_file

    if to or output == "-":
        return format_named(to or "turtle")
    if Path(output or os.curdir).is_dir():
        raise CatalogError("a folder", output, "a file")
    try:
        return format_of_file(output)
    except CatalogError as error:
        expected = f"{error.expected}, or the option --to FORMAT"
        raise CatalogError(error.problem, output, expected) from error


# The names of files in a call, by their use.
_USES = "cturi.files"


def use_files(names: Iterable[str], use: str) -> None:
    """Raise `CatalogError` where this call uses one of the files for something else.

    The uses are "read", "IN", "OUT", which may be IN, and "written".
    """
    from cturi_rdf.reading.atomic import expect_apart

    names = list(names)
    uses: dict[str, list[str]] = click.get_current_context().meta.setdefault(_USES, {})
    for other, files in uses.items():
        if other != use and ("written" in {use, other} or {use, other} == {"read", "OUT"}):
            written, others = (names, files) if use in {"written", "OUT"} else (files, names)
            for name in written:
                expect_apart(name, *others)
    uses.setdefault(use, []).extend(names)


def used_as(use: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return the callback of an option or argument that names files of some use."""

    def noted(_: click.Context, __: click.Parameter, value: Any) -> Any:
        use_files(value if isinstance(value, tuple) else filter(None, [value]), use)
        return value

    return noted


def _context(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> dict[str, Path | None]:
    """Return the files of ``IRI=FILE`` options by IRI; None for ``IRI=none``."""
    contexts: dict[str, Path | None] = {}
    for value in values:
        iri, equals, name = value.rpartition("=")
        if not equals or not iri or not name:
            raise click.BadParameter(f"{value!r} is not IRI=FILE")
        if name != "none" and not Path(name).is_file():
            raise click.BadParameter(f"{name}: it cannot be read (No such file or directory)")
        contexts[iri] = None if name == "none" else Path(name)
    use_files([str(path) for path in contexts.values() if path], "read")
    return contexts


def _resolver(_: click.Context, __: click.Parameter, name: str | None) -> Resolve:
    """Return the function that resolves labels; labels in the user's own file come first."""
    from cturi_rdf.labels import Resolver, read_labels, resolve

    if name is None:
        return resolve
    use_files([name], "read")
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
            raise click.BadParameter(f"{name!r} is not an IRI; {expected}") from error


# What the shell completes: names of files and folders, and names of ours that begin as typed.


def complete_files(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(typed, "file")]


def complete_folders(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Let the shell complete the name of a folder."""
    return [CompletionItem(typed, "dir")]


def complete_formats(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Return the names of RDF formats."""
    from cturi_rdf.reading.formats import FORMATS

    return [form.name for form in FORMATS if form.name.startswith(typed)]


def complete_profiles(_: click.Context, __: click.Parameter, typed: str) -> list[str]:
    """Return the names of metadata profiles."""
    from cturi_rdf.catalogue.profiles import profile_names

    return [name for name in profile_names() if name.startswith(typed)]


# What gives a command an option.
Decorator = Callable[[Any], Any]


def together(*options: Decorator) -> Decorator:
    """Return what gives a command several options, which its help lists in this order."""
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


def file_option(*names: str, metavar: str = "FILE", **more: Any) -> Decorator:
    """Return an option with the name of a file to read, which the shell completes."""
    more = {"callback": used_as("read"), **more}
    return click.option(*names, metavar=metavar, shell_complete=complete_files, **more)


def files_argument(name: str, **more: Any) -> Decorator:
    """Return an argument with the names of files to read, which the shell completes."""
    return click.argument(name, shell_complete=complete_files, callback=used_as("IN"), **more)


def json_option(what: str = "Print one JSON object per line.") -> Decorator:
    """Return the option --json, which is the same in every command but for what it prints."""
    return click.option("--json", "as_json", is_flag=True, help=what)


def profile_option(what: str) -> Decorator:
    """Return the option --profile."""
    return click.option("--profile", metavar="NAME", shell_complete=complete_profiles, help=what)


allow_nothing_option = click.option(
    "--allow-nothing",
    is_flag=True,
    help="Accept files with nothing to check, and XML and JSON files that are not RDF.",
)
exit_zero_option = click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with 0 whatever is found; an input that cannot be used is still an error.",
)
sources_argument = files_argument("sources", metavar="IN...", nargs=-1, required=True)
to_option = click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=complete_formats,
    help="The format of OUT, such as turtle or json-ld, if its name does not show it.",
)


def _not_empty(_: click.Context, __: click.Parameter, value: Any) -> Any:
    """Return the names of files or folders to write; refuse an empty one, of an unset variable."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise click.BadParameter("an empty name; expected the name of what to write")
    return value


def named_output(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the names of files or folders that a command writes and does not read."""
    return used_as("written")(context, parameter, _not_empty(context, parameter, value))


def output_option(what: str = "The file to write", *, may_be_in: bool = False) -> Decorator:
    """Return the option for the output of a command."""
    return file_option(
        "-o",
        "--output",
        metavar="OUT",
        callback=_not_empty if may_be_in else named_output,
        default="-",
        help=f"{what}; standard output if not given.",
    )


edited_output_options = together(
    output_option("The file to write, or an existing folder for several files", may_be_in=True),
    click.option("--in-place", is_flag=True, help="Edit the files themselves."),
)
changes_options = together(
    click.option("--dry-run", is_flag=True, help="Print what changes, and write nothing."),
    click.option("--diff", is_flag=True, help="Print the changes as a diff."),
    json_option("Print changes as one JSON object per file."),
)
# What a query is about.
data_options = together(
    click.option(
        "--as-is",
        is_flag=True,
        help="Query FILEs as they are, without the meanings of their labels.",
    ),
    click.option("--no-registry", is_flag=True, help="Leave out the registry of media types."),
    click.option(
        "--base",
        metavar="IRI",
        help="Resolve relative IRIs against IRI, not against the address of their file.",
    ),
)
control_option = click.option(
    "--control",
    type=click.Choice(["honour", "ignore"]),
    default="honour",
    show_default=True,
    help="honour: the uri. tree, URI-body and MIME-type mean what the draft says in sections 2.3,"
    " 2.4 and 3.3; ignore: they mean nothing special (section 6).",
)

labels_option = file_option(
    "--labels",
    "resolver",
    callback=_resolver,
    help="Your own labels: a table with a label, a tab and a media type per line.",
)


def reading_options(
    file: str = "IN",
    network: str = "Fetch JSON-LD contexts that are neither in the package nor in a file.",
) -> Decorator:
    """Return what gives a command the options for reading files, as one parameter `reading`."""
    options = together(
        click.option(
            "--from",
            "form",
            metavar="FORMAT",
            shell_complete=complete_formats,
            help=f"The format of {file}, such as turtle or json-ld, if its name does not show it.",
        ),
        click.option(
            "--strict",
            is_flag=True,
            help="Refuse a lone surrogate in JSON, such as \\udc92, rather than read U+FFFD.",
        ),
        click.option(
            "--context",
            "contexts",
            metavar="IRI=FILE",
            multiple=True,
            callback=_context,
            help="Read the JSON-LD context IRI from FILE; IRI=none ignores that context.",
        ),
        click.option(
            "--property",
            metavar="IRI",
            multiple=True,
            expose_value=False,
            callback=_property,
            help="Also read the values of this property as labels, like those of dct:format.",
        ),
        click.option("--allow-network", is_flag=True, help=network),
        click.option(
            "--allow-files",
            is_flag=True,
            help="Also read JSON-LD contexts from outside the folder of the catalogue.",
        ),
        labels_option,
    )

    def with_reading(command: Callable[..., None]) -> Any:
        @wraps(command)
        def read(**values: Any) -> None:
            from cturi_rdf.reading.formats import ReadOptions

            reading = ReadOptions(**{name: values.pop(name) for name in ReadOptions._fields})
            command(reading=reading, **values)

        return options(read)

    return with_reading


# The catalogues of a command, as `sources`, and how to read them, as `reading`.
catalogue_options = together(sources_argument, reading_options())
