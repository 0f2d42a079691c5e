"""`comind eval`: parse, measure, print the figures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from comind.cli.distill_figures import answer_figures, gate_figures
from comind.cli.edge_figures import edge_figures
from comind.cli.options import AsJson, examples
from comind.cli.progress import progress_bar
from comind.cli.recorded import Recorded, evaluate_recorded
from comind.cli.screen import emit, print_text
from comind.errors import ExitCode
from comind.evaluate.decisions import DecisionFigures, evaluate_decisions
from comind.evaluate.distill_gate import evaluate_gate
from comind.evaluate.edge_run import evaluate_edges
from comind.evaluate.interop import StoreFigures, evaluate_interop
from comind.evaluate.lockfiles import LockfileFigures, evaluate_lockfiles
from comind.evaluate.reanchor import evaluate_reanchor
from comind.evaluate.reanchor_figures import ReanchorFigures
from comind.evaluate.reverts import RepositoryFigures, RevertFigures, evaluate_reverts
from comind.evaluate.staleness import StalenessFigures, evaluate_staleness
from comind.evaluate.staleness_cases import read_cases
from comind.evaluate.trailers import Agreement, evaluate_trailers
from comind.query.render import labelled, line, stacked

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Clones = Annotated[Path | None, typer.Option("--repos", metavar="DIR", help="Holds a clone of each repository.")]
Files = Annotated[Path | None, typer.Option("--files", metavar="DIR", help="Holds OWNER+NAME/COMMIT/PATH of each file.")]


@app.callback(no_args_is_help=True)
def evaluate() -> None:
    """Measure the ledger on labelled data.

    Each measurement prints its figures; with --json one object of named figures.
    """


@app.command(epilog=examples("comind eval reverts reverts.jsonl --repos clones", "comind eval reverts reverts.jsonl --repos clones --json"))
def reverts(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels: JSON lines with repo, commit, is_revert, reverted_commits.")],
    *,
    repos: Annotated[Path, typer.Option("--repos", metavar="DIR", help="Holds a clone or a bundle of each repository.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write a prediction per judged row there.")] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the harvest of reverts: precision and recall of reverts and of what they undid."""
    with progress_bar("judging commits") as progress:
        figures = evaluate_reverts(data, repos, out=out, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
        return ExitCode.ANSWERED
    print_text(stacked([*(_figures(one) for one in (*figures.per_repository, figures.all)), *_missing(figures)]))
    return ExitCode.ANSWERED


@app.command(epilog=examples("comind eval trailers examples.jsonl", "comind eval trailers examples.jsonl --repos clones --json"))
def trailers(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Examples: JSON lines with name, message, expected.")],
    *,
    repos: Annotated[Path | None, typer.Option("--repos", metavar="DIR", help="Compare with git on every commit of its clones.")] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the reading of trailers: against examples, and against git in real history."""
    figures = evaluate_trailers(data, repos)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        print_text(stacked([_agreement(one) for one in (figures.examples, *figures.repositories)]))
    return ExitCode.ANSWERED


def _agreement(one: Agreement) -> Text:
    groups = (("too few", one.missed), ("too many", one.invented), ("others", one.different))
    return stacked([
        line((one.name, "bold"), (f"  {one.messages} messages, {one.trailers} trailers, {one.wrong} read otherwise", "dim")),
        *(labelled(name, ", ".join(rows)) for name, rows in groups if rows),
    ])  # fmt: skip


@app.command(epilog=examples("comind eval lockfiles lockfiles.jsonl --repos clones", "comind eval lockfiles lockfiles.jsonl --files files"))
def lockfiles(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels: JSON lines with ecosystem, repo, commit, path, facts, move.")],
    *,
    repos: Clones = None,
    files: Files = None,
    as_json: AsJson = False,
) -> int:
    """Measure the readers of lockfiles: versions of packages, and commits that move one."""
    directory = _one_of(repos, files)
    with progress_bar("reading files") as progress:
        figures = evaluate_lockfiles(data, directory, repos=repos is not None, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        print_text(stacked(list(_lockfile_figures(figures))))
    return ExitCode.ANSWERED


@app.command(epilog=examples("comind eval adr adr.jsonl --repos clones", "comind eval adr adr.jsonl --files files --json"))
def adr(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels: JSON lines with repo, commit, path, is_adr and the fields.")],
    *,
    repos: Clones = None,
    files: Files = None,
    as_json: AsJson = False,
) -> int:
    """Measure the reader of decision records: every field of each file, and files that are none."""
    with progress_bar("reading files") as progress:
        figures = evaluate_decisions(data, _one_of(repos, files), repos=repos is not None, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        print_text(stacked(list(_decision_figures(figures))))
    return ExitCode.ANSWERED


@app.command(
    epilog=examples(
        "comind eval edges --truth flask.scip --repos flask",
        "comind eval edges --truth flask.scip --truth werkzeug.scip --repos flask --repos werkzeug --show-wrong 20",
    )
)
def edges(
    *,
    truth: Annotated[list[Path], typer.Option("--truth", metavar="INDEX", help="A SCIP index; give one for each of the repositories.")],
    repos: Annotated[
        list[Path], typer.Option("--repos", metavar="DIR", help="A clone, in the order of the indexes; further ones may follow.")
    ],
    show_wrong: Annotated[int, typer.Option("--show-wrong", metavar="N", min=0, help="Show so many wrong answers of each cause.")] = 0,
    show_missed: Annotated[int, typer.Option("--show-missed", metavar="N", min=0, help="Show so many missed calls of each cause.")] = 0,
    as_json: AsJson = False,
) -> int:
    """Measure call edges against SCIP indexes: precision and recall, by how a call was resolved and across repositories."""
    with progress_bar("indexing repositories") as progress:
        figures = evaluate_edges(truth, repos, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        print_text(stacked(list(edge_figures(figures, show_wrong=show_wrong, show_missed=show_missed))))
    return ExitCode.ANSWERED


@app.command(
    epilog=examples(
        "comind eval distill distill.jsonl --repos clones",
        "comind eval distill distill.jsonl --repos clones --answers answers.ndjson --model small --endpoint http://127.0.0.1:8080/v1",
        "comind eval distill distill.jsonl --repos clones --answers answers.ndjson --model small --json",
    )
)
def distill(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels: JSON lines with repo, sha, label and fact.")],
    *,
    repos: Annotated[Path, typer.Option("--repos", metavar="DIR", help="Holds a clone or a bundle of each repository.")],
    answers: Annotated[Path | None, typer.Option("--answers", metavar="FILE", help="Keeps what a model answered; measure it too.")] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model whose answers count.")] = None,
    endpoint: Annotated[str | None, typer.Option("--endpoint", metavar="URL", help="Ask there what the file has no answer to.")] = None,
    local: Annotated[bool, typer.Option("--local", help="Ask, or have asked, the small model of this machine.")] = False,
    as_json: AsJson = False,
) -> int:
    """Measure the distiller: which commits reach a model, and what becomes of what it answers about them.

    Without --answers the gate alone is measured. With it, questions that the file has no answer to are put to --endpoint (or --local), and
    their answers kept; once they are there, everything is measured from the file, without a network.
    """
    with progress_bar("judging commits") as progress:
        figures, judged = evaluate_gate(data, repos, progress=progress)
    answered = evaluate_recorded(judged, Recorded(answers, model=model, url=endpoint, local=local)) if answers else None
    if as_json:
        emit(json.dumps({"gate": figures.as_json()} | ({"answers": answered.as_json()} if answered else {}), indent=2, ensure_ascii=True))
    else:
        print_text(stacked([*gate_figures(figures), *(answer_figures(answered) if answered else ())]))
    return ExitCode.COULD_NOT_FIND_OUT if answered and answered.answered < answered.asked else ExitCode.ANSWERED


@app.command(epilog=examples("comind eval interop clones", "comind eval interop notes --code shop --json"))
def interop(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="Holds stores of other tools, or clones that hold them.")],
    *,
    code: Annotated[
        Path | None, typer.Option("--code", metavar="DIR", help="The repository that stores outside of theirs speak of.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the import of other tools' stores: what is taken and left, and whether a promise is broken."""
    with progress_bar("importing stores") as progress:
        figures = evaluate_interop(directory, code=code, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        rows = [row for store in figures.stores for row in _store_figures(store)]
        print_text(stacked([*rows, *(line(f"no repository is known: {one}") for one in figures.without_code)]))
    return ExitCode.BLOCKING_FINDING if any(store.broken for store in figures.stores) else ExitCode.ANSWERED


def _store_figures(store: StoreFigures) -> Iterator[Text]:
    counts = f"{store.read:,} read, {store.records:,} records, {store.origins:,} rows, {store.left:,} left, {store.refused:,} refused"
    yield line((store.source, "bold"), (f"  {store.path}  {counts}", "dim"))
    for group in store.losses:
        yield labelled("refused" if group.refused else "left", f"{group.count:,} {group.code}")
    yield from (line(f"broken: {one}") for one in store.broken)


def _one_of(repos: Path | None, files: Path | None) -> Path:
    directory = repos or files
    if directory is None or (repos and files):
        message = "give either --repos DIR or --files DIR"
        raise typer.BadParameter(message)
    return directory


def _decision_figures(figures: DecisionFigures) -> Iterator[Text]:
    yield labelled("decisions", f"{figures.decisions_right} of {figures.decisions} right in every field")
    yield labelled("other files", f"{figures.others_taken} of {figures.others} taken for a decision")
    yield from (line(f"wrong: {one}") for one in figures.wrong)
    yield from (line(f"not judged, no file: {one}") for one in figures.files_missing)


def _lockfile_figures(figures: LockfileFigures) -> Iterator[Text]:
    yield line((f"{figures.files} files of {figures.formats} formats", "bold"))
    yield labelled("facts", f"{figures.facts_right} of {figures.facts} right")
    yield labelled("of these", f"{figures.facts_right_at_top} without what only another package sees")
    yield labelled("and", f"{figures.facts_right_with_excluded} with a version that the file rules out")
    yield labelled("moves", f"{figures.moves_seen} of {figures.moves} seen")
    yield from (line(f"wrong: {one}") for one in figures.wrong)
    yield from (line(f"problem: {one}") for one in figures.unreadable)
    yield from (line(f"not judged, no file: {one}") for one in (*figures.files_missing, *figures.moves_missing))


@app.command(
    epilog=examples(
        "comind eval reanchor dev.jsonl --repos clones --out pred.jsonl", "comind eval reanchor dev.jsonl --repos clones --repo flask"
    )
)
def reanchor(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels: JSON lines, one declaration at two commits each.")],
    *,
    repos: Annotated[Path, typer.Option("--repos", metavar="DIR", help="Holds a clone or a bundle of each repository.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write a prediction per judged row there.")] = None,
    only: Annotated[str | None, typer.Option("--repo", metavar="NAME", help="Judge only repositories with this in their name.")] = None,
    every: Annotated[int, typer.Option("--every", metavar="N", min=1, help="Judge one row of so many.")] = 1,
    as_json: AsJson = False,
) -> int:
    """Measure re-anchoring and drift: are declarations found where they are, and is what happened to them named?"""
    with progress_bar("following declarations") as progress:
        figures = evaluate_reanchor(data, repos, out=out, only=only, every=every, progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
        return ExitCode.ANSWERED
    print_text(stacked([*_reanchor_figures(figures), *_missing(figures)]))
    return ExitCode.ANSWERED


@app.command(epilog=examples("comind eval staleness tests/staleness/cases", "comind eval staleness tests/staleness/cases --json"))
def staleness(
    cases: Annotated[Path, typer.Argument(metavar="DIR", help="Holds pages of refactorings: code before, code after, what must be said.")],
    *,
    as_json: AsJson = False,
) -> int:
    """Measure staleness on refactorings: which records are stale or orphaned afterwards, and which must not be."""
    with progress_bar("refactoring") as progress:
        figures = evaluate_staleness(read_cases(cases), progress=progress)
    if as_json:
        emit(json.dumps(figures.as_json(), indent=2, ensure_ascii=True))
    else:
        print_text(stacked(list(_staleness_figures(figures))))
    return ExitCode.ANSWERED


def _staleness_figures(figures: StalenessFigures) -> Iterator[Text]:
    yield line(("staleness", "bold"), (f"  {len(figures.judged)} records, {len(figures.wrong)} answered otherwise", "dim"))
    for word in ("stale", "orphaned", "active"):
        score = figures.status(word)
        found = score.true_positives + score.false_negatives
        yield labelled(word, f"precision {score.precision:.3f}, recall {score.recall:.3f} of {found}")
    for state in sorted({one.expected for one in figures.judged}):
        score = figures.state(state)
        found = score.true_positives + score.false_negatives
        yield labelled(f"drift {state}", f"precision {score.precision:.3f}, recall {score.recall:.3f} of {found}")
    yield from (line(f"wrong: {one}") for one in figures.wrong)


@app.command(epilog=examples("comind eval fit-weights dev.jsonl --repos clones --out comind/anchors/weights.json"))
def fit_weights(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Labels, as of `comind eval reanchor`; rows over one commit are used.")],
    *,
    repos: Annotated[Path, typer.Option("--repos", metavar="DIR", help="Holds a clone or a bundle of each repository.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the weights there.")] = None,
    pull: Annotated[float, typer.Option("--pull", metavar="X", min=0.01, help="How strongly to keep to the standing weights.")] = 10.0,
    as_json: AsJson = False,
) -> int:
    """Fit the weights of re-anchoring, and show what they are worth on repositories that they have not seen."""
    from comind.evaluate.reanchor_weights import fit_weights as fit  # noqa: PLC0415 - loads a package that nothing else needs

    fits = fit(data, repos, pull=pull)
    weights = json.dumps({group: one.weights for group, one in fits.items()}, indent=2)
    if out is not None:
        out.write_text(weights + "\n")
    if as_json:
        emit(weights)
        return ExitCode.ANSWERED
    shown = "{} rows; the best candidate is right for {} with the standing weights, for {} with new ones, their repository left out"
    print_text(stacked([labelled(group, shown.format(one.rows, one.best_before, one.best_after)) for group, one in fits.items()]))
    return ExitCode.ANSWERED


def _reanchor_figures(figures: ReanchorFigures) -> Iterator[Text]:
    yield line(("re-anchoring", "bold"), (f"  {figures.rows} rows, {figures.cpu_ms_per_row:.0f} ms of CPU per row", "dim"))
    for name, counted in [*sorted(figures.groups.items()), ("orphans", figures.orphans)]:
        score = counted.score
        found = score.true_positives + score.false_negatives
        yield labelled(name, f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f} of {found}")
    yield labelled("siblings", f"{figures.siblings_right} of {figures.siblings} deletions with a declaration of the same name left")
    taken = figures.withheld
    yield labelled(
        "withheld", f"{taken.accepted} of {taken.rows} got another place when theirs was taken away, {taken.accepted_as_sure} as sure"
    )
    if figures.forwarders:
        told = f"{len(figures.forwarders)} labels stay with a name that only calls the body; counted nowhere: "
        yield labelled("forwarders", told + ", ".join(figures.forwarders))
    for kind, right in sorted(figures.drift.items()):
        yield labelled(f"drift {kind}", f"{sum(right) / len(right):.3f} of {len(right)} rows with the right place")
    yield labelled("decided by", ", ".join(f"{rung} {count}" for rung, count in sorted(figures.rungs.items())))
    yield from (line(f"wrong: {cause} ({len(rows)}): {', '.join(rows)}") for cause, rows in sorted(figures.causes.items()))


def _figures(one: RepositoryFigures) -> Text:
    return stacked([
        line((one.repo, "bold"), (f"  {one.rows} commits, {one.positives} reverts", "dim")),
        labelled("is a revert", f"precision {one.is_revert_precision:.3f}, recall {one.is_revert_recall:.3f}"),
        labelled("what it undid", f"precision {one.target_links_precision:.3f}, recall {one.target_links_recall:.3f}"),
        labelled("exact", f"{one.exact_target_sets:.3f} of the reverts have exactly the right targets"),
        labelled("came back", f"precision {one.relanded_by_precision:.3f}, recall {one.relanded_by_recall:.3f}"),
    ])  # fmt: skip


def _missing(figures: RevertFigures | ReanchorFigures) -> Iterator[Text]:
    if figures.repositories_missing:
        yield line(f"{figures.rows_without_repository} rows not judged, no clone of: {', '.join(figures.repositories_missing)}")
    if figures.rows_without_commit:
        yield line(f"{figures.rows_without_commit} rows not judged: the clone lacks their commit")
