"""The Typer application: one lazily loaded file a command, and one place where errors become exit codes."""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from veritas.errors import CRASHED, VeritasError
from veritas.keys import withheld_from_message
from veritas.long_waits import told_of_waits
from veritas.sinks import withhold_in_logs, withhold_on_streams
from veritas.text.visible import visible

# command -> (module, one-line help). The module holds a function of the command's name, dashes as underscores; it is
# imported only when the command runs, which keeps `veritas --help` instant. Order is the order of the help text.
COMMANDS: dict[str, tuple[str, str]] = {
    "research": ("veritas.cli.research", "Answer a question from verified passages of admitted sources."),
    "ask": ("veritas.cli.ask", "Ask a question in short: the answer and its sources on the terminal."),
    "demo": ("veritas.cli.demo", "Answer a prepared question from installed documentation; no key, no network."),
    "replay": ("veritas.cli.replay", "Repeat a stored run from one of its stages."),
    "runs": ("veritas.cli.runs", "List the stored runs; remove unusable files."),
    "store": ("veritas.cli.store", "Back up, check, shrink and clean the store."),
    "cancel": ("veritas.cli.cancel", "Ask an active run to stop; it can be resumed."),
    "show": ("veritas.cli.show", "Open the report of a run."),
    "export": ("veritas.cli.export", "Write a run as JSON, Markdown, HTML or Parquet."),
    "why": ("veritas.cli.why", "Show why a sentence, claim or source of a run was used or left out."),
    "diff": ("veritas.cli.diff", "Show what changed between two runs, cause by cause."),
    "approvals": ("veritas.cli.approvals", "List the cases that wait for a person, or show one case."),
    "approve": ("veritas.cli.approve", "Decide a case that the gate could not decide: approve, reject, withdraw."),
    "lenses": ("veritas.cli.lenses", "Measure how much the lenses agree, or how often each is right."),
    "council": ("veritas.cli.council", "Show which council is used and why, what is missing and how to get it."),
    "tier": ("veritas.cli.tier", "Classify a URL by the source policy, with the reason."),
    "providers": ("veritas.cli.providers", "Show which search providers are configured, and what the others lack."),
    "plugins": ("veritas.cli.plugins", "List the plug-ins of every seam, and whether each loads."),
    "plugin": ("veritas.cli.plugin", "Create a plug-in: a working package with its test."),
    "judge": ("veritas.cli.judge", "Judge claims against passages: supports, refutes or silent."),
    "verify": ("veritas.cli.verify", "Check one claim against a corpus: verdict with verbatim evidence."),
    "triangulate": ("veritas.cli.triangulate", "Decide whether two bibliographic records describe the same work."),
    "cite": ("veritas.cli.cite", "Make a citation with a verified artifact, or say why not."),
    "check": ("veritas.cli.check", "Check every citation in a tree against its artifact; no network."),
    "factcheck": ("veritas.cli.factcheck", "Check any text, statement by statement, against the sources it cites."),
    "audit": ("veritas.cli.audit", "Find what went wrong with a project's citations since they were verified."),
    "bib": ("veritas.cli.bib", "Check whether the entries of a bibliography exist and are correct."),
    "guard": ("veritas.cli.guard", "Check a proposed edit for citations that do not hold; a hook for coding agents."),
    "lsp": ("veritas.cli.lsp", "Check citations in the editor as you type: a language server."),
    "paper": ("veritas.cli.paper", "Audit a paper: its argument as a graph, verified node by node and scored."),
    "referee": ("veritas.cli.referee", "Recompute a paper's arithmetic: tests, intervals, percentages, sums."),
    "score": ("veritas.cli.score", "Score argument graphs."),
    "calibrate": ("veritas.cli.calibrate", "Fit the scorer's weights to labelled papers, tested on held-out papers."),
    "review": ("veritas.cli.review", "Write a literature review from a corpus; every sentence is checked."),
    "corpus": ("veritas.cli.corpus", "Make and search a corpus of claims for reviews."),
    "serve": ("veritas.cli.serve", "Serve VERITAS over HTTP: pages, and an interface for programs."),
    "automations": ("veritas.cli.automations", "Install automations on a Prefect server: end killed runs, and notify."),
    "watch": ("veritas.cli.watch", "Living questions: asked again on a schedule; what changed, and why."),
    "mcp": ("veritas.cli.mcp", "Serve the checks as tools for language models (Model Context Protocol, stdio)."),
    "up": ("veritas.cli.up", "Start a local Prefect server with every deployment served."),
}


def _pacified(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command, ending quietly when the reader of its output goes away (`veritas … | head`).

    The broken pipe has to be caught here: Typer would make exit code 1 of it, which stands for a finding.
    """

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            result = function(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from None
        except typer.Abort:  # a question of the command met the end of the input; Typer's code for it is 1 as well
            raise SystemExit(130) from None
        return result

    return run


class SubcommandGroup(TyperGroup):
    """A command of several. Its help has the first sentence of each of them, uncut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list for `--help`."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(limit=400)) for name, each in found if each])


class LazyGroup(TyperGroup):
    """A group that knows every command by name and help line, and loads a command's file when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list for `--help`, from the table alone: no command is loaded for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load and return the command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, line = COMMANDS[cmd_name]
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(importlib.import_module(module), cmd_name.replace("-", "_"))
        if isinstance(function, typer.Typer):  # a command of several
            for each in function.registered_commands:
                if each.callback is not None:
                    each.callback = _pacified(each.callback)
            function.info.cls = SubcommandGroup
            return typer.main.get_command(function)
        single.command(cmd_name, short_help=line)(_pacified(function))
        return typer.main.get_command(single)


app = typer.Typer(
    name="veritas",
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Research answers in which every claim traces to a verbatim passage that an independent verifier judged.",
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from veritas.version import __version__

        print(f"veritas {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Research answers in which every claim traces to a verbatim passage that an independent verifier judged."""


def main(argv: list[str] | None = None) -> Any:
    """Run the command line.

    Returns only through `SystemExit`: 0 done, 1 a finding, 2 wrong usage or input, 3 something needed was unavailable,
    70 a crash, 130 interrupted by the person.
    """
    withhold_on_streams()
    withhold_in_logs()
    try:
        with told_of_waits(lambda text: print(f"veritas: {visible(withheld_from_message(text))}", file=sys.stderr)):
            app(args=argv)
    except VeritasError as error:
        print(f"veritas: {visible(str(error))}", file=sys.stderr)
        raise SystemExit(error.exit_code) from error
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever it is, it must not end in Python's 1, which stands for a finding
        import traceback

        from veritas.cli._small_install import not_installed

        if isinstance(error, ModuleNotFoundError) and (missing := not_installed(error)) is not None:
            print(f"veritas: {missing}", file=sys.stderr)
            raise SystemExit(missing.exit_code) from error
        from veritas.version import __version__

        print(visible(traceback.format_exc()), file=sys.stderr, end="")
        print(
            f"veritas: crashed ({type(error).__name__}). This is a defect of veritas {__version__}, not a finding: "
            "please report it with the lines above",
            file=sys.stderr,
        )
        raise SystemExit(CRASHED) from error
