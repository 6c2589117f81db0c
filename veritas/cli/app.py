"""The Typer application: one lazily loaded file for each command, and one place where errors become exit codes."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from veritas.errors import CRASHED, NotInstalled, VeritasError
from veritas.keys import withheld_from_message
from veritas.long_waits import told_of_waits
from veritas.sinks import withhold_in_logs, withhold_on_streams
from veritas.text.visible import visible

# command -> (module, one-line help). The module holds a function of the command's name, dashes as underscores; it is
# imported only when the command runs, which keeps `veritas --help` instant. Order is the order of the help text.
COMMANDS: dict[str, tuple[str, str]] = {
    "research": ("veritas.cli.research", "Answer a question from verified passages of admitted sources."),
    "ask": ("veritas.cli.research", "Ask a question in short: the answer and its sources on the terminal."),
    "demo": ("veritas.cli.research", "Answer a prepared question from installed documentation; no key, no network."),
    "replay": ("veritas.cli.research", "Repeat a stored run from one of its stages."),
    "runs": ("veritas.cli.runs", "List the stored runs; remove unusable files."),
    "store": ("veritas.cli.store", "Back up, check, shrink and clean the store."),
    "cancel": ("veritas.cli.runs", "Ask an active run to stop; it can be resumed."),
    "show": ("veritas.cli.export", "Open the report of a run."),
    "export": ("veritas.cli.export", "Write a run as JSON, Markdown, HTML or Parquet."),
    "why": ("veritas.cli.diff", "Show why a sentence, claim or source of a run was used or left out."),
    "diff": ("veritas.cli.diff", "Show what changed between two runs, cause by cause."),
    "approvals": ("veritas.cli.approvals", "List the cases that wait for a person, or show one case."),
    "approve": ("veritas.cli.approvals", "Decide a case that the gate could not decide: approve, reject, withdraw."),
    "lenses": ("veritas.cli.lenses", "Measure how much the lenses agree, or how often each is right."),
    "council": ("veritas.cli.configured", "Show which council is used and why, what is missing and how to get it."),
    "tier": ("veritas.cli.claims", "Classify a URL by the source policy, with the reason."),
    "providers": ("veritas.cli.configured", "Show which search providers are configured, and what the others lack."),
    "plugins": ("veritas.cli.configured", "List the plug-ins of every seam, and whether each loads."),
    "judge": ("veritas.cli.claims", "Judge claims against passages: supports, refutes or silent."),
    "verify": ("veritas.cli.claims", "Check one claim against a corpus: verdict with verbatim evidence."),
    "triangulate": ("veritas.cli.citations", "Decide whether two bibliographic records describe the same work."),
    "cite": ("veritas.cli.citations", "Make a citation with a verified artifact, or say why not."),
    "check": ("veritas.cli.check", "Check every citation in a tree against its artifact; no network."),
    "factcheck": ("veritas.cli.factcheck", "Check any text, statement by statement, against the sources it cites."),
    "audit": ("veritas.cli.citations", "Find what went wrong with a project's citations since they were verified."),
    "bib": ("veritas.cli.bib", "Check whether the entries of a bibliography exist and are correct."),
    "guard": ("veritas.cli.check", "Check a proposed edit for citations that do not hold; a hook for coding agents."),
    "lsp": ("veritas.cli.stdio", "Check citations in the editor as you type: a language server."),
    "paper": ("veritas.cli.paper", "Audit a paper: its argument as a graph, verified node by node and scored."),
    "referee": ("veritas.cli.paper", "Recompute a paper's arithmetic: tests, intervals, percentages, sums."),
    "score": ("veritas.cli.score", "Score argument graphs."),
    "calibrate": ("veritas.cli.score", "Fit the scorer's weights to labelled papers, tested on held-out papers."),
    "review": ("veritas.cli.review", "Write a literature review from a corpus; every sentence is checked."),
    "corpus": ("veritas.cli.corpus", "Make and search a corpus of claims for reviews."),
    "serve": ("veritas.cli.serve", "Serve VERITAS over HTTP: pages, and an interface for programs."),
    "automations": ("veritas.cli.up", "Install automations on a Prefect server: end killed runs, and notify."),
    "watch": ("veritas.cli.watch", "Living questions: asked again on a schedule; what changed, and why."),
    "mcp": ("veritas.cli.stdio", "Serve the checks as tools for language models (Model Context Protocol, stdio)."),
    "up": ("veritas.cli.up", "Start a local Prefect server with every deployment served."),
}


def _pacified(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command, ending quietly when the reader of its output is gone (`veritas … | head`).

    The broken pipe must be caught here: Typer would turn it into exit code 1, which means a finding.
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
    """A group of commands. Its help has the whole first sentence of each."""

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
    name="veritas", cls=LazyGroup, no_args_is_help=True, add_completion=False, rich_markup_mode=None,
    pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]},
    help="Research answers in which every claim traces to a verbatim passage that an independent verifier judged.",
)  # fmt: skip


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


_CODE, _EXTRA = "veritas-cite", "research"


def not_installed(error: ModuleNotFoundError) -> NotInstalled | None:
    """Return the error for a module that the small install omits; None if the install is complete or the module's
    package is installed, which is a defect."""
    from importlib.util import find_spec

    package = (error.name or "").partition(".")[0]
    if not package or find_spec(package) is not None or not _is_small():
        return None
    how = "pip install veritas-research, or make install in a checkout"
    return NotInstalled(f"this needs {package}, which is not installed: {how}")


def _is_small() -> bool:
    """Return whether a package of the full install is missing."""
    from importlib.metadata import PackageNotFoundError, distribution, requires

    try:
        wanted = [line for line in requires(_CODE) or () if re.search(rf"extra == ['\"]{_EXTRA}['\"]", line)]
    except PackageNotFoundError:
        return True
    for line in wanted:
        try:
            distribution(re.split(r"[^\w.-]", line, maxsplit=1)[0])
        except PackageNotFoundError:
            return True
    return False
