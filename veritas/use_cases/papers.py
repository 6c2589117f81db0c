"""Papers: audited, scored, their arithmetic recomputed; the scorer's weights from labelled ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from veritas.errors import InputError, NotFinished
from veritas.use_cases.given import Paths, Spending, given_budget, given_home, given_paths, given_text

if TYPE_CHECKING:
    from veritas.documents.paper_parts import Match as Match
    from veritas.engine.progress import Progress
    from veritas.papers.audit import PaperAudit, PaperStage
    from veritas.papers.audit_runs import AuditSummary
    from veritas.papers.calibration.study import CalibrationReport
    from veritas.papers.reading.paper_text import PaperText
    from veritas.papers.referee.finding import Refereed as Refereed
    from veritas.scoring.evaluation import Rules
    from veritas.scoring.score import Scoring
    from veritas.scoring.scorer_policy import ScorerPolicy


async def read_paper(asked: str | Path) -> PaperText:
    """Return a paper as it was read: identity, sections, references, citations and tables, each with its place.

    `asked` is a file (nothing is asked of the web), a URL, an arXiv id, a DOI or words. Raises `InputError`,
    `Unavailable`, and `Undecided` where words may mean several papers.
    """
    from veritas.papers.reading import read_paper as read
    from veritas.registries.file_names import is_file_name

    if is_file_name(str(asked)):
        return await read(str(asked))
    from veritas.policy.source_tiers import load_source_policy
    from veritas.reading.web.web_reader import WebReader
    from veritas.registries.all_registries import Registries

    return await read(str(asked), registries=Registries(), reader=WebReader(load_source_policy()))


async def referee_paper(asked: str | Path) -> Refereed:
    """Return the arithmetic of a paper, recomputed: its tests, intervals, percentages, means, sums and dates, with
    every number that does not hold together. No model is asked, and of the web only for the paper itself.

    `asked` is what `read_paper` takes, and the errors are its.
    """
    from veritas.papers.referee.referee import referee_of

    return referee_of(await read_paper(asked))


async def audit_paper(
    asked: str | Path,
    *,
    mode: str = "academic",
    corpus: Paths = (),
    web: bool = False,
    graphs: int = 5,
    samples: int = 3,
    nodes: int = 16,
    rules: Rules = "veritas",
    council: str | Path | None = None,
    policy: str | Path | None = None,
    verification: str | Path | None = None,
    weights: str | Path | None = None,
    budget: Spending | None = None,
    seed: int = 0,
    confirm: Callable[[Match], bool] | None = None,
    yes: bool = False,
    audit_id: str | None = None,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> PaperAudit:
    """Return the audit of a paper: its argument as a graph, every node verified, trust propagated, and a score.

    `corpus` are documents that statements are checked against, `web` lets registries and search providers be asked.
    `graphs` is how often the argument is read, `samples` how often a model assesses a node, `nodes` the most nodes of a
    graph. `budget` is in US dollars, or a `Budget`. Where `asked` are words, `confirm` is asked whether what they lead
    to is meant, and `yes` takes the best match. `audit_id` is the id it gets. Raises `InputError` for what cannot be
    used, `Undecided` with the candidates where words may mean several papers, `Unavailable` where the paper cannot be
    had.
    """
    from veritas.papers.audit_request import make_paper_request
    from veritas.papers.audit_runs import start

    request = make_paper_request(
        str(asked), mode=mode, corpus=given_paths(corpus), web=web, graphs=graphs, samples=samples, nodes=nodes,
        rules=rules, council=council, policy=policy, verification=verification, weights=weights,
        budget=given_budget(budget), seed=seed,
    )  # fmt: skip
    return await start(
        request, home=given_home(home), audit_id=audit_id, progress=progress, confirm=confirm, yes=yes
    )


async def resume_paper_audit(
    audit: str = "latest", *, progress: Progress | None = None, home: str | Path | None = None
) -> PaperAudit:
    """Return an audit that was cut off, gone on with after its last stored stage; a finished one as it is. Raises
    `UnknownRun`."""
    from veritas.papers.audit_runs import resume

    return await resume(given_text(audit, "audit"), progress=progress, home=given_home(home))


async def replay_paper_audit(
    audit: str,
    from_stage: PaperStage,
    *,
    changes: Mapping[str, Any] | None = None,
    audit_id: str | None = None,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> PaperAudit:
    """Return a new audit that takes the stages before `from_stage` from another and does the rest anew; `changes` are
    parameters of `audit_paper`, `audit_id` is the id it gets. Raises `UnknownRun`, `InputError`."""
    from veritas.papers.audit_runs import replay

    name = given_text(audit, "audit")
    return await replay(
        name, from_stage, changes=changes, audit_id=audit_id, progress=progress, home=given_home(home)
    )


def find_audit(audit: str = "latest", *, home: str | Path | None = None) -> str:
    """Return the id of the audit that is meant by an id, an unambiguous beginning of one, or `latest`; it may be
    unfinished. Raises `UnknownRun`."""
    from veritas.papers.audit_runs import find_audit as found
    from veritas.papers.audit_runs import papers_home

    return found(papers_home(given_home(home)), given_text(audit, "audit"))


def load_paper_audit(audit: str = "latest", *, home: str | Path | None = None) -> PaperAudit:
    """Return a finished audit from the store. Raises `UnknownRun`, and `NotFinished` for one that is not finished."""
    from veritas.papers.audit_runs import load_audit
    from veritas.use_cases.background import not_finished

    place = given_home(home)
    try:
        return load_audit(given_text(audit, "audit"), place)
    except NotFinished as error:
        resume = "veritas paper --resume {run}"
        raise not_finished(error.run_id, None, place, what="audit", resume=resume) from None


def list_paper_audits(*, home: str | Path | None = None) -> list[AuditSummary]:
    """Return all stored audits, newest first. Never fails on a single one."""
    from veritas.papers.audit_runs import list_audits

    return list_audits(given_home(home))


def score_graph(
    graph: Mapping[str, Any], *, rules: Rules = "veritas", weights: str | Path | None = None
) -> Scoring:
    """Return the score of an argument graph `{nodes: [{id, role, text, parents, children, metrics}]}`, with every
    number by node and edge. `weights` is a scorer policy file in place of `policies/scorer.yaml`.

    Raises `InputError` with what is wrong for a graph that cannot be scored, `PolicyError` for weights that cannot be.
    """
    from veritas.scoring.graph import read_graph
    from veritas.scoring.parameters import read_parameters
    from veritas.scoring.score import score

    checked = read_graph(dict(graph))
    if checked.graph is None:
        raise InputError(f"the graph cannot be scored: {'; '.join(checked.errors)}")
    return score(checked.graph, read_parameters(Path(weights) if weights is not None else None), rules)


def what_if(
    audit: PaperAudit,
    changes: Mapping[str, Mapping[str, float | None]],
    *,
    rules: Rules | None = None,
    weights: str | Path | None = None,
) -> Scoring:
    """Return the score that the argument of an audit would have with other metrics: `changes[node][metric]` is a value
    from 0 to 1, or None for one that is not known. `rules` are by default the audit's.

    Raises `InputError` for a node or metric that there is none of, and for an audit without a graph.
    """
    from veritas.scoring.roles import METRICS

    if audit.primary is None:
        raise InputError(f"audit {audit.audit_id} has no argument that could be scored")
    graph = audit.graph_document()
    nodes = {node["id"]: node for node in graph["nodes"]}
    for name, metrics in changes.items():
        if name not in nodes:
            raise InputError(f"the shown graph of audit {audit.audit_id} has no node {name[:80]!r}")
        for metric, value in metrics.items():
            if metric not in METRICS:
                raise InputError(f"there is no metric {metric[:80]!r}; there are {', '.join(METRICS)}")
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"{metric} of {name} is {value}: give a number from 0 to 1")
        nodes[name]["metrics"] = {**(nodes[name]["metrics"] or {}), **metrics}
    return score_graph(graph, rules=rules or cast("Rules", audit.rules), weights=weights)


def score_lines(
    file: str | Path | None = None,
    *,
    rules: str = "paper",
    weights: str | Path | None = None,
) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the score of every graph in a file of JSON lines, or of a paper's audit, as it comes, each with whether it
    could not be scored; the answer then says why. Without a file, or for `-`, standard input is read.

    `rules` are paper, reference or veritas. Raises `InputError` for an unknown choice, and with its number for a line
    that is no graph at all.
    """
    from veritas.papers import score_lines as lines

    chosen = lines.options(rules, Path(weights) if weights is not None else None)
    with lines.opened(Path(file) if file is not None else None) as stream:
        yield from lines.answers(stream, chosen)


def calibrate(
    runs: str | Path,
    labels: str | Path,
    *,
    order: Sequence[str] = (),
    settings: int = 20_000,
    rules: str = "paper",
    weights: str | Path | None = None,
    folds: int = 5,
    seed: int = 0,
    on_line: Callable[[str], None] | None = None,
) -> tuple[CalibrationReport, ScorerPolicy]:
    """Return the study of which weights rank papers as their labels do, and the policy it began with.

    No model is asked. `runs` are paper audits or JSON lines `{paper, graph}`; `labels` a CSV or JSON lines of paper and
    label, more is better, and `order` the labels that are words, worst first. `settings` are
    tried in the dense stage; `folds` times some papers are held out. `on_line` hears of what is left out and of
    progress. Raises `InputError`.
    """
    from veritas.papers.calibration.study import calibrated, checked

    choices = checked(rules, settings, folds, seed)
    begun_with = Path(weights) if weights is not None else None
    return calibrated(Path(runs), Path(labels), choices, begun_with, order, on_line)
