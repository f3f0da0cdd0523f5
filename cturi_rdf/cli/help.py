"""What `--help` shows: an example for each command, and the options that most people need."""

from __future__ import annotations

import click

BEGIN = """\b
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


def complete(command: click.Command, name: str) -> None:
    """Give a command its example, hide the options that few people need, and add --help-all.

    A command is loaded once and may be asked for more often; the second time changes nothing.
    """
    if isinstance(command, click.Group):
        for inner, of_group in command.commands.items():
            complete(of_group, f"{name} {inner}")
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
            help="Show all options, also those that few people need.",
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
